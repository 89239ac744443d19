#include "cel/lib/url.h"

#include <algorithm>
#include <cstdint>

#include <fmt/format.h>

#include "base/digits.h"
#include "base/result.h"
#include "cel/lib/network.h"
#include "cel/lib/quoted.h"

namespace berth::cel {

namespace {

constexpr std::string_view kLetters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
constexpr std::ptrdiff_t kMostParameters = 10'000;

bool is_in(char c, std::string_view set) { return set.find(c) != std::string_view::npos; }
bool is_ascii(char c) { return static_cast<unsigned char>(c) < 0x80; }

enum class Part : std::uint8_t { kPath, kHost, kZone, kUser, kQuery, kFragment };

// The signs beside letters, digits and -_.~ that are written as they are.
std::string_view plain_signs(Part part) {
  switch (part) {
    case Part::kPath:
      return "$&+,/:;=@";
    case Part::kHost:
    case Part::kZone:
      return "!$&'()*+,;=:[]<>\"";
    case Part::kUser:
      return "$&+,;=";
    case Part::kQuery:
      return "";
    case Part::kFragment:
      return "$&+,/:;=?@!()*";
  }
  return "";
}

bool is_plain(char c, Part part) {
  return is_in(c, kLetters) || is_digit(c) || is_in(c, "-_.~") || is_in(c, plain_signs(part));
}

int hex(char c) {
  if (is_digit(c)) return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

// May the byte stand there as an escape? Names of hosts escape what is not ASCII, and the percent sign before a zone.
bool may_be_escaped(char byte, Part part) {
  if (part == Part::kHost) return !is_ascii(byte) || byte == '%';
  return part != Part::kZone || byte == '%' || byte == ' ' || is_plain(byte, Part::kHost);
}

std::unexpected<Error> fault(std::string message) { return fail(ErrorCode::kInvalid, std::move(message)); }

// Percent escapes decoded. Errors: one is broken, or there is what may not be there.
Result<std::string> decode(std::string_view text, Part part) {
  std::string out;
  const auto bad_escape = [&](std::size_t at) { return fault("invalid URL escape " + quoted(text.substr(at, 3))); };
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '%') {
      if (i + 2 >= text.size() || hex(text[i + 1]) < 0 || hex(text[i + 2]) < 0) return bad_escape(i);
      const char byte = static_cast<char>(hex(text[i + 1]) * 16 + hex(text[i + 2]));
      if (!may_be_escaped(byte, part)) return bad_escape(i);
      out += byte;
      i += 2;
    } else {
      const bool strict = part == Part::kHost || part == Part::kZone;
      if (strict && is_ascii(text[i]) && !is_plain(text[i], part))
        return fault(fmt::format("invalid character {} in host name", quoted(text.substr(i, 1))));
      out += part == Part::kQuery && text[i] == '+' ? ' ' : text[i];
    }
  }
  return out;
}

std::string encode(std::string_view text, Part part) {
  std::string out;
  for (const char c : text) {
    if (is_plain(c, part)) {
      out += c;
    } else {
      out += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    }
  }
  return out;
}

// As it was written if all of it may stand there, else decoded and written anew. It can be decoded.
std::string written(std::string_view raw, Part part) {
  const bool stands =
      std::ranges::all_of(raw, [part](char c) { return is_plain(c, part) || is_in(c, "!$&'()*+,;=:@[]%"); });
  return stands ? std::string(raw) : encode(*decode(raw, part), part);
}

bool is_port(std::string_view text) {
  return text.empty() || (text.front() == ':' && std::ranges::all_of(text.substr(1), is_digit));
}

std::unexpected<Error> bad_port(std::string_view text) {
  return fault(fmt::format("invalid port {} after host", quoted(text)));
}

// An address in brackets, which must be IPv6 and may have a zone behind %25.
Result<std::string> parse_bracketed(std::string_view host) {
  const std::size_t end = host.rfind(']');
  if (end == std::string_view::npos) return fault("missing ']' in host");
  const std::string_view behind = host.substr(end + 1);
  if (!is_port(behind)) return bad_port(behind);
  const std::string_view inside = host.substr(1, end - 1);
  const std::size_t mark = std::min(inside.find("%25"), inside.size());
  BERTH_TRY(const std::string address, decode(inside.substr(0, mark), Part::kHost));
  BERTH_TRY(const std::string zone, decode(inside.substr(mark), Part::kZone));
  if (const auto known = parse_ip(address); zone.empty() && known && !known->v6) return fault("invalid IP-literal");
  if (zone.size() == 1 || !is_ipv6(address))
    return fault(fmt::format("invalid host: ParseAddr({}): unable to parse IP", quoted(address + zone)));
  return "[" + address + zone + "]" + std::string(behind);
}

Result<std::string> parse_host(std::string_view scheme, std::string_view host) {
  const std::size_t bracket = host.rfind('[');
  if (bracket == 0) return parse_bracketed(host);
  if (bracket != std::string_view::npos) return fault("invalid IP-literal");
  // Some schemes list hosts with their ports; in http there is one colon.
  const bool http = scheme == "http" || scheme == "https";
  const std::size_t colon = http ? host.find(':') : host.rfind(':');
  if (colon != std::string_view::npos && !is_port(host.substr(colon))) return bad_port(host.substr(colon));
  return decode(host, Part::kHost);
}

// "user:password", written anew.
Result<std::string> parse_user(std::string_view text) {
  const auto allowed = [](char c) { return is_in(c, kLetters) || is_digit(c) || is_in(c, "-._:~!$&'()*+,;=%@"); };
  if (!std::ranges::all_of(text, allowed)) return fault("net/url: invalid userinfo");
  const std::size_t colon = std::min(text.find(':'), text.size());
  BERTH_TRY(const std::string name, decode(text.substr(0, colon), Part::kUser));
  BERTH_TRY(const std::string password, decode(text.substr(std::min(colon + 1, text.size())), Part::kUser));
  return encode(name, Part::kUser) + (colon < text.size() ? ":" + encode(password, Part::kUser) : "");
}

// Takes "scheme:" from the text. False: there is a colon where none may be.
bool take_scheme(std::string_view& text, std::string& scheme) {
  const std::size_t end = text.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+-.");
  if (end == std::string_view::npos || text[end] != ':') return true;
  if (end == 0) return false;
  if (!is_in(text.front(), kLetters)) return true;
  for (const char c : text.substr(0, end)) scheme += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  text.remove_prefix(end + 1);
  return true;
}

// `in_request`: two slashes without a scheme begin a path and no host.
Result<Url> parse(std::string_view text, bool in_request) {
  Url out;
  const bool control =
      std::ranges::any_of(text, [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; });
  if (control) return fault("net/url: invalid control character in URL");
  if (text.empty()) return fault("empty url");
  if (text == "*") {
    out.path = out.text = "*";
    return out;
  }
  if (!take_scheme(text, out.scheme)) return fault("missing protocol scheme");
  std::string query;  // with its question mark
  if (const std::size_t question = text.find('?'); question != std::string_view::npos) {
    query = text.substr(question);
    out.query = query.substr(1);
    text = text.substr(0, question);
  }
  if (!out.scheme.empty()) out.text = out.scheme + ":";
  if (!text.starts_with('/')) {
    // "mailto:x" is opaque: absolute, but without host and path. "x" is relative.
    if (out.scheme.empty()) return fault("invalid URI for request");
    out.text += std::string(text) + query;
    return out;
  }
  std::optional<std::string> user;
  const bool has_authority =
      text.starts_with("//") && (!out.scheme.empty() || (!in_request && !text.starts_with("///")));
  if (has_authority) {
    text.remove_prefix(2);
    const std::size_t end = std::min(text.find('/'), text.size());
    const std::string_view authority = text.substr(0, end);
    text.remove_prefix(end);
    const std::size_t at = authority.rfind('@');
    BERTH_TRY(out.host, parse_host(out.scheme, at == std::string_view::npos ? authority : authority.substr(at + 1)));
    if (at != std::string_view::npos) {
      BERTH_TRY(user, parse_user(authority.substr(0, at)));
    }
  }
  BERTH_TRY_VOID(decode(text, Part::kPath));
  out.path = written(text, Part::kPath);
  // An authority without anything is written only if a scheme stands before it and a path behind it.
  if (user || !out.host.empty() || (has_authority && !out.scheme.empty() && !out.path.empty())) out.text += "//";
  if (user) out.text += *user + "@";
  out.text += encode(out.host, Part::kHost) + out.path + query;
  return out;
}

}  // namespace

