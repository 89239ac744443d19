#include "cli/cel_suite.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <optional>

#include <fmt/format.h>

#include "cel/containers.h"
#include "cel/lib/libraries.h"
#include "cel/program.h"
#include "cel/time.h"
#include "cel/utf8.h"
#include "text/json_reader.h"

namespace berth::cli {

namespace {

constexpr std::string_view kNeedsMessages = "needs protobuf messages";

std::optional<std::string> decode_base64(std::string_view text) {
  static constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  std::uint32_t bits = 0;
  int count = 0;
  for (const char c : text) {
    if (c == '=') break;
    const std::size_t digit = kDigits.find(c);
    if (digit == std::string_view::npos) return std::nullopt;
    bits = (bits << 6U) | static_cast<std::uint32_t>(digit);
    count += 6;
    if (count >= 8) {
      count -= 8;
      out += static_cast<char>((bits >> static_cast<unsigned>(count)) & 0xFFU);
    }
  }
  return out;
}

std::optional<double> decode_double(const text::Value& value) {
  if (value.text() == "NaN") return std::numeric_limits<double>::quiet_NaN();
  if (value.text() == "Infinity") return std::numeric_limits<double>::infinity();
  if (value.text() == "-Infinity") return -std::numeric_limits<double>::infinity();
  return value.as_double();
}

std::int64_t to_int(std::string_view text) { return std::strtoll(std::string(text).c_str(), nullptr, 10); }
std::uint64_t to_uint(std::string_view text) { return std::strtoull(std::string(text).c_str(), nullptr, 10); }

// Values of the suite's notation, in an arena. Nothing for messages.
class ValueDecoder {
 public:
  ValueDecoder(cel::Arena& arena, const cel::Environment& environment) : arena_(arena), environment_(environment) {}

  std::optional<cel::Value> decode(const text::Value& value) {
    if (value.members().empty()) return std::nullopt;
    const text::Member& member = value.members().front();
    const std::string_view kind = member.name();
    const text::Value& content = member.value;
    if (kind == "null_value") return cel::Value::null();
    if (kind == "bool_value") return cel::Value::boolean(content.is_true());
    if (kind == "int64_value") return cel::Value::integer(to_int(content.text()));
    if (kind == "uint64_value") return cel::Value::unsigned_integer(to_uint(content.text()));
    if (kind == "string_value") return cel::Value::string(arena_.copy(content.text()));
    if (kind == "double_value") {
      const auto number = decode_double(content);
      return number ? std::optional(cel::Value::real(*number)) : std::nullopt;
    }
    if (kind == "bytes_value") {
      const auto bytes = decode_base64(content.text());
      return bytes ? std::optional(cel::Value::bytes(arena_.copy(*bytes))) : std::nullopt;
    }
    if (kind == "list_value") return list(content);
    if (kind == "map_value") return map(content);
    if (kind == "type_value") return type(content.text());
    if (kind == "object_value") return object(content);
    return std::nullopt;
  }

 private:
  std::optional<cel::Value> list(const text::Value& content) {
    auto* out = arena_.make<cel::ArrayList>();
    if (const text::Value* values = content.find("values"); values != nullptr) {
      for (const text::Value& item : values->items()) {
        const auto element = decode(item);
        if (!element) return std::nullopt;
        out->push_back(*element, arena_);
      }
    }
    return cel::Value::list(out);
  }

  std::optional<cel::Value> map(const text::Value& content) {
    auto* out = arena_.make<cel::ArrayMap>();
    if (const text::Value* entries = content.find("entries"); entries != nullptr) {
      for (const text::Value& entry : entries->items()) {
        const text::Value* key = entry.find("key");
        const text::Value* value = entry.find("value");
        if (key == nullptr || value == nullptr) return std::nullopt;
        const auto decoded_key = decode(*key);
        const auto decoded_value = decode(*value);
        if (!decoded_key || !decoded_value) return std::nullopt;
        out->insert(*decoded_key, *decoded_value, arena_);
      }
    }
    return cel::Value::map(out);
  }

