// VolumeBinding: bound volumes must be reachable from the node; claims that wait for their first consumer need a free
// volume or a class that can make one there.
#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <utility>

#include "reference/filters.h"
#include "reference/requests.h"
#include "reference/scores.h"
#include "reference/selectors.h"
#include "reference/volumes.h"

namespace berth::reference {
namespace {

constexpr Verdict kRefused{Cause::kVolumeBinding, true};
constexpr std::string_view kSelectedNode = "volume.kubernetes.io/selected-node";

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

// A reference with a uid means the claim that once had it, not any of that name.
bool is_set_aside_for(const api::PersistentVolume& volume, const api::PersistentVolumeClaim& claim) {
  if (volume.claim_name != claim.metadata.name || volume.claim_namespace != claim.metadata.namespace_) return false;
  return volume.claim_uid.empty() || volume.claim_uid == claim.metadata.uid;
}

// What even a volume that was set aside for the claim must be.
bool could_hold(const api::PersistentVolume& volume, const api::PersistentVolumeClaim& claim,
                const api::StorageClass& storage_class) {
  return volume.storage_class_name == storage_class.metadata.name && volume.volume_mode == claim.volume_mode &&
         volume.volume_attributes_class_name == claim.volume_attributes_class_name &&
         !volume.metadata.deletion_timestamp && size_of(volume.capacity) >= size_of(claim.requests);
}

bool suits(const api::PersistentVolume& volume, const api::PersistentVolumeClaim& claim) {
  if (volume.phase != "Available" || !volume.claim_name.empty()) return false;
  if (claim.selector && !selects(*claim.selector, volume.metadata.labels)) return false;
  return std::ranges::all_of(claim.access_modes, [&](api::AccessMode mode) {
    return std::ranges::find(volume.access_modes, mode) != volume.access_modes.end();
  });
}

// The volume set aside for the claim, or else the smallest free one; none if the former cannot be reached.
const api::PersistentVolume* choose_volume(const Objects& objects, const api::PersistentVolumeClaim& claim,
                                           const api::StorageClass& storage_class, const api::Node& node,
                                           const std::vector<const api::PersistentVolume*>& taken) {
  const api::PersistentVolume* best = nullptr;
  for (const api::PersistentVolume& volume : objects.volumes) {
    if (std::ranges::find(taken, &volume) != taken.end() || !could_hold(volume, claim, storage_class)) continue;
    if (is_set_aside_for(volume, claim)) return reachable(volume, node) ? &volume : nullptr;
    if (!suits(volume, claim) || !reachable(volume, node)) continue;
    if (best == nullptr || size_of(volume.capacity) < size_of(best->capacity)) best = &volume;
  }
  return best;
}

// Does the driver of the class tell what it can still make? Where nobody tells anything nothing is known.
bool tells_capacity(const Objects& objects, const api::PersistentVolumeClaim& claim,
                    const api::StorageClass& storage_class) {
  return claim.requests.contains("storage") && !objects.csi_storage_capacities.empty() &&
         std::ranges::any_of(objects.csi_drivers, [&](const api::CsiDriver& driver) {
           return driver.storage_capacity && driver.metadata.name == storage_class.provisioner;
         });
}

// The first by name of those that have room for the claim on the node.
const api::CsiStorageCapacity* room_for(const Objects& objects, const api::PersistentVolumeClaim& claim,
                                        const api::StorageClass& storage_class, const api::Node& node) {
  const api::CsiStorageCapacity* first = nullptr;
  for (const api::CsiStorageCapacity& each : objects.csi_storage_capacities) {
    const auto& limit = each.maximum_volume_size ? each.maximum_volume_size : each.capacity;
    if (each.storage_class_name != storage_class.metadata.name || !limit || *limit < size_of(claim.requests)) continue;
    if (!each.node_topology || !selects(*each.node_topology, node.metadata.labels)) continue;
    const auto name = [](const api::CsiStorageCapacity& of) {
      return std::pair(of.metadata.namespace_, of.metadata.name);
    };
    if (first == nullptr || name(each) < name(*first)) first = &each;
  }
  return first;
}

bool can_be_provisioned(const Objects& objects, const api::PersistentVolumeClaim& claim,
                        const api::StorageClass& storage_class, const api::Node& node) {
  if (storage_class.provisioner.empty() || storage_class.provisioner == "kubernetes.io/no-provisioner") return false;
  if (tells_capacity(objects, claim, storage_class) && room_for(objects, claim, storage_class, node) == nullptr)
    return false;
  return storage_class.allowed_topologies.empty() ||
         std::ranges::any_of(storage_class.allowed_topologies,
                             [&](const auto& term) { return term_matches(term, node); });
}

struct Match {
  const api::PersistentVolumeClaim* claim;
  const api::PersistentVolume* volume;  // null: one is to be made
};

// Smallest claims first, each taking a volume that is not taken yet or one that is to be made. Nothing if some claim
// finds neither.
std::optional<std::vector<Match>> match_claims(const Objects& objects,
                                               std::vector<const api::PersistentVolumeClaim*> claims,
                                               const api::Node& node) {
  std::ranges::stable_sort(claims, {}, [](const auto* claim) { return size_of(claim->requests); });
  std::vector<const api::PersistentVolume*> taken;
  std::vector<Match> matches;
  for (const api::PersistentVolumeClaim* claim : claims) {
    const api::StorageClass* storage_class = class_of(objects, *claim);
    if (storage_class == nullptr) return std::nullopt;
    if (const auto* volume = choose_volume(objects, *claim, *storage_class, node, taken)) {
      taken.push_back(volume);
      matches.push_back({claim, volume});
    } else if (can_be_provisioned(objects, *claim, *storage_class, node)) {
      matches.push_back({claim, nullptr});
    } else {
      return std::nullopt;
    }
  }
  return matches;
}

// Claims that wait for the pod's node and for which none was chosen yet.
std::vector<const api::PersistentVolumeClaim*> open_claims(const Objects& objects, const api::Pod& pod) {
  std::vector<const api::PersistentVolumeClaim*> open;
  for (const auto& [name, claim] : used_claims(objects, pod)) {
    if (claim != nullptr && !is_bound(*claim) && waits_for_consumer(objects, *claim) &&
        !claim->metadata.annotations.contains(kSelectedNode)) {
      open.push_back(claim);
    }
  }
  return open;
}

std::int64_t bytes(const api::ResourceList& list) { return scheduler_units("storage", size_of(list).nanos()); }

}  // namespace

Verdict filter_volume_binding(const Question& question, std::size_t node) {
  const Objects& objects = *question.snapshot.objects;
  const api::Node& candidate = *question.snapshot.nodes[node].node;
  for (const auto& [name, claim] : used_claims(objects, question.pod)) {
    if (claim == nullptr || claim->phase == "Lost" || claim->metadata.deletion_timestamp) return kRefused;
    if (is_bound(*claim)) {
      const auto* volume = find_volume(objects, claim->volume_name);
      if (volume == nullptr || !reachable(*volume, candidate)) return kRefused;
      continue;
    }
    if (!waits_for_consumer(objects, *claim)) return kRefused;
    const auto chosen = claim->metadata.annotations.find(kSelectedNode);
    if (chosen == claim->metadata.annotations.end()) continue;
    // Its volume is being made on a node that was chosen before.
    const api::StorageClass* storage_class = class_of(objects, *claim);
    if (chosen->second != candidate.metadata.name || !can_be_provisioned(objects, *claim, *storage_class, candidate))
      return kRefused;
  }
  return match_claims(objects, open_claims(objects, question.pod), candidate) ? Verdict{} : kRefused;
}

// How much of the existing volumes the claims ask or, where all are to be made, of what their drivers tell there,
// through the profile's shape; per class, all classes alike.
ScoreColumn score_volume_binding(const Question& question, const std::vector<std::size_t>& feasible) {
  struct Sum {
    std::int64_t requested = 0;
    std::int64_t capacity = 0;
  };
  const Objects& objects = *question.snapshot.objects;
  ScoreColumn column;
  for (const std::size_t node : feasible) {
    const auto matches = match_claims(objects, open_claims(objects, question.pod), *question.snapshot.nodes[node].node);
    std::map<std::string, Sum> classes;
    const std::vector<Match> all = matches.value_or(std::vector<Match>{});
    const bool any_exists = std::ranges::any_of(all, [](const Match& match) { return match.volume != nullptr; });
    for (const auto& [claim, volume] : all) {
      if (volume != nullptr) {
        classes[volume->storage_class_name].requested += bytes(claim->requests);
        classes[volume->storage_class_name].capacity += bytes(volume->capacity);
      }
      const api::StorageClass* storage_class = class_of(objects, *claim);
      if (any_exists || !tells_capacity(objects, *claim, *storage_class)) continue;
      // Claims of one class share it.
      Sum& sum = classes[storage_class->metadata.name];
      sum.requested += bytes(claim->requests);
      const auto* room = room_for(objects, *claim, *storage_class, *question.snapshot.nodes[node].node);
      sum.capacity = room->capacity ? scheduler_units("storage", room->capacity->nanos()) : 0;
    }
    std::int64_t points = 0;
    for (const auto& [name, sum] : classes) {
      const bool full = sum.capacity == 0 || sum.requested > sum.capacity;
      points += along_shape(question.profile.volume_binding_shape, full ? 100 : sum.requested * 100 / sum.capacity);
    }
    const double mean = classes.empty() ? 0 : static_cast<double>(points) / static_cast<double>(classes.size());
    column.raw.push_back(static_cast<std::int64_t>(std::round(mean)));
  }
  column.normalized = column.raw;
  return column;
}

}  // namespace berth::reference
