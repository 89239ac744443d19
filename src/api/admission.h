// What admission plugins of the API server fill into new pods: node.k8s.io/v1 RuntimeClass and core/v1 LimitRange, as
// much as decides where a pod may run.
#pragma once

#include "api/core.h"

namespace berth::api {

struct RuntimeClass {
  ObjectMeta metadata;
  ResourceList overhead;    // overhead.podFixed
  StringMap node_selector;  // scheduling.nodeSelector
  std::vector<Toleration> tolerations;
  bool operator==(const RuntimeClass&) const = default;
};

// What containers get that do not say it themselves, with the API's own defaults: a limit from max, a request from the
// limit, and else from min. The bounds themselves refuse pods and are not kept.
struct LimitRange {
  ObjectMeta metadata;
  ResourceList container_requests;
  ResourceList container_limits;
  bool operator==(const LimitRange&) const = default;
};

}  // namespace berth::api
