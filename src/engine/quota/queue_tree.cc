#include "engine/quota/queue_tree.h"

#include <algorithm>
#include <cstdint>
#include <utility>

namespace berth::engine {
namespace {

enum class Seen : std::uint8_t { kNo, kOnTheWay, kDone };

}  // namespace

QueueId QueueTree::find(NameId name) const {
  const auto found = ids_.find(name);
  return found == ids_.end() ? QueueId::none() : found->second;
}

QueueId QueueTree::slot(NameId name) {
  const auto [entry, added] = ids_.try_emplace(name, QueueId(nodes_.size()));
  if (added) {
    nodes_.push_back(Node{.culprit = entry->second});
    nodes_.back().input.name = name;
  }
  return entry->second;
}

QueueId QueueTree::intern(NameId name) {
  const std::size_t before = nodes_.size();
  const QueueId id = slot(name);
  if (nodes_.size() > before) rebuild();
  return id;
}

bool QueueTree::set(const QueueInput& input) {
  const QueueId id = slot(input.name);
  if (!input.parent.is_none()) slot(input.parent);
  Node& node = nodes_[id.index()];
  if (node.told && node.input == input) return false;
  if (!node.told) ++told_;
  node.told = true;
  node.input = input;
  rebuild();
  return true;
}

bool QueueTree::remove(NameId name) {
  const QueueId id = find(name);
  if (id.is_none() || !nodes_[id.index()].told) return false;
  --told_;
  nodes_[id.index()].told = false;
  nodes_[id.index()].input = QueueInput{.name = name};
  rebuild();
  return true;
}

// Each way up is walked once: to a queue whose state is known, to its end, or back to itself, which is a circle.
void QueueTree::rebuild() {
  for (Node& node : nodes_) {
    node.children.clear();
    node.parent = kRoot;
  }
  std::vector<Seen> seen(nodes_.size(), Seen::kNo);
  seen[kRoot.index()] = Seen::kDone;
  std::vector<QueueId> way;
  // As its parent has it, whose state is known.
  const auto settle = [&](QueueId id) {
    Node& node = nodes_[id.index()];
    node.culprit = id;
    node.state = !node.told ? QueueState::kMissing : node.input.open ? QueueState::kUsable : QueueState::kClosed;
    if (!node.told || node.input.parent.is_none()) return;
    const QueueId above = find(node.input.parent);
    const Node& parent = nodes_[above.index()];
    const bool broken = parent.state != QueueState::kUsable && parent.state != QueueState::kClosed;
    if (broken || (parent.state == QueueState::kClosed && node.state == QueueState::kUsable)) {
      node.state = parent.state == QueueState::kMissing ? QueueState::kMissingParent : parent.state;
      node.culprit = parent.culprit;
    }
    if (!broken) node.parent = above;
  };
  for (std::size_t i = 1; i < nodes_.size(); ++i) {
    QueueId at{i};
    while (seen[at.index()] == Seen::kNo) {
      seen[at.index()] = Seen::kOnTheWay;
      way.push_back(at);
      const Node& here = nodes_[at.index()];
      if (!here.told || here.input.parent.is_none()) break;
      at = find(here.input.parent);
    }
    const Node& last = nodes_[at.index()];
    const bool has_parent = last.told && !last.input.parent.is_none();
    for (bool in_circle = has_parent && seen[at.index()] == Seen::kOnTheWay; !way.empty(); way.pop_back()) {
      const QueueId id = way.back();
      seen[id.index()] = Seen::kDone;
      if (in_circle) {
        nodes_[id.index()].state = QueueState::kCycle;
        nodes_[id.index()].culprit = id;
      } else {
        settle(id);
      }
      in_circle = in_circle && id != at;
    }
  }
  // In the order of before, in which children are sorted but for those that are new to their parent.
  std::vector<QueueId> order = std::move(top_down_);
  std::ranges::fill(seen, Seen::kNo);
  for (const QueueId id : order) seen[id.index()] = Seen::kDone;
  for (std::size_t i = 1; i < nodes_.size(); ++i)
    if (seen[i] == Seen::kNo) order.push_back(QueueId{i});
  const auto name_of = [&](QueueId id) { return names_.names.text(input(id).name); };
  for (const QueueId id : order)
    if (id != kRoot) nodes_[nodes_[id.index()].parent.index()].children.push_back(id);
  top_down_.assign(1, kRoot);
  for (std::size_t i = 0; i < top_down_.size(); ++i) {
    std::vector<QueueId>& children = nodes_[top_down_[i].index()].children;
    const auto sorted = std::ranges::is_sorted_until(children, {}, name_of);
    std::ranges::sort(sorted, children.end(), {}, name_of);
    std::ranges::inplace_merge(children, sorted, {}, name_of);
    for (const QueueId child : children) nodes_[child.index()].depth = nodes_[top_down_[i].index()].depth + 1;
    top_down_.insert(top_down_.end(), children.begin(), children.end());
  }
}

QueueId QueueTree::child_towards(QueueId above, QueueId id) const {
  while (id != kRoot && parent(id) != above) id = parent(id);
  return id == kRoot ? QueueId::none() : id;
}

QueueId QueueTree::common(QueueId a, QueueId b) const {
  while (a != b) {
    if (nodes_[a.index()].depth < nodes_[b.index()].depth) std::swap(a, b);
    a = parent(a);
  }
  return a;
}

}  // namespace berth::engine
