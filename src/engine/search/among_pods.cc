#include "engine/search/among_pods.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include <boost/container/small_vector.hpp>

#include "engine/score/inter_pod_affinity.h"
#include "engine/score/scores.h"
#include "engine/score/topology_spread.h"

namespace berth::engine {
namespace {

constexpr std::size_t kMostClasses = 64;
constexpr std::size_t kFewNodes = 8;  // of a level, that are looked at one by one

// What scores among pods say of one node, or of all nodes of a class.
struct AmongPods {
  std::int64_t spread = 0;
  std::int64_t affinity = 0;
  bool ignored = false;  // lacks a key of the spread
};

// One node that may be the best.
struct Candidate {
  std::uint32_t rank = 0;
  std::int64_t local = 0;
  Index::Raw raw;
  AmongPods among;
};

class ByClasses {
 public:
  ByClasses(const Question& question, const Index& index, std::span<const Mask> masks)
      : question_(question), topology_(question.world.topology()), index_(index), masks_(masks.begin(), masks.end()) {}

  std::optional<Choice> best() {
    if (!gather() || !mark_allowed()) return std::nullopt;
    split_by_domains();
    weigh();
    if (!mark_busy() && !split_by_levels()) return std::nullopt;
    add_candidates();
    return choose();
  }

 private:
  // A choice of a domain, or of none, for every coarse table; where many nodes have pods to count, a choice of a count
  // for every fine counter.
  struct Class {
    boost::container::small_vector<std::uint32_t, 4> domains;  // small: every decision makes classes
    boost::container::small_vector<Mask, 6> masks;
  };

  bool gather();
  bool add_coarse(const DomainTable& table);
  void add_fine(const Counter& counter) {
    if (std::ranges::find(fine_, &counter) == fine_.end()) fine_.push_back(&counter);
  }
  bool mark_allowed();
  void split_by_domains();
  bool mark_busy();
  bool split_by_levels();
  void weigh();
  void add_candidates();
  [[nodiscard]] std::optional<Choice> choose();
  [[nodiscard]] AmongPods of_node(NodeId node) const;
  [[nodiscard]] bool is_ignored(const Class& one) const;
  [[nodiscard]] std::size_t position_of(const DomainTable& table) const;

