// Counters: how many pods of some kind are in each domain of a topology key. All rules among pods (spread, affinity,
// anti-affinity and their scores) are questions to counters.
//
// A counter is told of each placement of a pod it counts and keeps what the rules need:
//   occupied   the nodes whose domain has at least one pod (affinity, anti-affinity, scores)
//   views      the nodes whose domain may take one more under a maximum skew (spread)
//   levels     the nodes whose domain has one, two, three ... pods, where that is many of the nodes (scores)
// all as bitmaps over ranks, so that a search can mask with them. A change costs O(1) for domains of one node, and
// O(nodes / 64) when a larger domain enters or leaves a bitmap. A node that changes its domain leaves and joins.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>

#include "engine/ids.h"
#include "engine/input.h"
#include "engine/topology/domain_counts.h"
#include "engine/world/bitmap.h"

namespace berth::engine {

// The domains of one topology key: which node belongs to which.
struct DomainTable {
  static constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

  LabelKeyId key;
  bool per_node = false;                      // every node is a domain of its own, labels aside
  std::vector<std::uint32_t> domain_of_node;  // by node slot; kNone: the node lacks the key
  struct Domain {
    LabelValueId value;
    std::vector<std::uint32_t> ranks;  // of its nodes, in no order; none: its last node left
    Bitmap bits;                       // the same, where there are many; empty for small domains
  };
  std::vector<Domain> domains;
  boost::unordered_flat_map<LabelValueId, std::uint32_t> domain_of_value;
  Bitmap members;  // ranks of the nodes that have the key

  // So few that a search can look at them one by one.
  [[nodiscard]] bool has_few_domains() const { return domains.size() <= 16; }
  [[nodiscard]] std::uint32_t domain(NodeId node) const { return domain_of_node[node.index()]; }
  // The domain of a label's value, made if it is new; kNone for no value.
  [[nodiscard]] std::uint32_t domain_for(LabelValueId value);
  // Takes the node out of its domain, and puts it into one. O(nodes of the domain) and O(1).
  void leave(NodeId node, std::uint32_t rank);
  void join(NodeId node, std::uint32_t rank, std::uint32_t domain);
  // Adds the nodes of a domain to a bitmap of ranks, or removes them.
  void assign(Bitmap& bits, std::uint32_t domain, bool value) const;
};

// What a counter counts.
struct CounterKey {
  enum class What : std::uint8_t {
    kMatching,      // pods that match all of `terms` (namespaces and selectors; not their keys)
    kSpread,        // pods of `namespace_` that match `selector` and are not terminating
    kAntiOwners,    // pods that carry terms[0] as required anti-affinity
    kHardOwners,    // pods that carry terms[0] as required affinity
    kPreferOwners,  // pods that carry terms[0] as preferred term with `weight`
  };
  What what = What::kMatching;
  std::vector<AffinityTerm> terms;
  NamespaceId namespace_;
  Selector selector;
  std::int32_t weight = 0;
  std::uint32_t table = 0;
  std::uint32_t eligibility = 0;  // 0: every node counts
  bool operator==(const CounterKey&) const = default;
};

class Counter {
 public:
  Counter() = default;  // a free slot
  explicit Counter(CounterKey key) : key_(std::move(key)), in_use_(true) {}

  // Nodes that may take one more pod: counts[domain] + self - minimum <= max_skew.
  struct View {
    std::int32_t max_skew = 1;
    std::int32_t self = 0;
    std::int32_t min_domains = 1;
    std::int64_t limit = 0;  // a domain is allowed while its count is at most this
    Bitmap allowed;
  };

  // The nodes of all domains that have so many pods.
  struct Level {
    std::int32_t count = 0;
    std::size_t nodes = 0;
    Bitmap ranks;
  };

