#include "sim/claims.h"

#include <algorithm>
#include <vector>

#include "api/claim_names.h"
#include "dialects/dra/allocation.h"
#include "dialects/kubernetes/context.h"
#include "engine/devices/holdings.h"
#include "engine/world/world.h"

namespace berth::sim {
namespace {

namespace dra = dialects::dra;
using dialects::kubernetes::full_name;

api::AllocationResult result_of(const engine::devices::Grant& grant, const Cluster& cluster,
                                const dra::PublishedDevices& published, const api::ResourceClaim& claim,
                                std::string_view node) {
  const engine::devices::Inventory& inventory = cluster.engine().world().holdings().inventory();
  const auto& names = cluster.names().names;
  std::vector<dra::PublishedDevice> found;
  for (const engine::devices::DeviceAllocation& device : grant.devices) {
    const engine::devices::Inventory::DeviceKey& key = inventory.key(device.device);
    found.push_back(published.in_pool(names.text(key.driver), names.text(key.pool), names.text(key.device)));
  }
  return dra::allocation_result({.devices = grant.devices, .chosen = grant.chosen, .found = found, .node = node},
                                inventory, claim, cluster.objects().device_classes, cluster.names());
}

}  // namespace

void AllocationWriter::index() {
  published_.emplace(cluster_.objects().resource_slices);
  for (auto& read : cluster_.objects().resource_claims) {
    const api::ObjectMeta& metadata = read.object.metadata;
    claims_.try_emplace(full_name(metadata.namespace_, metadata.name), &read.object);
  }
  for (const auto& read : cluster_.objects().pod_groups) {
    const api::ObjectMeta& metadata = read.object.metadata;
    groups_.try_emplace(full_name(metadata.namespace_, metadata.name), &read.object);
  }
}

// The pod, or its group where the claim is the group's.
api::ClaimConsumer AllocationWriter::consumer_of(const api::Pod& pod, const api::ResourceClaim& claim) const {
  const auto group = groups_.find(full_name(pod.metadata.namespace_, pod.spec.scheduling_group->pod_group_name));
  const auto entry = std::ranges::find_if(pod.spec.resource_claims, [&](const api::PodResourceClaim& each) {
    return api::claim_name(pod, each).name == claim.metadata.name;
  });
  if (group == groups_.end() || entry == pod.spec.resource_claims.end() || !api::is_of_group(*group->second, *entry))
    return {"", "pods", pod.metadata.name, pod.metadata.uid};
  return {"scheduling.k8s.io", "podgroups", group->second->metadata.name, group->second->metadata.uid};
}

std::vector<const api::ResourceClaim*> AllocationWriter::write(const api::Pod& pod) {
  std::vector<const api::ResourceClaim*> written;
  if (pod.spec.resource_claims.empty()) return written;
  const engine::World& world = cluster_.engine().world();
  const engine::Names& names = cluster_.names();
  const engine::PodId id =
      cluster_.engine().find_pod(names.names.find(full_name(pod.metadata.namespace_, pod.metadata.name)));
  if (id.is_none()) return written;
  if (!published_) index();
  const std::string_view node = cluster_.node_name(world.pod(id).node);
  for (const engine::NameId name : world.pod(id).claims) {
    const engine::devices::Grant* grant = world.holdings().grant(name);
    const auto found = claims_.find(std::string(names.names.text(name)));
    if (grant == nullptr || found == claims_.end()) continue;
    api::ResourceClaim& claim = *found->second;
    if (!claim.status.allocation) claim.status.allocation = result_of(*grant, cluster_, *published_, claim, node);
    if (!api::is_reserved_for(pod, claim) && claim.status.reserved_for.size() < api::kMaxReservedFor) {
      claim.status.reserved_for.push_back(consumer_of(pod, claim));
    }
    written.push_back(&claim);
  }
  return written;
}

}  // namespace berth::sim
