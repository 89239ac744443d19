// Room on a node that is kept for somebody while others are asked.
#pragma once

#include <vector>

#include "engine/amount.h"
#include "engine/devices/holdings.h"
#include "engine/ids.h"
#include "engine/input.h"

namespace berth::engine {

struct HeldRoom {
  NodeId node;
  std::vector<ResourceAmount> amounts;
  std::vector<CardAssignment> cards;
  std::vector<devices::Grant> grants;  // devices of claims, reachable from the node
  bool operator==(const HeldRoom&) const = default;
};

}  // namespace berth::engine
