#include "sim/mixed/optimum.h"

#include <algorithm>
#include <utility>
#include <vector>

#include <boost/container_hash/hash.hpp>
#include <boost/unordered/unordered_flat_map.hpp>

namespace berth::sim::mixed {
namespace {

using Node = std::vector<CardState>;  // sorted: cards of a node are alike

class Search {
 public:
  Search(const Layout& layout, std::span<const std::size_t> batch)
      : layout_(layout), batch_(batch.begin(), batch.end()) {
    // The largest first, equal ones together.
    std::ranges::sort(batch_, std::ranges::greater{},
                      [](std::size_t ask) { return std::pair(asks()[ask].size(), ask); });
    rest_.resize(batch_.size() + 1);
    for (std::size_t i = batch_.size(); i-- > 0;) rest_[i] = rest_[i + 1] + asks()[batch_[i]].size();
  }

  std::int64_t run() {
    const std::vector<Node> nodes(static_cast<std::size_t>(layout_.nodes()),
                                  Node(static_cast<std::size_t>(layout_.per_node)));
    return most_from(0, nodes);
  }

 private:
  using Key = std::vector<std::uint32_t>;

  // The most that the asks from `i` on can add.
  std::int64_t most_from(std::size_t i, const std::vector<Node>& nodes) {
    if (i == batch_.size()) return 0;
    Key key = key_of(i, nodes);
    if (const auto known = known_.find(key); known != known_.end()) return known->second;
    const Ask& ask = asks()[batch_[i]];
    // Left out: then those that ask for the same are left out, too, as it could have had the place of one of them.
    std::size_t next = i + 1;
    while (next < batch_.size() && batch_[next] == batch_[i]) ++next;
    std::int64_t best = most_from(next, nodes);
    std::vector<Key> tried;
    for (std::size_t n = 0; n < nodes.size() && best < rest_[i]; ++n) {
      const Card product = layout_.product_of(static_cast<int>(n));
      for (Node& then : places(nodes[n], product, ask)) {
        std::vector<Node> after = nodes;
        after[n] = std::move(then);
        sort_alike(after);
        Key its = key_of(i + 1, after);
        if (std::ranges::find(tried, its) != tried.end()) continue;
        tried.push_back(std::move(its));
        best = std::max(best, ask.size() + most_from(i + 1, after));
        if (best == rest_[i]) break;
      }
    }
    known_.emplace(std::move(key), best);
    return best;
  }

  // The node with the ask on it, in each way.
  static std::vector<Node> places(const Node& node, Card product, const Ask& ask) {
    std::vector<Node> result;
    if (ask.cards > 1) {
      Node then = node;
      int missing = ask.cards;
      for (CardState& card : then) {
        if (missing == 0 || !can_take(card, product, ask, 0)) continue;
        take(card, product, ask, 0);
        --missing;
      }
      std::ranges::sort(then);
      if (missing == 0) result.push_back(std::move(then));
      return result;
    }
    for (std::size_t c = 0; c < node.size(); ++c) {
      if (c > 0 && node[c] == node[c - 1]) continue;
      for (const int start : starts(ask, product)) {
        if (!can_take(node[c], product, ask, start)) continue;
        Node then = node;
        take(then[c], product, ask, start);
        std::ranges::sort(then);
        result.push_back(std::move(then));
      }
    }
    return result;
  }

  void sort_alike(std::vector<Node>& nodes) const {
    std::sort(nodes.begin(), nodes.begin() + layout_.a100_nodes);
    std::sort(nodes.begin() + layout_.a100_nodes, nodes.end());
  }

  static Key key_of(std::size_t i, const std::vector<Node>& nodes) {
    Key key = {static_cast<std::uint32_t>(i)};
    for (const Node& node : nodes) {
      for (const CardState& card : node) {
        key.push_back(static_cast<std::uint32_t>(card.mode) | static_cast<std::uint32_t>(card.slices) << 2U |
                      static_cast<std::uint32_t>(card.multiprocessors) << 10U |
                      static_cast<std::uint32_t>(card.memory) << 20U);
      }
    }
    return key;
  }

  Layout layout_;
  std::vector<std::size_t> batch_;
  std::vector<std::int64_t> rest_;  // sizes from here on
  boost::unordered_flat_map<Key, std::int64_t, boost::hash<Key>> known_;
};

}  // namespace

std::int64_t most(const Layout& layout, std::span<const std::size_t> batch) { return Search(layout, batch).run(); }

}  // namespace berth::sim::mixed
