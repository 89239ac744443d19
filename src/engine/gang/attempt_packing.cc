// An attempt's last step where there are too many mixtures of pods to list them (attempt_mixtures.cc): pods that know
// their domains are packed onto nodes.
//
// Node by node, in each mixture to which nothing could be added: whoever fits on a node and is not there could be moved
// there from a later node, so no other mixture has to be looked at. What is left then depends on the node and the
// numbers alone, and a state that has failed fails again.
#include <algorithm>
#include <numeric>
#include <set>
#include <vector>

#include "engine/amounts.h"
#include "engine/fit/filters.h"
#include "engine/gang/attempt.h"

namespace berth::engine {

class Attempt::Packing {
 public:
  explicit Packing(Attempt& attempt) : attempt_(attempt) {
    for (const Task& task : attempt.agenda_) add(task);
    // Who fits least is placed first.
    std::ranges::stable_sort(items_, {}, [&](const Item& item) {
      return attempt_.room_in(attempt_.scopes_[item.scope], shape(item)) / std::max(item.pods, 1);
    });
    add_nodes();
    add_bounds();
  }

  bool run() { return at_node(0); }

 private:
  // Pods of one demand that go to one scope.
  struct Item {
    std::uint32_t demand = 0;
    ScopeId scope = 0;
    std::int32_t pods = 0;  // that are still to be placed
    std::vector<ResourceAmount> requests;
    std::vector<std::int32_t> room;  // by position of the node
    std::vector<std::int64_t> left;  // by position: the room there and later
  };

  [[nodiscard]] ShapeId shape(const Item& item) const { return attempt_.core_[item.demand].shape; }

  void add(const Task& task) {
    const auto same = std::ranges::find_if(
        items_, [&](const Item& item) { return item.demand == task.demand && item.scope == task.scope; });
    if (same != items_.end()) {
      same->pods += task.remaining;
      return;
    }
    items_.push_back({.demand = task.demand,
                      .scope = task.scope,
                      .pods = task.remaining,
                      .requests = counted_requests(attempt_.world_.shape(attempt_.core_[task.demand].shape)),
                      .room = {},
                      .left = {}});
  }

  // The nodes that any of them may go to; those that the same may go to one after the other.
  void add_nodes() {
    std::vector<std::pair<std::vector<bool>, NodeId>> found;
    std::vector<const Room*> rooms;
    for (const NodeId node : attempt_.scopes_.front().nodes) {
      const std::uint32_t rank = attempt_.world_.node(node).rank;
      std::vector<bool> may;
      for (const Item& item : items_) {
        const Scope& scope = attempt_.scopes_[item.scope];
        may.push_back(scope.everywhere || scope.ranks.test(rank));
      }
      if (std::ranges::find(may, true) != may.end()) found.emplace_back(std::move(may), node);
    }
    std::ranges::stable_sort(found, {}, [](const auto& each) { return each.first; });
    for (const auto& each : found) nodes_.push_back(each.second);
    for (std::size_t i = 0; i < items_.size(); ++i) {
      const Room& room = attempt_.rooms_.of(shape(items_[i]));
      for (const auto& [may, node] : found) items_[i].room.push_back(may[i] ? room.on(node) : 0);
    }
  }

  void add_bounds() {
    const std::size_t size = nodes_.size();
    pods_left_.assign(size + 1, 0);
    std::vector<ResourceAmount> all;
    for (Item& item : items_) {
      item.left.assign(size + 1, 0);
      for (std::size_t i = size; i-- > 0;) item.left[i] = item.left[i + 1] + item.room[i];
      for (const ResourceAmount& each : item.requests) add_amount(all, each);
    }
    for (const ResourceAmount& each : all) resources_.push_back(each.resource);
    free_left_.assign(resources_.size(), std::vector<Amount>(size + 1, 0));
    Kinds kinds;
    for (const Item& item : items_) add_pods(attempt_.world_, kinds, shape(item), item.pods);
    const std::vector<std::int64_t> most = most_per_node(attempt_.world_, attempt_.rooms_, kinds, nodes_);
    for (std::size_t i = size; i-- > 0;) {
      pods_left_[i] = pods_left_[i + 1] + most[i];
      for (std::size_t r = 0; r < resources_.size(); ++r) {
        const Amount free = most[i] == 0 ? 0 : attempt_.world_.free(nodes_[i], resources_[r]);
        free_left_[r][i] = free_left_[r][i + 1] + std::max<Amount>(free, 0);
      }
    }
  }

  // Could the nodes from this one on hold what is left?
  [[nodiscard]] bool sums_suffice_from(std::size_t position) const {
    std::int64_t pods = 0;
    for (const Item& item : items_) {
      if (item.left[position] < item.pods) return false;
      pods += item.pods;
    }
    if (pods_left_[position] < pods) return false;
    for (std::size_t r = 0; r < resources_.size(); ++r) {
      Amount asked = 0;
      for (const Item& item : items_) asked += item.pods * amount_in(item.requests, resources_[r]);
      if (free_left_[r][position] < asked) return false;
    }
    return true;
  }

  [[nodiscard]] bool gave_up() const { return *attempt_.steps_ >= attempt_.options_.step_limit; }

  bool at_node(std::size_t position) {
    const auto wants = [&](const Item& item) { return item.pods > 0 && item.room[position] > 0; };
    if (std::ranges::all_of(items_, [](const Item& item) { return item.pods == 0; })) return true;
    while (position < nodes_.size() && std::ranges::none_of(items_, wants)) ++position;
    if (position == nodes_.size() || gave_up() || !sums_suffice_from(position)) return false;
    ++*attempt_.steps_;
    std::vector<std::int32_t> state{static_cast<std::int32_t>(position)};
    for (const Item& item : items_) state.push_back(item.pods);
    if (failed_.contains(state)) return false;
    if (on_node(position, 0)) return true;
    if (!gave_up()) failed_.insert(std::move(state));
    return false;
  }

  [[nodiscard]] bool fits(const Item& item, std::size_t position) {
    return item.pods > 0 && item.room[position] > 0 && check_all(attempt_.ask(item.demand), nodes_[position]).fits();
  }

  // The items from `at` on take what they will have of the node: as much as there is room for first, then less.
  bool on_node(std::size_t position, std::size_t at) {
    if (at == items_.size()) {
      const bool more = std::ranges::any_of(items_, [&](const Item& item) { return fits(item, position); });
      return !more && at_node(position + 1);
    }
    Item& item = items_[at];
    struct Before {
      World::Mark mark;
      std::size_t placed;
    };
    std::vector<Before> before;
    while (fits(item, position)) {
      before.push_back({attempt_.world_.mark(), attempt_.placed_.size()});
      attempt_.put(item.demand, {.node = nodes_[position]});
      --item.pods;
    }
    while (true) {
      if (!gave_up() && on_node(position, at + 1)) return true;
      if (before.empty()) return false;
      attempt_.roll_back(before.back().mark, before.back().placed);
      before.pop_back();
      ++item.pods;
    }
  }

  Attempt& attempt_;
  std::vector<Item> items_;
  std::vector<NodeId> nodes_;
  std::vector<ResourceId> resources_;
  std::vector<std::vector<Amount>> free_left_;  // by resource, by position: what is free there and later
  std::vector<std::int64_t> pods_left_;         // by position: pods of any kind there and later
  std::set<std::vector<std::int32_t>> failed_;  // a node's position and what was left before it
};

bool Attempt::pack_node_by_node() { return Packing(*this).run(); }

}  // namespace berth::engine
