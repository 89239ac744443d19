#include <algorithm>
#include <charconv>
#include <cstdint>
#include <string>

#include <boost/unordered/unordered_flat_map.hpp>

#include "base/mutant.h"
#include "controllers/workshop.h"

namespace berth::controllers {
namespace {

std::string pod_name(const api::StatefulSet& set, std::int64_t ordinal) {
  return set.metadata.name + "-" + std::to_string(ordinal);
}

// "web-3" is pod 3 of the set web; a pod of another form is no member.
bool is_member(const api::StatefulSet& set, const api::Pod& pod) {
  const std::string& name = pod.metadata.name;
  const std::string prefix = set.metadata.name + "-";
  if (!name.starts_with(prefix) || name.size() == prefix.size()) return false;
  return std::all_of(name.begin() + static_cast<std::ptrdiff_t>(prefix.size()), name.end(),
                     [](char letter) { return letter >= '0' && letter <= '9'; });
}

std::string claim_name(const api::PersistentVolumeClaim& from, const std::string& pod) {
  return from.metadata.name + "-" + pod;
}

// Each claim template becomes a claim of the pod's own and a volume of the template's name.
void add_claims(Workshop& workshop, const api::StatefulSet& set, api::Pod& pod, const Place& place) {
  for (const auto& from : set.volume_claim_templates) {
    std::erase_if(pod.spec.volumes, [&from](const api::Volume& volume) { return volume.name == from.metadata.name; });
    api::Volume volume;
    volume.name = from.metadata.name;
    volume.persistent_volume_claim = claim_name(from, pod.metadata.name);
    if (!workshop.has_claim(set.metadata.namespace_, volume.persistent_volume_claim)) {
      api::PersistentVolumeClaim claim = from;
      claim.metadata.name = volume.persistent_volume_claim;
      claim.metadata.namespace_ = set.metadata.namespace_;
      for (const auto& [key, value] : set.selector.match_labels) claim.metadata.labels.insert_or_assign(key, value);
      workshop.make_claim(std::move(claim), place);
    }
    pod.spec.volumes.push_back(std::move(volume));
  }
}

api::Pod make_member(Workshop& workshop, const api::Read<api::StatefulSet>& read, const Owner& owner,
                     std::int64_t ordinal) {
  const api::StatefulSet& set = read.object;
  api::Pod pod = workshop.pod_from(set.pod_template, owner);
  pod.metadata.name = pod_name(set, ordinal);
  pod.metadata.labels.insert_or_assign("statefulset.kubernetes.io/pod-name", pod.metadata.name);
  pod.metadata.labels.insert_or_assign("apps.kubernetes.io/pod-index", std::to_string(ordinal));
  add_claims(workshop, set, pod, read.place);
  return pod;
}

}  // namespace

void reconcile_stateful_set(Workshop& workshop, const api::Read<api::StatefulSet>& read) {
  const api::StatefulSet& set = read.object;
  const Owner owner{"apps/v1", "StatefulSet", &set.metadata};
  if (set.metadata.deletion_timestamp || !workshop.first_of_name(owner, read.place)) return;
  boost::unordered_flat_map<std::string, const api::Pod*> members;
  for (const api::Pod* pod : workshop.claimed(owner, [&set](const api::Pod& candidate) {
         return is_member(set, candidate) && api::matches(set.selector, candidate.metadata.labels);
       })) {
    members.try_emplace(pod->metadata.name, pod);
  }
  const std::int64_t replicas = std::max(set.replicas, 0);
  const bool ordered = !set.parallel && workshop.options().wait_for_predecessors;
  if (!ordered && !workshop.admit(replicas - static_cast<std::int64_t>(members.size()), owner, read.place)) return;
  for (std::int64_t i = 0; i < replicas; ++i) {
    const std::int64_t ordinal = mutant("Controller.FirstOrdinal") ? i : std::int64_t{set.first_ordinal} + i;
    const auto found = members.find(pod_name(set, ordinal));
    // A finished member is made again under its name; one that is being deleted has to be gone first.
    const bool missing =
        found == members.end() || (is_finished(*found->second) && !found->second->metadata.deletion_timestamp);
    if (missing) workshop.make(make_member(workshop, read, owner, ordinal), read.place);
    if (ordered && !mutant("Controller.OrderedReady") && (missing || !is_ready(*found->second))) return;
  }
}

}  // namespace berth::controllers
