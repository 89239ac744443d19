// Claims and volumes, looked up by name.
#pragma once

#include <string>
#include <vector>

#include "reference/objects.h"

namespace berth::reference {

// The claims that the pod's volumes name.
[[nodiscard]] std::vector<std::string> named_claims(const api::Pod& pod);
// Those and the claims of generic ephemeral volumes, which are named after pod and volume; in order of the volumes.
[[nodiscard]] std::vector<std::string> all_claims(const api::Pod& pod);
[[nodiscard]] const api::PersistentVolumeClaim* find_claim(const Objects& objects, const std::string& claim_namespace,
                                                           const std::string& name);
[[nodiscard]] const api::PersistentVolume* find_volume(const Objects& objects, const std::string& name);
[[nodiscard]] const api::StorageClass* class_of(const Objects& objects, const api::PersistentVolumeClaim& claim);

// Named volume and the mark of the binder that the binding is complete.
[[nodiscard]] bool is_bound(const api::PersistentVolumeClaim& claim);
// Not bound, and its class binds when a pod that uses it has a node.
[[nodiscard]] bool waits_for_consumer(const Objects& objects, const api::PersistentVolumeClaim& claim);

}  // namespace berth::reference
