#include "engine/engine.h"

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

#include <boost/unordered/unordered_flat_map.hpp>

#include "base/mutant.h"
#include "base/random.h"
#include "base/sort_unique.h"
#include "engine/cycle/budgets.h"
#include "engine/cycle/consolidation.h"
#include "engine/cycle/eviction_units.h"
#include "engine/cycle/preemption.h"
#include "engine/cycle/promises.h"
#include "engine/cycle/queue.h"
#include "engine/cycle/workload_cycle.h"
#include "engine/devices/holdings.h"
#include "engine/fit/filters.h"
#include "engine/mutants.h"
#include "engine/reason/classify.h"
#include "engine/reason/explain_workload.h"
#include "engine/reason/kept_for.h"
#include "engine/reason/returned.h"
#include "engine/score/policy_keeper.h"
#include "engine/score/scores.h"
#include "engine/search/full_scan.h"
#include "engine/search/search.h"
#include "engine/world/world.h"

namespace berth::engine {
namespace {

constexpr std::size_t kFirstClaims = 16;  // kinds of claims whose view of the nodes is looked at early

}  // namespace

struct Engine::State {
  State(Config given, const Names& names)
      : config(keeper.adopt(without_mutants(std::move(given)))),
        world(config, names),
        queue(world),
        search(world),
        workloads(world, search, keeper) {}

  void apply(const Event& event);
  // Frees what is kept for shapes that no pod has any more.
  void sweep();
  // What nodes have of devices, and what the first claims see of them, is looked at with the slices, so that decisions
  // do not wait for it.
  void gather_devices();
  void place(PodId pod, NodeId node, const Choice& choice, std::vector<Decision>& decisions);
  // Tries one pod: the decisions that let it run, or false.
  bool try_place(PodId pod, std::vector<Decision>& decisions);
  bool try_reallocation(PodId pod, std::uint64_t draw, std::vector<Decision>& decisions);
  bool try_among_reservations(PodId pod, std::vector<Decision>& decisions);
  void pass(StepResult& result, std::vector<PodId>& failed);
  void add_members(const std::vector<WorkloadId>& ids, std::vector<PodId>& failed) const;
  std::vector<Pending> describe(std::vector<PodId> failed);
  ReasonClass classify_pod(PodId pod);
  // What is asked about a pod, with the nodes closed to it; valid until the next is asked.
  Question ask(PodId pod);

