#include "engine/search/search.h"

#include <algorithm>

#include "engine/search/full_scan.h"

namespace berth::engine {

Search::Search(World& world) : world_(world) {}
Search::~Search() = default;

Choice Search::best(ShapeId shape, NameId promised, std::uint64_t draw) {
  return best_by_full_scan(shape, promised, draw);
}

Choice Search::best_by_full_scan(ShapeId shape_id, NameId promised, std::uint64_t draw) const {
  const Shape& shape = world_.shape(shape_id);
  const Question question{world_, shape, world_.topology().plan(shape_id)};
  const NodeId kept = promised.is_none() ? NodeId::none() : world_.find_node(promised);
  if (!shape.narrowed_to) return full_scan(question, world_.by_rank(), kept, draw);
  std::vector<NodeId> candidates;
  for (const NameId name : *shape.narrowed_to) {
    if (const NodeId node = world_.find_node(name); !node.is_none()) candidates.push_back(node);
  }
  std::ranges::sort(candidates, {}, [&](NodeId node) { return world_.node(node).rank; });
  return full_scan(question, candidates, kept, draw);
}

}  // namespace berth::engine
