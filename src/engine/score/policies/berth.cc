#include "engine/score/policies/berth.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

#include "engine/score/policies/scale.h"

namespace berth::engine {
namespace {

constexpr std::int64_t kUnit = 1024;  // of values: parts of a milli-GPU
static_assert(kUnit == Scarcity::kUnit && kUnit == ShapePrices::kUnit);
constexpr std::int64_t kEarningsWeight = 2;
constexpr std::int64_t kUnfilledPart = 2;
constexpr std::int64_t kScarcityNumerator = 3;
constexpr std::int64_t kScarcityDenominator = 20;
constexpr std::size_t kCardsInRoom = 2;  // where cards begin in what describes a room
constexpr std::int64_t kLeavingParts = 16;
constexpr std::size_t kMostRooms = std::size_t{1} << 18U;
constexpr std::size_t kMostSuccessors = std::size_t{1} << 23U;
constexpr std::size_t kMostKept = std::size_t{1} << 25U;  // cards of all rooms
constexpr std::size_t kMostChoices = 16;                  // of cards for a share, the tightest first

// One number that orders by gain, then by less free GPU, then by less free CPU. Gains beyond 128 GPUs, nodes beyond 16
// free GPUs and 262 free cores count as these.
constexpr std::int64_t kMostGain = std::int64_t{1} << 27U;
constexpr std::int64_t kGpuSteps = std::int64_t{1} << 14U;
constexpr std::int64_t kCpuSteps = std::int64_t{1} << 14U;
constexpr std::int64_t kTies = kGpuSteps * kCpuSteps;
constexpr std::int64_t kPointMilli = 100;  // see PlacementPolicy::unit()
// With weights of at most 100 a sum of ten scores of up to 100 points each beside the policy's own stays within 63
// bits.
constexpr std::int64_t kMostWeight = 100;
static_assert(kMostWeight * kMostGain * kTies + 10 * kMostWeight * 100 * (kPointMilli * kUnit * kTies) <
              std::numeric_limits<std::int64_t>::max() / 8 * 7);
std::int64_t with_ties(std::int64_t gain, std::int64_t free_gpu, Amount free_cpu) {
  constexpr std::int64_t kCpuStep = 16;  // milli
  const std::int64_t gpu = kGpuSteps - 1 - std::min(kGpuSteps - 1, free_gpu);
  const std::int64_t cpu = kCpuSteps - 1 - std::clamp<std::int64_t>(free_cpu / kCpuStep, 0, kCpuSteps - 1);
  return (std::clamp(gain, -kMostGain, kMostGain) * kGpuSteps + gpu) * kCpuSteps + cpu;
}

// What may come of the node once pods have left it. See the header.
std::int64_t worth_of_becoming_whole(std::span<const std::int64_t> cards) {
  constexpr std::int64_t kPerCard = 2000;  // milli-GPU
  std::int64_t worth = static_cast<std::int64_t>(cards.size()) * kPerCard * kUnit;
  for (const std::int64_t milli : cards) worth = milli < kMilliPerCard ? worth * 4 / 5 : worth;
  return worth;
}

// Takes `milli` from the card at `position` and keeps the order.
void take(std::vector<std::int32_t>& cards, std::size_t position, std::int32_t milli) {
  const std::int32_t left = cards[position] - milli;
  for (; position > 0 && cards[position - 1] > left; --position) cards[position] = cards[position - 1];
  cards[position] = left;
}

}  // namespace

BerthPolicy::Expectation::Expectation(TargetWorkload workload)
    : target(std::move(workload)), fill(target), scarcity(target), prices(target) {}

BerthPolicy::BerthPolicy(TargetWorkload target) : expected_(std::make_unique<Expectation>(std::move(target))) {}

void BerthPolicy::forget_rooms() const {
  rooms_.clear();
  kept_cards_ = 0;
  values_.clear();
  places_.clear();
  steps_.clear();
  ranges_.clear();
  successors_.clear();
}

std::uint32_t BerthPolicy::room(Amount free_cpu, std::span<const std::int32_t> cards, ProductId product) const {
  free_cpu = std::max<Amount>(free_cpu, 0);
  key_.assign({free_cpu, static_cast<std::int64_t>(product.value())});
  key_.insert(key_.end(), cards.begin(), cards.end());
  const std::uint32_t number = rooms_.intern(key_);
  if (number == values_.size()) {
    kept_cards_ += cards.size();
    values_.push_back({.unfilled = expected_->fill.unfilled(free_cpu, cards, product)});
    expected_->scarcity.append_places(free_cpu, cards, product, places_);
  }
  return number;
}

std::int64_t BerthPolicy::value(std::uint32_t room) const {
  RoomValue& known = values_[room];
  if (known.revision != revision_) {
    const std::size_t shapes = expected_->target.shapes().size();
    const std::int64_t worth = expected_->scarcity.worth(std::span(places_).subspan(room * shapes, shapes));
    const std::span<const std::int64_t> content = rooms_.sequence(room);
    const std::int64_t earnings = expected_->prices.earnings(content[0], content.subspan(kCardsInRoom),
                                                             ProductId(static_cast<std::uint32_t>(content[1])));
    known.value = worth * kScarcityNumerator / kScarcityDenominator + earnings * kEarningsWeight -
                  known.unfilled * (kUnit / static_cast<std::int64_t>(ExpectedFill::kStreams) / kUnfilledPart);
    if (leaving_ > 0) known.value += worth_of_becoming_whole(content.subspan(kCardsInRoom)) * leaving_ / kLeavingParts;
    known.revision = revision_;
  }
  return known.value;
}

// `cards_` holds the node's cards, ascending.
BerthPolicy::Range BerthPolicy::successors(std::uint32_t before, const ShapeView& shape, const NodeView& node) const {
  const std::int32_t card_milli = shape.card_milli > 0 ? shape.card_milli : node.card_milli;
  key_.assign({before, shape.cpu, shape.card_count, card_milli});
  const std::uint32_t step = steps_.intern(key_);
  if (step < ranges_.size()) return ranges_[step];
  const Amount cpu_after = node.free_cpu - shape.cpu;
  const std::size_t begin = successors_.size();
  std::vector<std::int32_t> after;
  if (card_milli < kMilliPerCard && shape.card_count == 1) {
    for (std::size_t i = 0; i < cards_.size(); ++i) {
      // Cards with equal room are one choice.
      if (cards_[i] < card_milli || (i > 0 && cards_[i] == cards_[i - 1])) continue;
      if (successors_.size() - begin == kMostChoices) break;
      after = cards_;
      take(after, i, card_milli);
      successors_.push_back({room(cpu_after, after, node.product), cards_[i]});
    }
  } else {
    // The tightest that suffice, which of whole cards are the last.
    after = cards_;
    const auto first = std::ranges::lower_bound(after, card_milli) - after.begin();
    if (after.end() - after.begin() - first >= shape.card_count) {
      for (std::int32_t i = 0; i < shape.card_count; ++i) after[static_cast<std::size_t>(first + i)] -= card_milli;
      std::ranges::sort(after);
      successors_.push_back({room(cpu_after, after, node.product), 0});
    }
  }
  ranges_.push_back({begin, successors_.size()});
  return ranges_.back();
}

std::int64_t BerthPolicy::unit() const { return kPointMilli * kUnit * kTies; }

PolicyScore BerthPolicy::score(const ShapeView& shape, const NodeView& node) const {
  if (node.card_free.empty()) {
    constexpr std::int64_t kBest = 100;  // points
    return {.value = shape.card_count == 0 ? kBest * unit() : 0};
  }
  if (values_.size() >= kMostRooms || kept_cards_ >= kMostKept ||
      ranges_.size() + successors_.size() >= kMostSuccessors)
    forget_rooms();
  // What runs is a fact, even where it is too much: less than nothing is nothing.
  cards_.clear();
  for (const std::int32_t milli : node.card_free) cards_.push_back(std::max(milli, 0));
  std::ranges::sort(cards_);
  const std::int64_t gpu = std::accumulate(cards_.begin(), cards_.end(), std::int64_t{0});
  const std::uint32_t before = room(node.free_cpu, cards_, node.product);
  const Range range = successors(before, shape, node);
  // Of choices of equal value the tightest card wins.
  const Successor* best = nullptr;
  std::int64_t best_value = 0;
  for (std::size_t i = range.begin; i < range.end; ++i) {
    const std::int64_t left = value(successors_[i].room);
    if (best != nullptr && left <= best_value) continue;
    best = &successors_[i];
    best_value = left;
  }
  if (best == nullptr) return {.value = with_ties(-kMostGain, gpu, node.free_cpu)};  // does not fit
  PolicyScore result{.value = with_ties(best_value - value(before), gpu, node.free_cpu)};
  if (best->found > 0) {
    const auto card = std::ranges::find(node.card_free, best->found);
    result.card = static_cast<std::int32_t>(card - node.card_free.begin());
  }
  return result;
}

bool BerthPolicy::is_due(std::int64_t free_milli) const {
  constexpr std::int64_t kPart = 16;
  constexpr std::int64_t kLeastPart = 1024;  // of all GPU: a full cluster is not weighed at every change
  if (weighed_free_ < 0) return true;
  const std::int64_t change = free_milli > weighed_free_ ? free_milli - weighed_free_ : weighed_free_ - free_milli;
  return change * kPart > weighed_free_ && change * kLeastPart > weighed_all_;
}

// Nodes with equal rooms as one. Names and order of nodes go no further.
std::vector<NodeView> BerthPolicy::different(std::span<const NodeView> nodes) {
  std::vector<NodeView> result;
  SequenceInterner known;
  for (const NodeView& node : nodes) {
    cards_.assign(node.card_free.begin(), node.card_free.end());
    std::ranges::sort(cards_);
    key_.assign({node.free_cpu, static_cast<std::int64_t>(node.product.value())});
    key_.insert(key_.end(), cards_.begin(), cards_.end());
    const std::uint32_t number = known.intern(key_);
    if (number < result.size()) {
      result[number].nodes += node.nodes;
    } else {
      result.push_back(node);
    }
  }
  return result;
}

void BerthPolicy::weigh(std::span<const NodeView> nodes) {
  const std::vector<NodeView> rooms = different(nodes);
  expected_->scarcity.weigh(rooms);
  expected_->prices.settle(rooms);
  weighed_free_ = 0;
  weighed_all_ = 0;
  for (const NodeView& room : rooms) {
    weighed_free_ += free_gpu(room) * room.nodes;
    weighed_all_ += static_cast<std::int64_t>(room.card_free.size()) * kMilliPerCard * room.nodes;
  }
  leaving_ = started_ > 0 ? std::min(kLeavingParts, left_ * kLeavingParts / started_) : 0;
  if (started_ > 2 * weighed_all_) {
    started_ /= 2;
    left_ /= 2;
  }
  ++revision_;
}

void BerthPolicy::expect(TargetWorkload target) {
  expected_ = std::make_unique<Expectation>(std::move(target));
  forget_rooms();
  weighed_free_ = -1;
  ++revision_;
}

void BerthPolicy::restart(std::int64_t started, std::int64_t left) {
  expected_->prices.restart();
  started_ = started;
  left_ = left;
  weighed_free_ = -1;
  ++revision_;
}

}  // namespace berth::engine
