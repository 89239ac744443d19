#include "text/value.h"

#include <bit>
#include <charconv>
#include <cstring>
#include <functional>

#include "base/whole_number.h"

namespace berth::text {

std::string_view describe(Kind kind) {
  switch (kind) {
    case Kind::kNull:
      return "null";
    case Kind::kBool:
      return "a boolean";
    case Kind::kNumber:
      return "a number";
    case Kind::kString:
      return "a string";
    case Kind::kArray:
      return "an array";
    case Kind::kObject:
      return "an object";
  }
  return "unknown";
}

std::optional<std::int64_t> Value::as_int64() const {
  return is_number() ? whole_number<std::int64_t>(text()) : std::nullopt;
}

std::optional<std::uint64_t> Value::as_uint64() const {
  if (!is_number()) return std::nullopt;
  return text() == "-0" ? std::optional<std::uint64_t>(0) : whole_number<std::uint64_t>(text());
}

std::optional<double> Value::as_double() const {
  if (!is_number()) return std::nullopt;
  double number = 0;
  const auto [end, error] = std::from_chars(text().data(), text().data() + text().size(), number);
  if (error != std::errc() || end != text().data() + text().size()) return std::nullopt;
  return number;
}

bool equal(const Value& a, const Value& b) {
  if (a.kind() != b.kind() || a.size() != b.size()) return false;
  switch (a.kind()) {
    case Kind::kNull:
    case Kind::kBool:
      return true;  // the size holds the boolean
    case Kind::kNumber:
    case Kind::kString:
      return a.text() == b.text();
    case Kind::kArray:
      for (std::size_t i = 0; i < a.size(); ++i)
        if (!equal(a.items()[i], b.items()[i])) return false;
      return true;
    case Kind::kObject:
      for (const Member& member : a.members()) {
        const Value* other = b.find(member.name());
        if (other == nullptr || !equal(member.value, *other)) return false;
      }
      return true;
  }
  return false;
}

Value ValueBuilder::take_array(std::size_t mark, Origin origin) {
  const std::size_t count = stack_.size() - mark;
  if (count == 0) return Value::array({}, origin);
  auto* items = static_cast<Value*>(arena_->allocate(count * sizeof(Value)));
  std::memcpy(static_cast<void*>(items), stack_.data() + mark, count * sizeof(Value));
  stack_.resize(mark);
  return Value::array({items, count}, origin);
}

Value ValueBuilder::take_object(std::size_t mark, Origin origin) {
  const std::size_t count = (stack_.size() - mark) / 2;
  if (count == 0) return Value::object({}, origin);
  auto* members = static_cast<Member*>(arena_->allocate(count * sizeof(Member)));
  std::memcpy(static_cast<void*>(members), stack_.data() + mark, count * sizeof(Member));
  stack_.resize(mark);
  return Value::object({members, count}, origin);
}

const Value* ValueBuilder::duplicate_key(std::size_t mark) {
  constexpr std::size_t kFew = 12;
  const std::size_t count = (stack_.size() - mark) / 2;
  const auto key = [&](std::size_t i) -> const Value& { return stack_[mark + 2 * i]; };
  if (count <= kFew) {
    for (std::size_t i = 1; i < count; ++i)
      for (std::size_t j = 0; j < i; ++j)
        if (key(i).size() == key(j).size() && key(i).text() == key(j).text()) return &key(i);
    return nullptr;
  }
  // Open addressing, at most half full.
  const std::size_t slots = std::bit_ceil(count * 2);
  table_.assign(slots, nullptr);
  for (std::size_t i = 0; i < count; ++i) {
    std::size_t slot = std::hash<std::string_view>{}(key(i).text()) & (slots - 1);
    for (; table_[slot] != nullptr; slot = (slot + 1) & (slots - 1))
      if (table_[slot]->text() == key(i).text()) return &key(i);
    table_[slot] = &key(i);
  }
  return nullptr;
}

}  // namespace berth::text
