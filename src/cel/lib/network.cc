#include "cel/lib/network.h"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

namespace berth::cel {

namespace {

// Four numbers of up to three digits, none with a leading zero.
bool parse_v4(std::string_view text, std::uint8_t* out) {
  for (int part = 0; part < 4; ++part) {
    const std::size_t end = part < 3 ? text.find('.') : text.size();
    if (end == std::string_view::npos || end == 0 || end > 3) return false;
    const std::string_view digits = text.substr(0, end);
    if (digits.find_first_not_of("0123456789") != std::string_view::npos) return false;
    if (digits.size() > 1 && digits.front() == '0') return false;
    int value = 0;
    std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (value > 255) return false;
    out[part] = static_cast<std::uint8_t>(value);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return text.empty();
}

std::optional<IpAddress> parse_v6(std::string_view text) {
  IpAddress out;
  out.v6 = true;
  int filled = 0;     // bytes written
  int ellipsis = -1;  // position of "::"
  if (text.starts_with("::")) {
    ellipsis = 0;
    text.remove_prefix(2);
  } else if (text.starts_with(':')) {
    return std::nullopt;
  }
  while (!text.empty()) {
    if (filled == 16) return std::nullopt;
    const std::size_t end = std::min(text.find(':'), text.size());
    const std::string_view group = text.substr(0, end);
    if (group.find('.') != std::string_view::npos) {
      if (end != text.size() || filled > 12 || !parse_v4(group, &out.bytes[static_cast<std::size_t>(filled)])) {
        return std::nullopt;
      }
      filled += 4;
      break;
    }
    std::uint32_t value = 0;
    const auto [last, code] = std::from_chars(group.data(), group.data() + group.size(), value, 16);
    if (group.empty() || group.size() > 4 || code != std::errc() || last != group.data() + group.size()) {
      return std::nullopt;
    }
    out.bytes[static_cast<std::size_t>(filled)] = static_cast<std::uint8_t>(value >> 8U);
    out.bytes[static_cast<std::size_t>(filled) + 1] = static_cast<std::uint8_t>(value & 0xFFU);
    filled += 2;
    text.remove_prefix(end);
    if (text.empty()) break;
    text.remove_prefix(1);
    if (text.starts_with(':')) {
      if (ellipsis >= 0) return std::nullopt;
      ellipsis = filled;
      text.remove_prefix(1);
    } else if (text.empty()) {
      return std::nullopt;
    }
  }
  if (filled == 16) return ellipsis >= 0 ? std::nullopt : std::optional(out);
  if (ellipsis < 0) return std::nullopt;
  const auto from = out.bytes.begin() + ellipsis;
  const auto to = out.bytes.begin() + filled;
  std::copy_backward(from, to, out.bytes.end());
  std::fill(from, out.bytes.end() - (to - from), std::uint8_t{0});
  return out;
}

bool is_mapped(const IpAddress& address) {
  return address.v6 && std::all_of(address.bytes.begin(), address.bytes.begin() + 10, [](auto b) { return b == 0; }) &&
         address.bytes[10] == 0xFF && address.bytes[11] == 0xFF;
}

}  // namespace

std::optional<IpAddress> parse_ip(std::string_view text) {
  if (text.find(':') != std::string_view::npos) {
    const auto parsed = parse_v6(text);
    return parsed && !is_mapped(*parsed) ? parsed : std::nullopt;
  }
  IpAddress out;
  return parse_v4(text, out.bytes.data()) ? std::optional(out) : std::nullopt;
}

bool is_ipv6(std::string_view text) { return text.find(':') != std::string_view::npos && parse_v6(text).has_value(); }

std::string format_ip(const IpAddress& address) {
  const auto& b = address.bytes;
  if (!address.v6) return fmt::format("{}.{}.{}.{}", b[0], b[1], b[2], b[3]);
  // The longest run of at least two zero groups, the first of equals, becomes "::".
  int best = -1;
  int best_length = 1;
  const auto group = [&](int i) {
    return (b[static_cast<std::size_t>(2 * i)] << 8) | b[static_cast<std::size_t>(2 * i + 1)];
  };
  for (int i = 0; i < 8; ++i) {
    int length = 0;
    while (i + length < 8 && group(i + length) == 0) ++length;
    if (length > best_length) {
      best = i;
      best_length = length;
    }
  }
  std::string out;
  for (int i = 0; i < 8; ++i) {
    if (i == best) {
      out += "::";
      i += best_length - 1;
      continue;
    }
    if (!out.empty() && !out.ends_with(':')) out += ':';
    out += fmt::format("{:x}", group(i));
  }
  return out;
}

std::optional<Network> parse_network(std::string_view text) {
  const std::size_t slash = text.rfind('/');
  if (slash == std::string_view::npos) return std::nullopt;
  const auto address = parse_ip(text.substr(0, slash));
  const std::string_view digits = text.substr(slash + 1);
  if (!address || digits.empty() || digits.size() > 3 || (digits.size() > 1 && digits.front() == '0')) {
    return std::nullopt;
  }
  int prefix = 0;
  const auto [end, code] = std::from_chars(digits.data(), digits.data() + digits.size(), prefix);
  if (code != std::errc() || end != digits.data() + digits.size() || prefix < 0 || prefix > address->bits()) {
    return std::nullopt;
  }
  return Network{*address, prefix};
}

Network masked(Network network) {
  for (int bit = network.prefix; bit < network.address.bits(); ++bit) {
    network.address.bytes[static_cast<std::size_t>(bit / 8)] &= static_cast<std::uint8_t>(~(0x80U >> (bit % 8)));
  }
  return network;
}

bool contains(const Network& network, const IpAddress& address) {
  return network.address.v6 == address.v6 && masked({address, network.prefix}).address == masked(network).address;
}

}  // namespace berth::cel
