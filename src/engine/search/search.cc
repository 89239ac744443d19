#include "engine/search/search.h"

#include <algorithm>

#include "engine/fit/node_resources.h"
#include "engine/fit/volume_restrictions.h"
#include "engine/score/inter_pod_affinity.h"
#include "engine/score/scores.h"
#include "engine/search/among_pods.h"
#include "engine/search/first_domain.h"
#include "engine/search/full_scan.h"

namespace berth::engine {
namespace {

bool filters(const Profile& profile, Filter filter) {
  return std::ranges::find(profile.filters, filter) != profile.filters.end();
}

bool scores(const Profile& profile, Score score) {
  return std::ranges::find(profile.scores, score, &Profile::WeightedScore::score) != profile.scores.end();
}

bool has_scores_among_pods(const Question& question) {
  const Profile& profile = *question.shape.profile;
  return (!question.plan.soft_spread.empty() && scores(profile, Score::kPodTopologySpread)) ||
         (scores(profile, Score::kInterPodAffinity) && has_inter_pod_affinity_score(question));
}

}  // namespace

Search::Search(World& world) : world_(world) {}
Search::~Search() = default;

// Lets go of the index that was not asked for longest, so that memory follows the live shapes.
void Search::drop_oldest() {
  Kept* oldest = nullptr;
  for (Kept& kept : indexes_) {
    if (kept.index != nullptr && (oldest == nullptr || kept.last_use < oldest->last_use)) oldest = &kept;
  }
  oldest->index.reset();
  --kept_;
}

void Search::forget(std::span<const SearchId> searches) {
  for (const SearchId search : searches) {
    if (search.index() >= indexes_.size() || indexes_[search.index()].index == nullptr) continue;
    indexes_[search.index()].index.reset();
    --kept_;
  }
}

// Is it too large for every node, so that an index of them would be empty? Most shapes are not too large for the first
// node that is looked at. Those that are get no index, which costs more than to look at all nodes.
bool Search::is_too_large(const Question& question) const {
  const std::size_t search = question.shape.search.index();
  if (search < indexes_.size() && indexes_[search].index != nullptr) return false;
  if (!filters(*question.shape.profile, Filter::kNodeResourcesFit)) return false;
  Question emptied = question;
  emptied.emptied = true;
  return std::ranges::none_of(world_.by_rank(),
                              [&](NodeId node) { return check_node_resources(emptied, node).fits(); });
}

Index& Search::index_of(const Shape& shape) {
  // An index takes about 60 bytes per node; together they may take this much.
  constexpr std::size_t kBudget = std::size_t{3} << 29U;
  constexpr std::size_t kBytesPerNode = 60;
  if (indexes_.size() <= shape.search.index()) indexes_.resize(world_.shapes().search_count());
  Kept& kept = indexes_[shape.search.index()];
  kept.last_use = ++uses_;
  if (kept.index != nullptr) return *kept.index;
  if ((kept_ + 1) * (world_.rank_count() + 1) * kBytesPerNode > kBudget && kept_ > 1) drop_oldest();
  NodeStates* states = nullptr;
  if (const PlacementPolicy* policy = shape.profile->placement_policy; policy != nullptr) {
    std::unique_ptr<NodeStates>& shared = states_[policy];
    if (shared == nullptr) shared = std::make_unique<NodeStates>(world_, policy->reads_pod_kinds());
    states = shared.get();
  }
  kept.index = std::make_unique<Index>(world_, world_.shapes().example(shape.search), states);
  ++kept_;
  return *kept.index;
}

bool Search::make_masks(const Question& question) {
  masks_.clear();
  if (!question.closed.empty()) {
    closed_.resize(world_.rank_count());
    for (const NodeId node : question.closed) closed_.set(world_.node(node).rank);
    masks_.push_back({closed_.words(), false});
  }
  const TopologyPlan& plan = question.plan;
  if (!plan.has_hard_rules()) return true;
  const Topology& topology = world_.topology();
  if (filters(*question.shape.profile, Filter::kPodTopologySpread)) {
    for (const auto& rule : plan.hard_spread) {
      masks_.push_back({topology.counter(rule.counter).view_at(rule.view).allowed.words(), true});
    }
  }
  if (!filters(*question.shape.profile, Filter::kInterPodAffinity)) return true;
  const bool found = topology.affinity_found(plan);
  if (!plan.affinity.empty() && !found && !plan.matches_itself) return false;
  for (const CounterId id : plan.affinity) {
    const Counter& counter = topology.counter(id);
    masks_.push_back({found ? counter.occupied().words() : counter.table().members.words(), true});
  }
  const auto forbid = [&](const std::vector<CounterId>& counters) {
    for (const CounterId id : counters) {
      if (topology.counter(id).total() > 0) masks_.push_back({topology.counter(id).occupied().words(), false});
    }
  };
  forbid(plan.anti_affinity);
  forbid(plan.existing_anti_affinity);
  return true;
}

Choice Search::best_with_scores_among_pods(const Question& question, const Index& index,
                                           std::optional<std::uint64_t> draw) const {
  if (!draw) {
    if (const auto choice = best_among_pods(question, index, masks_)) return *choice;
  }
  const std::vector<NodeId> nodes = index.feasible(masks_);
  if (nodes.empty()) return {};
  Index::Raw largest;
  for (const NodeId node : nodes) largest.raise_to(index.raw(node));
  std::vector<std::int64_t> totals(nodes.size());
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    totals[i] = index.local_score(nodes[i]) + index.static_score(index.raw(nodes[i]), largest);
  }
  for (const Profile::WeightedScore& entry : question.shape.profile->scores) {
    if (entry.score != Score::kPodTopologySpread && entry.score != Score::kInterPodAffinity) continue;
    const ScoreColumn column = score_column(entry.score, question, nodes);
    for (std::size_t i = 0; i < nodes.size(); ++i) totals[i] += weight_of(question.shape, entry) * column.normalized[i];
  }
  auto best = static_cast<std::size_t>(std::ranges::max_element(totals) - totals.begin());
  if (draw) best = random_tie(totals, *draw);
  return {nodes[best], totals[best], -1};
}