  [[nodiscard]] const CounterKey& key() const { return key_; }
  [[nodiscard]] bool in_use() const { return in_use_; }
  // Do pods carry what it counts, in contrast to matching it?
  [[nodiscard]] bool counts_owners() const {
    return key_.what != CounterKey::What::kMatching && key_.what != CounterKey::What::kSpread;
  }
  // Does a rule ask it that keeps pods off nodes? Then its changes are news().
  [[nodiscard]] bool is_hard() const { return is_hard_; }
  void set_hard() { is_hard_ = true; }
  // The view with these parameters, made on first use; its number stays.
  std::size_t view(std::int32_t max_skew, bool self, std::int32_t min_domains);
  [[nodiscard]] const View& view_at(std::size_t number) const { return views_[number]; }

  // Starts from zero over these tables, which must outlive the counter; `eligible` by node slot, null: all.
  void reset(const DomainTable& table, const std::vector<std::uint8_t>* eligible, std::size_t ranks);
  void add(NodeId node, std::int32_t delta) {
    if (!is_eligible(node)) return;
    const std::uint32_t domain = table_->domain(node);
    if (domain != DomainTable::kNone) change(domain, delta);
  }

  // Before and after the table or the eligibility of one node changes, while no pod on the node is counted.
  void leave(NodeId node, std::uint32_t rank);
  void join(NodeId node, std::uint32_t rank);

  // How often a count changed, and how often it fell, tries that were taken back left out. See Topology::news().
  [[nodiscard]] std::uint64_t changes() const { return changes_; }
  [[nodiscard]] std::uint64_t falls() const { return falls_; }
  void note_change(bool fell) {
    ++changes_;
    if (fell) ++falls_;
  }
  void take_back_change(bool fell) {
    --changes_;
    if (fell) --falls_;
  }

  [[nodiscard]] const DomainTable& table() const { return *table_; }
  // Pods in the node's domain; 0 where the node lacks the key.
  [[nodiscard]] std::int32_t count(NodeId node) const {
    const std::uint32_t domain = table_->domain(node);
    return domain == DomainTable::kNone ? 0 : counts_[domain];
  }
  [[nodiscard]] std::int32_t count_in(std::uint32_t domain) const { return counts_[domain]; }
  [[nodiscard]] std::int64_t total() const { return total_; }
  [[nodiscard]] const Bitmap& occupied() const { return occupied_; }
  // Ascending by count, from 1; together they are occupied(). Empty where that has few nodes or the table few domains.
  [[nodiscard]] const std::vector<Level>& levels() const { return levels_; }
  // The smallest count among the domains that take part, as a maximum skew sees it.
  [[nodiscard]] std::int64_t minimum(std::int32_t min_domains) const;

 private:
  // Only a required spread asks for the smallest count, and never over single nodes.
  [[nodiscard]] bool keeps_minimum() const { return key_.what == CounterKey::What::kSpread && !table_->per_node; }
  [[nodiscard]] bool is_eligible(NodeId node) const { return eligible_ == nullptr || (*eligible_)[node.index()] != 0; }
  void change(std::uint32_t domain, std::int32_t delta);
  void move_in_histogram(std::int32_t before, std::int32_t after);
  void raise_minimum();
  void update_views(std::uint32_t domain);
  void update_levels(std::uint32_t domain, std::int32_t before, std::int32_t after);
  std::vector<Level>::iterator level(std::int32_t count);
  void put_on_level(std::uint32_t domain, std::int32_t count);
  void update_all(View& view, std::int64_t limit);
  [[nodiscard]] std::int64_t limit_of(const View& view) const {
    return minimum(view.min_domains) + view.max_skew - view.self;
  }
  void fill(View& view);

  CounterKey key_;
  bool in_use_ = false;
  bool is_hard_ = false;
  const DomainTable* table_ = nullptr;
  const std::vector<std::uint8_t>* eligible_ = nullptr;
  DomainCounts counts_;
  std::vector<std::uint32_t> eligible_nodes_;  // per domain, which takes part if it has one; if keeps_minimum()
  std::uint32_t parts_ = 0;
  std::int64_t total_ = 0;
  Bitmap occupied_;
  std::size_t ranks_ = 0;
  std::vector<std::uint32_t> histogram_;  // domains that take part, by count
  std::int32_t minimum_ = 0;
  std::vector<View> views_;
  std::vector<Level> levels_;
  std::uint64_t changes_ = 0;
  std::uint64_t falls_ = 0;
};

}  // namespace berth::engine
