// Named formats of strings: format.dns1123Label().validate(x) gives what is wrong with x, or none.
#include <array>
#include <utility>

#include <fmt/format.h>

#include "cel/containers.h"
#include "cel/eval_context.h"
#include "cel/lib/format_checks.h"
#include "cel/lib/libraries.h"
#include "cel/operations.h"
#include "cel/standard.h"

namespace berth::cel {

namespace {

using ArgumentsRef = const Arguments&;
const Type kFormatType{TypeKind::kStruct, "kubernetes.NamedFormat", {}};

struct NamedFormat {
  std::string_view name;
  std::uint64_t regex_size;  // what the cost model takes for the length of its pattern
  Faults (*check)(std::string_view);
};

constexpr std::array kFormats = {
    NamedFormat{"dns1123Label", 30, dns_label_faults},
    NamedFormat{"dns1123Subdomain", 60, dns_subdomain_faults},
    NamedFormat{"dns1035Label", 30, dns_1035_label_faults},
    NamedFormat{"qualifiedName", 60, qualified_name_faults},
    NamedFormat{"dns1123LabelPrefix", 30, dns_label_prefix_faults},
    NamedFormat{"dns1123SubdomainPrefix", 60, dns_subdomain_prefix_faults},
    NamedFormat{"dns1035LabelPrefix", 30, dns_1035_label_prefix_faults},
    NamedFormat{"labelValue", 40, label_value_faults},
    NamedFormat{"uri", 1103, uri_faults},
    NamedFormat{"uuid", 70, uuid_faults},
    NamedFormat{"byte", 84, base64_faults},
    NamedFormat{"date", 71, date_faults},
    NamedFormat{"datetime", 71, date_time_faults},
};

class FormatObject final : public Object {
 public:
  explicit constexpr FormatObject(const NamedFormat& format) : format_(&format) {}
  [[nodiscard]] const NamedFormat& format() const { return *format_; }
  [[nodiscard]] TypeRef type() const override { return &kFormatType; }
  [[nodiscard]] bool equals(const Object& other, Arena&) const override {
    return format_ == static_cast<const FormatObject&>(other).format_;
  }
  [[nodiscard]] std::uint64_t cost_size() const override { return format_->regex_size; }
  [[nodiscard]] std::string text() const override { return fmt::format("format.{}()", format_->name); }

 private:
  const NamedFormat* format_;
};

Value validate(EvalContext& context, ArgumentsRef a) {
  const NamedFormat& format = static_cast<const FormatObject&>(a[0].as_object()).format();
  const Faults faults = format.check(a[1].as_text());
  if (faults.empty()) return Value::optional(nullptr);
  auto* list = context.arena().make<ArrayList>();
  for (const std::string& fault : faults) list->push_back(make_string(fault, context), context.arena());
  return make_optional(Value::list(list), context);
}

Value named(EvalContext& context, ArgumentsRef a) {
  for (const NamedFormat& format : kFormats) {
    if (format.name == a[0].as_text()) {
      return make_optional(Value::object(context.arena().make<FormatObject>(format)), context);
    }
  }
  return Value::optional(nullptr);
}

template <std::size_t index>
Value constant(EvalContext& context, ArgumentsRef) {
  return Value::object(context.arena().make<FormatObject>(kFormats[index]));
}

template <std::size_t... indices>
void add_constants(EnvironmentBuilder& builder, std::index_sequence<indices...>) {
  (builder.add_overload(fmt::format("format.{}", kFormats[indices].name),
                        global(fmt::format("format.{}", kFormats[indices].name), {}, &kFormatType, constant<indices>)),
   ...);
}

}  // namespace

void add_formats(EnvironmentBuilder& builder) {
  const TypeRef f = &kFormatType, s = &types::kString;
  TypePool& pool = builder.types();
  builder.add_struct({f, {}});
  builder.add_overload("validate", member("format-validate", {f, s}, pool.optional(&types::kListString), validate));
  builder.add_overload("format.named", global("format-named", {s}, pool.optional(f), named));
  add_constants(builder, std::make_index_sequence<kFormats.size()>());
}

}  // namespace berth::cel
