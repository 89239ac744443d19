// Index: for one search part, every node that it fits, by score, always ready to name the best.
//
// What pods do not change (selectors, taints, names, sizes, images) is asked once per node, and again when the node is
// replaced. What changes with placements (room, ports, resource scores) is asked again for the nodes that the world's
// log names. Nodes are grouped by their raw scores that are normalised over the feasible nodes (preferred node
// affinity, PreferNoSchedule taints, rank of device alternatives): within a group the order by the rest is the order by
// total, so the best of each group decides, and the largest raw scores among the groups that have a feasible node give
// the normalisation.
//
// Rules among pods come as masks from outside, so shapes that differ in them alone share one index.
//
// Cost, with n nodes: to make one, n times filters and scores; to catch up, the filters and scores of the nodes that
// changed, each O(1) or O(log scores) in the buckets; the best without masks O(groups * n / 4096), with masks in the
// order of the scores until an allowed node comes. Memory: about 60 bytes per node. tests/reference and full_scan.h are
// what it is compared with.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "engine/fit/question.h"
#include "engine/score/placement_policy.h"
#include "engine/score/resource_terms.h"
#include "engine/search/buckets.h"
#include "engine/search/choice.h"
#include "engine/search/node_states.h"

namespace berth::engine {

class Index {
 public:
  // `states` is shared by the indexes of one policy; null without a policy. It must outlive the index.
  Index(const World& world, ShapeId example, NodeStates* states);

  // Follows the world's log, or starts anew where that is not possible. The world must be fresh.
  void catch_up();

  // The best node that the masks allow, scores among pods left out. `draw` decides among equals where it is given.
  [[nodiscard]] Choice best(std::span<const Mask> masks, std::optional<std::uint64_t> draw) const;

  // The card that the policy wants for a share on this node, or -1.
  [[nodiscard]] std::int32_t wanted_card(NodeId node);

  // The allowed nodes, ascending by rank; and a node's score without what is normalised over the feasible nodes.
  [[nodiscard]] std::vector<NodeId> feasible(std::span<const Mask> masks) const;
  [[nodiscard]] std::int64_t local_score(NodeId node) const { return scores_[world_.node(node).rank]; }
  // The weighted normalised static scores of a node, given the largest raw ones (see largest()).
  struct Raw {
    std::int64_t affinity = 0;
    std::int64_t taints = 0;
    std::int64_t devices = 0;  // the rank of the alternatives; changes with what is in use
    bool operator==(const Raw&) const = default;
    void raise_to(const Raw& other) {
      affinity = std::max(affinity, other.affinity);
      taints = std::max(taints, other.taints);
      devices = std::max(devices, other.devices);
    }
  };
  [[nodiscard]] const Raw& raw(NodeId node) const {
    return groups_[static_cast<std::size_t>(group_of_[world_.node(node).rank])].raw;
  }
  [[nodiscard]] std::int64_t static_score(const Raw& raw, const Raw& largest) const;

  // The feasible nodes, masks left out.
  [[nodiscard]] const Bitmap& feasible_ranks() const { return feasible_ranks_; }
  // Calls visit(raw, buckets) for each group: nodes that are alike in what is normalised, by their other scores.
  template <class Visit>
  void for_each_group(Visit visit) const {
    for (const Group& group : groups_) visit(group.raw, group.buckets);
  }

 private:
  struct Group {
    Raw raw;
    Buckets buckets;
  };
  static constexpr std::int32_t kExcluded = -1;

  void rebuild();
  // The policy answers otherwise since the last time.
  bool is_revised();
  // Files the nodes that have not changed under what the policy says of them now. Nodes that look the same are asked
  // about once, and no other node is looked at.
  void rescore();
  void follow_all();
  void ask_static(std::uint32_t rank);
  void follow(NodeId node);
  void follow_images();
  [[nodiscard]] std::vector<ImageSpread> spread_of_images() const;
  [[nodiscard]] std::int64_t fixed_score(NodeId node) const;
  void take_out(std::uint32_t rank);
  void update(NodeId node);
  [[nodiscard]] bool has_room(NodeId node) const;
  [[nodiscard]] std::int64_t score(NodeId node);
  [[nodiscard]] bool asks_policy() const { return policy_weight_ != 0 && !packs_devices_; }
  [[nodiscard]] const PolicyScore& policy_score(NodeId node);
  [[nodiscard]] std::int32_t group_for(const Raw& raw);
  [[nodiscard]] std::int32_t group_of(NodeId node, std::int32_t static_group);
  [[nodiscard]] std::optional<std::int64_t> largest_score() const;

  const World& world_;
  const Shape& shape_;
  TopologyPlan no_rules_;
  Question question_;
  NodeStates* states_;
  std::vector<ResourceTerm> fit_terms_;
  std::vector<ResourceTerm> balanced_terms_;
  // The profile's weights; 0: not scored.
  std::int64_t fit_weight_ = 0;
  std::int64_t balanced_weight_ = 0;
  std::int64_t image_weight_ = 0;
  std::int64_t volume_weight_ = 0;
  std::int64_t affinity_weight_ = 0;
  std::int64_t taint_weight_ = 0;
  std::int64_t device_weight_ = 0;
  std::int64_t policy_weight_ = 0;
  bool checks_room_ = false;
  bool checks_ports_ = false;
  bool checks_devices_ = false;
  bool packs_devices_ = false;  // the policy's score is that of the devices

  std::uint64_t layout_ = 0;
  std::uint64_t cursor_ = 0;
  std::vector<Group> groups_;
  std::vector<std::int32_t> static_group_;  // by rank, devices left out; kExcluded: never here
  std::vector<std::int64_t> fixed_score_;   // by rank: images and volumes, weighted; empty if all are 0
  std::vector<std::int32_t> group_of_;      // by rank; kExcluded: not now
  std::vector<std::int64_t> scores_;        // by rank, where group_of_ is not kExcluded
  std::size_t feasible_count_ = 0;
  Bitmap feasible_ranks_;
  std::uint64_t image_changes_ = 0;
  std::vector<ImageSpread> images_;  // of the shape's images, as the scores know them
  std::uint64_t policy_revision_ = 0;
  std::uint64_t memo_generation_ = 0;
  std::vector<PolicyScore> memo_;        // by node state; card == kUnknown: not asked yet
  std::vector<std::uint32_t> state_of_;  // by rank, where group_of_ is not kExcluded; empty where no policy is asked
  std::uint64_t state_generation_ = 0;   // of all of state_of_
};

}  // namespace berth::engine
