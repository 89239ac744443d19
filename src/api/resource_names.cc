#include "api/resource_names.h"

#include <algorithm>

#include "api/selector.h"
#include "base/digits.h"
#include "base/lower_case.h"

namespace berth::api {
namespace {

constexpr std::size_t kLongestLabel = 63;
constexpr std::size_t kLongestDriver = 63;
constexpr std::size_t kLongestPool = 253;
constexpr std::size_t kLongestIdentifier = 32;

constexpr bool is_lower(char c) { return c >= 'a' && c <= 'z'; }
constexpr bool is_letter(char c) { return is_lower(lowered(c)); }

std::string quoted(std::string_view name) {
  constexpr std::size_t kShown = 100;
  return "\"" + std::string(name.substr(0, kShown)) + (name.size() > kShown ? "...\"" : "\"");
}

bool is_driver_name(std::string_view name) {
  if (name.empty() || name.size() > kLongestDriver) return false;
  return !object_name_fault(lowered(name));
}

bool is_identifier(std::string_view name) {
  if (name.empty() || name.size() > kLongestIdentifier || is_digit(name.front())) return false;
  return std::ranges::all_of(name, [](char c) { return is_letter(c) || is_digit(c) || c == '_'; });
}

bool is_qualified(std::string_view name) {
  const std::size_t slash = name.find('/');
  if (slash == std::string_view::npos) return is_identifier(name);
  return is_driver_name(name.substr(0, slash)) && is_identifier(name.substr(slash + 1));
}

// Cuts the text up to the separator off and returns it.
std::string_view cut(std::string_view& text, char separator) {
  const std::size_t end = std::min(text.find(separator), text.size());
  const std::string_view part = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return part;
}

bool is_whole_number(std::string_view text) {
  if (text.empty() || (text.front() == '0' && text.size() > 1)) return false;
  return std::ranges::all_of(text, is_digit);
}

// Identifiers of letters, digits and - with dots between; numbers among them without leading zeros if `strict`.
bool is_dotted(std::string_view text, bool strict) {
  if (text.empty() || text.ends_with('.')) return false;
  while (!text.empty()) {
    const std::string_view part = cut(text, '.');
    if (part.empty() || !std::ranges::all_of(part, [](char c) { return is_letter(c) || is_digit(c) || c == '-'; }))
      return false;
    if (strict && std::ranges::all_of(part, is_digit) && !is_whole_number(part)) return false;
  }
  return true;
}

}  // namespace

std::optional<std::string> dns_label_fault(std::string_view name) {
  const bool fits = !name.empty() && name.size() <= kLongestLabel && name.front() != '-' && name.back() != '-';
  if (fits && std::ranges::all_of(name, [](char c) { return is_lower(c) || is_digit(c) || c == '-'; }))
    return std::nullopt;
  return quoted(name) + " is no DNS label; write at most 63 lower-case letters, digits and -, not - at an end.";
}

std::optional<std::string> driver_name_fault(std::string_view name) {
  if (is_driver_name(name)) return std::nullopt;
  return quoted(name) + " is no driver's name; write a DNS name such as gpu.example.com of at most 63 characters.";
}

std::optional<std::string> pool_name_fault(std::string_view name) {
  bool fits = !name.empty() && name.size() <= kLongestPool && !name.ends_with('/');
  for (std::string_view rest = name; fits && !rest.empty();) fits = !object_name_fault(cut(rest, '/'));
  if (fits) return std::nullopt;
  return quoted(name) + " is no pool's name; write DNS names with / between, at most 253 characters.";
}

std::optional<std::string> qualified_name_fault(std::string_view name) {
  if (is_qualified(name)) return std::nullopt;
  return quoted(name) +
         " is no qualified name; write NAME or DOMAIN/NAME, NAME of at most 32 letters, digits and _, no digit first.";
}

std::optional<std::string> fully_qualified_name_fault(std::string_view name) {
  if (is_qualified(name) && name.find('/') != std::string_view::npos) return std::nullopt;
  return quoted(name) + " is no fully qualified name; write DOMAIN/NAME, such as gpu.example.com/model.";
}

std::optional<std::string> extended_resource_name_fault(std::string_view name) {
  const bool native = name.find('/') == std::string_view::npos || name.find("kubernetes.io/") != std::string_view::npos;
  if (!native && !name.starts_with("requests.") && !label_key_fault("requests." + std::string(name)))
    return std::nullopt;
  return quoted(name) +
         " is no extended resource; write DOMAIN/NAME outside of kubernetes.io, such as example.com/gpu.";
}

bool is_semantic_version(std::string_view text) {
  const std::size_t plus = text.find('+');
  if (plus != std::string_view::npos && !is_dotted(text.substr(plus + 1), false)) return false;
  text = text.substr(0, plus);
  const std::size_t dash = text.find('-');
  if (dash != std::string_view::npos && !is_dotted(text.substr(dash + 1), true)) return false;
  text = text.substr(0, dash);
  if (std::ranges::count(text, '.') != 2) return false;
  const std::string_view major = cut(text, '.');
  const std::string_view minor = cut(text, '.');
  return is_whole_number(major) && is_whole_number(minor) && is_whole_number(text);
}

bool is_uuid(std::string_view text) {
  constexpr std::string_view kShape = "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx";
  if (text.size() != kShape.size()) return false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool digit = is_digit(text[i]) || (text[i] >= 'a' && text[i] <= 'f');
    if (kShape[i] == '-' ? text[i] != '-' : !digit) return false;
  }
  return true;
}

}  // namespace berth::api
