#include "cel/regex.h"

#include <algorithm>
#include <string>

#include <re2/re2.h>

#include "cel/regex_class.h"

namespace berth::cel {

namespace {

re2::StringPiece to_piece(std::string_view text) { return {text.data(), text.size()}; }

// Enough for what Go's regexp takes, whose limit is of the same size.
constexpr std::int64_t kMaxPatternMemory = std::int64_t{128} << 20;

bool is_word(char c) { return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_'; }

// The pattern as RE2 reads what Go's regexp reads: groups may be named (?<name>...) as well, names are of ASCII,
// classes have more names, and there is no \C. Nothing if it is no pattern of Go's.
std::optional<std::string> as_re2(std::string_view pattern) {
  std::string out;
  bool in_class = false;
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    const std::string_view rest = pattern.substr(i);
    if (rest.starts_with("\\Q") && !in_class) {
      const std::size_t end = std::min(rest.find("\\E"), rest.size());
      out += rest.substr(0, end);
      i += end - 1;
      continue;
    }
    if (rest.front() == '\\') {
      if (rest.starts_with("\\C")) return std::nullopt;
      if (rest.starts_with("\\p") || rest.starts_with("\\P")) {
        const auto named = parse_regex_class(rest, in_class);
        if (!named) return std::nullopt;
        out += named->text;
        i += named->length - 1;
        continue;
      }
      out += rest.substr(0, 2);
      i += rest.size() > 1 ? 1 : 0;
      continue;
    }
    if (in_class && rest.starts_with("[:")) {
      const std::size_t end = std::min(rest.find(":]"), rest.size() - 2) + 2;
      out += rest.substr(0, end);
      i += end - 1;
      continue;
    }
    if (in_class) {
      in_class = rest.front() != ']';
    } else if (rest.front() == '[') {
      // A bracket that comes first is a member: []a], [^]a].
      const std::size_t first = rest.starts_with("[^") ? 2 : 1;
      const std::size_t length = first + (rest.substr(first).starts_with(']') ? 1 : 0);
      out += rest.substr(0, length);
      i += length - 1;
      in_class = true;
      continue;
    }
    const std::size_t name = rest.starts_with("(?P<") ? 4 : rest.starts_with("(?<") ? 3 : 0;
    if (name != 0 && !in_class) {
      const std::size_t end = rest.find('>');
      if (end == std::string_view::npos || !std::ranges::all_of(rest.substr(name, end - name), is_word))
        return std::nullopt;
      out += "(?P<";
      i += name - 1;
      continue;
    }
    out += rest.front();
  }
  return out;
}

}  // namespace

std::shared_ptr<const re2::RE2> compile_pattern(std::string_view pattern) {
  re2::RE2::Options options;
  options.set_log_errors(false);
  options.set_max_mem(kMaxPatternMemory);
  const auto readable = as_re2(pattern);
  if (!readable) return nullptr;
  auto compiled = std::make_shared<const re2::RE2>(*readable, options);
  return compiled->ok() ? compiled : nullptr;
}

bool matches_part(const re2::RE2& pattern, std::string_view text) {
  return re2::RE2::PartialMatch(to_piece(text), pattern);
}

bool matches_whole(const re2::RE2& pattern, std::string_view text) {
  return re2::RE2::FullMatch(to_piece(text), pattern);
}

std::optional<std::string_view> first_match(const re2::RE2& pattern, std::string_view text, std::size_t from) {
  re2::StringPiece match;
  if (!pattern.Match(to_piece(text), from, text.size(), re2::RE2::UNANCHORED, &match, 1)) return std::nullopt;
  return std::string_view(match.data(), match.size());
}

std::shared_ptr<const void> prepare_pattern(std::span<const Value* const> constants) {
  if (constants.size() < 2 || constants[1] == nullptr || !constants[1]->is(Kind::kString)) return nullptr;
  return compile_pattern(constants[1]->as_text());
}

}  // namespace berth::cel
