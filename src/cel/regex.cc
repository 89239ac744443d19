#include "cel/regex.h"

#include <re2/re2.h>

namespace berth::cel {

namespace {

re2::StringPiece to_piece(std::string_view text) { return {text.data(), text.size()}; }

constexpr std::int64_t kMaxPatternMemory = std::int64_t{8} << 20;

}  // namespace

std::shared_ptr<const re2::RE2> compile_pattern(std::string_view pattern) {
  re2::RE2::Options options;
  options.set_log_errors(false);
  options.set_max_mem(kMaxPatternMemory);
  auto compiled = std::make_shared<const re2::RE2>(to_piece(pattern), options);
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
