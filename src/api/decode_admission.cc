// RuntimeClass and LimitRange.
#include "api/decode_fields.h"
#include "api/decode_objects.h"

namespace berth::api {
namespace {

const FieldTable<RuntimeClass>& overhead_fields() {
  static const FieldTable<RuntimeClass> kFields({{"podFixed", member<&RuntimeClass::overhead>}}, {});
  return kFields;
}

const FieldTable<RuntimeClass>& scheduling_fields() {
  static const FieldTable<RuntimeClass> kFields(
      {{"nodeSelector", member<&RuntimeClass::node_selector>}, {"tolerations", member<&RuntimeClass::tolerations>}},
      {});
  return kFields;
}

struct LimitRangeItem {
  std::string type;
  ResourceList max;
  ResourceList min;
  ResourceList default_limits;
  ResourceList default_requests;
};

void read(DecodeContext& context, const Value& value, LimitRangeItem& out) {
  static const FieldTable<LimitRangeItem> kFields({{"type", member<&LimitRangeItem::type>},
                                                   {"max", member<&LimitRangeItem::max>},
                                                   {"min", member<&LimitRangeItem::min>},
                                                   {"default", member<&LimitRangeItem::default_limits>},
                                                   {"defaultRequest", member<&LimitRangeItem::default_requests>}},
                                                  {"maxLimitRequestRatio"});
  kFields.read(context, value, out);
}

void read_limits(DecodeContext& context, const Value& value, LimitRange& out) {
  if (!value.is_array()) return context.wrong_kind(value, "an array");
  for (std::size_t i = 0; i < value.size(); ++i) {
    const DecodeContext::Scope scope(context, i);
    LimitRangeItem item;
    read(context, value.items()[i], item);
    if (item.type != "Container") continue;  // the others only refuse
    item.default_limits.insert(item.max.begin(), item.max.end());
    item.default_requests.insert(item.default_limits.begin(), item.default_limits.end());
    item.default_requests.insert(item.min.begin(), item.min.end());
    // Of several items the last one counts.
    for (const auto& [resource, amount] : item.default_limits) out.container_limits.insert_or_assign(resource, amount);
    for (const auto& [resource, amount] : item.default_requests)
      out.container_requests.insert_or_assign(resource, amount);
  }
}

const FieldTable<LimitRange>& limit_range_spec_fields() {
  static const FieldTable<LimitRange> kFields({{"limits", read_limits}}, {});
  return kFields;
}

}  // namespace

void read(DecodeContext& context, const Value& value, RuntimeClass& out) {
  static const FieldTable<RuntimeClass> kFields({{"metadata", member<&RuntimeClass::metadata>},
                                                 {"overhead", inner<RuntimeClass, overhead_fields>},
                                                 {"scheduling", inner<RuntimeClass, scheduling_fields>}},
                                                {"apiVersion", "kind", "handler"});
  kFields.read(context, value, out);
}

void read(DecodeContext& context, const Value& value, LimitRange& out) {
  static const FieldTable<LimitRange> kFields(
      {{"metadata", member<&LimitRange::metadata>}, {"spec", inner<LimitRange, limit_range_spec_fields>}},
      {"apiVersion", "kind"});
  kFields.read(context, value, out);
}

}  // namespace berth::api
