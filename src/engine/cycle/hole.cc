// The hold of a workload that lost members.
#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

#include "base/mutant.h"
#include "engine/amounts.h"
#include "engine/cycle/holds.h"
#include "engine/devices/holdings.h"

namespace berth::engine {

namespace {

// Where a member of the group may go because of those of the same domains that run: their domains at each level that a
// rule from the group upwards requires. All nodes where nobody runs yet, or nothing is required.
Bitmap allowed_nodes(const World& world, DomainTrees& trees, const Workload& workload, std::uint32_t leaf) {
  Bitmap allowed(world.rank_count(), true);
  for (std::uint32_t group = leaf;; group = workload.input.groups[group].parent) {
    const TopologyRule& rule = workload.input.groups[group].topology;
    std::vector<NodeId> siblings;
    for (std::uint32_t below = group; below < workload.groups.size() && !rule.required.is_none(); ++below) {
      if (!is_group_below(workload, below, group)) continue;
      for (const PodId member : workload.groups[below].members)
        if (world.pod(member).state == PodState::kPlaced) siblings.push_back(world.pod(member).node);
    }
    if (!siblings.empty()) {
      const DomainTree& tree = trees.tree(trees.levels_of(rule));
      const std::size_t level = tree.level_of(rule.required);
      std::set<std::uint32_t> domains;
      for (const NodeId sibling : siblings) domains.insert(tree.domain_of(level, sibling));
      for (const NodeId node : world.by_rank())
        if (!domains.contains(tree.domain_of(level, node))) allowed.clear(world.node(node).rank);
    }
    if (group == 0) return allowed;
  }
}

// The slices of a leaf that run in part: who is missing there comes back there.
class Gaps {
 public:
  Gaps(const World& world, DomainTrees& trees, const Workload& workload, std::uint32_t leaf) : world_(world) {
    const TopologyRule& rule = workload.input.groups[leaf].topology;
    if (rule.slice_size == 0 || mutant("Rule.HoleOfSlice")) return;
    tree_ = &trees.tree(trees.levels_of(rule));
    level_ = tree_->level_of(rule.slice_level);
    gaps_ = gaps_of_slices(world, workload, leaf, *tree_, [](PodId) { return true; });
  }
  [[nodiscard]] bool empty() const { return gaps_.empty(); }
  // Of the allowed nodes those where the next member that comes back may go.
  Bitmap narrow_next(Bitmap allowed) {
    if (gaps_.empty()) return allowed;
    for (const NodeId node : world_.by_rank())
      if (tree_->domain_of(level_, node) != gaps_.front().domain) allowed.clear(world_.node(node).rank);
    if (--gaps_.front().missing == 0) gaps_.erase(gaps_.begin());
    return allowed;
  }

 private:
  const World& world_;
  const DomainTree* tree_ = nullptr;
  std::size_t level_ = 0;
  std::vector<SliceGap> gaps_;
};

// How many members each leaf lacks for the whole to be whole again, or of a workload that is whole for the groups to be
// that lost members. Of groups of which not all are needed those that hold most come first.
class Lacks {
 public:
  Lacks(const World& world, const Workload& workload)
      : world_(world), workload_(workload), result_(workload.groups.size(), 0) {}

  std::vector<std::int32_t> run() {
    if (!is_satisfied(workload_)) {
      fill(0);
      return result_;
    }
    std::vector<bool> seen(workload_.groups.size(), false);
    for (std::uint32_t leaf = 0; leaf < workload_.groups.size(); ++leaf) {
      if (!workload_.groups[leaf].is_leaf()) continue;
      const std::uint32_t group = growth_of(workload_, leaf);
      if (group == kNoGroup || seen[group] || workload_.groups[group].placed == 0) continue;
      seen[group] = true;
      fill(group);
    }
    return result_;
  }

 private:
  void fill(std::uint32_t group) {
    const Group& here = workload_.groups[group];
    const GroupInput& input = workload_.input.groups[group];
    std::vector<std::uint32_t> children;
    for (const std::uint32_t child : here.children)
      if (!is_group_satisfied(workload_, child)) children.push_back(child);
    std::ranges::stable_sort(children, std::ranges::greater{},
                             [&](std::uint32_t child) { return workload_.groups[child].placed; });
    const auto satisfied = static_cast<std::int32_t>(here.children.size() - children.size());
    const std::int32_t wanted = std::min(input.minimum_children, static_cast<std::int32_t>(here.children.size()));
    for (std::int32_t i = 0; i < wanted - satisfied; ++i) fill(children[static_cast<std::size_t>(i)]);
    std::int32_t missing = input.minimum_pods - here.placed - here.succeeded;
    for (std::uint32_t leaf = group; leaf < workload_.groups.size(); ++leaf)
      if (is_group_below(workload_, leaf, group)) missing -= result_[leaf];
    if (missing > 0) spread(group, missing);
  }
  // To leaves whose members wait, and the rest to the one that holds most.
  void spread(std::uint32_t group, std::int32_t missing) {
    std::uint32_t fullest = kNoGroup;
    for (std::uint32_t leaf = group; leaf < workload_.groups.size(); ++leaf) {
      if (!workload_.groups[leaf].is_leaf() || !is_group_below(workload_, leaf, group)) continue;
      const auto waiting = static_cast<std::int32_t>(world_.wanting(workload_.groups[leaf]).size());
      const std::int32_t here = std::clamp(waiting - result_[leaf], 0, missing);
      result_[leaf] += here;
      missing -= here;
      if (fullest == kNoGroup || workload_.groups[leaf].placed > workload_.groups[fullest].placed) fullest = leaf;
    }
    if (fullest != kNoGroup) result_[fullest] += missing;
  }

