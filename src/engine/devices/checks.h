// What is looked at before the search: gates, limits, what the dialect found wrong, and which devices `All` means.
// Upstream's order, because the first problem is the one that is told.
#pragma once

#include <cstdint>
#include <expected>
#include <vector>

#include "engine/devices/trial.h"

namespace berth::engine::devices {

struct Needs {
  // By option: how many devices, and for All which (positions in NodeDevices::devices, ascending).
  std::vector<std::int64_t> counts;
  std::vector<std::vector<std::uint32_t>> all;
  // Best mode: nobody can tell what All is, because a pool that may have some is unfinished or broken. Not this node
  // now.
  std::vector<bool> unknown;
};

[[nodiscard]] std::expected<Needs, Failure> check(Trial& trial);

}  // namespace berth::engine::devices
