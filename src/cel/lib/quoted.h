// A text in double quotes as Go writes it (%q), which is how the API server's libraries quote.
#pragma once

#include <string>
#include <string_view>

namespace berth::cel {

// Control characters, bytes that are not UTF-8, and what is invisible or a space other than ASCII's are escapes such as
// \n, \x7f or \u00a0. Go escapes also the code points that its tables do not know. O(text).
[[nodiscard]] std::string quoted(std::string_view text);

}  // namespace berth::cel
