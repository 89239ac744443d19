#include "sim/claims.h"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "api/claim_names.h"
#include "api/full_name.h"
#include "dialects/dra/allocation.h"
#include "dialects/dra/extended_resources.h"
#include "engine/devices/holdings.h"
#include "engine/world/world.h"

namespace berth::sim {
namespace {

namespace dra = dialects::dra;

std::uint32_t position_of(std::string_view request, const api::ResourceClaimSpec& spec) {
  const auto found = std::ranges::find(spec.requests, request, &api::DeviceRequest::name);
  return static_cast<std::uint32_t>(found - spec.requests.begin());
}

}  // namespace

api::AllocationResult AllocationWriter::result_of(const engine::devices::Grant& grant, const api::ResourceClaim& claim,
                                                  std::string_view node) const {
  const engine::devices::Inventory& inventory = cluster_.engine().world().holdings().inventory();
  const auto& names = cluster_.names().names;
  std::vector<dra::PublishedDevice> found;
  for (const engine::devices::DeviceAllocation& device : grant.devices) {
    const engine::devices::Inventory::DeviceKey& key = inventory.key(device.device);
    found.push_back(published_->in_pool(names.text(key.driver), names.text(key.pool), names.text(key.device)));
  }
  api::AllocationResult result =
      dra::allocation_result({.devices = grant.devices, .chosen = grant.chosen, .found = found, .node = node},
                             inventory, claim, cluster_.objects().device_classes, cluster_.names());
  const bool binds =
      std::ranges::any_of(result.results, [](const auto& one) { return !one.binding_conditions.empty(); });
  if (binds) result.allocation_timestamp = now_;
  return result;
}

AllocationWriter::~AllocationWriter() {
  for (api::ResourceClaim& claim : made_) cluster_.objects().resource_claims.push_back({std::move(claim), {}});
}

void AllocationWriter::index() {
  published_.emplace(cluster_.objects().resource_slices);
  for (auto& read : cluster_.objects().resource_claims) {
    const api::ObjectMeta& metadata = read.object.metadata;
    claims_.try_emplace(api::full_name(metadata), &read.object);
    names_.reserve(api::full_name(metadata));
  }
  for (const auto& read : cluster_.objects().pod_groups) {
    const api::ObjectMeta& metadata = read.object.metadata;
    groups_.try_emplace(api::full_name(metadata), &read.object);
  }
}

// The pod, or its group where the claim is the group's.
api::ClaimConsumer AllocationWriter::consumer_of(const api::Pod& pod, const api::ResourceClaim& claim) const {
  const auto group = groups_.find(api::full_name(pod.metadata.namespace_, pod.spec.scheduling_group->pod_group_name));
  const auto entry = std::ranges::find_if(pod.spec.resource_claims, [&](const api::PodResourceClaim& each) {
    return api::claim_name(pod, each).name == claim.metadata.name;
  });
  if (group == groups_.end() || entry == pod.spec.resource_claims.end() || !api::is_of_group(*group->second, *entry))
    return {"", "pods", pod.metadata.name, pod.metadata.uid};
  return {"scheduling.k8s.io", "podgroups", group->second->metadata.name, group->second->metadata.uid};
}

std::vector<const api::ResourceClaim*> AllocationWriter::write(api::Pod& pod) {
  std::vector<const api::ResourceClaim*> written;
  const engine::World& world = cluster_.engine().world();
  const engine::Names& names = cluster_.names();
  const engine::PodId id = cluster_.engine().find_pod(names.names.find(api::full_name(pod.metadata)));
  if (id.is_none() || world.pod(id).claims.empty()) return written;
  // Who is evicted again later in the same step has given its devices back.
  if (world.pod(id).state != engine::PodState::kPlaced) return written;
  if (!published_) index();
  const std::string_view node = cluster_.node_name(world.pod(id).node);
  for (const engine::NameId name : world.pod(id).claims) {
    const engine::devices::Grant* grant = world.holdings().grant(name);
    const auto found = claims_.find(std::string(names.names.text(name)));
    if (grant == nullptr || found == claims_.end()) continue;
    api::ResourceClaim& claim = *found->second;
    // What it had before may have been given up.
    if (!claim.status.allocation || !grant->given) claim.status.allocation = result_of(*grant, claim, node);
    if (!api::is_reserved_for(pod, claim) && claim.status.reserved_for.size() < api::kMaxReservedFor)
      claim.status.reserved_for.push_back(consumer_of(pod, claim));
    written.push_back(&claim);
  }
  if (const api::ResourceClaim* extended = write_extended(pod, node)) written.push_back(extended);
  return written;
}

// The engine decides each resource by itself; what the pod got of all of them is one claim and one allocation.
const api::ResourceClaim* AllocationWriter::write_extended(api::Pod& pod, std::string_view node) {
  const engine::devices::Holdings& holdings = cluster_.engine().world().holdings();
  const engine::Names& names = cluster_.names();
  std::vector<dra::ExtendedResource> served;
  std::vector<const engine::devices::Grant*> grants;  // parallel
  for (auto& asked : dra::extended_resources(pod, cluster_.translator().devices().served())) {
    const engine::devices::Grant* grant =
        holdings.grant(names.names.find(dra::DeviceDialect::extended_claim_name(pod, asked.resource)));
    if (grant == nullptr) continue;
    served.push_back(std::move(asked));
    grants.push_back(grant);
  }
  if (served.empty()) return nullptr;
  api::ResourceClaim& claim = made_.emplace_back(dra::extended_resource_claim(pod, served));
  claim.metadata.name = names_.make(claim.metadata.namespace_, claim.metadata.generate_name);
  engine::devices::Grant whole;
  for (std::size_t i = 0; i < served.size(); ++i) {
    for (engine::devices::DeviceAllocation device : grants[i]->devices) {
      device.request = position_of(served[i].spec.requests[device.request].name, claim.spec);
      whole.devices.push_back(std::move(device));
    }
  }
  std::ranges::stable_sort(whole.devices, {}, &engine::devices::DeviceAllocation::request);
  whole.chosen.resize(claim.spec.requests.size());  // a request for a resource has no alternatives
  claim.status.allocation = result_of(whole, claim, node);
  claim.status.reserved_for.push_back({"", "pods", pod.metadata.name, pod.metadata.uid});
  auto& status = pod.status.extended_resource_claim_status.emplace();
  status.resource_claim_name = claim.metadata.name;
  for (const auto& resource : served)
    status.request_mappings.insert(status.request_mappings.end(), resource.mappings.begin(), resource.mappings.end());
  return &claim;
}

}  // namespace berth::sim
