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
  const QueueId id = entry->second;
  nodes_.push_back(Node{.culprit = id});
  nodes_.back().input.name = name;
  rebuild();
  return id;
}

bool QueueTree::set(const QueueInput& input) {
  const QueueId id = intern(input.name);
  if (!input.parent.is_none()) intern(input.parent);
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

void QueueTree::rebuild() {
  for (Node& node : nodes_) node.children.clear();
  for (std::size_t i = 1; i < nodes_.size(); ++i) {
    Node& node = nodes_[i];
    node.parent = kRoot;
    node.culprit = QueueId{i};
    node.state = node.told ? QueueState::kUsable : QueueState::kMissing;
    // Up the declared parents: whoever needs more steps than there are queues walks in a circle.
    QueueId at{i};
    for (std::size_t steps = 0; node.state == QueueState::kUsable || node.state == QueueState::kClosed; ++steps) {
      const Node& here = nodes_[at.index()];
      if (!here.told) {
        node.state = QueueState::kMissingParent;
        node.culprit = at;
      } else if (steps > nodes_.size()) {
        node.state = QueueState::kCycle;
        node.culprit = at;
      } else {
        if (!here.input.open && node.state == QueueState::kUsable) {
          node.state = QueueState::kClosed;
          node.culprit = at;
        }
        if (here.input.parent.is_none()) break;
        at = find(here.input.parent);
      }
    }
    const bool broken = node.state != QueueState::kUsable && node.state != QueueState::kClosed;
    if (!broken && !node.input.parent.is_none()) node.parent = find(node.input.parent);
  }
  for (std::size_t i = 1; i < nodes_.size(); ++i) nodes_[nodes_[i].parent.index()].children.push_back(QueueId{i});
  top_down_.assign(1, kRoot);
  for (std::size_t i = 0; i < top_down_.size(); ++i) {
    std::vector<QueueId>& children = nodes_[top_down_[i].index()].children;
    std::ranges::sort(children, {}, [&](QueueId id) { return names_.names.text(input(id).name); });
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
