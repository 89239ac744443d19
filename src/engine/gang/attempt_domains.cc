// An attempt's way from groups to domains: which domains a group may go to, and what is on the agenda within one.
#include <algorithm>
#include <map>
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

}  // namespace berth::engine
