// What an evaluation carries with it: memory, cost, limits, time zones.
#pragma once

#include <cstdint>
#include <limits>
#include <string_view>

#include "cel/arena.h"
#include "cel/time_zone.h"
#include "cel/value.h"

namespace berth::cel {

class EvalContext {
 public:
  explicit EvalContext(Arena& arena) : arena_(arena) {}

  [[nodiscard]] Arena& arena() { return arena_; }

  // An error with a message that lives as long as the arena (copied) or forever (a literal).
  Value fail(std::string_view message) { return Value::error(arena_.make<EvalError>(EvalError{arena_.copy(message)})); }
  // "no such overload", the error of every operation on the wrong kinds of values.
  Value no_such_overload() { return fail("no such overload"); }

  // True if so many more bytes may be taken from the arena. False ends the evaluation: return cancelled().
  [[nodiscard]] bool reserve(std::size_t bytes) {
    if (arena_.has_room(bytes)) return true;
    cancel("the expression needs more memory than one evaluation may take");
    return false;
  }

  // Run-time cost. Passing the limit cancels the evaluation.
  void charge(std::uint64_t cost) {
    cost_ = cost > std::numeric_limits<std::uint64_t>::max() - cost_ ? std::numeric_limits<std::uint64_t>::max()
                                                                     : cost_ + cost;
    if (cost_ > cost_limit_) [[unlikely]]
      cancel("operation cancelled: actual cost limit exceeded");
  }
  [[nodiscard]] std::uint64_t cost() const { return cost_; }
  void set_cost_limit(std::uint64_t limit) { cost_limit_ = limit; }

  // Asks from time to time whether to go on; null: always. Called every 100 steps of a loop.
  void set_interrupt(bool (*stop)(void* user), void* user) { stop_ = stop, stop_user_ = user; }
  void loop_step() {
    if (stop_ != nullptr && ++loop_steps_ % 100 == 0 && stop_(stop_user_)) cancel("operation interrupted");
    if (arena_.total() > arena_.limit()) [[unlikely]] {
      cancel("the expression needs more memory than one evaluation may take");
    }
  }

  void cancel(std::string_view message) {
    if (!cancelled_.is_error()) cancelled_ = Value::error(arena_.make<EvalError>(EvalError{message, true}));
  }
  [[nodiscard]] bool is_cancelled() const { return cancelled_.is_error(); }
  [[nodiscard]] Value cancelled() const { return cancelled_; }

  [[nodiscard]] const TimeZoneProvider* time_zones() const { return time_zones_; }
  void set_time_zones(const TimeZoneProvider* provider) { time_zones_ = provider; }

 private:
  Arena& arena_;
  std::uint64_t cost_ = 0;
  std::uint64_t cost_limit_ = std::numeric_limits<std::uint64_t>::max();
  Value cancelled_;
  const TimeZoneProvider* time_zones_ = nullptr;
  bool (*stop_)(void*) = nullptr;
  void* stop_user_ = nullptr;
  std::uint32_t loop_steps_ = 0;
};

}  // namespace berth::cel