  const World& world_;
  const Workload& workload_;
  std::vector<std::int32_t> result_;
};

std::vector<std::int32_t> lacks_of(const World& world, const Workload& workload) {
  return Lacks(world, workload).run();
}

// A member that stands for those that the leaf lost: one of its own, or the largest of the workload, as nobody knows
// any more how they looked.
PodId model_of(const World& world, const Workload& workload, std::uint32_t leaf) {
  const std::vector<PodId>& own = workload.groups[leaf].members;
  if (!own.empty()) return *std::ranges::min_element(own, [&](PodId a, PodId b) { return world.before(a, b); });
  const auto size = [&](PodId pod) {
    Amount cards = 0;
    for (const CardRequest& each : world.shape_of(pod).input.cards) cards += each.total();
    return std::pair(cards, amount_in(world.shape_of(pod).charge, kCpu));
  };
  PodId largest;
  for (const Group& group : workload.groups) {
    for (const PodId pod : group.members) {
      if (largest.is_none() || size(pod) > size(largest) || (size(pod) == size(largest) && world.before(pod, largest)))
        largest = pod;
    }
  }
  return largest;
}

// Room for one more pod like this one where it would go now.
std::optional<HeldRoom> room_like(World& world, Search& search, PodId model, const Bitmap& allowed) {
  const ShapeId like = world.shape_like(model);
  const Shape& shape = world.shape(like);
  if (shape.profile == nullptr) return std::nullopt;
  const Choice choice = search.best(like, NameId::none(), world.pod(model).tie, {}, &allowed);
  if (choice.node.is_none()) return std::nullopt;
  HeldRoom room{.node = choice.node, .amounts = taken_of(shape.input), .cards = {}, .grants = {}};
  if (!mutant("Rule.DevicesAreKept"))
    room.grants = world.holdings().preview(shape.input.claims, choice.node, world.node(choice.node).input);
  for (const CardRequest& request : shape.input.cards) {
    const CardGroup* cards = world.card_group(choice.node, request.resource);
    if (cards != nullptr && request.count > 0) room.cards.push_back(cards->choose(request, choice.card));
  }
  return room;
}

}  // namespace

std::optional<Reservation> hole_of(World& world, JointPlacement& placement, WorkloadId owner, Search& search,
                                   HoldReason why) {
  if (mutant("Rule.HoleIsKept")) return std::nullopt;
  const Workload& workload = world.workloads()[owner];
  const std::set<NameId> had = claims_with_devices(world, workload);
  const bool started = workload.placed() > 0;
  const bool returns = why != HoldReason::kLostMembers || workload.input.members_return || mutant("Rule.NobodyReturns");
  const World::Mark mark = world.mark();
  std::vector<PlacedPod> placed;
  std::vector<HeldRoom> modelled;
  const std::vector<std::int32_t> lacks = lacks_of(world, workload);
  for (std::uint32_t group = 0; group < workload.groups.size(); ++group) {
    const Group& leaf = workload.groups[group];
    std::int32_t missing = lacks[group];
    if (missing == 0) continue;
    for (const PodId pod : world.wanting(leaf)) {
      if (missing <= 0) break;
      if (placement.place(workload, {{group, world.pod(pod).shape, {pod}}}, {}) != PlacementOutcome::kPlaced) continue;
      placed.push_back(placement.placed().front());
      --missing;
    }
    if (missing == 0 || !returns) continue;
    const PodId model = model_of(world, workload, group);
    if (model.is_none()) continue;
    const Bitmap allowed = allowed_nodes(world, placement.trees(), workload, group);
    Gaps gaps(world, placement.trees(), workload, group);
    for (; missing > 0; --missing) {
      std::optional<HeldRoom> room = room_like(world, search, model, gaps.narrow_next(allowed));
      if (!room && gaps.empty()) break;
      if (!room) continue;
      world.hold(*room, 1);
      modelled.push_back(*std::move(room));
    }
  }
  Reservation hold{owner, std::nullopt, why, rooms_of(world, placed, {}, had)};
  // What runs already is charged for pods to come; here is what it would be charged for as well.
  if (!started) hold.to_come = kept_by(workload);
  for (const HeldRoom& room : modelled) world.hold(room, -1);
  world.rollback(mark);
  std::ranges::move(modelled, std::back_inserter(hold.rooms));
  if (hold.rooms.empty()) return std::nullopt;
  return hold;
}

}  // namespace berth::engine
