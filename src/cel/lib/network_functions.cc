// ip, isIP, ip.isCanonical, cidr, isCIDR, and what can be asked about them.
#include <fmt/format.h>

#include "cel/eval_context.h"
#include "cel/lib/libraries.h"
#include "cel/lib/network.h"
#include "cel/operations.h"
#include "cel/standard.h"

namespace berth::cel {

namespace {

using ArgumentsRef = const Arguments&;

const Type kIpType{TypeKind::kOpaque, "net.IP", {}};
const Type kCidrType{TypeKind::kOpaque, "net.CIDR", {}};

class IpObject final : public Object {
 public:
  explicit IpObject(const IpAddress& address) : address_(address) {}
  [[nodiscard]] const IpAddress& address() const { return address_; }
  [[nodiscard]] TypeRef type() const override { return &kIpType; }
  [[nodiscard]] bool equals(const Object& other, Arena&) const override {
    return address_ == static_cast<const IpObject&>(other).address_;
  }
  [[nodiscard]] std::uint64_t cost_size() const override { return address_.v6 ? 16 : 4; }
  [[nodiscard]] std::string text() const override { return fmt::format("ip(\"{}\")", format_ip(address_)); }

 private:
  IpAddress address_;
};

class CidrObject final : public Object {
 public:
  explicit CidrObject(const Network& network) : network_(network) {}
  [[nodiscard]] const Network& network() const { return network_; }
  [[nodiscard]] std::string plain() const { return fmt::format("{}/{}", format_ip(network_.address), network_.prefix); }
  [[nodiscard]] TypeRef type() const override { return &kCidrType; }
  [[nodiscard]] bool equals(const Object& other, Arena&) const override {
    return network_ == static_cast<const CidrObject&>(other).network_;
  }
  [[nodiscard]] std::uint64_t cost_size() const override {
    return static_cast<std::uint64_t>((network_.prefix + 7) / 8);
  }
  [[nodiscard]] std::string text() const override { return fmt::format("cidr(\"{}\")", plain()); }

