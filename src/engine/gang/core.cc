#include "engine/gang/core.h"

#include <algorithm>
#include <numeric>

#include <boost/unordered/unordered_flat_map.hpp>

#include "base/mutant.h"

namespace berth::engine {
namespace {

using Next = std::function<bool()>;  // what to do with the choice made so far; true: stop

class Cores {
 public:
  Cores(const Workload& workload, const Wanting& wanting, std::size_t limit,
        const std::function<bool(const Core&)>& visit)
      : workload_(workload), wanting_(wanting), limit_(limit), visit_(visit), take_(workload.groups.size(), 0) {}

  CoreSearch run(std::uint32_t group) {
    const bool stopped = choose(group, [&] { return compose(0); });
    if (hit_limit_) return CoreSearch::kLimit;
    return stopped ? CoreSearch::kStopped : CoreSearch::kExhausted;
  }

 private:
  [[nodiscard]] const GroupInput& input(std::uint32_t group) const { return workload_.input.groups[group]; }

  // Members of a leaf that may still be taken.
  [[nodiscard]] std::int32_t left(std::uint32_t leaf) const {
    const std::int32_t room = input(leaf).maximum_pods == GroupInput::kAll
                                  ? GroupInput::kAll
                                  : input(leaf).maximum_pods - workload_.groups[leaf].placed;
    return std::min(wanting_.count(leaf), std::max(room, 0)) - take_[leaf];
  }
  [[nodiscard]] std::int32_t counted(std::uint32_t group) const {
    const Group& here = workload_.groups[group];
    if (here.is_leaf()) return here.placed + here.succeeded + take_[group];
    return std::accumulate(here.children.begin(), here.children.end(), 0,
                           [&](std::int32_t sum, std::uint32_t child) { return sum + counted(child); });
  }

  // Satisfies a group in every way that is minimal for its children, then goes on.
  bool choose(std::uint32_t group, const Next& next) {
    const Group& here = workload_.groups[group];
    if (here.is_leaf()) return top_up(group, next);
    const auto children = static_cast<std::int32_t>(here.children.size());
    const std::int32_t needed = std::min(input(group).minimum_children, children);
    return choose_children(group, 0, needed, [&] { return top_up(group, next); });
  }

  // Of the children from `position` on, `needed` have to be satisfied.
  bool choose_children(std::uint32_t group, std::size_t position, std::int32_t needed, const Next& next) {
    const std::vector<std::uint32_t>& children = workload_.groups[group].children;
    if (needed <= 0) return next();
    if (static_cast<std::size_t>(needed) > children.size() - position) return false;
    return choose(children[position], [&] { return choose_children(group, position + 1, needed - 1, next); }) ||
           (!hit_limit_ && choose_children(group, position + 1, needed, next));
  }

  // Adds pods below the group until its own minimum is reached, in every distribution over its leaves.
  bool top_up(std::uint32_t group, const Next& next) {
    const std::int32_t missing = input(group).minimum_pods - counted(group);
    if (missing <= 0) return next();
    std::vector<std::uint32_t> leaves;
    add_leaves(group, leaves);
    return distribute(leaves, 0, missing, next);
  }
  void add_leaves(std::uint32_t group, std::vector<std::uint32_t>& leaves) const {
    if (workload_.groups[group].is_leaf()) leaves.push_back(group);
    for (const std::uint32_t child : workload_.groups[group].children) add_leaves(child, leaves);
  }
  bool distribute(const std::vector<std::uint32_t>& leaves, std::size_t position, std::int32_t missing,
                  const Next& next) {
    if (missing == 0) return next();
    if (position == leaves.size()) return false;
    const std::uint32_t leaf = leaves[position];
    const std::int32_t before = take_[leaf];
    for (std::int32_t more = std::min(missing, left(leaf)); more >= 0; --more) {
      take_[leaf] = before + more;
      const bool stopped = distribute(leaves, position + 1, missing - more, next);
      take_[leaf] = before;
      if (stopped || hit_limit_) return stopped;
    }
    return false;
  }

