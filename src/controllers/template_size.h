// How much memory the copies of a template take. Every pod that a controller makes has a whole one.
#pragma once

#include <cstdint>

#include "api/objects.h"

namespace berth::controllers {

// Bytes of a pod made from it: the pod itself and what its fields point to, but for what its copies share. About as
// much as the allocator gives, and at least as much as the text. O(template).
[[nodiscard]] std::int64_t bytes_of_a_pod(const api::PodTemplate& from);
[[nodiscard]] std::int64_t bytes_of_a_claim(const api::PersistentVolumeClaim& from);

}  // namespace berth::controllers
