#include "engine/devices/strict.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "engine/devices/alternatives.h"
#include "engine/devices/checks.h"
#include "engine/devices/completion.h"
#include "engine/devices/result.h"
#include "engine/devices/symmetry.h"
#include "engine/devices/trial.h"

namespace berth::engine::devices {
namespace {

// What one question to the guide may cost. Then the devices are tried, as if it had said yes.
constexpr std::uint64_t kStepsPerQuestion = 20'000;
constexpr std::uint64_t kNoLimit = std::numeric_limits<std::uint64_t>::max() / 4;

class StrictSearch {
 public:
  explicit StrictSearch(const Question& question) : question_(question), trial_(question) {}

  Answer run() {
    Answer answer;
    auto needs = check(trial_);
    if (!needs) {
      answer.outcome = Outcome::kError;
      answer.failure = needs.error();
      return answer;
    }
    needs_ = *std::move(needs);
    const End end = search();
    answer.steps = effort_.steps;
    answer.outcome = outcome(end);
    if (end == End::kDone) answer.claims = allocations(trial_);
    if (end == End::kError) answer.failure = failure_;
    if (end == End::kExceeded) answer.failure.problem = Problem::kTooManyDevices;
    return answer;
  }

 private:
  enum class End : std::uint8_t {
    kDone,      // everything is allocated
    kFailed,    // not this way
    kExceeded,  // too many devices, whichever are chosen
    kError,
    kLimit,
  };

  [[nodiscard]] Outcome outcome(End end) const {
    switch (end) {
      case End::kDone:
        return Outcome::kAllocated;
      case End::kExceeded:
      case End::kError:
        return Outcome::kError;
      case End::kLimit:
        return Outcome::kSearchLimit;
      case End::kFailed:
        break;
    }
    return no_on(*question_.node);
  }

  End search() {
    effort_.limit = question_.step_limit;
    effort_.limit = effort_.within(question_.unguided_steps);
    End end = claim(0);
    if (end != End::kLimit || effort_.limit == question_.step_limit) return end;
    effort_.limit = question_.step_limit;
    const Symmetry symmetry(trial_);
    Completion probe(trial_, symmetry, nullptr, effort_);
    Completion final(trial_, symmetry, nullptr, effort_);
    Alternatives guide(trial_, symmetry, needs_, probe, final);
    if (!symmetry.any_failure() && !all_may_break_constraint()) {
      // Half of the limit is for trying devices without looking ahead: what upstream finds in time is found.
      guided_steps_ = question_.step_limit == 0 ? kNoLimit : question_.step_limit / 2;
      guide_ = &guide;
      if (rest_can_be_had({}, 0, 0, guided_steps_) == End::kFailed) return End::kFailed;
    }
    end = claim(0);
    guide_ = nullptr;
    return end;
  }

  [[nodiscard]] bool all_may_break_constraint() const {
    for (std::uint32_t option = 0; option < trial_.option_count(); ++option) {
      const Trial::Option& one = trial_.option(option);
      const bool all = one.alternative->mode == Alternative::Mode::kAll;
      if (all && !question_.claims[one.claim]->constraints.empty()) return true;
    }
    return false;
  }

  // Failed: these demands and all requests from there on do not fit beside what is taken. Done: they do, or it would
  // take more than `most` steps to tell.
  End rest_can_be_had(std::vector<Demand> demands, std::uint32_t c, std::uint32_t r, std::uint64_t most) {
    if (effort_.steps >= guided_steps_) return End::kDone;
    const std::size_t before = trial_.taken().size();
    const std::uint64_t part = effort_.within(std::min(most, guided_steps_ - effort_.steps));
    const std::uint64_t limit = std::exchange(effort_.limit, part);
    const Completion::End end = guide_->run(std::move(demands), c, r);
    effort_.limit = limit;
    while (trial_.taken().size() > before) trial_.give_back();
    return end == Completion::End::kFailed ? End::kFailed : End::kDone;
  }

