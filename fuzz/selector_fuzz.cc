// Label selectors: no crash; what is accepted prints in a form that reads back as the same selector, and matching it
// against labels ends.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "api/selector.h"

namespace {

void require(bool holds) {
  if (!holds) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace berth::api;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  static_cast<void>(label_key_fault(text));
  static_cast<void>(label_value_fault(text));
  static_cast<void>(object_name_fault(text));
  const auto selector = parse_label_selector(text);
  if (!selector) return 0;
  const auto again = parse_label_selector(to_string(*selector));
  require(again.has_value() && *again == *selector);
  StringMap labels;
  for (const SelectorRequirement& requirement : selector->match_expressions) {
    require(!requirement_fault(requirement, SelectorScope::kLabels));
    labels[requirement.key] = requirement.values.empty() ? "" : requirement.values.front();
  }
  static_cast<void>(matches(*selector, labels));
  return 0;
}
