// base64.encode and base64.decode.
#include <algorithm>
#include <optional>
#include <string>

#include "cel/eval_context.h"
#include "cel/lib/libraries.h"
#include "cel/operations.h"
#include "cel/standard.h"

namespace berth::cel {

namespace {

using ArgumentsRef = const Arguments&;

constexpr std::string_view kBase64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

std::string encoded(std::string_view data) {
  std::string out;
  for (std::size_t i = 0; i < data.size(); i += 3) {
    std::uint32_t bits = 0;
    const std::size_t count = std::min<std::size_t>(3, data.size() - i);
    for (std::size_t k = 0; k < 3; ++k) {
      bits = (bits << 8U) | (k < count ? static_cast<unsigned char>(data[i + k]) : 0U);
    }
    for (std::size_t k = 0; k < 4; ++k) {
      out += k <= count ? kBase64[(bits >> (18 - 6 * k)) & 0x3FU] : '=';
    }
  }
  return out;
}

// With or without padding.
std::optional<std::string> decoded(std::string_view text) {
  while (text.ends_with('=')) text.remove_suffix(1);
  if (text.size() % 4 == 1) return std::nullopt;
  std::string out;
  std::uint32_t bits = 0;
  unsigned count = 0;
  for (const char c : text) {
    const std::size_t digit = kBase64.find(c);
    if (digit == std::string_view::npos) return std::nullopt;
    bits = (bits << 6U) | static_cast<std::uint32_t>(digit);
    count += 6;
    if (count >= 8) {
      count -= 8;
      out += static_cast<char>((bits >> count) & 0xFFU);
    }
  }
  return out;
}

Value encode(EvalContext& context, ArgumentsRef a) { return make_string(encoded(a[0].as_text()), context); }
Value decode(EvalContext& context, ArgumentsRef a) {
  const auto data = decoded(a[0].as_text());
  if (!data) return context.fail("illegal base64 data");
  const Value text = make_string(*data, context);
  return text.is_error() ? text : Value::bytes(text.as_text());
}

}  // namespace

void add_encoders(EnvironmentBuilder& builder) {
  builder.add_overload("base64.encode", global("base64_encode_bytes", {&types::kBytes}, &types::kString, encode));
  builder.add_overload("base64.decode", global("base64_decode_string", {&types::kString}, &types::kBytes, decode));
}

}  // namespace berth::cel
