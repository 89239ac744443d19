// url, isURL, getScheme, getHost, getHostname, getPort, getEscapedPath, getQuery.
#include <fmt/format.h>

#include "cel/containers.h"
#include "cel/eval_context.h"
#include "cel/lib/libraries.h"
#include "cel/lib/url.h"
#include "cel/operations.h"
#include "cel/standard.h"

namespace berth::cel {

namespace {

using ArgumentsRef = const Arguments&;

const Type kUrlType{TypeKind::kStruct, "kubernetes.URL", {}};

// Keeps the text and splits it when a part is asked for: values hold no memory of their own.
class UrlObject final : public Object {
 public:
  explicit UrlObject(std::string_view text) : text_(text) {}
  [[nodiscard]] Url parts() const { return *parse_url(text_); }
  [[nodiscard]] TypeRef type() const override { return &kUrlType; }
  [[nodiscard]] bool equals(const Object& other, Arena&) const override {
    return parts().text == static_cast<const UrlObject&>(other).parts().text;
  }
  [[nodiscard]] std::string text() const override { return fmt::format("url(\"{}\")", text_); }

 private:
  std::string_view text_;
};

Url parts(Value value) { return static_cast<const UrlObject&>(value.as_object()).parts(); }

Value url(EvalContext& context, ArgumentsRef a) {
  if (!parse_url(a[0].as_text())) return context.fail(fmt::format("'{}' is not an absolute URL", a[0].as_text()));
  return Value::object(context.arena().make<UrlObject>(a[0].as_text()));
}
Value is_url(EvalContext&, ArgumentsRef a) { return Value::boolean(!request_uri_fault(a[0].as_text())); }
Value scheme(EvalContext& context, ArgumentsRef a) { return make_string(parts(a[0]).scheme, context); }
Value host(EvalContext& context, ArgumentsRef a) { return make_string(parts(a[0]).host, context); }
Value hostname(EvalContext& context, ArgumentsRef a) { return make_string(parts(a[0]).hostname(), context); }
Value port(EvalContext& context, ArgumentsRef a) { return make_string(parts(a[0]).port(), context); }
Value path(EvalContext& context, ArgumentsRef a) { return make_string(parts(a[0]).path, context); }

Value query(EvalContext& context, ArgumentsRef a) {
  Arena& arena = context.arena();
  auto* out = arena.make<ArrayMap>();
  for (const auto& [name, text] : parts(a[0]).parameters()) {
    const Value key = make_string(name, context);
    const Value value = make_string(text, context);
    if (value.is_error()) return value;
    // The lists were made here a moment ago.
    if (const auto known = out->find(key, arena)) {
      const_cast<ArrayList&>(static_cast<const ArrayList&>(known->as_list())).push_back(value, arena);
    } else {
      auto* values = arena.make<ArrayList>();
      values->push_back(value, arena);
      out->insert(key, Value::list(values), arena);
    }
  }
  return Value::map(out);
}

}  // namespace

void add_urls(EnvironmentBuilder& builder) {
  const TypeRef u = &kUrlType, s = &types::kString, b = &types::kBool;
  builder.add_struct({u, {}});
  builder.add_overload("url", global("string_to_url", {s}, u, url));
  builder.add_overload("isURL", global("is_url_string", {s}, b, is_url));
  builder.add_overload("getScheme", member("url_get_scheme", {u}, s, scheme));
  builder.add_overload("getHost", member("url_get_host", {u}, s, host));
  builder.add_overload("getHostname", member("url_get_hostname", {u}, s, hostname));
  builder.add_overload("getPort", member("url_get_port", {u}, s, port));
  builder.add_overload("getEscapedPath", member("url_get_escaped_path", {u}, s, path));
  builder.add_overload("getQuery", member("url_get_query", {u}, builder.types().map(s, &types::kListString), query));
}

}  // namespace berth::cel
