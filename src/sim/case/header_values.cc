#include "sim/case/header_values.h"

#include <algorithm>

#include "base/near_names.h"

namespace berth::sim::case_header {

At at(const Value& value, std::string path) {
  return {std::move(path), static_cast<std::int32_t>(value.origin().line)};
}
At below(const At& where, const Member& member) {
  return at(member.value, fmt::format("{}.{}", where.path, member.name()));
}

std::unexpected<Error> bad(const At& where, std::string message) {
  Place place;
  place.line = where.line;
  place.field = where.path;
  return fail(ErrorCode::kInvalid, std::move(message), std::move(place));
}
std::unexpected<Error> bad(std::string_view where, std::string message) {
  return bad(At{std::string(where), 0}, std::move(message));
}

std::optional<std::string> scalar(const Value& value) {
  if (value.is_string() || value.is_number()) return std::string(value.text());
  if (value.is_bool()) return value.is_true() ? "true" : "false";
  return std::nullopt;
}

Result<std::string> text_of(const Value& value, const At& where) {
  if (auto found = scalar(value)) return *std::move(found);
  return bad(where, fmt::format("This has to be a text, not {}.", text::describe(value.kind())));
}

Result<std::int64_t> integer_of(const Value& value, const At& where, std::int64_t least, std::int64_t most) {
  const auto number = value.as_int64();
  if (number && *number >= least && *number <= most) return *number;
  const std::string shown = scalar(value).value_or(std::string(text::describe(value.kind())));
  if (most == std::numeric_limits<std::int64_t>::max())
    return bad(where, fmt::format("'{}' is no whole number from {} on; correct it.", cut(shown), least));
  return bad(where, fmt::format("'{}' is no whole number from {} to {}; correct it.", cut(shown), least, most));
}

Result<std::int64_t> count_of(const Value& value, const At& where) {
  return integer_of(value, where, 0, std::numeric_limits<std::int64_t>::max());
}

Result<bool> boolean_of(const Value& value, const At& where) {
  if (value.is_bool()) return value.is_true();
  return bad(where, "This has to be true or false.");
}

// A list of texts; a single text is a list of one.
Result<std::vector<std::string>> texts_of(const Value& value, const At& where) {
  std::vector<std::string> out;
  if (auto single = scalar(value)) {
    out.push_back(*std::move(single));
    return out;
  }
  if (!value.is_array()) return bad(where, "This has to be a list of texts.");
  for (const Value& item : value.items()) {
    BERTH_TRY(std::string text, text_of(item, where));
    out.push_back(std::move(text));
  }
  return out;
}

Result<std::vector<std::string>> some_texts_of(const Value& value, const At& where) {
  BERTH_TRY(std::vector<std::string> texts, texts_of(value, where));
  if (texts.empty() || std::ranges::find(texts, std::string()) != texts.end())
    return bad(where, "This check is empty, so it could not fail; name something, or remove it.");
  return texts;
}

Result<std::string> some_text_of(const Value& value, const At& where) {
  BERTH_TRY(std::string text, text_of(value, where));
  if (text.empty()) return bad(where, "This check is empty, so it could not fail; name a label, or remove it.");
  return text;
}

std::unexpected<Error> unknown_key(const At& where, std::string_view key, std::span<const std::string> known) {
  const std::vector<std::string> near = near_names(key, known, 1);
  const std::string what = where.path.empty() ? "The header" : "This";
  return bad(where, near.empty()
                        ? fmt::format("{} has no key '{}'; known are {}.", what, cut(key), fmt::join(known, ", "))
                        : fmt::format("{} has no key '{}'; did you mean {}?", what, cut(key), near[0]));
}

}  // namespace berth::sim::case_header
