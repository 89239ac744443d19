#include "report/layout.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>

#include "base/digits.h"
#include "text/table.h"
#include "text/utf8.h"

namespace berth::report {
namespace {

// A name cut at its last run of digits: "train-12-x" is {"train-", 12, "-x"}.
struct Numbered {
  std::string_view before;
  std::string_view after;
  std::uint64_t number = 0;
};

std::optional<Numbered> split_number(std::string_view name) {
  std::size_t end = name.size();
  while (end > 0 && !is_digit(name[end - 1])) --end;
  std::size_t begin = end;
  while (begin > 0 && is_digit(name[begin - 1])) --begin;
  // Leading zeros would be lost, and very long numbers are hashes.
  if (begin == end || end - begin > 9 || (end - begin > 1 && name[begin] == '0')) return std::nullopt;
  // So are digits that a letter follows: "web-7d9-224x".
  if (end < name.size() && std::string_view("-._:/").find(name[end]) == std::string_view::npos) return std::nullopt;
  Numbered split{name.substr(0, begin), name.substr(end), 0};
  std::from_chars(name.data() + begin, name.data() + end, split.number);
  return split;
}

std::string ranges_of(const std::vector<std::uint64_t>& numbers) {
  std::string out;
  for (std::size_t i = 0; i < numbers.size();) {
    std::size_t last = i;
    while (last + 1 < numbers.size() && numbers[last + 1] == numbers[last] + 1) ++last;
    if (!out.empty()) out += ',';
    out += std::to_string(numbers[i]);
    if (last > i) out += (last == i + 1 ? "," : "-") + std::to_string(numbers[last]);
    i = last + 1;
  }
  return out;
}

std::string wrapped(std::string_view first, std::span<const text::Cell> parts, text::ColorMode mode,
                    std::size_t columns) {
  const std::size_t indent = text::display_width(first);
  const std::size_t width = columns > indent + 20 ? columns - indent : 20;
  std::string all;
  std::vector<std::size_t> ends;  // of the parts
  for (const text::Cell& part : parts) {
    all += text::visible(part.text);
    ends.push_back(all.size());
  }
  std::string out(first);
  std::size_t at = 0;
  std::size_t part = 0;
  for (const std::string& line : text::wrap(all, width)) {
    if (at > 0) out.append(indent, ' ');
    // Between lines only spaces are gone.
    at = std::min(all.find_first_not_of(' ', at), all.size());
    for (const std::size_t end = at + line.size(); at < end;) {
      while (ends[part] <= at) ++part;
      const std::size_t count = std::min(end, ends[part]) - at;
      out += text::paint(std::string_view(all).substr(at, count), parts[part].color, mode);
      at += count;
    }
    out += '\n';
  }
  return out;
}

}  // namespace

std::string paragraph(std::string_view first, std::string_view text, std::size_t columns) {
  const text::Cell part{std::string(text)};
  return wrapped(first, {&part, 1}, text::ColorMode::kNever, columns);
}

std::string paragraph(std::string_view first, std::span<const text::Cell> parts, text::ColorMode mode) {
  return wrapped(first, parts, mode, kColumns);
}

std::string enumerate(std::span<const std::string> items, std::size_t limit) {
  std::string out;
  // "and 1 more" is no shorter than the name itself.
  const std::size_t shown = items.size() <= limit + 1 ? items.size() : limit;
  for (std::size_t i = 0; i < shown; ++i) {
    if (i > 0) out += i + 1 == items.size() ? " and " : ", ";
    out += items[i];
  }
  if (shown < items.size()) out += " and " + grouped(items.size() - shown) + " more";
  return out;
}

std::string counted(std::uint64_t count, std::string_view singular, std::string_view plural) {
  std::string out = grouped(count) + ' ';
  if (count == 1) return out + std::string(singular);
  return out + (plural.empty() ? std::string(singular) + 's' : std::string(plural));
}

std::string grouped(std::uint64_t number) {
  std::string digits = std::to_string(number);
  for (std::size_t i = digits.size(); i > 3; i -= 3) digits.insert(i - 3, 1, ',');
  return digits;
}

bool natural_less(std::string_view a, std::string_view b) {
  std::size_t i = 0;
  std::size_t j = 0;
  while (i < a.size() && j < b.size()) {
    if (!is_digit(a[i]) || !is_digit(b[j])) {
      if (a[i] != b[j]) return a[i] < b[j];
      ++i, ++j;
      continue;
    }
    const auto run = [](std::string_view text, std::size_t& at) {
      while (at + 1 < text.size() && text[at] == '0' && is_digit(text[at + 1])) ++at;
      const std::size_t begin = at;
      while (at < text.size() && is_digit(text[at])) ++at;
      return text.substr(begin, at - begin);
    };
    const std::string_view x = run(a, i);
    const std::string_view y = run(b, j);
    if (x.size() != y.size()) return x.size() < y.size();
    if (x != y) return x < y;
  }
  if (a.size() - i != b.size() - j) return a.size() - i < b.size() - j;
  return a < b;
}

std::vector<std::string> collapse(std::vector<std::string> names, std::size_t in_order) {
  std::map<std::pair<std::string, std::string>, std::vector<std::uint64_t>> groups;
  std::vector<std::string> out;
  for (std::string& name : names) {
    if (const auto split = split_number(name))
      groups[{std::string(split->before), std::string(split->after)}].push_back(split->number);
    else
      out.push_back(std::move(name));
  }
  for (auto& [key, numbers] : groups) {
    std::ranges::sort(numbers);
    const auto& [before, after] = key;
    const bool many = numbers.size() > 1;
    out.push_back(before + (many ? "[" : "") + ranges_of(numbers) + (many ? "]" : "") + after);
  }
  const std::size_t sorted = std::min(in_order, out.size());
  std::ranges::partial_sort(out, out.begin() + static_cast<std::ptrdiff_t>(sorted), natural_less);
  return out;
}

std::string name_list(std::vector<std::string> names, std::size_t limit) {
  static constexpr std::size_t kShort = 120;
  const std::vector<std::string> merged = collapse(names);
  // Only whole: "and N more" behind merged names would not count names.
  if (merged.size() <= limit) {
    std::string collapsed = enumerate(merged, limit);
    if (collapsed.size() <= kShort) return collapsed;
  }
  std::ranges::sort(names, natural_less);
  return enumerate(names, limit);
}

}  // namespace berth::report
