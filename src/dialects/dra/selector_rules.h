// The language of device selectors: CEL with the `device` variable, and which libraries it has in which Kubernetes.
//
// Source: k8s.io/dynamic-resource-allocation/cel and k8s.io/apiserver/pkg/cel/environment, v0.37; KEP-4381.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

#include "api/feature_gates.h"
#include "cel/cost/estimate.h"
#include "cel/environment.h"

namespace berth::dialects::dra {

// What the API accepts as a selector's expression, and what its evaluation may cost (estimated by the API server, in
// fact by the scheduler).
inline constexpr std::size_t kMaxExpressionBytes = std::size_t{10} * 1024;
inline constexpr std::uint64_t kMaxSelectorCost = 1'000'000;

struct SelectorRules {
  api::KubernetesVersion version = api::kNewestKubernetes;
  bool consumable_capacity = true;  // gate DRAConsumableCapacity: device.allowMultipleAllocations
  bool list_attributes = false;     // gate DRAListTypeAttributes: attributes may be lists, `includes`
  // Expressions that objects in the cluster already have may use everything the version knows, whatever the gates say;
  // new ones only what the version before knew too.
  bool stored = true;

  [[nodiscard]] static SelectorRules of(api::KubernetesVersion version, const api::FeatureGates& gates,
                                        bool stored = true);
};

// An environment with the variable `device` in slot 0. Costs about 200 us: make one and keep it.
[[nodiscard]] std::shared_ptr<const cel::Environment> selector_environment(const SelectorRules& rules);

// What a selector may give: bool, or the type of an attribute, which is only known when it is evaluated.
[[nodiscard]] bool is_selector_type(cel::TypeRef type, const SelectorRules& rules);

// Sizes of what `device` holds, for the cost estimate: the API's limits.
class DeviceSizes final : public cel::SizeEstimator {
 public:
  explicit DeviceSizes(const cel::Environment& environment);
  [[nodiscard]] std::optional<cel::Range> size(const cel::CostNode& node) const override;

 private:
  const cel::StructType* device_;
  cel::TypeRef device_type_;
  cel::TypeRef attribute_;  // of a single attribute
};

}  // namespace berth::dialects::dra
