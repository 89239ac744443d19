#include "cel/lexer.h"

#include <array>

#include <fmt/format.h>

#include "base/digits.h"
#include "cel/utf8.h"

namespace berth::cel {

namespace {

constexpr std::array kReservedWords = {"as",        "break",  "const",  "continue", "else", "for",
                                       "function",  "if",     "import", "let",      "loop", "package",
                                       "namespace", "return", "var",    "void",     "while"};

bool is_hex_digit(char c) { return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }
bool is_word_start(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_word_part(char c) { return is_word_start(c) || is_digit(c); }

TokenKind word_kind(std::string_view word) {
  if (word == "true") return TokenKind::kTrue;
  if (word == "false") return TokenKind::kFalse;
  if (word == "null") return TokenKind::kNull;
  if (word == "in") return TokenKind::kIn;
  for (const std::string_view reserved : kReservedWords) {
    if (word == reserved) return TokenKind::kReserved;
  }
  return TokenKind::kIdentifier;
}

}  // namespace

Token Lexer::make(TokenKind kind, std::size_t start) {
  return {kind, static_cast<std::uint32_t>(start), text_.substr(start, position_ - start)};
}

Token Lexer::fail(std::size_t offset, std::string message) {
  if (!failure_) failure_ = Failure{static_cast<std::uint32_t>(offset), std::move(message)};
  position_ = text_.size();
  return {TokenKind::kEnd, static_cast<std::uint32_t>(offset), {}};
}

void Lexer::skip_space() {
  while (position_ < text_.size()) {
    const char c = text_[position_];
    if (c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f') {
      ++position_;
    } else if (c == '/' && peek(1) == '/') {
      const std::size_t end = text_.find('\n', position_);
      position_ = end == std::string_view::npos ? text_.size() : end;
    } else {
      return;
    }
  }
}

Token Lexer::next() {
  skip_space();
  if (position_ >= text_.size()) return {TokenKind::kEnd, static_cast<std::uint32_t>(text_.size()), {}};
  const char c = text_[position_];
  if (is_digit(c) || (c == '.' && is_digit(peek(1)))) return number();
  if (c == '"' || c == '\'') return quoted(position_, position_, false, false);
  if (is_word_start(c)) return word();
  if (c == '`') return escaped_identifier();
  return punctuation();
}

Token Lexer::number() {
  const std::size_t start = position_;
  if (peek() == '0' && peek(1) == 'x' && is_hex_digit(peek(2))) {
    position_ += 2;
    while (is_hex_digit(peek())) ++position_;
  } else {
    bool real = false;
    while (is_digit(peek())) ++position_;
    if (peek() == '.' && is_digit(peek(1))) {
      real = true;
      ++position_;
      while (is_digit(peek())) ++position_;
    }
    const std::size_t sign = peek(1) == '+' || peek(1) == '-' ? 1 : 0;
    if ((peek() == 'e' || peek() == 'E') && is_digit(peek(1 + sign))) {
      real = true;
      position_ += 1 + sign;
      while (is_digit(peek())) ++position_;
    }
    if (real) return make(TokenKind::kDouble, start);
  }
  if (peek() == 'u' || peek() == 'U') {
    ++position_;
    return make(TokenKind::kUint, start);
  }
  return make(TokenKind::kInt, start);
}

Token Lexer::word() {
  const std::size_t start = position_;
  while (is_word_part(peek())) ++position_;
  const std::string_view word = text_.substr(start, position_ - start);
  if ((peek() == '"' || peek() == '\'') && word.size() <= 2) {
    bool raw = false;
    bool bytes = false;
    bool prefix = true;
    for (const char c : word) {
      const bool is_raw = c == 'r' || c == 'R';
      const bool is_bytes = c == 'b' || c == 'B';
      // Bytes come first: br"..." is a literal, rb"..." is not.
      if ((!is_raw && !is_bytes) || raw || (is_bytes && bytes)) prefix = false;
      raw = raw || is_raw;
      bytes = bytes || is_bytes;
    }
    if (prefix) return quoted(start, position_, raw, bytes);
  }
  return make(word_kind(word), start);
}

Token Lexer::escaped_identifier() {
  const std::size_t start = position_;
  const std::size_t end = text_.find('`', start + 1);
  if (end == std::string_view::npos) return fail(start, "Syntax error: a quoted name is not closed with `");
  const std::string_view name = text_.substr(start + 1, end - start - 1);
  for (const char c : name) {
    if (!is_word_part(c) && c != '.' && c != '-' && c != '/' && c != ' ') {
      return fail(start, "Syntax error: a quoted name holds letters, digits and the characters _ . - / and space");
    }
  }
  if (name.empty()) return fail(start, "Syntax error: a quoted name is empty");
  position_ = end + 1;
  return {TokenKind::kEscapedIdentifier, static_cast<std::uint32_t>(start), name};
}

Token Lexer::quoted(std::size_t start, std::size_t quote, bool raw, bool bytes) {
  const char mark = text_[quote];
  const std::string_view triple = mark == '"' ? "\"\"\"" : "'''";
  const bool is_triple = text_.substr(quote).starts_with(triple);
  position_ = quote + (is_triple ? 3 : 1);
  while (position_ < text_.size()) {
    const char c = text_[position_];
    if (c == '\\' && !raw) {
      position_ += 2;
    } else if (is_triple && text_.substr(position_).starts_with(triple)) {
      position_ += 3;
      return make(bytes ? TokenKind::kBytes : TokenKind::kString, start);
    } else if (!is_triple && c == mark) {
      ++position_;
      return make(bytes ? TokenKind::kBytes : TokenKind::kString, start);
    } else if (!is_triple && (c == '\n' || c == '\r')) {
      break;
    } else {
      ++position_;
    }
  }
  return fail(start, "Syntax error: a literal is not closed with its quote");
}

Token Lexer::punctuation() {
  const std::size_t start = position_;
  struct Mark {
    std::string_view text;
    TokenKind kind;
  };
  static constexpr std::array kMarks = {
      Mark{"==", TokenKind::kEqual},        Mark{"!=", TokenKind::kNotEqual},    Mark{"<=", TokenKind::kLessEqual},
      Mark{">=", TokenKind::kGreaterEqual}, Mark{"&&", TokenKind::kAnd},         Mark{"||", TokenKind::kOr},
      Mark{".", TokenKind::kDot},           Mark{",", TokenKind::kComma},        Mark{":", TokenKind::kColon},
      Mark{"?", TokenKind::kQuestion},      Mark{"(", TokenKind::kLeftParen},    Mark{")", TokenKind::kRightParen},
      Mark{"[", TokenKind::kLeftBracket},   Mark{"]", TokenKind::kRightBracket}, Mark{"{", TokenKind::kLeftBrace},
      Mark{"}", TokenKind::kRightBrace},    Mark{"+", TokenKind::kPlus},         Mark{"-", TokenKind::kMinus},
      Mark{"*", TokenKind::kStar},          Mark{"/", TokenKind::kSlash},        Mark{"%", TokenKind::kPercent},
      Mark{"!", TokenKind::kNot},           Mark{"<", TokenKind::kLess},         Mark{">", TokenKind::kGreater}};
  const std::string_view rest = text_.substr(start);
  for (const Mark& mark : kMarks) {
    if (rest.starts_with(mark.text)) {
      position_ += mark.text.size();
      return make(mark.kind, start);
    }
  }
  const std::string_view shown = rest.substr(0, utf8::decode(rest).length);
  return fail(start, fmt::format("Syntax error: token recognition error at: '{}'", shown));
}

}  // namespace berth::cel