  std::optional<cel::Value> type(std::string_view name) {
    const cel::TypeRef known = environment_.find_type(name);
    return known == nullptr ? std::nullopt : std::optional(cel::Value::type(known));
  }

  // The messages that are values of the language itself.
  std::optional<cel::Value> object(const text::Value& content) {
    const text::Value* name = content.find("@type");
    const text::Value* value = content.find("value");
    if (name == nullptr || value == nullptr) return std::nullopt;
    if (name->text() == "type.googleapis.com/google.protobuf.Timestamp") {
      const auto read = cel::parse_timestamp(value->text());
      return read ? std::optional(cel::Value::timestamp(read->moment, read->zone)) : std::nullopt;
    }
    if (name->text() == "type.googleapis.com/google.protobuf.Duration") {
      const auto length = cel::parse_duration(value->text());
      return length ? std::optional(cel::Value::duration(*length)) : std::nullopt;
    }
    return std::nullopt;
  }

  cel::Arena& arena_;
  const cel::Environment& environment_;
};

// Types of the suite's notation. Null for messages.
class TypeDecoder {
 public:
  explicit TypeDecoder(cel::TypePool& pool) : pool_(pool) {}

  cel::TypeRef decode(const text::Value& type) {
    if (type.members().empty()) return nullptr;
    const text::Member& member = type.members().front();
    const std::string_view kind = member.name();
    const text::Value& content = member.value;
    if (kind == "dyn") return &cel::types::kDyn;
    if (kind == "null") return &cel::types::kNull;
    if (kind == "primitive") return primitive(content.text());
    if (kind == "well_known") return well_known(content.text());
    if (kind == "type_param") return pool_.parameter(content.text());
    if (kind == "wrapper") {
      const cel::TypeRef wrapped = primitive(content.text());
      return wrapped == nullptr ? nullptr : pool_.wrapper(wrapped);
    }
    if (kind == "list_type") {
      const cel::TypeRef element = part(content, "elem_type");
      return element == nullptr ? nullptr : pool_.list(element);
    }
    if (kind == "map_type") {
      const cel::TypeRef key = part(content, "key_type");
      const cel::TypeRef value = part(content, "value_type");
      return key == nullptr || value == nullptr ? nullptr : pool_.map(key, value);
    }
    if (kind == "type") {
      const cel::TypeRef instance = content.members().empty() ? &cel::types::kDyn : decode(content);
      return instance == nullptr ? nullptr : pool_.type_of(instance);
    }
    if (kind == "abstract_type") return abstract(content);
    return nullptr;
  }

 private:
  cel::TypeRef part(const text::Value& content, std::string_view name) {
    const text::Value* found = content.find(name);
    return found == nullptr ? &cel::types::kDyn : decode(*found);
  }

  cel::TypeRef abstract(const text::Value& content) {
    const text::Value* name = content.find("name");
    if (name == nullptr) return nullptr;
    std::vector<cel::TypeRef> parameters;
    if (const text::Value* list = content.find("parameter_types"); list != nullptr) {
      for (const text::Value& item : list->items()) {
        parameters.push_back(decode(item));
        if (parameters.back() == nullptr) return nullptr;
      }
    }
    return pool_.opaque(name->text(), parameters);
  }

  static cel::TypeRef primitive(std::string_view name) {
    struct Named {
      std::string_view name;
      cel::TypeRef type;
    };
    const std::array kNames = {Named{"BOOL", &cel::types::kBool},     Named{"INT64", &cel::types::kInt},
                               Named{"UINT64", &cel::types::kUint},   Named{"DOUBLE", &cel::types::kDouble},
                               Named{"STRING", &cel::types::kString}, Named{"BYTES", &cel::types::kBytes}};
    for (const Named& known : kNames) {
      if (known.name == name) return known.type;
    }
    return nullptr;
  }
  static cel::TypeRef well_known(std::string_view name) {
    if (name == "TIMESTAMP") return &cel::types::kTimestamp;
    if (name == "DURATION") return &cel::types::kDuration;
    return name == "ANY" ? &cel::types::kAny : nullptr;
  }

