// "namespace/name" of an object.
#pragma once

#include <string>

#include "api/core.h"

namespace berth::api {

[[nodiscard]] inline std::string full_name(const ObjectMeta& metadata) {
  return metadata.namespace_ + '/' + metadata.name;
}

}  // namespace berth::api
