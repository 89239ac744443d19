// Tokens of a CEL expression.
#pragma once

#include <cstdint>
#include <string_view>

namespace berth::cel {

enum class TokenKind : std::uint8_t {
  kEnd,
  kIdentifier,
  kEscapedIdentifier,  // `a-b`, after a dot; text without the quotes
  kInt,
  kUint,
  kDouble,
  kString,
  kBytes,
  kTrue,
  kFalse,
  kNull,
  kIn,
  kReserved,  // a word that may become part of the language: not a variable's name
  kDot,
  kComma,
  kColon,
  kQuestion,
  kLeftParen,
  kRightParen,
  kLeftBracket,
  kRightBracket,
  kLeftBrace,
  kRightBrace,
  kPlus,
  kMinus,
  kStar,
  kSlash,
  kPercent,
  kNot,
  kEqual,
  kNotEqual,
  kLess,
  kLessEqual,
  kGreater,
  kGreaterEqual,
  kAnd,
  kOr,
};

struct Token {
  TokenKind kind = TokenKind::kEnd;
  std::uint32_t offset = 0;
  std::string_view text;  // as written
};

}  // namespace berth::cel
