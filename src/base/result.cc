#include "base/result.h"

namespace berth {

std::string Place::to_string() const {
  std::string text = file;
  const auto word = [&text](std::string_view name, std::int32_t number) {
    if (number == 0) return;
    if (!text.empty()) text += ' ';
    text += name;
    text += ' ';
    text += std::to_string(number);
  };
  word("document", document);
  word("line", line);
  word("column", column);
  const auto part = [&text](const std::string& value) {
    if (value.empty()) return;
    if (!text.empty()) text += ": ";
    text += value;
  };
  part(object);
  part(field);
  return text;
}

std::string Error::to_string() const {
  std::string text = place.to_string();
  if (!text.empty()) text += ": ";
  return text + message;
}

}  // namespace berth
