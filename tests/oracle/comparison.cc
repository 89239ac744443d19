#include "oracle/comparison.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string_view>

namespace berth::oracle {
namespace {

constexpr std::int64_t kDifferencesInFull = 12;  // the rest is counted

std::string joined(const std::vector<std::int64_t>& values) { return fmt::format("{}", fmt::join(values, " ")); }

}  // namespace

void Comparison::leave_out(const World& world, const Answer& answer, bool unmanaged) {
  ++left_out_;
  if (unmanaged == answer.unmanaged) return;
  differ(world, answer, "scheduler", unmanaged ? "nobody's pod" : "ours", answer.unmanaged ? "nobody's pod" : "ours");
}

void Comparison::compare(const World& world, const Answer& answer, const Findings& findings) {
  ++pods_;
  if (findings.gated) ++told_["gates"];
  if (findings.gated != answer.gated) {
    differ(world, answer, "gates", findings.gated ? "held" : "asked about", answer.gated ? "held" : "asked about");
  }
  compare_filters(world, answer, findings);
  std::vector<std::size_t> feasible;
  for (std::size_t node = 0; node < answer.codes.size(); ++node) {
    if (answer.codes[node] == '.') feasible.push_back(node);
  }
  if (findings.feasible != feasible) {
    differ(world, answer, "feasible nodes", fmt::format("{}", findings.feasible), fmt::format("{}", feasible));
    return;  // scores are normalised over the feasible nodes, so that they would all differ
  }
  if (feasible.empty()) {
    if (findings.asked_for_plan) compare_plan(world, answer, findings);
    return;
  }
  compare_scores(world, answer, findings);
}

void Comparison::compare_filters(const World& world, const Answer& answer, const Findings& findings) {
  for (const auto& [filter, letters] : findings.filters) {
    const auto found = answer.filters.find(filter);
    const std::string upstream = found == answer.filters.end() ? std::string(letters.size(), '.') : found->second;
    if (upstream.find_first_not_of('.') != std::string::npos) ++told_["filter " + filter];
    if (letters != upstream) differ(world, answer, "filter " + filter, letters, upstream);
  }
}

void Comparison::compare_scores(const World& world, const Answer& answer, const Findings& findings) {
  for (const auto& [name, upstream] : answer.scores) {
    const auto found = findings.scores.find(name);
    if (found == findings.scores.end()) {
      differ(world, answer, "score " + name, "not known", joined(upstream.normalized));
      continue;
    }
    const Findings::Score& berth = found->second;
    if (std::ranges::min(upstream.normalized) != std::ranges::max(upstream.normalized)) ++told_["score " + name];
    if (berth.skipped) {
      differ(world, answer, "score " + name, "has no say", joined(upstream.normalized));
      continue;
    }
    if (berth.weight != upstream.weight) {
      differ(world, answer, "weight of " + name, fmt::format("{}", berth.weight), fmt::format("{}", upstream.weight));
    }
    if (berth.raw != upstream.raw) differ(world, answer, "raw " + name, joined(berth.raw), joined(upstream.raw));
    if (berth.normalized != upstream.normalized) {
      differ(world, answer, "normalised " + name, joined(berth.normalized), joined(upstream.normalized));
    }
  }
  for (const auto& [name, berth] : findings.scores) {
    const bool says_something = std::ranges::any_of(berth.normalized, [](std::int64_t score) { return score != 0; });
    if (!berth.skipped && says_something && !answer.scores.contains(name)) {
      differ(world, answer, "score " + name, joined(berth.normalized), "has no say");
    }
  }
  if (findings.totals != answer.totals) {
    differ(world, answer, "total", joined(findings.totals), joined(answer.totals));
  }
}

void Comparison::compare_plan(const World& world, const Answer& answer, const Findings& findings) {
  const auto candidate = std::ranges::find_if(
      answer.candidates, [&](const Candidate& other) { return findings.plan && other.node == findings.plan->node; });
  const bool among_the_best = findings.plan && std::ranges::find(answer.best, findings.plan->node) != answer.best.end();
  std::string berth = "no plan";
  std::string upstream = "no plan";
  if (findings.plan) {
    ++told_["preemption"];
    const std::int64_t broken = findings.plan->violations.value_or(among_the_best ? candidate->violations : 0);
    berth = fmt::format("{} leave {}, breaking {}", findings.plan->victims, findings.plan->node, broken);
  }
  if (among_the_best) {
    upstream = fmt::format("{} leave {}, breaking {}", candidate->victims, candidate->node, candidate->violations);
  } else if (!answer.best.empty()) {
    upstream = fmt::format("a plan on one of {}", answer.best);
  }
  if (berth == upstream) return;
  if (findings.upstream_miscounts) {
    ++excused_;
  } else {
    differ(world, answer, "preemption", berth, upstream);
  }
}

void Comparison::differ(const World& world, const Answer& answer, const std::string& what, const std::string& berth,
                        const std::string& upstream) {
  ++differences_;
  ++by_kind_[what];
  if (differences_ > kDifferencesInFull) return;
  text_ += fmt::format("{} {}: {}\n  berth    {}\n  upstream {}\n", world.name, answer.pod, what, berth, upstream);
}

std::int64_t Comparison::told(const std::string& plugin) const {
  const auto found = told_.find(plugin);
  return found == told_.end() ? 0 : found->second;
}

std::string Comparison::summary() const {
  return fmt::format("{} pods compared, {} left out, {} differences, {} excused", pods_, left_out_, differences_,
                     excused_);
}

std::string Comparison::report() const {
  std::string result = summary() + "\n";
  for (const auto& [what, count] : told_) result += fmt::format("  {:6} pods are told apart by {}\n", count, what);
  for (const auto& [what, count] : by_kind_) result += fmt::format("  {:6} differences in {}\n", count, what);
  return result + text_;
}

}  // namespace berth::oracle
