// Value: what an expression is made of at run time.
//
// Sixteen bytes, trivially copied, passed in two registers. Everything larger than a scalar is a pointer to memory that
// somebody else owns: the program's constants, the host's objects, or the arena of the evaluation. A result is
// therefore valid until that arena is reset and as long as the program and the host's objects live.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

#include "cel/arena.h"
#include "cel/type.h"

namespace berth::cel {

class List;
class Map;
class Object;
class Value;

enum class Kind : std::uint8_t {
  kNull,
  kBool,
  kInt,
  kUint,
  kDouble,
  kString,
  kBytes,
  kDuration,
  kTimestamp,
  kList,
  kMap,
  kType,
  kOptional,
  kObject,
  kError,
};

// Why an expression has no value. The message is a sentence part in the manner of the specification, "division by
// zero".
struct EvalError {
  std::string_view message;
  bool cancelled = false;  // a limit was passed: no operator absorbs it
};

// Nanosecond moments and lengths: whole seconds and 0..999,999,999 nanoseconds on top, also below zero.
struct Instant {
  std::int64_t seconds = 0;
  std::int32_t nanos = 0;
  auto operator<=>(const Instant&) const = default;
};

class Value {
 public:
  constexpr Value() = default;

  static constexpr Value null() { return {}; }
  static constexpr Value boolean(bool value) { return Value(Kind::kBool, 0, static_cast<std::uint64_t>(value)); }
  static constexpr Value integer(std::int64_t value) { return Value(Kind::kInt, 0, static_cast<std::uint64_t>(value)); }
  static constexpr Value unsigned_integer(std::uint64_t value) { return Value(Kind::kUint, 0, value); }
  static Value real(double value) { return Value(Kind::kDouble, 0, __builtin_bit_cast(std::uint64_t, value)); }
  // The text is not copied. Texts over 4 GiB do not exist: arenas are smaller.
  static Value string(std::string_view text) { return pointer(Kind::kString, text.size(), text.data()); }
  static Value bytes(std::string_view data) { return pointer(Kind::kBytes, data.size(), data.data()); }
  static Value duration(Instant length) {
    return Value(Kind::kDuration, static_cast<std::uint32_t>(length.nanos), static_cast<std::uint64_t>(length.seconds));
  }
  // `zone`: in which it was written, in minutes east of UTC; moments of different zones may be equal.
  static Value timestamp(Instant moment, std::int16_t zone = 0) {
    Value result(Kind::kTimestamp, static_cast<std::uint32_t>(moment.nanos),
                 static_cast<std::uint64_t>(moment.seconds));
    result.zone_ = zone;
    return result;
  }
  static Value list(const List* list) { return pointer(Kind::kList, 0, list); }
  static Value map(const Map* map) { return pointer(Kind::kMap, 0, map); }
  static Value type(TypeRef type) { return pointer(Kind::kType, 0, type); }
  // nullptr is optional.none().
  static Value optional(const Value* content) { return pointer(Kind::kOptional, 0, content); }
  static Value object(const Object* object) { return pointer(Kind::kObject, 0, object); }
  static Value error(const EvalError* error) { return pointer(Kind::kError, 0, error); }

  [[nodiscard]] constexpr Kind kind() const { return kind_; }
  [[nodiscard]] bool is(Kind kind) const { return kind_ == kind; }
  [[nodiscard]] bool is_error() const { return kind_ == Kind::kError; }
  // An error value without a cause marks a place that was not filled yet.
  [[nodiscard]] bool is_unset() const { return kind_ == Kind::kError && payload_ == 0; }
  [[nodiscard]] bool is_true() const { return kind_ == Kind::kBool && payload_ != 0; }
  [[nodiscard]] bool is_false() const { return kind_ == Kind::kBool && payload_ == 0; }
  [[nodiscard]] bool is_number() const { return kind_ == Kind::kInt || kind_ == Kind::kUint || kind_ == Kind::kDouble; }

