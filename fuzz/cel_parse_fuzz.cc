// Any text: the parser and the checker either accept it or say why not, with a place inside the text.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "cel/checker.h"
#include "cel/cost/estimate.h"
#include "cel/lib/libraries.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const auto kEnvironment = berth::cel::full_environment();
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto checked = berth::cel::compile(text, kEnvironment);
  if (checked) {
    (void)berth::cel::estimate_cost(*checked, berth::cel::DeclaredSizes(*kEnvironment));
    return 0;
  }
  if (checked.error().issues.empty()) std::abort();
  for (const auto& issue : checked.error().issues) {
    if (issue.message.empty() || issue.offset > text.size()) std::abort();
  }
  (void)checked.error().to_string();
  return 0;
}
