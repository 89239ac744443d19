#include "engine/reason/kept_for.h"

#include <algorithm>

#include "engine/world/held_room.h"

namespace berth::engine {
namespace {

void take(World& world, const Reservation& hold, int sign) {
  for (const HeldRoom& room : hold.rooms)
    if (world.node(room.node).alive) world.hold(room, sign);
}

}  // namespace

const Reservation* hold_in_the_way(World& world, const std::vector<Reservation>& holds, WorkloadId owner,
                                   const std::function<bool()>& fits) {
  const auto others = [&](const Reservation& hold) { return hold.owner != owner; };
  const auto first = std::ranges::find_if(holds, others);
  if (first == holds.end()) return nullptr;
  for (const Reservation& hold : holds)
    if (others(hold)) take(world, hold, 1);
  const Reservation* result = nullptr;
  for (const Reservation& hold : holds) {
    if (result != nullptr || !others(hold)) continue;
    take(world, hold, -1);
    if (fits()) result = &hold;
    take(world, hold, 1);
  }
  for (const Reservation& hold : holds)
    if (others(hold)) take(world, hold, -1);
  return result == nullptr ? &*first : result;
}

}  // namespace berth::engine
