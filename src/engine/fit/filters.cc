#include "engine/fit/filters.h"

#include <algorithm>
#include <optional>
#include <span>

#include "base/mutant.h"
#include "engine/fit/dynamic_resources.h"
#include "engine/fit/inter_pod_affinity.h"
#include "engine/fit/node_affinity.h"
#include "engine/fit/node_declared_features.h"
#include "engine/fit/node_name.h"
#include "engine/fit/node_ports.h"
#include "engine/fit/node_resources.h"
#include "engine/fit/node_unschedulable.h"
#include "engine/fit/taint_toleration.h"
#include "engine/fit/topology_spread.h"
#include "engine/fit/volume_binding.h"
#include "engine/fit/volume_restrictions.h"
#include "engine/world/selectors.h"

namespace berth::engine {
namespace {

constexpr bool is_filter(std::size_t number) {
  switch (static_cast<Filter>(number)) {
    case Filter::kNodeUnschedulable:
    case Filter::kNodeName:
    case Filter::kTaintToleration:
    case Filter::kNodeAffinity:
    case Filter::kNodePorts:
    case Filter::kNodeResourcesFit:
    case Filter::kVolumeRestrictions:
    case Filter::kVolumeBinding:
    case Filter::kPodTopologySpread:
    case Filter::kInterPodAffinity:
    case Filter::kDynamicResources:
    case Filter::kNodeDeclaredFeatures:
      return true;
  }
  return false;
}
static_assert(is_filter(kFilterCount - 1) && !is_filter(kFilterCount),
              "kFilterCount (engine/config.h) is the number of filters");

}  // namespace

Verdict check_filter(Filter filter, const Question& question, NodeId node) {
  switch (filter) {
    case Filter::kNodeUnschedulable:
      return check_node_unschedulable(question, node);
    case Filter::kNodeName:
      return check_node_name(question, node);
    case Filter::kTaintToleration:
      return check_taint_toleration(question, node);
    case Filter::kNodeAffinity:
      return check_node_affinity(question, node);
    case Filter::kNodePorts:
      return check_node_ports(question, node);
    case Filter::kNodeResourcesFit:
      return check_node_resources(question, node);
    case Filter::kVolumeRestrictions:
      return check_volume_restrictions(question, node);
    case Filter::kVolumeBinding:
      return check_volume_binding(question, node);
    case Filter::kPodTopologySpread:
      return check_topology_spread(question, node);
    case Filter::kInterPodAffinity:
      return check_inter_pod_affinity(question, node);
    case Filter::kDynamicResources:
      return check_dynamic_resources(question, node);
    case Filter::kNodeDeclaredFeatures:
      return check_node_declared_features(question, node);
  }
  return kPass;
}

bool can_refuse(Filter filter, const Question& question) {
  const ShapeInput& shape = question.shape.input;
  switch (filter) {
    case Filter::kNodeUnschedulable:
    case Filter::kTaintToleration:
    case Filter::kNodeResourcesFit:
      return true;
    case Filter::kNodeName:
      return !shape.node_name.is_none();
    case Filter::kNodeAffinity:
      return !shape.node_selectors.empty() || !shape.added_node_selectors.empty();
    case Filter::kNodePorts:
      return !shape.host_ports.empty();
    case Filter::kVolumeRestrictions:
      return !shape.exclusive_claims.empty();
    case Filter::kVolumeBinding:
      return !shape.volume_selectors.empty();
    case Filter::kPodTopologySpread:
      return !question.plan.hard_spread.empty();
    case Filter::kInterPodAffinity:
      return !question.plan.affinity.empty() || !question.plan.anti_affinity.empty() ||
             !question.plan.existing_anti_affinity.empty();
    case Filter::kDynamicResources:
      return !shape.claims.empty();
    case Filter::kNodeDeclaredFeatures:
      return !shape.needed_features.empty();
  }
  return true;
}

Verdict check_ready(const Question& question, NodeId node) {
  if (question.lifted || !question.world.config().not_ready_nodes_excluded) return kPass;
  const std::optional<Taint>& taint = question.world.node(node).input.not_ready;
  if (!taint || mutant("Rule.NodeNotReady")) return kPass;
  if (untolerated(question.shape.input.tolerations, std::span(&*taint, 1)) == nullptr) return kPass;
  return {NodeCause::kNotReady, false};
}

Verdict check_all(const Question& question, NodeId node, bool with_topology) {
  if (const Verdict verdict = check_ready(question, node); !verdict.fits()) return verdict;
  for (const Filter filter : question.shape.profile->filters) {
    if (!with_topology && is_topology(filter)) continue;
    if (const Verdict verdict = check_filter(filter, question, node); !verdict.fits()) return verdict;
  }
  if (std::ranges::binary_search(question.closed, node)) return {NodeCause::kReserved, true};
  return kPass;
}

}  // namespace berth::engine
