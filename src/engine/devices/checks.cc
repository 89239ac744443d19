#include "engine/devices/checks.h"

#include <algorithm>
#include <limits>
#include <optional>

namespace berth::engine::devices {
namespace {

class Checks {
 public:
  explicit Checks(Trial& trial) : trial_(trial), question_(trial.question()) {
    needs_.counts.resize(trial.option_count());
    needs_.all.resize(trial.option_count());
    needs_.unknown.resize(trial.option_count());
  }

  std::expected<Needs, Failure> run() {
    for (std::uint32_t c = 0; c < question_.claims.size(); ++c) {
      std::int64_t least = 0;
      for (std::uint32_t r = 0; r < question_.claims[c]->requests.size(); ++r) {
        const auto fewest = request(c, r);
        if (!fewest) return std::unexpected(fewest.error());
        if (*fewest > kMaxResults - least) return problem(Problem::kTooManyDevices, trial_.first_option(c, r));
        least += *fewest;
      }
      for (std::uint32_t i = 0; i < question_.claims[c]->constraints.size(); ++i) {
        const Problem problem = constraint_problem(question_.claims[c]->constraints[i].kind);
        if (problem != Problem::kNone) return std::unexpected(Failure{.problem = problem, .claim = c, .constraint = i});
      }
    }
    return std::move(needs_);
  }

 private:
  [[nodiscard]] std::unexpected<Failure> problem(Problem what, std::uint32_t option) const {
    return std::unexpected(trial_.failure(what, option));
  }

  [[nodiscard]] Problem constraint_problem(Constraint::Kind kind) const {
    if (kind == Constraint::Kind::kUnknown) return Problem::kUnknownConstraint;
    const bool off = kind == Constraint::Kind::kDistinct && !question_.features.distinct_attribute;
    return off && question_.mode == Mode::kStrict ? Problem::kDistinctAttributeOff : Problem::kNone;
  }

  // The fewest devices that satisfy the request.
  std::expected<std::int64_t, Failure> request(std::uint32_t c, std::uint32_t r) {
    const Request& asked = question_.claims[c]->requests[r];
    const std::uint32_t first = trial_.first_option(c, r);
    if (asked.prioritized && !question_.features.prioritized_list) return problem(Problem::kPrioritizedListOff, first);
    if (!question_.features.consumable_capacity) {
      for (std::uint32_t i = 0; i < asked.alternatives.size(); ++i) {
        if (asked.alternatives[i].capacities) return problem(Problem::kConsumableCapacityOff, first + i);
      }
    }
    std::int64_t fewest = std::numeric_limits<std::int64_t>::max();
    for (std::uint32_t i = 0; i < asked.alternatives.size(); ++i) {
      if (const std::optional<Failure> failure = option(first + i)) return std::unexpected(*failure);
      fewest = std::min(fewest, needs_.counts[first + i]);
    }
    return fewest;
  }

  std::optional<Failure> option(std::uint32_t number) {
    const Alternative& alternative = *trial_.option(number).alternative;
    const RequestProblem found = alternative.problem;
    // The order of upstream's errors.
    if (found == RequestProblem::kDerivedAttributes) return trial_.failure(Problem::kRequest, number);
    if (alternative.admin_access && !question_.features.admin_access) {
      return trial_.failure(Problem::kAdminAccessOff, number);
    }
    if (found != RequestProblem::kNone) return trial_.failure(Problem::kRequest, number);
    if (alternative.mode == Alternative::Mode::kExactCount) {
      needs_.counts[number] = alternative.count;
      return std::nullopt;
    }
    return collect_all(number);
  }

  // All: every device that the request selects and that could hold it when free. In an unfinished or broken pool nobody
  // can tell what all is. Strict mode fails for any such pool; best mode only for pools that may have some, and only on
  // this node.
  std::optional<Failure> collect_all(std::uint32_t number) {
    std::vector<std::uint32_t>& members = needs_.all[number];
    for (const NodePool& pool : question_.node->pools) {
      const bool best = question_.mode == Mode::kBest;
      if (pool.state == PoolState::kIncomplete || pool.invalid() || (best && pool.disputed)) {
        if (best) {
          needs_.unknown[number] = needs_.unknown[number] || may_offer(pool, number);
          continue;
        }
        const Problem problem = pool.invalid() ? Problem::kAllWithInvalidPool : Problem::kAllWithIncompletePool;
        Failure failure = trial_.failure(problem, number);
        failure.pool = pool.id;
        return failure;
      }
      for (std::uint32_t device = pool.first_device; device < pool.first_device + pool.device_count; ++device) {
        const auto selected = trial_.selects(number, device);
        if (!selected) return selected.error();
        if (!*selected) continue;
        const auto suffices = trial_.capacity_suffices(number, device);
        if (!suffices) return suffices.error();
        if (*suffices) members.push_back(device);
      }
    }
    needs_.counts[number] = static_cast<std::int64_t>(members.size());
    return std::nullopt;
  }

  [[nodiscard]] bool may_offer(const NodePool& pool, std::uint32_t number) const {
    return pool.kinds.empty() || std::ranges::any_of(pool.kinds, [&](KindId kind) {
             return trial_.ask(number, kind).second.kind == SelectorAnswer::Kind::kYes;
           });
  }

  Trial& trial_;
  const Question& question_;
  Needs needs_;
};

}  // namespace

std::expected<Needs, Failure> check(Trial& trial) { return Checks(trial).run(); }

}  // namespace berth::engine::devices
