// VolumeBinding: bound volumes must be reachable from the node; claims that wait for their first consumer need a free
// volume or a class that can make one there.
#include <algorithm>

#include "reference/filters.h"
#include "reference/selectors.h"
#include "reference/volumes.h"

namespace berth::reference {
namespace {

constexpr Verdict kRefused{Cause::kVolumeBinding, true};

// A volume's affinity is about labels alone: to it a node has no name.
bool reachable(const api::PersistentVolume& volume, const api::Node& node) {
  if (!volume.node_affinity) return true;
  api::Node labels_only;
  labels_only.metadata.labels = node.metadata.labels;
  return selector_matches(*volume.node_affinity, labels_only);
}

api::Quantity size_of(const api::ResourceList& list) {
  const auto found = list.find("storage");
  return found == list.end() ? api::Quantity() : found->second;
}

bool serves(const api::PersistentVolume& volume, const api::PersistentVolumeClaim& claim, const api::Node& node) {
  if (volume.phase != "Available" || volume.metadata.deletion_timestamp) return false;
  const bool reserved = !volume.claim_name.empty();
  if (reserved && (volume.claim_name != claim.metadata.name || volume.claim_namespace != claim.metadata.namespace_)) {
    return false;
  }
  if (volume.storage_class_name != claim.storage_class_name.value_or("") || volume.volume_mode != claim.volume_mode) {
    return false;
  }
  if (size_of(volume.capacity) < size_of(claim.requests)) return false;
  if (claim.selector && !selects(*claim.selector, volume.metadata.labels)) return false;
  for (const api::AccessMode mode : claim.access_modes) {
    if (std::ranges::find(volume.access_modes, mode) == volume.access_modes.end()) return false;
  }
  return reachable(volume, node);
}

bool can_be_provisioned(const api::StorageClass& storage_class, const api::Node& node) {
  if (storage_class.provisioner.empty() || storage_class.provisioner == "kubernetes.io/no-provisioner") return false;
  return storage_class.allowed_topologies.empty() ||
         std::ranges::any_of(storage_class.allowed_topologies,
                             [&](const auto& term) { return term_matches(term, node); });
}

// Smallest claims first, each taking the smallest volume that serves it and is not taken yet.
bool all_served(const Objects& objects, std::vector<const api::PersistentVolumeClaim*> claims, const api::Node& node) {
  std::ranges::stable_sort(claims, {}, [](const auto* claim) { return size_of(claim->requests); });
  std::vector<const api::PersistentVolume*> taken;
  for (const api::PersistentVolumeClaim* claim : claims) {
    const api::PersistentVolume* best = nullptr;
    for (const api::PersistentVolume& volume : objects.volumes) {
      if (std::ranges::find(taken, &volume) != taken.end() || !serves(volume, *claim, node)) continue;
      // A volume that was set aside for this claim goes before smaller ones.
      const bool better =
          best == nullptr || (best->claim_name.empty() && !volume.claim_name.empty()) ||
          (best->claim_name.empty() == volume.claim_name.empty() && size_of(volume.capacity) < size_of(best->capacity));
      if (better) best = &volume;
    }
    if (best != nullptr) {
      taken.push_back(best);
      continue;
    }
    const api::StorageClass* storage_class = class_of(objects, *claim);
    if (storage_class == nullptr || !can_be_provisioned(*storage_class, node)) return false;
  }
  return true;
}

}  // namespace

Verdict filter_volume_binding(const Question& question, std::size_t node) {
  const Objects& objects = *question.snapshot.objects;
  const api::Node& candidate = *question.snapshot.nodes[node].node;
  std::vector<const api::PersistentVolumeClaim*> waiting;
  for (const std::string& name : all_claims(question.pod)) {
    const auto* claim = find_claim(objects, question.pod.metadata.namespace_, name);
    if (claim == nullptr || claim->phase == "Lost" || claim->metadata.deletion_timestamp) return kRefused;
    if (is_bound(*claim)) {
      const auto* volume = find_volume(objects, claim->volume_name);
      if (volume == nullptr || !reachable(*volume, candidate)) return kRefused;
      continue;
    }
    if (!waits_for_consumer(objects, *claim)) return kRefused;
    const auto chosen = claim->metadata.annotations.find("volume.kubernetes.io/selected-node");
    if (chosen == claim->metadata.annotations.end()) {
      waiting.push_back(claim);
    } else if (chosen->second != candidate.metadata.name) {
      return kRefused;
    }
  }
  return all_served(objects, waiting, candidate) ? Verdict{} : kRefused;
}

}  // namespace berth::reference
