// Lists and maps that the evaluator itself makes, in an arena.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "cel/value.h"

namespace berth::cel {

// Elements side by side. push_back is amortised O(1) and only for whoever made the list and has not shown it yet.
class ArrayList final : public List {
 public:
  ArrayList() = default;
  ArrayList(Value* items, std::size_t size) : items_(items), size_(size), capacity_(size) {}

  [[nodiscard]] std::size_t size() const override { return size_; }
  [[nodiscard]] Value at(std::size_t index, Arena& /*arena*/) const override { return items_[index]; }
  void push_back(Value value, Arena& arena);

  // A list of the given size whose elements the caller fills in through `items`.
  static ArrayList* make(std::size_t size, Arena& arena, Value*& items);
  static const ArrayList* copy(std::span<const Value> values, Arena& arena);

 private:
  Value* items_ = nullptr;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
};

// Entries in the order of insertion; small ones are searched, larger ones hashed. insert() takes numeric keys of equal
// value for one key, whatever their types.
class ArrayMap final : public Map {
 public:
  struct Entry {
    Value key;
    Value value;
  };

  [[nodiscard]] std::size_t size() const override { return size_; }
  [[nodiscard]] std::optional<Value> find(Value key, Arena& arena) const override;
  [[nodiscard]] Value key_at(std::size_t position, Arena& /*arena*/) const override { return entries_[position].key; }
  [[nodiscard]] Value value_at(std::size_t position, Arena& /*arena*/) const override {
    return entries_[position].value;
  }
  // False, and nothing happens, if the key is there already. For whoever made the map and has not shown it yet.
  bool insert(Value key, Value value, Arena& arena);
  // Overwrites the value of the same key of the same type. Keys may be anything; those that have an identity of their
  // own (lists, maps, objects) are not found again.
  void put(Value key, Value value, Arena& arena);

 private:
  static constexpr std::uint32_t kEmpty = 0;
  static constexpr std::size_t kHashedFrom = 8;

  using Same = bool (*)(Value, Value);
  [[nodiscard]] std::size_t position_of(Value key, Same same) const;
  void append(Value key, Value value, Arena& arena);
  void rehash(Arena& arena);

  Entry* entries_ = nullptr;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
  std::uint32_t* table_ = nullptr;  // position + 1; power of two, at most half full
  std::size_t table_size_ = 0;
};

// Keys of the language are bool, int, uint and string.
[[nodiscard]] bool is_map_key(Value key);
// Does a look-up by `key` find the entry of `own`? An int or uint also finds the other, a double that is a whole number
// both; who is a double is found by doubles alone.
[[nodiscard]] bool same_key(Value own, Value key);
[[nodiscard]] std::uint64_t hash_key(Value key);

}  // namespace berth::cel
