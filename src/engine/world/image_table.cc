#include "engine/world/image_table.h"

namespace berth::engine {

void ImageTable::replace(NameId node, std::span<const ImageState> before, std::span<const ImageState> after) {
  auto old = before.begin();
  auto now = after.begin();
  while (old != before.end() || now != after.end()) {
    if (now == after.end() || (old != before.end() && *old < *now)) {
      remove(node, *old++);
    } else if (old == before.end() || *now < *old) {
      add(node, *now++);
    } else {
      ++old;
      ++now;
      continue;
    }
    ++changes_;
  }
}

void ImageTable::add(NameId node, const ImageState& image) {
  Image& known = images_[image.image];
  known.size_on.insert_or_assign(node, image.size_bytes);
  if (known.first.is_none() || names_.names.text(node) < names_.names.text(known.first)) known.first = node;
}

void ImageTable::remove(NameId node, const ImageState& image) {
  const auto entry = images_.find(image.image);
  Image& known = entry->second;
  // Its other size may be there already.
  const auto held = known.size_on.find(node);
  if (held == known.size_on.end() || held->second != image.size_bytes) return;
  known.size_on.erase(held);
  if (known.size_on.empty()) {
    images_.erase(entry);
    return;
  }
  if (known.first != node) return;
  known.first = NameId::none();
  for (const auto& [other, size] : known.size_on) {
    if (known.first.is_none() || names_.names.text(other) < names_.names.text(known.first)) known.first = other;
  }
}

ImageSpread ImageTable::spread(NameId image) const {
  const auto found = images_.find(image);
  if (found == images_.end()) return {};
  const Image& known = found->second;
  return {known.size_on.at(known.first), static_cast<std::uint32_t>(known.size_on.size())};
}

}  // namespace berth::engine
