// Values of a case file's header, and what is said where one is wrong. Errors have the header's key and line.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/result.h"
#include "text/value.h"

namespace berth::sim::case_header {

using text::Member;
using text::Value;

// Where in the header something is: "steps[2].at", and the value there.
struct At {
  std::string path;
  std::int32_t line = 0;
};

[[nodiscard]] At at(const Value& value, std::string path);
[[nodiscard]] At below(const At& where, const Member& member);

[[nodiscard]] std::unexpected<Error> bad(const At& where, std::string message);
[[nodiscard]] std::unexpected<Error> bad(std::string_view where, std::string message);
[[nodiscard]] std::unexpected<Error> unknown_key(const At& where, std::string_view key,
                                                 std::span<const std::string> known);

// As much of a user's text as a sentence bears.
[[nodiscard]] inline std::string_view cut(std::string_view text) { return text.substr(0, 64); }

// Text of a string, a number or a boolean, as written.
[[nodiscard]] std::optional<std::string> scalar(const Value& value);
[[nodiscard]] Result<std::string> text_of(const Value& value, const At& where);

inline constexpr std::int64_t kMostSeconds = 1'000'000'000;

[[nodiscard]] Result<std::int64_t> integer_of(const Value& value, const At& where, std::int64_t least,
                                              std::int64_t most);
// A number of pods.
[[nodiscard]] Result<std::int64_t> count_of(const Value& value, const At& where);
[[nodiscard]] Result<bool> boolean_of(const Value& value, const At& where);

// A list of texts; a single text is a list of one.
[[nodiscard]] Result<std::vector<std::string>> texts_of(const Value& value, const At& where);
// The same for a check, which could not fail if there were none.
[[nodiscard]] Result<std::vector<std::string>> some_texts_of(const Value& value, const At& where);
[[nodiscard]] Result<std::string> some_text_of(const Value& value, const At& where);

// A list of maps, each of which read(value, where) reads; null is an empty one.
template <class T, class Read>
Result<void> read_list(const Value& value, const At& where, Read read, std::vector<T>& out) {
  if (value.is_null()) return {};
  if (!value.is_array()) return bad(where, "This has to be a list.");
  static constexpr std::size_t kMost = 2000;
  if (value.size() > kMost)
    return bad(where, fmt::format("This list has more than {} entries; make it shorter.", kMost));
  for (const Value& item : value.items()) {
    const At here = at(item, fmt::format("{}[{}]", where.path, out.size()));
    if (!item.is_object()) return bad(here, "This has to be a map.");
    BERTH_TRY(T entry, read(item, here));
    out.push_back(std::move(entry));
  }
  return {};
}

}  // namespace berth::sim::case_header
