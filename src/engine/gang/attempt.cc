#include "engine/gang/attempt.h"

#include <algorithm>
#include <map>
#include <numeric>

#include "base/mutant.h"
#include "engine/cycle/promises.h"
#include "engine/fit/filters.h"
#include "engine/gang/balance.h"

namespace berth::engine {
namespace {

// Do placements elsewhere, or anything but amounts, decide where a second pod of the shape may go?
bool has_rules_among_pods(const World& world, ShapeId id) {
  const ShapeInput& shape = world.shape(id).input;
  // Devices that claims take are no amounts of a node either.
  return world.topology().plan(id).has_hard_rules() || !shape.exclusive_claims.empty() || !shape.claims.empty();
}

bool asks_state(Filter filter) {
  return filter == Filter::kNodeResourcesFit || filter == Filter::kNodePorts || filter == Filter::kDynamicResources ||
         is_topology(filter);
}

std::int32_t size_of(const CorePart& demand) { return static_cast<std::int32_t>(demand.pods.size()); }

}  // namespace

Attempt::Attempt(World& world, Search& search, DomainTrees& trees, Rooms& rooms, const Workload& workload,
                 const Core& core, const PlacementOptions& options, std::vector<PlacedPod>& placed)
    : world_(world),
      search_(search),
      trees_(trees),
      rooms_(rooms),
      workload_(workload),
      core_(core),
      options_(options),
      placed_(placed),
      used_(core.size(), 0) {
  scopes_.push_back({options.within == nullptr, {}, {}});
  if (options.within == nullptr) {
    scopes_.front().nodes = world.by_rank();
  } else {
    scopes_.front().ranks = *options.within;
    for (const NodeId node : world.by_rank()) {
      if (options.within->test(world.node(node).rank)) scopes_.front().nodes.push_back(node);
    }
  }
  // Like rules among pods, promises make nodes differ by more than amounts.
  rules_among_pods_ = keeps_promises();
  for (const CorePart& demand : core) {
    rules_among_pods_ = rules_among_pods_ || has_rules_among_pods(world, demand.shape);
  }
}

bool Attempt::greedy_is_exact() const { return core_.size() <= 1 && !rules_among_pods_; }

bool Attempt::is_possible() {
  std::map<ShapeId, std::int64_t> needed;
  for (const CorePart& demand : core_) needed[demand.shape] += size_of(demand);
  return std::ranges::all_of(needed, [&](const auto& entry) { return rooms_.of(entry.first).total() >= entry.second; });
}

bool Attempt::run_greedy(std::size_t& steps) {
  exact_ = false;
  steps_ = &steps;
  agenda_.assign(1, Task{.kind = Task::Kind::kGroup});
  return run();
}

bool Attempt::run_exact(std::size_t& steps) {
  // The recursion is as deep as there are pods.
  constexpr std::int32_t kMostPods = 1000;
  if (demanded(0) > kMostPods) {
    steps = options_.step_limit;
    return false;
  }
  exact_ = true;
  steps_ = &steps;
  sign_nodes();
  agenda_.assign(1, Task{.kind = Task::Kind::kGroup});
  return run();
}

// Does what is on the agenda, or leaves world and agenda as they were.
bool Attempt::run() {
  if (agenda_.empty()) return true;
  if (*steps_ >= options_.step_limit) return false;
  ++*steps_;
  // Where rules among pods decide, the order of the pods may.
  const bool any_order = exact_ && rules_among_pods_;
  for (std::size_t from_top = 0; from_top < agenda_.size(); ++from_top) {
    const std::size_t position = agenda_.size() - 1 - from_top;
    if (from_top > 0 && (!any_order || agenda_[position].kind != Task::Kind::kPlain)) break;
    const Task task = agenda_[position];
    agenda_.erase(agenda_.begin() + static_cast<std::ptrdiff_t>(position));
    if (expand(task)) return true;
    agenda_.insert(agenda_.begin() + static_cast<std::ptrdiff_t>(position), task);
    if (task.kind != Task::Kind::kPlain) break;
  }
  return false;
}

bool Attempt::expand(const Task& task) {
  switch (task.kind) {
    case Task::Kind::kGroup:
      return expand_group(task);
    case Task::Kind::kContent:
      return expand_content(task);
    case Task::Kind::kPlain:
      return exact_ ? expand_pods_exact(task) : expand_pods_greedy(task);
    case Task::Kind::kSlices:
      if (exact_) return expand_slices_exact(task);
      return (rule(task.group).balanced && expand_balanced(task)) || expand_by_domain(task);
    case Task::Kind::kPacked:
      return exact_ ? expand_pods_exact(task) : expand_by_domain(task);
  }
  return false;
}

bool Attempt::go_on(std::size_t agenda_size) {
  if (run()) return true;
  agenda_.resize(agenda_size);
  return false;
}

// --- Groups and domains ---------------------------------------------------------------------------------------------

std::int32_t Attempt::demanded(std::uint32_t group) const {
  return std::accumulate(core_.begin(), core_.end(), 0, [&](std::int32_t sum, const CorePart& demand) {
    return sum + (is_group_below(workload_, demand.group, group) ? size_of(demand) : 0);
  });
}

bool Attempt::expand_group(const Task& task) {
  const std::size_t size = agenda_.size();
  const TopologyRule& asked = rule(task.group);
  if (options_.any_domain || (asked.required.is_none() && asked.preferred.is_none())) {
    agenda_.push_back({.kind = Task::Kind::kContent, .group = task.group, .scope = task.scope});
    return go_on(size);
  }
  for (const Candidate& candidate : candidates(task.group, scopes_[task.scope])) {
    const std::size_t scopes = scopes_.size();
    ScopeId scope = task.scope;
    if (candidate.tree != nullptr) {
      scope = narrow(scopes_[task.scope], candidate.tree->domains(candidate.level)[candidate.domain]);
    }
    agenda_.push_back({.kind = Task::Kind::kContent, .group = task.group, .scope = scope, .pack = candidate.pack});
    if (go_on(size)) return true;
    scopes_.resize(scopes);
    if (*steps_ >= options_.step_limit) return false;
  }
  return false;
}

bool Attempt::expand_content(const Task& task) {
  const std::size_t size = agenda_.size();
  std::vector<Task> ruled;
  std::vector<Task> pods;
  push_content(task.group, task.scope, ruled, pods);
  // The last of the agenda is done first: groups with rules, the largest first, then the pods that fit least.
  std::ranges::stable_sort(ruled, {}, [&](const Task& each) { return demanded(each.group); });
  std::ranges::stable_sort(pods, std::ranges::greater{}, [&](const Task& each) {
    return room_in(scopes_[task.scope], core_[each.demand].shape) / std::max(each.remaining, 1);
  });
  for (Task& each : pods) {
    if (task.pack && each.kind == Task::Kind::kPlain) {
      each.kind = Task::Kind::kPacked;
      each.group = task.group;
    }
    agenda_.push_back(each);
  }
  agenda_.insert(agenda_.end(), ruled.begin(), ruled.end());
  return go_on(size);
}

void Attempt::push_content(std::uint32_t group, ScopeId scope, std::vector<Task>& ruled, std::vector<Task>& pods) {
  const bool slices = rule(group).slice_size > 0 && !options_.any_domain;
  std::vector<Gap> gaps = slices ? gaps_of(group) : std::vector<Gap>();
  for (std::uint32_t i = 0; i < core_.size(); ++i) {
    if (core_[i].group != group) continue;
    std::int32_t remaining = size_of(core_[i]);
    // Members that a slice lost come back into its own domain.
    for (Gap& gap : gaps) {
      const std::int32_t here = std::min(gap.missing, remaining);
      if (here == 0) continue;
      const DomainTree& tree = trees_.tree(trees_.levels_of(rule(group)));
      const ScopeId inside = narrow(scopes_[scope], tree.domains(tree.level_of(rule(group).slice_level))[gap.domain]);
      pods.push_back({.kind = Task::Kind::kPlain, .group = group, .demand = i, .remaining = here, .scope = inside});
      gap.missing -= here;
      remaining -= here;
    }
    if (remaining == 0) continue;
    pods.push_back({.kind = slices ? Task::Kind::kSlices : Task::Kind::kPlain,
                    .group = group,
                    .demand = i,
                    .remaining = remaining,
                    .scope = scope});
  }
  for (const std::uint32_t child : workload_.groups[group].children) {
    if (demanded(child) == 0) continue;
    const TopologyRule& asked = rule(child);
    if (!options_.any_domain && (!asked.required.is_none() || !asked.preferred.is_none())) {
      ruled.push_back({.kind = Task::Kind::kGroup, .group = child, .scope = scope});
    } else {
      push_content(child, scope, ruled, pods);
    }
  }
}

// Slices that run in part, the fullest first: a last slice that is smaller from the start has lost nothing.
std::vector<Attempt::Gap> Attempt::gaps_of(std::uint32_t group) {
  const TopologyRule& asked = rule(group);
  const DomainTree& tree = trees_.tree(trees_.levels_of(asked));
  const std::size_t level = tree.level_of(asked.slice_level);
  std::map<std::uint32_t, std::int32_t> running;
  for (const PodId member : workload_.groups[group].members) {
    const NodeId node = world_.pod(member).node;
    if (node.is_none() || !runs_before(member)) continue;
    if (const std::uint32_t domain = tree.domain_of(level, node); domain != DomainTree::kNone) ++running[domain];
  }
  std::vector<Gap> gaps;
  for (const auto& [domain, pods] : running)
    if (pods % asked.slice_size != 0) gaps.push_back({domain, asked.slice_size - pods % asked.slice_size});
  std::ranges::stable_sort(gaps, {}, &Gap::missing);
  return gaps;
}

// The domains that could hold the group, in the order in which they are tried.
std::vector<Attempt::Candidate> Attempt::candidates(std::uint32_t group, const Scope& scope) {
  const TopologyRule& asked = rule(group);
  const DomainTree& tree = trees_.tree(trees_.levels_of(asked));
  std::vector<Candidate> result;
  const std::size_t required = asked.required.is_none() ? 0 : tree.level_of(asked.required);
  std::size_t level = asked.preferred.is_none() ? required : tree.level_of(asked.preferred);
  const std::size_t preferred = level;
  while (true) {
    add_level(group, tree, level, scope, result);
    for (Candidate& each : result) each.pack = each.level != preferred;
    if (level <= required) break;
    --level;
  }
  if (asked.required.is_none()) result.push_back({.pack = true});
  return result;
}

void Attempt::add_level(std::uint32_t group, const DomainTree& tree, std::size_t level, const Scope& scope,
                        std::vector<Candidate>& out) {
  // Whoever runs already pins the group to the domains where it runs.
  std::vector<bool> pinned;
  for (std::uint32_t i = 0; i < workload_.groups.size(); ++i) {
    if (!is_group_below(workload_, i, group)) continue;
    for (const PodId member : workload_.groups[i].members) {
      const NodeId node = world_.pod(member).node;
      if (node.is_none() || !runs_before(member)) continue;
      pinned.resize(tree.domains(level).size(), false);
      const std::uint32_t domain = tree.domain_of(level, node);
      if (domain != DomainTree::kNone) pinned[domain] = true;
    }
  }
  const auto largest = std::ranges::max_element(core_, {}, [&](const CorePart& demand) {
    return is_group_below(workload_, demand.group, group) ? size_of(demand) : -1;
  });
  const std::vector<std::int64_t> room = rooms_.of(largest->shape).per_domain(tree, level);
  const std::size_t first = out.size();
  for (std::uint32_t domain = 0; domain < tree.domains(level).size(); ++domain) {
    if (!pinned.empty() && !pinned[domain]) continue;
    const std::vector<NodeId>& nodes = tree.domains(level)[domain].nodes;
    const bool reachable = scope.everywhere || std::ranges::any_of(nodes, [&](NodeId node) {
                             return scope.ranks.test(world_.node(node).rank);
                           });
    if (reachable && could_hold(group, tree, level, domain)) {
      out.push_back({.tree = &tree, .level = level, .domain = domain});
    }
  }
  // The tightest that holds all who want to be there, so that large domains stay whole; where none does, the one that
  // holds most.
  const std::map<ShapeId, std::int64_t> wanted = wanted_below(group);
  const auto holds_all = [&](std::uint32_t domain) {
    return std::ranges::all_of(wanted, [&](const auto& entry) {
      return rooms_.of(entry.first).per_domain(tree, level)[domain] >= entry.second;
    });
  };
  std::ranges::stable_sort(out.begin() + static_cast<std::ptrdiff_t>(first), out.end(), {}, [&](const Candidate& each) {
    const bool all = mutant("Rule.DomainForAll") || holds_all(each.domain);
    return std::pair(!all, all ? room[each.domain] : -room[each.domain]);
  });
}

// Members below the group that want a place, those beyond the core too.
std::map<ShapeId, std::int64_t> Attempt::wanted_below(std::uint32_t group) const {
  std::map<ShapeId, std::int64_t> result;
  for (std::uint32_t leaf = group; leaf < workload_.groups.size(); ++leaf) {
    if (!workload_.groups[leaf].is_leaf() || !is_group_below(workload_, leaf, group)) continue;
    for (const PodId pod : world_.wanting(workload_.groups[leaf])) ++result[world_.pod(pod).shape];
  }
  return result;
}

// Was it there before this attempt?
bool Attempt::runs_before(PodId pod) const { return std::ranges::find(placed_, pod, &PlacedPod::pod) == placed_.end(); }

bool Attempt::could_hold(std::uint32_t group, const DomainTree& tree, std::size_t level, std::uint32_t domain) {
  std::map<ShapeId, std::int64_t> needed;
  for (const CorePart& demand : core_) {
    if (!is_group_below(workload_, demand.group, group)) continue;
    needed[demand.shape] += size_of(demand);
    const TopologyRule& asked = rule(demand.group);
    if (asked.slice_size == 0) continue;
    const DomainTree& sliced = trees_.tree(trees_.levels_of(asked));
    if (&sliced != &tree || !gaps_of(demand.group).empty()) continue;
    const std::int64_t wanted = (size_of(demand) + asked.slice_size - 1) / asked.slice_size;
    if (slices_in(demand.shape, asked.slice_size, tree, tree.level_of(asked.slice_level), level, domain) < wanted) {
      // The last slice may be a part.
      if (size_of(demand) % asked.slice_size == 0) return false;
    }
  }
  return std::ranges::all_of(needed, [&](const auto& entry) {
    return rooms_.of(entry.first).per_domain(tree, level)[domain] >= entry.second;
  });
}

std::int64_t Attempt::slices_in(ShapeId shape, std::int32_t size, const DomainTree& tree, std::size_t slice_level,
                                std::size_t level, std::uint32_t domain) {
  const std::vector<std::int64_t>& room = rooms_.of(shape).per_domain(tree, slice_level);
  std::int64_t sum = 0;
  for (std::size_t i = 0; i < room.size(); ++i) {
    const std::vector<NodeId>& nodes = tree.domains(slice_level)[i].nodes;
    if (tree.domain_of(level, nodes.front()) == domain) sum += room[i] / size;
  }
  return sum;
}

Attempt::ScopeId Attempt::narrow(const Scope& outer, const DomainTree::Domain& domain) {
  Scope made{false, Bitmap(world_.rank_count()), {}};
  for (const NodeId node : domain.nodes) {
    const std::uint32_t rank = world_.node(node).rank;
    if (!outer.everywhere && !outer.ranks.test(rank)) continue;
    made.ranks.set(rank);
    made.nodes.push_back(node);
  }
  scopes_.push_back(std::move(made));
  return scopes_.size() - 1;
}

std::int64_t Attempt::room_in(const Scope& scope, ShapeId shape) {
  const Room& room = rooms_.of(shape);
  if (scope.everywhere) return room.total();
  return std::accumulate(scope.nodes.begin(), scope.nodes.end(), std::int64_t{0},
                         [&](std::int64_t sum, NodeId node) { return sum + room.on(node); });
}

// --- Pods -----------------------------------------------------------------------------------------------------------

void Attempt::put(std::uint32_t demand, const Choice& choice) {
  const PodId pod = core_[demand].pods[static_cast<std::size_t>(used_[demand]++)];
  world_.place(pod, choice.node, choice.card);
  placed_.push_back({pod, choice});
  placed_for_.push_back(demand);
}

void Attempt::roll_back(const World::Mark& mark, std::size_t placed) {
  world_.rollback(mark);
  for (std::size_t i = placed; i < placed_for_.size(); ++i) --used_[placed_for_[i]];
  placed_for_.resize(placed);
  placed_.resize(placed);
}

Question Attempt::ask(std::uint32_t demand) {
  const ShapeId shape = core_[demand].shape;
  Question question{.world = world_,
                    .shape = world_.shape(shape),
                    .plan = world_.topology().plan(shape),
                    .lifted = options_.lifted,
                    .closed = {}};
  closed_.clear();
  if (keeps_promises()) {
    closed_ = closed_nodes(world_, question, core_[demand].pods[static_cast<std::size_t>(used_[demand])]);
  }
  question.closed = closed_;
  return question;
}

Choice Attempt::choose(std::uint32_t demand, const Scope& scope) {
  const PodId pod = core_[demand].pods[static_cast<std::size_t>(used_[demand])];
  const Question question = ask(demand);
  if (!options_.lifted) {
    return search_.best(core_[demand].shape, NameId::none(), world_.pod(pod).tie, question.closed,
                        scope.everywhere ? nullptr : &scope.ranks);
  }
  const auto found = std::ranges::find_if(scope.nodes, [&](NodeId node) { return check_all(question, node).fits(); });
  return found == scope.nodes.end() ? Choice{} : Choice{.node = *found};
}

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

// --- Equal nodes ----------------------------------------------------------------------------------------------------

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
