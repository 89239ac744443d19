#include "engine/quota/queue_tree.h"

#include <algorithm>

namespace berth::engine {

QueueId QueueTree::find(NameId name) const {
  const auto found = ids_.find(name);
  return found == ids_.end() ? QueueId::none() : found->second;
}

QueueId QueueTree::intern(NameId name) {
  const auto [entry, added] = ids_.try_emplace(name, QueueId(nodes_.size()));
  if (!added) return entry->second;
  nodes_.emplace_back().input.name = name;
  links_.stale = true;
  return entry->second;
}

bool QueueTree::set(const QueueInput& input) {
  const QueueId id = intern(input.name);
  if (!input.parent.is_none()) intern(input.parent);
  Node& node = nodes_[id.index()];
  if (node.told && node.input == input) return false;
  if (!node.told) ++told_;
  node.told = true;
  node.input = input;
  links_.stale = true;
  return true;
}

bool QueueTree::remove(NameId name) {
  const QueueId id = find(name);
  if (id.is_none() || !nodes_[id.index()].told) return false;
  --told_;
  nodes_[id.index()].told = false;
  nodes_[id.index()].input = QueueInput{.name = name};
  links_.stale = true;
  return true;
}

// Of a queue that is no part of a circle and whose parent has its state.
QueueTree::Link QueueTree::state_below(QueueId id) const {
  const Node& node = nodes_[id.index()];
  if (!node.told) return {.state = QueueState::kMissing, .culprit = id, .children = {}};
  const QueueState own = node.input.open ? QueueState::kUsable : QueueState::kClosed;
  if (node.input.parent.is_none()) return {.state = own, .culprit = id, .children = {}};
  const QueueId parent = find(node.input.parent);
  const Link& above = links_.nodes[parent.index()];
  switch (above.state) {
    case QueueState::kMissing:
      return {.state = QueueState::kMissingParent, .culprit = parent, .children = {}};
    case QueueState::kMissingParent:
    case QueueState::kCycle:
    case QueueState::kTooDeep:
      return {.state = above.state, .culprit = above.culprit, .children = {}};
    case QueueState::kClosed:
    case QueueState::kUsable:
      break;
  }
  const std::uint32_t depth = above.depth + 1;
  if (depth > kMostDepth) return {.state = QueueState::kTooDeep, .culprit = id, .children = {}};
  if (above.state == QueueState::kClosed && own != QueueState::kClosed)
    return {.state = above.state, .culprit = above.culprit, .parent = parent, .depth = depth, .children = {}};
  return {.state = own, .culprit = id, .parent = parent, .depth = depth, .children = {}};
}

// Each way up is walked once: to a queue whose state is known, to its end, or back to itself, which is a circle.
void QueueTree::find_states() const {
  enum class Seen : std::uint8_t { kNo, kOnTheWay, kDone };
  std::vector<Seen> seen(nodes_.size(), Seen::kNo);
  seen[kRoot.index()] = Seen::kDone;
  std::vector<QueueId> way;
  for (std::size_t i = 1; i < nodes_.size(); ++i) {
    way.clear();
    QueueId at{i};
    while (seen[at.index()] == Seen::kNo) {
      seen[at.index()] = Seen::kOnTheWay;
      way.push_back(at);
      const Node& here = nodes_[at.index()];
      if (!here.told || here.input.parent.is_none()) break;
      at = find(here.input.parent);
    }
    const Node& last = nodes_[at.index()];
    const bool returned =
        !way.empty() && last.told && !last.input.parent.is_none() && seen[at.index()] == Seen::kOnTheWay;
    for (bool in_circle = returned; !way.empty(); way.pop_back()) {
      const QueueId id = way.back();
      links_.nodes[id.index()] =
          in_circle ? Link{.state = QueueState::kCycle, .culprit = id, .children = {}} : state_below(id);
      seen[id.index()] = Seen::kDone;
      in_circle = in_circle && id != at;
    }
  }
}

void QueueTree::link() const {
  links_.stale = false;
  std::vector<Link>& links = links_.nodes;
  links.assign(nodes_.size(), {});
  links[kRoot.index()].state = QueueState::kUsable;
  find_states();
  for (std::size_t i = 1; i < links.size(); ++i) links[links[i].parent.index()].children.push_back(QueueId{i});
  std::vector<QueueId>& order = links_.top_down;
  order.assign(1, kRoot);
  for (std::size_t i = 0; i < order.size(); ++i) {
    std::vector<QueueId>& children = links[order[i].index()].children;
    std::ranges::sort(children, {}, [&](QueueId id) { return names_.names.text(input(id).name); });
    for (const QueueId child : children) links[child.index()].depth = links[order[i].index()].depth + 1;
    order.insert(order.end(), children.begin(), children.end());
  }
}

QueueId QueueTree::child_towards(QueueId above, QueueId id) const {
  while (id != kRoot && parent(id) != above) id = parent(id);
  return id == kRoot ? QueueId::none() : id;
}

QueueId QueueTree::common(QueueId a, QueueId b) const {
  const std::vector<Link>& links = this->links().nodes;
  while (a != b) {
    if (links[a.index()].depth < links[b.index()].depth) std::swap(a, b);
    a = parent(a);
  }
  return a;
}

}  // namespace berth::engine