  // After a device was taken for the option: whether to go on with it.
  End worth_descending(std::uint32_t option, std::int64_t taken, std::uint32_t start) {
    if (guide_ == nullptr) return End::kDone;
    std::vector<Demand> demands;
    if (taken < needs_.counts[option]) {
      demands.push_back({.option = option, .count = needs_.counts[option] - taken, .start = start, .members = nullptr});
    }
    const Trial::Option& where = trial_.option(option);
    return rest_can_be_had(std::move(demands), where.claim, where.request + 1, kStepsPerQuestion);
  }

  End claim(std::uint32_t c) { return c == question_.claims.size() ? End::kDone : request(c, 0); }

  End request(std::uint32_t c, std::uint32_t r) {
    const Claim& asked = *question_.claims[c];
    if (r == asked.requests.size()) {
      const End end = claim(c + 1);
      // Another alternative in this claim may leave a later claim one that needs fewer devices.
      return end == End::kExceeded ? End::kFailed : end;
    }
    const std::uint32_t first = trial_.first_option(c, r);
    if (!asked.requests[r].prioritized) return device(first, 0, 0);
    bool all_exceeded = true;
    for (std::uint32_t i = 0; i < asked.requests[r].alternatives.size(); ++i) {
      const End end = device(first + i, 0, 0);
      if (end == End::kExceeded) continue;
      all_exceeded = false;
      if (end != End::kFailed) return end;
    }
    return all_exceeded ? End::kExceeded : End::kFailed;
  }

  // The devices of one option from number `index` on, looking from position `start`.
  End device(std::uint32_t option, std::int64_t index, std::uint32_t start) {
    const Trial::Option& where = trial_.option(option);
    const bool all = where.alternative->mode == Alternative::Mode::kAll;
    const std::int64_t needed = needs_.counts[option];
    if (all && needed == 0) return End::kFailed;
    if (index >= needed) return request(where.claim, where.request + 1);
    if (needed - index > kMaxResults - static_cast<std::int64_t>(trial_.taken_of_claim(where.claim))) {
      return End::kExceeded;
    }
    if (all) return member_of_all(option, index);

    for (std::uint32_t candidate = start; candidate < trial_.devices().size(); ++candidate) {
      ++effort_.steps;
      if (effort_.spent()) return End::kLimit;
      if (trial_.occupied(option, candidate)) continue;
      const auto selected = trial_.selects(option, candidate);
      if (!selected) return fail(selected.error());
      if (!*selected) continue;
      const auto left = trial_.capacity_left(option, candidate);
      if (!left) return fail(left.error());
      if (!*left) continue;
      const auto verdict = trial_.take(option, candidate);
      if (!verdict) return fail(verdict.error());
      if (!verdict->taken()) continue;
      End end = worth_descending(option, index + 1, candidate + 1);
      if (end == End::kDone) end = device(option, index + 1, candidate + 1);
      if (end == End::kDone) return end;
      trial_.give_back();
      if (end != End::kFailed) return end;
    }
    return End::kFailed;
  }

  // Of All there is one order and no choice.
  End member_of_all(std::uint32_t option, std::int64_t index) {
    ++effort_.steps;
    const std::uint32_t member = needs_.all[option][static_cast<std::size_t>(index)];
    const auto verdict = trial_.take(option, member);
    if (!verdict) return fail(verdict.error());
    if (verdict->refusal == Trial::Refusal::kConstraint) {
      Failure failure = trial_.failure(Problem::kAllBreaksConstraint, option);
      failure.device = trial_.devices()[member].id;
      failure.constraint = verdict->constraint;
      return fail(failure);
    }
    if (!verdict->taken()) return End::kFailed;
    const End end = device(option, index + 1, 0);
    if (end != End::kDone) trial_.give_back();
    return end;
  }

  End fail(const Failure& failure) {
    failure_ = failure;
    return End::kError;
  }

  const Question& question_;
  Trial trial_;
  Needs needs_;
  Failure failure_;
  Effort effort_;
  std::uint64_t guided_steps_ = 0;  // after so many nobody looks ahead
  Alternatives* guide_ = nullptr;   // none: without
};

}  // namespace

Answer allocate_strict(const Question& question) { return StrictSearch(question).run(); }

}  // namespace berth::engine::devices
