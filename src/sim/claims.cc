#include "sim/claims.h"

#include <algorithm>
#include <string>

#include "api/claim_names.h"
#include "dialects/dra/allocation.h"
#include "dialects/kubernetes/context.h"
#include "engine/devices/holdings.h"
#include "engine/world/world.h"

namespace berth::sim {

void write_allocations(Cluster& cluster, const api::Pod& pod) {
  if (pod.spec.resource_claims.empty()) return;
  const engine::World& world = cluster.engine().world();
  const engine::Names& names = cluster.names();
  const engine::PodId id = cluster.engine().find_pod(
      names.names.find(dialects::kubernetes::full_name(pod.metadata.namespace_, pod.metadata.name)));
  if (id.is_none()) return;
  for (const engine::NameId name : world.pod(id).claims) {
    const engine::devices::Grant* grant = world.holdings().grant(name);
    if (grant == nullptr) continue;
    const std::string_view full_name = names.names.text(name);
    const auto found = std::ranges::find_if(cluster.objects().resource_claims, [&](const auto& read) {
      return dialects::kubernetes::full_name(read.object.metadata.namespace_, read.object.metadata.name) == full_name;
    });
    if (found == cluster.objects().resource_claims.end()) continue;
    api::ResourceClaim& claim = found->object;
    if (!claim.status.allocation) {
      claim.status.allocation = dialects::dra::allocation_result(*grant, world.holdings().inventory(), claim,
                                                                 cluster.objects().device_classes, names);
    }
    if (!api::is_reserved_for(pod, claim) && claim.status.reserved_for.size() < api::kMaxReservedFor) {
      claim.status.reserved_for.push_back({"", "pods", pod.metadata.name, pod.metadata.uid});
    }
  }
}

}  // namespace berth::sim
