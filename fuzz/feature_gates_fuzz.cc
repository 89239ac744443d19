// Feature gates as text: no crash; a refusal is a sentence and changes nothing; what was accepted is what comes of
// writing each gate out.
#include <cstdint>
#include <string>
#include <string_view>

#include "api/feature_gates.h"
#include "support/require.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  namespace api = berth::api;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto version = api::parse_kubernetes_version(text);
  require(version || !version.error().message.empty());
  api::FeatureGates gates;
  if (const auto applied = gates.apply(text); !applied) {
    require(!applied.error().message.empty() && gates == api::FeatureGates());
    return 0;
  }
  std::string all;
  for (std::uint8_t i = 0; i < api::kGates; ++i) {
    const api::Gate gate{i};
    require(api::parse_gate(name_of(gate)) == gate);
    all += std::string(name_of(gate)) + (gates.on(gate) ? "=true," : "=false,");
  }
  api::FeatureGates again(api::KubernetesVersion::k134);
  require(again.apply(all).has_value() && again == gates);
  return 0;
}
