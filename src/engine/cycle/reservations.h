// Reservations: free room that is kept for a blocked workload while others have their turn.
//
// The first blocked workload of a queue gets a dated hold: the earliest second at which it fits whole, worked out from
// declared run times, and the place it would take then. Of that place, what is free now is held, less what ends there
// in time anyway. Others may use it if they end before that second, or if the owner may evict them then: by priority,
// in its own queue as far as that allows it, and no disruption budget counts them. Where no date follows from declared
// run times there is such a hold only if the workload was overtaken: if it would fit had nobody that comes after it
// taken room. Who is held up by others than these, or would borrow from other queues, waits without a hold,
// as it might be for ever. A workload that lost members holds their places at once, as many as there are, and nobody
// passes.
//
// Reservations are in the world only while others are tried, between transactions; every step finds them anew.
#pragma once

#include <optional>
#include <vector>

#include "engine/cycle/holds.h"
#include "engine/world/world.h"

namespace berth::engine {

// Work that would use what a hold keeps.
struct Passer {
  std::optional<Time> ends;  // when it is over if it starts now
  QueueId queue = QueueTree::kRoot;
  std::int32_t priority = 0;
  bool preemptible = true;  // by its own word, and no disruption budget counts its pods
};

class Reservations {
 public:
  explicit Reservations(World& world) : world_(world) {}

  [[nodiscard]] const std::vector<Reservation>& all() const { return holds_; }
  // Adds a hold and takes its room.
  void add(Reservation hold);
  // Gives all room back and forgets the holds; the last set is kept for questions.
  void clear();
  // The holds of the last pass.
  [[nodiscard]] const std::vector<Reservation>& last() const { return last_; }
  // Did the last clear() end a set that lacks room which the one before held? Then others may fit.
  [[nodiscard]] bool shrank() const { return shrank_; }

  [[nodiscard]] bool may_pass(const Reservation& hold, const Passer& passer) const;
  // What the holds that may not be passed keep for pods to come. Ascending by resource.
  [[nodiscard]] std::vector<ResourceAmount> to_come(const Passer& passer) const;

  // While alive, the room of the holds that may be passed is free.
  class Passing {
   public:
    Passing(Reservations& holds, const Passer& passer);
    ~Passing();
    Passing(const Passing&) = delete;
    Passing& operator=(const Passing&) = delete;

   private:
    Reservations& holds_;
    std::vector<std::size_t> lifted_;
  };

 private:
  void take(const Reservation& hold, int sign);

  World& world_;
  std::vector<Reservation> holds_;
  std::vector<Reservation> last_;
  bool shrank_ = false;
};

}  // namespace berth::engine
