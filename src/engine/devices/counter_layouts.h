// CounterLayouts: the counter sets of pools as flat arrays. Pools with equal sets share a layout (all nodes of one
// machine type do), and a distinct consumption is resolved against a layout once.
#pragma once

#include <deque>
#include <expected>
#include <unordered_map>
#include <vector>

#include "engine/devices/catalogue.h"
#include "engine/devices/content_interner.h"
#include "engine/devices/ids.h"
#include "engine/devices/model.h"
#include "engine/devices/node_devices.h"

namespace berth::engine::devices {

class CounterLayouts {
 public:
  explicit CounterLayouts(const Catalogue& catalogue) : catalogue_(catalogue) {}

  class Layout {
   public:
    Layout(const std::vector<CounterSet>& sets, std::uint32_t number);
    [[nodiscard]] std::uint32_t number() const { return number_; }  // equal numbers: equal sets
    [[nodiscard]] const std::vector<Quantity>& totals() const { return totals_; }
    // Parallel to the totals: whose sets each is of.
    [[nodiscard]] const std::vector<std::uint32_t>& scopes() const { return scopes_; }

   private:
    friend class CounterLayouts;
    const std::vector<CounterSet>* sets_;  // ascending by scope and name
    std::uint32_t number_;
    std::vector<std::uint32_t> offsets_;  // per set: the number of its first counter
    std::vector<Quantity> totals_;
    std::vector<std::uint32_t> scopes_;
    // By consumption and scope.
    std::unordered_map<std::uint64_t, std::expected<std::vector<CounterUse>, PoolState>> resolved_;
  };

  // The layout of these sets; `sets` has no name twice in one scope.
  Layout& layout(std::vector<CounterSet> sets);

  // What the consumption takes of the layout's counters; valid for the life of the layouts. The error says whether the
  // layout lacks the set or the counter. `scope`: whose sets are meant.
  std::expected<const std::vector<CounterUse>*, PoolState> resolve(Layout& layout, ConsumptionId consumption,
                                                                   std::uint32_t scope);

 private:
  using LayoutId = Id<struct LayoutTag>;
  const Catalogue& catalogue_;
  ContentInterner<LayoutId, std::vector<CounterSet>, DeviceContentHash> sets_;
  std::deque<Layout> layouts_;  // by LayoutId
};

}  // namespace berth::engine::devices
