// The string extension, version 2. Positions count code points.
#include <algorithm>
#include <limits>
#include <string>

#include <fmt/format.h>

#include "cel/containers.h"
#include "cel/eval_context.h"
#include "cel/lib/format_text.h"
#include "cel/lib/libraries.h"
#include "cel/operations.h"
#include "cel/standard.h"
#include "cel/utf8.h"

namespace berth::cel {

namespace {

using ArgumentsRef = const Arguments&;
constexpr std::size_t kNone = std::string_view::npos;

Value out_of_range(EvalContext& context, std::int64_t index) {
  return context.fail(fmt::format("index out of range: {}", index));
}
std::int64_t length(std::string_view text) { return static_cast<std::int64_t>(utf8::count(text)); }
std::size_t offset(std::string_view text, std::int64_t index) {
  return utf8::offset_of(text, static_cast<std::size_t>(index));
}

Value char_at(EvalContext& context, ArgumentsRef a) {
  const std::string_view text = a[0].as_text();
  const std::int64_t index = a[1].as_int();
  if (index < 0) return out_of_range(context, index);
  const std::size_t start = offset(text, index);
  if (start == kNone) return out_of_range(context, index);
  if (start == text.size()) return Value::string({});
  return Value::string(text.substr(start, utf8::decode(text.substr(start)).length));
}

Value text_index_of(EvalContext& context, ArgumentsRef a) {
  const std::string_view text = a[0].as_text();
  const std::string_view wanted = a[1].as_text();
  const std::int64_t from = a.size() == 3 ? a[2].as_int() : 0;
  if (from < 0) return out_of_range(context, from);
  if (wanted.empty()) return Value::integer(std::min(from, length(text)));
  const std::size_t start = offset(text, from);
  if (start == kNone) return Value::integer(-1);
  const std::size_t found = text.find(wanted, start);
  return Value::integer(found == kNone ? -1 : length(text.substr(0, found)));
}

Value text_last_index_of(EvalContext& context, ArgumentsRef a) {
  const std::string_view text = a[0].as_text();
  const std::string_view wanted = a[1].as_text();
  if (a.size() == 2) {
    if (wanted.empty()) return Value::integer(length(text));
    const std::size_t found = text.rfind(wanted);
    return Value::integer(found == kNone ? -1 : length(text.substr(0, found)));
  }
  const std::int64_t from = a[2].as_int();
  if (from < 0) return out_of_range(context, from);
  if (wanted.empty()) return Value::integer(std::min(from, length(text)));
  if (from >= length(text)) return Value::integer(-1);
  const std::size_t found = text.rfind(wanted, offset(text, from));
  return Value::integer(found == kNone ? -1 : length(text.substr(0, found)));
}

// The search that fails behind the end of the text.
template <Implementation search>
Value strictly(EvalContext& context, ArgumentsRef a) {
  const std::int64_t from = a[2].as_int();
  return from > length(a[0].as_text()) ? out_of_range(context, from) : search(context, a);
}

Value substring(EvalContext& context, ArgumentsRef a) {
  const std::string_view text = a[0].as_text();
  const std::int64_t size = length(text);
  const std::int64_t start = a[1].as_int();
  const std::int64_t end = a.size() == 3 ? a[2].as_int() : size;
  if (start < 0 || start > size) return out_of_range(context, start);
  if (end < 0 || end > size) return out_of_range(context, end);
  if (start > end) {
    return context.fail(fmt::format("invalid substring range. start: {}, end: {}", start, end));
  }
  const std::size_t first = offset(text, start);
  return Value::string(text.substr(first, offset(text, end) - first));
}

template <char first, char last, int shift>
Value change_case(EvalContext& context, ArgumentsRef a) {
  const std::string_view text = a[0].as_text();
  if (text.empty()) return a[0];
  if (!context.reserve(text.size())) return context.cancelled();
  auto* out = static_cast<char*>(context.arena().allocate(text.size(), 1));
  std::ranges::transform(text, out, [](char c) { return c >= first && c <= last ? static_cast<char>(c + shift) : c; });
  return Value::string({out, text.size()});
}

bool is_space(char32_t c) {
  return (c >= 0x09 && c <= 0x0D) || c == 0x20 || c == 0x85 || c == 0xA0 || c == 0x1680 ||
         (c >= 0x2000 && c <= 0x200A) || c == 0x2028 || c == 0x2029 || c == 0x202F || c == 0x205F || c == 0x3000;
}

Value trim(EvalContext&, ArgumentsRef a) {
  std::string_view text = a[0].as_text();
  while (!text.empty()) {
    const utf8::Decoded next = utf8::decode(text);
    if (!is_space(next.code_point)) break;
    text.remove_prefix(next.length);
  }
  std::size_t end = 0;
  for (std::size_t i = 0; i < text.size();) {
    const utf8::Decoded next = utf8::decode(text.substr(i));
    i += next.length;
    if (!is_space(next.code_point)) end = i;
  }
  return Value::string(text.substr(0, end));
}

std::size_t first_code_point(std::string_view text) { return utf8::decode(text).length; }

// Replaces at most `limit` times. An empty `old` matches before every code point and at the end.
std::string replaced(std::string_view text, std::string_view old, std::string_view with, std::size_t limit) {
  std::string out;
  std::size_t count = 0;
  while (count < limit) {
    if (old.empty()) {
      out += with;
      ++count;
      if (text.empty()) return out;
      const std::size_t size = first_code_point(text);
      out += text.substr(0, size);
      text.remove_prefix(size);
      continue;
    }
    const std::size_t found = text.find(old);
    if (found == kNone) break;
    out += text.substr(0, found);
    out += with;
    text.remove_prefix(found + old.size());
    ++count;
  }
  return out.append(text);
}

Value replace(EvalContext& context, ArgumentsRef a) {
  const std::string_view text = a[0].as_text();
  const std::string_view old = a[1].as_text();
  const std::string_view with = a[2].as_text();
  const std::int64_t limit = a.size() == 4 ? a[3].as_int() : -1;
  if (limit == 0 || old == with) return a[0];
  // The most that can come out, before anything is made.
  const std::size_t most_matches = old.empty() ? text.size() + 1 : text.size() / old.size();
  const std::size_t matches = limit < 0 ? most_matches : std::min(most_matches, static_cast<std::size_t>(limit));
  if (matches > 0 && with.size() > context.arena().limit() / matches) {
    (void)context.reserve(std::numeric_limits<std::size_t>::max());
    return context.cancelled();
  }
  if (!context.reserve(2 * (text.size() + matches * with.size()))) return context.cancelled();
  return make_string(replaced(text, old, with, matches), context);
}

Value split(EvalContext& context, ArgumentsRef a) {
  std::string_view text = a[0].as_text();
  const std::string_view separator = a[1].as_text();
  const std::int64_t limit = a.size() == 3 ? a[2].as_int() : -1;
  auto* out = context.arena().make<ArrayList>();
  if (limit == 0) return Value::list(out);
  const auto room = [&] { return limit < 0 || out->size() + 1 < static_cast<std::size_t>(limit); };
  if (!context.reserve(sizeof(Value) * 2 * (text.size() + 1))) return context.cancelled();
  if (separator.empty()) {
    while (!text.empty() && room()) {
      const std::size_t size = first_code_point(text);
      out->push_back(Value::string(text.substr(0, size)), context.arena());
      text.remove_prefix(size);
    }
    if (!text.empty()) out->push_back(Value::string(text), context.arena());
    return Value::list(out);
  }
  for (std::size_t found = text.find(separator); found != kNone && room(); found = text.find(separator)) {
    out->push_back(Value::string(text.substr(0, found)), context.arena());
    text.remove_prefix(found + separator.size());
  }
  out->push_back(Value::string(text), context.arena());
  return Value::list(out);
}

Value join(EvalContext& context, ArgumentsRef a) {
  const List& list = a[0].as_list();
  const std::string_view separator = a.size() == 2 ? a[1].as_text() : std::string_view();
  std::string out;
  for (std::size_t i = 0; i < list.size(); ++i) {
    const Value element = list.at(i, context.arena());
    if (!element.is(Kind::kString)) return context.fail("join: the list holds something that is not a string");
    if (i > 0) out += separator;
    out += element.as_text();
    if (!context.reserve(out.size())) return context.cancelled();
  }
  return make_string(out, context);
}

Value quote(EvalContext& context, ArgumentsRef a) {
  static constexpr std::string_view kSpecial = "\a\b\f\n\r\t\v\\\"";
  static constexpr std::string_view kNames = "abfnrtv\\\"";
  std::string out = "\"";
  for (std::string_view text = a[0].as_text(); !text.empty();) {
    const utf8::Decoded next = utf8::decode(text);
    const std::size_t special = next.code_point < 0x80 ? kSpecial.find(text.front()) : kNone;
    if (special != kNone) {
      out += '\\';
      out += kNames[special];
    } else {
      utf8::append(out, next.code_point);
    }
    text.remove_prefix(next.length);
  }
  return make_string(out + '"', context);
}

Value reverse_text(EvalContext& context, ArgumentsRef a) {
  const std::string_view text = a[0].as_text();
  if (text.empty()) return a[0];
  if (!context.reserve(text.size())) return context.cancelled();
  auto* out = static_cast<char*>(context.arena().allocate(text.size(), 1));
  std::size_t end = text.size();
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t size = first_code_point(text.substr(i));
    end -= size;
    text.copy(out + end, size, i);
    i += size;
  }
  return Value::string({out, text.size()});
}

Value format_text(EvalContext& context, ArgumentsRef a) {
  return Formatter(context).run(a[0].as_text(), a[1].as_list());
}

}  // namespace

