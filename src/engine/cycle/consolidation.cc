#include "engine/cycle/consolidation.h"

#include <algorithm>
#include <cassert>
#include <iterator>
#include <set>
#include <span>
#include <tuple>
#include <utility>

#include "base/mutant.h"
#include "engine/cycle/eviction_units.h"
#include "engine/devices/holdings.h"
#include "engine/fit/filters.h"

namespace berth::engine {
namespace {

constexpr int kLevels = 2;            // pods that make room for pods that make room
constexpr std::int64_t kOrders = 16;  // how much dearer than one order of opening nodes all of them may be

// Of what it has, or else asks.
Amount interrupted_by(const World& world, PodId pod, const std::vector<Amount>& worth) {
  Amount sum = 0;
  for (const CardRequest& request : world.shape_of(pod).input.cards) {
    if (!request.packed || request.count == 0) continue;
    Amount milli = static_cast<Amount>(request.count) * (request.milli > 0 ? request.milli : kMilliPerCard);
    const auto has = std::ranges::find(world.pod(pod).cards, request.resource, &CardAssignment::resource);
    if (has != world.pod(pod).cards.end() && !has->cards.empty())
      milli = static_cast<Amount>(has->cards.size()) * has->milli;
    const std::size_t resource = request.resource.index();
    sum += std::max<Amount>(1, resource < worth.size() ? milli * worth[resource] / kMilliPerCard : milli);
  }
  return sum;
}

}  // namespace

Consolidator::Consolidator(World& world, std::vector<bool> movable, ConsolidationOptions options)
    : world_(world),
      movable_(std::move(movable)),
      options_(std::move(options)),
      budgets_(world),
      questions_(options_.question_limit, 0),
      cards_(world.pod_slots(), 0),
      far_(world.holdings().far_reaching()),
      reserved_(world.node_slots(), false),
      moved_(world.pod_slots(), false) {
  movable_.resize(world.pod_slots(), false);
  std::ranges::sort(far_);
  for (std::size_t i = 0; i < cards_.size(); ++i) {
    if (world.pod(PodId{i}).state != PodState::kFree) cards_[i] = interrupted_by(world, PodId{i}, options_.worth);
  }
}

Question Consolidator::ask(PodId pod) const {
  return Question{world_, world_.shape_of(pod), world_.topology().plan(world_.pod(pod).shape)};
}

bool Consolidator::fits(const Question& question, NodeId node) {
  questions_.ask();
  return check_all(question, node).fits();
}

bool Consolidator::may_move(PodId id) const {
  const Pod& pod = world_.pod(id);
  const Shape& shape = world_.shape(pod.shape);
  return movable_[id.index()] && !moved_[id.index()] && pod.state == PodState::kPlaced && !pod.terminating &&
         pod.workload.is_none() && shape.profile != nullptr && shape.input.claims.empty() && cards_of(id) > 0 &&
         (pod_.is_none() || eviction_priority(world_, id) <= eviction_priority(world_, pod_));
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

// Where the moved pods are now: does the pod fit, or is the node free?
bool Consolidator::reached() {
  if (pod_.is_none()) return is_idle(goal_);
  return mutant("Rule.MovesAskedAgain") || fits(ask(pod_), goal_);
}

void Consolidator::finish() {
  if ((best_ && price_ >= best_price_) || !reached()) return;
  best_price_ = price_;
  best_ = Consolidation{.pod = pod_, .node = goal_, .moves = moves_, .moved = price_.moved};
}

void Consolidator::proceed(const Step* step) {
  if (questions_.used_up() || too_dear({})) return;
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
    moves_.push_back({pod, from, to, one.moved});
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
    if (questions_.used_up() || too_dear({})) return;
  }
  if (step.depth == 0) return;
  const NodeId own = world_.pod(step.pod).node;
  for (const NodeId node : world_.by_rank()) {
    if (reserved_[node.index()] || node == own || is_idle(node)) continue;
    if (questions_.used_up()) return;
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

// Sets best_, if there is a plan. The emptiest nodes are looked at first, since they need the fewest moves.
void Consolidator::find_room(PodId pod) {
  best_.reset();
  pod_ = pod;
  const Question question = ask(pod);
  std::vector<std::tuple<Amount, std::uint32_t, NodeId>> candidates;
  for (const NodeId node : world_.by_rank()) {
    if (questions_.used_up()) break;
    questions_.ask();
    const Verdict now = check_all(question, node);
    if (now.fits()) {
      goal_ = node;
      finish();
      return;
    }
    if (now.resolvable && !reserved_[node.index()])
      candidates.emplace_back(-free_cards(node), world_.node(node).rank, node);
  }
  std::ranges::sort(candidates);
  for (std::size_t i = 0; i < candidates.size() && !questions_.used_up(); ++i) {
    const QuestionShares::Part part(questions_, candidates.size() - i);
    search_room(question, std::get<NodeId>(candidates[i]));
  }
}

void Consolidator::search_room(const Question& question, NodeId node) {
  goal_ = node;
  for (const Leaving& leaving : ways_to_fit(question, node)) {
    const Step step{Step::Kind::kRelocate, PodId::none(), NodeId::none(), kLevels, nullptr};
    if (!too_dear(leaving.price)) clear_way(step, node, leaving, PodId::none());
  }
}

// Nodes that could be opened by moving pods, those that need the fewest moves first.
std::vector<NodeId> Consolidator::openable() const {
  std::vector<std::tuple<std::size_t, Amount, std::uint32_t, NodeId>> found;
  for (const NodeId node : world_.by_rank()) {
    const Node& known = world_.node(node);
    if (known.input.takes_nobody() || reserved_[node.index()] || is_idle(node)) continue;
    if (claims_hold(node)) continue;
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
  assert(part.pod.is_none() ? is_idle(part.node) : check_all(ask(part.pod), part.node).fits());
  if (part.pod.is_none()) {
    reserved_[part.node.index()] = true;
  } else {
    world_.place(part.pod, part.node);
    moved_[part.pod.index()] = true;
  }
  return part;
}

// At most so many of the nodes can still be opened.
std::size_t Consolidator::most_to_open(const std::vector<NodeId>& nodes) const {
  std::size_t moves = price_.moves;
  std::size_t count = 0;
  for (const NodeId node : nodes) {  // those that need the fewest first
    moves += with_cards(node).size();
    if (moves > options_.most_moves) break;
    ++count;
  }
  return count;
}

// What is opened first decides what can be opened then. The first time through, each next node is the one that needs
// the fewest moves; then other orders are tried, for a few times the questions that this took.
void Consolidator::open_nodes(std::vector<Consolidation>& opened) {
  if (opened.size() > opening_.size() || (opened.size() == opening_.size() && price_ < opening_price_)) {
    opening_ = opened;
    opening_price_ = price_;
  }
  pod_ = PodId::none();
  const std::vector<NodeId> nodes = openable();
  const std::size_t most = opened.size() + most_to_open(nodes);
  for (std::size_t i = 0; i < nodes.size() && most > opening_.size() && may_open_more(); ++i) {
    const Before before{world_.mark(), budgets_, reserved_, moved_, moves_, kept_, price_};
    {
      const QuestionShares::Part part(questions_, nodes.size() - i);
      find_way_to_open(nodes[i]);
    }
    if (!best_) continue;
    opened.push_back(keep());
    open_nodes(opened);
    opened.pop_back();
    go_back(before);
  }
  if (!open_until_) open_until_ = questions_.asked() + kOrders * (questions_.asked() - opening_began_);
}

bool Consolidator::may_open_more() const {
  return !questions_.used_up() && (!open_until_ || questions_.asked() < *open_until_);
}

void Consolidator::go_back(const Before& before) {
  world_.rollback(before.mark);
  budgets_ = before.budgets;
  reserved_ = before.reserved;
  moved_ = before.moved;
  moves_ = before.moves;
  kept_ = before.kept;
  price_ = before.price;
  best_.reset();
}

ConsolidationPlan Consolidator::plan(std::span<const PodId> pending) {
  // A part can ask about every node a few times.
  questions_ = QuestionShares(options_.question_limit, 4 * static_cast<std::int64_t>(world_.node_count()) + 1000);
  ConsolidationPlan plan;
  const Before before{world_.mark(), budgets_, reserved_, moved_, moves_, kept_, price_};
  std::set<ShapeId> in_vain;  // since something was kept last
  for (std::size_t i = 0; i < pending.size(); ++i) {
    const ShapeId shape = world_.pod(pending[i]).shape;
    if (in_vain.contains(shape)) continue;
    const QuestionShares::Part part(questions_, pending.size() - i + 1);
    find_room(pending[i]);
    if (best_) {
      plan.parts.push_back(keep());
      in_vain.clear();
    } else {
      in_vain.insert(shape);
    }
  }
  // Idle nodes stay idle.
  for (const NodeId node : world_.by_rank()) reserved_[node.index()] = is_idle(node);
  opening_.clear();
  opening_price_ = price_;
  opening_began_ = questions_.asked();
  open_until_.reset();
  std::vector<Consolidation> opened;
  open_nodes(opened);
  std::ranges::move(opening_, std::back_inserter(plan.parts));
  go_back(before);
  pod_ = PodId::none();
  plan.complete = !questions_.was_cut();
  plan.questions = questions_.asked();
  return plan;
}

}  // namespace berth::engine
