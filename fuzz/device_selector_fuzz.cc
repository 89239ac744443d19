// Any expression as a device selector ends on every device: with a bool, or with an error that says something; its
// projection and its remarks are found; what the compiler refuses has a message.
#include <cstdint>
#include <cstdlib>
#include <string_view>
#include <vector>

#include "dialects/dra/device_selector.h"
#include "dialects/dra/device_view.h"
#include "dialects/dra/published.h"

namespace {

namespace api = berth::api;
namespace dra = berth::dialects::dra;

std::vector<api::Device> devices() {
  api::Device gpu;
  gpu.attributes = api::DeviceAttributes{{"gpu.nvidia.com/type", std::string("gpu")},
                                         {"index", std::int64_t{1}},
                                         {"l", std::vector<std::string>{"a", "b"}},
                                         {"mig", true},
                                         {"version", api::Version{"9.0.0"}}};
  gpu.capacity = api::DeviceCapacities{{"memory", api::Quantity::from_units(1 << 30), {}}};
  return {gpu, api::Device{}};
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const dra::SelectorCompiler kCompiler;
  static const std::vector<api::Device> kDevices = devices();
  static const dra::Published kPublished = [] {
    dra::Published published;
    for (const api::Device& device : kDevices) published.add("gpu.nvidia.com", device);
    return published;
  }();
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto selector = kCompiler.compile(text);
  if (!selector) {
    if (selector.error().message.empty()) std::abort();
    return 0;
  }
  for (const api::Device& device : kDevices) {
    berth::cel::Arena arena;
    berth::cel::Arena scratch(std::size_t{8} << 20U);
    const auto value = dra::device_value("gpu.nvidia.com", device, arena);
    const dra::SelectorOutcome first = selector->evaluate(*value, scratch);
    const dra::SelectorOutcome again = selector->evaluate(*value, scratch);
    if (first.kind != again.kind || first.error != again.error || first.cost != again.cost) std::abort();
    if (first.kind == dra::SelectorOutcome::Kind::kError && first.error.empty()) std::abort();
  }
  for (const dra::SelectorRemark& remark : dra::remarks_about(*selector, kPublished)) {
    if (dra::to_string(remark, selector->source()).empty()) std::abort();
  }
  return 0;
}
