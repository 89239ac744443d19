#include "api/feature_gates.h"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "base/near_names.h"

namespace berth::api {
namespace {

constexpr std::array<std::string_view, 4> kVersions = {"1.34", "1.35", "1.36", "1.37"};

// The first version in which the gate is on by default; kVersions.size() for none.
struct GateRow {
  Gate gate;
  std::string_view name;
  std::uint8_t on_since;
};

constexpr std::uint8_t kNever = kVersions.size();
constexpr std::uint8_t k134 = 0;
constexpr std::uint8_t k136 = 2;
constexpr std::uint8_t k137 = 3;
constexpr std::array<GateRow, kGates> kTable = {{
    {Gate::kAdminAccess, "DRAAdminAccess", k134},
    {Gate::kPrioritizedList, "DRAPrioritizedList", k134},
    {Gate::kDeviceStatus, "DRAResourceClaimDeviceStatus", k134},
    {Gate::kExtendedResource, "DRAExtendedResource", k136},
    {Gate::kDeviceTaints, "DRADeviceTaints", k136},
    {Gate::kDeviceTaintRules, "DRADeviceTaintRules", k137},
    {Gate::kPartitionableDevices, "DRAPartitionableDevices", k136},
    {Gate::kConsumableCapacity, "DRAConsumableCapacity", k136},
    {Gate::kDeviceBindingConditions, "DRADeviceBindingConditions", k136},
    {Gate::kSchedulerFilterTimeout, "DRASchedulerFilterTimeout", k134},
    {Gate::kListTypeAttributes, "DRAListTypeAttributes", kNever},
    {Gate::kNodeAllocatableResources, "DRANodeAllocatableResources", kNever},
    {Gate::kWorkloadResourceClaims, "DRAWorkloadResourceClaims", kNever},
    {Gate::kDerivedAttributes, "DRADerivedAttributes", kNever},
    {Gate::kDeviceCompatibilityGroups, "DRADeviceCompatibilityGroups", kNever},
    {Gate::kOptionalNodeOperations, "DRAOptionalNodeOperations", kNever},
    {Gate::kFractionalCapacityRange, "DRAFractionalCapacityRange", k137},
    {Gate::kPartitionableDevicesType, "DRAPartitionableDevicesType", kNever},
}};

std::string unknown_gate(std::string_view name) {
  std::vector<std::string> names;
  for (const GateRow& row : kTable) names.emplace_back(row.name);
  std::string text = "\"" + std::string(name.substr(0, 64)) + "\" is no feature gate known here";
  const std::vector<std::string> near = near_names(name, names);
  if (near.empty()) return text + "; write one such as " + names.front() + "=true.";
  text += "; did you mean ";
  for (std::size_t i = 0; i < near.size(); ++i) text += (i == 0 ? "" : " or ") + near[i];
  return text + "?";
}

}  // namespace

std::string_view name_of(KubernetesVersion version) { return kVersions.at(static_cast<std::size_t>(version)); }

Result<KubernetesVersion> parse_kubernetes_version(std::string_view text) {
  const auto* found = std::ranges::find(kVersions, text.starts_with('v') ? text.substr(1) : text);
  if (found != kVersions.end()) return static_cast<KubernetesVersion>(found - kVersions.begin());
  std::string names;
  for (std::size_t i = 0; i < kVersions.size(); ++i) {
    if (i != 0) names += i + 1 == kVersions.size() ? " or " : ", ";
    names += kVersions.at(i);
  }
  return fail(ErrorCode::kInvalid, "\"" + std::string(text.substr(0, 64)) +
                                       "\" is no version of Kubernetes known here; write " + names + ".");
}

std::string_view name_of(Gate gate) {
  const auto* row = std::ranges::find(kTable, gate, &GateRow::gate);
  return row == kTable.end() ? std::string_view() : row->name;
}

std::optional<Gate> parse_gate(std::string_view name) {
  const auto* row = std::ranges::find(kTable, name, &GateRow::name);
  if (row == kTable.end()) return std::nullopt;
  return row->gate;
}

FeatureGates::FeatureGates(KubernetesVersion version) {
  for (const GateRow& row : kTable) set(row.gate, static_cast<std::uint8_t>(version) >= row.on_since);
}

void FeatureGates::set(Gate gate, bool on) {
  const std::uint32_t bit = 1U << static_cast<std::uint8_t>(gate);
  bits_ = on ? bits_ | bit : bits_ & ~bit;
}

Result<void> FeatureGates::apply(std::string_view text) {
  FeatureGates changed = *this;
  while (!text.empty()) {
    const std::size_t comma = std::min(text.find(','), text.size());
    const std::string_view item = text.substr(0, comma);
    text.remove_prefix(std::min(comma + 1, text.size()));
    if (item.empty()) continue;
    const std::size_t equals = std::min(item.find('='), item.size());
    const std::string_view value = item.substr(std::min(equals + 1, item.size()));
    const std::optional<Gate> gate = parse_gate(item.substr(0, equals));
    if (!gate) return fail(ErrorCode::kInvalid, unknown_gate(item.substr(0, equals)));
    if (value != "true" && value != "false")
      return fail(ErrorCode::kInvalid, std::string(name_of(*gate)) + " is neither true nor false; write " +
                                           std::string(name_of(*gate)) + "=true or " + std::string(name_of(*gate)) +
                                           "=false.");
    changed.set(*gate, value == "true");
  }
  *this = changed;
  return {};
}

}  // namespace berth::api
