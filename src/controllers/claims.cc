#include <algorithm>
#include <compare>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>
#include <boost/unordered/unordered_flat_set.hpp>

#include "api/full_name.h"
#include "api/volume_binding.h"
#include "base/mutant.h"
#include "controllers/reconcile.h"
#include "controllers/told.h"
#include "controllers/workshop.h"

namespace berth::controllers {
namespace {

constexpr std::string_view kNoProvisioner = "kubernetes.io/no-provisioner";

class Binder {
 public:
  explicit Binder(api::ObjectSet& objects) : objects_(objects) {
    for (const auto& read : objects.storage_classes) classes_.try_emplace(read.object.metadata.name, &read.object);
    default_ = api::default_class(objects.storage_classes);
    for (std::size_t i = 0; i < objects.persistent_volumes.size(); ++i) {
      const api::PersistentVolume& volume = objects.persistent_volumes[i].object;
      volumes_.try_emplace(volume.metadata.name, i);
      by_class_[volume.storage_class_name].push_back(i);
      if (!volume.claim_name.empty()) kept_[api::full_name(volume.claim_namespace, volume.claim_name)].push_back(i);
    }
    for (auto& [name, volumes] : by_class_) std::ranges::sort(volumes, {}, [this](std::size_t i) { return rank(i); });
  }

  void settle(api::Read<api::PersistentVolumeClaim>& read) {
    api::PersistentVolumeClaim& claim = read.object;
    if (!claim.phase.empty()) return;
    const api::StorageClass* storage_class = class_of(claim);
    // The API server does so before any controller sees the claim, also where it names a volume.
    if (storage_class != nullptr && !claim.storage_class_name) claim.storage_class_name = storage_class->metadata.name;
    if (!claim.volume_name.empty()) {
      bind_to_named(claim);
      return;
    }
    claim.phase = "Pending";
    const bool waits =
        storage_class != nullptr && storage_class->volume_binding_mode == api::VolumeBindingMode::kWaitForFirstConsumer;
    if (bind_to_existing(claim, waits) || waits) return;
    const bool unknown = storage_class == nullptr && classes_.empty() && claim.storage_class_name != "";
    if (unknown) {
      tell(remarks_, Error{ErrorCode::kNotFound,
                           "No StorageClass is among the objects; the claim " + claim.metadata.name +
                               " is taken to get a volume that every node reaches. Add its class to the input.",
                           read.place});
    }
    const bool provisions =
        storage_class != nullptr && !storage_class->provisioner.empty() && storage_class->provisioner != kNoProvisioner;
    if (unknown || provisions) bind_to_new(read, storage_class);
  }

  [[nodiscard]] std::vector<Error> take_remarks() { return std::move(remarks_); }

 private:
  const api::StorageClass* class_of(const api::PersistentVolumeClaim& claim) const {
    if (!claim.storage_class_name) return mutant("Rule.DefaultClass") ? nullptr : default_;
    const auto found = classes_.find(*claim.storage_class_name);
    return found == classes_.end() ? nullptr : found->second;
  }

  // What any volume that a claim gets has to have; who reserved the volume for it is asked for no more.
  static bool holds(const api::PersistentVolume& volume, const api::PersistentVolumeClaim& claim) {
    if (volume.metadata.deletion_timestamp) return false;
    if (volume.volume_attributes_class_name != claim.volume_attributes_class_name) return false;
    if (volume.volume_mode != claim.volume_mode || api::storage_of(volume.capacity) < api::storage_of(claim.requests))
      return false;
    return std::ranges::all_of(claim.access_modes, [&volume](api::AccessMode mode) {
      return std::ranges::find(volume.access_modes, mode) != volume.access_modes.end();
    });
  }

  // What the controller asks of a volume that the claim names and that names none.
  static bool serves(const api::PersistentVolume& volume, const api::PersistentVolumeClaim& claim) {
    return volume.storage_class_name == claim.storage_class_name.value_or("") && holds(volume, claim);
  }

  static bool suits(const api::PersistentVolume& volume, const api::PersistentVolumeClaim& claim) {
    return volume.claim_name.empty() && volume.phase == "Available" && serves(volume, claim) &&
           (!claim.selector || api::matches(*claim.selector, volume.metadata.labels));
  }

  static std::size_t count_modes(const api::PersistentVolume& volume) {
    std::vector<api::AccessMode> modes = volume.access_modes;
    std::ranges::sort(modes);
    return static_cast<std::size_t>(std::ranges::unique(modes).begin() - modes.begin());
  }

  // Of the volumes that have the claim's access modes it takes one with as few others as may be, of those the smallest,
  // and of equal ones the first by name.
  struct Rank {
    std::size_t modes = 0;
    api::Quantity size;
    std::string_view name;
    auto operator<=>(const Rank&) const = default;
  };
  [[nodiscard]] Rank rank(std::size_t i) const {
    const api::PersistentVolume& volume = objects_.persistent_volumes[i].object;
    return {mutant("Rule.FewestAccessModes") ? 0 : count_modes(volume), api::storage_of(volume.capacity),
            volume.metadata.name};
  }

  // Of the volumes that were reserved for the claim, the best one. Neither class nor selector matters there.
  [[nodiscard]] std::optional<std::size_t> best_kept(const api::PersistentVolumeClaim& claim) const {
    std::optional<std::size_t> best;
    const auto kept = kept_.find(api::full_name(claim.metadata));
    if (kept == kept_.end() || mutant("Rule.ReservedVolume")) return best;
    for (const std::size_t i : kept->second) {
      const api::PersistentVolume& volume = objects_.persistent_volumes[i].object;
      if (api::names(volume, claim) && holds(volume, claim) && (!best || rank(i) < rank(*best))) best = i;
    }
    return best;
  }

