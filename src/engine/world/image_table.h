// ImageTable: which container images the nodes of a world hold, and how large they are.
//
// Nodes may report different sizes under one name. The size that counts is that of the first node in order of names,
// whichever came first, so that the order of events does not matter (docs/differences.md).
#pragma once

#include <cstdint>
#include <span>

#include <boost/unordered/unordered_flat_map.hpp>

#include "engine/ids.h"
#include "engine/input.h"
#include "engine/names.h"

namespace berth::engine {

struct ImageSpread {
  std::int64_t size_bytes = 0;
  std::uint32_t nodes = 0;
  bool operator==(const ImageSpread&) const = default;
};

class ImageTable {
 public:
  explicit ImageTable(const Names& names) : names_(names) {}

  // What the node held, and what it holds now, each image once and ascending. O(1) for each image that changed, and
  // O(nodes with it) where the node told its size.
  void replace(NameId node, std::span<const ImageState> before, std::span<const ImageState> after);

  // Nothing if no node has it.
  [[nodiscard]] ImageSpread spread(NameId image) const;
  // Moves on when an image came to a node or left one.
  [[nodiscard]] std::uint64_t changes() const { return changes_; }

 private:
  struct Image {
    boost::unordered_flat_map<NameId, std::int64_t> size_on;  // by node
    NameId first;                                             // of those, by name
  };
  void add(NameId node, const ImageState& image);
  void remove(NameId node, const ImageState& image);

  const Names& names_;
  boost::unordered_flat_map<NameId, Image> images_;
  std::uint64_t changes_ = 0;
};

}  // namespace berth::engine
