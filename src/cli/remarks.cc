#include "cli/remarks.h"

#include <fmt/format.h>

#include "report/layout.h"

namespace berth::cli {

std::string labelled(text::ColorMode color, std::string_view label, std::string_view text) {
  std::string first = text::paint(label, text::Color::kBold, color);
  first.append(label.size() < kLabelWidth ? kLabelWidth - label.size() : 1, ' ');
  return report::paragraph(first, text);
}

std::string skipped_text(const Input& input, text::ColorMode color, std::string_view where) {
  static constexpr std::size_t kShown = 6;
  std::string out;
  for (std::size_t i = 0; i < input.skipped.size(); ++i) {
    if (!where.empty() && i == kShown)
      return out + labelled(color, "", fmt::format("and {} more; {}", input.skipped.size() - i, where));
    out += labelled(color, i == 0 ? "Skipped" : "", input.skipped[i]);
  }
  return out;
}

void note_unread(const Input& input, std::vector<std::string>& weaker) {
  if (input.errors.empty()) return;
  weaker.insert(weaker.begin(), report::counted(input.errors.size(), "mistake") +
                                    " in the input: what could not be read does not count, so nodes may be fuller, and "
                                    "more may wait, than is said here.");
}

std::string weaker_text(std::span<const std::string> weaker, text::ColorMode color) {
  std::string out;
  for (const std::string& sentence : weaker) out += labelled(color, out.empty() ? "Weaker" : "", sentence);
  return out;
}

}  // namespace berth::cli