  cel::TypePool& pool_;
};

// The suite writes some expected strings with the escapes \\uXXXX and \\UXXXXXXXX left in their text. The string with
// these read; nothing if there are none.
std::optional<std::string> read_escapes(std::string_view text) {
  std::string out;
  bool found = false;
  while (!text.empty()) {
    const std::size_t digits = text.starts_with("\\u") ? 4 : text.starts_with("\\U") ? 8 : 0;
    std::uint32_t code = 0;
    if (digits > 0 && text.size() >= digits + 2) {
      const char* first = text.data() + 2;
      const auto [end, status] = std::from_chars(first, first + digits, code, 16);
      if (status == std::errc() && end == first + digits) {
        cel::utf8::append(out, static_cast<char32_t>(code));
        text.remove_prefix(digits + 2);
        found = true;
        continue;
      }
    }
    out += text.front();
    text.remove_prefix(1);
  }
  return found ? std::optional(out) : std::nullopt;
}

// Equal, with NaN equal to NaN, in lists and maps too.
bool same_value(cel::Value a, cel::Value b, cel::Arena& arena) {
  if (a.is(cel::Kind::kDouble) && b.is(cel::Kind::kDouble) && std::isnan(a.as_double()))
    return std::isnan(b.as_double());
  if (a.is(cel::Kind::kList) && b.is(cel::Kind::kList)) {
    const cel::List& left = a.as_list();
    const cel::List& right = b.as_list();
    bool same = left.size() == right.size();
    for (std::size_t i = 0; same && i < left.size(); ++i)
      same = same_value(left.at(i, arena), right.at(i, arena), arena);
    return same;
  }
  if (a.is(cel::Kind::kMap) && b.is(cel::Kind::kMap)) {
    const cel::Map& left = a.as_map();
    const cel::Map& right = b.as_map();
    bool same = left.size() == right.size();
    for (std::size_t i = 0; same && i < left.size(); ++i) {
      const auto found = right.find(left.key_at(i, arena), arena);
      same = found && same_value(left.value_at(i, arena), *found, arena);
    }
    return same;
  }
  return cel::equal(a, b, arena);
}

bool same_result(cel::Value a, cel::Value b, cel::Arena& arena) {
  if (a.is(cel::Kind::kString) && b.is(cel::Kind::kString) && a.as_text() != b.as_text()) {
    const auto read = read_escapes(b.as_text());
    return read && *read == a.as_text();
  }
  return a.kind() == b.kind() && same_value(a, b, arena);
}

// One line, on its way through compiler and evaluator.
class Line {
 public:
  Line(const text::Value& line, const std::shared_ptr<const cel::Environment>& environment)
      : line_(line), builder_(environment) {}

  CelLineResult run() {
    result_.id = fmt::format("{}/{}/{}", text_of("suite"), text_of("section"), text_of("name"));
    if (!declare()) return skip();
    builder_.set_container(std::string(text_of("container")));
    environment_ = builder_.build();
    if (mentions_messages()) return skip();
    auto ast = cel::parse(text_of("expr"), environment_->parse_options());
    if (!ast) return compile_failed(ast.error());
    if (is_set("disable_check")) return evaluate(cel::leave_unchecked(*std::move(ast), environment_));
    auto checked = cel::check(*std::move(ast), environment_);
    if (!checked) return compile_failed(checked.error());
    if (!check_type(checked->result_type())) return result_;
    return is_set("check_only") ? result_ : evaluate(*std::move(checked));
  }

