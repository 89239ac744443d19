// Context: the objects that decide what a pod means besides the pod itself, found by name.
//
// Borrows an ObjectSet, which must outlive it. Of objects with one name the first counts. Look-ups are one hash.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>

#include "api/by_name.h"
#include "api/objects.h"
#include "base/label_lists.h"
#include "dialects/kubernetes/claim_kinds.h"
#include "dialects/kubernetes/storage_room.h"

namespace berth::dialects::kubernetes {

class Context {
 public:
  Context() = default;
  explicit Context(const api::ObjectSet& objects);

  [[nodiscard]] const api::PersistentVolumeClaim* claim(std::string_view namespace_, std::string_view name) const;
  [[nodiscard]] const api::PersistentVolume* volume(std::string_view name) const;
  // A claim's class: by its old annotation, by name, or the default class where the claim names none; null if that
  // class is not there or there is no default.
  [[nodiscard]] const api::StorageClass* storage_class(const api::PersistentVolumeClaim& claim) const;
  [[nodiscard]] const api::ReplicaSet* replica_set(std::string_view namespace_, std::string_view name) const;
  [[nodiscard]] const api::StatefulSet* stateful_set(std::string_view namespace_, std::string_view name) const;
  [[nodiscard]] const api::ReplicationController* replication_controller(std::string_view namespace_,
                                                                         std::string_view name) const;
  // Services that select a pod with these labels; one without a selector selects none. O(labels, and those Services
  // whose rarest pair it has).
  [[nodiscard]] std::vector<const api::Service*> services_for(std::string_view namespace_,
                                                              const api::StringMap& labels) const;

  // Volumes of a class that are nobody's, by size, then name: the order in which a claim takes them.
  [[nodiscard]] const std::vector<const api::PersistentVolume*>& volumes(const api::StorageClass& storage_class) const;
  // Volumes, of any class, that are kept for a claim of this name; in the same order.
  [[nodiscard]] const std::vector<const api::PersistentVolume*>& kept_for(
      const api::PersistentVolumeClaim& claim) const;
  [[nodiscard]] const std::vector<const api::Node*>& nodes() const { return nodes_; }
  static constexpr std::string_view kHostLabel = "kubernetes.io/hostname";
  // Nodes that have this value of kHostLabel. O(1), and O(nodes) the first time.
  [[nodiscard]] const std::vector<const api::Node*>& nodes_of_host(std::string_view host) const;

  [[nodiscard]] const StorageRoom& room() const { return room_; }
  // Remembers what it found.
  [[nodiscard]] ClaimKinds& claim_kinds() const { return claim_kinds_; }

  struct Priority {
    std::int32_t value = 0;
    bool preempts = true;
    bool class_missing = false;  // the pod names a class that is not there
  };
  // By the own fields of a pod or group, else its class, else the global default class, else 0.
  [[nodiscard]] Priority priority(const api::PodSpec& spec) const {
    return priority(spec.priority_class_name, spec.priority, spec.preemption_policy);
  }
  [[nodiscard]] Priority priority(std::string_view class_name, std::optional<std::int32_t> value,
                                  std::optional<api::PreemptionPolicy> policy) const;

 private:
  api::ByName<api::PersistentVolumeClaim> claims_;
  api::ByName<api::PersistentVolume> volumes_by_name_;
  api::ByName<api::StorageClass> storage_classes_;
  api::ByName<api::ReplicaSet> replica_sets_;
  api::ByName<api::StatefulSet> stateful_sets_;
  api::ByName<api::ReplicationController> replication_controllers_;
  api::ByName<api::PriorityClass> priority_classes_;
  LabelLists<std::string, const api::Service*> services_;  // by namespace and the rarest pair of the selector
  using Volumes = boost::unordered_flat_map<std::string, std::vector<const api::PersistentVolume*>>;
  Volumes volumes_;   // by class
  Volumes kept_for_;  // by claim
  std::vector<const api::Node*> nodes_;
  mutable std::optional<boost::unordered_flat_map<std::string_view, std::vector<const api::Node*>>> by_host_;
  StorageRoom room_;
  mutable ClaimKinds claim_kinds_;
  const api::StorageClass* default_storage_class_ = nullptr;
  const api::PriorityClass* default_priority_class_ = nullptr;
};

// The storage class that a claim names, by annotation or field; empty if it names none.
[[nodiscard]] std::string_view storage_class_name(const api::PersistentVolumeClaim& claim);

}  // namespace berth::dialects::kubernetes
