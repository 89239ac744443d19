// An attempt's way from pods to nodes: greedy, by domain, or each node in turn.
#include <algorithm>
#include <map>

#include "base/mutant.h"
#include "engine/fit/filters.h"
#include "engine/gang/attempt.h"
#include "engine/gang/balance.h"

namespace berth::engine {

namespace {

bool asks_state(Filter filter) {
  return filter == Filter::kNodeResourcesFit || filter == Filter::kNodePorts || filter == Filter::kDynamicResources ||
         is_topology(filter);
}

}  // namespace

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

// Equal numbers of slices in as few domains as will do, in one go (gang/balance.h).
bool Attempt::expand_balanced(const Task& task) {
  const std::size_t size = agenda_.size();
  const std::size_t scopes = scopes_.size();
  const TopologyRule& asked = rule(task.group);
  const DomainTree& tree = trees_.tree(trees_.levels_of(asked));
  const std::size_t level = tree.level_of(asked.slice_level);
  const Room& room = rooms_.of(core_[task.demand].shape);
  std::vector<std::int64_t> slices(tree.domains(level).size(), 0);
  for (const NodeId node : scopes_[task.scope].nodes) {
    const std::uint32_t domain = tree.domain_of(level, node);
    if (domain != DomainTree::kNone) slices[domain] += room.on(node);
  }
  for (std::int64_t& each : slices) each /= asked.slice_size;
  const std::int32_t wanted = (task.remaining + asked.slice_size - 1) / asked.slice_size;
  std::int32_t left = task.remaining;
  for (const DomainPart& part : balanced_parts(slices, wanted)) {
    const auto pods = static_cast<std::int32_t>(std::min<std::int64_t>(part.slices * asked.slice_size, left));
    const ScopeId inside = narrow(scopes_[task.scope], tree.domains(level)[part.domain]);
    agenda_.push_back(
        {.kind = Task::Kind::kPlain, .group = task.group, .demand = task.demand, .remaining = pods, .scope = inside});
    left -= pods;
  }
  if (left == 0 && go_on(size)) return true;
  agenda_.resize(size);
  scopes_.resize(scopes);
  return false;
}

// Fills domain after domain of the slice or preferred level: the tightest that takes all that is left, or else the
// largest, so that few domains are touched.
bool Attempt::expand_by_domain(const Task& task) {
  const std::size_t size = agenda_.size();
  const std::size_t placed = placed_.size();
  const World::Mark mark = world_.mark();
  const TopologyRule& asked = rule(task.group);
  const bool slices = task.kind == Task::Kind::kSlices;
  const DomainTree& tree = trees_.tree(trees_.levels_of(asked));
  const std::size_t level = tree.level_of(slices ? asked.slice_level : asked.preferred);
  const std::int32_t unit = slices ? asked.slice_size : 1;
  const Scope& scope = scopes_[task.scope];
  const Room& room = rooms_.of(core_[task.demand].shape);
  std::vector<std::int64_t> sums(tree.domains(level).size(), 0);
  for (const NodeId node : scope.nodes) {
    const std::uint32_t domain = tree.domain_of(level, node);
    if (domain != DomainTree::kNone) sums[domain] += room.on(node);
  }
  std::size_t best = sums.size();
  for (std::size_t i = 0; i < sums.size(); ++i) {
    const bool last_part = sums[i] >= task.remaining;
    sums[i] = last_part ? sums[i] : sums[i] / unit * unit;
    if (sums[i] <= 0) continue;
    const bool suffices = best < sums.size() && sums[best] >= task.remaining;
    const bool better =
        last_part ? !suffices || sums[i] < sums[best] : !suffices && (best == sums.size() || sums[i] > sums[best]);
    if (better) best = i;
  }
  std::int32_t done = 0;
  if (best < sums.size()) {
    const ScopeId inside = narrow(scope, tree.domains(level)[best]);
    const auto most = static_cast<std::int32_t>(std::min<std::int64_t>(sums[best], task.remaining));
    for (; done < most; ++done) {
      const Choice choice = choose(task.demand, scopes_[inside]);
      if (choice.node.is_none()) break;
      put(task.demand, choice);
    }
    scopes_.pop_back();
  }
  Task rest = task;
  rest.remaining -= done;
  // A wish is no rule: who finds no domain goes anywhere.
  if (done == 0 && !slices) rest.kind = Task::Kind::kPlain;
  const bool stuck = slices && (done == 0 || (rest.remaining > 0 && done % unit != 0));
  if (!stuck) {
    if (rest.remaining > 0) agenda_.push_back(rest);
    if (go_on(size)) return true;
  }
  roll_back(mark, placed);
  return false;
}

bool Attempt::expand_slices_exact(const Task& task) {
  const std::size_t size = agenda_.size();
  const TopologyRule& asked = rule(task.group);
  const DomainTree& tree = trees_.tree(trees_.levels_of(asked));
  const std::size_t level = tree.level_of(asked.slice_level);
  const std::int32_t slice = std::min(asked.slice_size, task.remaining);
  for (std::uint32_t domain = task.first; domain < tree.domains(level).size(); ++domain) {
    const std::size_t scopes = scopes_.size();
    const ScopeId inside = narrow(scopes_[task.scope], tree.domains(level)[domain]);
    if (room_in(scopes_[inside], core_[task.demand].shape) >= slice) {
      if (task.remaining > slice) {
        Task rest = task;
        rest.remaining -= slice;
        rest.first = rules_among_pods_ ? 0 : domain;
        agenda_.push_back(rest);
      }
      agenda_.push_back({.kind = Task::Kind::kPlain, .demand = task.demand, .remaining = slice, .scope = inside});
      if (go_on(size)) return true;
    }
    scopes_.resize(scopes);
    if (*steps_ >= options_.step_limit) return false;
  }
  return false;
}

bool Attempt::expand_pods_exact(const Task& task) {
  const std::size_t size = agenda_.size();
  const std::size_t placed = placed_.size();
  const ShapeId shape = core_[task.demand].shape;
  const Scope& scope = scopes_[task.scope];
  if (room_in(scope, shape) < task.remaining) return false;
  for (const Task& other : agenda_) {
    const bool pods = other.kind == Task::Kind::kPlain || other.kind == Task::Kind::kPacked;
    if (pods && room_in(scopes_[other.scope], core_[other.demand].shape) < other.remaining) return false;
  }
  const Question question = ask(task.demand);
  const std::vector<NodeId> closed = std::exchange(closed_, {});  // what is put on the way asks again
  std::vector<NodeId> tried;                                      // of those that hold no equal pod of this demand yet
  for (const NodeId node : scope.nodes) {
    const std::uint32_t rank = world_.node(node).rank;
    if (!rules_among_pods_ && rank + 1 < task.first) continue;
    if (!check_all(question, node).fits()) continue;
    const bool fresh = rank + 1 != task.first;
    if (fresh && std::ranges::any_of(tried, [&](NodeId other) { return are_equal(node, other); })) continue;
    if (fresh) tried.push_back(node);
    const World::Mark mark = world_.mark();
    put(task.demand, {.node = node});
    if (task.remaining > 1) {
      Task rest = task;
      --rest.remaining;
      rest.first = rank + 1;
      agenda_.push_back(rest);
    }
    if (go_on(size)) return true;
    roll_back(mark, placed);
    if (*steps_ >= options_.step_limit) return false;
  }
  return false;
}

// Numbers the nodes by what no placement changes: who of the core may go there at all, and every domain.
void Attempt::sign_nodes() {
  if (!signature_.empty()) return;
  std::map<std::vector<std::uint32_t>, std::uint32_t> numbers;
  signature_.assign(world_.node_slots(), 0);
  for (const NodeId node : world_.by_rank()) {
    std::vector<std::uint32_t> seen;
    for (const CorePart& demand : core_) {
      const Shape& shape = world_.shape(demand.shape);
      const Question question{world_, shape, world_.topology().plan(demand.shape), false, options_.lifted};
      const bool may =
          check_ready(question, node).fits() && std::ranges::all_of(shape.profile->filters, [&](Filter filter) {
            return asks_state(filter) || check_filter(filter, question, node).fits();
          });
      seen.push_back(may ? 1 : 0);
      for (const CardRequest& request : shape.input.cards) {
        const CardGroup* group = world_.card_group(node, request.resource);
        seen.push_back(group != nullptr && group->accepts(request) ? 1 : 0);
      }
      if (!shape.input.host_ports.empty()) seen.push_back(world_.node(node).rank);
    }
    for (const GroupInput& group : workload_.input.groups) {
      if (group.topology.empty() || options_.any_domain) continue;
      const DomainTree& tree = trees_.tree(trees_.levels_of(group.topology));
      for (std::size_t level = 0; level < tree.levels().size(); ++level) {
        const std::uint32_t domain = tree.domain_of(level, node);
        // A level where every node is a domain of its own keeps no two apart.
        const bool host = domain != DomainTree::kNone && tree.domains(level)[domain].nodes.size() == 1;
        seen.push_back(host ? DomainTree::kNone - 1 : domain);
      }
    }
    signature_[node.index()] =
        numbers.try_emplace(std::move(seen), static_cast<std::uint32_t>(numbers.size())).first->second;
  }
}

bool Attempt::are_equal(NodeId a, NodeId b) const {
  if (rules_among_pods_ || signature_[a.index()] != signature_[b.index()]) return false;
  if (world_.free(a, kPods) != world_.free(b, kPods)) return false;
  for (const CorePart& demand : core_) {
    const ShapeInput& shape = world_.shape(demand.shape).input;
    for (const ResourceAmount& request : shape.requests) {
      if (world_.free(a, request.resource) != world_.free(b, request.resource)) return false;
    }
    for (const CardRequest& request : shape.cards) {
      const CardGroup* left = world_.card_group(a, request.resource);
      const CardGroup* right = world_.card_group(b, request.resource);
      if ((left == nullptr) != (right == nullptr)) return false;
      if (left != nullptr && (left->free != right->free || left->memory_free != right->memory_free)) return false;
    }
  }
  return true;
}

}  // namespace berth::engine