  const Question& question_;
  const Topology& topology_;
  const Index& index_;
  std::vector<Mask> masks_;
  std::int64_t spread_weight_ = 0;
  std::int64_t affinity_weight_ = 0;
  std::vector<TopologyPlan::Weighted> weighted_;  // counters of the affinity score
  std::vector<const DomainTable*> coarse_;
  std::vector<const Counter*> fine_;
  Bitmap allowed_;  // feasible, and allowed by the masks
  Bitmap busy_;     // of those, the ones that no class has: where a fine counter counts
  std::vector<Bitmap> domain_bits_;
  std::vector<Class> classes_;
  std::vector<double> spread_weights_;  // by rule
  std::vector<Candidate> candidates_;
};

// Sorts the counters into coarse and fine ones. False: not a case for classes.
bool ByClasses::gather() {
  for (const Profile::WeightedScore& entry : question_.shape.profile->scores) {
    if (entry.score == Score::kPodTopologySpread && !question_.plan.soft_spread.empty()) {
      spread_weight_ = weight_of(question_.shape, entry);
    }
    if (entry.score == Score::kInterPodAffinity) affinity_weight_ = weight_of(question_.shape, entry);
  }
  if (affinity_weight_ != 0) weighted_ = live_affinity_counters(question_);
  if (spread_weight_ != 0) {
    for (const TopologyPlan::SoftSpread& rule : question_.plan.soft_spread) {
      if (rule.hostname) {
        add_fine(topology_.counter(rule.counter));
      } else if (!add_coarse(topology_.table(rule.table))) {
        return false;
      }
    }
  }
  for (const auto& [id, weight] : weighted_) {
    const Counter& counter = topology_.counter(id);
    if (!add_coarse(counter.table())) add_fine(counter);
  }
  std::size_t classes = 1;
  for (const DomainTable* table : coarse_) classes *= table->domains.size() + 1;
  return classes <= kMostClasses;
}

bool ByClasses::add_coarse(const DomainTable& table) {
  if (!table.has_few_domains()) return false;
  if (std::ranges::find(coarse_, &table) == coarse_.end()) coarse_.push_back(&table);
  return true;
}

// False if a node lacks the name by which it would be a domain of its own.
bool ByClasses::mark_allowed() {
  allowed_ = index_.feasible_ranks();
  for (const Mask& mask : masks_) allowed_.keep(mask.words, mask.keep);
  if (spread_weight_ == 0) return true;
  return std::ranges::all_of(question_.plan.soft_spread, [&](const TopologyPlan::SoftSpread& rule) {
    return !rule.hostname || topology_.table(rule.table).members.contains(allowed_);
  });
}

void ByClasses::split_by_domains() {
  classes_.emplace_back().masks.assign(masks_.begin(), masks_.end());
  std::size_t bitmaps = 0;
  for (const DomainTable* table : coarse_) bitmaps += table->domains.size();
  domain_bits_.reserve(bitmaps);  // masks point into it
  for (const DomainTable* table : coarse_) {
    std::vector<Class> finer;
    for (std::uint32_t domain = 0; domain <= table->domains.size(); ++domain) {
      const bool none = domain == table->domains.size();
      Mask mask{table->members.words(), false};
      if (!none) {
        Bitmap& bits = domain_bits_.emplace_back(question_.world.rank_count());
        table->assign(bits, domain, true);
        mask = {bits.words(), true};
      }
      for (const Class& whole : classes_) {
        Class& part = finer.emplace_back(whole);
        part.domains.push_back(none ? DomainTable::kNone : domain);
        part.masks.push_back(mask);
      }
    }
    classes_ = std::move(finer);
  }
}

std::size_t ByClasses::position_of(const DomainTable& table) const {
  return static_cast<std::size_t>(std::ranges::find(coarse_, &table) - coarse_.begin());
}

bool ByClasses::is_ignored(const Class& one) const {
  if (spread_weight_ == 0 || !question_.plan.soft_needs_all_keys) return false;
  return std::ranges::any_of(question_.plan.soft_spread, [&](const TopologyPlan::SoftSpread& rule) {
    return !rule.hostname && one.domains[position_of(topology_.table(rule.table))] == DomainTable::kNone;
  });
}

// The nodes that are looked at one by one. False if they are so many that there is nothing to gain.
bool ByClasses::mark_busy() {
  busy_.resize(question_.world.rank_count());
  for (const Counter* counter : fine_) busy_.add(counter->occupied());
  busy_.keep(allowed_.words(), true);
  for (Class& one : classes_) one.masks.push_back({busy_.words(), false});
  return busy_.count() * 4 <= allowed_.count();
}

// Makes a class of the nodes on which the fine counters have the same counts; those with a rare count stay busy. False
// if that makes too many classes.
bool ByClasses::split_by_levels() {
  busy_.resize(question_.world.rank_count());
  for (const Counter* counter : fine_) {
    if (counter->levels().empty() && counter->total() > 0) busy_.add(counter->occupied());
    std::vector<Mask> parts{{counter->occupied().words(), false}};
    for (const Counter::Level& level : counter->levels()) {
      if (level.nodes > kFewNodes) {
        parts.push_back({level.ranks.words(), true});
      } else {
        busy_.add(level.ranks);
      }
    }
    if (classes_.size() * parts.size() > kMostClasses) return false;
    std::vector<Class> finer;
    for (const Mask& part : parts) {
      for (const Class& whole : classes_) finer.emplace_back(whole).masks.push_back(part);
    }
    classes_ = std::move(finer);
  }
  busy_.keep(allowed_.words(), true);
  return busy_.count() * 4 <= allowed_.count();
}

// The weight of each rule of the spread: from the number of its domains among the feasible nodes.
void ByClasses::weigh() {
  if (spread_weight_ == 0) return;
  std::vector<std::vector<std::uint8_t>> seen;  // by rule and domain; the last is the missing label's
  for (const TopologyPlan::SoftSpread& rule : question_.plan.soft_spread) {
    seen.emplace_back(rule.hostname ? 0 : topology_.table(rule.table).domains.size() + 1, std::uint8_t{0});
  }
  std::size_t counted = 0;
  for (const Class& one : classes_) {
    if (is_ignored(one)) continue;
    Bitmap nodes = allowed_;
    for (std::size_t i = one.masks.size() - one.domains.size(); i < one.masks.size(); ++i) {
      nodes.keep(one.masks[i].words, one.masks[i].keep);
    }
    const std::size_t count = nodes.count();
    counted += count;
    if (count == 0) continue;
    for (std::size_t i = 0; i < seen.size(); ++i) {
      if (seen[i].empty()) continue;
      const std::uint32_t domain = one.domains[position_of(topology_.table(question_.plan.soft_spread[i].table))];
      seen[i][std::min<std::size_t>(domain, seen[i].size() - 1)] = 1;
    }
  }
  for (std::size_t i = 0; i < seen.size(); ++i) {
    const bool hostname = question_.plan.soft_spread[i].hostname;
    const auto domains = static_cast<std::size_t>(std::ranges::count(seen[i], std::uint8_t{1}));
    spread_weights_.push_back(spread_weight(hostname ? counted : domains));
  }
}

AmongPods ByClasses::of_node(NodeId node) const {
  AmongPods result;
  if (spread_weight_ != 0) {
    result.ignored = lacks_a_spread_key(question_, node);
    if (!result.ignored) result.spread = raw_spread(question_, node, spread_weights_);
  }
  for (const auto& [id, weight] : weighted_) result.affinity += weight * topology_.counter(id).count(node);
  return result;
}

void ByClasses::add_candidates() {
  const World& world = question_.world;
  for (const Class& one : classes_) {
    std::optional<AmongPods> among;
    index_.for_each_group([&](const Index::Raw& raw, const Buckets& buckets) {
      const auto best = buckets.best(one.masks);
      if (!best) return;
      // All nodes of the class are as this one.
      if (!among) among = of_node(world.at_rank(best->rank));
      candidates_.push_back({best->rank, best->score, raw, *among});
    });
  }
  busy_.for_each([&](std::size_t rank) {
    const NodeId node = world.at_rank(rank);
    candidates_.push_back(
        {static_cast<std::uint32_t>(rank), index_.local_score(node), index_.raw(node), of_node(node)});
  });
}

std::optional<Choice> ByClasses::choose() {
  if (candidates_.empty()) return Choice{};
  Index::Raw largest;
  SpreadRange spread;
  std::int64_t least = std::numeric_limits<std::int64_t>::max();
  std::int64_t most = std::numeric_limits<std::int64_t>::min();
  for (const Candidate& candidate : candidates_) {
    largest.raise_to(candidate.raw);
    if (!candidate.among.ignored) spread.include(candidate.among.spread);
    least = std::min(least, candidate.among.affinity);
    most = std::max(most, candidate.among.affinity);
  }
  const Candidate* best = nullptr;
  std::int64_t best_total = 0;
  for (const Candidate& candidate : candidates_) {
    std::int64_t total = candidate.local + index_.static_score(candidate.raw, largest);
    if (spread_weight_ != 0 && !candidate.among.ignored) {
      total += spread_weight_ * spread.normalized(candidate.among.spread);
    }
    if (affinity_weight_ != 0) {
      total += affinity_weight_ * normalize_inter_pod_affinity(candidate.among.affinity, least, most);
    }
    const bool better = best == nullptr || total > best_total || (total == best_total && candidate.rank < best->rank);
    if (!better) continue;
    best = &candidate;
    best_total = total;
  }
  return Choice{question_.world.at_rank(best->rank), best_total, -1};
}

}  // namespace

std::optional<Choice> best_among_pods(const Question& question, const Index& index, std::span<const Mask> masks) {
  return ByClasses(question, index, masks).best();
}

}  // namespace berth::engine
