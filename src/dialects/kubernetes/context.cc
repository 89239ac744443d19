#include "dialects/kubernetes/context.h"

#include <algorithm>
#include <iterator>
#include <tuple>

#include "api/full_name.h"
#include "api/volume_binding.h"
#include "base/mutant.h"

namespace berth::dialects::kubernetes {
namespace {

constexpr std::string_view kClassAnnotation = "volume.beta.kubernetes.io/storage-class";
constexpr std::int32_t kSystemClusterCritical = 2'000'000'000;
constexpr std::int32_t kSystemNodeCritical = 2'000'001'000;

bool is_smaller(const api::PersistentVolume* left, const api::PersistentVolume* right) {
  const api::Quantity sizes[] = {api::storage_of(left->capacity), api::storage_of(right->capacity)};
  return std::tie(sizes[0], left->metadata.name) < std::tie(sizes[1], right->metadata.name);
}

// No namespace has a space in its name.
std::string pair_name(std::string_view namespace_, const api::StringMap::value_type& pair) {
  return std::string(namespace_).append(1, ' ').append(pair.first).append(1, '=').append(pair.second);
}

bool selects(const api::StringMap& selector, const api::StringMap& labels) {
  return std::ranges::all_of(selector, [&labels](const auto& pair) {
    const auto found = labels.find(pair.first);
    return found != labels.end() && found->second == pair.second;
  });
}

using ServiceLists = LabelLists<std::string, const api::Service*>;

// The Services of a chart have most pairs in common; each is filed under the one that the fewest others have.
ServiceLists by_rarest_pair(const std::vector<api::Read<api::Service>>& services) {
  ServiceLists all;
  for (const auto& read : services) {
    for (const auto& pair : read.object.selector)
      all.add(pair_name(read.object.metadata.namespace_, pair), &read.object);
  }
  ServiceLists result;
  for (const auto& read : services) {
    const std::string& space = read.object.metadata.namespace_;
    const auto* pair =
        rarest(read.object.selector, [&](const auto& each) { return all.count(pair_name(space, each)); });
    if (pair != nullptr) result.add(pair_name(space, *pair), &read.object);
  }
  return result;
}

}  // namespace

std::string_view storage_class_name(const api::PersistentVolumeClaim& claim) {
  const auto annotation = claim.metadata.annotations.find(kClassAnnotation);
  if (annotation != claim.metadata.annotations.end()) return annotation->second;
  return claim.storage_class_name ? std::string_view(*claim.storage_class_name) : std::string_view();
}

Context::Context(const api::ObjectSet& objects)
    : claims_(objects.persistent_volume_claims),
      volumes_by_name_(objects.persistent_volumes),
      storage_classes_(objects.storage_classes),
      replica_sets_(objects.replica_sets),
      stateful_sets_(objects.stateful_sets),
      replication_controllers_(objects.replication_controllers),
      priority_classes_(objects.priority_classes),
      room_(objects) {
  services_ = by_rarest_pair(objects.services);
  for (const auto& read : objects.persistent_volumes) {
    const api::PersistentVolume& volume = read.object;
    if (volume.claim_name.empty() || mutant("Rule.ClaimReference"))
      volumes_[volume.storage_class_name].push_back(&volume);
    if (!volume.claim_name.empty())
      kept_for_[api::full_name(volume.claim_namespace, volume.claim_name)].push_back(&volume);
  }
  for (Volumes* lists : {&volumes_, &kept_for_}) {
    for (auto& [name, volumes] : *lists) std::ranges::sort(volumes, is_smaller);
  }
  for (const auto& read : objects.nodes) nodes_.push_back(&read.object);

  default_storage_class_ = api::default_class(objects.storage_classes);
  // Of several defaults the API server takes the one of lowest priority.
  for (const auto& read : objects.priority_classes) {
    if (!read.object.global_default) continue;
    const auto rank = [](const api::PriorityClass& from) {
      return std::pair(from.value, std::string_view(from.metadata.name));
    };
    if (default_priority_class_ == nullptr || rank(read.object) < rank(*default_priority_class_)) {
      default_priority_class_ = &read.object;
    }
  }
}

const api::PersistentVolumeClaim* Context::claim(std::string_view namespace_, std::string_view name) const {
  return claims_.find(namespace_, name);
}

const api::PersistentVolume* Context::volume(std::string_view name) const { return volumes_by_name_.find({}, name); }

const api::StorageClass* Context::storage_class(const api::PersistentVolumeClaim& claim) const {
  const bool named = claim.storage_class_name || claim.metadata.annotations.contains(kClassAnnotation);
  return named ? storage_classes_.find({}, storage_class_name(claim)) : default_storage_class_;
}

const api::ReplicaSet* Context::replica_set(std::string_view namespace_, std::string_view name) const {
  return replica_sets_.find(namespace_, name);
}

const api::StatefulSet* Context::stateful_set(std::string_view namespace_, std::string_view name) const {
  return stateful_sets_.find(namespace_, name);
}

const api::ReplicationController* Context::replication_controller(std::string_view namespace_,
                                                                  std::string_view name) const {
  return replication_controllers_.find(namespace_, name);
}

const std::vector<const api::PersistentVolume*>& Context::volumes(const api::StorageClass& storage_class) const {
  static const std::vector<const api::PersistentVolume*> kNone;
  const auto found = volumes_.find(storage_class.metadata.name);
  return found == volumes_.end() ? kNone : found->second;
}

const std::vector<const api::PersistentVolume*>& Context::kept_for(const api::PersistentVolumeClaim& claim) const {
  static const std::vector<const api::PersistentVolume*> kNone;
  const auto found = kept_for_.find(api::full_name(claim.metadata));
  return found == kept_for_.end() ? kNone : found->second;
}

const std::vector<const api::Node*>& Context::nodes_of_host(std::string_view host) const {
  static const std::vector<const api::Node*> kNone;
  if (!by_host_) {
    by_host_.emplace();
    for (const api::Node* node : nodes_) {
      const auto label = node->metadata.labels.find(kHostLabel);
      if (label != node->metadata.labels.end()) (*by_host_)[label->second].push_back(node);
    }
  }
  const auto found = by_host_->find(host);
  return found == by_host_->end() ? kNone : found->second;
}

std::vector<const api::Service*> Context::services_for(std::string_view namespace_,
                                                       const api::StringMap& labels) const {
  std::vector<const api::Service*> result;
  for (const auto& pair : labels) {
    std::ranges::copy_if(services_.with(pair_name(namespace_, pair)), std::back_inserter(result),
                         [&](const api::Service* service) { return selects(service->selector, labels); });
  }
  return result;
}

Context::Priority Context::priority(std::string_view class_name, std::optional<std::int32_t> value,
                                    std::optional<api::PreemptionPolicy> policy) const {
  Priority result;
  const api::PriorityClass* named = nullptr;
  if (class_name.empty()) {
    named = mutant("Rule.GlobalDefault") ? nullptr : default_priority_class_;
  } else if (const auto* found = priority_classes_.find({}, class_name); found != nullptr) {
    named = found;
  } else if (class_name == "system-cluster-critical") {
    result.value = kSystemClusterCritical;
  } else if (class_name == "system-node-critical") {
    result.value = kSystemNodeCritical;
  } else {
    result.class_missing = !value.has_value();
  }
  if (named != nullptr && !mutant("Rule.PriorityClass")) {
    result.value = named->value;
    result.preempts = named->preemption_policy == api::PreemptionPolicy::kPreemptLowerPriority;
  }
  // What the API server resolved once counts, even if the class changed since.
  if (value) result.value = *value;
  if (policy) result.preempts = *policy == api::PreemptionPolicy::kPreemptLowerPriority;
  return result;
}

}  // namespace berth::dialects::kubernetes
