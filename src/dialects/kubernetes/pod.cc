#include "dialects/kubernetes/pod.h"

#include <algorithm>

#include "api/full_name.h"
#include "api/owner.h"
#include "base/mutant.h"
#include "base/sort_unique.h"
#include "base/whole_number.h"
#include "dialects/kubernetes/affinity.h"
#include "dialects/kubernetes/features.h"
#include "dialects/kubernetes/pins.h"
#include "dialects/kubernetes/resources.h"
#include "dialects/kubernetes/selectors.h"
#include "dialects/kubernetes/spread.h"
#include "dialects/kubernetes/volumes.h"

namespace berth::dialects::kubernetes {
namespace {

bool runs_filter(const api::SchedulerProfile& profile, api::Plugin plugin) {
  return std::ranges::find(profile.filters, plugin) != profile.filters.end();
}

std::uint8_t protocol_number(api::Protocol protocol) {
  switch (protocol) {
    case api::Protocol::kTcp:
      return 0;
    case api::Protocol::kUdp:
      return 1;
    case api::Protocol::kSctp:
      return 2;
  }
  return 0;
}

void add_host_ports(engine::ShapeInput& shape, const std::vector<api::Container>& containers, bool sidecars_only,
                    engine::Names& names) {
  for (const auto& container : containers) {
    if (sidecars_only && !container.restart_always) continue;
    for (const auto& port : container.ports) {
      if (port.host_port <= 0) continue;
      engine::HostPort result;
      result.protocol = protocol_number(port.protocol);
      if (!port.host_ip.empty() && port.host_ip != "0.0.0.0") result.address = names.names.intern(port.host_ip);
      result.port = port.host_port;
      shape.host_ports.push_back(result);
    }
  }
}

void add_images(engine::ShapeInput& shape, const std::vector<api::Container>& containers, engine::Names& names) {
  for (const auto& container : containers) {
    shape.images.push_back(names.names.intern(normalized_image(container.image)));
  }
}

// What is wrong with the share of a card that it asks for.
std::string add_resources(engine::ShapeInput& shape, const api::Pod& pod, engine::Names& names) {
  PodResources resources = pod_resources(pod, names);
  shape.requests = std::move(resources.requests);
  shape.cards = std::move(resources.cards);
  shape.counted = std::move(resources.counted);
  shape.nonzero_cpu = resources.nonzero_cpu;
  shape.nonzero_memory = resources.nonzero_memory;
  shape.fit_score_cpu = resources.fit_score_cpu;
  shape.fit_score_memory = resources.fit_score_memory;
  shape.best_effort = resources.best_effort;
  return resources.share_problem;
}

bool is_extended(std::string_view name) {
  return name.find('/') != std::string_view::npos && name.find("kubernetes.io/") == std::string_view::npos &&
         !name.starts_with("requests.");
}

// Of what the pod asks; only extended resources can be left to an extender.
std::vector<engine::ResourceId> ignored_resources(const engine::ShapeInput& shape,
                                                  const api::NodeResourcesFitArgs& args, const engine::Names& names) {
  std::vector<engine::ResourceId> result;
  if (mutant("Rule.IgnoredResources")) return result;
  const auto look_at = [&](engine::ResourceId resource) {
    const std::string_view name = names.resources.text(resource);
    const std::string_view group = name.substr(0, name.find('/'));
    if (is_extended(name) &&
        (std::ranges::find(args.ignored_resources, name) != args.ignored_resources.end() ||
         std::ranges::find(args.ignored_resource_groups, group) != args.ignored_resource_groups.end()))
      result.push_back(resource);
  };
  for (const engine::ResourceAmount& request : shape.requests) look_at(request.resource);
  for (const engine::CardRequest& request : shape.cards) look_at(request.resource);
  sort_unique(result);
  return result;
}

engine::ShapeInput shape_of(const api::Pod& pod, const api::SchedulerProfile* profile, const Context& context,
                            engine::Names& names, std::string& share_problem) {
  engine::ShapeInput shape;
  shape.profile = names.profiles.intern(profile == nullptr ? pod.spec.scheduler_name : profile->scheduler_name);
  shape.namespace_ = names.namespaces.intern(pod.metadata.namespace_);
  shape.labels = labels(pod.metadata.labels, names);
  const Context::Priority priority = context.priority(pod.spec);
  shape.priority = priority.value;
  shape.preempts = priority.preempts;
  share_problem = add_resources(shape, pod, names);
  if (profile != nullptr) shape.ignored_resources = ignored_resources(shape, profile->node_resources_fit, names);
  const api::NodeAffinity* added = profile != nullptr && profile->added_affinity ? &*profile->added_affinity : nullptr;
  add_node_affinity(shape, pod, added, names);
  if (pod.spec.node_name.empty()) add_names_of_hosts(shape.node_selectors, context, names);
  for (const auto& from : pod.spec.tolerations) shape.tolerations.push_back(toleration(from, names));
  sort_unique(shape.tolerations);
  add_host_ports(shape, pod.spec.containers, false, names);
  if (!mutant("Rule.HostPortsOfSidecars")) add_host_ports(shape, pod.spec.init_containers, true, names);
  sort_unique(shape.host_ports);
  if (profile != nullptr) add_spread(shape, pod, *profile, context, names);
  add_pod_affinity(shape, pod, names);
  add_images(shape, pod.spec.init_containers, names);
  add_images(shape, pod.spec.containers, names);
  for (const auto& volume : pod.spec.volumes) {
    if (!volume.image.empty()) shape.images.push_back(names.names.intern(normalized_image(volume.image)));
  }
  std::ranges::sort(shape.images);
  shape.needed_features = needed_features(pod.spec, names);
  return shape;
}

engine::Hold hold_of(const api::Pod& pod, const api::SchedulerProfile* profile, const engine::Hold& volumes,
                     const engine::Hold& claims, engine::Names& names) {
  if (profile == nullptr) {
    return {engine::HoldCause::kUnknownProfile, names.names.intern(pod.spec.scheduler_name)};
  }
  if (profile->scheduling_gates && !pod.spec.scheduling_gates.empty() && !mutant("Rule.SchedulingGates")) {
    return {engine::HoldCause::kSchedulingGate, names.names.intern(pod.spec.scheduling_gates.front())};
  }
  if (volumes.cause != engine::HoldCause::kNone) return volumes;
  return claims;
}

// Where nobody looks at devices, extended resources are amounts alone.
void drop_extended(dra::PodClaims& claims) {
  for (std::size_t i = claims.uses.size(); i-- > 0;) {
    if (claims.uses[i].resource.is_none()) continue;
    claims.uses.erase(claims.uses.begin() + static_cast<std::ptrdiff_t>(i));
    claims.names.erase(claims.names.begin() + static_cast<std::ptrdiff_t>(i));
  }
}

// The mark that a scheduler leaves on a pod that it evicts for another.
bool was_preempted(const api::Pod& pod) {
  const auto found = std::ranges::find(pod.status.conditions, "DisruptionTarget", &api::Condition::type);
  return found != pod.status.conditions.end() && found->status == "True" && found->reason == "PreemptionByScheduler";
}

}  // namespace

std::optional<std::int64_t> declared_run_time(const api::StringMap& annotations) {
  const auto found = annotations.find(kRunsForAnnotation);
  return found == annotations.end() ? std::nullopt : whole_number<std::int64_t>(found->second, 0);
}

std::string normalized_image(std::string_view image) {
  const std::size_t colon = image.rfind(':');
  const std::size_t slash = image.rfind('/');
  const bool tagged = colon != std::string_view::npos && (slash == std::string_view::npos || colon > slash);
  std::string result(image);
  if (!tagged) result += ":latest";
  return result;
}

engine::PodInput pod_input(const api::Pod& pod, const api::SchedulerProfile* profile, const Context& context,
                           const PodRules& rules, dra::DeviceDialect& devices, engine::Names& names) {
  engine::PodInput input;
  input.name = names.names.intern(api::full_name(pod.metadata));
  std::string share_problem;
  input.shape = shape_of(pod, profile, context, names, share_problem);
  VolumeRules volume_rules{.excerpt = rules.excerpt};
  if (profile != nullptr) {
    volume_rules.binding = runs_filter(*profile, api::Plugin::kVolumeBinding);
    volume_rules.zone = runs_filter(*profile, api::Plugin::kVolumeZone);
    volume_rules.restrictions = runs_filter(*profile, api::Plugin::kVolumeRestrictions);
  }
  PodVolumes volumes = pod_volumes(pod, context, volume_rules, names);
  input.shape.volume_selectors = std::move(volumes.selectors);
  input.shape.volume_choices = std::move(volumes.choices);
  input.shape.exclusive_claims = std::move(volumes.exclusive_claims);
  dra::PodClaims claims = devices.claims_of(pod);
  if (!claims.compute_domain.empty()) keep_in_one_clique(input.shape, pod, claims.compute_domain, names);
  if (!share_problem.empty() && claims.hold.cause == engine::HoldCause::kNone)
    claims.hold = {engine::HoldCause::kBadShare, names.names.intern(share_problem)};
  if (profile != nullptr && !runs_filter(*profile, api::Plugin::kDynamicResources)) drop_extended(claims);
  input.shape.claimed_resources = std::move(claims.supplied);
  input.shape.claims = std::move(claims.uses);
  input.claims = std::move(claims.names);
  input.created = pod.metadata.creation_timestamp.value_or(rules.now);
  input.started = pod.status.start_time;
  input.terminating = pod.metadata.deletion_timestamp.has_value();
  input.preempted = input.terminating && was_preempted(pod);
  if (pod.spec.node_name.empty()) {
    input.hold = hold_of(pod, profile, volumes.hold, claims.hold, names);
    if (!pod.status.nominated_node_name.empty()) {
      input.nominated_node = names.names.intern(pod.status.nominated_node_name);
    }
  } else {
    input.node = names.names.intern(pod.spec.node_name);
  }
  input.runs_for_seconds = declared_run_time(pod.metadata.annotations);
  if (const auto* owner = api::controller_of(pod.metadata)) {
    input.owner = names.names.intern(owner->kind + "/" + api::full_name(pod.metadata.namespace_, owner->name));
  }
  return input;
}

}  // namespace berth::dialects::kubernetes
