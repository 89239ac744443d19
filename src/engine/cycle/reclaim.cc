#include "engine/cycle/reclaim.h"

#include <algorithm>
#include <map>
#include <span>

#include "base/mutant.h"
#include "engine/amounts.h"
#include "engine/cycle/budgets.h"
#include "engine/cycle/units_by_node.h"
#include "engine/fit/capacity.h"
#include "engine/gang/to_come.h"

namespace berth::engine {
namespace {

bool may_have_victims(const World& world, const Fairness& fairness, const EvictionOrder& order,
                      const Workload& workload, const Core& core);

class Plan {
 public:
  Plan(World& world, JointPlacement& placement, EvictionOrder& order, WorkloadId workload,
       const PlacementOptions& options)
      : world_(world),
        placement_(placement),
        order_(order),
        id_(workload),
        workload_(world.workloads()[workload]),
        options_(options),
        fairness_(*options.fairness),
        budgets_(world) {}

  std::optional<std::vector<Victim>> make(Time now) {
    if (!first_core() || !may_have_victims(world_, fairness_, order_, workload_, core_)) return std::nullopt;
    order_.refresh(now);
    const std::vector<Domain> domains = domains_of();
    if (domains.empty()) return anywhere();
    const Domain* best = nullptr;
    std::optional<Loss> least;
    for (const Domain& domain : domains) {
      const World::Mark start = world_.mark();
      if (!in_domain(&domain)) continue;
      const Loss loss = loss_of_plan();
      world_.rollback(start);
      if (least && *least <= loss) continue;
      least = loss;
      best = &domain;
    }
    return best == nullptr ? std::nullopt : in_domain(best);
  }

 private:
  // Where all of the workload could be, and who there may go for it, cheapest first.
  struct Domain {
    Bitmap nodes;  // by rank
    std::vector<const EvictionUnit*> units;
  };
  struct Taken {
    const EvictionUnit* unit = nullptr;
    std::vector<PodId> pods;  // those of the unit, and of a whole workload all that were left
    std::vector<NodeId> nodes;
    std::vector<std::vector<CardAssignment>> cards;
    bool gone = true;
  };

  // The cheapest units wherever they are, or those of the nodes that cost least, if these lose less together. One unit
  // is the cheapest there is.
  std::optional<std::vector<Victim>> anywhere() {
    const World::Mark start = world_.mark();
    std::optional<std::vector<Victim>> plan = in_domain(nullptr);
    const auto gone = std::ranges::count_if(taken_, [](const Taken& taken) { return taken.gone; });
    if (!plan || gone < 2 || mutant("Rule.SmallestLossOverNodes")) return plan;
    const Loss loss = loss_of_plan();
    world_.rollback(start);
    Domain by_node{.nodes = Bitmap(world_.rank_count(), true), .units = {}};
    // Who needs most of a node decides where.
    const auto hardest = std::ranges::max_element(core_, {}, [&](const CorePart& part) {
      const Shape& shape = world_.shape(part.shape);
      Amount cards = 0;
      for (const CardRequest& each : shape.input.cards) cards += each.total();
      return std::pair(cards, amount_in(shape.charge, kCpu));
    });
    by_node.units = units_by_node(world_, order_, id_, hardest->shape,
                                  [&](const EvictionUnit& unit) { return is_legal(unit) && helps(unit); });
    if (in_domain(&by_node)) {
      const bool better = loss_of_plan() < loss;
      world_.rollback(start);
      return in_domain(better ? &by_node : nullptr);
    }
    return in_domain(nullptr);
  }

  // None: not all of the workload has to be in one domain.
  std::vector<Domain> domains_of() {
    std::vector<Domain> result;
    const TopologyRule& rule = workload_.input.groups.front().topology;
    if (rule.required.is_none() || options_.any_domain || mutant("Rule.SmallestLossOverDomains")) return result;
    DomainTrees& trees = placement_.trees();
    const DomainTree& tree = trees.tree(trees.levels_of(rule));
    const std::size_t level = tree.level_of(rule.required);
    for (const DomainTree::Domain& domain : tree.domains(level)) {
      Domain& made = result.emplace_back();
      made.nodes = Bitmap(world_.rank_count());
      for (const NodeId node : domain.nodes) made.nodes.set(world_.node(node).rank);
    }
    order_.for_each(id_, [&](const EvictionUnit& unit) {
      for (const PodId pod : unit.pods) {
        const std::uint32_t domain = tree.domain_of(level, world_.pod(pod).node);
        if (domain == DomainTree::kNone) continue;
        std::vector<const EvictionUnit*>& units = result[domain].units;
        if (units.empty() || units.back() != &unit) units.push_back(&unit);
      }
      return false;
    });
    return result;
  }

