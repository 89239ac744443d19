// Shared<T>: a value that does not change and that many holders may have, so that equal ones need memory once.
//
//   Shared<Attributes> attributes = share_table.share(std::move(read));
//   for (const DeviceAttribute& attribute : *attributes) ...
//
// One that was never set is an empty T. Copies cost a reference count; comparing looks at the pointer first, then at
// the values. Safe to read from several threads.
#pragma once

#include <compare>
#include <memory>
#include <utility>

namespace berth {

template <class T>
class Shared {
 public:
  Shared() = default;
  Shared(T value) : value_(std::make_shared<const T>(std::move(value))) {}  // NOLINT(google-explicit-constructor)

  [[nodiscard]] const T& operator*() const { return value_ ? *value_ : empty(); }
  [[nodiscard]] const T* operator->() const { return &**this; }

  // Equal addresses mean equal values; different addresses say nothing. Null: it was never set.
  [[nodiscard]] const void* address() const { return value_.get(); }

  bool operator==(const Shared& other) const { return value_ == other.value_ || **this == *other; }
  auto operator<=>(const Shared& other) const
    requires std::three_way_comparable<T>
  {
    return value_ == other.value_ ? std::compare_three_way_result_t<T>(std::strong_ordering::equal) : **this <=> *other;
  }

 private:
  static const T& empty() {
    static const T kEmpty{};
    return kEmpty;
  }

  std::shared_ptr<const T> value_;
};

}  // namespace berth
