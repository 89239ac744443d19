#include "cel/lib/format_checks.h"

#include <algorithm>
#include <initializer_list>

#include <fmt/format.h>

#include "base/digits.h"
#include "base/lower_case.h"
#include "cel/lib/url.h"
#include "cel/regex.h"
#include "cel/time.h"

namespace berth::cel {

namespace {

constexpr std::size_t kMaxLabel = 63;
constexpr std::size_t kMaxSubdomain = 253;
#define BERTH_LABEL "[a-z0-9]([-a-z0-9]*[a-z0-9])?"
#define BERTH_KEY "([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]"
constexpr const char* kLabelPattern = BERTH_LABEL;
constexpr const char* kSubdomainPattern = BERTH_LABEL "(\\." BERTH_LABEL ")*";
constexpr const char* kLabel1035Pattern = "[a-z]([-a-z0-9]*[a-z0-9])?";
constexpr const char* kLabelKeyPattern = BERTH_KEY;
constexpr const char* kLabelValuePattern = "(" BERTH_KEY ")?";
#undef BERTH_KEY
#undef BERTH_LABEL
constexpr const char* kUuidPattern = "(?i)[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}";
constexpr const char* kBase64Pattern = "([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{4})";
constexpr const char* kTimePattern = "([0-9]{2}):([0-9]{2}):([0-9]{2})(.[0-9]+)?(z|([+-][0-9]{2}:[0-9]{2}))";

// All count bytes; of names the API server says characters.
std::string too_long(std::size_t limit, std::string_view unit) {
  return fmt::format("must be no more than {} {}", limit, unit);
}

std::string not_of(std::string_view what, std::string_view pattern, std::initializer_list<std::string_view> examples) {
  std::string shown;
  for (const std::string_view example : examples)
    shown += fmt::format("{}'{}', ", shown.empty() ? "" : " or ", example);
  return fmt::format("{} (e.g. {}regex used for validation is '{}')", what, shown, pattern);
}

std::string not_of_key(std::string_view begin) {
  return not_of(
      fmt::format("{}must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an "
                  "alphanumeric character",
                  begin),
      kLabelKeyPattern, {"MyName", "my.name", "123-abc"});
}

bool is_subdomain(std::string_view text) {
  static const auto kPattern = compile_pattern(kSubdomainPattern);
  return matches_whole(*kPattern, text);
}

// The API server puts a letter where the dash and the character before it are.
std::string without_dash(std::string_view text) {
  if (text.size() < 2 || !text.ends_with('-')) return std::string(text);
  return std::string(text.substr(0, text.size() - 2)) + 'a';
}

bool is_date(std::string_view text) {
  static constexpr std::string_view kLayout = "dddd-dd-dd";
  const auto stands = [](char c, char wanted) { return wanted == 'd' ? is_digit(c) : c == wanted; };
  if (!std::ranges::equal(text, kLayout, stands)) return false;
  const auto two = [&](std::size_t at) { return (text[at] - '0') * 10 + text[at + 1] - '0'; };
  const int year = two(0) * 100 + two(2);
  const int month = two(5);
  const int day = two(8);
  if (month < 1 || month > 12 || day < 1) return false;
  // A day that the month does not have is one of a later month.
  return civil_time(days_from_civil(year, month, day) * kSecondsPerDay).month == month;
}

bool is_date_time(std::string_view text) {
  static const auto kPattern = compile_pattern(kTimePattern);
  const std::string lower = lowered(text);
  const std::size_t mark = lower.find('t');
  if (mark == std::string::npos || !is_date(std::string_view(lower).substr(0, mark))) return false;
  const std::string_view behind = std::string_view(lower).substr(mark + 1);
  const std::string_view time = behind.substr(0, behind.find('t'));
  return matches_whole(*kPattern, time) && time.substr(0, 2) <= "23" && time.substr(3, 2) <= "59" &&
         time.substr(6, 2) <= "59";
}

// Of a text that has to be short, and something that it is or is not.
Faults faults_of(std::string_view text, std::size_t limit, std::string_view unit, bool right, std::string_view wrong) {
  Faults out;
  if (text.size() > limit) out.push_back(too_long(limit, unit));
  if (!right) out.emplace_back(wrong);
  return out;
}

Faults subdomain_faults(std::string_view text, std::string_view unit) {
  static const std::string kWrong = not_of(
      "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must "
      "start and end with an alphanumeric character",
      kSubdomainPattern, {"example.com"});
  return faults_of(text, kMaxSubdomain, unit, is_subdomain(text), kWrong);
}

Faults one_unless(bool right, const char* fault) { return right ? Faults() : Faults{fault}; }

}  // namespace

Faults dns_label_faults(std::string_view text) {
  static const auto kPattern = compile_pattern(kLabelPattern);
  static const std::string kWrong = not_of(
      "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and "
      "end with an alphanumeric character",
      kLabelPattern, {"my-name", "123-abc"});
  const bool right = matches_whole(*kPattern, text);
  return faults_of(text, kMaxLabel, "characters", right,
                   !right && is_subdomain(text) ? "must not contain dots" : std::string_view(kWrong));
}

Faults dns_subdomain_faults(std::string_view text) { return subdomain_faults(text, "characters"); }

Faults dns_1035_label_faults(std::string_view text) {
  static const auto kPattern = compile_pattern(kLabel1035Pattern);
  static const std::string kWrong = not_of(
      "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic "
      "character, and end with an alphanumeric character",
      kLabel1035Pattern, {"my-name", "abc-123"});
  return faults_of(text, kMaxLabel, "characters", matches_whole(*kPattern, text), kWrong);
}

Faults dns_label_prefix_faults(std::string_view text) { return dns_label_faults(without_dash(text)); }
Faults dns_subdomain_prefix_faults(std::string_view text) { return dns_subdomain_faults(without_dash(text)); }
Faults dns_1035_label_prefix_faults(std::string_view text) { return dns_1035_label_faults(without_dash(text)); }

Faults qualified_name_faults(std::string_view text) {
  static const auto kPattern = compile_pattern(kLabelKeyPattern);
  if (std::ranges::count(text, '/') > 1) {
    return {not_of_key("a valid label key ") +
            " with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')"};
  }
  Faults out;
  std::string_view name = text;
  if (const std::size_t slash = text.find('/'); slash != std::string_view::npos) {
    name = text.substr(slash + 1);
    if (slash == 0) {
      out.emplace_back("prefix part must be non-empty");
    } else {
      for (const std::string& fault : subdomain_faults(text.substr(0, slash), "bytes"))
        out.push_back("prefix part " + fault);
    }
  }
  if (name.empty()) {
    out.emplace_back("name part must be non-empty");
  } else if (name.size() > kMaxLabel) {
    out.push_back("name part " + too_long(kMaxLabel, "bytes"));
  }
  if (!matches_whole(*kPattern, name)) out.push_back(not_of_key("name part "));
  return out;
}

Faults label_value_faults(std::string_view text) {
  static const auto kPattern = compile_pattern(kLabelValuePattern);
  static const std::string kWrong = not_of(
      "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must "
      "start and end with an alphanumeric character",
      kLabelValuePattern, {"MyValue", "my_value", "12345"});
  return faults_of(text, kMaxLabel, "bytes", matches_whole(*kPattern, text), kWrong);
}

Faults uri_faults(std::string_view text) {
  auto fault = request_uri_fault(text);
  return fault ? Faults{*std::move(fault)} : Faults();
}

Faults uuid_faults(std::string_view text) {
  static const auto kPattern = compile_pattern(kUuidPattern);
  return one_unless(matches_whole(*kPattern, text), "does not match the UUID format");
}

Faults base64_faults(std::string_view text) {
  static const auto kPattern = compile_pattern(kBase64Pattern);
  return one_unless(matches_whole(*kPattern, text), "invalid base64");
}

Faults date_faults(std::string_view text) { return one_unless(is_date(text), "invalid date"); }
Faults date_time_faults(std::string_view text) { return one_unless(is_date_time(text), "invalid datetime"); }

}  // namespace berth::cel