  // Each asks for the right kind: the caller has looked.
  [[nodiscard]] bool as_bool() const { return payload_ != 0; }
  [[nodiscard]] std::int64_t as_int() const { return static_cast<std::int64_t>(payload_); }
  [[nodiscard]] std::uint64_t as_uint() const { return payload_; }
  [[nodiscard]] double as_double() const { return __builtin_bit_cast(double, payload_); }
  [[nodiscard]] std::string_view as_text() const { return {to_pointer<char>(), extra_}; }  // string or bytes
  [[nodiscard]] Instant as_instant() const { return {as_int(), static_cast<std::int32_t>(extra_)}; }
  [[nodiscard]] std::int16_t zone() const { return zone_; }  // of a timestamp
  [[nodiscard]] const List& as_list() const { return *to_pointer<List>(); }
  [[nodiscard]] const Map& as_map() const { return *to_pointer<Map>(); }
  [[nodiscard]] TypeRef as_type() const { return to_pointer<Type>(); }
  [[nodiscard]] const Value* as_optional() const { return to_pointer<Value>(); }
  [[nodiscard]] const Object& as_object() const { return *to_pointer<Object>(); }
  [[nodiscard]] const EvalError& as_error() const { return *to_pointer<EvalError>(); }

 private:
  constexpr Value(Kind kind, std::uint32_t extra, std::uint64_t payload)
      : kind_(kind), extra_(extra), payload_(payload) {}
  static Value pointer(Kind kind, std::size_t extra, const void* target) {
    return Value(kind, static_cast<std::uint32_t>(extra), reinterpret_cast<std::uintptr_t>(target));
  }
  template <class T>
  [[nodiscard]] const T* to_pointer() const {
    return reinterpret_cast<const T*>(static_cast<std::uintptr_t>(payload_));
  }

  Kind kind_ = Kind::kNull;
  std::int16_t zone_ = 0;
  std::uint32_t extra_ = 0;  // size of a text, nanoseconds of a time
  std::uint64_t payload_ = 0;
};
static_assert(sizeof(Value) == 16 && std::is_trivially_copyable_v<Value>);

// A list of the host or of the evaluator. Elements may be made when they are asked for, in the arena.
class List {
 public:
  [[nodiscard]] virtual std::size_t size() const = 0;
  [[nodiscard]] virtual Value at(std::size_t index, Arena& arena) const = 0;

 protected:
  ~List() = default;
};

// A map of the host or of the evaluator. Positions number the entries in an order that never changes.
class Map {
 public:
  [[nodiscard]] virtual std::size_t size() const = 0;
  [[nodiscard]] virtual std::optional<Value> find(Value key, Arena& arena) const = 0;
  // Whether `key in map` holds; differs from find() only for maps that make up what they lack. All else, has() and
  // optional access too, goes by find().
  [[nodiscard]] virtual bool has(Value key, Arena& arena) const { return find(key, arena).has_value(); }
  [[nodiscard]] virtual Value key_at(std::size_t position, Arena& arena) const = 0;
  [[nodiscard]] virtual Value value_at(std::size_t position, Arena& arena) const = 0;

 protected:
  ~Map() = default;
};

// A value of a type that the host or a library declared: a quantity, an IP address, a device.
class Object {
 public:
  [[nodiscard]] virtual TypeRef type() const = 0;
  [[nodiscard]] virtual bool equals(const Object& other, Arena& arena) const = 0;
  // What size() of the run-time cost model sees; 1 for what has no size.
  [[nodiscard]] virtual std::uint64_t cost_size() const { return 1; }
  // Fields, for types that declare some. `slot` is the index that the type's declaration gave the field.
  [[nodiscard]] virtual Value field(std::uint32_t /*slot*/, Arena& /*arena*/) const { return Value::null(); }
  [[nodiscard]] virtual bool has_field(std::uint32_t /*slot*/) const { return false; }
  // For humans: `quantity("40Gi")`, or the type's name.
  [[nodiscard]] virtual std::string text() const { return std::string(type()->name); }
  // Whether it equals the value that its type starts with (optional.ofNonZeroValue).
  [[nodiscard]] virtual bool is_zero() const { return false; }

 protected:
  ~Object() = default;
};

// The run-time type; what type(x) gives. Lists and maps are types::kList and types::kMap whatever they hold.
[[nodiscard]] TypeRef type_of(Value value);

// CEL's ==: numbers compare across types, different types are unequal, NaN differs from all. Lists and maps compare
// by element.
[[nodiscard]] bool equal(Value a, Value b, Arena& arena);

enum class Order : std::int8_t { kLess = -1, kEqual = 0, kGreater = 1, kUnordered = 2 };
// Order of two numbers of any numeric types. An integer beside a double is rounded to one.
[[nodiscard]] Order compare_numbers(Value a, Value b);
// Order of two values of one ordered kind, or of two numbers; nothing if CEL has no order for them.
[[nodiscard]] std::optional<Order> compare(Value a, Value b);

// The value as an expression that evaluates to it, for tests and human output: [1, 2u, "a", {"k": b"\x00"}].
[[nodiscard]] std::string to_string(Value value, Arena& arena);

}  // namespace berth::cel
