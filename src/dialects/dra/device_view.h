// A device as CEL sees it: the value of the variable `device`.
//
//   device.driver, device.allowMultipleAllocations
//   device.attributes[DOMAIN][NAME], device.capacity[DOMAIN][NAME]
//
// Names without a domain are filed under the driver's; where a device has a name both with and without, the one with it
// counts. A domain that the device does not have is an empty map when it is looked up, though it is not in the map; a
// name that it does not have is an error. At run time the device is a map, as it is upstream.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "api/resource.h"
#include "base/result.h"
#include "cel/value.h"
#include "engine/devices/catalogue.h"
#include "engine/names.h"

namespace berth::dialects::dra {

// The domain and the name of "example.com/model", or of "model" of that driver.
struct QualifiedName {
  std::string_view domain;
  std::string_view name;
  auto operator<=>(const QualifiedName&) const = default;
};
[[nodiscard]] QualifiedName qualify(std::string_view written, std::string_view driver);

// The value lives in the arena; texts are views of the device. Error: kInvalid for a version that is none.
[[nodiscard]] Result<cel::Value> device_value(std::string_view driver, const api::Device& device, cel::Arena& arena);

// The same of a kind that the engine knows; texts are views of the interners.
[[nodiscard]] Result<cel::Value> device_value(engine::devices::KindId kind, const engine::devices::Catalogue& catalogue,
                                              const engine::Names& names, cel::Arena& arena);

}  // namespace berth::dialects::dra
