#include "engine/search/index.h"

#include <algorithm>
#include <utility>

#include "engine/fit/dynamic_resources.h"
#include "engine/fit/filters.h"
#include "engine/fit/node_ports.h"
#include "engine/fit/node_resources.h"
#include "engine/score/balanced_allocation.h"
#include "engine/score/devices.h"
#include "engine/score/image_locality.h"
#include "engine/score/node_affinity.h"
#include "engine/score/node_resources_fit.h"
#include "engine/score/policy_view.h"
#include "engine/score/scores.h"
#include "engine/score/taint_toleration.h"
#include "engine/score/volume_binding.h"
#include "engine/search/full_scan.h"

namespace berth::engine {
namespace {

constexpr std::int32_t kUnknown = -2;

}  // namespace

Index::Index(const World& world, ShapeId example, NodeStates* states)
    : world_(world), shape_(world.shape(example)), question_{world, shape_, no_rules_}, states_(states) {
  const Profile& profile = *shape_.profile;
  for (const Profile::WeightedScore& entry : profile.scores) {
    const std::int64_t weight = weight_of(shape_, entry);
    switch (entry.score) {
      case Score::kNodeResourcesFit:
        fit_terms_ = fit_terms(shape_);
        fit_weight_ = weight;
        break;
      case Score::kBalancedAllocation:
        balanced_terms_ = balanced_terms(shape_);
        if (!balanced_terms_.empty()) balanced_weight_ = weight;
        break;
      case Score::kImageLocality:
        if (!shape_.input.images.empty()) image_weight_ = weight;
        break;
      case Score::kVolumeBinding:
        if (!shape_.input.volume_choices->empty()) volume_weight_ = weight;
        break;
      case Score::kNodeAffinity:
        affinity_weight_ = weight;
        break;
      case Score::kTaintToleration:
        taint_weight_ = weight;
        break;
      case Score::kPlacementPolicy:
        if (profile.placement_policy != nullptr && states != nullptr) policy_weight_ = weight;
        packs_devices_ = policy_weight_ != 0 && packs_devices_only(shape_);
        break;
      case Score::kDynamicResources:
        if (!shape_.input.claims.empty()) device_weight_ = weight;
        break;
      case Score::kPodTopologySpread:
      case Score::kInterPodAffinity:
        break;  // scores among pods are added by the search
    }
  }
  checks_room_ = std::ranges::find(profile.filters, Filter::kNodeResourcesFit) != profile.filters.end();
  checks_devices_ = !shape_.input.claims.empty() &&
                    std::ranges::find(profile.filters, Filter::kDynamicResources) != profile.filters.end();
  checks_ports_ = !shape_.input.host_ports.empty() &&
                  std::ranges::find(profile.filters, Filter::kNodePorts) != profile.filters.end();
}

// The largest local score, if scores are few enough for an array of buckets.
std::optional<std::int64_t> Index::largest_score() const {
  constexpr std::int64_t kMost = 4096;
  const std::int64_t weights = fit_weight_ + balanced_weight_ + image_weight_ + volume_weight_;
  if (policy_weight_ != 0 || weights * 100 > kMost) return std::nullopt;
  return weights * 100;
}

std::int32_t Index::group_for(const Raw& raw) {
  for (std::size_t i = 0; i < groups_.size(); ++i) {
    if (groups_[i].raw == raw) return static_cast<std::int32_t>(i);
  }
  groups_.push_back({raw, Buckets(world_.rank_count(), largest_score())});
  return static_cast<std::int32_t>(groups_.size() - 1);
}

// All that can be said of a node whatever runs on it.
void Index::ask_static(std::uint32_t rank) {
  const NodeId node = world_.at_rank(rank);
  Question emptied = question_;
  emptied.emptied = true;
  if (!check_all(emptied, node, false).fits()) return;
  Raw raw;
  if (affinity_weight_ != 0) raw.affinity = score_node_affinity(question_, node);
  if (taint_weight_ != 0) raw.taints = score_taint_toleration(question_, node);
  static_group_[rank] = group_for(raw);
  if (!fixed_score_.empty()) fixed_score_[rank] = fixed_score(node);
}

std::int64_t Index::fixed_score(NodeId node) const {
  std::int64_t total = 0;
  if (image_weight_ != 0) total += image_weight_ * score_image_locality(question_, node);
  if (volume_weight_ != 0) total += volume_weight_ * score_volume_binding(question_, node);
  return total;
}

void Index::rebuild() {
  const std::size_t ranks = world_.rank_count();
  groups_.clear();
  static_group_.assign(ranks, kExcluded);
  fixed_score_.assign(image_weight_ != 0 || volume_weight_ != 0 ? ranks : 0, 0);
  group_of_.assign(ranks, kExcluded);
  scores_.assign(ranks, 0);
  state_of_.assign(asks_policy() ? ranks : 0, 0);
  feasible_count_ = 0;
  feasible_ranks_.resize(ranks);
  image_changes_ = world_.images().changes();
  images_ = spread_of_images();
  memo_.clear();
  if (asks_policy()) state_generation_ = states_->generation();
  for (std::uint32_t rank = 0; rank < ranks; ++rank) {
    ask_static(rank);
    update(world_.at_rank(rank));
  }
  layout_ = world_.layout();
}

bool Index::is_revised() {
  if (!asks_policy()) return false;
  return std::exchange(policy_revision_, shape_.profile->placement_policy->revision()) != policy_revision_;
}

void Index::rescore() {
  const std::vector<PolicyScore> before = std::exchange(memo_, {});
  memo_.resize(before.size(), PolicyScore{0, kUnknown});
  const ShapeView shape = view_of(shape_);
  feasible_ranks_.for_each([&](std::size_t rank) {
    const NodeId node = world_.at_rank(rank);
    if (world_.log().last_change(node) >= cursor_) return;
    const std::uint32_t state = state_of_[rank];
    PolicyScore& now = memo_[state];
    if (now.card == kUnknown) {
      now = shape_.profile->placement_policy->score(shape, view_of(world_, shape_, node));
    }
    const std::int64_t difference = policy_weight_ * (now.value - before[state].value);
    if (difference == 0) return;
    Buckets& buckets = groups_[static_cast<std::size_t>(group_of_[rank])].buckets;
    buckets.erase(static_cast<std::uint32_t>(rank), scores_[rank]);
    scores_[rank] += difference;
    buckets.insert(static_cast<std::uint32_t>(rank), scores_[rank]);
  });
}

void Index::catch_up() {
  const bool revised = is_revised();
  const std::uint64_t end = world_.log().end();
  const bool too_far = cursor_ < world_.log().begin() || end - cursor_ > world_.rank_count();
  if (layout_ != world_.layout()) {
    rebuild();
  } else if (too_far || (revised && state_generation_ != states_->generation())) {
    follow_all();
  } else {
    if (revised) rescore();
    for (std::uint64_t number = cursor_; number < end; ++number) {
      if (world_.log().is_latest(number)) follow(world_.log().at(number));
    }
  }
  cursor_ = end;
  follow_images();
}

void Index::follow_all() {
  memo_.clear();
  if (asks_policy()) state_generation_ = states_->generation();
  for (const NodeId node : world_.by_rank()) follow(node);
}

void Index::follow(NodeId node) {
  if (world_.log().last_replacement(node) >= cursor_) {
    const std::uint32_t rank = world_.node(node).rank;
    take_out(rank);
    static_group_[rank] = kExcluded;
    ask_static(rank);
  }
  update(node);
}

std::vector<ImageSpread> Index::spread_of_images() const {
  std::vector<ImageSpread> result;
  if (image_weight_ == 0) return result;
  for (const NameId image : shape_.input.images) result.push_back(world_.images().spread(image));
  return result;
}

// How common an image is reaches the scores of all nodes that have it.
void Index::follow_images() {
  if (image_weight_ == 0 || image_changes_ == world_.images().changes()) return;
  image_changes_ = world_.images().changes();
  std::vector<ImageSpread> now = spread_of_images();
  if (now == images_) return;
  images_ = std::move(now);
  for (std::uint32_t rank = 0; rank < static_group_.size(); ++rank) {
    if (static_group_[rank] == kExcluded) continue;
    fixed_score_[rank] = fixed_score(world_.at_rank(rank));
    update(world_.at_rank(rank));
  }
}

bool Index::has_room(NodeId node) const {
  if (checks_room_ && !check_node_resources(question_, node).fits()) return false;
  if (checks_ports_ && !check_node_ports(question_, node).fits()) return false;
  return !checks_devices_ || has_devices(question_, node);
}

const PolicyScore& Index::policy_score(NodeId node) {
  const std::uint32_t state = states_->state(node);
  if (memo_generation_ != states_->generation()) {
    memo_generation_ = states_->generation();
    memo_.clear();
  }
  if (memo_.size() <= state) memo_.resize(state + state / 2 + 1, PolicyScore{0, kUnknown});
  PolicyScore& known = memo_[state];
  if (known.card == kUnknown) {
    known = shape_.profile->placement_policy->score(view_of(shape_), view_of(world_, shape_, node));
  }
  return known;
}

std::int32_t Index::wanted_card(NodeId node) {
  return policy_weight_ != 0 && shape_.kind == 0 && !packs_devices_ ? policy_score(node).card : -1;
}

std::int64_t Index::score(NodeId node) {
  std::int64_t total = 0;
  if (fit_weight_ != 0) total += fit_weight_ * score_node_resources_fit(*shape_.profile, fit_terms_, world_, node);
  if (balanced_weight_ != 0) total += balanced_weight_ * score_balanced_allocation(balanced_terms_, world_, node);
  if (!fixed_score_.empty()) total += fixed_score_[world_.node(node).rank];
  if (packs_devices_) {
    total += policy_weight_ * score_devices(question_, node).packing * shape_.profile->placement_policy->unit();
  } else if (policy_weight_ != 0) {
    total += policy_weight_ * policy_score(node).value;
    state_of_[world_.node(node).rank] = states_->state(node);
  }
  return total;
}

void Index::take_out(std::uint32_t rank) {
  const std::int32_t group = group_of_[rank];
  if (group == kExcluded) return;
  groups_[static_cast<std::size_t>(group)].buckets.erase(rank, scores_[rank]);
  group_of_[rank] = kExcluded;
  feasible_ranks_.clear(rank);
  --feasible_count_;
}

// Files a node anew under its present score, or takes it out if it does not fit.
void Index::update(NodeId node) {
  const std::uint32_t rank = world_.node(node).rank;
  const std::int32_t possible = static_group_[rank];
  if (possible == kExcluded) return;
  const bool was = group_of_[rank] != kExcluded;
  const bool is = has_room(node);
  const std::int64_t before = scores_[rank];
  const std::int64_t now = is ? score(node) : 0;
  const std::int32_t group = is ? group_of(node, possible) : kExcluded;
  if (group_of_[rank] == group && before == now) return;
  if (was) groups_[static_cast<std::size_t>(group_of_[rank])].buckets.erase(rank, before);
  if (is) groups_[static_cast<std::size_t>(group)].buckets.insert(rank, now);
  group_of_[rank] = group;
  scores_[rank] = now;
  if (is == was) return;
  is ? ++feasible_count_ : --feasible_count_;
  feasible_ranks_.assign(rank, is);
}

// The group of a node that fits, given its group by what pods do not change.
std::int32_t Index::group_of(NodeId node, std::int32_t static_group) {
  if (device_weight_ == 0) return static_group;
  Raw raw = groups_[static_cast<std::size_t>(static_group)].raw;
  raw.devices = score_devices(question_, node).rank;
  return group_for(raw);
}

std::int64_t Index::static_score(const Raw& raw, const Raw& largest) const {
  std::int64_t total = 0;
  if (affinity_weight_ != 0) total += affinity_weight_ * normalize_node_affinity(raw.affinity, largest.affinity);
  if (taint_weight_ != 0) total += taint_weight_ * normalize_taint_toleration(raw.taints, largest.taints);
  if (device_weight_ != 0) total += device_weight_ * normalize_device_rank(raw.devices, largest.devices);
  return total;
}

std::vector<NodeId> Index::feasible(std::span<const Mask> masks) const {
  std::vector<NodeId> result;
  result.reserve(feasible_count_);
  const auto allowed = [&](std::size_t rank) {
    return std::ranges::all_of(
        masks, [&](const Mask& mask) { return ((mask.words[rank / 64] >> (rank % 64) & 1U) != 0) == mask.keep; });
  };
  for (std::size_t rank = 0; rank < group_of_.size(); ++rank) {
    if (group_of_[rank] != kExcluded && allowed(rank)) result.push_back(world_.at_rank(rank));
  }
  return result;
}

Choice Index::best(std::span<const Mask> masks, std::optional<std::uint64_t> draw) const {
  if (draw && draws_at_random(*shape_.profile)) {
    const std::vector<NodeId> nodes = feasible(masks);
    if (nodes.empty()) return {};
    Raw largest;
    for (const NodeId node : nodes) largest.raise_to(raw(node));
    const NodeId node = nodes[random_position(*draw, nodes.size())];
    return {node, local_score(node) + static_score(raw(node), largest), -1};
  }
  struct Candidate {
    const Group* group;
    Buckets::Best best;
  };
  std::vector<Candidate> candidates;
  Raw largest;
  for (const Group& group : groups_) {
    const auto best = group.buckets.best(masks);
    if (!best) continue;
    candidates.push_back({&group, *best});
    largest.raise_to(group.raw);
  }
  if (candidates.empty()) return {};
  Choice choice;
  std::uint32_t rank = 0;
  for (const auto& [group, best] : candidates) {
    const std::int64_t total = best.score + static_score(group->raw, largest);
    if (!choice.node.is_none() && (total < choice.score || (total == choice.score && best.rank > rank))) continue;
    rank = best.rank;
    choice = {world_.at_rank(rank), total, -1};
  }
  if (draw) {
    std::vector<std::uint32_t> ties;
    for (const auto& [group, best] : candidates) {
      if (best.score + static_score(group->raw, largest) == choice.score)
        group->buckets.append(best.score, masks, ties);
    }
    std::ranges::sort(ties);
    choice.node = world_.at_rank(ties[random_position(*draw, ties.size())]);
  }
  return choice;
}

}  // namespace berth::engine