 private:
  Network network_;
};

const IpAddress& address(Value value) { return static_cast<const IpObject&>(value.as_object()).address(); }
const Network& network(Value value) { return static_cast<const CidrObject&>(value.as_object()).network(); }

Value ip(EvalContext& context, ArgumentsRef a) {
  const auto parsed = parse_ip(a[0].as_text());
  if (!parsed) return context.fail(fmt::format("'{}' is not an IP address", a[0].as_text()));
  return Value::object(context.arena().make<IpObject>(*parsed));
}
Value is_ip(EvalContext&, ArgumentsRef a) { return Value::boolean(parse_ip(a[0].as_text()).has_value()); }
Value is_canonical(EvalContext& context, ArgumentsRef a) {
  const auto parsed = parse_ip(a[0].as_text());
  if (!parsed) return context.fail(fmt::format("'{}' is not an IP address", a[0].as_text()));
  return Value::boolean(format_ip(*parsed) == a[0].as_text());
}
Value family(EvalContext&, ArgumentsRef a) { return Value::integer(address(a[0]).v6 ? 6 : 4); }
Value ip_to_string(EvalContext& context, ArgumentsRef a) { return make_string(format_ip(address(a[0])), context); }

bool unspecified(const IpAddress& ip) { return ip.bytes == std::array<std::uint8_t, 16>{}; }
bool loopback(const IpAddress& ip) { return ip.v6 ? ip == parse_ip("::1") : ip.bytes[0] == 127; }
bool multicast(const IpAddress& ip) { return ip.v6 ? ip.bytes[0] == 0xFF : (ip.bytes[0] & 0xF0U) == 0xE0; }
bool link_local_multicast(const IpAddress& ip) {
  if (ip.v6) return ip.bytes[0] == 0xFF && (ip.bytes[1] & 0x0FU) == 0x02;
  return ip.bytes[0] == 224 && ip.bytes[1] == 0 && ip.bytes[2] == 0;
}
bool link_local_unicast(const IpAddress& ip) {
  if (ip.v6) return ip.bytes[0] == 0xFE && (ip.bytes[1] & 0xC0U) == 0x80;
  return ip.bytes[0] == 169 && ip.bytes[1] == 254;
}
bool global_unicast(const IpAddress& ip) {
  const bool broadcast = !ip.v6 && ip == parse_ip("255.255.255.255");
  return !broadcast && !unspecified(ip) && !loopback(ip) && !multicast(ip) && !link_local_unicast(ip);
}
template <bool (*test)(const IpAddress&)>
Value property(EvalContext&, ArgumentsRef a) {
  return Value::boolean(test(address(a[0])));
}

Value cidr(EvalContext& context, ArgumentsRef a) {
  const auto parsed = parse_network(a[0].as_text());
  if (!parsed) return context.fail(fmt::format("'{}' is not a network in CIDR notation", a[0].as_text()));
  return Value::object(context.arena().make<CidrObject>(*parsed));
}
Value is_cidr(EvalContext&, ArgumentsRef a) { return Value::boolean(parse_network(a[0].as_text()).has_value()); }
Value contains_ip(EvalContext& context, ArgumentsRef a) {
  if (!a[1].is(Kind::kString)) return Value::boolean(contains(network(a[0]), address(a[1])));
  const auto parsed = parse_ip(a[1].as_text());
  if (!parsed) return context.fail(fmt::format("'{}' is not an IP address", a[1].as_text()));
  return Value::boolean(contains(network(a[0]), *parsed));
}
Value contains_cidr(EvalContext& context, ArgumentsRef a) {
  std::optional<Network> other;
  if (a[1].is(Kind::kString)) {
    other = parse_network(a[1].as_text());
    if (!other) return context.fail(fmt::format("'{}' is not a network in CIDR notation", a[1].as_text()));
  } else {
    other = network(a[1]);
  }
  return Value::boolean(network(a[0]).prefix <= other->prefix && contains(network(a[0]), other->address));
}
Value cidr_ip(EvalContext& context, ArgumentsRef a) {
  return Value::object(context.arena().make<IpObject>(network(a[0]).address));
}
Value cidr_masked(EvalContext& context, ArgumentsRef a) {
  return Value::object(context.arena().make<CidrObject>(masked(network(a[0]))));
}
Value prefix_length(EvalContext&, ArgumentsRef a) { return Value::integer(network(a[0]).prefix); }
Value cidr_to_string(EvalContext& context, ArgumentsRef a) {
  return make_string(static_cast<const CidrObject&>(a[0].as_object()).plain(), context);
}

}  // namespace

void add_networks(EnvironmentBuilder& builder) {
  const TypeRef s = &types::kString, b = &types::kBool, i = &types::kInt, address = &kIpType, net = &kCidrType;
  builder.add_type_name("net.IP", address);
  builder.add_type_name("net.CIDR", net);
  builder.add_overloads("ip", {global("string_to_ip", {s}, address, ip), member("cidr_ip", {net}, address, cidr_ip)});
  builder.add_overload("isIP", global("is_ip", {s}, b, is_ip));
  builder.add_overload("ip.isCanonical", global("ip_is_canonical", {s}, b, is_canonical));
  builder.add_overload("family", member("ip_family", {address}, i, family));
  builder.add_overload("isUnspecified", member("ip_is_unspecified", {address}, b, property<unspecified>));
  builder.add_overload("isLoopback", member("ip_is_loopback", {address}, b, property<loopback>));
  builder.add_overload("isLinkLocalMulticast",
                       member("ip_is_link_local_multicast", {address}, b, property<link_local_multicast>));
  builder.add_overload("isLinkLocalUnicast",
                       member("ip_is_link_local_unicast", {address}, b, property<link_local_unicast>));
  builder.add_overload("isGlobalUnicast", member("ip_is_global_unicast", {address}, b, property<global_unicast>));
  builder.add_overload("cidr", global("string_to_cidr", {s}, net, cidr));
  builder.add_overload("isCIDR", global("is_cidr", {s}, b, is_cidr));
  builder.add_overloads("containsIP", {member("cidr_contains_ip_string", {net, s}, b, contains_ip),
                                       member("cidr_contains_ip_ip", {net, address}, b, contains_ip)});
  builder.add_overloads("containsCIDR", {member("cidr_contains_cidr_string", {net, s}, b, contains_cidr),
                                         member("cidr_contains_cidr", {net, net}, b, contains_cidr)});
  builder.add_overload("prefixLength", member("cidr_prefix_length", {net}, i, prefix_length));
  builder.add_overload("masked", member("cidr_masked", {net}, net, cidr_masked));
  builder.add_overloads("string", {global("ip_to_string", {address}, s, ip_to_string),
                                   global("cidr_to_string", {net}, s, cidr_to_string)});
}

}  // namespace berth::cel
