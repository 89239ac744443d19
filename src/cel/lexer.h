// Splits an expression into tokens, one at a time; white space and // comments fall away.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "cel/token.h"

namespace berth::cel {

class Lexer {
 public:
  struct Failure {
    std::uint32_t offset = 0;
    std::string message;
  };

  explicit Lexer(std::string_view text) : text_(text) {}

  // The next token; kEnd at the end and after a failure.
  Token next();
  // What stopped the lexer, if something did.
  [[nodiscard]] const std::optional<Failure>& failure() const { return failure_; }

 private:
  void skip_space();
  Token number();
  Token word();
  Token escaped_identifier();
  // A literal in quotes whose prefix (r, b, both) ends at `quote`.
  Token quoted(std::size_t start, std::size_t quote, bool raw, bool bytes);
  Token punctuation();
  Token make(TokenKind kind, std::size_t start);
  Token fail(std::size_t offset, std::string message);
  [[nodiscard]] char peek(std::size_t ahead = 0) const {
    return position_ + ahead < text_.size() ? text_[position_ + ahead] : '\0';
  }

  std::string_view text_;
  std::size_t position_ = 0;
  std::optional<Failure> failure_;
};

}  // namespace berth::cel
