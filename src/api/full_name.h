// "namespace/name": what tells objects of one kind apart. The name alone for what has no namespace.
#pragma once

#include <string>
#include <string_view>

#include "api/core.h"

namespace berth::api {

[[nodiscard]] inline std::string full_name(std::string_view namespace_, std::string_view name) {
  if (namespace_.empty()) return std::string(name);
  std::string result;
  result.reserve(namespace_.size() + 1 + name.size());
  return result.append(namespace_).append(1, '/').append(name);
}

[[nodiscard]] inline std::string full_name(const ObjectMeta& metadata) {
  return full_name(metadata.namespace_, metadata.name);
}

}  // namespace berth::api
