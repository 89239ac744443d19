// find: the first match of a pattern; findAll: all, or the first n.
#include "cel/containers.h"
#include "cel/eval_context.h"
#include "cel/lib/libraries.h"
#include "cel/regex.h"
#include "cel/standard.h"
#include "cel/utf8.h"

namespace berth::cel {

namespace {

using ArgumentsRef = const Arguments&;

Value find(EvalContext& context, ArgumentsRef a) {
  return with_pattern(context, a, [&](const re2::RE2& pattern) {
    return Value::string(first_match(pattern, a[0].as_text(), 0).value_or(std::string_view()));
  });
}

Value find_all(EvalContext& context, ArgumentsRef a) {
  return with_pattern(context, a, [&](const re2::RE2& pattern) {
    const std::int64_t limit = a.size() == 3 ? a[2].as_int() : -1;
    const std::string_view text = a[0].as_text();
    auto* out = context.arena().make<ArrayList>();
    std::size_t start = 0;
    std::size_t last_end = std::string_view::npos;
    while (start <= text.size() && (limit < 0 || out->size() < static_cast<std::size_t>(limit))) {
      const auto found = first_match(pattern, text, start);
      if (!found) break;
      const std::string_view match = *found;
      const auto from = static_cast<std::size_t>(match.data() - text.data());
      const std::size_t end = from + match.size();
      // An empty match right behind the previous one does not count.
      if (!match.empty() || from != last_end) out->push_back(Value::string(match), context.arena());
      last_end = end;
      if (!match.empty()) {
        start = end;
      } else if (from < text.size()) {
        start = from + utf8::decode(text.substr(from)).length;
      } else {
        break;
      }
      if (!context.reserve(sizeof(Value) * 4)) return context.cancelled();
    }
    return Value::list(out);
  });
}

}  // namespace

void add_regex_find(EnvironmentBuilder& builder) {
  const TypeRef s = &types::kString, i = &types::kInt, list = &types::kListString;
  builder.add_overload("find", member("string_find_string", {s, s}, s, find, prepare_pattern));
  builder.add_overloads("findAll", {member("string_find_all_string", {s, s}, list, find_all, prepare_pattern),
                                    member("string_find_all_string_int", {s, s, i}, list, find_all, prepare_pattern)});
}

}  // namespace berth::cel
