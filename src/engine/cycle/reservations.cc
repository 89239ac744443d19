#include "engine/cycle/reservations.h"

#include <algorithm>
#include <utility>

#include "base/mutant.h"
#include "engine/amounts.h"
#include "engine/cycle/eviction_units.h"

namespace berth::engine {

void Reservations::take(const Reservation& hold, int sign) {
  for (const HeldRoom& room : hold.rooms) world_.hold(room, sign);
}

void Reservations::add(Reservation hold) {
  take(hold, 1);
  holds_.push_back(std::move(hold));
}

void Reservations::clear() {
  for (const Reservation& hold : holds_) take(hold, -1);
  shrank_ = false;
  for (const Reservation& old : last_) {
    const auto same = std::ranges::find(holds_, old.owner, &Reservation::owner);
    if (same != holds_.end() && *same == old) continue;
    shrank_ = true;
    for (const HeldRoom& room : old.rooms) {
      if (!world_.node(room.node).alive) continue;
      if (room.grants.empty()) {
        world_.loosen_node(room.node);
        continue;
      }
      // Other nodes may reach the devices.
      for (const NodeId node : world_.by_rank()) world_.loosen_node(node);
    }
  }
  last_ = std::exchange(holds_, {});
}

bool Reservations::may_pass(const Reservation& hold, const Passer& passer) const {
  if (hold.why == HoldReason::kLostMembers || hold.why == HoldReason::kWaitingTime || mutant("Rule.Backfill"))
    return false;
  if (hold.from && passer.ends && *passer.ends <= *hold.from) return true;
  const Workload& owner = world_.workloads()[hold.owner];
  if (!passer.preemptible || passer.priority >= owner.input.priority) return false;
  // From another queue the owner only takes back what its queue is guaranteed, and nobody knows what that will be then.
  const bool across =
      passer.queue != owner.queue() && passer.queue != QueueTree::kRoot && owner.queue() != QueueTree::kRoot;
  return !across && may_evict_from(world_, owner, passer.queue, passer.priority);
}

std::vector<ResourceAmount> Reservations::to_come(const Passer& passer) const {
  std::vector<ResourceAmount> result;
  for (const Reservation& hold : holds_) {
    if (hold.to_come.empty() || may_pass(hold, passer)) continue;
    for (const ResourceAmount& each : hold.to_come) add_amount(result, each);
  }
  return result;
}

Reservations::Passing::Passing(Reservations& holds, const Passer& passer) : holds_(holds) {
  for (std::size_t i = 0; i < holds.holds_.size(); ++i) {
    if (!holds.may_pass(holds.holds_[i], passer)) continue;
    holds.take(holds.holds_[i], -1);
    lifted_.push_back(i);
  }
}

Reservations::Passing::~Passing() {
  for (const std::size_t i : lifted_) holds_.take(holds_.holds_[i], 1);
}

}  // namespace berth::engine