  // Victims gone and the core placed, or nothing and the world as it was.
  std::optional<std::vector<Victim>> in_domain(const Domain* domain) {
    domain_ = domain;
    placing_ = options_;
    placing_.evicting = true;
    if (domain != nullptr) placing_.within = &domain->nodes;
    taken_.clear();
    next_proof_ = 1;
    budgets_ = BudgetCount(world_);
    const std::vector<Borrowed> borrowed = borrowed_by_path();
    const World::Mark start = world_.mark();
    if (!evict_until_it_fits()) {
      world_.rollback(start);
      return std::nullopt;
    }
    give_back_what_is_not_needed();
    std::vector<Victim> victims;
    for (const Taken& taken : taken_) {
      if (!taken.gone) continue;
      for (std::size_t i = 0; i < taken.pods.size(); ++i) victims.push_back({taken.pods[i], taken.nodes[i]});
    }
    if (victims.empty() || !fits(true) || is_answered(borrowed)) {
      world_.rollback(start);
      return std::nullopt;
    }
    return victims;
  }

  // What a queue of the workload's path uses beyond its guarantee.
  struct Borrowed {
    QueueId queue;
    ResourceId resource;
    Amount beyond = 0;
  };
  std::vector<Borrowed> borrowed_by_path() const {
    std::vector<Borrowed> result;
    const QueueTree& tree = world_.workloads().queues();
    for (QueueId at = workload_.queue(); at != QueueTree::kRoot; at = tree.parent(at)) {
      for (const ResourceAmount& each : guaranteed_) {
        if (const std::optional<Amount> claim = fairness_.claim(at, each.resource))
          result.push_back(
              {at, each.resource, std::max<Amount>(world_.workloads().ledger().used(at, each.resource) - *claim, 0)});
      }
    }
    return result;
  }
  // Who evicts in its own queue by priority may not borrow more by it where somebody waits who may take that back: that
  // one's victims would come again, and so would these.
  bool is_answered(const std::vector<Borrowed>& before) const {
    const bool in_queue = std::ranges::any_of(
        taken_, [&](const Taken& taken) { return taken.gone && taken.unit->queue == workload_.queue(); });
    if (!in_queue || mutant("Rule.NobodyIsEvictedToBorrow")) return false;
    const std::vector<Borrowed> now = borrowed_by_path();
    for (std::size_t i = 0; i < now.size(); ++i)
      if (now[i].beyond > before[i].beyond && is_wanted_back(now[i])) return true;
    return false;
  }
  bool is_wanted_back(const Borrowed& borrowed) const {
    const Workloads& workloads = world_.workloads();
    const QueueTree& tree = workloads.queues();
    for (std::size_t i = 0; i < workloads.size(); ++i) {
      const Workload& other = workloads[WorkloadId{i}];
      if (!other.known || other.queue() == workload_.queue() || is_satisfied(other)) continue;
      const QueueId theirs = tree.child_towards(tree.parent(borrowed.queue), other.queue());
      if (theirs.is_none() || theirs == borrowed.queue) continue;
      if (workloads.ledger().used(theirs, borrowed.resource) < fairness_.claim(theirs, borrowed.resource).value_or(0))
        return true;
    }
    return false;
  }
  [[nodiscard]] Loss loss_of_plan() const {
    Loss loss;
    for (const Taken& taken : taken_)
      if (taken.gone) loss.add(*taken.unit, taken.pods.size());
    return loss;
  }

  // The preferred core stands for all where victims are judged; the proof asks every core.
  bool first_core() {
    const Wanting wanting = wanting_of(world_, workload_);
    std::size_t cores = 0;
    for_each_core(workload_, wanting, 2, [&](const Core& core) {
      if (++cores == 1) core_ = core;
      return cores == 2;
    });
    only_core_ = cores == 1;
    for (const auto& shapes : wanting.by_group)
      for (const Wanting::OfShape& each : shapes) shapes_.push_back(each.shape);
    charge_ = added_charge(workload_, charge_of(world_, core_));
    for (const ResourceAmount& each : charge_) {
      bool guaranteed = false;
      for (QueueId at = workload_.queue(); at != QueueTree::kRoot; at = world_.workloads().queues().parent(at)) {
        guaranteed = guaranteed || fairness_.claim(at, each.resource).has_value();
      }
      if (guaranteed && each.resource != kPods) guaranteed_.push_back(each);
    }
    for (const CorePart& demand : core_) needed_[demand.shape] += static_cast<std::int64_t>(demand.pods.size());
    return cores > 0;
  }

