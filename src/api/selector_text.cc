#include <algorithm>

#include "api/selector.h"

namespace berth::api {
namespace {

// Tokens of kubectl's -l: names, and the signs ! = == != ( ) ,
class Scanner {
 public:
  explicit Scanner(std::string_view text) : text_(text) { skip_space(); }

  [[nodiscard]] bool at_end() const { return at_ == text_.size(); }
  [[nodiscard]] std::size_t at() const { return at_; }

  bool take(std::string_view sign) {
    if (!text_.substr(at_).starts_with(sign)) return false;
    at_ += sign.size();
    skip_space();
    return true;
  }

  // A key, value or operator word; may be empty.
  std::string_view word() {
    const std::size_t start = at_;
    while (at_ < text_.size() && std::string_view("!=(), \t\r\n").find(text_[at_]) == std::string_view::npos) ++at_;
    const std::string_view found = text_.substr(start, at_ - start);
    skip_space();
    return found;
  }

 private:
  void skip_space() {
    while (at_ < text_.size() && std::string_view(" \t\r\n").find(text_[at_]) != std::string_view::npos) ++at_;
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

Result<std::vector<std::string>> value_list(Scanner& scanner) {
  std::vector<std::string> values;
  if (!scanner.take("(")) return fail(ErrorCode::kSyntax, "'(' is expected behind in and notin; write key in (a, b).");
  do {
    values.emplace_back(scanner.word());
  } while (scanner.take(","));
  if (!scanner.take(")")) return fail(ErrorCode::kSyntax, "')' is expected behind the values; write key in (a, b).");
  std::sort(values.begin(), values.end());
  return values;
}

Result<SelectorRequirement> requirement(Scanner& scanner) {
  SelectorRequirement parsed;
  const bool absent = scanner.take("!");
  parsed.key = scanner.word();
  parsed.op = absent ? SelectorOperator::kDoesNotExist : SelectorOperator::kExists;
  if (absent) return parsed;
  if (scanner.take("!=")) {
    parsed.op = SelectorOperator::kNotIn;
    parsed.values.emplace_back(scanner.word());
  } else if (scanner.take("==") || scanner.take("=")) {
    parsed.op = SelectorOperator::kIn;
    parsed.values.emplace_back(scanner.word());
  } else if (const std::string_view word = scanner.word(); word == "in" || word == "notin") {
    parsed.op = word == "in" ? SelectorOperator::kIn : SelectorOperator::kNotIn;
    BERTH_TRY(parsed.values, value_list(scanner));
  } else if (!word.empty()) {
    return fail(ErrorCode::kSyntax, "\"" + std::string(word) + "\" is no operator; use =, !=, in or notin.");
  }
  return parsed;
}

}  // namespace

Result<LabelSelector> parse_label_selector(std::string_view text) {
  LabelSelector selector;
  Scanner scanner(text);
  if (scanner.at_end()) return selector;
  do {
    BERTH_TRY(SelectorRequirement parsed, requirement(scanner));
    if (auto fault = requirement_fault(parsed, SelectorScope::kLabels))
      return fail(ErrorCode::kSyntax, *std::move(fault));
    selector.match_expressions.push_back(std::move(parsed));
  } while (scanner.take(","));
  if (scanner.at_end()) return selector;
  return fail(ErrorCode::kSyntax, "The selector is not understood from character " + std::to_string(scanner.at() + 1) +
                                      " on; separate requirements by commas.");
}

std::string to_string(const LabelSelector& selector) {
  std::string text;
  const auto comma = [&] {
    if (!text.empty()) text += ',';
  };
  for (const auto& [key, value] : selector.match_labels) {
    comma();
    text += key + "=" + value;
  }
  for (const SelectorRequirement& requirement : selector.match_expressions) {
    comma();
    switch (requirement.op) {
      case SelectorOperator::kExists:
        text += requirement.key;
        continue;
      case SelectorOperator::kDoesNotExist:
        text += "!" + requirement.key;
        continue;
      case SelectorOperator::kIn:
        text += requirement.key + " in (";
        break;
      case SelectorOperator::kNotIn:
        text += requirement.key + " notin (";
        break;
      case SelectorOperator::kGreaterThan:
        text += requirement.key + ">(";
        break;
      case SelectorOperator::kLessThan:
        text += requirement.key + "<(";
        break;
    }
    for (std::size_t i = 0; i < requirement.values.size(); ++i) text += (i == 0 ? "" : ",") + requirement.values[i];
    text += ')';
  }
  return text;
}

}  // namespace berth::api
