// format() as the first version of cel-go's string library writes it, which is the one that the API server uses.
//
// Other than the specification: %d takes integers alone, %f and %e doubles and the texts "NaN", "Infinity" and
// "-Infinity"; %f groups thousands, %e writes powers of ten and takes its precision for a width; what is in lists and
// maps is written as CEL source. Source: cel-go, ext/formatting.go.
#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/digits.h"
#include "cel/containers.h"
#include "cel/lib/format_text.h"
#include "cel/lib/libraries.h"
#include "cel/lib/quoted.h"
#include "cel/operations.h"
#include "cel/standard.h"
#include "cel/time.h"
#include "cel/utf8.h"

namespace berth::cel {

namespace {

std::string grouped(std::string text) {
  const std::size_t first = text.starts_with('-') ? 1 : 0;
  const std::size_t point = std::min(text.find('.'), text.size());
  for (std::size_t at = point; at > first + 3;) text.insert(at -= 3, ",");
  return text;
}

std::string power_of_ten(double value, int width) {
  static constexpr const char* kDigits[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  const std::string text = fmt::format("{:.{}e}", value, kDefaultPrecision);
  const std::size_t mark = text.find('e');
  std::string out = text.substr(0, mark) + "×10";
  for (const char c : std::string_view(text).substr(mark + 1)) {
    if (c == '-') out += "⁻";
    if (is_digit(c)) out += kDigits[c - '0'];
  }
  const auto size = static_cast<int>(utf8::count(out));
  return size < width ? std::string(static_cast<std::size_t>(width - size), ' ') + out : out;
}

class FirstFormatter final : public Formatter {
 public:
  using Formatter::Formatter;

 private:
  void decimal(Value value) override {
    if (value.is(Kind::kInt) || value.is(Kind::kUint)) {
      Formatter::decimal(value);
    } else {
      wrong("decimal clause can only be used on integers", value);
    }
  }

  void real(char verb, int precision, Value value) override {
    double number = 0;
    if (value.is(Kind::kDouble)) {
      number = value.as_double();
    } else if (value.is(Kind::kString) && value.as_text() == "NaN") {
      number = std::numeric_limits<double>::quiet_NaN();
    } else if (value.is(Kind::kString) && (value.as_text() == "Infinity" || value.as_text() == "-Infinity")) {
      number = value.as_text() == "Infinity" ? std::numeric_limits<double>::infinity()
                                             : -std::numeric_limits<double>::infinity();
    } else {
      wrong(verb == 'f' ? "fixed-point clause can only be used on doubles"
                        : "scientific clause can only be used on doubles",
            value);
      return;
    }
    if (std::isnan(number)) {
      out_ += "NaN";
    } else if (std::isinf(number)) {
      out_ += number > 0 ? "∞" : "-∞";
    } else {
      if (number == 0) number = 0;  // without a sign
      out_ += verb == 'f' ? grouped(fmt::format("{:.{}f}", number, precision)) : power_of_ten(number, precision);
    }
  }

  void string(Value value, int depth) override {
    if (depth > kMaxFormatDepth) {
      error_ = "the value is nested too deeply";
    } else if (value.is(Kind::kList)) {
      list(value.as_list(), depth);
    } else if (value.is(Kind::kMap)) {
      map(value.as_map(), depth);
    } else if (value.is(Kind::kDouble)) {
      out_ += format_double(value.as_double());
    } else if (value.is(Kind::kBytes)) {
      out_ += text_of(value);
    } else if (value.is(Kind::kTimestamp)) {
      out_ += format_timestamp(value.as_instant(), value.zone());  // the later format() writes UTC
    } else {
      Formatter::string(value, depth);
    }
  }

  std::string_view text_of(Value bytes) {
    if (!utf8::is_valid(bytes.as_text()))
      error_ = R"(could not convert argument "invalid UTF-8 in bytes, cannot convert to string" to string)";
    return bytes.as_text();
  }

  // As it would be written in an expression.
  void literal(Value value, int depth) {
    switch (value.kind()) {
      case Kind::kString:
        out_ += quoted(value.as_text());
        break;
      case Kind::kBytes:
        out_ += 'b' + quoted(text_of(value));
        break;
      case Kind::kDuration:
        out_ += fmt::format("duration(\"{}\")", format_duration(value.as_instant()));
        break;
      case Kind::kTimestamp:
        out_ += fmt::format("timestamp(\"{}\")", format_timestamp(value.as_instant(), value.zone()));
        break;
      case Kind::kDouble:
        out_ += std::isfinite(value.as_double()) ? fmt::format("{:.{}f}", value.as_double(), kDefaultPrecision)
                                                 : quoted(format_double(value.as_double()));
        break;
      default:
        string(value, depth);
    }
  }

  void list(const List& list, int depth) {
    out_ += '[';
    for (std::size_t i = 0; i < list.size() && error_.empty(); ++i) {
      if (i > 0) out_ += ", ";
      literal(list.at(i, context_.arena()), depth + 1);
    }
    out_ += ']';
  }

  // Entries in the order of their keys' texts.
  void map(const Map& map, int depth) {
    std::vector<std::pair<std::string, std::string>> entries;
    for (std::size_t i = 0; i < map.size() && error_.empty(); ++i) {
      const Value key = map.key_at(i, context_.arena());
      if (!is_map_key(key)) {
        wrong("a key of a map cannot be written", key);
        return;
      }
      const std::size_t mark = out_.size();
      literal(key, depth + 1);
      std::string text = out_.substr(mark);
      out_.resize(mark);
      literal(map.value_at(i, context_.arena()), depth + 1);
      entries.emplace_back(std::move(text), out_.substr(mark));
      out_.resize(mark);
    }
    std::ranges::stable_sort(entries, {}, &std::pair<std::string, std::string>::first);
    out_ += '{';
    for (std::size_t i = 0; i < entries.size(); ++i)
      out_ += fmt::format("{}{}:{}", i > 0 ? ", " : "", entries[i].first, entries[i].second);
    out_ += '}';
  }
};

Value format(EvalContext& context, const Arguments& a) {
  return FirstFormatter(context).run(a[0].as_text(), a[1].as_list());
}

}  // namespace

void add_first_format(EnvironmentBuilder& builder) {
  builder.add_overload("format", member("string_format", {&types::kString, &types::kListDyn}, &types::kString, format));
}

}  // namespace berth::cel
