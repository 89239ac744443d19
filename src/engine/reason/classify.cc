#include "engine/reason/classify.h"

#include <algorithm>
#include <limits>
#include <optional>

#include "engine/cycle/promises.h"
#include "engine/fit/filters.h"
#include "engine/reason/device_shortage.h"
#include "engine/reason/shortage.h"
#include "engine/world/selectors.h"

namespace berth::engine {
namespace {

Question suppose(const Question& question, bool emptied, bool lifted) {
  return Question{question.world, question.shape, question.plan, emptied, lifted, question.without_devices, {}};
}

bool any_node(const Question& question, bool with_topology) {
  return std::ranges::any_of(question.world.by_rank(),
                             [&](NodeId node) { return check_all(question, node, with_topology).fits(); });
}

// The taint that excludes most nodes, or the cordon as a taint.
Taint leading_exclusion(const Question& question) {
  const World& world = question.world;
  const Taint cordon{world.names().label_keys.find("node.kubernetes.io/unschedulable"), LabelValueId::none(),
                     Effect::kNoSchedule};
  std::vector<std::pair<Taint, std::uint32_t>> counts;
  for (const NodeId node : world.by_rank()) {
    const NodeCause cause = check_all(question, node).cause;
    Taint taint = cordon;
    if (cause == NodeCause::kTaint) {
      taint = *untolerated(question.shape.input.tolerations, world.node(node).input.taints);
    } else if (cause != NodeCause::kUnschedulable) {
      continue;
    }
    const auto found = std::ranges::find(counts, taint, &std::pair<Taint, std::uint32_t>::first);
    if (found == counts.end()) {
      counts.emplace_back(taint, 1);
    } else {
      ++found->second;
    }
  }
  const auto most = std::ranges::max_element(counts, {}, &std::pair<Taint, std::uint32_t>::second);
  return most == counts.end() ? Taint{} : most->first;
}

// The topology key of the first rule that keeps the pod from a node that would do otherwise.
LabelKeyId blocking_key(const Question& question) {
  const Topology& topology = question.world.topology();
  const TopologyPlan& plan = question.plan;
  for (const NodeId node : question.world.by_rank()) {
    if (!check_all(question, node, false).fits()) continue;
    switch (check_all(question, node).cause) {
      case NodeCause::kTopologySpread:
        for (const auto& rule : plan.hard_spread) {
          const Counter& counter = topology.counter(rule.counter);
          const std::uint32_t domain = counter.table().domain(node);
          if (domain == DomainTable::kNone) return counter.table().key;
          const std::int64_t after = counter.count_in(domain) + (rule.self ? 1 : 0);
          if (after - counter.minimum(rule.min_domains) > rule.max_skew) return counter.table().key;
        }
        break;
      case NodeCause::kPodAffinity:
        for (const CounterId id : plan.affinity) {
          if (topology.counter(id).count(node) == 0) return topology.counter(id).table().key;
        }
        break;
      case NodeCause::kPodAntiAffinity:
        for (const CounterId id : plan.anti_affinity) {
          if (topology.counter(id).count(node) > 0) return topology.counter(id).table().key;
        }
        break;
      case NodeCause::kExistingAntiAffinity:
        for (const CounterId id : plan.existing_anti_affinity) {
          if (topology.counter(id).count(node) > 0) return topology.counter(id).table().key;
        }
        break;
      default:
        break;
    }
  }
  return LabelKeyId::none();
}

}  // namespace

ReasonClass classify(World& world, const Question& question, PodId pod) {
  if (any_node(question, true)) return ReasonClass::kNone;
  Question open = suppose(question, false, false);
  if (!question.closed.empty() && any_node(open, true)) return ReasonClass::kReserved;
  Question lifted = suppose(question, false, true);
  const std::vector<NodeId> closed_when_lifted = closed_nodes(world, lifted, pod);
  lifted.closed = closed_when_lifted;
  if (any_node(lifted, true)) return ReasonClass::kNodeExcluded;
  const std::vector<NodeId> closed_without_rules = closed_nodes(world, open, pod, false);
  open.closed = closed_without_rules;
  if (any_node(open, false)) return ReasonClass::kTopologyNoFit;
  if (const ReasonClass devices = classify_devices(question); devices != ReasonClass::kNone) return devices;
  if (any_node(suppose(question, true, false), false)) {
    return enough_in_sum(question) ? ReasonClass::kFragmented : ReasonClass::kBusy;
  }
  if (any_node(suppose(question, true, true), false)) return ReasonClass::kNodeExcluded;
  return unserved_resource(question).is_none() ? ReasonClass::kNeverFits : ReasonClass::kNoDevice;
}

Reason explain_pod(World& world, const Question& question, PodId pod) {
  Reason reason;
  reason.reason_class = classify(world, question, pod);
  reason.total_nodes = static_cast<std::uint32_t>(question.world.rank_count());
  for (const NodeId node : question.world.by_rank()) {
    ++reason.nodes[static_cast<std::size_t>(check_all(question, node).cause)];
  }
  for (std::size_t cause = 1; cause < kNodeCauseCount; ++cause) {
    if (reason.nodes[cause] == 0) reason.not_causes |= std::uint32_t{1} << cause;
  }
  if (reason.reason_class == ReasonClass::kNone) return reason;
  if (reason.reason_class == ReasonClass::kNodeExcluded) reason.taint = leading_exclusion(question);
  if (reason.reason_class == ReasonClass::kTopologyNoFit) reason.topology_key = blocking_key(question);
  describe_device_shortage(question, reason);
  describe_shortage(question, reason);
  return reason;
}

}  // namespace berth::engine
