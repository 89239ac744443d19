// A command line that people can copy into a POSIX shell (bash for names with control characters).
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace berth::cli {

// The word, quoted where a shell would read it otherwise.
[[nodiscard]] std::string shell_word(std::string_view word);

// `prompt` and the words, quoted, as lines of 80 columns: broken between words, with a backslash before the line break.
// Ends with a newline.
[[nodiscard]] std::string shell_command(std::string_view prompt, std::span<const std::string> words);

}  // namespace berth::cli
