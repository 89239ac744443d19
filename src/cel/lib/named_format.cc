// Named formats of strings: format.dns1123Label().validate(x) gives what is wrong with x, or none.
#include <array>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "cel/containers.h"
#include "cel/eval_context.h"
#include "cel/lib/libraries.h"
#include "cel/lib/url.h"
#include "cel/operations.h"
#include "cel/regex.h"
#include "cel/standard.h"
#include "cel/time.h"

namespace berth::cel {

namespace {

using ArgumentsRef = const Arguments&;
using Messages = std::vector<std::string>;

const Type kFormatType{TypeKind::kStruct, "kubernetes.NamedFormat", {}};

struct NamedFormat {
  std::string_view name;
  std::size_t max_length;    // of the text
  std::uint64_t regex_size;  // what the cost model takes for the length of its pattern
  const char* pattern;       // the whole text matches; null: see `check`
  bool prefix;               // a trailing dash is fine: it is the start of a name
  bool (*check)(std::string_view);
};

bool is_uri(std::string_view text) { return is_request_uri(text); }
bool is_date(std::string_view text) { return parse_timestamp(std::string(text) + "T00:00:00Z").has_value(); }
bool is_date_time(std::string_view text) { return parse_timestamp(text).has_value(); }

constexpr std::size_t kLabel = 63;
constexpr std::size_t kSubdomain = 253;
constexpr std::size_t kAny = static_cast<std::size_t>(-1);
#define BERTH_LABEL "[a-z0-9]([-a-z0-9]*[a-z0-9])?"
constexpr const char* kLabelPattern = BERTH_LABEL;
constexpr const char* kSubdomainPattern = BERTH_LABEL "(\\." BERTH_LABEL ")*";
constexpr const char* kLabel1035Pattern = "[a-z]([-a-z0-9]*[a-z0-9])?";
#undef BERTH_LABEL
constexpr const char* kLabelValuePattern = "(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?";
constexpr const char* kQualifiedNamePattern =
    "([a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?"
    "([A-Za-z0-9][-A-Za-z0-9_.]{0,61})?[A-Za-z0-9]";
constexpr const char* kUuidPattern = "(?i)[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}";
constexpr const char* kBase64Pattern = "([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{4})";

constexpr std::array kFormats = {
    NamedFormat{"dns1123Label", kLabel, 30, kLabelPattern, false, nullptr},
    NamedFormat{"dns1123Subdomain", kSubdomain, 60, kSubdomainPattern, false, nullptr},
    NamedFormat{"dns1035Label", kLabel, 30, kLabel1035Pattern, false, nullptr},
    NamedFormat{"qualifiedName", kSubdomain + 1 + kLabel, 60, kQualifiedNamePattern, false, nullptr},
    NamedFormat{"dns1123LabelPrefix", kLabel, 30, kLabelPattern, true, nullptr},
    NamedFormat{"dns1123SubdomainPrefix", kSubdomain, 60, kSubdomainPattern, true, nullptr},
    NamedFormat{"dns1035LabelPrefix", kLabel, 30, kLabel1035Pattern, true, nullptr},
    NamedFormat{"labelValue", kLabel, 40, kLabelValuePattern, false, nullptr},
    NamedFormat{"uri", kAny, 1103, nullptr, false, is_uri},
    NamedFormat{"uuid", kAny, 70, kUuidPattern, false, nullptr},
    NamedFormat{"byte", kAny, 84, kBase64Pattern, false, nullptr},
    NamedFormat{"date", kAny, 71, nullptr, false, is_date},
    NamedFormat{"datetime", kAny, 71, nullptr, false, is_date_time},
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

Messages faults(const NamedFormat& format, std::string_view text) {
  Messages out;
  if (text.size() > format.max_length) {
    out.push_back(fmt::format("must be no more than {} bytes", format.max_length));
  }
  if (format.check != nullptr) {
    if (!format.check(text)) out.push_back(fmt::format("does not match the format {}", format.name));
    return out;
  }
  std::string subject(text);
  if (format.prefix && subject.size() > 1 && subject.ends_with('-')) subject.back() = 'a';
  const auto pattern = compile_pattern(format.pattern);
  if (!matches_whole(*pattern, subject)) {
    out.push_back(fmt::format("must match the regular expression {}", format.pattern));
  }
  return out;
}

Value validate(EvalContext& context, ArgumentsRef a) {
  const NamedFormat& format = static_cast<const FormatObject&>(a[0].as_object()).format();
  const Messages messages = faults(format, a[1].as_text());
  if (messages.empty()) return Value::optional(nullptr);
  auto* list = context.arena().make<ArrayList>();
  for (const std::string& message : messages) list->push_back(make_string(message, context), context.arena());
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
