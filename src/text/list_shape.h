// What tells a list of objects from an object: both readers take lists apart while they read.
#pragma once

#include <string>
#include <string_view>

namespace berth::text {

// Of a document with an array `items`, by its kind: lists have a kind that ends in List, or none.
[[nodiscard]] inline bool may_be_list(std::string_view kind) { return kind.empty() || kind.ends_with("List"); }

// The items of a document were delivered before its kind was read, and then that was no list's.
[[nodiscard]] inline std::string no_list_message(std::string_view kind) {
  static constexpr std::size_t kMostOfAName = 128;
  return "This has the kind " + std::string(kind.substr(0, kMostOfAName)) +
         " behind an array `items`, which only lists have: the items were read and nothing else of it; give a list a "
         "kind that ends in List, or remove the items.";
}

}  // namespace berth::text
