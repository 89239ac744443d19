#include "support/builders.h"

#include <utility>

#include "reference/objects.h"

namespace berth::support {
namespace {

constexpr std::int64_t kMi = 1024 * 1024;

}  // namespace

NodeBuilder::NodeBuilder(std::string name) {
  node_.metadata.name = std::move(name);
  node_.conditions.push_back({"Ready", "True", "KubeletReady", "", std::nullopt});
  label("kubernetes.io/hostname", node_.metadata.name).cpu(8000).memory_gi(64).pods(110);
}

NodeBuilder& NodeBuilder::label(std::string key, std::string value) {
  node_.metadata.labels[std::move(key)] = std::move(value);
  return *this;
}

NodeBuilder& NodeBuilder::cpu(std::int64_t milli) {
  node_.capacity["cpu"] = node_.allocatable["cpu"] = api::Quantity::from_milli(milli);
  return *this;
}

NodeBuilder& NodeBuilder::memory_gi(std::int64_t gibibytes) {
  const auto amount = api::Quantity::from_units(gibibytes * 1024 * kMi, api::Quantity::Format::kBinarySi);
  node_.capacity["memory"] = node_.allocatable["memory"] = amount;
  return *this;
}

NodeBuilder& NodeBuilder::amount(const std::string& resource, std::int64_t units) {
  node_.capacity[resource] = node_.allocatable[resource] = api::Quantity::from_units(units);
  return *this;
}

NodeBuilder& NodeBuilder::cards(std::int64_t count) { return amount(std::string(reference::kCardResource), count); }

NodeBuilder& NodeBuilder::without(const std::string& resource) {
  node_.capacity.erase(resource);
  node_.allocatable.erase(resource);
  return *this;
}

NodeBuilder& NodeBuilder::taint(std::string key, std::string value, api::TaintEffect effect) {
  node_.taints.push_back({std::move(key), std::move(value), effect});
  return *this;
}

NodeBuilder& NodeBuilder::cordoned() {
  node_.unschedulable = true;
  return *this;
}

NodeBuilder& NodeBuilder::not_ready() {
  node_.conditions.front().status = "False";
  return *this;
}

NodeBuilder& NodeBuilder::image(std::string name, std::int64_t bytes) {
  node_.images.push_back({{std::move(name)}, bytes});
  return *this;
}

PodBuilder::PodBuilder(std::string name) {
  pod_.metadata.name = std::move(name);
  pod_.metadata.namespace_ = "default";
  pod_.metadata.creation_timestamp = 0;
  pod_.spec.scheduler_name = "default-scheduler";
  pod_.spec.priority = 0;
  pod_.spec.containers.push_back(support::container("main", -1, -1));
}

PodBuilder& PodBuilder::in(std::string name_space) {
  pod_.metadata.namespace_ = std::move(name_space);
  return *this;
}

PodBuilder& PodBuilder::label(std::string key, std::string value) {
  pod_.metadata.labels[std::move(key)] = std::move(value);
  return *this;
}

PodBuilder& PodBuilder::cpu(std::int64_t milli) {
  pod_.spec.containers.front().resources.requests["cpu"] = api::Quantity::from_milli(milli);
  return *this;
}

PodBuilder& PodBuilder::memory_mi(std::int64_t mebibytes) { return amount("memory", mebibytes * kMi); }

PodBuilder& PodBuilder::card_share(std::int64_t milli) {
  pod_.metadata.annotations[std::string(reference::kCardShareAnnotation)] = std::to_string(milli);
  return *this;
}

PodBuilder& PodBuilder::cards(std::int64_t count) { return amount(std::string(reference::kCardResource), count); }

PodBuilder& PodBuilder::amount(std::string resource, std::int64_t units) {
  pod_.spec.containers.front().resources.requests[std::move(resource)] = api::Quantity::from_units(units);
  return *this;
}

PodBuilder& PodBuilder::image(std::string name) {
  pod_.spec.containers.front().image = std::move(name);
  return *this;
}

PodBuilder& PodBuilder::host_port(std::int32_t port, std::string address, api::Protocol protocol) {
  pod_.spec.containers.front().ports.push_back({port, port, std::move(address), protocol});
  return *this;
}

PodBuilder& PodBuilder::init(api::Container container) {
  pod_.spec.init_containers.push_back(std::move(container));
  return *this;
}

PodBuilder& PodBuilder::container(api::Container container) {
  pod_.spec.containers.push_back(std::move(container));
  return *this;
}

PodBuilder& PodBuilder::priority(std::int32_t value) {
  pod_.spec.priority = value;
  return *this;
}

PodBuilder& PodBuilder::never_preempts() {
  pod_.spec.preemption_policy = api::PreemptionPolicy::kNever;
  return *this;
}

PodBuilder& PodBuilder::created(api::Time seconds) {
  pod_.metadata.creation_timestamp = seconds;
  return *this;
}

PodBuilder& PodBuilder::started(api::Time seconds) {
  pod_.status.start_time = seconds;
  return *this;
}

PodBuilder& PodBuilder::on(std::string node) {
  pod_.spec.node_name = std::move(node);
  pod_.status.phase = api::PodPhase::kRunning;
  return *this;
}

PodBuilder& PodBuilder::terminating() {
  pod_.metadata.deletion_timestamp = 1;
  return *this;
}

PodBuilder& PodBuilder::select(std::string key, std::string value) {
  pod_.spec.node_selector[std::move(key)] = std::move(value);
  return *this;
}

PodBuilder& PodBuilder::tolerate(api::Toleration toleration) {
  pod_.spec.tolerations.push_back(std::move(toleration));
  return *this;
}

PodBuilder& PodBuilder::gate(std::string name) {
  pod_.spec.scheduling_gates.push_back(std::move(name));
  return *this;
}

PodBuilder& PodBuilder::claim(std::string name) {
  api::Volume volume;
  volume.name = "v" + std::to_string(pod_.spec.volumes.size());
  volume.persistent_volume_claim = std::move(name);
  pod_.spec.volumes.push_back(std::move(volume));
  return *this;
}

PodBuilder& PodBuilder::spread(api::TopologySpreadConstraint constraint) {
  pod_.spec.topology_spread_constraints.push_back(std::move(constraint));
  return *this;
}

api::NodeAffinity& PodBuilder::node_affinity() {
  auto& node = pod_.spec.affinity.node;
  if (!node) node.emplace();
  return *node;
}

api::PodAffinity& PodBuilder::affinity() {
  auto& pod = pod_.spec.affinity.pod;
  if (!pod) pod.emplace();
  return *pod;
}

api::PodAffinity& PodBuilder::anti_affinity() {
  auto& pod = pod_.spec.affinity.pod_anti;
  if (!pod) pod.emplace();
  return *pod;
}

PodBuilder& PodBuilder::require_node(api::NodeSelectorTerm term) {
  auto& required = node_affinity().required;
  if (!required) required.emplace();
  required->terms.push_back(std::move(term));
  return *this;
}

PodBuilder& PodBuilder::prefer_node(std::int32_t weight, api::NodeSelectorTerm term) {
  node_affinity().preferred.push_back({weight, std::move(term)});
  return *this;
}

PodBuilder& PodBuilder::near(api::PodAffinityTerm term) {
  affinity().required.push_back(std::move(term));
  return *this;
}

PodBuilder& PodBuilder::apart(api::PodAffinityTerm term) {
  anti_affinity().required.push_back(std::move(term));
  return *this;
}

PodBuilder& PodBuilder::like(std::int32_t weight, api::PodAffinityTerm term) {
  affinity().preferred.push_back({weight, std::move(term)});
  return *this;
}

PodBuilder& PodBuilder::dislike(std::int32_t weight, api::PodAffinityTerm term) {
  anti_affinity().preferred.push_back({weight, std::move(term)});
  return *this;
}

api::LabelSelector selector(std::string key, std::string value) { return {{{std::move(key), std::move(value)}}, {}}; }

api::PodAffinityTerm term(std::string topology_key, std::optional<api::LabelSelector> selector) {
  api::PodAffinityTerm result;
  result.topology_key = std::move(topology_key);
  result.label_selector = std::move(selector);
  return result;
}

api::NodeSelectorTerm node_term(std::string key, api::SelectorOperator op, std::vector<std::string> values) {
  return {{{std::move(key), op, std::move(values)}}, {}};
}

// Negative amounts are left out.
api::Container container(std::string name, std::int64_t milli_cpu, std::int64_t memory_mebibytes, bool sidecar) {
  api::Container result;
  result.name = std::move(name);
  result.image = "registry.example/app:1";
  result.restart_always = sidecar;
  if (milli_cpu >= 0) result.resources.requests["cpu"] = api::Quantity::from_milli(milli_cpu);
  if (memory_mebibytes >= 0) result.resources.requests["memory"] = api::Quantity::from_units(memory_mebibytes * kMi);
  return result;
}

api::SchedulerProfile upstream_profile() {
  using api::Plugin;
  api::SchedulerProfile profile;
  profile.filters = {Plugin::kNodeName,
                     Plugin::kNodeUnschedulable,
                     Plugin::kTaintToleration,
                     Plugin::kNodeAffinity,
                     Plugin::kNodePorts,
                     Plugin::kNodeResourcesFit,
                     Plugin::kVolumeRestrictions,
                     Plugin::kNodeVolumeLimits,
                     Plugin::kVolumeBinding,
                     Plugin::kVolumeZone,
                     Plugin::kPodTopologySpread,
                     Plugin::kInterPodAffinity,
                     Plugin::kNodeDeclaredFeatures};
  profile.scores = {{Plugin::kTaintToleration, 3},  {Plugin::kNodeAffinity, 2},
                    {Plugin::kNodeResourcesFit, 1}, {Plugin::kPodTopologySpread, 2},
                    {Plugin::kInterPodAffinity, 2}, {Plugin::kNodeResourcesBalancedAllocation, 1},
                    {Plugin::kImageLocality, 1},    {Plugin::kVolumeBinding, 1}};
  return profile;
}

}  // namespace berth::support
