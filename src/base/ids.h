// Dense ids. A name becomes a small integer once, on entry; everything inside works on the integer,
// and arrays are indexed by it. Ids of different kinds do not mix.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>

namespace berth {

// Tag is an incomplete type that exists only to keep kinds apart:  using NodeId = Id<struct NodeTag>;
template <class Tag>
class Id {
 public:
  using Value = std::uint32_t;

  constexpr Id() = default;  // none
  constexpr explicit Id(Value value) : value_(value) {}
  constexpr explicit Id(std::size_t value) : value_(static_cast<Value>(value)) {}

  [[nodiscard]] static constexpr Id none() { return Id(); }
  [[nodiscard]] constexpr bool is_none() const { return value_ == kNone; }
  [[nodiscard]] constexpr Value value() const { return value_; }
  [[nodiscard]] constexpr std::size_t index() const { return value_; }

  constexpr auto operator<=>(const Id&) const = default;

 private:
  static constexpr Value kNone = std::numeric_limits<Value>::max();
  Value value_ = kNone;
};

// For boost's containers.
template <class Tag>
[[nodiscard]] std::size_t hash_value(Id<Tag> id) noexcept {
  return id.value();
}

}  // namespace berth

template <class Tag>
struct std::hash<berth::Id<Tag>> {
  std::size_t operator()(berth::Id<Tag> id) const noexcept { return std::hash<std::uint32_t>{}(id.value()); }
};
