// Parameters for NVIDIA's drivers: no crash; a refusal is a sentence; what is accepted is within the driver's limits.
#include <cstdint>
#include <string>
#include <string_view>

#include "api/nvidia.h"
#include "support/require.h"

namespace {

namespace api = berth::api;

void require_limits(const std::optional<api::DeviceSharing>& sharing) {
  if (!sharing || !sharing->mps) return;
  const std::int32_t percentage = sharing->mps->default_active_thread_percentage.value_or(0);
  require(sharing->strategy == api::SharingStrategy::kMps && percentage >= 0 && percentage <= 100);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  for (const std::string_view driver : {api::kNvidiaGpuDriver, api::kNvidiaComputeDomainDriver}) {
    const auto config = api::parse_nvidia_config({std::string(driver), text});
    if (!config) {
      require(!config.error().message.empty());
      continue;
    }
    if (const auto* gpu = std::get_if<api::GpuConfig>(&*config)) require_limits(gpu->sharing);
    if (const auto* mig = std::get_if<api::MigDeviceConfig>(&*config)) require_limits(mig->sharing);
    if (const auto* channel = std::get_if<api::ComputeDomainChannelConfig>(&*config))
      require(!channel->domain_id.empty());
  }
  return 0;
}
