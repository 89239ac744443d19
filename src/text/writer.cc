#include "text/writer.h"

#include <array>
#include <charconv>
#include <cmath>

#include "text/numbers.h"

namespace berth::text {

void Writer::integer(std::int64_t value) {
  std::array<char, 24> buffer{};
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value).ptr;
  number({buffer.data(), static_cast<std::size_t>(end - buffer.data())});
}

void Writer::real(double value) {
  if (std::isfinite(value)) {
    number(json_double(value));
  } else {
    null();
  }
}

void Writer::value(const Value& tree) {
  switch (tree.kind()) {
    case Kind::kNull:
      return null();
    case Kind::kBool:
      return boolean(tree.is_true());
    case Kind::kNumber:
      return number(tree.text());
    case Kind::kString:
      return string(tree.text());
    case Kind::kArray:
      begin_array();
      for (const Value& item : tree.items()) value(item);
      return end_array();
    case Kind::kObject:
      begin_object();
      for (const Member& member : tree.members()) {
        key(member.name());
        value(member.value);
      }
      return end_object();
  }
}

}  // namespace berth::text
