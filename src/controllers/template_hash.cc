#include "controllers/template_hash.h"

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <tuple>

#include "base/tie_order.h"

namespace berth::controllers {

std::string template_hash(const api::PodTemplate& from) {
  std::string text;
  for (const auto& [key, value] : from.metadata.labels) text += key + "=" + value + ";";
  for (const auto& container : from.spec.containers) {
    text += container.name + "," + container.image;
    for (const auto& [name, quantity] : container.resources.requests) text += "," + name + quantity.to_string();
    text += ";";
  }
  constexpr std::string_view kDigits = "bcdfghjklmnpqrstvwxz2456789";
  constexpr std::size_t kLength = 9;
  std::uint64_t hash = stable_hash(text);
  std::string result;
  for (std::size_t i = 0; i < kLength; ++i) {
    result += kDigits[static_cast<std::size_t>(hash % kDigits.size())];
    hash /= kDigits.size();
  }
  return result;
}

std::string revision_of(std::span<const api::Pod* const> pods, const api::PodTemplate& from,
                        const std::string& prefix) {
  const api::Pod* youngest = nullptr;
  const auto age = [](const api::Pod& pod) {
    return std::tuple(pod.metadata.creation_timestamp.value_or(0), std::string_view(pod.metadata.name));
  };
  for (const api::Pod* pod : pods) {
    if (pod->metadata.labels.contains(kRevisionLabel) && (youngest == nullptr || age(*youngest) < age(*pod)))
      youngest = pod;
  }
  return youngest != nullptr ? youngest->metadata.labels.find(kRevisionLabel)->second : prefix + template_hash(from);
}

}  // namespace berth::controllers
