#include "cel/lib/semver.h"

#include <algorithm>
#include <array>
#include <charconv>

#include <fmt/format.h>

#include "base/digits.h"
#include "cel/eval_context.h"
#include "cel/lib/libraries.h"
#include "cel/standard.h"

namespace berth::cel {

namespace {

using ArgumentsRef = const Arguments&;

const Type kSemverType{TypeKind::kStruct, "kubernetes.Semver", {}};
constexpr std::string_view kIdentifier = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-";

bool is_number(std::string_view text) { return std::ranges::all_of(text, is_digit); }

std::optional<std::uint64_t> parse_number(std::string_view text) {
  std::uint64_t value = 0;
  if (text.empty() || !is_number(text) || (text.size() > 1 && text.front() == '0')) return std::nullopt;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  return code == std::errc() ? std::optional(value) : std::nullopt;
}

// Takes the identifier before the first dot.
std::string_view take_identifier(std::string_view& text) {
  const std::size_t dot = std::min(text.find('.'), text.size());
  const std::string_view identifier = text.substr(0, dot);
  text.remove_prefix(std::min(dot + 1, text.size()));
  return identifier;
}

bool valid_identifiers(std::string_view text, bool numbers) {
  if (text.ends_with('.')) return false;
  do {
    const std::string_view identifier = take_identifier(text);
    if (identifier.empty() || identifier.find_first_not_of(kIdentifier) != std::string_view::npos) return false;
    if (numbers && is_number(identifier) && !parse_number(identifier)) return false;
  } while (!text.empty());
  return true;
}

int order(auto a, auto b) { return a < b ? -1 : a > b ? 1 : 0; }

int compare_identifiers(std::string_view a, std::string_view b) {
  const bool number_a = is_number(a);
  const bool number_b = is_number(b);
  if (number_a != number_b) return number_a ? -1 : 1;
  if (number_a) return order(*parse_number(a), *parse_number(b));
  return order(a.compare(b), 0);
}

int compare_prereleases(std::string_view a, std::string_view b) {
  // A release is after its prereleases.
  if (a.empty() || b.empty()) return order(a.empty(), b.empty());
  while (!a.empty() && !b.empty()) {
    const int compared = compare_identifiers(take_identifier(a), take_identifier(b));
    if (compared != 0) return compared;
  }
  return order(!a.empty(), !b.empty());
}

const Version& version(Value value) { return static_cast<const Semver&>(value.as_object()).version(); }

Value parse_semver(EvalContext& context, ArgumentsRef a) {
  std::string text(a[0].as_text());
  if (a.size() == 2 && a[1].as_bool()) text = normalize_version(text).value_or("");
  const auto parsed = parse_version(text);
  if (!parsed) return context.fail(fmt::format("'{}' is not a semantic version", a[0].as_text()));
  return make_semver(*parsed, context.arena());
}
Value is_semver(EvalContext&, ArgumentsRef a) {
  std::string text(a[0].as_text());
  if (a.size() == 2 && a[1].as_bool()) text = normalize_version(text).value_or("");
  return Value::boolean(parse_version(text).has_value());
}
Value compare_semvers(EvalContext&, ArgumentsRef a) {
  return Value::integer(compare_versions(version(a[0]), version(a[1])));
}
Value is_greater_semver(EvalContext&, ArgumentsRef a) {
  return Value::boolean(compare_versions(version(a[0]), version(a[1])) > 0);
}
Value is_less_semver(EvalContext&, ArgumentsRef a) {
  return Value::boolean(compare_versions(version(a[0]), version(a[1])) < 0);
}
template <std::uint64_t Version::* part>
Value number(EvalContext&, ArgumentsRef a) {
  return Value::integer(static_cast<std::int64_t>(version(a[0]).*part));
}

}  // namespace

std::optional<Version> parse_version(std::string_view text) {
  Version out;
  const std::size_t tail = std::min(text.find_first_of("-+"), text.size());
  std::string_view numbers = text.substr(0, tail);
  std::string_view rest = text.substr(tail);
  for (std::uint64_t* part : {&out.major, &out.minor, &out.patch}) {
    const bool last = part == &out.patch;
    if ((numbers.find('.') == std::string_view::npos) != last) return std::nullopt;
    const auto value = parse_number(take_identifier(numbers));
    if (!value) return std::nullopt;
    *part = *value;
  }
  if (const std::size_t plus = rest.find('+'); plus != std::string_view::npos) {
    out.build = rest.substr(plus + 1);
    rest = rest.substr(0, plus);
    if (!valid_identifiers(out.build, false)) return std::nullopt;
  }
  if (!rest.empty()) {
    out.prerelease = rest.substr(1);
    if (!valid_identifiers(out.prerelease, true)) return std::nullopt;
  }
  return out;
}

std::optional<std::string> normalize_version(std::string_view text) {
  if (text.starts_with('v')) text.remove_prefix(1);
  std::array<std::string, 3> parts;
  std::size_t count = 0;
  while (true) {
    const std::size_t dot = count < 2 ? text.find('.') : std::string_view::npos;
    parts[count++] = text.substr(0, dot);
    if (dot == std::string_view::npos) break;
    text.remove_prefix(dot + 1);
  }
  for (std::string& part : parts) {
    if (part.size() < 2) continue;
    part.erase(0, part.find_first_not_of('0'));
    if (part.empty() || !is_digit(part.front())) part.insert(0, 1, '0');
  }
  if (count < 3 && parts[count - 1].find_first_of("+-") != std::string::npos) return std::nullopt;
  for (; count < 3; ++count) parts[count] = "0";
  return parts[0] + "." + parts[1] + "." + parts[2];
}

int compare_versions(const Version& a, const Version& b) {
  if (const int compared = order(a.major, b.major); compared != 0) return compared;
  if (const int compared = order(a.minor, b.minor); compared != 0) return compared;
  if (const int compared = order(a.patch, b.patch); compared != 0) return compared;
  return compare_prereleases(a.prerelease, b.prerelease);
}

TypeRef Semver::type() const { return &kSemverType; }
bool Semver::equals(const Object& other, Arena& /*arena*/) const {
  return compare_versions(version_, static_cast<const Semver&>(other).version_) == 0;
}
std::string Semver::text() const {
  return fmt::format("semver(\"{}.{}.{}{}{}{}{}\")", version_.major, version_.minor, version_.patch,
                     version_.prerelease.empty() ? "" : "-", version_.prerelease, version_.build.empty() ? "" : "+",
                     version_.build);
}

Value make_semver(const Version& version, Arena& arena) {
  Version copy = version;
  copy.prerelease = arena.copy(version.prerelease);
  copy.build = arena.copy(version.build);
  return Value::object(arena.make<Semver>(copy));
}

void add_semvers(EnvironmentBuilder& builder) {
  const TypeRef v = &kSemverType, s = &types::kString, b = &types::kBool, i = &types::kInt;
  builder.add_struct({v, {}});
  builder.add_overloads("semver", {global("string_to_semver", {s}, v, parse_semver),
                                   global("string_bool_to_semver", {s, b}, v, parse_semver)});
  builder.add_overloads("isSemver", {global("is_semver_string", {s}, b, is_semver),
                                     global("is_semver_string_bool", {s, b}, b, is_semver)});
  builder.add_overload("isGreaterThan", member("semver_is_greater_than", {v, v}, b, is_greater_semver));
  builder.add_overload("isLessThan", member("semver_is_less_than", {v, v}, b, is_less_semver));
  builder.add_overload("compareTo", member("semver_compare_to", {v, v}, i, compare_semvers));
  builder.add_overload("major", member("semver_major", {v}, i, number<&Version::major>));
  builder.add_overload("minor", member("semver_minor", {v}, i, number<&Version::minor>));
  builder.add_overload("patch", member("semver_patch", {v}, i, number<&Version::patch>));
}

}  // namespace berth::cel