 private:
  [[nodiscard]] std::string_view text_of(std::string_view key) const {
    const text::Value* value = line_.find(key);
    return value == nullptr ? std::string_view() : value->text();
  }
  [[nodiscard]] bool is_set(std::string_view key) const {
    const text::Value* value = line_.find(key);
    return value != nullptr && value->is_true();
  }
  // Message literals of the suite's own types, and of the well-known ones.
  [[nodiscard]] bool mentions_messages() const {
    const std::string_view expr = text_of("expr");
    const std::string_view container = text_of("container");
    for (const std::string_view name : {"TestAllTypes", "TestRequired", "GlobalEnum", "cel.expr.conformance"}) {
      if (expr.find(name) != std::string_view::npos) return true;
    }
    if (expr.find("google.protobuf.") != std::string_view::npos && expr.find('{') != std::string_view::npos)
      return true;
    return container.starts_with("google.protobuf") && expr.find('{') != std::string_view::npos;
  }

  CelLineResult skip() {
    result_.kind = CelLineResult::Kind::kSkipped;
    result_.reason = kNeedsMessages;
    return result_;
  }
  CelLineResult failed(std::string reason) {
    result_.kind = CelLineResult::Kind::kFailed;
    result_.reason = std::move(reason);
    return result_;
  }
  CelLineResult compile_failed(const cel::CompileFailure& failure) {
    if (line_.find("eval_error") != nullptr) return result_;
    return failed("does not compile: " + (failure.issues.empty() ? failure.to_string() : failure.issues[0].message));
  }

  // False: a declaration is of a message type.
  bool declare() {
    const text::Value* declarations = line_.find("type_env");
    TypeDecoder types(builder_.types());
    if (declarations != nullptr) {
      for (const text::Value& declaration : declarations->items()) {
        const text::Value* name = declaration.find("name");
        const text::Value* ident = declaration.find("ident");
        const text::Value* function = declaration.find("function");
        if (name == nullptr) return false;
        if (ident != nullptr && !declare_variable(name->text(), ident->find("type"), types)) return false;
        if (function != nullptr && !declare_function(name->text(), *function, types)) return false;
      }
    }
    return bind();
  }
  bool declare_variable(std::string_view name, const text::Value* type, TypeDecoder& types) {
    const cel::TypeRef decoded = type == nullptr ? nullptr : types.decode(*type);
    if (decoded == nullptr) return false;
    builder_.add_variable(name, decoded);
    declared_.emplace_back(name);
    return true;
  }
  bool declare_function(std::string_view name, const text::Value& function, TypeDecoder& types) {
    const text::Value* overloads = function.find("overloads");
    if (overloads == nullptr) return false;
    for (const text::Value& item : overloads->items()) {
      cel::Overload overload;
      const text::Value* id = item.find("overload_id");
      const text::Value* result = item.find("result_type");
      if (id == nullptr || result == nullptr) return false;
      overload.id = id->text();
      const text::Value* instance = item.find("is_instance_function");
      overload.member = instance != nullptr && instance->is_true();
      overload.result = types.decode(*result);
      if (const text::Value* parameters = item.find("params"); parameters != nullptr) {
        for (const text::Value& parameter : parameters->items()) overload.parameters.push_back(types.decode(parameter));
      }
      for (const cel::TypeRef parameter : overload.parameters) {
        if (parameter == nullptr) return false;
      }
      if (overload.result == nullptr) return false;
      builder_.add_overload(name, std::move(overload));
    }
    return true;
  }

  // Bound names that were not declared are of any type.
  bool bind() {
    const text::Value* bindings = line_.find("bindings");
    if (bindings == nullptr) return true;
    for (const text::Member& binding : bindings->members()) {
      const bool known = std::find(declared_.begin(), declared_.end(), binding.name()) != declared_.end();
      if (!known) builder_.add_variable(binding.name(), &cel::types::kDyn);
    }
    return true;
  }

