// An amount of a resource, as requests, capacities, quotas and charges are given.
#pragma once

#include "engine/ids.h"

namespace berth::engine {

struct ResourceAmount {
  ResourceId resource;
  Amount amount = 0;
  auto operator<=>(const ResourceAmount&) const = default;
};

}  // namespace berth::engine
