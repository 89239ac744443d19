#include "engine/gang/pieces.h"

#include <algorithm>

#include "base/mutant.h"

namespace berth::engine {
namespace {

class Splitting {
 public:
  Splitting(const World& world, const Workload& workload)
      : world_(world), workload_(workload), extra_(workload.groups.size(), 0) {}

  Pieces run(const std::vector<PodId>& members) {
    std::vector<PodId> needed;
    for (const PodId pod : members) {
      if (can_do_without(pod)) {
        result_.surplus.push_back({{pod}, kNoGroup});
      } else {
        needed.push_back(pod);
      }
    }
    while (!needed.empty()) {
      const std::uint32_t group = group_without(needed.front());
      if (group == kNoGroup) {
        result_.rest.push_back(needed.front());
        needed.erase(needed.begin());
        continue;
      }
      Piece& piece = result_.surplus.emplace_back(Piece{.pods = {}, .group = group});
      std::erase_if(needed, [&](PodId pod) {
        const bool inside = is_group_below(workload_, world_.pod(pod).group, group);
        if (inside) piece.pods.push_back(pod);
        return inside;
      });
    }
    return std::move(result_);
  }

 private:
  // The widest group below the root that only goes whole, or that is satisfied and would not be without the pod.
  std::uint32_t broken_without(PodId pod) {
    const std::uint32_t leaf = world_.pod(pod).group;
    std::uint32_t result = kNoGroup;
    for (std::uint32_t at = leaf; at != 0; at = workload_.input.groups[at].parent) {
      const bool before = is_group_satisfied(workload_, at, extra_);
      --extra_[leaf];
      if (goes_whole(at) || (before && !is_group_satisfied(workload_, at, extra_))) result = at;
      ++extra_[leaf];
    }
    return result;
  }
  // Counts the pod as gone if no group misses it.
  bool can_do_without(PodId pod) {
    if (broken_without(pod) != kNoGroup && !mutant("Rule.GroupsGoWhole")) return false;
    std::int32_t& here = extra_[world_.pod(pod).group];
    --here;
    if (is_satisfied(workload_, extra_)) return true;
    ++here;
    return false;
  }
  [[nodiscard]] bool goes_whole(std::uint32_t group) const {
    return workload_.input.groups[group].goes_whole && !mutant("Rule.GroupsThatGoWhole");
  }
  // Counts the group that the pod's going would break as gone, if the whole can do without it. Where more goes than the
  // pod, more groups around it may be broken.
  std::uint32_t group_without(PodId pod) {
    std::uint32_t group = broken_without(pod);
    if (group == kNoGroup) return kNoGroup;
    const std::vector<std::int32_t> before = extra_;
    for (std::uint32_t broken = group; broken != kNoGroup; broken = broken_around(group, before)) {
      group = broken;
      take_all(group);
    }
    if (is_satisfied(workload_, extra_)) return group;
    extra_ = before;
    return kNoGroup;
  }
  void take_all(std::uint32_t group) {
    for (std::uint32_t leaf = group; leaf < workload_.groups.size(); ++leaf) {
      if (workload_.groups[leaf].is_leaf() && is_group_below(workload_, leaf, group))
        extra_[leaf] = -workload_.groups[leaf].placed;
    }
  }
  // The widest group around this one that was satisfied before it went.
  [[nodiscard]] std::uint32_t broken_around(std::uint32_t group, const std::vector<std::int32_t>& before) const {
    std::uint32_t result = kNoGroup;
    for (std::uint32_t at = workload_.input.groups[group].parent; at != 0; at = workload_.input.groups[at].parent) {
      if (is_group_satisfied(workload_, at, before) && !is_group_satisfied(workload_, at, extra_)) result = at;
    }
    return result;
  }

  const World& world_;
  const Workload& workload_;
  std::vector<std::int32_t> extra_;  // by group: what has gone, as a negative number
  Pieces result_;
};

// Of a workload that is one group.
Pieces above_minimum(const Workload& workload, const std::vector<PodId>& members) {
  Pieces result;
  std::int32_t above =
      workload.groups.front().placed + workload.groups.front().succeeded - workload.input.groups.front().minimum_pods;
  for (const PodId pod : members) {
    if (above-- > 0) {
      result.surplus.push_back({{pod}, kNoGroup});
    } else {
      result.rest.push_back(pod);
    }
  }
  return result;
}

}  // namespace

Pieces pieces_of(const World& world, const Workload& workload, const std::vector<PodId>& members) {
  if (workload.input.groups.front().goes_whole || !is_satisfied(workload)) return {.surplus = {}, .rest = members};
  if (workload.groups.size() == 1) return above_minimum(workload, members);
  return Splitting(world, workload).run(members);
}

}  // namespace berth::engine
