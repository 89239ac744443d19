#include "engine/names.h"

#include <charconv>

#include "engine/devices/catalogue.h"

namespace berth::engine {

Names::Names() : devices_(std::make_unique<devices::Catalogue>()) {
  for (const char* name : {"cpu", "memory", "ephemeral-storage", "pods"}) resources.intern(name);
}

Names::~Names() = default;

LabelValueId Names::label_value(std::string_view text) {
  const LabelValueId id = values_.intern(text);
  if (id.index() == integers_.size()) {
    // Base 10 with an optional sign, the whole text: what the API means by an integer label value.
    std::string_view digits = text;
    if (digits.starts_with('+') && digits.size() > 1 && digits[1] != '-') digits.remove_prefix(1);
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    const bool whole = error == std::errc() && end == digits.data() + digits.size();
    integers_.push_back(whole ? std::optional(value) : std::nullopt);
  }
  return id;
}

}  // namespace berth::engine