void add_strings(EnvironmentBuilder& builder) {
  const TypeRef s = &types::kString, i = &types::kInt, list = &types::kListString;
  builder.add_overload("charAt", member("string_char_at_int", {s, i}, s, char_at));
  builder.add_overloads("indexOf", {member("string_index_of_string", {s, s}, i, text_index_of),
                                    member("string_index_of_string_int", {s, s, i}, i, text_index_of)});
  builder.add_overloads("lastIndexOf", {member("string_last_index_of_string", {s, s}, i, text_last_index_of),
                                        member("string_last_index_of_string_int", {s, s, i}, i, text_last_index_of)});
  builder.add_overload("lowerAscii", member("string_lower_ascii", {s}, s, change_case<'A', 'Z', 'a' - 'A'>));
  builder.add_overload("upperAscii", member("string_upper_ascii", {s}, s, change_case<'a', 'z', 'A' - 'a'>));
  builder.add_overloads("replace", {member("string_replace_string_string", {s, s, s}, s, replace),
                                    member("string_replace_string_string_int", {s, s, s, i}, s, replace)});
  builder.add_overloads("split", {member("string_split_string", {s, s}, list, split),
                                  member("string_split_string_int", {s, s, i}, list, split)});
  builder.add_overloads("substring", {member("string_substring_int", {s, i}, s, substring),
                                      member("string_substring_int_int", {s, i, i}, s, substring)});
  builder.add_overload("trim", member("string_trim", {s}, s, trim));
  builder.add_overloads("join", {member("list_join", {list}, s, join), member("list_join_string", {list, s}, s, join)});
  builder.add_overload("strings.quote", global("strings_quote", {s}, s, quote));
  builder.add_overload("format", member("string_format", {s, &types::kListDyn}, s, format_text));
}

void add_strict_search(EnvironmentBuilder& builder) {
  const TypeRef s = &types::kString, i = &types::kInt;
  builder.add_overload("indexOf", member("string_index_of_string_int", {s, s, i}, i, strictly<text_index_of>));
  builder.add_overload("lastIndexOf",
                       member("string_last_index_of_string_int", {s, s, i}, i, strictly<text_last_index_of>));
}

void add_string_reverse(EnvironmentBuilder& builder) {
  builder.add_overload("reverse", member("string_reverse", {&types::kString}, &types::kString, reverse_text));
}

}  // namespace berth::cel
