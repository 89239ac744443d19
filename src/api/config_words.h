// A field of a configuration that is one of a few words.
#pragma once

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/config_fields.h"
#include "api/scheduler_plugins.h"
#include "base/result.h"

namespace berth::api {

template <class T>
struct Word {
  std::string_view text;
  T value;
};

template <class T, std::size_t kCount>
Result<std::optional<T>> word(ConfigFields& fields, std::string_view name, const std::array<Word<T>, kCount>& words) {
  BERTH_TRY(const auto text, fields.text(name));
  if (!text) return std::nullopt;
  const auto found = std::ranges::find(words, *text, &Word<T>::text);
  if (found != words.end()) return found->value;
  std::vector<std::string> known;
  std::string list;
  for (const auto& one : words) {
    known.emplace_back(one.text);
    list += (list.empty() ? "" : ", ") + known.back();
  }
  return fields.error(name, "\"" + std::string(*text) + "\" is none of: " + list + "." + suggestion(*text, known));
}

}  // namespace berth::api
