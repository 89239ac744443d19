#include "engine/devices/counter_layouts.h"

#include <algorithm>
#include <utility>

namespace berth::engine::devices {
namespace {

std::pair<std::uint32_t, CounterSetId> scope_and_name(const CounterSet& set) { return {set.scope, set.name}; }

}  // namespace

CounterLayouts::Layout::Layout(const std::vector<CounterSet>& sets, std::uint32_t number)
    : sets_(&sets), number_(number) {
  for (const CounterSet& set : sets) {
    offsets_.push_back(static_cast<std::uint32_t>(totals_.size()));
    for (const Counter& counter : set.counters) totals_.push_back(counter.amount);
    scopes_.resize(totals_.size(), set.scope);
  }
}

CounterLayouts::Layout& CounterLayouts::layout(std::vector<CounterSet> sets) {
  std::ranges::sort(sets, {}, scope_and_name);
  const LayoutId id = sets_.intern(std::move(sets));
  if (id.index() == layouts_.size()) layouts_.emplace_back(sets_.content(id), id.value());
  return layouts_[id.index()];
}

std::expected<const std::vector<CounterUse>*, PoolState> CounterLayouts::resolve(Layout& layout,
                                                                                 ConsumptionId consumption,
                                                                                 std::uint32_t scope) {
  const auto [entry, added] = layout.resolved_.try_emplace(std::uint64_t{scope} << 32U | consumption.value());
  std::expected<std::vector<CounterUse>, PoolState>& result = entry->second;
  if (added) {
    std::vector<CounterUse> uses;
    for (const CounterSet& taken : catalogue_.consumptions.content(consumption)) {
      const auto set = std::ranges::lower_bound(*layout.sets_, std::pair(scope, taken.name), {}, scope_and_name);
      if (set == layout.sets_->end() || set->scope != scope || set->name != taken.name) {
        result = std::unexpected(PoolState::kUnknownCounterSet);
        return std::unexpected(result.error());
      }
      const std::uint32_t offset = layout.offsets_[static_cast<std::size_t>(set - layout.sets_->begin())];
      for (const Counter& counter : taken.counters) {
        const auto found = std::ranges::lower_bound(set->counters, counter.name, {}, &Counter::name);
        if (found == set->counters.end() || found->name != counter.name) {
          result = std::unexpected(PoolState::kUnknownCounter);
          return std::unexpected(result.error());
        }
        uses.push_back(CounterUse{.counter = offset + static_cast<std::uint32_t>(found - set->counters.begin()),
                                  .amount = counter.amount});
      }
    }
    std::ranges::sort(uses, {}, &CounterUse::counter);
    result = std::move(uses);
  }
  if (!result) return std::unexpected(result.error());
  return &*result;
}

}  // namespace berth::engine::devices