Choice Search::best(ShapeId shape_id, NameId promised, std::uint64_t draw, std::span<const NodeId> closed,
                    const Bitmap* within) {
  const Shape& shape = world_.shape(shape_id);
  if (!promised.is_none() || shape.narrowed_to) return best_by_full_scan(shape_id, promised, draw, closed, within);
  const Question question{.world = world_, .shape = shape, .plan = world_.topology().plan(shape_id), .closed = closed};
  if (filters(*shape.profile, Filter::kVolumeRestrictions) &&
      !check_volume_restrictions(question, NodeId::none()).fits()) {
    return {};
  }
  if (!make_masks(question)) return {};
  if (within != nullptr) masks_.push_back({within->words(), true});
  if (is_too_large(question)) return {};
  Index& index = index_of(shape);
  index.catch_up();
  const std::optional<Bitmap> first = first_domains(question, index.feasible_ranks(), masks_);
  if (first) masks_.push_back({first->words(), true});
  const bool at_random = draws_at_random(*shape.profile);
  const std::optional<std::uint64_t> given =
      at_random || world_.config().random_ties ? std::optional(draw) : std::nullopt;
  const bool among_pods = !at_random && has_scores_among_pods(question);
  Choice choice = among_pods ? best_with_scores_among_pods(question, index, given) : index.best(masks_, given);
  if (choice.node.is_none()) return choice;
  choice.card = at_random ? policy_card(world_, shape, choice.node, draw) : index.wanted_card(choice.node);
  return choice;
}

Choice Search::best_by_full_scan(ShapeId shape_id, NameId promised, std::uint64_t draw, std::span<const NodeId> closed,
                                 const Bitmap* within) const {
  const Shape& shape = world_.shape(shape_id);
  const Question question{.world = world_, .shape = shape, .plan = world_.topology().plan(shape_id), .closed = closed};
  const NodeId kept = promised.is_none() ? NodeId::none() : world_.find_node(promised);
  if (!shape.narrowed_to && within == nullptr) return full_scan(question, world_.by_rank(), kept, draw);
  std::vector<NodeId> candidates;
  const auto add = [&](NodeId node) {
    if (within == nullptr || within->test(world_.node(node).rank)) candidates.push_back(node);
  };
  if (shape.narrowed_to) {
    for (const NameId name : *shape.narrowed_to) {
      if (const NodeId node = world_.find_node(name); !node.is_none()) add(node);
    }
    std::ranges::sort(candidates, {}, [&](NodeId node) { return world_.node(node).rank; });
  } else {
    std::ranges::for_each(world_.by_rank(), add);
  }
  return full_scan(question, candidates, kept, draw);
}

}  // namespace berth::engine
