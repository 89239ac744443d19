// The queue tree: names, parents, and which queues cannot be used and why.
//
// Every name that a queue, a parent or a workload mentions has a slot that stays. The tree has a root that is the
// hardware. A queue in a circle, below a parent that does not exist, too deep, or below such a queue is broken: it
// stands under the root for the accounts and nothing new starts in it, while all other queues go on.
#pragma once

#include <cstdint>
#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>

#include "engine/ids.h"
#include "engine/names.h"
#include "engine/queue_input.h"

namespace berth::engine {

enum class QueueState : std::uint8_t {
  kUsable,
  kClosed,         // nothing new starts
  kMissing,        // named, and no such queue was told
  kMissingParent,  // its parent, or one above, was never told
  kCycle,          // it is its own ancestor, or below such a queue
  kTooDeep,        // more than kMostDepth queues are above it
};

class QueueTree {
 public:
  explicit QueueTree(const Names& names) : names_(names) {}

  static constexpr QueueId kRoot{0U};
  // Each charge walks up to the root; nobody's organisation is deeper.
  static constexpr std::uint32_t kMostDepth = 100;

  // O(1): what follows for parents, children and states is found out when it is asked for, once for all changes before
  // that, O(queues x log(queues)). Equal input changes nothing and returns false.
  bool set(const QueueInput& input);
  bool remove(NameId name);
  // The slot of a name, made if there is none.
  QueueId intern(NameId name);

  [[nodiscard]] QueueId find(NameId name) const;
  [[nodiscard]] std::size_t size() const { return nodes_.size(); }
  [[nodiscard]] const QueueInput& input(QueueId id) const { return nodes_[id.index()].input; }
  [[nodiscard]] QueueState state(QueueId id) const { return links().nodes[id.index()].state; }
  // The queue that makes it unusable: itself, or the nearest ancestor that is closed, missing, in a circle
  // or the first that is too deep.
  [[nodiscard]] QueueId culprit(QueueId id) const { return links().nodes[id.index()].culprit; }
  // Where its usage counts; the root for broken queues. The root is its own parent.
  [[nodiscard]] QueueId parent(QueueId id) const { return links().nodes[id.index()].parent; }
  [[nodiscard]] const std::vector<QueueId>& children(QueueId id) const { return links().nodes[id.index()].children; }
  // Parents before children, the root first.
  [[nodiscard]] const std::vector<QueueId>& top_down() const { return links().top_down; }
  [[nodiscard]] bool has_queues() const { return told_ > 0; }
  // The ancestor of `id`, or itself, that is a child of `above`; none if `id` is not below it.
  [[nodiscard]] QueueId child_towards(QueueId above, QueueId id) const;
  // The lowest queue that both are within.
  [[nodiscard]] QueueId common(QueueId a, QueueId b) const;

 private:
  struct Node {
    QueueInput input;
    bool told = false;
  };
  struct Link {
    QueueState state = QueueState::kMissing;
    QueueId culprit;
    QueueId parent = kRoot;
    std::uint32_t depth = 0;
    std::vector<QueueId> children;  // ascending by name
  };
  // What follows from all nodes together.
  struct Links {
    bool stale = true;
    std::vector<Link> nodes;
    std::vector<QueueId> top_down;
  };
  [[nodiscard]] const Links& links() const {
    if (links_.stale) link();
    return links_;
  }
  void link() const;
  void find_states() const;
  [[nodiscard]] Link state_below(QueueId id) const;

  const Names& names_;
  std::vector<Node> nodes_{Node{.told = true}};
  boost::unordered_flat_map<NameId, QueueId> ids_;
  std::size_t told_ = 0;
  mutable Links links_;
};

}  // namespace berth::engine