  PolicyKeeper keeper;
  Config config;
  World world;
  Queue queue;
  Search search;
  WorkloadCycle workloads;
  EvictionBounds eviction_bounds;
  Time now = 0;
  bool slices_changed = false;   // since gather_devices()
  std::uint64_t placed = 0;      // decisions so far
  std::vector<PodId> withdrawn;  // see StepResult
  std::vector<NodeId> closed;    // to the pod asked about last
};

Engine::Engine(Config config, const Names& names) : state_(std::make_unique<State>(std::move(config), names)) {}
Engine::~Engine() = default;
Engine::Engine(Engine&&) noexcept = default;
Engine& Engine::operator=(Engine&&) noexcept = default;

void Engine::State::apply(const Event& event) {
  struct Visitor {
    State& state;
    void operator()(const NodeChanged& e) const { state.world.set_node(e.node); }
    void operator()(const NodeRemoved& e) const { state.world.remove_node(e.name); }
    void operator()(const PodChanged& e) const {
      const PodId pod = state.world.set_pod(e.pod);
      const Pod& told = state.world.pod(pod);
      if (told.state == PodState::kPending && told.workload.is_none()) state.queue.add(pod);
    }
    void operator()(const PodRemoved& e) const { state.world.remove_pod(e.name); }
    void operator()(const NamespaceChanged& e) const { state.world.set_namespace(e.namespace_, e.labels); }
    void operator()(const BudgetChanged& e) const { state.world.set_budget(e.budget); }
    void operator()(const BudgetRemoved& e) const { state.world.remove_budget(e.name); }
    void operator()(const WorkloadChanged& e) const { state.world.set_workload(e.workload); }
    void operator()(const WorkloadRemoved& e) const { state.world.remove_workload(e.name); }
    void operator()(const QueueChanged& e) const { state.world.set_queue(e.queue); }
    void operator()(const QueueRemoved& e) const { state.world.remove_queue(e.name); }
    void operator()(const TopologyChanged& e) const { state.world.set_topology(e.topology); }
    void operator()(const TopologyRemoved& e) const { state.world.remove_topology(e.name); }
    void operator()(const SliceChanged& e) const {
      state.world.set_slice(*e.slice);
      state.slices_changed = true;
    }
    void operator()(const SliceRemoved& e) const {
      state.world.remove_slice(e.name);
      state.slices_changed = true;
    }
    void operator()(const ClaimChanged& e) const { state.world.set_claim(*e.claim); }
    void operator()(const ClaimRemoved& e) const { state.world.remove_claim(e.name); }
  };
  std::visit(Visitor{*this}, event);
}

void Engine::State::sweep() {
  if (!world.shapes().wants_sweep()) return;
  const ShapeTable::Swept swept = world.sweep();
  eviction_bounds.forget();
  queue.forget(swept.shapes);
  search.forget(swept.searches);
  workloads.placement().forget(swept.searches);
}

void Engine::State::gather_devices() {
  if (!std::exchange(slices_changed, false)) return;
  std::vector<const std::vector<ClaimUse>*> asked;
  std::vector<std::vector<ClaimSpecId>> different;
  for (std::size_t i = 0; i < world.shapes().size() && asked.size() < kFirstClaims; ++i) {
    const std::vector<ClaimUse>& uses = world.shape(ShapeId(i)).input.claims;
    std::vector<ClaimSpecId> specs;
    for (const ClaimUse& use : uses) specs.push_back(use.spec);
    if (specs.empty() || std::ranges::find(different, specs) != different.end()) continue;
    different.push_back(std::move(specs));
    asked.push_back(&uses);
  }
  for (std::size_t i = 0; i < world.node_slots(); ++i) {
    const NodeId node(i);
    if (!world.node(node).alive) continue;
    const NodeInput& input = world.node(node).input;
    (void)world.holdings().on(node, input);
    for (const std::vector<ClaimUse>* uses : asked) (void)world.holdings().fits(*uses, node, input, true);
  }
}

void Engine::apply(std::span<const Event> events, Time now) {
  state_->now = now;
  for (const Event& event : events) {
    state_->world.gather_slices(std::holds_alternative<SliceChanged>(event) ||
                                std::holds_alternative<SliceRemoved>(event));
    state_->apply(event);
  }
  state_->world.gather_slices(false);
  state_->sweep();
  state_->gather_devices();
}

void Engine::State::place(PodId pod, NodeId node, const Choice& choice, std::vector<Decision>& decisions) {
  world.place(pod, node, choice.card);
  world.commit();
  ++placed;
  decisions.push_back({.kind = Decision::Kind::kPlace,
                       .pod = pod,
                       .node = node,
                       .beneficiary = {},
                       .workload = {},
                       .score = choice.score / unit_of(*world.shape_of(pod).profile),
                       .cards = world.pod(pod).cards});
}

Question Engine::State::ask(PodId pod) {
  Question question{.world = world, .shape = world.shape_of(pod), .plan = world.topology().plan(world.pod(pod).shape)};
  closed.clear();
  if (!world.promises().empty() && question.shape.profile != nullptr) closed = closed_nodes(world, question, pod);
  question.closed = closed;
  return question;
}

bool Engine::State::try_place(PodId pod_id, std::vector<Decision>& decisions) {
  const Pod& pod = world.pod(pod_id);
  if (world.shape_of(pod_id).profile == nullptr) return false;
  keeper.follow(world, world.shape_of(pod_id).kind == kNoCardKind ? 0 : 1);
  const std::uint64_t draw = config.random_ties ? split_mix(config.seed ^ split_mix(placed)) : pod.tie;
  const Choice choice = search.best(pod.shape, pod.nominated_node, draw, ask(pod_id).closed);
  if (!choice.node.is_none()) {
    place(pod_id, choice.node, choice, decisions);
    return true;
  }
  if (try_reallocation(pod_id, draw, decisions)) return true;
  const std::optional<EvictionPlan> plan = plan_eviction(world, pod_id, eviction_bounds);
  if (!plan) {
    // What was promised to it will not come: others may have the room.
    if (!pod.nominated_node.is_none() && may_evict(world, pod_id)) {
      world.withdraw_promise(pod_id);
      withdrawn.push_back(pod_id);
    }
    return false;
  }
  for (const PodId victim : plan->victims) {
    const NodeId from = world.pod(victim).node;
    world.unplace(victim, PodState::kEvicted);
    if (const WorkloadId loser = world.pod(victim).workload; !loser.is_none()) world.touch_workload(loser);
    decisions.push_back({.kind = Decision::Kind::kEvict,
                         .pod = victim,
                         .node = from,
                         .beneficiary = pod_id,
                         .workload = {},
                         .score = 0,
                         .cards = {},
                         .broken_budgets = plan->violations == 0 ? std::vector<BrokenBudget>()
                                                                 : broken_budgets(world, victim, plan->victims)});
  }
  place(pod_id, plan->node, Choice{}, decisions);
  return true;
}

// Claims of the pod that have devices where it cannot go, and that nobody uses, give them up if that lets it run: one
// claim if one will do, else all. Upstream's DynamicResources gives up a random one after each failure.
bool Engine::State::try_reallocation(PodId pod_id, std::uint64_t draw, std::vector<Decision>& decisions) {
  const Pod& pod = world.pod(pod_id);
  const std::vector<ClaimUse>& uses = world.shape_of(pod_id).input.claims;
  std::vector<NameId> unused;
  for (std::size_t i = 0; i < uses.size() && i < pod.claims.size(); ++i) {
    if (!uses[i].shared.is_none() && world.holdings().is_unused(pod.claims[i]) && !mutant("Rule.Reallocation"))
      unused.push_back(pod.claims[i]);
  }
  if (unused.empty()) return false;
  std::vector<std::vector<NameId>> attempts;
  for (const NameId claim : unused) attempts.push_back({claim});
  if (unused.size() > 1) attempts.push_back(unused);
  const World::Mark start = world.mark();
  for (const std::vector<NameId>& claims : attempts) {
    for (const NameId claim : claims) world.give_up(claim);
    const Choice choice = search.best(pod.shape, pod.nominated_node, draw, ask(pod_id).closed);
    if (!choice.node.is_none()) {
      place(pod_id, choice.node, choice, decisions);
      decisions.back().reallocated = claims;
      return true;
    }
    world.rollback(start);
  }
  return false;
}

// Tries the pods in order, workloads in between. Whoever may fit because of what happens on the way joins in at its
// turn.
void Engine::State::pass(StepResult& result, std::vector<PodId>& failed) {
  const bool with_workloads = !workloads.idle();
  if (with_workloads) workloads.begin_pass(now);
  queue.begin_pass();
  while (const std::optional<PodId> pod = queue.next()) {
    if (with_workloads) workloads.run_until(*pod, result.decisions);
    const bool placed_now = workloads.reserves() ? try_among_reservations(*pod, result.decisions)
                                                 : !queue.is_hopeless(*pod) && try_place(*pod, result.decisions);
    if (placed_now) {
      queue.placed(*pod);
      if (with_workloads) workloads.update();  // one may have been evicted for it
    } else {
      queue.park(*pod);
      failed.push_back(*pod);
    }
  }
  if (with_workloads) workloads.run_until(PodId::none(), result.decisions);
}

// What may be passed depends on the time, so a failure before says nothing.
bool Engine::State::try_among_reservations(PodId pod, std::vector<Decision>& decisions) {
  const Reservations::Passing passing = workloads.pass_for(pod);
  return try_place(pod, decisions);
}

// Members that want a node, of workloads that did not get what they want.
void Engine::State::add_members(const std::vector<WorkloadId>& ids, std::vector<PodId>& failed) const {
  for (const WorkloadId id : ids) {
    for (const Group& group : world.workloads()[id].groups) {
      failed.insert(failed.end(), group.members.begin(), group.members.end());
    }
  }
}

std::vector<Pending> Engine::State::describe(std::vector<PodId> failed) {
  std::erase_if(failed, [&](PodId pod) { return world.pod(pod).state != PodState::kPending; });
  sort_unique(failed, [&](PodId a, PodId b) { return queue.before(a, b); });
  boost::unordered_flat_map<ShapeId, ReasonClass> classes;
  std::map<std::tuple<WorkloadId, std::uint32_t, ShapeId>, ReasonClass> of_members;
  std::vector<Pending> result;
  for (const PodId pod : failed) {
    Pending pending{pod, ReasonClass::kNone};
    if (config.classify_pending) {
      if (!world.pod(pod).workload.is_none()) {
        // Members of a group that look alike wait for the same, but for the devices that a claim of theirs may have.
        const PodId asked = spokesman_of(world, pod);
        const Pod& told = world.pod(asked);
        const auto [entry, added] = of_members.try_emplace({told.workload, told.group, told.shape}, ReasonClass::kNone);
        if (added || (asked == pod && (!told.claims.empty() || !world.promises().empty())))
          entry->second = explain_member(world, workloads, asked, now).reason_class;
        pending.reason_class = entry->second;
        result.push_back(pending);
        continue;
      }
      // A promise is the pod's own and may be all that tells it from others of its shape.
      const auto [entry, added] = classes.try_emplace(world.pod(pod).shape, ReasonClass::kNone);
      if (added || !world.promises().empty()) entry->second = classify_pod(pod);
      pending.reason_class = entry->second;
    }
    result.push_back(pending);
  }
  return result;
}

ReasonClass Engine::State::classify_pod(PodId pod) {
  if (world.shape_of(pod).profile == nullptr) return ReasonClass::kNotReady;
  return classify(world, ask(pod), pod);
}

StepResult Engine::step(std::span<const Event> events, Time now) {
  apply(events, now);
  State& state = *state_;
  state.world.refresh();
  state.world.topology().plan_new_shapes();
  state.keeper.begin_step();
  StepResult result;
  std::vector<PodId> failed;
  // A placement can let a pod run that had its turn before it (an affinity now satisfied), so there are passes until
  // one places nobody.
  std::size_t before = 0;
  bool again = false;
  do {
    before = result.decisions.size() + state.withdrawn.size();
    state.workloads.update(true);
    state.pass(result, failed);
    again = state.workloads.end_pass();
    state.add_members(state.workloads.take_failed(), failed);
  } while (again || result.decisions.size() + state.withdrawn.size() != before);
  result.withdrawn = std::exchange(state.withdrawn, {});
  result.pending = state.describe(std::move(failed));
  return result;
}

namespace {

// The pod fits and was not placed: what is free is kept for somebody.
void name_reservation(World& world, WorkloadCycle& workloads, const Question& question, Reason& reason) {
  const Reservation* hold = hold_in_the_way(world, workloads.reservations().last(), WorkloadId::none(), [&] {
    return std::ranges::any_of(world.by_rank(), [&](NodeId node) { return check_all(question, node).fits(); });
  });
  if (hold == nullptr) return;
  reason.reason_class = ReasonClass::kReserved;
  reason.workload.reserved_for = world.workloads()[hold->owner].input.name;
  reason.workload.reserved_because = hold->why;
  reason.workload.reserved_from = hold->from;
}

// The pod would run had its place not been kept for a workload that lost members.
void name_returned(World& world, PodId pod_id, Reason& reason) {
  const Pod& pod = world.pod(pod_id);
  const std::int32_t priority = world.shape(pod.shape).input.priority;
  const WorkloadId ahead = returned_before(world, pod.shape, pod.created, priority, WorkloadId::none());
  if (ahead.is_none()) return;
  reason.reason_class = ReasonClass::kReserved;
  reason.workload.reserved_for = world.workloads()[ahead].input.name;
}

}  // namespace

Reason Engine::explain(PodId pod_id) {
  State& state = *state_;
  state.world.refresh();
  Reason reason;
  if (pod_id.index() >= state.world.pod_slots()) return reason;
  const Pod& pod = state.world.pod(pod_id);
  reason.total_nodes = static_cast<std::uint32_t>(state.world.rank_count());
  if (pod.state == PodState::kHeld) {
    reason.reason_class = ReasonClass::kNotReady;
    reason.hold = pod.hold;
    return reason;
  }
  if (pod.state != PodState::kPending) return reason;
  if (state.world.shape_of(pod_id).profile == nullptr) {
    reason.reason_class = ReasonClass::kNotReady;
    reason.hold.cause = HoldCause::kUnknownProfile;
    return reason;
  }
  if (!pod.workload.is_none()) {
    state.workloads.update();
    return explain_member(state.world, state.workloads, spokesman_of(state.world, pod_id), state.now);
  }
  const Question question = state.ask(pod_id);
  reason = explain_pod(state.world, question, pod_id);
  if (reason.reason_class == ReasonClass::kNone) name_reservation(state.world, state.workloads, question, reason);
  if (reason.reason_class == ReasonClass::kBusy) name_returned(state.world, pod_id, reason);
  const Shape& shape = state.world.shape_of(pod_id);
  if (!runs_below(state.world, shape.input.priority)) {
    reason.preemption = Reason::Preemption::kNoVictims;
  } else if (!shape.input.preempts) {
    reason.preemption = Reason::Preemption::kNever;
  } else if (awaits_victims(question, pod_id)) {
    reason.preemption = Reason::Preemption::kVictimsLeaving;
  } else if (shape.profile->preemption) {
    reason.preemption = Reason::Preemption::kWouldNotHelp;
  }
  return reason;
}

NodeCause Engine::check(PodId pod, NodeId node) {
  state_->world.refresh();
  return check_all(state_->ask(pod), node).cause;
}

Engine::FilterTable Engine::filter_table(PodId pod) {
  State& state = *state_;
  state.world.refresh();
  const Question question = state.ask(pod);
  FilterTable table;
  for (const Filter filter : question.shape.profile->filters) {
    std::vector<bool>& passes = table.passes.emplace_back(state.world.node_slots(), false);
    for (const NodeId node : state.world.by_rank()) passes[node.index()] = check_filter(filter, question, node).fits();
  }
  return table;
}

Engine::ScoreTable Engine::score_table(PodId pod) {
  State& state = *state_;
  state.world.refresh();
  state.keeper.look(state.world);
  const Question question = state.ask(pod);
  ScoreTable table;
  table.nodes = feasible_of(question, state.world.by_rank());
  std::ranges::sort(table.nodes);
  table.total = total_scores(question, table.nodes);
  for (const Profile::WeightedScore& entry : question.shape.profile->scores) {
    ScoreColumn column = score_column(entry.score, question, table.nodes);
    table.raw.push_back(std::move(column.raw));
    table.normalized.push_back(std::move(column.normalized));
  }
  return table;
}

ConsolidationPlan Engine::consolidate(std::span<const PodId> pending, std::vector<bool> movable,
                                      const ConsolidationOptions& options) {
  state_->world.refresh();
  return Consolidator(state_->world, std::move(movable), options).plan(pending);
}

PodId Engine::find_pod(NameId name) const { return state_->world.find_pod(name); }
NodeId Engine::find_node(NameId name) const { return state_->world.find_node(name); }
const World& Engine::world() const { return state_->world; }

}  // namespace berth::engine
