#include "cel/regex.h"

namespace berth::cel {

namespace {

constexpr std::int64_t kMaxPatternMemory = std::int64_t{8} << 20;

}  // namespace

std::shared_ptr<const re2::RE2> compile_pattern(std::string_view pattern) {
  re2::RE2::Options options;
  options.set_log_errors(false);
  options.set_max_mem(kMaxPatternMemory);
  auto compiled = std::make_shared<const re2::RE2>(to_piece(pattern), options);
  return compiled->ok() ? compiled : nullptr;
}

std::shared_ptr<const void> prepare_pattern(std::span<const Value* const> constants) {
  if (constants.size() < 2 || constants[1] == nullptr || !constants[1]->is(Kind::kString)) return nullptr;
  return compile_pattern(constants[1]->as_text());
}

}  // namespace berth::cel
