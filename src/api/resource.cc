#include "api/resource.h"

#include <algorithm>

namespace berth::api {
namespace {

template <class Named>
const Named* find_named(const std::vector<Named>& list, std::string_view name) {
  const auto found = std::ranges::lower_bound(list, name, {}, &Named::name);
  return found == list.end() || found->name != name ? nullptr : &*found;
}

}  // namespace

const DeviceAttribute* find_attribute(const DeviceAttributes& attributes, std::string_view name) {
  return find_named(attributes, name);
}

const DeviceCapacity* find_capacity(const DeviceCapacities& capacities, std::string_view name) {
  return find_named(capacities, name);
}

}  // namespace berth::api
