#include "engine/cycle/consolidation.h"

#include <algorithm>
#include <set>
#include <span>
#include <tuple>
#include <utility>

#include "base/mutant.h"
#include "engine/fit/filters.h"

namespace berth::engine {
namespace {

constexpr std::size_t kMostDestinations = 8;  // per pod; nodes that look alike count once
constexpr std::size_t kMostInSubsets = 10;    // pods of a node of which all subsets are tried
constexpr int kLevels = 2;                    // pods that make room for pods that make room

// What a pod sees of a node's room.
std::vector<std::int64_t> room_of(const World& world, NodeId node) {
  std::vector<std::int64_t> room;
  for (const ResourceAmount& amount : world.node(node).input.allocatable)
    room.push_back(world.free(node, amount.resource));
  for (const CardGroup& group : world.node(node).cards) {
    room.push_back(group.product.value());
    const std::size_t first = room.size();
    for (std::size_t card = 0; card < group.free.size(); ++card) room.push_back(group.exact_free(card));
    std::sort(room.begin() + static_cast<std::ptrdiff_t>(first), room.end());
  }
  return room;
}

Amount free_cards(const World& world, NodeId node) {
  Amount free = 0;
  for (const CardGroup& group : world.node(node).cards) {
    for (const std::int32_t milli : group.free) free += milli;
  }
  return free;
}

}  // namespace

Consolidator::Consolidator(World& world, std::vector<bool> movable, ConsolidationOptions options)
    : world_(world),
      movable_(std::move(movable)),
      options_(options),
      budgets_(world),
      reserved_(world.node_slots(), false),
      moved_(world.pod_slots(), false) {
  movable_.resize(world.pod_slots(), false);
}

Question Consolidator::ask(PodId pod) const {
  return Question{world_, world_.shape_of(pod), world_.topology().plan(world_.pod(pod).shape)};
}

bool Consolidator::fits(const Question& question, NodeId node) {
  ++questions_;
  return check_all(question, node).fits();
}

Amount Consolidator::cards_of(PodId pod) const {
  Amount milli = 0;
  for (const CardRequest& request : world_.shape_of(pod).input.cards) milli += request.total();
  return milli;
}

bool Consolidator::may_move(PodId id) const {
  const Pod& pod = world_.pod(id);
  const Shape& shape = world_.shape(pod.shape);
  return movable_[id.index()] && !moved_[id.index()] && pod.state == PodState::kPlaced && !pod.terminating &&
         pod.workload.is_none() && shape.profile != nullptr && shape.input.claims.empty() && cards_of(id) > 0;
}

std::vector<PodId> Consolidator::with_cards(NodeId node) const {
  std::vector<PodId> pods;
  for (const PodId pod : world_.node(node).pods) {
    if (cards_of(pod) > 0) pods.push_back(pod);
  }
  std::ranges::sort(pods, [&](PodId a, PodId b) {
    const Amount left = cards_of(a);
    const Amount right = cards_of(b);
    return left != right ? left > right : world_.before(a, b);
  });
  return pods;
}

Consolidator::Price Consolidator::price_of(const std::vector<PodId>& pods) const {
  Price price{0, pods.size()};
  for (const PodId pod : pods) price.moved += cards_of(pod);
  return price;
}

// A plan that moves so much more is no better than the best, or moves too many.
bool Consolidator::too_dear(const Price& more) const {
  const Price all{price_.moved + promised_.moved + more.moved, price_.moves + promised_.moves + more.moves};
  return all.moves > options_.most_moves || (best_ && all >= best_price_);
}

bool Consolidator::fits_without(const Question& question, NodeId node, const std::vector<PodId>& pods) {
  const World::Mark start = world_.mark();
  for (const PodId pod : pods) world_.unplace(pod, PodState::kPending);
  const bool result = fits(question, node);
  world_.rollback(start);
  return result;
}

// With many pods on a node: all go, then come back, most cards first, as long as the room suffices.
std::optional<Consolidator::Leaving> Consolidator::greedy_way(const Question& question, NodeId node,
                                                              std::vector<PodId> pods) {
  if (!fits_without(question, node, pods)) return std::nullopt;
  for (std::size_t i = 0; i < pods.size();) {
    std::vector<PodId> fewer = pods;
    fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
    if (fits_without(question, node, fewer)) {
      pods = std::move(fewer);
    } else {
      ++i;
    }
  }
  const Price price = price_of(pods);
  return Leaving{std::move(pods), price};
}

// Which pods of the node could leave so that the pod fits; the cheapest first, none more than needed.
std::vector<Consolidator::Leaving> Consolidator::ways_to_fit(const Question& question, NodeId node) {
  std::vector<PodId> pods = with_cards(node);
  std::erase_if(pods, [&](PodId pod) { return !may_move(pod); });
  std::vector<Leaving> ways;
  if (pods.empty()) return ways;
  if (pods.size() > kMostInSubsets) {
    if (auto way = greedy_way(question, node, std::move(pods))) ways.push_back(std::move(*way));
    return ways;
  }
  if (!fits_without(question, node, pods)) return ways;
  std::vector<std::pair<Price, std::uint32_t>> subsets;
  for (std::uint32_t subset = 1; subset < (1U << pods.size()); ++subset) {
    Price price;
    for (std::size_t i = 0; i < pods.size(); ++i) {
      if ((subset >> i & 1U) == 0) continue;
      price.moved += cards_of(pods[i]);
      ++price.moves;
    }
    if (!too_dear(price)) subsets.emplace_back(price, subset);
  }
  std::ranges::sort(subsets);
  std::vector<std::uint32_t> enough;
  for (const auto& [price, subset] : subsets) {
    if (gave_up()) break;
    if (std::ranges::any_of(enough, [&](std::uint32_t less) { return (less & subset) == less; })) continue;
    Leaving leaving{{}, price};
    for (std::size_t i = 0; i < pods.size(); ++i) {
      if ((subset >> i & 1U) != 0) leaving.pods.push_back(pods[i]);
    }
    if (!fits_without(question, node, leaving.pods)) continue;
    enough.push_back(subset);
    ways.push_back(std::move(leaving));
  }
  return ways;
}

// Where the pod, which is on no node now, fits: the fullest first. Of nodes with the same room one.
std::vector<NodeId> Consolidator::destinations(PodId pod) {
  const Question question = ask(pod);
  std::vector<std::pair<std::tuple<Amount, std::uint32_t>, NodeId>> found;
  for (const NodeId node : world_.by_rank()) {
    if (reserved_[node.index()] || gave_up()) continue;
    if (fits(question, node)) found.push_back({{free_cards(world_, node), world_.node(node).rank}, node});
  }
  std::ranges::sort(found);
  std::set<std::vector<std::int64_t>> seen;
  std::vector<NodeId> result;
  for (const auto& [key, node] : found) {
    if (result.size() == kMostDestinations) break;
    if (seen.insert(room_of(world_, node)).second) result.push_back(node);
  }
  return result;
}

void Consolidator::finish() {
  if (best_ && price_ >= best_price_) return;
  best_price_ = price_;
  best_ = Consolidation{.pod = pod_, .node = goal_, .moves = moves_, .moved = price_.moved};
}

void Consolidator::proceed(const Step* step) {
  if (gave_up() || too_dear({})) return;
  if (step == nullptr) {
    finish();
    return;
  }
  switch (step->kind) {
    case Step::Kind::kRelease:
      reserved_[step->node.index()] = false;
      proceed(step->rest);
      reserved_[step->node.index()] = true;
      return;
    case Step::Kind::kMoveTo:
      move(step->pod, step->node, step->rest);
      return;
    case Step::Kind::kRelocate:
      relocate(*step);
      return;
  }
}

// Carries the move out if the pod fits at this moment, goes on, and takes it back.
void Consolidator::move(PodId pod, NodeId to, const Step* rest) {
  const NodeId from = world_.pod(pod).node;
  const World::Mark start = world_.mark();
  world_.unplace(pod, PodState::kPending);
  if (fits(ask(pod), to)) {
    world_.place(pod, to);
    const Price one = price_of({pod});
    moves_.push_back({pod, from, to});
    moved_[pod.index()] = true;
    price_ = {price_.moved + one.moved, price_.moves + 1};
    promised_ = {promised_.moved - one.moved, promised_.moves - 1};
    proceed(rest);
    promised_ = {promised_.moved + one.moved, promised_.moves + 1};
    price_ = {price_.moved - one.moved, price_.moves - 1};
    moved_[pod.index()] = false;
    moves_.pop_back();
  }
  world_.rollback(start);
}

void Consolidator::relocate(const Step& step) {
  const World::Mark start = world_.mark();
  world_.unplace(step.pod, PodState::kPending);
  const std::vector<NodeId> nodes = destinations(step.pod);
  world_.rollback(start);
  for (const NodeId node : nodes) {
    move(step.pod, node, step.rest);
    if (gave_up() || too_dear({})) return;
  }
  if (step.depth == 0) return;
  const NodeId own = world_.pod(step.pod).node;
  for (const NodeId node : world_.by_rank()) {
    if (reserved_[node.index()] || node == own || is_idle(node)) continue;
    if (gave_up()) return;
    const Question question = ask(step.pod);
    const Verdict now = check_all(question, node);
    if (now.fits() || !now.resolvable) continue;
    for (const Leaving& leaving : ways_to_fit(question, node)) {
      if (!too_dear(leaving.price)) clear_way(step, node, leaving, step.pod);
    }
  }
}

// The pods leave the node, which takes nobody meanwhile, and the pod comes; or, without a pod to come, the plan ends.
void Consolidator::clear_way(const Step& step, NodeId node, const Leaving& leaving, PodId pod) {
  const bool kept = budgets_.take(leaving.pods);
  if (!kept && !mutant("Rule.MoveDisruptionBudget")) return;
  std::vector<Step> steps(leaving.pods.size() + 2);
  Step* const release = &steps[leaving.pods.size() + 1];
  Step* const come = &steps[leaving.pods.size()];
  *release = {Step::Kind::kRelease, PodId::none(), node, 0, step.rest};
  *come = {Step::Kind::kMoveTo, pod, node, 0, release};
  for (std::size_t i = 0; i < leaving.pods.size(); ++i) {
    const Step* next = i + 1 < leaving.pods.size() ? &steps[i + 1] : (pod.is_none() ? step.rest : come);
    steps[i] = {Step::Kind::kRelocate, leaving.pods[i], NodeId::none(), step.depth - 1, next};
  }
  promised_ = {promised_.moved + leaving.price.moved, promised_.moves + leaving.price.moves};
  reserved_[node.index()] = true;
  proceed(steps.data());
  reserved_[node.index()] = false;
  promised_ = {promised_.moved - leaving.price.moved, promised_.moves - leaving.price.moves};
  if (kept) budgets_.give_back(leaving.pods);
}

// Sets best_, if there is a plan.
void Consolidator::find_room(PodId pod) {
  best_.reset();
  pod_ = pod;
  const Question question = ask(pod);
  for (const NodeId node : world_.by_rank()) {
    if (gave_up()) break;
    const Verdict now = check_all(question, node);
    ++questions_;
    goal_ = node;
    if (now.fits()) {
      best_.reset();  // no moves at all are better than any
      finish();
      return;
    }
    if (!now.resolvable || reserved_[node.index()]) continue;
    for (const Leaving& leaving : ways_to_fit(question, node)) {
      const Step step{Step::Kind::kRelocate, PodId::none(), NodeId::none(), kLevels, nullptr};
      if (!too_dear(leaving.price)) clear_way(step, node, leaving, PodId::none());
    }
  }
}

std::optional<Consolidation> Consolidator::make_room(PodId pod) {
  questions_ = 0;
  const World::Mark start = world_.mark();
  find_room(pod);
  world_.rollback(start);
  return std::exchange(best_, std::nullopt);
}

bool Consolidator::is_idle(NodeId node) const {
  return std::ranges::all_of(world_.node(node).cards, [](const CardGroup& group) {
    return group.whole_free == static_cast<std::int32_t>(group.free.size());
  });
}

// Nodes that could be opened by moving pods, those that need the fewest moves first.
std::vector<NodeId> Consolidator::openable() const {
  std::vector<std::tuple<std::size_t, Amount, std::uint32_t, NodeId>> found;
  for (const NodeId node : world_.by_rank()) {
    const Node& known = world_.node(node);
    if (known.input.takes_nobody() || reserved_[node.index()] || is_idle(node)) continue;
    const std::vector<PodId> pods = with_cards(node);
    if (pods.empty() || !std::ranges::all_of(pods, [&](PodId pod) { return may_move(pod); })) continue;
    const Price price = price_of(pods);
    found.emplace_back(price.moves, price.moved, known.rank, node);
  }
  std::ranges::sort(found);
  std::vector<NodeId> result;
  for (const auto& entry : found) result.push_back(std::get<NodeId>(entry));
  return result;
}

// Empties one node at the least price. Sets best_, if there is a plan.
void Consolidator::find_way_to_open(NodeId node) {
  best_.reset();
  pod_ = PodId::none();
  goal_ = node;
  std::vector<PodId> pods = with_cards(node);
  const Price price = price_of(pods);
  if (too_dear(price)) return;
  clear_way(Step{Step::Kind::kRelocate, PodId::none(), NodeId::none(), kLevels, nullptr}, node,
            Leaving{std::move(pods), price}, PodId::none());
}

// Carries best_ out on top of what was kept before; what it moved and found stays as it is for what comes later.
Consolidation Consolidator::keep() {
  Consolidation part = *std::exchange(best_, std::nullopt);
  moves_ = part.moves;
  part.moves.erase(part.moves.begin(), part.moves.begin() + static_cast<std::ptrdiff_t>(kept_));
  part.moved -= price_.moved;
  for (const Move& move : part.moves) {
    world_.unplace(move.pod, PodState::kPending);
    world_.place(move.pod, move.to);
    moved_[move.pod.index()] = true;
    (void)budgets_.take(std::span(&move.pod, 1));
  }
  kept_ = moves_.size();
  price_ = best_price_;
  if (part.pod.is_none()) {
    reserved_[part.node.index()] = true;
  } else {
    world_.place(part.pod, part.node);
    moved_[part.pod.index()] = true;
  }
  return part;
}

std::optional<Consolidation> Consolidator::open_one() {
  for (const NodeId node : openable()) {
    if (gave_up()) break;
    find_way_to_open(node);
    if (best_) return keep();
  }
  return std::nullopt;
}

std::vector<Consolidation> Consolidator::plan(std::span<const PodId> pending) {
  questions_ = 0;
  std::vector<Consolidation> parts;
  const World::Mark start = world_.mark();
  const BudgetCount budgets = budgets_;
  for (const PodId pod : pending) {
    if (gave_up()) break;
    find_room(pod);
    if (best_) parts.push_back(keep());
  }
  // Idle nodes stay idle.
  for (const NodeId node : world_.by_rank()) reserved_[node.index()] = is_idle(node);
  while (auto part = gave_up() ? std::nullopt : open_one()) parts.push_back(std::move(*part));
  world_.rollback(start);
  budgets_ = budgets;
  reserved_.assign(world_.node_slots(), false);
  moved_.assign(world_.pod_slots(), false);
  moves_.clear();
  kept_ = 0;
  price_ = {};
  best_.reset();
  return parts;
}

}  // namespace berth::engine
