// ResourceSlices, classes, claims, templates and taint rules, with every feature on or off: whatever documents say, no
// crash; every error and remark is a sentence; what was accepted keeps the API's limits and is written as a list that
// reads back as the same objects without an error. The first byte chooses the features.
#include <cstdint>
#include <string>
#include <string_view>

#include "api/encode.h"
#include "api/load.h"
#include "support/require.h"
#include "text/byte_source.h"
#include "text/json_writer.h"

namespace {

namespace api = berth::api;

api::Loaded load(std::string_view text, const api::LoadOptions& options) {
  api::Loader loader(options);
  berth::text::MemorySource source(text);
  loader.load_source(source, "-");
  return std::move(loader).finish();
}

void require_limits(const api::ObjectSet& objects) {
  for (const auto& read : objects.resource_slices) {
    require(read.object.devices.size() <= 128 && read.object.shared_counters.size() <= 8);
    require(read.object.devices.empty() || read.object.shared_counters.empty());
    for (const api::Device& device : read.object.devices)
      require(device.attributes->size() + device.capacity->size() <= 32 && device.consumes_counters->size() <= 2);
  }
  for (const auto& read : objects.resource_claims) {
    require(read.object.spec.requests.size() <= 32 && read.object.status.reserved_for.size() <= api::kMaxReservedFor);
    for (const api::DeviceRequest& request : read.object.spec.requests)
      require(request.exactly.has_value() == request.first_available.empty());
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  api::LoadOptions options;
  for (std::uint8_t gate = 0; gate < api::kGates; ++gate)
    options.gates.set(static_cast<api::Gate>(gate), (data[0] >> (gate % 8) & 1) != 0);
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  const api::Loaded before = load(text, options);
  for (const auto* list : {&before.errors, &before.remarks})
    for (const berth::Error& error : *list) require(!error.message.empty());
  require_limits(before.objects);
  std::string json;
  berth::text::JsonWriter writer(json);
  write_list(writer, before.objects);
  const api::Loaded after = load(json, options);
  require(after.errors.empty());
  require_equal(before.objects.resource_slices, after.objects.resource_slices);
  require_equal(before.objects.device_classes, after.objects.device_classes);
  require_equal(before.objects.resource_claims, after.objects.resource_claims);
  require_equal(before.objects.resource_claim_templates, after.objects.resource_claim_templates);
  require_equal(before.objects.device_taint_rules, after.objects.device_taint_rules);
  return 0;
}
