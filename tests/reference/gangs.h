// Gangs by exhaustion: every way to put members on nodes is looked at.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace berth::reference {

struct GangNode {
  std::vector<std::int64_t> free;     // per resource
  std::vector<std::int32_t> domains;  // per level, the outermost first; -1: in none
};

struct GangMember {
  std::size_t group = 0;              // its leaf
  std::vector<std::int64_t> request;  // per resource
};

struct GangGroup {
  std::size_t parent = 0;  // the root is first and names itself
  std::int32_t minimum_pods = 0;
  std::int32_t minimum_children = 0;  // at most as many as there are
  std::int32_t required_level = -1;   // -1: none
  // Leaves: so many pods at a time in one domain of the level, save what does not make a whole slice. 0: no slices.
  std::int32_t slice_size = 0;
  std::int32_t slice_level = -1;
};

// Can enough members be placed so that the root is satisfied, every group with a level in one domain of it?
[[nodiscard]] bool can_start(const std::vector<GangNode>& nodes, const std::vector<GangMember>& members,
                             const std::vector<GangGroup>& groups);

// Over all placements that start the gang: the fewest domains of the level that are touched (of pods in none each
// counts as one), and of those with so few the smallest of the largest numbers of pods in one.
struct GangSpread {
  std::int32_t domains = 0;
  std::int32_t largest = 0;
  auto operator<=>(const GangSpread&) const = default;
};
[[nodiscard]] GangSpread spread_of(const std::vector<GangNode>& nodes, const std::vector<std::int32_t>& node_of,
                                   std::int32_t level);
[[nodiscard]] GangSpread best_spread(const std::vector<GangNode>& nodes, const std::vector<GangMember>& members,
                                     const std::vector<GangGroup>& groups, std::int32_t level);

// Is this placement (node per member, -1: on none) whole and within its rules? Amounts are not looked at.
[[nodiscard]] bool is_whole(const std::vector<GangNode>& nodes, const std::vector<GangMember>& members,
                            const std::vector<GangGroup>& groups, const std::vector<std::int32_t>& node_of);

}  // namespace berth::reference