  // Is it worth asking? Room for each shape, and quota. Another core may need less of both.
  bool may_fit() {
    if (!only_core_ && !mutant("Rule.BoundOfOneCore")) return true;
    if (is_short_of_quota()) return false;
    return std::ranges::all_of(
        needed_, [&](const auto& entry) { return placement_.rooms().of(entry.first).total() >= entry.second; });
  }
  bool fits(bool keep) {
    const World::Mark mark = world_.mark();
    if (placement_.place_core(workload_, placing_) != PlacementOutcome::kPlaced) return false;
    if (!keep) world_.rollback(mark);
    return true;
  }

  [[nodiscard]] bool is_short_of_quota() const {
    return quota_block(world_, fairness_, workload_, core_, true).has_value();
  }
  // Would the unit's going help at all: a node that the workload can use, or quota that it lacks?
  bool helps(const EvictionUnit& unit) {
    return is_short_of_quota() || std::ranges::any_of(unit.pods, [&](PodId pod) {
             return std::ranges::any_of(shapes_, [&](ShapeId shape) { return usable(shape, world_.pod(pod).node); });
           });
  }
  bool usable(ShapeId shape_id, NodeId node) {
    if (domain_ != nullptr && !domain_->nodes.test(world_.node(node).rank)) return false;
    const Shape& shape = world_.shape(shape_id);
    const Question question{world_, shape, no_rules_, true};
    return how_many_fit(question, node) > 0;
  }

  // A whole workload, or a group of it, takes with it what it holds above its minimums and has not lost yet.
  std::vector<PodId> pods_of(const EvictionUnit& unit) {
    if (unit.workload.is_none() || (unit.surplus && unit.group == kNoGroup)) return unit.pods;
    const Workload& workload = world_.workloads()[unit.workload];
    std::vector<PodId> result;
    for (const EvictionUnit* part : order_.of(unit.workload)) {
      for (const PodId pod : part->pods) {
        const bool inside = !unit.surplus || is_group_below(workload, world_.pod(pod).group, unit.group);
        if (inside && world_.pod(pod).state == PodState::kPlaced) result.push_back(pod);
      }
    }
    return result;
  }

  bool is_legal(const EvictionUnit& unit) {
    if (!may_reclaim(world_, fairness_, workload_, charge_, unit)) return false;
    const bool across = unit.queue != workload_.queue() && workload_.queue() != QueueTree::kRoot;
    return !across || !order_.is_covered(unit, guaranteed_);
  }

  bool evict_until_it_fits() {
    // Who is no victim while newer work of the own queue fills its guarantee may be one once that is gone.
    std::size_t before = 0;
    do {
      before = taken_.size();
      bool fitted = false;
      const auto visit = [&](const EvictionUnit& unit) { return fitted = evict(unit) && try_now(); };
      for (std::size_t i = 0; domain_ != nullptr && !fitted && i < domain_->units.size(); ++i)
        visit(*domain_->units[i]);
      // Outside the domain only quota can be won.
      if (!fitted && (domain_ == nullptr || is_short_of_quota())) order_.for_each(id_, visit);
      if (fitted) return true;
    } while (taken_.size() != before);
    return !taken_.empty() && may_fit() && fits(false);
  }
  // True if it is gone now.
  bool evict(const EvictionUnit& unit) {
    if (world_.pod(unit.pods.front()).state != PodState::kPlaced || !is_legal(unit) || !helps(unit)) return false;
    const std::vector<PodId> pods = pods_of(unit);
    if (!budgets_.take(pods)) return false;
    Taken& taken = taken_.emplace_back(Taken{.unit = &unit, .pods = pods});
    for (const PodId pod : pods) {
      taken.nodes.push_back(world_.pod(pod).node);
      taken.cards.push_back(world_.pod(pod).cards);
      world_.unplace(pod, PodState::kEvicted);
    }
    return true;
  }
  // A proof costs more than a bound, so failed ones become rarer as the plan grows.
  bool try_now() {
    if (taken_.size() < next_proof_ || !may_fit()) return false;
    if (fits(false)) return true;
    next_proof_ = taken_.size() + std::max<std::size_t>(taken_.size() / 4, 1);
    return false;
  }