  // The counts per leaf are chosen; now the shapes.
  bool compose(std::uint32_t leaf) {
    if (leaf == take_.size()) return tell();
    if (take_[leaf] == 0) return compose(leaf + 1);
    const auto& shapes = wanting_.by_group[leaf];
    if (shapes.size() == 1 || take_[leaf] == wanting_.count(leaf)) {
      return with(leaf, first_members(leaf), [&] { return compose(leaf + 1); });
    }
    const std::vector<std::int32_t> preferred = first_members(leaf);
    if (with(leaf, preferred, [&] { return compose(leaf + 1); })) return true;
    std::vector<std::int32_t> counts(shapes.size(), 0);
    return mix(leaf, 0, take_[leaf], counts, preferred);
  }
  [[nodiscard]] std::vector<std::int32_t> first_members(std::uint32_t leaf) const {
    const auto& shapes = wanting_.by_group[leaf];
    std::vector<std::int32_t> counts(shapes.size(), 0);
    if (shapes.size() == 1) return {take_[leaf]};
    for (std::size_t i = 0; i < static_cast<std::size_t>(take_[leaf]); ++i) ++counts[wanting_.shapes_in_order[leaf][i]];
    return counts;
  }
  bool mix(std::uint32_t leaf, std::size_t shape, std::int32_t left, std::vector<std::int32_t>& counts,
           const std::vector<std::int32_t>& preferred) {
    const auto& shapes = wanting_.by_group[leaf];
    if (hit_limit_) return false;
    if (shape == shapes.size()) {
      if (left > 0 || counts == preferred) return false;
      return with(leaf, counts, [&] { return compose(leaf + 1); });
    }
    for (std::int32_t take = std::min(left, static_cast<std::int32_t>(shapes[shape].pods.size())); take >= 0; --take) {
      counts[shape] = take;
      if (mix(leaf, shape + 1, left - take, counts, preferred)) return true;
    }
    counts[shape] = 0;
    return false;
  }
  bool with(std::uint32_t leaf, const std::vector<std::int32_t>& counts, const Next& next) {
    const std::size_t before = core_.size();
    for (std::size_t i = 0; i < counts.size(); ++i) {
      if (counts[i] == 0) continue;
      const auto& of_shape = wanting_.by_group[leaf][i];
      core_.push_back({leaf, of_shape.shape, {of_shape.pods.begin(), of_shape.pods.begin() + counts[i]}});
    }
    const bool stopped = next();
    core_.resize(before);
    return stopped;
  }

  bool tell() {
    if (told_++ >= limit_) {
      hit_limit_ = true;
      return false;
    }
    return visit_(core_);
  }

  const Workload& workload_;
  const Wanting& wanting_;
  std::size_t limit_;
  const std::function<bool(const Core&)>& visit_;
  std::vector<std::int32_t> take_;  // by group
  Core core_;
  std::size_t told_ = 0;
  bool hit_limit_ = false;
};

}  // namespace

Wanting wanting_of(const World& world, const Workload& workload) {
  Wanting result;
  result.by_group.resize(workload.groups.size());
  result.in_order.resize(workload.groups.size());
  result.shapes_in_order.resize(workload.groups.size());
  // Members often differ in a label only, so there may be as many shapes as members.
  boost::unordered_flat_map<ShapeId, std::uint32_t> places;
  for (std::size_t group = 0; group < workload.groups.size(); ++group) {
    if (!workload.groups[group].is_leaf()) continue;
    result.in_order[group] = world.wanting(workload.groups[group]);
    auto& shapes = result.by_group[group];
    places.clear();
    for (const PodId pod : result.in_order[group]) {
      const ShapeId shape = world.pod(pod).shape;
      const auto [entry, added] = places.try_emplace(shape, static_cast<std::uint32_t>(shapes.size()));
      if (added) shapes.push_back({shape, {}});
      shapes[entry->second].pods.push_back(pod);
      result.shapes_in_order[group].push_back(entry->second);
    }
  }
  return result;
}

CoreSearch for_each_core(const Workload& workload, const Wanting& wanting, std::size_t limit,
                         const std::function<bool(const Core&)>& visit, std::uint32_t group) {
  return Cores(workload, wanting, limit, visit).run(group);
}

std::uint32_t growth_of(const Workload& workload, std::uint32_t leaf) {
  std::uint32_t result = kNoGroup;
  for (std::uint32_t at = leaf; at != 0; at = workload.input.groups[at].parent) {
    if (!is_group_satisfied(workload, at)) result = at;
  }
  return mutant("Rule.GrowsByWholeGroups") ? kNoGroup : result;
}

void for_each_growth(const Wanting& wanting, std::uint32_t leaf, std::int32_t pods,
                     const std::function<bool(const Core&)>& visit) {
  if (pods <= 0 || wanting.count(leaf) < pods) return;
  const auto& shapes = wanting.by_group[leaf];
  std::vector<std::int32_t> counts(shapes.size(), 0);
  for (std::size_t i = 0; i < static_cast<std::size_t>(pods); ++i) ++counts[wanting.shapes_in_order[leaf][i]];
  Core first;
  for (std::size_t i = 0; i < shapes.size(); ++i)
    if (counts[i] > 0)
      first.push_back({leaf, shapes[i].shape, {shapes[i].pods.begin(), shapes[i].pods.begin() + counts[i]}});
  if (visit(first)) return;
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    if (counts[i] == pods || static_cast<std::int32_t>(shapes[i].pods.size()) < pods) continue;
    if (visit({{leaf, shapes[i].shape, {shapes[i].pods.begin(), shapes[i].pods.begin() + pods}}})) return;
  }
}

}  // namespace berth::engine
