#include "sim/plan/plan.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "engine/world/world.h"
#include "report/reasons.h"
#include "sim/lineage.h"
#include "sim/plan/device_hints.h"
#include "sim/plan/explainer.h"
#include "sim/plan/weaker.h"
#include "sim/standings.h"

namespace berth::sim {
namespace {

using engine::PodId;

NodeCounts count_nodes(const engine::World& world) {
  NodeCounts out;
  for (std::size_t i = 0; i < world.node_slots(); ++i) {
    const engine::Node& node = world.node(engine::NodeId{i});
    if (!node.alive) continue;
    ++out.total;
    if (node.input.unschedulable) ++out.cordoned;
    if (node.input.not_ready) ++out.not_ready;
    const auto keeps_out = [](const engine::Taint& taint) { return taint.effect != engine::Effect::kPreferNoSchedule; };
    if (std::ranges::any_of(node.input.taints, keeps_out)) ++out.tainted;
  }
  return out;
}

PodCounts count_pods(const Cluster& cluster) {
  PodCounts out;
  for (const auto& read : cluster.objects().pods) {
    ++out.total;
    switch (read.object.status.phase) {
      case api::PodPhase::kSucceeded:
        ++out.succeeded;
        break;
      case api::PodPhase::kFailed:
        ++out.failed;
        break;
      case api::PodPhase::kPending:
      case api::PodPhase::kRunning:
      case api::PodPhase::kUnknown:
        if (!read.object.spec.node_name.empty()) {
          ++out.running;
        } else {
          ++(read.object.metadata.deletion_timestamp ? out.leaving : out.pending);
        }
        break;
    }
  }
  for (const auto& left : cluster.translator().left_out())
    if (left.cause == dialects::kubernetes::LeftOut::Cause::kUnknownNode) ++out.left_out;
  return out;
}

DeviceObjectCounts count_device_objects(const api::ObjectSet& objects) {
  DeviceObjectCounts out;
  out.slices = std::ssize(objects.resource_slices);
  for (const auto& read : objects.resource_slices) out.devices += std::ssize(read.object.devices);
  out.classes = std::ssize(objects.device_classes);
  out.claims = std::ssize(objects.resource_claims);
  out.allocated_claims = std::ranges::count_if(
      objects.resource_claims, [](const auto& read) { return read.object.status.allocation.has_value(); });
  return out;
}

// In what is decided everybody has his place.
void judge_sharing(const Cluster& cluster, Plan& plan) {
  const CardSharing sharing(cluster);
  for (Placement& placement : plan.placements) {
    const PodId pod =
        cluster.engine().find_pod(cluster.names().names.find(placement.namespace_ + '/' + placement.name));
    if (!pod.is_none()) placement.sharing = sharing.of(pod);
  }
  plan.warnings = sharing.warnings();
}

void add_waiting(Cluster& cluster, const Lineage& lineage, PodId id, Explainer& explainer,
                 std::map<std::tuple<std::string, std::string, std::string>, std::size_t>& positions,
                 std::vector<Waiting>& out) {
  const api::Pod* pod = cluster.pod(id);
  if (pod == nullptr) return;
  const engine::Reason& reason = explainer.reason(id);
  const std::string& sentence = explainer.sentence(id);
  std::string owner = lineage.root(pod->metadata);
  // Pods that nobody owns and that differ in a number only are one group as well.
  std::string group = owner.starts_with("Pod/") ? std::string() : owner;
  const auto [entry, fresh] = positions.try_emplace(
      {pod->metadata.namespace_, std::move(group), std::string(report::name_of(reason.reason_class)) + sentence},
      out.size());
  if (fresh) out.push_back({id, pod->metadata.namespace_, std::move(owner), {}, reason, sentence, {}});
  out[entry->second].names.push_back(pod->metadata.name);
}

struct WaitingPods {
  std::vector<PodId> waiting;
  std::vector<PodId> fragmented;  // of these, by their reasons
  std::vector<PodId> busy;
};

// Groups the pods that wait, and those that are not ready, in the plan.
WaitingPods find_waiting(Cluster& cluster, Plan& plan) {
  const Lineage lineage(cluster.objects());
  Explainer explainer(cluster);
  WaitingPods out;
  std::map<std::tuple<std::string, std::string, std::string>, std::size_t> waiting_at;
  std::map<std::tuple<std::string, std::string, std::string>, std::size_t> not_ready_at;
  const engine::World& world = cluster.engine().world();
  for (std::size_t i = 0; i < world.pod_slots(); ++i) {
    const PodId id{i};
    switch (world.pod(id).state) {
      case engine::PodState::kPending:
        if (explainer.reason(id).reason_class == engine::ReasonClass::kNotReady) {
          add_waiting(cluster, lineage, id, explainer, not_ready_at, plan.not_ready);
          break;
        }
        out.waiting.push_back(id);
        if (explainer.reason(id).reason_class == engine::ReasonClass::kFragmented) out.fragmented.push_back(id);
        if (explainer.reason(id).reason_class == engine::ReasonClass::kBusy) out.busy.push_back(id);
        add_waiting(cluster, lineage, id, explainer, waiting_at, plan.waiting);
        break;
      case engine::PodState::kHeld:
        add_waiting(cluster, lineage, id, explainer, not_ready_at, plan.not_ready);
        break;
      case engine::PodState::kFree:
      case engine::PodState::kPlaced:
      case engine::PodState::kEvicted:
      case engine::PodState::kAbroad:
        break;
    }
  }
  return out;
}

// By scheduler, in order of their names.
std::vector<ForeignAccount> foreign_accounts(const Cluster& cluster) {
  const engine::World& world = cluster.engine().world();
  std::vector<ForeignAccount> out;
  const engine::QueueTree& queues = world.workloads().queues();
  const bool any = std::ranges::any_of(queues.top_down(), [&](engine::QueueId queue) {
    return queue != engine::QueueTree::kRoot && !queues.input(queue).counts_aside;
  });
  if (!any) return out;
  std::map<std::string_view, std::pair<std::int64_t, std::map<engine::ResourceId, engine::Amount>>> by_scheduler;
  for (std::size_t i = 0; i < world.pod_slots(); ++i) {
    const engine::Pod& pod = world.pod(PodId{i});
    if (pod.state != engine::PodState::kPlaced) continue;
    if (!pod.workload.is_none() && !world.workloads()[pod.workload].queues.empty()) continue;
    const engine::Shape& shape = world.shape(pod.shape);
    auto& [pods, sums] = by_scheduler[cluster.names().profiles.text(shape.input.profile)];
    ++pods;
    for (const engine::ResourceAmount& each : shape.charge)
      if (each.resource != engine::kPods) sums[each.resource] += each.amount;
  }
  for (const auto& [scheduler, held] : by_scheduler) {
    ForeignAccount& account = out.emplace_back(ForeignAccount{std::string(scheduler), held.first, {}});
    for (const auto& [resource, amount] : held.second) account.holds.push_back({resource, amount});
  }
  return out;
}

std::int64_t pods_in(const std::vector<Waiting>& groups) {
  std::int64_t count = 0;
  for (const Waiting& group : groups) count += static_cast<std::int64_t>(group.names.size());
  return count;
}

}  // namespace

std::int64_t Plan::waiting_pods() const { return pods_in(waiting); }
std::int64_t Plan::not_ready_pods() const { return pods_in(not_ready); }

Plan make_plan(Cluster& cluster, engine::Time now, std::optional<std::size_t> most_moves) {
  cluster.load(now);
  Plan plan;
  plan.nodes = count_nodes(cluster.engine().world());
  plan.pods = count_pods(cluster);
  plan.device_objects = count_device_objects(cluster.objects());
  plan.cards_before = inventory(cluster);

  // Of the input, not of what becomes of it.
  plan.weaker = weaker_conclusions(cluster);

  Outcome outcome = decide(cluster, now);
  if (!outcome.complete)
    plan.weaker.emplace_back(
        "Deciding was given up after 1,000 rounds of evictions and new pods, so more pods may start than the plan "
        "shows; "
        "please report the input.");
  plan.placements = std::move(outcome.placements);
  plan.evictions = std::move(outcome.evictions);
  if (!plan.evictions.empty() && cluster.objects().pod_disruption_budgets.empty())
    plan.weaker.emplace_back("The input has no PodDisruptionBudgets; the evictions may violate some.");

  const WaitingPods pods = find_waiting(cluster, plan);
  DeviceHints hints(cluster);
  for (Waiting& group : plan.waiting) group.hints = hints.about(group.example, group.reason);
  judge_sharing(cluster, plan);
  plan.cards_after = inventory(cluster);
  plan.standings = standings_of(cluster, now, true);
  for (const engine::NameId loser : outcome.preempted) cluster.write_preemption(loser, now);
  cluster.write_statuses(plan.standings);
  plan.conditions = cluster.translator().workloads().conditions(cluster.objects());
  plan.foreign = foreign_accounts(cluster);
  plan.stranded = stranded(cluster, pods.waiting);
  if (most_moves) plan.defragmentation = defragment(cluster, pods.fragmented, pods.busy, plan.placements, *most_moves);
  return plan;
}

}  // namespace berth::sim