  [[nodiscard]] std::optional<std::size_t> best_free(const api::PersistentVolumeClaim& claim) const {
    const auto volumes = by_class_.find(claim.storage_class_name.value_or(""));
    if (volumes == by_class_.end()) return std::nullopt;
    const auto best = std::ranges::find_if(
        volumes->second, [&](std::size_t i) { return suits(objects_.persistent_volumes[i].object, claim); });
    return best == volumes->second.end() ? std::nullopt : std::optional(*best);
  }

  // A reserved volume goes before free ones of as many access modes, however small. A claim that waits for its first
  // consumer gets no other.
  bool bind_to_existing(api::PersistentVolumeClaim& claim, bool waits) {
    std::optional<std::size_t> best = best_kept(claim);
    if (!waits) {
      const auto free = best_free(claim);
      if (free && (!best || rank(*free).modes < rank(*best).modes)) best = free;
    }
    if (!best) return false;
    api::bind(claim, objects_.persistent_volumes[*best].object);
    return true;
  }

  // Somebody chose the volume. One that is not among the objects says nothing; one that is another claim's, or that
  // names none and does not serve, leaves the claim waiting. Two that name each other are bound, whatever they say.
  void bind_to_named(api::PersistentVolumeClaim& claim) {
    const auto found = volumes_.find(claim.volume_name);
    if (found == volumes_.end() || mutant("Rule.NamedVolume")) return;
    api::PersistentVolume& volume = objects_.persistent_volumes[found->second].object;
    claim.phase = "Pending";
    if (api::names(volume, claim) || (volume.claim_name.empty() && serves(volume, claim))) api::bind(claim, volume);
  }

  void bind_to_new(api::Read<api::PersistentVolumeClaim>& read, const api::StorageClass* storage_class) {
    api::PersistentVolumeClaim& claim = read.object;
    api::PersistentVolume volume;
    volume.metadata.name = "pvc-" + claim.metadata.namespace_ + "-" + claim.metadata.name;
    volume.capacity = claim.requests;
    volume.access_modes = claim.access_modes;
    volume.volume_mode = claim.volume_mode;
    volume.volume_attributes_class_name = claim.volume_attributes_class_name;
    volume.storage_class_name = claim.storage_class_name.value_or("");
    if (storage_class != nullptr && !storage_class->allowed_topologies.empty()) {
      volume.node_affinity = api::NodeSelector{storage_class->allowed_topologies};
    }
    api::bind(claim, volume);
    objects_.persistent_volumes.push_back({std::move(volume), read.place});
  }

  api::ObjectSet& objects_;
  boost::unordered_flat_map<std::string, const api::StorageClass*> classes_;
  const api::StorageClass* default_ = nullptr;
  boost::unordered_flat_map<std::string, std::size_t> volumes_;                // by name
  boost::unordered_flat_map<std::string, std::vector<std::size_t>> by_class_;  // the best first
  boost::unordered_flat_map<std::string, std::vector<std::size_t>> kept_;      // by "namespace/name" of the claim
  std::vector<Error> remarks_;
};

// The ephemeral volume controller's part: pods that wait for a node get the claims of their own volumes.
std::vector<api::Read<api::PersistentVolumeClaim>> ephemeral_claims(const api::ObjectSet& objects) {
  std::vector<api::Read<api::PersistentVolumeClaim>> claims;
  for (const auto& read : objects.pods) {
    const api::Pod& pod = read.object;
    if (!api::is_active(pod) || !pod.spec.node_name.empty()) continue;
    for (const api::Volume& volume : pod.spec.volumes) {
      if (volume.claim_template.address() == nullptr) continue;
      api::PersistentVolumeClaim claim = *volume.claim_template;
      claim.metadata.name = api::claim_behind(pod, volume);
      claim.metadata.namespace_ = pod.metadata.namespace_;
      claim.metadata.owner_references = {
          {.api_version = "v1", .kind = "Pod", .name = pod.metadata.name, .uid = pod.metadata.uid, .controller = true}};
      claims.push_back({std::move(claim), read.place});
    }
  }
  return claims;
}

void add_missing(std::vector<api::Read<api::PersistentVolumeClaim>> claims, api::ObjectSet& objects) {
  if (claims.empty()) return;
  boost::unordered_flat_set<std::string> there;
  for (const auto& read : objects.persistent_volume_claims) {
    there.insert(api::full_name(read.object.metadata));
  }
  for (auto& read : claims) {
    if (there.insert(api::full_name(read.object.metadata)).second)
      objects.persistent_volume_claims.push_back(std::move(read));
  }
}

}  // namespace

std::vector<Error> settle_claims(api::ObjectSet& objects) {
  add_missing(ephemeral_claims(objects), objects);
  // A volume of a manifest has no status yet; its controller makes it available at once.
  for (auto& read : objects.persistent_volumes)
    if (read.object.phase.empty() && read.object.claim_name.empty() && !mutant("Rule.FreshVolumeIsAvailable"))
      read.object.phase = "Available";
  Binder binder(objects);
  for (auto& read : objects.persistent_volume_claims) binder.settle(read);
  return binder.take_remarks();
}

}  // namespace berth::controllers
