// The steps of a header.
#include <algorithm>
#include <array>
#include <utility>

#include "api/selector.h"
#include "sim/case/header.h"
#include "sim/case/header_values.h"

namespace berth::sim::case_header {

namespace {

// "key=value:Effect"; the value may be missing.
Result<api::Taint> taint_of(const Value& value, const At& where) {
  static constexpr std::array<std::pair<std::string_view, api::TaintEffect>, 3> kEffects = {{
      {"NoSchedule", api::TaintEffect::kNoSchedule},
      {"PreferNoSchedule", api::TaintEffect::kPreferNoSchedule},
      {"NoExecute", api::TaintEffect::kNoExecute},
  }};
  BERTH_TRY(const std::string text, text_of(value, where));
  const std::size_t colon = text.rfind(':');
  const std::string_view pair = std::string_view(text).substr(0, colon);
  const std::size_t equals = pair.find('=');
  const auto effect = std::ranges::find(
      kEffects, colon == std::string::npos ? std::string_view() : std::string_view(text).substr(colon + 1),
      &decltype(kEffects)::value_type::first);
  api::Taint taint;
  taint.key = pair.substr(0, equals);
  if (equals != std::string_view::npos) taint.value = pair.substr(equals + 1);
  if (effect == kEffects.end() || api::label_key_fault(taint.key) || api::label_value_fault(taint.value))
    return bad(where, fmt::format("'{}' is no taint; write key=value:Effect, where the effect is NoSchedule, "
                                  "PreferNoSchedule or NoExecute.",
                                  cut(text)));
  taint.effect = effect->second;
  return taint;
}

// "Type=Status".
Result<api::Condition> condition_of(const Value& value, const At& where) {
  BERTH_TRY(const std::string text, text_of(value, where));
  const std::size_t equals = text.rfind('=');
  api::Condition condition;
  if (equals != std::string::npos) {
    condition.type = text.substr(0, equals);
    condition.status = text.substr(equals + 1);
  }
  if (condition.type.empty() ||
      (condition.status != "True" && condition.status != "False" && condition.status != "Unknown"))
    return bad(where, fmt::format("'{}' is no condition; write Type=True, Type=False or Type=Unknown.", cut(text)));
  return condition;
}

// What the keys of a step have to do with one another. `action` is its word.
Result<void> check_step(const CaseStep& step, std::string_view action, bool has_taint, bool has_device,
                        const At& where) {
  const bool restart = step.action == CaseStep::Action::kRestartScheduler;
  if (step.ref.empty() != restart)
    return bad(where, restart ? "A restart of the scheduler takes no ref; remove it."
                              : fmt::format("The step {} at {} needs a ref such as Node/n-1.", action, step.at));
  if (has_taint && step.action != CaseStep::Action::kTaint)
    return bad(where, fmt::format("The step {} takes no taint; remove it, or do: taint.", action));
  if (step.action == CaseStep::Action::kSetCondition) {
    if (step.condition.type.empty() || !step.ref.starts_with("ResourceClaim/"))
      return bad(where,
                 "The step set-condition needs a ref such as ResourceClaim/my-claim and a condition such as "
                 "example.com/attached=True.");
    return {};
  }
  if (has_device || !step.condition.type.empty())
    return bad(where,
               fmt::format("The step {} takes no device and no condition; remove them, or do: set-condition.", action));
  if (!restart && step.action != CaseStep::Action::kDelete && !step.ref.starts_with("Node/"))
    return bad(where, fmt::format("The step {} is for nodes; '{}' is none. Write a ref such as Node/n-1.", action,
                                  cut(step.ref)));
  return {};
}

}  // namespace

Result<CaseStep> step_of(const Value& value, const At& where) {
  static const std::vector<std::string> kKeys = {"at", "do", "ref", "taint", "condition", "device"};
  static constexpr std::array<std::pair<std::string_view, CaseStep::Action>, 6> kActions = {{
      {"cordon", CaseStep::Action::kCordon},
      {"uncordon", CaseStep::Action::kUncordon},
      {"delete", CaseStep::Action::kDelete},
      {"restart-scheduler", CaseStep::Action::kRestartScheduler},
      {"taint", CaseStep::Action::kTaint},
      {"set-condition", CaseStep::Action::kSetCondition},
  }};
  CaseStep step;
  std::string action;
  bool has_taint = false;
  bool has_device = false;
  for (const Member& member : value.members()) {
    const At here = below(where, member);
    if (member.name() == "at") {
      BERTH_TRY(step.at, integer_of(member.value, here, 0, kMostSeconds));
    } else if (member.name() == "do") {
      BERTH_TRY(action, text_of(member.value, here));
    } else if (member.name() == "ref") {
      BERTH_TRY(step.ref, text_of(member.value, here));
    } else if (member.name() == "taint") {
      BERTH_TRY(step.taint, taint_of(member.value, here));
      has_taint = true;
    } else if (member.name() == "condition") {
      BERTH_TRY(step.condition, condition_of(member.value, here));
    } else if (member.name() == "device") {
      BERTH_TRY(step.device, text_of(member.value, here));
      has_device = true;
    } else {
      return unknown_key(where, member.name(), kKeys);
    }
  }
  const auto found = std::ranges::find(kActions, action, &decltype(kActions)::value_type::first);
  if (found == kActions.end())
    return bad(where, fmt::format("'{}' is no step; steps are cordon, uncordon, delete, restart-scheduler, taint and "
                                  "set-condition.",
                                  cut(action)));
  step.action = found->second;
  BERTH_TRY_VOID(check_step(step, action, has_taint, has_device, where));
  return step;
}

}  // namespace berth::sim::case_header
