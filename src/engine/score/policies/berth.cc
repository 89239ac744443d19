#include "engine/score/policies/berth.h"

#include <algorithm>
#include <limits>
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

// One number that orders by gain, then by less free GPU, then by less free CPU. Gains beyond 4,000 GPUs, nodes beyond
// 16 free GPUs and 262 free cores count as these.
std::int64_t with_ties(std::int64_t gain, const NodeView& node) {
  constexpr std::int64_t kMostGain = std::int64_t{1} << 32U;
  constexpr std::int64_t kMostGpu = (std::int64_t{1} << 14U) - 1;
  constexpr std::int64_t kMostCpuSteps = (std::int64_t{1} << 16U) - 1;
  constexpr std::int64_t kCpuStep = 4;  // milli
  const std::int64_t gpu = kMostGpu - std::min(kMostGpu, free_gpu(node));
  const std::int64_t cpu = kMostCpuSteps - std::clamp<std::int64_t>(node.free_cpu / kCpuStep, 0, kMostCpuSteps);
  return (std::clamp(gain, -kMostGain, kMostGain) * (kMostGpu + 1) + gpu) * (kMostCpuSteps + 1) + cpu;
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
  values_.clear();
  places_.clear();
  steps_.clear();
  ranges_.clear();
  successors_.clear();
}

std::uint32_t BerthPolicy::room(Amount free_cpu, std::span<const std::int32_t> cards, ProductId product) const {
  key_.assign({free_cpu, static_cast<std::int64_t>(product.value())});
  key_.insert(key_.end(), cards.begin(), cards.end());
  const std::uint32_t number = rooms_.intern(key_);
  if (number == values_.size()) {
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
  key_.assign({before, shape.cpu, shape.card_count, shape.card_milli});
  const std::uint32_t step = steps_.intern(key_);
  if (step < ranges_.size()) return ranges_[step];
  const Amount cpu_after = node.free_cpu - shape.cpu;
  const std::size_t begin = successors_.size();
  std::vector<std::int32_t> after;
  if (shape.card_milli < kMilliPerCard && shape.card_count == 1) {
    for (std::size_t i = 0; i < cards_.size(); ++i) {
      // Cards with equal room are one choice.
      if (cards_[i] < shape.card_milli || (i > 0 && cards_[i] == cards_[i - 1])) continue;
      after = cards_;
      take(after, i, shape.card_milli);
      successors_.push_back({room(cpu_after, after, node.product), cards_[i]});
    }
  } else if (std::ranges::count(cards_, kMilliPerCard) >= shape.card_count) {
    // The whole cards stand at the end.
    after = cards_;
    for (std::int32_t taken = 0; taken < shape.card_count; ++taken) take(after, after.size() - 1, kMilliPerCard);
    successors_.push_back({room(cpu_after, after, node.product), 0});
  }
  ranges_.push_back({begin, successors_.size()});
  return ranges_.back();
}

PolicyScore BerthPolicy::score(const ShapeView& shape, const NodeView& node) const {
  if (values_.size() >= kMostRooms || ranges_.size() + successors_.size() >= kMostSuccessors) forget_rooms();
  cards_.assign(node.card_free.begin(), node.card_free.end());
  std::ranges::sort(cards_);
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
  if (best == nullptr) return {.value = with_ties(std::numeric_limits<std::int64_t>::min(), node)};  // does not fit
  PolicyScore result{.value = with_ties(best_value - value(before), node)};
  if (best->found > 0) {
    const auto card = std::ranges::find(node.card_free, best->found);
    result.card = static_cast<std::int32_t>(card - node.card_free.begin());
  }
  return result;
}

bool BerthPolicy::is_due(std::int64_t free_milli) const {
  constexpr std::int64_t kPart = 16;
  if (weighed_free_ < 0) return true;
  const std::int64_t change = free_milli > weighed_free_ ? free_milli - weighed_free_ : weighed_free_ - free_milli;
  return change * kPart > weighed_free_;
}

void BerthPolicy::weigh(std::span<const NodeView> nodes) {
  expected_->scarcity.weigh(nodes);
  expected_->prices.settle(nodes);
  weighed_free_ = 0;
  std::int64_t all = 0;
  for (const NodeView& node : nodes) {
    weighed_free_ += free_gpu(node);
    all += static_cast<std::int64_t>(node.card_free.size()) * kMilliPerCard;
  }
  leaving_ = started_ > 0 ? std::min(kLeavingParts, left_ * kLeavingParts / started_) : 0;
  if (started_ > 2 * all) {
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

}  // namespace berth::engine
