#include "controllers/fresh_names.h"

#include "api/full_name.h"
#include "base/tie_order.h"
#include "controllers/workshop.h"

namespace berth::controllers {
namespace {

// No vowels, so no words.
constexpr std::string_view kLetters = "bcdfghjklmnpqrstvwxz2456789";
constexpr std::size_t kSuffixLength = 5;
constexpr std::uint64_t kSuffixes = 27ULL * 27 * 27 * 27 * 27;
constexpr std::uint64_t kStride = 8'954'239;  // no multiple of 3, so that walking meets every suffix once
constexpr std::size_t kLongestPrefix = 58;

std::string suffix_of(std::uint64_t number) {
  std::string suffix(kSuffixLength, ' ');
  for (char& letter : suffix) {
    letter = kLetters[static_cast<std::size_t>(number % kLetters.size())];
    number /= kLetters.size();
  }
  return suffix;
}

}  // namespace

std::string FreshNames::make(std::string_view namespace_, std::string_view prefix) {
  prefix = prefix.substr(0, kLongestPrefix);
  const std::string key = api::full_name(namespace_, prefix);
  std::uint64_t& next = next_suffix_[key];
  const std::uint64_t start = stable_hash(key) % kSuffixes;
  while (true) {
    std::string name = std::string(prefix) + suffix_of((start + next++ * kStride) % kSuffixes);
    if (used_.insert(api::full_name(namespace_, name)).second) return name;
  }
}

}  // namespace berth::controllers
