// Claims and volumes, looked up by name.
#pragma once

#include <string>
#include <vector>

#include "reference/objects.h"

namespace berth::reference {

// The claims that the pod's volumes name.
[[nodiscard]] std::vector<std::string> named_claims(const api::Pod& pod);
// A claim that a pod uses; nobody's if there is none of that name, or if it should be the pod's own and is another's.
struct UsedClaim {
  std::string name;
  const api::PersistentVolumeClaim* claim = nullptr;
};
// Those and the claims of generic ephemeral volumes, which are named after pod and volume; in order of the volumes.
[[nodiscard]] std::vector<UsedClaim> used_claims(const Objects& objects, const api::Pod& pod);
[[nodiscard]] const api::PersistentVolumeClaim* find_claim(const Objects& objects, const std::string& claim_namespace,
                                                           const std::string& name);
[[nodiscard]] const api::PersistentVolume* find_volume(const Objects& objects, const std::string& name);
// The class that the claim names, or the default class if it names none.
[[nodiscard]] const api::StorageClass* class_of(const Objects& objects, const api::PersistentVolumeClaim& claim);

// Named volume and the mark of the binder that the binding is complete.
[[nodiscard]] bool is_bound(const api::PersistentVolumeClaim& claim);
// Not bound, and its class binds when a pod that uses it has a node.
[[nodiscard]] bool waits_for_consumer(const Objects& objects, const api::PersistentVolumeClaim& claim);

}  // namespace berth::reference
