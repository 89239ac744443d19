// Value: one JSON value of an immutable tree. A node is 24 bytes; children and strings lie in an Arena or in the text
// that was read, so a Value is a view and is valid only as long as those are. Copying a Value copies the node alone.
//
// Numbers keep their text: 0.10 stays "0.10", and integers are read without floating point. Objects keep the order of
// the text. Looking a member up compares keys one by one, which is quickest for the small objects of Kubernetes.
//
//   const Value* spec = pod.find("spec");
//   if (spec != nullptr && spec->is_object())
//     for (const Member& member : spec->members()) use(member.name(), member.value);
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "text/arena.h"

namespace berth::text {

enum class Kind : std::uint8_t { kNull, kBool, kNumber, kString, kArray, kObject };

// "null", "a boolean", "a number", "a string", "an array", "an object".
[[nodiscard]] std::string_view describe(Kind kind);

// Where a value starts. Readers of YAML give line and column, 1-based. Readers of JSON give line 0 and, as column, the
// offset in bytes from the start of the text of the entry; Entry::locate knows both.
struct Origin {
  std::uint32_t line = 0;
  std::uint32_t column = 0;
};

struct Member;

class Value {
 public:
  constexpr Value() = default;  // null

  static constexpr Value null(Origin origin = {}) { return Value(Kind::kNull, 0, nullptr, origin); }
  static constexpr Value boolean(bool value, Origin origin = {}) {
    return Value(Kind::kBool, value ? 1 : 0, nullptr, origin);
  }
  // The text must be a number of the JSON grammar.
  static constexpr Value number(std::string_view text, Origin origin = {}) {
    return Value(Kind::kNumber, text.size(), text.data(), origin);
  }
  static constexpr Value string(std::string_view text, Origin origin = {}) {
    return Value(Kind::kString, text.size(), text.data(), origin);
  }
  static Value array(std::span<const Value> items, Origin origin = {}) {
    return Value(Kind::kArray, items.size(), items.data(), origin);
  }
  static Value object(std::span<const Member> members, Origin origin = {});

  [[nodiscard]] constexpr Kind kind() const { return kind_; }
  [[nodiscard]] constexpr bool is_null() const { return kind_ == Kind::kNull; }
  [[nodiscard]] constexpr bool is_bool() const { return kind_ == Kind::kBool; }
  [[nodiscard]] constexpr bool is_number() const { return kind_ == Kind::kNumber; }
  [[nodiscard]] constexpr bool is_string() const { return kind_ == Kind::kString; }
  [[nodiscard]] constexpr bool is_array() const { return kind_ == Kind::kArray; }
  [[nodiscard]] constexpr bool is_object() const { return kind_ == Kind::kObject; }

  // False unless the value is the boolean true.
  [[nodiscard]] constexpr bool is_true() const { return kind_ == Kind::kBool && size_ != 0; }

  // The characters of a string, or the text of a number as it was written; empty for other kinds.
  [[nodiscard]] std::string_view text() const {
    return is_string() || is_number() ? std::string_view(static_cast<const char*>(data_), size_) : std::string_view();
  }

  // The number, if it is written as an integer (no point, no exponent) and fits.
  [[nodiscard]] std::optional<std::int64_t> as_int64() const;
  [[nodiscard]] std::optional<std::uint64_t> as_uint64() const;
  // The nearest double; none for other kinds and for numbers outside the range of double.
  [[nodiscard]] std::optional<double> as_double() const;

  // Elements of an array; empty for other kinds.
  [[nodiscard]] std::span<const Value> items() const {
    return is_array() ? std::span(static_cast<const Value*>(data_), size_) : std::span<const Value>();
  }
  // Members of an object in the order of the text; empty for other kinds.
  [[nodiscard]] std::span<const Member> members() const;
  // The member's value, or null where the value is no object or has no such member. Linear in the number of members.
  [[nodiscard]] const Value* find(std::string_view name) const;

  // Number of elements, members or bytes of text.
  [[nodiscard]] constexpr std::size_t size() const { return size_; }
  [[nodiscard]] constexpr Origin origin() const { return {line_, column_}; }

 private:
  constexpr Value(Kind kind, std::size_t size, const void* data, Origin origin)
      : data_(data),
        size_(static_cast<std::uint32_t>(size)),
        line_(origin.line),
        column_(origin.column & kColumnMask),
        kind_(kind) {}

  static constexpr std::uint32_t kColumnMask = (1U << 29U) - 1;

  const void* data_ = nullptr;
  std::uint32_t size_ = 0;  // readers refuse texts that would not fit
  std::uint32_t line_ = 0;
  std::uint32_t column_ : 29 = 0;
  Kind kind_ : 3 = Kind::kNull;
};
static_assert(sizeof(Value) == 24);

struct Member {
  Value key;  // a string
  Value value;
  [[nodiscard]] std::string_view name() const { return key.text(); }
};
static_assert(sizeof(Member) == 2 * sizeof(Value));

inline Value Value::object(std::span<const Member> members, Origin origin) {
  return Value(Kind::kObject, members.size(), members.data(), origin);
}

inline std::span<const Member> Value::members() const {
  return is_object() ? std::span(static_cast<const Member*>(data_), size_) : std::span<const Member>();
}

inline const Value* Value::find(std::string_view name) const {
  for (const Member& member : members())
    if (member.name() == name) return &member.value;
  return nullptr;
}

// Same kind and content; members in any order; numbers equal if their texts are.
[[nodiscard]] bool equal(const Value& a, const Value& b);

// Builds trees bottom-up: push children on a stack, then take all above a mark as one array or object, whose nodes
// move into the arena. Strings are not copied: the caller's text must outlive the tree, or be copied by arena().copy().
class ValueBuilder {
 public:
  explicit ValueBuilder(Arena& arena) : arena_(&arena) {}

  [[nodiscard]] Arena& arena() { return *arena_; }
  [[nodiscard]] std::size_t mark() const { return stack_.size(); }
  void push(Value value) { stack_.push_back(value); }
  void drop_to(std::size_t mark) { stack_.resize(mark); }

  [[nodiscard]] Value take_array(std::size_t mark, Origin origin);
  // Above the mark lie key, value, key, value, ...
  [[nodiscard]] Value take_object(std::size_t mark, Origin origin);
  // The second of two equal keys above the mark, or null. Quadratic for a few keys, hashing for many.
  [[nodiscard]] const Value* duplicate_key(std::size_t mark);
  // The pending value at a position of the stack; valid until the next push.
  [[nodiscard]] Value& pending(std::size_t position) { return stack_[position]; }

 private:
  Arena* arena_;
  std::vector<Value> stack_;
  std::vector<const Value*> table_;
};

// A tree with the memory that holds it.
class Document {
 public:
  Document() = default;
  Document(Arena arena, Value root) : arena_(std::move(arena)), root_(root) {}

  [[nodiscard]] const Value& root() const { return root_; }

 private:
  Arena arena_;
  Value root_;
};

}  // namespace berth::text
