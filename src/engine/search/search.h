// Search: the best node for a pod, now. One per engine; keeps an index per search part.
//
// Rules among pods are masks over the index: spread and affinity name the nodes they allow, anti-affinity those it
// forbids, and the index is walked best first. Scores among pods (preferred inter-pod affinity, ScheduleAnyway) depend
// on the set of feasible nodes, so shapes that have them are scored over classes of these (among_pods.h) or, where that
// is no gain, over all of them, with the index's local scores.
//
// Cost: that of the index of the shape's search part, plus O(nodes / 64) per mask where there are rules among pods.
// Indexes are kept within a budget of memory; what was not asked for the longest goes, and is made anew when needed.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>

#include "engine/fit/question.h"
#include "engine/search/choice.h"
#include "engine/search/index.h"

namespace berth::engine {

class Search {
 public:
  explicit Search(World& world);
  ~Search();
  Search(const Search&) = delete;
  Search& operator=(const Search&) = delete;

  // The best node for a pod of this shape. A node promised earlier (none: no promise) wins if it passes all filters.
  // `draw` decides what is decided at random. With `within`, of the nodes of these ranks only; `closed` are nodes to
  // leave out (see Question). The world must be fresh (World::refresh()).
  [[nodiscard]] Choice best(ShapeId shape, NameId promised, std::uint64_t draw, std::span<const NodeId> closed = {},
                            const Bitmap* within = nullptr);

  // Lets go of what was kept for search parts that are gone.
  void forget(std::span<const SearchId> searches);

  // The same by the full scan, for comparison.
  [[nodiscard]] Choice best_by_full_scan(ShapeId shape, NameId promised, std::uint64_t draw,
                                         std::span<const NodeId> closed = {}, const Bitmap* within = nullptr) const;

 private:
  struct Kept {
    std::unique_ptr<Index> index;
    std::uint64_t last_use = 0;
  };
  [[nodiscard]] bool is_too_large(const Question& question) const;
  Index& index_of(const Shape& shape);
  void drop_oldest();
  // False if the rules among pods forbid every node.
  bool make_masks(const Question& question);
  [[nodiscard]] Choice best_with_scores_among_pods(const Question& question, const Index& index,
                                                   std::optional<std::uint64_t> draw) const;

  World& world_;
  std::vector<Kept> indexes_;  // by search part
  std::size_t kept_ = 0;
  std::uint64_t uses_ = 0;
  boost::unordered_flat_map<const PlacementPolicy*, std::unique_ptr<NodeStates>> states_;
  std::vector<Mask> masks_;  // scratch
  Bitmap closed_;            // scratch
};

}  // namespace berth::engine
