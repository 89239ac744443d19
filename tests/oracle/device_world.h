// What upstream's structured allocator answered for generated claims and slices: the data files that oracle/allocate
// writes, read with Berth's own decoders.
//
// A file is gzipped text: a line with the module version and the seed, then one line per world. Besides the objects a
// line has what upstream's CEL says of each expression and device: per slice a word of letters, y, n or e, in the order
// of its devices.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "api/objects.h"
#include "base/result.h"
#include "engine/devices/features.h"

namespace berth::oracle {

struct AllocatedDevice {
  std::string request;  // "a" or "a/b"
  std::string device;   // driver/pool/device
  bool admin_access = false;
  bool shared = false;
  std::map<std::string, api::Quantity::Wide> consumed;  // per capacity, in billionths
  bool operator==(const AllocatedDevice&) const = default;
};

struct AllocatedClaim {
  std::vector<AllocatedDevice> devices;
  std::string reach;  // "everywhere", "node" or "selector N" with the number of requirements
  bool operator==(const AllocatedClaim&) const = default;
};

struct DeviceAnswer {
  std::string outcome;      // allocated, no, invalid, error
  std::string error_class;  // selector, too-many, ...
  std::vector<AllocatedClaim> claims;
  bool operator==(const DeviceAnswer&) const = default;
};

struct DeviceWorld {
  std::string name;
  std::vector<std::string> tags;
  engine::devices::Features features;
  api::ObjectSet objects;                                               // one node, classes, slices and claims
  std::map<std::string, std::map<std::string, std::string>> selectors;  // expression, slice name, letters
  DeviceAnswer answer;
  std::vector<api::AllocationResult> results;  // allocated: the whole of it, per claim; share ids are kAnyShare
};
inline constexpr std::string_view kAnyShare = "00000000-0000-4000-8000-000000000000";

struct DeviceData {
  std::string module;
  std::uint64_t seed = 0;
  std::vector<DeviceWorld> worlds;
};

// Anything that cannot be read is an error: what is compared must be what upstream saw.
[[nodiscard]] Result<DeviceData> read_device_data(const std::string& path);

// The data files of the repository, and the one that the environment variable BERTH_ORACLE_FRESH_DEVICES names.
[[nodiscard]] std::vector<std::string> device_data_files();

}  // namespace berth::oracle
