#include "text/entry.h"

#include <algorithm>
#include <cstddef>
#include <cstring>

namespace berth::text {

Location Entry::locate(const Value& at) const {
  const Origin origin = at.origin();
  if (origin.line != 0) return {static_cast<std::int32_t>(origin.line), static_cast<std::int32_t>(origin.column)};
  if (json.empty()) return start;
  const std::string_view before = json.substr(0, std::min<std::size_t>(origin.column, json.size()));
  // An object may have a place in each of its fields, all on one line: memrchr looks at many bytes at a time.
  const void* last_break = before.empty() ? nullptr : ::memrchr(before.data(), '\n', before.size());
  if (last_break == nullptr) return {start.line, start.column + static_cast<std::int32_t>(before.size())};
  const auto breaks = static_cast<std::int32_t>(std::count(before.begin(), before.end(), '\n'));
  const std::ptrdiff_t column = before.data() + before.size() - static_cast<const char*>(last_break);
  return {start.line + breaks, static_cast<std::int32_t>(column)};
}

SkipPaths::SkipPaths(std::initializer_list<std::initializer_list<std::string_view>> paths) {
  for (const auto& path : paths) add(path);
}

void SkipPaths::add(std::initializer_list<std::string_view> path) {
  Node* node = &root_;
  for (const std::string_view name : path) {
    const auto found = std::find_if(node->children.begin(), node->children.end(),
                                    [&](const Node& child) { return child.name == name; });
    node = found != node->children.end() ? &*found : &node->children.emplace_back(Node{std::string(name), false, {}});
  }
  node->dropped = true;
}

}  // namespace berth::text
