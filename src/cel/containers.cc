#include "cel/containers.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace berth::cel {

namespace {

std::uint64_t mix(std::uint64_t x) {
  x ^= x >> 33U;
  x *= 0xff51afd7ed558ccdULL;
  x ^= x >> 33U;
  return x;
}

// The integer that the double is, exactly.
std::optional<Value> whole(double value) {
  if (value != std::floor(value)) return std::nullopt;
  if (value >= -9223372036854775808.0 && value < 9223372036854775808.0) {
    return Value::integer(static_cast<std::int64_t>(value));
  }
  if (value >= 0 && value < 18446744073709551616.0) return Value::unsigned_integer(static_cast<std::uint64_t>(value));
  return std::nullopt;
}

}  // namespace

void ArrayList::push_back(Value value, Arena& arena) {
  if (size_ == capacity_) {
    const std::size_t capacity = std::max<std::size_t>(4, capacity_ * 2);
    auto* items = arena.make_array<Value>(capacity);
    std::copy_n(items_, size_, items);
    items_ = items;
    capacity_ = capacity;
  }
  items_[size_++] = value;
}

ArrayList* ArrayList::make(std::size_t size, Arena& arena, Value*& items) {
  items = arena.make_array<Value>(size);
  return arena.make<ArrayList>(items, size);
}

const ArrayList* ArrayList::copy(std::span<const Value> values, Arena& arena) {
  Value* items = nullptr;
  const ArrayList* list = make(values.size(), arena, items);
  std::copy(values.begin(), values.end(), items);
  return list;
}

bool is_map_key(Value key) {
  return key.is(Kind::kString) || key.is(Kind::kInt) || key.is(Kind::kUint) || key.is(Kind::kBool);
}

namespace {

// Of one type, and equal.
bool identical_key(Value a, Value b) {
  if (a.kind() != b.kind()) return false;
  switch (a.kind()) {
    case Kind::kString:
      return a.as_text() == b.as_text();
    case Kind::kInt:
    case Kind::kUint:
      return a.as_uint() == b.as_uint();
    case Kind::kBool:
      return a.as_bool() == b.as_bool();
    case Kind::kDouble:
      return a.as_double() == b.as_double();
    case Kind::kNull:
      return true;
    case Kind::kDuration:
    case Kind::kTimestamp:
      return a.as_instant() == b.as_instant();
    case Kind::kType:
      return a.as_type() == b.as_type();
    case Kind::kBytes:
    case Kind::kList:
    case Kind::kMap:
    case Kind::kOptional:
    case Kind::kObject:
    case Kind::kError:
      break;
  }
  return false;
}

}  // namespace

bool same_key(Value own, Value key) {
  if (own.kind() == key.kind()) return identical_key(own, key);
  if (!own.is_number() || !key.is_number() || own.is(Kind::kDouble)) return false;
  const auto wanted = key.is(Kind::kDouble) ? whole(key.as_double()) : key;
  return wanted && compare_numbers(own, *wanted) == Order::kEqual;
}

std::uint64_t hash_key(Value key) {
  switch (key.kind()) {
    case Kind::kString: {
      const std::string_view text = key.as_text();
      std::uint64_t hash = 0x9e3779b97f4a7c15ULL ^ text.size();
      for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
      return mix(hash);
    }
    case Kind::kInt:
    case Kind::kUint:
      return mix(key.as_uint());
    case Kind::kDouble: {
      const auto number = whole(key.as_double());
      return number ? mix(number->as_uint()) : 0;
    }
    case Kind::kBool:
      return mix(key.as_uint() + 1);
    default:
      return 1;  // rare
  }
}

std::size_t ArrayMap::position_of(Value key, Same same) const {
  if (table_ == nullptr) {
    for (std::size_t i = 0; i < size_; ++i) {
      if (same(entries_[i].key, key)) return i;
    }
    return size_;
  }
  for (std::size_t slot = hash_key(key) & (table_size_ - 1);; slot = (slot + 1) & (table_size_ - 1)) {
    const std::uint32_t entry = table_[slot];
    if (entry == kEmpty) return size_;
    if (same(entries_[entry - 1].key, key)) return entry - 1;
  }
}

// Who is of the same type goes before numbers of other types.
std::optional<Value> ArrayMap::find(Value key, Arena& /*arena*/) const {
  std::size_t position = position_of(key, identical_key);
  if (position == size_ && key.is_number()) position = position_of(key, same_key);
  if (position == size_) return std::nullopt;
  return entries_[position].value;
}

void ArrayMap::rehash(Arena& arena) {
  table_size_ = 16;
  while (table_size_ < capacity_ * 2) table_size_ *= 2;
  table_ = arena.make_array<std::uint32_t>(table_size_);
  std::fill_n(table_, table_size_, kEmpty);
  for (std::size_t i = 0; i < size_; ++i) {
    std::size_t slot = hash_key(entries_[i].key) & (table_size_ - 1);
    while (table_[slot] != kEmpty) slot = (slot + 1) & (table_size_ - 1);
    table_[slot] = static_cast<std::uint32_t>(i + 1);
  }
}

bool ArrayMap::insert(Value key, Value value, Arena& arena) {
  if (position_of(key, same_key) != size_) return false;
  append(key, value, arena);
  return true;
}

void ArrayMap::put(Value key, Value value, Arena& arena) {
  const std::size_t position = position_of(key, identical_key);
  if (position == size_) {
    append(key, value, arena);
  } else {
    entries_[position].value = value;
  }
}

void ArrayMap::append(Value key, Value value, Arena& arena) {
  if (size_ == capacity_) {
    capacity_ = std::max<std::size_t>(4, capacity_ * 2);
    auto* entries = arena.make_array<Entry>(capacity_);
    std::copy_n(entries_, size_, entries);
    entries_ = entries;
    table_ = nullptr;
  }
  entries_[size_++] = {key, value};
  if (size_ <= kHashedFrom) return;
  if (table_ == nullptr) {
    rehash(arena);
    return;
  }
  std::size_t slot = hash_key(key) & (table_size_ - 1);
  while (table_[slot] != kEmpty) slot = (slot + 1) & (table_size_ - 1);
  table_[slot] = static_cast<std::uint32_t>(size_);
}

}  // namespace berth::cel
