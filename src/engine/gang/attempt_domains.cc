// An attempt's way from groups to domains: which domains a group may go to, and what is on the agenda within one.
#include <algorithm>
#include <limits>
#include <numeric>

#include "base/mutant.h"
#include "engine/gang/attempt.h"

namespace berth::engine {
namespace {

std::int32_t size_of(const CorePart& demand) { return static_cast<std::int32_t>(demand.pods.size()); }

}  // namespace

std::int32_t Attempt::demanded(std::uint32_t group) const {
  return std::accumulate(core_.begin(), core_.end(), 0, [&](std::int32_t sum, const CorePart& demand) {
    return sum + (is_group_below(workload_, demand.group, group) ? size_of(demand) : 0);
  });
}

bool Attempt::expand_group(const Task& task) {
  const std::size_t size = agenda_.size();
  const TopologyRule& asked = rule(task.group);
  if (options_.any_domain || (asked.required.is_none() && asked.preferred.is_none())) {
    agenda_.push_back(
        {.kind = Task::Kind::kContent, .group = task.group, .scope = task.scope, .loads = {}, .gaps = {}});
    return go_on(size);
  }
  for (const Candidate& candidate : candidates(task.group, scopes_[task.scope])) {
    ScopeId scope = task.scope;
    if (candidate.tree != nullptr) scope = narrow(task.scope, *candidate.tree, candidate.level, candidate.domain);
    agenda_.push_back({.kind = Task::Kind::kContent,
                       .group = task.group,
                       .scope = scope,
                       .pack = candidate.pack,
                       .loads = {},
                       .gaps = {}});
    if ((!exact_ || could_hold_agenda(scope)) && go_on(size)) return true;
    agenda_.resize(size);
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
  const auto pods_per_room = [&](const Task& each) {
    std::int64_t room = std::numeric_limits<std::int64_t>::max();
    for (const Load& load : each.loads) room = std::min(room, room_in(scopes_[task.scope], core_[load.demand].shape));
    if (each.kind == Task::Kind::kPlain) room = room_in(scopes_[task.scope], core_[each.demand].shape);
    return room / std::max(each.remaining, 1);
  };
  std::ranges::stable_sort(pods, std::ranges::greater{}, pods_per_room);
  if (task.pack && !exact_) {
    Task packed{
        .kind = Task::Kind::kPacked, .group = task.group, .scope = task.scope, .pack = true, .loads = {}, .gaps = {}};
    // Who fits least comes first there as well.
    for (auto each = pods.rbegin(); each != pods.rend(); ++each) {
      if (each->kind != Task::Kind::kPlain) continue;
      packed.loads.push_back({each->demand, each->remaining});
      packed.remaining += each->remaining;
    }
    std::erase_if(pods, [](const Task& each) { return each.kind == Task::Kind::kPlain; });
    if (packed.remaining > 0) pods.push_back(std::move(packed));
  }
  agenda_.insert(agenda_.end(), pods.begin(), pods.end());
  agenda_.insert(agenda_.end(), ruled.begin(), ruled.end());
  return go_on(size);
}

void Attempt::push_content(std::uint32_t group, ScopeId scope, std::vector<Task>& ruled, std::vector<Task>& pods) {
  Task slices{.kind = Task::Kind::kSlices, .group = group, .remaining = 0, .scope = scope, .loads = {}, .gaps = {}};
  const bool sliced = rule(group).slice_size > 0 && !options_.any_domain;
  for (std::uint32_t i = 0; i < core_.size(); ++i) {
    if (core_[i].group != group) continue;
    if (sliced) {
      slices.loads.push_back({i, size_of(core_[i])});
      slices.remaining += size_of(core_[i]);
      continue;
    }
    pods.push_back({.kind = Task::Kind::kPlain,
                    .group = group,
                    .demand = i,
                    .remaining = size_of(core_[i]),
                    .scope = scope,
                    .loads = {},
                    .gaps = {}});
  }
  if (slices.remaining > 0) {
    slices.gaps = gaps_of(group);
    // Who fits least goes first.
    std::ranges::stable_sort(slices.loads, {}, [&](const Load& load) {
      return room_in(scopes_[scope], core_[load.demand].shape) / std::max(load.pods, 1);
    });
    pods.push_back(std::move(slices));
  }
  for (const std::uint32_t child : workload_.groups[group].children) {
    if (demanded(child) == 0) continue;
    const TopologyRule& asked = rule(child);
    if (!options_.any_domain && (!asked.required.is_none() || !asked.preferred.is_none())) {
      ruled.push_back({.kind = Task::Kind::kGroup, .group = child, .scope = scope, .loads = {}, .gaps = {}});
    } else {
      push_content(child, scope, ruled, pods);
    }
  }
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
  const DomainRooms needed = domain_rooms(kinds_below(group), tree, level);
  if (needed.kinds.empty()) return;
  const auto largest = std::ranges::max_element(needed.kinds, {}, &Kind::pods);
  const std::vector<std::int64_t>& room = needed.rooms[static_cast<std::size_t>(largest - needed.kinds.begin())];
  const std::size_t first = out.size();
  for (std::uint32_t domain = 0; domain < tree.domains(level).size(); ++domain) {
    if (!pinned.empty() && !pinned[domain]) continue;
    const std::vector<NodeId>& nodes = tree.domains(level)[domain].nodes;
    const bool reachable = scope.everywhere || std::ranges::any_of(nodes, [&](NodeId node) {
                             return scope.ranks.test(world_.node(node).rank);
                           });
    if (!reachable || !needed.each_fits(domain)) continue;
    if (needed.kinds.size() > 1 && !sums_suffice(world_, rooms_, needed.kinds, nodes)) continue;
    if (could_hold_slices(group, tree, level, domain)) out.push_back({.tree = &tree, .level = level, .domain = domain});
  }
  // The tightest that holds all who want to be there, so that large domains stay whole; where none does, the one that
  // holds most.
  const DomainRooms wanted = domain_rooms(wanted_below(group), tree, level);
  std::ranges::stable_sort(out.begin() + static_cast<std::ptrdiff_t>(first), out.end(), {}, [&](const Candidate& each) {
    const bool all = mutant("Rule.DomainForAll") || wanted.each_fits(each.domain);
    return std::pair(!all, all ? room[each.domain] : -room[each.domain]);
  });
}

bool Attempt::DomainRooms::each_fits(std::uint32_t domain) const {
  for (std::size_t i = 0; i < kinds.size(); ++i)
    if (rooms[i][domain] < kinds[i].pods) return false;
  return true;
}

Attempt::DomainRooms Attempt::domain_rooms(Kinds kinds, const DomainTree& tree, std::size_t level) {
  DomainRooms result{.kinds = std::move(kinds), .rooms = {}};
  for (const Kind& kind : result.kinds) result.rooms.push_back(rooms_.of(kind.example).per_domain(tree, level));
  return result;
}

Kinds Attempt::kinds_below(std::uint32_t group) const {
  Kinds result;
  for (const CorePart& demand : core_)
    if (is_group_below(workload_, demand.group, group)) add_pods(world_, result, demand.shape, size_of(demand));
  return result;
}

// Members below the group that want a place, those beyond the core too.
Kinds Attempt::wanted_below(std::uint32_t group) const {
  Kinds result;
  for (std::uint32_t leaf = group; leaf < workload_.groups.size(); ++leaf) {
    if (!workload_.groups[leaf].is_leaf() || !is_group_below(workload_, leaf, group)) continue;
    for (const PodId pod : world_.wanting(workload_.groups[leaf])) add_pods(world_, result, world_.pod(pod).shape, 1);
  }
  return result;
}

// Was it there before this attempt?
bool Attempt::runs_before(PodId pod) const { return std::ranges::find(placed_, pod, &PlacedPod::pod) == placed_.end(); }

bool Attempt::could_hold_slices(std::uint32_t group, const DomainTree& tree, std::size_t level, std::uint32_t domain) {
  for (std::uint32_t leaf = group; leaf < workload_.groups.size(); ++leaf) {
    const TopologyRule& asked = rule(leaf);
    if (asked.slice_size == 0 || !workload_.groups[leaf].is_leaf() || !is_group_below(workload_, leaf, group)) continue;
    const DomainTree& sliced = trees_.tree(trees_.levels_of(asked));
    const std::int32_t pods = demanded(leaf);
    // A domain within one of the slices' keeps no two of a slice apart. The last slice may be a part.
    if (&sliced == &tree && tree.level_of(asked.slice_level) < level) continue;
    if (pods == 0 || &sliced != &tree || pods % asked.slice_size != 0 || !gaps_of(leaf).empty()) continue;
    const DomainRooms rooms = domain_rooms(kinds_below(leaf), tree, tree.level_of(asked.slice_level));
    std::int64_t slices = 0;
    for (std::uint32_t i = 0; i < tree.domains(tree.level_of(asked.slice_level)).size(); ++i) {
      const std::vector<NodeId>& nodes = tree.domains(tree.level_of(asked.slice_level))[i].nodes;
      if (tree.domain_of(level, nodes.front()) != domain) continue;
      std::int64_t most = rooms.rooms[0][i];
      if (rooms.kinds.size() > 1) {
        most = 0;
        for (const std::int64_t each : most_per_node(world_, rooms_, rooms.kinds, nodes)) most += each;
      }
      slices += most / asked.slice_size;
    }
    if (slices * asked.slice_size < pods) return false;
  }
  return true;
}

bool Attempt::is_inside(ScopeId scope, ScopeId outer) const {
  if (scope == outer || scopes_[outer].everywhere) return true;
  return !scopes_[scope].everywhere && scopes_[outer].ranks.contains(scopes_[scope].ranks);
}

void Attempt::add_kinds(const Task& task, Kinds& kinds) const {
  switch (task.kind) {
    case Task::Kind::kPlain:
      return add_pods(world_, kinds, core_[task.demand].shape, task.remaining);
    case Task::Kind::kSlices:
    case Task::Kind::kPacked:
      for (const Load& load : task.loads)
        if (load.pods > 0) add_pods(world_, kinds, core_[load.demand].shape, load.pods);
      return;
    case Task::Kind::kGroup:
    case Task::Kind::kContent:
      for (const CorePart& demand : core_)
        if (is_group_below(workload_, demand.group, task.group)) add_pods(world_, kinds, demand.shape, size_of(demand));
      return;
  }
}

bool Attempt::could_hold_agenda(ScopeId scope) {
  // The whole is what is_possible() looked at.
  for (ScopeId at = scope; at != 0; at = scopes_[at].outer) {
    Kinds kinds;
    for (const Task& task : agenda_)
      if (is_inside(task.scope, at)) add_kinds(task, kinds);
    if (!sums_suffice(world_, rooms_, kinds, scopes_[at].nodes)) return false;
    for (const Weighed& weighed : weighed_) {
      std::int64_t left = 0;
      for (const Kind& kind : kinds) {
        const auto weight = std::ranges::find(weighed.weights, world_.shape(kind.example).search,
                                              &std::pair<SearchId, std::int64_t>::first);
        if (weight != weighed.weights.end()) left += weight->second * kind.pods;
      }
      for (const NodeId node : scopes_[at].nodes) left -= weighed.most[node.index()];
      if (left > 0) return false;
    }
  }
  return true;
}

Attempt::ScopeId Attempt::narrow(ScopeId outer, const DomainTree& tree, std::size_t level, std::uint32_t domain) {
  const auto [entry, added] = narrowed_.try_emplace({outer, &tree, level, domain}, scopes_.size());
  if (!added) return entry->second;
  Scope made{.everywhere = false, .ranks = Bitmap(world_.rank_count()), .nodes = {}, .outer = outer};
  const Scope& from = scopes_[outer];
  for (const NodeId node : tree.domains(level)[domain].nodes) {
    const std::uint32_t rank = world_.node(node).rank;
    if (!from.everywhere && !from.ranks.test(rank)) continue;
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

}  // namespace berth::engine