  // Nothing of a workload, or of a group, stays whose minimums go.
  bool must_go(const Taken& taken) {
    const EvictionUnit& part = *taken.unit;
    return part.surplus && std::ranges::any_of(taken_, [&](const Taken& other) {
             const EvictionUnit& whole = *other.unit;
             return other.gone && whole.workload == part.workload && contains(whole, part);
           });
  }
  // Does the one unit consist of groups around the surplus of the other?
  bool contains(const EvictionUnit& whole, const EvictionUnit& part) {
    if (!whole.surplus) return true;
    if (whole.group == kNoGroup || whole.group == part.group) return false;
    const std::uint32_t group = part.group == kNoGroup ? world_.pod(part.pods.front()).group : part.group;
    return is_group_below(world_.workloads()[part.workload], group, whole.group);
  }
  void give_back(std::span<Taken> range) {
    for (std::size_t i = range.size(); i-- > 0;) {
      Taken& taken = range[i];
      if (!taken.gone || must_go(taken)) continue;
      for (std::size_t k = 0; k < taken.pods.size(); ++k)
        world_.put_back(taken.pods[k], taken.nodes[k], taken.cards[k]);
      budgets_.give_back(taken.pods);
      taken.gone = false;
    }
  }
  // All of a range if it fits without them, else by halves, the dearer one first.
  void give_back_from(std::span<Taken> range) {
    if (range.empty() || mutant("Rule.MinimalEviction")) return;
    const World::Mark mark = world_.mark();
    const BudgetCount budgets = budgets_;
    give_back(range);
    if (may_fit() && fits(false)) return;
    world_.rollback(mark);
    budgets_ = budgets;
    for (Taken& taken : range) taken.gone = true;
    if (range.size() == 1) return;
    give_back_from(range.subspan(range.size() / 2));
    give_back_from(range.first(range.size() / 2));
  }
  void give_back_what_is_not_needed() { give_back_from(taken_); }

  World& world_;
  JointPlacement& placement_;
  EvictionOrder& order_;
  WorkloadId id_;
  const Workload& workload_;
  const PlacementOptions& options_;
  const Fairness& fairness_;
  PlacementOptions placing_;  // the same, in the domain
  const Domain* domain_ = nullptr;
  BudgetCount budgets_;
  TopologyPlan no_rules_;
  Core core_;
  std::vector<ResourceAmount> charge_;
  std::vector<ResourceAmount> guaranteed_;  // of these, what some queue above it has a guarantee for
  std::map<ShapeId, std::int64_t> needed_;
  bool only_core_ = false;       // no other members would do
  std::vector<ShapeId> shapes_;  // of all members that want a place
  std::vector<Taken> taken_;
  std::size_t next_proof_ = 1;
};

// Can anybody be a legal victim at all? Spares most workloads the look at all pods.
bool may_have_victims(const World& world, const Fairness& fairness, const EvictionOrder& order,
                      const Workload& workload, const Core& core) {
  const std::int32_t priority = workload.input.priority;
  if (order.lowest_priority() < priority ? runs_below(world, priority) : world.has_lower_priority(priority))
    return true;
  const QueueTree& tree = world.workloads().queues();
  const Ledger& ledger = world.workloads().ledger();
  const QueueId own = workload.queue();
  if (own == QueueTree::kRoot) return false;
  const EvictionRight within = tree.input(own).preempts;
  if (within == EvictionRight::kLowerOrNewerEqual || within == EvictionRight::kAny) return true;
  if (tree.input(own).reclaims == EvictionRight::kNever) return false;
  if (!tree.children(own).empty()) return true;  // they may hold what is its own (own_guarantee)
  const std::vector<ResourceAmount> charge = added_charge(workload, charge_of(world, core));
  for (QueueId at = own; at != QueueTree::kRoot; at = tree.parent(at)) {
    const bool named = std::ranges::any_of(charge, [&](const ResourceAmount& each) {
      return each.resource != kPods && fairness.claim(at, each.resource);
    });
    const bool is_within = std::ranges::all_of(charge, [&](const ResourceAmount& each) {
      const std::optional<Amount> claim = fairness.claim(at, each.resource);
      return each.resource == kPods || !claim || ledger.used(at, each.resource) + each.amount <= *claim;
    });
    if (named && is_within) return true;
  }
  return false;
}

}  // namespace

std::optional<std::vector<Victim>> reclaim(World& world, JointPlacement& placement, EvictionOrder& order,
                                           WorkloadId workload, const PlacementOptions& options, Time now) {
  if (!world.workloads()[workload].input.preempts || mutant("Rule.WorkloadPreemption")) return std::nullopt;
  return Plan(world, placement, order, workload, options).make(now);
}

}  // namespace berth::engine
