// The API's spelling of each enum value, for decoding and encoding alike.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "api/core.h"
#include "api/resource.h"
#include "api/storage.h"
#include "api/workloads.h"

namespace berth::api {

template <class Enum>
struct EnumName {
  Enum value;
  std::string_view name;
};

template <class Enum>
struct EnumNames;

template <>
struct EnumNames<TaintEffect> {
  static constexpr std::array<EnumName<TaintEffect>, 3> kNames = {{{TaintEffect::kNoSchedule, "NoSchedule"},
                                                                   {TaintEffect::kPreferNoSchedule, "PreferNoSchedule"},
                                                                   {TaintEffect::kNoExecute, "NoExecute"}}};
};
template <>
struct EnumNames<TolerationOperator> {
  static constexpr std::array<EnumName<TolerationOperator>, 4> kNames = {{{TolerationOperator::kEqual, "Equal"},
                                                                          {TolerationOperator::kExists, "Exists"},
                                                                          {TolerationOperator::kLessThan, "Lt"},
                                                                          {TolerationOperator::kGreaterThan, "Gt"}}};
};
template <>
struct EnumNames<UnsatisfiableAction> {
  static constexpr std::array<EnumName<UnsatisfiableAction>, 2> kNames = {
      {{UnsatisfiableAction::kDoNotSchedule, "DoNotSchedule"},
       {UnsatisfiableAction::kScheduleAnyway, "ScheduleAnyway"}}};
};
template <>
struct EnumNames<InclusionPolicy> {
  static constexpr std::array<EnumName<InclusionPolicy>, 2> kNames = {
      {{InclusionPolicy::kHonor, "Honor"}, {InclusionPolicy::kIgnore, "Ignore"}}};
};
template <>
struct EnumNames<Protocol> {
  static constexpr std::array<EnumName<Protocol>, 3> kNames = {
      {{Protocol::kTcp, "TCP"}, {Protocol::kUdp, "UDP"}, {Protocol::kSctp, "SCTP"}}};
};
template <>
struct EnumNames<PreemptionPolicy> {
  static constexpr std::array<EnumName<PreemptionPolicy>, 2> kNames = {
      {{PreemptionPolicy::kPreemptLowerPriority, "PreemptLowerPriority"}, {PreemptionPolicy::kNever, "Never"}}};
};
template <>
struct EnumNames<RestartPolicy> {
  static constexpr std::array<EnumName<RestartPolicy>, 3> kNames = {
      {{RestartPolicy::kAlways, "Always"}, {RestartPolicy::kOnFailure, "OnFailure"}, {RestartPolicy::kNever, "Never"}}};
};
template <>
struct EnumNames<PodPhase> {
  static constexpr std::array<EnumName<PodPhase>, 5> kNames = {{{PodPhase::kPending, "Pending"},
                                                                {PodPhase::kRunning, "Running"},
                                                                {PodPhase::kSucceeded, "Succeeded"},
                                                                {PodPhase::kFailed, "Failed"},
                                                                {PodPhase::kUnknown, "Unknown"}}};
};
template <>
struct EnumNames<AccessMode> {
  static constexpr std::array<EnumName<AccessMode>, 4> kNames = {{{AccessMode::kReadWriteOnce, "ReadWriteOnce"},
                                                                  {AccessMode::kReadOnlyMany, "ReadOnlyMany"},
                                                                  {AccessMode::kReadWriteMany, "ReadWriteMany"},
                                                                  {AccessMode::kReadWriteOncePod, "ReadWriteOncePod"}}};
};
template <>
struct EnumNames<VolumeBindingMode> {
  static constexpr std::array<EnumName<VolumeBindingMode>, 2> kNames = {
      {{VolumeBindingMode::kImmediate, "Immediate"},
       {VolumeBindingMode::kWaitForFirstConsumer, "WaitForFirstConsumer"}}};
};
template <>
struct EnumNames<ConcurrencyPolicy> {
  static constexpr std::array<EnumName<ConcurrencyPolicy>, 3> kNames = {{{ConcurrencyPolicy::kAllow, "Allow"},
                                                                         {ConcurrencyPolicy::kForbid, "Forbid"},
                                                                         {ConcurrencyPolicy::kReplace, "Replace"}}};
};
template <>
struct EnumNames<PodFailureRule::Action> {
  using Action = PodFailureRule::Action;
  static constexpr std::array<EnumName<Action>, 4> kNames = {{{Action::kFailJob, "FailJob"},
                                                              {Action::kFailIndex, "FailIndex"},
                                                              {Action::kIgnore, "Ignore"},
                                                              {Action::kCount, "Count"}}};
};
template <>
struct EnumNames<SelectorOperator> {
  static constexpr std::array<EnumName<SelectorOperator>, 6> kNames = {
      {{SelectorOperator::kIn, "In"},
       {SelectorOperator::kNotIn, "NotIn"},
       {SelectorOperator::kExists, "Exists"},
       {SelectorOperator::kDoesNotExist, "DoesNotExist"},
       {SelectorOperator::kGreaterThan, "Gt"},
       {SelectorOperator::kLessThan, "Lt"}}};
};

template <>
struct EnumNames<DeviceTaintEffect> {
  static constexpr std::array<EnumName<DeviceTaintEffect>, 3> kNames = {{{DeviceTaintEffect::kNone, "None"},
                                                                         {DeviceTaintEffect::kNoSchedule, "NoSchedule"},
                                                                         {DeviceTaintEffect::kNoExecute, "NoExecute"}}};
};
template <>
struct EnumNames<DeviceTolerationOperator> {
  static constexpr std::array<EnumName<DeviceTolerationOperator>, 2> kNames = {
      {{DeviceTolerationOperator::kEqual, "Equal"}, {DeviceTolerationOperator::kExists, "Exists"}}};
};
template <>
struct EnumNames<DeviceAllocationMode> {
  static constexpr std::array<EnumName<DeviceAllocationMode>, 2> kNames = {
      {{DeviceAllocationMode::kExactCount, "ExactCount"}, {DeviceAllocationMode::kAll, "All"}}};
};
template <>
struct EnumNames<ConfigSource> {
  static constexpr std::array<EnumName<ConfigSource>, 2> kNames = {
      {{ConfigSource::kFromClass, "FromClass"}, {ConfigSource::kFromClaim, "FromClaim"}}};
};

template <class Enum>
[[nodiscard]] constexpr std::string_view enum_name(Enum value) {
  for (const auto& known : EnumNames<Enum>::kNames)
    if (known.value == value) return known.name;
  return {};
}

template <class Enum>
[[nodiscard]] constexpr std::optional<Enum> enum_value(std::string_view name) {
  for (const auto& known : EnumNames<Enum>::kNames)
    if (known.name == name) return known.value;
  return std::nullopt;
}

// "A, B or C", for messages.
template <class Enum>
[[nodiscard]] std::string enum_choices() {
  std::string text;
  const auto& names = EnumNames<Enum>::kNames;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i != 0) text += i + 1 == names.size() ? " or " : ", ";
    text += names[i].name;
  }
  return text;
}

}  // namespace berth::api
