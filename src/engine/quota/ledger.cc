#include "engine/quota/ledger.h"

#include <algorithm>

#include "base/mutant.h"

namespace berth::engine {
namespace {

// No sum of amounts passes the largest number.
Amount plus(Amount a, Amount b) {
  Amount result = 0;
  return __builtin_add_overflow(a, b, &result) ? Ledger::kUnlimited : result;
}

}  // namespace

void Ledger::widen(ResourceId resource) const {
  // Resources of nodes that have each their own come one by one, too.
  constexpr std::size_t kMany = 16;
  const std::size_t ahead = stride_ < kMany ? resource.index() + 1 : stride_ + stride_ / 2;
  const std::size_t stride = resource.index() < stride_ ? stride_ : std::max(ahead, resource.index() + 1);
  const std::size_t before = cells_.size() / stride_;
  // Queues often come one by one.
  const std::size_t queues = before < tree_.size() ? std::max(tree_.size(), 2 * before) : before;
  std::vector<Cell> wider(queues * stride);
  for (std::size_t place = 0; place < cells_.size(); ++place)
    wider[place / stride_ * stride + place % stride_] = cells_[place];
  cells_ = std::move(wider);
  stride_ = stride;
}

Ledger::Cell& Ledger::cell(QueueId queue, ResourceId resource) const {
  resources_ = std::max(resources_, resource.index() + 1);
  if (resource.index() >= stride_ || queue.index() * stride_ >= cells_.size()) widen(resource);
  return cells_[queue.index() * stride_ + resource.index()];
}

void Ledger::add_hardware(ResourceId resource, Amount change) {
  if (change == 0) return;
  if (change > 0) ++loosened_;
  cell(QueueTree::kRoot, resource).hardware += change;
}

void Ledger::rebuild() const {
  stale_ = false;
  for (const QueueId queue : tree_.top_down()) {
    for (const QuotaInput& quota : tree_.input(queue).quotas) (void)cell(queue, quota.resource);
  }
  (void)cell(QueueId{tree_.size() - 1}, kCpu);  // all queues have cells now, so that they stay where they are below
  for (Cell& each : cells_) {
    each = Cell{.own = each.own, .used = each.own, .drawn = each.own, .hardware = each.hardware};
  }
  const std::vector<QueueId>& order = tree_.top_down();
  for (auto queue = order.rbegin(); queue != order.rend(); ++queue) {
    const QueueInput& input = tree_.input(*queue);
    const QueueId parent = tree_.parent(*queue);
    for (std::size_t i = 0; i < resources_; ++i) {
      const ResourceId resource{i};
      Cell& here = cell(*queue, resource);
      const auto named = std::ranges::find(input.quotas, resource, &QuotaInput::resource);
      if (named != input.quotas.end()) {
        here.named = named->guarantee.has_value();
        if (named->guarantee)
          here.quota = input.adds_to_children ? plus(here.quota, *named->guarantee) : *named->guarantee;
        here.cap = named->cap.value_or(kUnlimited);
        if (named->guarantee) here.borrowing = named->borrowing_limit.value_or(kUnlimited);
        if (named->guarantee && named->lending_limit) {
          here.withheld = std::max<Amount>(here.quota - here.withheld_below - *named->lending_limit, 0);
        }
      }
      if (*queue == QueueTree::kRoot || input.counts_aside) continue;
      Cell& above = cell(parent, resource);
      above.used += here.used;
      above.drawn += std::max<Amount>(here.drawn - here.withheld, 0);
      above.quota = plus(above.quota, here.quota);
      above.withheld_below = plus(above.withheld_below, here.withheld);
      if (!mutant("Rule.KeptBelow")) above.withheld_below = plus(above.withheld_below, here.withheld_below);
    }
  }
}

void Ledger::charge(QueueId queue, ResourceId resource, Amount amount) {
  if (amount == 0) return;
  if (amount < 0) ++loosened_;
  cell(queue, resource).own += amount;
  if (stale_) return;
  Amount drawn = amount;
  while (true) {
    Cell& here = cell(queue, resource);
    here.used += amount;
    const Amount before = std::max<Amount>(here.drawn - here.withheld, 0);
    here.drawn += drawn;
    drawn = std::max<Amount>(here.drawn - here.withheld, 0) - before;
    if (queue == QueueTree::kRoot || tree_.input(queue).counts_aside) return;
    queue = tree_.parent(queue);
  }
}

void Ledger::charge(QueueId queue, std::span<const ResourceAmount> amounts, int sign) {
  for (const ResourceAmount& each : amounts) charge(queue, each.resource, sign * each.amount);
}

Ledger::Room Ledger::room(QueueId queue, ResourceId resource, bool emptied) const {
  Room result = shared_room(queue, resource, emptied);
  if (mutant("Rule.QueueCap")) return result;
  // What is kept for a queue gives it no room beyond the caps above it.
  for (QueueId above = queue; above != QueueTree::kRoot; above = tree_.parent(above)) {
    const Cell& here = at(above, resource);
    const Amount below_cap = here.cap == kUnlimited ? kUnlimited : here.cap - (emptied ? 0 : here.used);
    if (below_cap < result.amount) result = {below_cap, QuotaBlock::Limit::kCap, above};
    if (tree_.input(above).counts_aside) break;
  }
  return result;
}

Ledger::Room Ledger::shared_room(QueueId queue, ResourceId resource, bool emptied) const {
  const Cell& here = at(queue, resource);
  const Amount drawn = emptied ? 0 : here.drawn;
  if (queue == QueueTree::kRoot) {
    if (here.withheld_below == 0 || mutant("Rule.LendingLimit")) return {};
    // Where nodes are missing and the hardware does not cover what is kept, each has its own as long as there is room.
    const Amount shared = here.hardware - here.withheld_below - drawn;
    const bool missing = shared < 0 && !mutant("Rule.OwnGuaranteeWithoutCover");
    return {missing ? 0 : shared, QuotaBlock::Limit::kWithheld, queue};
  }
  if (tree_.input(queue).only_named_resources && !here.named) return {0, QuotaBlock::Limit::kNotNamed, queue};
  Room result = tree_.input(queue).counts_aside ? Room{} : shared_room(tree_.parent(queue), resource, emptied);
  if (here.borrowing != kUnlimited && !mutant("Rule.BorrowingLimit")) {
    const Amount seen = here.quota - here.withheld_below - here.withheld - std::max<Amount>(drawn - here.withheld, 0);
    const Amount borrowable = plus(seen, here.borrowing);
    if (borrowable < result.amount) result = {borrowable, QuotaBlock::Limit::kBorrowing, queue};
  }
  result.amount = plus(result.amount, std::max<Amount>(here.withheld - drawn, 0));
  if (here.cap != kUnlimited && !mutant("Rule.QueueCap")) {
    const Amount below_cap = std::max<Amount>(here.cap - here.withheld_below - drawn, 0);
    if (below_cap < result.amount) result = {below_cap, QuotaBlock::Limit::kCap, queue};
  }
  return result;
}

std::optional<QuotaBlock> Ledger::block(QueueId queue, std::span<const ResourceAmount> amounts) const {
  std::optional<QuotaBlock> first;
  for (const ResourceAmount& each : amounts) {
    if (each.amount <= 0) continue;
    const Room now = room(queue, each.resource, false);
    if (each.amount <= now.amount) continue;
    const QuotaBlock block{.limit = now.limit,
                           .queue = now.queue,
                           .resource = each.resource,
                           .needed = each.amount,
                           .headroom = now.amount,
                           .potential = potential(queue, each.resource)};
    if (block.never()) return block;
    if (!first) first = block;
  }
  return first;
}

}  // namespace berth::engine