  bool check_type(cel::TypeRef found) {
    const text::Value* typed = line_.find("typed_result");
    const text::Value* wanted = typed == nullptr ? nullptr : typed->find("deduced_type");
    if (wanted == nullptr) return true;
    cel::TypePool pool;
    const cel::TypeRef type = TypeDecoder(pool).decode(*wanted);
    if (type == nullptr) {
      skip();
      return false;
    }
    if (cel::same_type(type, found)) return true;
    failed(fmt::format("has type {}, should have {}", cel::to_string(found), cel::to_string(type)));
    return false;
  }

  CelLineResult evaluate(cel::CheckedAst checked) {
    const cel::Program program(std::move(checked));
    static const cel::SystemTimeZones kZones;
    cel::EvalContext context(arena_);
    context.set_time_zones(&kZones);
    ValueDecoder values(arena_, *environment_);
    std::vector<cel::Value> variables(environment_->variable_count(), context.fail("no such attribute"));
    if (const text::Value* bindings = line_.find("bindings"); bindings != nullptr) {
      for (const text::Member& binding : bindings->members()) {
        const text::Value* content = binding.value.find("value");
        const auto value = content == nullptr ? std::nullopt : values.decode(*content);
        if (!value) return skip();
        variables[environment_->find_variable(binding.name())->slot] = *value;
      }
    }
    return compare(program.evaluate(variables, context), values);
  }

  CelLineResult compare(cel::Value found, ValueDecoder& values) {
    for (const std::string_view key : {"eval_error", "any_eval_errors"}) {
      if (line_.find(key) == nullptr) continue;
      return found.is_error() ? result_ : failed("gives " + cel::to_string(found, arena_) + ", should fail");
    }
    cel::Value wanted = cel::Value::boolean(true);
    const text::Value* typed = line_.find("typed_result");
    const text::Value* value = typed == nullptr ? line_.find("value") : typed->find("result");
    if (value != nullptr) {
      const auto decoded = values.decode(*value);
      if (!decoded) return skip();
      wanted = *decoded;
    } else if (typed != nullptr) {
      return result_;
    }
    if (same_result(found, wanted, arena_)) return result_;
    return failed(
        fmt::format("gives {}, should give {}", cel::to_string(found, arena_), cel::to_string(wanted, arena_)));
  }

  const text::Value& line_;
  cel::EnvironmentBuilder builder_;
  std::shared_ptr<const cel::Environment> environment_;
  std::vector<std::string> declared_;
  cel::Arena arena_;
  CelLineResult result_;
};

}  // namespace

CelLineResult run_cel_line(const text::Value& line, const std::shared_ptr<const cel::Environment>& environment) {
  return Line(line, environment).run();
}

CelSuiteCounts run_cel_lines(std::string_view content, std::string_view file,
                             const std::function<void(const CelLineResult&)>& report,
                             const std::function<void(Error)>& complain,
                             const std::shared_ptr<const cel::Environment>& environment) {
  CelSuiteCounts counts;
  std::int32_t number = 0;
  while (!content.empty()) {
    const std::size_t end = std::min(content.find('\n'), content.size());
    const std::string_view line = content.substr(0, end);
    content.remove_prefix(std::min(end + 1, content.size()));
    ++number;
    if (line.find_first_not_of(" \t\r") == std::string_view::npos) continue;
    const auto document = text::parse_json(line);
    if (!document) {
      complain({ErrorCode::kSyntax, "This line of the suite is not a JSON object: " + document.error().message,
                Place{.file = std::string(file), .line = number}});
      continue;
    }
    const CelLineResult result = run_cel_line(document->root(), environment);
    switch (result.kind) {
      case CelLineResult::Kind::kPassed:
        ++counts.passed;
        break;
      case CelLineResult::Kind::kFailed:
        ++counts.failed;
        break;
      case CelLineResult::Kind::kSkipped:
        ++counts.skipped;
        break;
    }
    report(result);
  }
  return counts;
}

}  // namespace berth::cli
