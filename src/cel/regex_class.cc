#include "cel/regex_class.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/lower_case.h"

namespace berth::cel {

namespace {

using Alias = std::pair<std::string_view, std::string_view>;
constexpr std::array kAliases = std::to_array<Alias>({
    {"Casedletter", "Lc"},
    {"Closepunctuation", "Pe"},
    {"Cntrl", "Cc"},
    {"Combiningmark", "M"},
    {"Connectorpunctuation", "Pc"},
    {"Control", "Cc"},
    {"Currencysymbol", "Sc"},
    {"Dashpunctuation", "Pd"},
    {"Decimalnumber", "Nd"},
    {"Digit", "Nd"},
    {"Enclosingmark", "Me"},
    {"Finalpunctuation", "Pf"},
    {"Format", "Cf"},
    {"Initialpunctuation", "Pi"},
    {"Letter", "L"},
    {"Letternumber", "Nl"},
    {"Lineseparator", "Zl"},
    {"Lowercaseletter", "Ll"},
    {"Mark", "M"},
    {"Mathsymbol", "Sm"},
    {"Modifierletter", "Lm"},
    {"Modifiersymbol", "Sk"},
    {"Nonspacingmark", "Mn"},
    {"Number", "N"},
    {"Openpunctuation", "Ps"},
    {"Other", "C"},
    {"Otherletter", "Lo"},
    {"Othernumber", "No"},
    {"Otherpunctuation", "Po"},
    {"Othersymbol", "So"},
    {"Paragraphseparator", "Zp"},
    {"Privateuse", "Co"},
    {"Punct", "P"},
    {"Punctuation", "P"},
    {"Separator", "Z"},
    {"Spaceseparator", "Zs"},
    {"Spacingmark", "Mc"},
    {"Surrogate", "Cs"},
    {"Symbol", "S"},
    {"Titlecaseletter", "Lt"},
    {"Unassigned", "Cn"},
    {"Uppercaseletter", "Lu"},
});

// What RE2 has no name for, by what it is made of.
struct Made {
  std::string_view name;
  std::string_view members;
  bool all_but = false;
  std::string_view rest;  // the others, as members; empty: cannot be said
};
#define BERTH_SHOWN "\\p{L}\\p{M}\\p{N}\\p{P}\\p{S}\\p{Z}"
constexpr std::array kMade = std::to_array<Made>({
    {"Ascii", "\\x00-\\x7F", false, "\\x{80}-\\x{10FFFF}"},
    {"Assigned", BERTH_SHOWN "\\p{C}", false, ""},
    {"C", BERTH_SHOWN, true, "\\p{C}"},  // in brackets without what is not assigned
    {"Cn", BERTH_SHOWN "\\p{C}", true, ""},
    {"Lc", "\\p{Lu}\\p{Ll}\\p{Lt}", false, ""},
});
#undef BERTH_SHOWN

char upper(char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; }

// "old_italic" as "Olditalic".
std::string canonical(std::string_view name) {
  std::string out;
  for (const char c : name) {
    if (c != '_' && c != '-' && c != ' ') out += out.empty() ? upper(c) : lowered(c);
  }
  return out;
}

}  // namespace

std::optional<RegexClass> parse_regex_class(std::string_view rest, bool in_brackets) {
  bool negated = rest.starts_with("\\P");
  std::string_view name = rest.substr(2, 1);
  std::size_t length = 3;
  if (name == "{") {
    const std::size_t end = rest.find('}');
    if (end == std::string_view::npos) return std::nullopt;
    name = rest.substr(3, end - 3);
    length = end + 1;
  }
  if (name.starts_with('^')) {
    negated = !negated;
    name.remove_prefix(1);
  }
  std::string known = canonical(name);
  const auto alias = std::ranges::find(kAliases, known, &Alias::first);
  if (alias != kAliases.end()) known = alias->second;
  if (known.empty()) return std::nullopt;
  const auto made = std::ranges::find(kMade, known, &Made::name);
  if (made == kMade.end()) return RegexClass{(negated ? "\\P{" : "\\p{") + known + "}", length};
  const bool others = negated != made->all_but;
  if (!in_brackets) return RegexClass{(others ? "[^" : "[") + std::string(made->members) + "]", length};
  const std::string_view members = others ? made->rest : made->members;
  return members.empty() ? std::nullopt : std::optional(RegexClass{std::string(members), length});
}

}  // namespace berth::cel
