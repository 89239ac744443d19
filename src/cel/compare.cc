// Equality and order of values.
#include <cmath>

#include "cel/containers.h"
#include "cel/value.h"

namespace berth::cel {

namespace {

template <class T>
Order order_of(T a, T b) {
  if (a < b) return Order::kLess;
  return a == b ? Order::kEqual : Order::kGreater;
}

Order reverse(Order order) {
  if (order == Order::kLess) return Order::kGreater;
  return order == Order::kGreater ? Order::kLess : order;
}

// As the specification's suite wants it, the integer is rounded to a double: 2^63 - 1 and 2^63 are equal then.
Order compare_int_double(std::int64_t a, double b) {
  if (std::isnan(b)) return Order::kUnordered;
  return order_of(static_cast<double>(a), b);
}

Order compare_uint_double(std::uint64_t a, double b) {
  if (std::isnan(b)) return Order::kUnordered;
  return order_of(static_cast<double>(a), b);
}

Order compare_int_uint(std::int64_t a, std::uint64_t b) {
  return a < 0 ? Order::kLess : order_of(static_cast<std::uint64_t>(a), b);
}

Order compare_doubles(double a, double b) {
  if (std::isnan(a) || std::isnan(b)) return Order::kUnordered;
  return order_of(a, b);
}

bool equal_lists(const List& a, const List& b, Arena& arena) {
  const std::size_t size = a.size();
  if (size != b.size()) return false;
  for (std::size_t i = 0; i < size; ++i) {
    if (!arena.spend() || !equal(a.at(i, arena), b.at(i, arena), arena)) return false;
  }
  return true;
}

bool equal_maps(const Map& a, const Map& b, Arena& arena) {
  const std::size_t size = a.size();
  if (size != b.size()) return false;
  for (std::size_t i = 0; i < size; ++i) {
    if (!arena.spend()) return false;
    const auto other = b.find(a.key_at(i, arena), arena);
    if (!other || !equal(a.value_at(i, arena), *other, arena)) return false;
  }
  return true;
}

}  // namespace

Order compare_numbers(Value a, Value b) {
  switch (a.kind()) {
    case Kind::kInt:
      if (b.is(Kind::kInt)) return order_of(a.as_int(), b.as_int());
      if (b.is(Kind::kUint)) return compare_int_uint(a.as_int(), b.as_uint());
      return compare_int_double(a.as_int(), b.as_double());
    case Kind::kUint:
      if (b.is(Kind::kInt)) return reverse(compare_int_uint(b.as_int(), a.as_uint()));
      if (b.is(Kind::kUint)) return order_of(a.as_uint(), b.as_uint());
      return compare_uint_double(a.as_uint(), b.as_double());
    default:
      if (b.is(Kind::kInt)) return reverse(compare_int_double(b.as_int(), a.as_double()));
      if (b.is(Kind::kUint)) return reverse(compare_uint_double(b.as_uint(), a.as_double()));
      return compare_doubles(a.as_double(), b.as_double());
  }
}

std::optional<Order> compare(Value a, Value b) {
  if (a.is_number() && b.is_number()) return compare_numbers(a, b);
  if (a.kind() != b.kind()) return std::nullopt;
  switch (a.kind()) {
    case Kind::kBool:
      return order_of(a.as_bool(), b.as_bool());
    case Kind::kString:
    case Kind::kBytes:
      return order_of(a.as_text().compare(b.as_text()), 0);
    case Kind::kDuration:
    case Kind::kTimestamp:
      return order_of(a.as_instant(), b.as_instant());
    default:
      return std::nullopt;
  }
}

bool equal(Value a, Value b, Arena& arena) {
  if (a.is_number() && b.is_number()) return compare_numbers(a, b) == Order::kEqual;
  if (a.kind() != b.kind()) return false;
  switch (a.kind()) {
    case Kind::kNull:
      return true;
    case Kind::kBool:
      return a.as_bool() == b.as_bool();
    case Kind::kString:
    case Kind::kBytes:
      return a.as_text() == b.as_text();
    case Kind::kDuration:
    case Kind::kTimestamp:
      return a.as_instant() == b.as_instant();
    case Kind::kList:
      return equal_lists(a.as_list(), b.as_list(), arena);
    case Kind::kMap:
      return equal_maps(a.as_map(), b.as_map(), arena);
    case Kind::kType:
      // At run time a type is its name; parameters are the checker's.
      return a.as_type()->name == b.as_type()->name;
    case Kind::kOptional: {
      const Value* left = a.as_optional();
      const Value* right = b.as_optional();
      if (left == nullptr || right == nullptr) return left == right;
      return equal(*left, *right, arena);
    }
    case Kind::kObject:
      return a.as_object().type()->name == b.as_object().type()->name && a.as_object().equals(b.as_object(), arena);
    case Kind::kInt:
    case Kind::kUint:
    case Kind::kDouble:
    case Kind::kError:
      return false;
  }
  return false;
}

TypeRef type_of(Value value) {
  switch (value.kind()) {
    case Kind::kNull:
      return &types::kNull;
    case Kind::kBool:
      return &types::kBool;
    case Kind::kInt:
      return &types::kInt;
    case Kind::kUint:
      return &types::kUint;
    case Kind::kDouble:
      return &types::kDouble;
    case Kind::kString:
      return &types::kString;
    case Kind::kBytes:
      return &types::kBytes;
    case Kind::kDuration:
      return &types::kDuration;
    case Kind::kTimestamp:
      return &types::kTimestamp;
    case Kind::kList:
      return &types::kList;
    case Kind::kMap:
      return &types::kMap;
    case Kind::kType:
      return &types::kType;
    case Kind::kOptional:
      return &types::kOptionalA;
    case Kind::kObject:
      return value.as_object().type();
    case Kind::kError:
      return &types::kError;
  }
  return &types::kError;
}

}  // namespace berth::cel