std::optional<std::string> request_uri_fault(std::string_view text) {
  const auto read = parse(text, true);
  if (read) return std::nullopt;
  return fmt::format("parse {}: {}", quoted(text), read.error().message);
}

std::optional<Url> parse_url(std::string_view text) {
  if (!parse(text, true)) return std::nullopt;
  const std::size_t hash = std::min(text.find('#'), text.size());
  auto out = parse(text.substr(0, hash), false);
  const std::string_view fragment = text.substr(std::min(hash + 1, text.size()));
  if (!out || !decode(fragment, Part::kFragment)) return std::nullopt;
  if (!fragment.empty()) out->text += "#" + written(fragment, Part::kFragment);
  return *std::move(out);
}

std::string_view Url::hostname() const {
  std::string_view name = host;
  const std::size_t colon = name.rfind(':');
  if (colon != std::string_view::npos && is_port(name.substr(colon))) name = name.substr(0, colon);
  return name.starts_with('[') && name.ends_with(']') ? name.substr(1, name.size() - 2) : name;
}

std::string_view Url::port() const {
  const std::string_view all = host;
  const std::size_t colon = all.rfind(':');
  return colon != std::string_view::npos && is_port(all.substr(colon)) ? all.substr(colon + 1) : std::string_view();
}

std::vector<std::pair<std::string, std::string>> Url::parameters() const {
  std::vector<std::pair<std::string, std::string>> out;
  std::string_view rest = query;
  if (std::ranges::count(rest, '&') >= kMostParameters) return out;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find('&'), rest.size());
    const std::string_view pair = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    if (pair.empty() || pair.find(';') != std::string_view::npos) continue;
    const std::size_t equals = std::min(pair.find('='), pair.size());
    const auto key = decode(pair.substr(0, equals), Part::kQuery);
    const auto value = decode(pair.substr(std::min(equals + 1, pair.size())), Part::kQuery);
    if (key && value) out.emplace_back(*key, *value);
  }
  return out;
}

}  // namespace berth::cel
