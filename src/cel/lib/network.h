// IP addresses and networks. IPv4-mapped IPv6 addresses and zones are refused, as the API server refuses them.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "cel/value.h"

namespace berth::cel {

struct IpAddress {
  std::array<std::uint8_t, 16> bytes{};
  bool v6 = false;
  [[nodiscard]] int bits() const { return v6 ? 128 : 32; }
  bool operator==(const IpAddress&) const = default;
};

[[nodiscard]] std::optional<IpAddress> parse_ip(std::string_view text);
// Of version 6, mapped ones included; no zone.
[[nodiscard]] bool is_ipv6(std::string_view text);
// The canonical form (RFC 5952).
[[nodiscard]] std::string format_ip(const IpAddress& address);

struct Network {
  IpAddress address;  // may have bits behind the prefix
  int prefix = 0;
  bool operator==(const Network&) const = default;
};

[[nodiscard]] std::optional<Network> parse_network(std::string_view text);
// The network with the bits behind its prefix set to zero.
[[nodiscard]] Network masked(Network network);
[[nodiscard]] bool contains(const Network& network, const IpAddress& address);

}  // namespace berth::cel
