#include <map>
#include <set>
#include <string>
#include <vector>

#include "api/encode.h"
#include "api/full_name.h"
#include "cli/plan_view.h"
#include "sim/claims.h"
#include "sim/device_binding.h"
#include "text/utf8.h"
#include "text/yaml_writer.h"

namespace berth::cli {
namespace {

template <class T>
void write_document(const T& object, std::string& out) {
  out += "---\n";
  text::YamlWriter writer(out);
  api::write(writer, object);
}

// A claim that an API server takes: it sets when an object was made, and owners and users need the uids that it gave
// them. Pods that it does not know yet have none; the claim is still theirs by its annotation and their status.
api::ResourceClaim applicable(const api::ResourceClaim& claim) {
  api::ResourceClaim result = claim;
  if (claim.metadata.uid.empty()) result.metadata.creation_timestamp.reset();
  std::erase_if(result.metadata.owner_references, [](const api::OwnerReference& owner) { return owner.uid.empty(); });
  std::erase_if(result.status.reserved_for, [](const api::ClaimConsumer& consumer) { return consumer.uid.empty(); });
  return result;
}

}  // namespace

std::string plan_yaml(const sim::Plan& plan, sim::Cluster& cluster) {
  std::string out;
  for (const sim::Eviction& eviction : plan.evictions) {
    std::string line = "# Evict pod " + eviction.pod + " on " + eviction.node + " for " + eviction.beneficiary;
    for (const sim::BrokenBudget& budget : eviction.broken_budgets) line += "; this " + text_of(budget);
    out += text::visible(line) + '\n';
  }
  std::map<std::string, std::string> node_of;  // of the pods that would start
  for (const sim::Placement& placement : plan.placements)
    node_of.emplace(placement.namespace_ + '/' + placement.name, placement.node);

  sim::AllocationWriter allocations(cluster);
  std::vector<api::Pod> pods;
  std::vector<const api::ResourceClaim*> claims;  // each once, in the order of their first users
  std::set<const api::ResourceClaim*> known;
  for (auto& read : cluster.objects().pods) {
    const auto placed = node_of.find(api::full_name(read.object.metadata));
    if (placed == node_of.end()) continue;
    const std::vector<const api::ResourceClaim*> its = allocations.write(read.object);
    for (const api::ResourceClaim* claim : its)
      if (known.insert(claim).second) claims.push_back(claim);
    api::Pod& pod = pods.emplace_back(read.object);
    // Whose devices have to be made ready first is bound when they are.
    const sim::DeviceBinding binding = sim::device_binding(its, 1, 0);
    const bool ready = binding.state == sim::DeviceBinding::State::kReady;
    pod.spec.node_name = ready ? placed->second : "";
    pod.status.nominated_node_name = ready ? "" : placed->second;
    if (!ready)
      out += text::visible("# Pod " + api::full_name(pod.metadata) + " is bound to " + placed->second + " once " +
                           binding.what) +
             '\n';
    // The scheduler binds; that it runs is the kubelet's to say.
    pod.status.phase = api::PodPhase::kPending;
    pod.status.start_time.reset();
    // That no node took it is no longer so; the API server says the new state when it binds.
    if (ready) std::erase_if(pod.status.conditions, [](const auto& each) { return each.type == "PodScheduled"; });
  }
  for (const api::ResourceClaim* claim : claims) write_document(applicable(*claim), out);
  for (const api::Pod& pod : pods) write_document(pod, out);
  return out;
}

}  // namespace berth::cli
