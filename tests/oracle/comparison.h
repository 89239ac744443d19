// Comparison of what Berth finds for a pending pod with upstream's answer, filter by filter and score by score.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "oracle/answers.h"

namespace berth::oracle {

// What one of Berth's schedulers (the slow twin, the engine) finds, in the terms of an Answer.
struct Findings {
  bool gated = false;  // held back by a scheduling gate; the rest is what would be found without it
  // Per filter of the profile and node: '.', and where it refuses 'U' if preemption may help, else 'N'.
  std::map<std::string, std::string> filters;
  std::vector<std::size_t> feasible;
  struct Score {
    std::int64_t weight = 1;
    bool skipped = false;
    std::vector<std::int64_t> raw;
    std::vector<std::int64_t> normalized;
  };
  std::map<std::string, Score> scores;
  std::vector<std::int64_t> totals;
  // The eviction plan, where no node is feasible and the scheduler was asked for one.
  struct Plan {
    std::string node;
    std::vector<std::string> victims;
    std::optional<std::int64_t> violations;  // of disruption budgets, where the scheduler tells them
  };
  bool asked_for_plan = false;
  // Upstream's dry run miscounts here, see "Preemption that would not help" in docs/differences.md: the pod spreads and
  // some pod of its namespace is terminating already.
  bool upstream_miscounts = false;
  std::optional<Plan> plan;
};

// Counts what was compared and keeps the first differences as text.
class Comparison {
 public:
  void compare(const World& world, const Answer& answer, const Findings& findings);
  // A pod that no profile of Berth's manages, or for which upstream's own attempt fails: nothing more to compare.
  void leave_out(const World& world, const Answer& answer, bool unmanaged);

  [[nodiscard]] std::int64_t pods() const { return pods_; }
  [[nodiscard]] std::int64_t left_out() const { return left_out_; }
  [[nodiscard]] std::int64_t differences() const { return differences_; }
  // Eviction plans that differ where upstream miscounts; not among the differences.
  [[nodiscard]] std::int64_t excused() const { return excused_; }
  // "4400 pods compared, 231 left out, 0 differences, 0 excused".
  [[nodiscard]] std::string summary() const;
  // The summary, how often each filter refused some node, each score differed and a plan was compared, and the first
  // differences.
  [[nodiscard]] std::string report() const;
  // How many pods of those compared had a node refused by the filter, or different values of the score.
  [[nodiscard]] std::int64_t told(const std::string& plugin) const;

 private:
  void differ(const World& world, const Answer& answer, const std::string& what, const std::string& berth,
              const std::string& upstream);
  void compare_filters(const World& world, const Answer& answer, const Findings& findings);
  void compare_scores(const World& world, const Answer& answer, const Findings& findings);
  void compare_plan(const World& world, const Answer& answer, const Findings& findings);

  std::int64_t pods_ = 0;
  std::int64_t left_out_ = 0;
  std::int64_t differences_ = 0;
  std::int64_t excused_ = 0;
  std::map<std::string, std::int64_t> told_;
  std::map<std::string, std::int64_t> by_kind_;
  std::string text_;
};

}  // namespace berth::oracle
