// Any expression, checked or not, ends: with a value that can be printed, or with an error that says something.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "cel/lib/libraries.h"
#include "cel/program.h"

namespace {

using berth::cel::Value;

Value evaluate(const berth::cel::Program& program, berth::cel::Arena& arena) {
  berth::cel::EvalContext context(arena);
  context.set_cost_limit(20'000);
  const Value value = program.evaluate({}, context);
  if (value.is_error() && value.as_error().message.empty()) std::abort();
  (void)berth::cel::to_string(value, arena);
  return value;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const auto kEnvironment = berth::cel::full_environment();
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  auto ast = berth::cel::parse(text, kEnvironment->parse_options());
  if (!ast) return 0;
  berth::cel::Arena loose_arena(std::size_t{8} << 20U);
  const berth::cel::Program loose(berth::cel::leave_unchecked(*std::move(ast), kEnvironment));
  (void)evaluate(loose, loose_arena);
  auto checked = berth::cel::compile(text, kEnvironment);
  if (!checked) return 0;
  berth::cel::Arena arena(std::size_t{8} << 20U);
  const berth::cel::Program program(*std::move(checked));
  (void)evaluate(program, arena);
  return 0;
}
