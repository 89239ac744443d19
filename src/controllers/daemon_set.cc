#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include <boost/unordered/unordered_flat_set.hpp>

#include "api/compute_domain.h"
#include "api/node_selection.h"
#include "base/mutant.h"
#include "controllers/template_hash.h"
#include "controllers/template_size.h"
#include "controllers/workshop.h"

namespace berth::controllers {
namespace {

struct Tolerated {
  std::string_view key;
  api::TaintEffect effect;
};

// What every daemon pod puts up with.
constexpr std::array kTolerated = std::to_array<Tolerated>({
    {"node.kubernetes.io/not-ready", api::TaintEffect::kNoExecute},
    {"node.kubernetes.io/unreachable", api::TaintEffect::kNoExecute},
    {"node.kubernetes.io/disk-pressure", api::TaintEffect::kNoSchedule},
    {"node.kubernetes.io/memory-pressure", api::TaintEffect::kNoSchedule},
    {"node.kubernetes.io/pid-pressure", api::TaintEffect::kNoSchedule},
    {"node.kubernetes.io/unschedulable", api::TaintEffect::kNoSchedule},
});
constexpr Tolerated kNetwork = {"node.kubernetes.io/network-unavailable", api::TaintEffect::kNoSchedule};

void tolerate(api::PodSpec& spec, const Tolerated& tolerated) {
  api::Toleration toleration;
  toleration.key = tolerated.key;
  toleration.op = api::TolerationOperator::kExists;
  toleration.effect = tolerated.effect;
  if (std::ranges::find(spec.tolerations, toleration) == spec.tolerations.end()) {
    spec.tolerations.push_back(std::move(toleration));
  }
}

// The pod runs on this one node: its name replaces whatever fields the terms ask for.
void pin(api::PodSpec& spec, const std::string& node) {
  const api::SelectorRequirement here{"metadata.name", api::SelectorOperator::kIn, {node}};
  if (!spec.affinity.node) spec.affinity.node.emplace();
  auto& required = spec.affinity.node->required;
  if (!required || required->terms.empty()) {
    required = api::NodeSelector{{api::NodeSelectorTerm{{}, {here}}}};
    return;
  }
  for (auto& term : required->terms) term.match_fields = {here};
}

// Where a daemon pod runs, or the one node that it asks for.
std::string target_node(const api::Pod& pod) {
  if (!pod.spec.node_name.empty()) return pod.spec.node_name;
  if (!pod.spec.affinity.node || !pod.spec.affinity.node->required) return {};
  for (const auto& term : pod.spec.affinity.node->required->terms) {
    for (const auto& field : term.match_fields) {
      if (field.key == "metadata.name" && field.op == api::SelectorOperator::kIn && field.values.size() == 1) {
        return field.values.front();
      }
    }
  }
  return {};
}

}  // namespace

void reconcile_daemon_set(Workshop& workshop, const api::Read<api::DaemonSet>& read) {
  const api::DaemonSet& set = read.object;
  const Owner owner{"apps/v1", "DaemonSet", &set.metadata};
  if (set.metadata.deletion_timestamp) return;
  // A pod that is being deleted still has its node; a finished one has to be made again.
  boost::unordered_flat_set<std::string> served;
  const std::vector<const api::Pod*> pods = workshop.claimed(owner, set.selector);
  for (const api::Pod* pod : pods) {
    if (!is_finished(*pod)) served.insert(target_node(*pod));
  }
  api::Pod model = workshop.pod_from(set.pod_template, owner);
  for (const Tolerated& tolerated : kTolerated)
    if (!mutant("Controller.DaemonSetTolerations")) tolerate(model.spec, tolerated);
  if (model.spec.host_network) tolerate(model.spec, kNetwork);
  model.metadata.labels.insert_or_assign(kRevisionLabel, revision_of(pods, set.pod_template, ""));
  std::vector<std::string> missing;
  bool admitted = workshop.objects().nodes.empty();
  for (const auto& node : workshop.objects().nodes) {
    const std::string& name = node.object.metadata.name;
    // Cordons do not count, as every daemon pod tolerates them.
    if (!mutant("Controller.DaemonSetNodes") && !api::admits(node.object, model.spec)) continue;
    admitted = true;
    if (served.insert(name).second) missing.push_back(name);
  }
  // The daemons of a ComputeDomain select a label that nodes get when a pod of the domain goes there.
  if (!admitted && !set.pod_template.spec.node_selector.contains(std::string(api::kComputeDomainLabel)))
    workshop.remark("DaemonSet " + set.metadata.name +
                        " makes no pods: its selector, affinity and tolerations let them on no node of the input.",
                    read.place);
  const auto count = static_cast<std::int64_t>(missing.size());
  if (!workshop.admit(count, bytes_of_a_pod(set.pod_template), owner, read.place)) return;
  std::ranges::sort(missing);
  for (const std::string& node : missing) {
    api::Pod pod = model;
    pin(pod.spec, node);
    pod.metadata.name = workshop.fresh_name(pod.metadata.namespace_, set.metadata.name);
    workshop.make(std::move(pod), read.place);
  }
}

}  // namespace berth::controllers
