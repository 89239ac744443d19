#include "engine/devices/use_states.h"

#include <algorithm>

namespace berth::engine::devices {
namespace {

constexpr std::size_t kBits = 63;  // of a word that stays positive

}  // namespace

void UseStates::describe(const NodeDevices& node, const Usage& usage, std::vector<std::uint32_t>& states) {
  states.clear();
  for (const DeviceComponent& component : node.components) {
    words_.assign((component.members.size() + kBits - 1) / kBits, 0);
    for (std::size_t m = 0; m < component.members.size(); ++m) {
      const DeviceId device = node.devices[component.members[m]].id;
      if (!usage.in_use(device)) continue;
      if (usage.held(device)) words_[m / kBits] |= std::int64_t{1} << (m % kBits);
      if (usage.shares(device) == 0) continue;
      words_.insert(words_.end(), {static_cast<std::int64_t>(m), usage.shares(device)});
      for (const CapacityRequest& taken : usage.consumed(device)) {
        if (taken.amount == 0) continue;  // somebody took it once
        words_.insert(words_.end(),
                      {-1 - static_cast<std::int64_t>(taken.name.value()), static_cast<std::int64_t>(taken.amount),
                       static_cast<std::int64_t>(taken.amount >> 64)});
      }
    }
    states.push_back(contents_.intern(words_));
  }
}

bool UseStates::less(std::uint32_t a, std::uint32_t b) const {
  return a != b && std::ranges::lexicographical_compare(contents_.sequence(a), contents_.sequence(b));
}

}  // namespace berth::engine::devices
