// Shape: all that scheduling can see of a pod template, interned by content. Ten thousand replicas are one shape and a
// count.
//
// Many apps differ only in labels and in the rules among pods (spread, affinity). What an index over nodes depends on
// is the rest, the *search part*: shapes with equal search parts share one index. It is a ShapeInput as well, with the
// fields that the index does not read left empty.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "engine/config.h"
#include "engine/ids.h"
#include "engine/input.h"

namespace berth::engine {

using SearchId = Id<struct SearchTag>;  // one search part

struct Shape {
  ShapeInput input;
  SearchId search;
  std::vector<ResourceAmount> charge;  // what a pod counts in its queues: what it takes, or what its input says instead
  const Profile* profile = nullptr;    // null: a profile this engine does not have; such pods run but are not placed
  std::uint32_t users = 0;             // pods of this shape, wherever they are; a shape without may be swept away
  std::uint32_t placed = 0;            // those that are on nodes
  std::uint8_t kind = kNoCardKind;     // for NodeView::pods_by_kind
  bool tolerates_unschedulable = false;
  // Where a list of nodes is longer, an index over all of them finds the best sooner than a look at each of the list
  // does.
  static constexpr std::size_t kMostNarrowed = 32;
  // The only nodes by name that the shape can go to, if they are so few, ascending by id: spec.nodeName, or matchFields
  // in every term of its node affinity or of a volume's.
  std::optional<std::vector<NameId>> narrowed_to;
};

// The search part of a shape: labels, namespace, priority and rules among pods left out.
[[nodiscard]] ShapeInput search_part(const ShapeInput& shape);

// What a pod takes of its node: requests, cards, one of `pods`. Ascending; of shares by memory nothing.
[[nodiscard]] std::vector<ResourceAmount> taken_of(const ShapeInput& shape);

// See Shape::charge.
[[nodiscard]] std::vector<ResourceAmount> charge_of(const ShapeInput& shape);

// See Shape::narrowed_to. Names that only a filter outside of the profile would ask for do not narrow.
[[nodiscard]] std::optional<std::vector<NameId>> narrow(const ShapeInput& shape, const Profile& profile);

// See kPodKindCount.
[[nodiscard]] std::uint8_t card_kind(const ShapeInput& shape);

}  // namespace berth::engine
