// An attempt's way from pods to nodes: the best for each, or each in turn.
#include <utility>

#include "engine/fit/filters.h"
#include "engine/gang/attempt.h"

namespace berth::engine {

bool Attempt::expand_pods_greedy(const Task& task) {
  const std::size_t size = agenda_.size();
  const std::size_t placed = placed_.size();
  const World::Mark mark = world_.mark();
  if (room_in(scopes_[task.scope], core_[task.demand].shape) < task.remaining) return false;
  for (std::int32_t i = 0; i < task.remaining; ++i) {
    const Choice choice = choose(task.demand, scopes_[task.scope]);
    if (choice.node.is_none()) {
      roll_back(mark, placed);
      return false;
    }
    put(task.demand, choice);
  }
  if (go_on(size)) return true;
  roll_back(mark, placed);
  return false;
}

// Where rules among pods decide: each node for the next pod.
bool Attempt::expand_pods_exact(const Task& task) {
  const std::size_t size = agenda_.size();
  const std::size_t placed = placed_.size();
  const ShapeId shape = core_[task.demand].shape;
  const Scope& scope = scopes_[task.scope];
  if (room_in(scope, shape) < task.remaining) return false;
  for (const Task& other : agenda_) {
    const bool pods = other.kind == Task::Kind::kPlain;
    if (pods && room_in(scopes_[other.scope], core_[other.demand].shape) < other.remaining) return false;
  }
  const Question question = ask(task.demand);
  const std::vector<NodeId> closed = std::exchange(closed_, {});  // what is put on the way asks again
  for (const NodeId node : scope.nodes) {
    if (!check_all(question, node).fits()) continue;
    const World::Mark mark = world_.mark();
    put(task.demand, {.node = node});
    if (task.remaining > 1) {
      Task rest = task;
      --rest.remaining;
      agenda_.push_back(rest);
    }
    if (go_on(size)) return true;
    agenda_.resize(size);
    roll_back(mark, placed);
    if (*steps_ >= options_.step_limit) return false;
  }
  return false;
}

}  // namespace berth::engine
