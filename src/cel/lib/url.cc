#include "cel/lib/url.h"

#include <algorithm>

#include <fmt/format.h>

namespace berth::cel {

namespace {

constexpr std::string_view kLetters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";

int hex(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

// Percent escapes decoded; nothing for a broken one.
std::optional<std::string> decode(std::string_view text, bool plus_is_space) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '%') {
      if (i + 2 >= text.size() || hex(text[i + 1]) < 0 || hex(text[i + 2]) < 0) return std::nullopt;
      out += static_cast<char>(hex(text[i + 1]) * 16 + hex(text[i + 2]));
      i += 2;
    } else {
      out += plus_is_space && text[i] == '+' ? ' ' : text[i];
    }
  }
  return out;
}

// The path as it goes into a request: what may not stand there becomes an escape.
std::string encode_path(std::string_view text) {
  static constexpr std::string_view kPlain = "0123456789-_.~$&+,/:;=@!'()*%[]";
  std::string out;
  for (const char c : text) {
    if (kLetters.find(c) != std::string_view::npos || kPlain.find(c) != std::string_view::npos) {
      out += c;
    } else {
      out += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    }
  }
  return out;
}

bool valid_port(std::string_view text) {
  return text.empty() || (text.front() == ':' && text.find_first_not_of("0123456789", 1) == std::string_view::npos);
}

bool valid_host(std::string_view host) {
  if (host.starts_with('[')) {
    const std::size_t end = host.rfind(']');
    return end != std::string_view::npos && valid_port(host.substr(end + 1));
  }
  if (const std::size_t colon = host.rfind(':'); colon != std::string_view::npos && !valid_port(host.substr(colon))) {
    return false;
  }
  return host.find_first_of(" <>\"\\^`{}|") == std::string_view::npos && decode(host, false).has_value();
}

// Takes "scheme:" from the text. False: there is a colon where none may be.
bool take_scheme(std::string_view& text, std::string& scheme) {
  const std::size_t end = text.find_first_of(":/?#");
  if (end == std::string_view::npos || text[end] != ':') return true;
  const std::string_view name = text.substr(0, end);
  if (name.empty() || kLetters.find(name.front()) == std::string_view::npos) return false;
  for (const char c : name) {
    if (kLetters.find(c) == std::string_view::npos &&
        std::string_view("0123456789+-.").find(c) == std::string_view::npos) {
      return false;
    }
    scheme += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  }
  text.remove_prefix(end + 1);
  return true;
}

}  // namespace

std::optional<Url> parse_url(std::string_view text) {
  Url out;
  const bool control =
      std::ranges::any_of(text, [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; });
  if (text.empty() || control) return std::nullopt;
  text = text.substr(0, text.find('#'));
  if (!take_scheme(text, out.scheme)) return std::nullopt;
  if (const std::size_t question = text.find('?'); question != std::string_view::npos) {
    out.query = text.substr(question + 1);
    text = text.substr(0, question);
  }
  if (!text.starts_with('/')) {
    // "mailto:x" is opaque: absolute, but without host and path. "x" is relative.
    return out.scheme.empty() ? std::nullopt : std::optional(out);
  }
  if (text.starts_with("//") && (!out.scheme.empty() || !text.starts_with("///"))) {
    text.remove_prefix(2);
    const std::size_t end = std::min(text.find('/'), text.size());
    std::string_view authority = text.substr(0, end);
    text.remove_prefix(end);
    if (const std::size_t at = authority.rfind('@'); at != std::string_view::npos) authority.remove_prefix(at + 1);
    if (!valid_host(authority)) return std::nullopt;
    out.host = *decode(authority, false);
  }
  if (!decode(text, false)) return std::nullopt;
  out.path = encode_path(text);
  return out;
}

std::string_view Url::hostname() const {
  const std::string_view all = host;
  if (all.starts_with('[')) return all.substr(1, std::min(all.find(']'), all.size()) - 1);
  return all.substr(0, all.rfind(':'));
}

std::string_view Url::port() const {
  const std::string_view all = host;
  const std::size_t bracket = all.rfind(']');
  const std::size_t colon = all.rfind(':');
  if (colon == std::string_view::npos || (bracket != std::string_view::npos && colon < bracket)) return {};
  return all.substr(colon + 1);
}

std::vector<std::pair<std::string, std::string>> Url::parameters() const {
  std::vector<std::pair<std::string, std::string>> out;
  std::string_view rest = query;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find('&'), rest.size());
    const std::string_view pair = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    if (pair.empty() || pair.find(';') != std::string_view::npos) continue;
    const std::size_t equals = std::min(pair.find('='), pair.size());
    const auto key = decode(pair.substr(0, equals), true);
    const auto value = decode(pair.substr(std::min(equals + 1, pair.size())), true);
    if (key && value) out.emplace_back(*key, *value);
  }
  return out;
}

}  // namespace berth::cel
