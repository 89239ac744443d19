#include "cli/shell.h"

#include <algorithm>

#include "report/layout.h"
#include "text/utf8.h"

namespace berth::cli {
namespace {

bool is_safe(char byte) {
  return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') || (byte >= '0' && byte <= '9') ||
         std::string_view("@%+=:,./-_").find(byte) != std::string_view::npos;
}

}  // namespace

std::string shell_word(std::string_view word) {
  if (!word.empty() && std::ranges::all_of(word, is_safe)) return std::string(word);
  const std::string shown = text::visible(word);
  if (shown == word) {
    std::string out = "'";
    for (const char byte : word) out += byte == '\'' ? std::string("'\\''") : std::string(1, byte);
    return out + "'";
  }
  // $'...' reads the escapes of visible() back; a backslash or quote of the word's own gets one in front.
  std::string out = "$'";
  while (!word.empty()) {
    const std::size_t bytes = std::max<std::size_t>(1, text::utf8_sequence(word));
    if (word[0] == '\\' || word[0] == '\'') out += '\\';
    out += text::visible(word.substr(0, bytes));
    word.remove_prefix(bytes);
  }
  return out + "'";
}

std::string shell_command(std::string_view prompt, std::span<const std::string> words) {
  static constexpr std::string_view kBreak = " \\\n";
  const std::string indent(prompt.size() + 2, ' ');
  std::string out(prompt);
  std::size_t used = prompt.size();
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string word = shell_word(words[i]);
    const std::size_t columns = text::display_width(word);
    const std::size_t behind = i + 1 < words.size() ? 2 : 0;  // room for a break after it
    if (i > 0 && used + 1 + columns + behind > report::kColumns) {
      out.append(kBreak).append(indent);
      used = indent.size();
    } else if (i > 0) {
      out += ' ';
      ++used;
    }
    out += word;
    used += columns;
  }
  return out + '\n';
}

}  // namespace berth::cli
