// ShapeTable: the shapes of a world, interned by content, and the search parts that they share.
//
// Shapes that no pod has any more stay until there are more of them than others; then sweep() frees them, and their ids
// come to be used again. Whoever keeps something by shape or search part is told what to forget.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>

#include "engine/config.h"
#include "engine/ids.h"
#include "engine/input.h"
#include "engine/names.h"
#include "engine/world/content_hash.h"
#include "engine/world/shape.h"

namespace berth::engine {

class ShapeTable {
 public:
  // Both are borrowed.
  ShapeTable(const Config& config, const Names& names) : config_(config), names_(names) {}

  struct Interned {
    ShapeId id;
    bool added = false;  // it was not known
  };
  // O(size of the shape). References to shapes stay valid.
  Interned intern(const ShapeInput& input);

  [[nodiscard]] const Shape& operator[](ShapeId id) const { return shapes_[id.index()]; }
  [[nodiscard]] std::size_t size() const { return shapes_.size(); }
  // Any shape with this search part.
  [[nodiscard]] ShapeId example(SearchId id) const { return examples_[id.index()]; }
  [[nodiscard]] std::size_t search_count() const { return examples_.size(); }

  // A pod has the shape from now on (1), or no longer (-1).
  void use(ShapeId id, int delta);
  // A pod of the shape came onto a node (1), or left one (-1).
  void count_placed(ShapeId id, int delta) { shapes_[id.index()].placed += static_cast<std::uint32_t>(delta); }

  struct Swept {
    std::vector<ShapeId> shapes;
    std::vector<SearchId> searches;  // gone, or with another example
  };
  [[nodiscard]] bool wants_sweep() const;
  // O(shapes).
  [[nodiscard]] Swept sweep();

 private:
  [[nodiscard]] Shape make(const ShapeInput& input) const;
  [[nodiscard]] bool tolerates_cordons(const ShapeInput& input) const;
  void join_search(ShapeId id);
  void free(ShapeId id);

  const Config& config_;
  const Names& names_;
  std::deque<Shape> shapes_;                                                  // a deque never moves its elements
  boost::unordered_flat_map<std::uint64_t, std::vector<ShapeId>> shape_ids_;  // by content hash
  std::vector<ShapeId> free_shapes_;
  std::size_t unused_ = 0;         // interned, but no pod has them
  std::vector<ShapeId> examples_;  // by search part; none: the part is free
  std::vector<SearchId> free_searches_;
  boost::unordered_flat_map<ShapeInput, SearchId, ContentHasher> search_ids_;
};

}  // namespace berth::engine
