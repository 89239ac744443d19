// JsonParser: one pass over JSON text that validates it and builds Values. The layer under json_reader.h.
//
// Strict RFC 8259: no comments, no trailing commas, valid UTF-8 only, at most `max_depth` levels. Lone surrogates in
// escapes become U+FFFD, as Go does it. Strings without escapes are views into the text; others are unescaped into the
// arena. Sixteen bytes at a time where the machine has SSE2.
//
// Two kinds of fault: after a hard one (wrong syntax) the parser stands at the fault and cannot go on; after a soft one
// (a key twice, bytes that are not UTF-8) the value is consumed to its end, so the caller may go on behind it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "text/entry.h"
#include "text/value.h"

namespace berth::text {

struct JsonFault {
  enum class Cause : std::uint8_t {
    kNone,
    kEnd,       // the text ends inside the value
    kValue,     // a value was expected
    kKey,       // a key in quotes was expected
    kColon,     // ':' was expected
    kComma,     // ',' or the closing bracket was expected
    kEscape,    // unknown or cut escape
    kControl,   // a raw control character or line break inside a string
    kNumber,    // not a number of the JSON grammar
    kDepth,     // nested too deeply
    kUtf8,      // soft
    kDuplicate  // soft
  };
  Cause cause = Cause::kNone;
  const char* at = nullptr;
  std::string name;  // the key that comes twice

  explicit operator bool() const { return cause != Cause::kNone; }
  // A complete sentence for the user.
  [[nodiscard]] std::string message() const;
};

class JsonParser {
 public:
  // Bytes behind the end of the text that must be readable and zero.
  static constexpr std::size_t kPadding = 32;

  JsonParser(const char* begin, const char* end, std::int32_t max_depth)
      : begin_(begin), end_(end), at_(begin), max_depth_(max_depth) {}

  [[nodiscard]] const char* at() const { return at_; }
  [[nodiscard]] const char* end() const { return end_; }
  [[nodiscard]] bool at_end() const { return at_ >= end_; }
  // Origins of values are counted from here on.
  void set_origin(const char* begin) { begin_ = begin; }

  void skip_space();
  // Consumes the character if it is next.
  bool take(char expected) {
    if (*at_ != expected || at_end()) return false;
    ++at_;
    return true;
  }
  // Reads one value, pushes it, and is false after a hard fault.
  bool value(ValueBuilder& builder, const SkipPaths::Node* skip, std::int32_t depth);
  // Validates one value without keeping it; soft faults in it are not looked for.
  bool skip_value(std::int32_t depth);
  // Reads `"key" :` up to the start of the value.
  bool key(ValueBuilder& builder, Value& key);
  // What must follow a value inside brackets: true and `more` for ',', true and not `more` for `close`.
  bool separator(char close, bool& more);
  // True if anything but white space follows, else a hard fault.
  bool expect_text() {
    skip_space();
    return !at_end() || fault(JsonFault::Cause::kEnd, end_);
  }
  // Takes the object on the builder's stack above the mark, after looking for equal keys.
  Value finish_object(ValueBuilder& builder, std::size_t mark, const char* start);

  [[nodiscard]] const JsonFault& hard() const { return hard_; }
  [[nodiscard]] const JsonFault& soft() const { return soft_; }  // the first since clear_soft
  void clear_soft() { soft_ = {}; }

 private:
  bool fault(JsonFault::Cause cause, const char* at);
  [[nodiscard]] Origin origin(const char* at) const { return {0, static_cast<std::uint32_t>(at - begin_)}; }

  bool object(ValueBuilder& builder, const SkipPaths::Node* skip, std::int32_t depth);
  bool array(ValueBuilder& builder, const SkipPaths::Node* skip, std::int32_t depth);
  bool skip_object(std::int32_t depth);
  bool skip_array(std::int32_t depth);
  bool string(Arena& arena, Value& out);
  // Leaves at_ behind the closing quote; `escaped` if there was a backslash.
  bool scan_string(bool& escaped);
  std::string_view unescape(std::string_view raw, Arena& arena);
  bool check_escape(const char* at);
  bool number(std::string_view& out);
  bool word(std::string_view expected);

  const char* begin_;
  const char* end_;
  const char* at_;
  std::int32_t max_depth_;
  JsonFault hard_;
  JsonFault soft_;
};

}  // namespace berth::text
