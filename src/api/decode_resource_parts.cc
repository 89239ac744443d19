// Taints, tolerations, selectors, opaque parameters and the other parts that several objects of resource.k8s.io have.
#include "api/decode_resource.h"
#include "api/selector.h"
#include "text/json_writer.h"

namespace berth::api {
namespace {

constexpr std::size_t kLongestExpression = std::size_t{10} * 1024;
constexpr std::size_t kLongestParameters = std::size_t{10} * 1024;

}  // namespace

bool within_limit(DecodeContext& context, const Value& value, std::size_t most, std::string_view what) {
  if (value.size() <= most) return true;
  context.error(value,
                "There are " + std::to_string(value.size()) + " " + std::string(what) + ", but at most " +
                    std::to_string(most) + " are allowed; remove some.",
                ErrorCode::kLimit);
  return false;
}

void require(DecodeContext& context, const Value& where, std::string_view field, std::string_view advice) {
  if (!where.is_object() || is_given(where, field)) return;
  context.error(where, std::string(field) + " is missing; " + std::string(advice));
}

void read(DecodeContext& context, const Value& value, DeviceTaint& out) {
  static const FieldTable<DeviceTaint> kFields({{"key", name_member<&DeviceTaint::key, label_key_fault>},
                                                {"value", name_member<&DeviceTaint::value, label_value_fault>},
                                                {"effect", member<&DeviceTaint::effect>},
                                                {"timeAdded", time_member<&DeviceTaint::time_added>}},
                                               {});
  kFields.read(context, value, out);
  require(context, value, "key", "name the taint, such as example.com/unhealthy.");
  require(context, value, "effect", "write " + enum_choices<DeviceTaintEffect>() + ".");
}

void read(DecodeContext& context, const Value& value, DeviceToleration& out) {
  static const FieldTable<DeviceToleration> kFields(
      {{"key", member<&DeviceToleration::key>},
       {"operator", member<&DeviceToleration::op>},
       {"value", member<&DeviceToleration::value>},
       {"effect",
        [](DecodeContext& inside, const Value& effect, DeviceToleration& toleration) {
          if (effect.is_string() && effect.size() == 0) return;  // the empty effect is all of them
          read(inside, effect, toleration.effect);
        }},
       {"tolerationSeconds", member<&DeviceToleration::toleration_seconds>}},
      {});
  kFields.read(context, value, out);
  if (!out.key.empty())
    if (auto fault = label_key_fault(out.key)) context.error(value, *std::move(fault));
  if (out.op == DeviceTolerationOperator::kExists && !out.value.empty())
    context.error(value, "With the operator Exists there is no value; remove it or write Equal.");
  if (auto fault = label_value_fault(out.value)) context.error(value, *std::move(fault));
}

namespace {

const FieldTable<DeviceSelector>& cel_fields() {
  static const FieldTable<DeviceSelector> kFields({{"expression", member<&DeviceSelector::expression>}}, {});
  return kFields;
}

}  // namespace

void read(DecodeContext& context, const Value& value, DeviceSelector& out) {
  static const FieldTable<DeviceSelector> kFields({{"cel", inner<DeviceSelector, cel_fields>}}, {});
  kFields.read(context, value, out);
  require(context, value, "cel", "write cel with an expression, the only kind of selector there is.");
  const Value* cel = value.find("cel");
  if (cel == nullptr || !cel->is_object()) return;
  const DecodeContext::Scope scope(context, "cel");
  if (out.expression.empty())
    context.error(*cel, "expression is missing; write one that is true for the devices that are wanted.");
  if (out.expression.size() > kLongestExpression)
    context.error(*cel,
                  "The expression has " + std::to_string(out.expression.size()) +
                      " bytes, but at most 10240 are allowed; shorten it.",
                  ErrorCode::kLimit);
}

void read_amounts(DecodeContext& context, const Value& value, ResourceList& out) {
  if (!value.is_object()) return context.wrong_kind(value, "an object");
  for (const text::Member& member : value.members()) {
    const DecodeContext::Scope scope(context, member.name(), DecodeContext::Scope::kMapKey);
    if (auto fault = qualified_name_fault(member.name())) {
      context.error(member.key, *std::move(fault));
      continue;
    }
    Quantity amount;
    if (!member.value.is_null()) read(context, member.value, amount);
    out.emplace(member.name(), amount);
  }
}

void read_raw_object(DecodeContext& context, const Value& value, std::string& out) {
  if (!value.is_object()) return context.wrong_kind(value, "an object");
  out = text::to_json(value);
  if (out.size() > kLongestParameters)
    context.error(value,
                  "This has " + std::to_string(out.size()) + " bytes, but at most 10240 are allowed; shorten it.",
                  ErrorCode::kLimit);
}

void read(DecodeContext& context, const Value& value, OpaqueConfig& out) {
  static const FieldTable<OpaqueConfig> kFields(
      {{"driver", name_member<&OpaqueConfig::driver, driver_name_fault>},
       {"parameters", [](DecodeContext& inside, const Value& parameters,
                         OpaqueConfig& config) { read_raw_object(inside, parameters, config.parameters); }}},
      {});
  kFields.read(context, value, out);
  require(context, value, "driver", "name the driver that the parameters are for.");
  require(context, value, "parameters", "write the driver's parameters as an object.");
}

void check_binding_conditions(DecodeContext& context, const Value& at, const std::vector<std::string>& conditions,
                              const std::vector<std::string>& failures) {
  if (conditions.empty() != failures.empty())
    context.error(at, std::string(conditions.empty() ? "bindingConditions" : "bindingFailureConditions") +
                          " is missing; the two lists are given together or not at all.");
  for (const std::string& failure : failures)
    if (std::ranges::find(conditions, failure) != conditions.end())
      context.error(at, "\"" + failure.substr(0, 100) + "\" cannot mean both success and failure; remove one of them.");
}

}  // namespace berth::api
