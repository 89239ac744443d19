// Search: the best node for a pod, now. One per engine; keeps an index per search part that is asked often.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "engine/fit/question.h"
#include "engine/search/choice.h"

namespace berth::engine {

class Search {
 public:
  explicit Search(World& world);
  ~Search();
  Search(const Search&) = delete;
  Search& operator=(const Search&) = delete;

  // The best node for a pod of this shape. A node promised earlier (none: no promise) wins if it passes all filters.
  // `draw` decides what is decided at random. The world must be fresh (World::refresh()).
  [[nodiscard]] Choice best(ShapeId shape, NameId promised, std::uint64_t draw);

  // The same by the full scan, for comparison.
  [[nodiscard]] Choice best_by_full_scan(ShapeId shape, NameId promised, std::uint64_t draw) const;

 private:
  World& world_;
};

}  // namespace berth::engine
