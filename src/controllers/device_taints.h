// Who has to leave because of a tainted device: what the device taint eviction controller of kube-controller-manager
// decides, v1.37 (KEP-5055).
//
// A pod leaves when a device in a claim that it uses, and that is reserved for it or its group, has a taint of effect
// NoExecute, in its slice or by a DeviceTaintRule, that the allocation does not tolerate. A toleration counts if its
// effect is NoExecute; one without an effect, which the scheduler takes for any, does not. Where every toleration of
// the taint has seconds, the pod leaves so long after the taint was added; of several tolerations the shortest counts,
// of several taints the earliest. Claims that a scheduler made for extended resources are claims like others.
#pragma once

#include <vector>

#include "api/objects.h"

namespace berth::controllers {

struct DeviceEviction {
  const api::Pod* pod = nullptr;
  api::Time at = 0;  // may be past
};

// In the order of the pods; finished pods and those on no node are left out. A taint without timeAdded was added when
// its object was made. O(claims x devices of their pools + pods).
[[nodiscard]] std::vector<DeviceEviction> device_evictions(const api::ObjectSet& objects);

}  // namespace berth::controllers
