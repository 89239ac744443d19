// An attempt's way from leaves to domains: slices, and pods that are packed into few domains.
#include <algorithm>

#include "engine/gang/attempt.h"
#include "engine/gang/balance.h"

namespace berth::engine {

std::vector<SliceGap> Attempt::gaps_of(std::uint32_t group) {
  return gaps_of_slices(world_, workload_, group, trees_.tree(trees_.levels_of(rule(group))),
                        [&](PodId pod) { return runs_before(pod); });
}

std::vector<std::int64_t> Attempt::room_by_domain(const Task& task, const DomainTree& tree, std::size_t level) {
  Kinds kinds;
  add_kinds(task, kinds);
  std::vector<std::int64_t> least;
  for (const Kind& kind : kinds) {
    const Room& room = rooms_.of(kind.example);
    std::vector<std::int64_t> sums(tree.domains(level).size(), 0);
    for (const NodeId node : scopes_[task.scope].nodes) {
      const std::uint32_t domain = tree.domain_of(level, node);
      if (domain != DomainTree::kNone) sums[domain] += room.on(node);
    }
    if (least.empty()) least = sums;
    for (std::size_t i = 0; i < sums.size(); ++i) least[i] = std::min(least[i], sums[i]);
  }
  return least;
}

void Attempt::push_loads(const std::vector<Load>& loads, std::uint32_t group, ScopeId scope) {
  // The last is done first.
  for (auto load = loads.rbegin(); load != loads.rend(); ++load) {
    if (load->pods == 0) continue;
    agenda_.push_back({.kind = Task::Kind::kPlain,
                       .group = group,
                       .demand = load->demand,
                       .remaining = load->pods,
                       .scope = scope,
                       .loads = {},
                       .gaps = {}});
  }
}

// Equal numbers of slices in as few domains as will do, in one go (gang/balance.h).
bool Attempt::expand_balanced(const Task& task) {
  const std::size_t size = agenda_.size();
  const TopologyRule& asked = rule(task.group);
  const DomainTree& tree = trees_.tree(trees_.levels_of(asked));
  const std::size_t level = tree.level_of(asked.slice_level);
  std::vector<std::int64_t> slices = room_by_domain(task, tree, level);
  for (std::int64_t& each : slices) each /= asked.slice_size;
  const std::int32_t wanted = (task.remaining + asked.slice_size - 1) / asked.slice_size;
  std::vector<Load> loads = task.loads;
  std::size_t next = 0;
  std::int32_t left = task.remaining;
  for (const DomainPart& part : balanced_parts(slices, wanted)) {
    auto pods = static_cast<std::int32_t>(std::min<std::int64_t>(part.slices * asked.slice_size, left));
    left -= pods;
    std::vector<Load> here;
    while (pods > 0) {
      Load& load = loads[next];
      const std::int32_t taken = std::min(load.pods, pods);
      here.push_back({load.demand, taken});
      load.pods -= taken;
      pods -= taken;
      if (load.pods == 0) ++next;
    }
    push_loads(here, task.group, narrow(task.scope, tree, level, part.domain));
  }
  if (left == 0 && go_on(size)) return true;
  agenda_.resize(size);
  return false;
}

std::int32_t Attempt::fill(std::vector<Load>& loads, const Scope& scope, std::int32_t most, std::int32_t unit) {
  std::int32_t all = 0;
  for (const Load& load : loads) all += load.pods;
  std::int32_t done = 0;
  World::Mark whole = world_.mark();  // the last state with whole units only
  std::size_t whole_placed = placed_.size();
  std::vector<Load> whole_loads = unit > 1 ? loads : std::vector<Load>();
  for (Load& load : loads) {
    while (load.pods > 0 && done < most) {
      const Choice choice = choose(load.demand, scope);
      if (choice.node.is_none()) break;
      put(load.demand, choice);
      --load.pods;
      if (++done % unit != 0 || unit == 1) continue;
      whole = world_.mark();
      whole_placed = placed_.size();
      whole_loads = loads;
    }
  }
  if (done == all || done % unit == 0) return done;
  roll_back(whole, whole_placed);
  loads = whole_loads;
  return done / unit * unit;
}

namespace {

// The tightest domain that takes all that is left, or else the one that takes most whole units; its position, or the
// number of domains. What a domain takes is rounded down to such units.
std::size_t best_domain(std::vector<std::int64_t>& room, std::int32_t wanted, std::int32_t unit) {
  std::size_t best = room.size();
  for (std::size_t i = 0; i < room.size(); ++i) {
    const bool last_part = room[i] >= wanted;
    room[i] = last_part ? room[i] : room[i] / unit * unit;
    if (room[i] <= 0) continue;
    const bool suffices = best < room.size() && room[best] >= wanted;
    const bool better =
        last_part ? !suffices || room[i] < room[best] : !suffices && (best == room.size() || room[i] > room[best]);
    if (better) best = i;
  }
  return best;
}

}  // namespace

// Fills domain after domain of the slice or preferred level, so that few domains are touched.
bool Attempt::expand_by_domain(const Task& task) {
  const std::size_t size = agenda_.size();
  const std::size_t placed = placed_.size();
  const World::Mark mark = world_.mark();
  const TopologyRule& asked = rule(task.group);
  const bool slices = task.kind == Task::Kind::kSlices;
  const DomainTree& tree = trees_.tree(trees_.levels_of(asked));
  const std::size_t level = tree.level_of(slices ? asked.slice_level : asked.preferred);
  const std::int32_t unit = slices ? asked.slice_size : 1;
  std::vector<std::int64_t> room = room_by_domain(task, tree, level);
  Task rest = task;
  std::int32_t done = 0;
  for (std::size_t best = best_domain(room, task.remaining, unit); best < room.size() && done == 0;
       best = best_domain(room, task.remaining, unit)) {
    const ScopeId inside = narrow(task.scope, tree, level, static_cast<std::uint32_t>(best));
    const auto most = static_cast<std::int32_t>(std::min<std::int64_t>(room[best], task.remaining));
    done = fill(rest.loads, scopes_[inside], most, unit);
    room[best] = 0;  // who fits least there has rules that its amounts do not show
  }
  rest.remaining -= done;
  // A slice goes into one domain, but a wish is no rule: who finds none goes anywhere.
  if (done > 0 || !slices) {
    if (done == 0) {
      push_loads(rest.loads, task.group, task.scope);
    } else if (rest.remaining > 0) {
      agenda_.push_back(rest);
    }
    if (go_on(size)) return true;
    agenda_.resize(size);
  }
  roll_back(mark, placed);
  return false;
}

bool Attempt::expand_mixture(const Task& rest, std::size_t position, std::int32_t pods, ScopeId inside,
                             std::vector<Load>& chosen) {
  if (pods == 0) {
    const std::size_t size = agenda_.size();
    if (rest.remaining > 0) agenda_.push_back(rest);
    push_loads(chosen, rest.group, inside);
    if (could_hold_agenda(inside) && go_on(size)) return true;
    agenda_.resize(size);
    return false;
  }
  if (position == rest.loads.size()) return false;
  const Load& load = rest.loads[position];
  std::int32_t later = 0;
  for (std::size_t i = position + 1; i < rest.loads.size(); ++i) later += rest.loads[i].pods;
  const std::int64_t room = room_in(scopes_[inside], core_[load.demand].shape);
  const auto most = static_cast<std::int32_t>(std::min<std::int64_t>(room, std::min(pods, load.pods)));
  for (std::int32_t take = most; take >= std::max(0, pods - later); --take) {
    Task less = rest;
    less.loads[position].pods -= take;
    less.remaining -= take;
    chosen.push_back({load.demand, take});
    const bool found = expand_mixture(less, position + 1, pods - take, inside, chosen);
    chosen.pop_back();
    if (found) return true;
    if (!exact_ || *steps_ >= options_.step_limit) return false;
  }
  return false;
}

// Members that a slice lost come back into its own domain.
bool Attempt::expand_gap(const Task& task) {
  const DomainTree& tree = trees_.tree(trees_.levels_of(rule(task.group)));
  Task rest = task;
  const SliceGap gap = rest.gaps.front();
  rest.gaps.erase(rest.gaps.begin());
  const ScopeId inside = narrow(task.scope, tree, tree.level_of(rule(task.group).slice_level), gap.domain);
  std::vector<Load> chosen;
  return expand_mixture(rest, 0, std::min(gap.missing, task.remaining), inside, chosen);
}

bool Attempt::expand_slices_exact(const Task& task) {
  const TopologyRule& asked = rule(task.group);
  const DomainTree& tree = trees_.tree(trees_.levels_of(asked));
  const std::size_t level = tree.level_of(asked.slice_level);
  const std::int32_t slice = std::min(asked.slice_size, task.remaining);
  const bool equal = slice == asked.slice_size && !rules_among_pods_;  // the last may be smaller
  for (std::uint32_t domain = equal ? task.first : 0; domain < tree.domains(level).size(); ++domain) {
    const ScopeId inside = narrow(task.scope, tree, level, domain);
    if (scopes_[inside].nodes.empty()) continue;
    Task rest = task;
    rest.first = domain;
    std::vector<Load> chosen;
    if (expand_mixture(rest, 0, slice, inside, chosen)) return true;
    if (*steps_ >= options_.step_limit) return false;
  }
  return false;
}

}  // namespace berth::engine
