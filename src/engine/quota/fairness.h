// Fairness: which of a queue's children is next. A policy gives each child a share, the lowest goes first; queues of
// higher priority go before all shares. One file per policy.
//
//   kDrf         drf.cc         dominant share of the hardware
//   kCapacity    capacity.cc    dominant share of the guarantee
//   kProportion  proportion.cc  dominant share of what water-filling by weight gives; nobody starts beyond that
//
// Source: Volcano's plugins of these names; shares are exact fractions instead of float64.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "engine/quota/ledger.h"
#include "engine/quota/share.h"

namespace berth::engine {

// Amounts per [queue][resource].
class QueueAmounts {
 public:
  QueueAmounts() = default;
  QueueAmounts(std::size_t queues, std::size_t resources) : stride_(resources), amounts_(queues * resources, 0) {}
  [[nodiscard]] Amount& at(QueueId queue, ResourceId resource) {
    return amounts_[queue.index() * stride_ + resource.index()];
  }
  [[nodiscard]] Amount at(QueueId queue, ResourceId resource) const {
    return amounts_[queue.index() * stride_ + resource.index()];
  }
  [[nodiscard]] std::size_t resources() const { return stride_; }
  [[nodiscard]] bool empty() const { return amounts_.empty(); }
  // Is any amount above that of the other? Also true where they are of different sizes.
  [[nodiscard]] bool exceeds(const QueueAmounts& other) const {
    return amounts_.size() != other.amounts_.size() ||
           !std::ranges::equal(amounts_, other.amounts_, [](Amount mine, Amount theirs) { return mine <= theirs; });
  }

 private:
  std::size_t stride_ = 0;
  std::vector<Amount> amounts_;
};

[[nodiscard]] Share drf_share(const QueueTree& tree, const Ledger& ledger, QueueId queue);
[[nodiscard]] Share capacity_share(const Ledger& ledger, QueueId queue);
// What each child of `parent` deserves of `total`, given what each uses and asks for together (`requests`).
void fill_by_weight(const QueueTree& tree, const Ledger& ledger, QueueId parent, const QueueAmounts& requests,
                    QueueAmounts& deserved);
[[nodiscard]] Share proportion_share(const Ledger& ledger, const QueueAmounts& deserved, QueueId queue);

class Fairness {
 public:
  Fairness(const QueueTree& tree, const Ledger& ledger) : tree_(tree), ledger_(ledger) {}

  // Does any queue share by what its children ask for? Then prepare() needs it.
  [[nodiscard]] bool needs_requests() const;
  // Once per pass. `requests`: what each queue itself asks for on top of what it uses; summed up the tree here.
  void prepare(QueueAmounts requests);

  // What the queue may take back from others, and nobody takes from it: its quota, or under kProportion what it
  // deserves where that is more. None: it has a claim to nothing of the resource.
  [[nodiscard]] std::optional<Amount> claim(QueueId queue, ResourceId resource) const;

  // Moves on whenever some queue deserves more than before.
  [[nodiscard]] std::uint64_t loosened() const { return loosened_; }

  // Of two children of one queue; equal: their heads decide.
  [[nodiscard]] std::strong_ordering compare(QueueId a, QueueId b) const;

  // Would the amounts bring the queue, or an ancestor, above what it deserves? Only kProportion says so.
  [[nodiscard]] std::optional<QuotaBlock> block(QueueId queue, std::span<const ResourceAmount> amounts) const;

 private:
  [[nodiscard]] Share share(QueueId queue) const;

  const QueueTree& tree_;
  const Ledger& ledger_;
  QueueAmounts deserved_;
  std::uint64_t loosened_ = 0;
};

}  // namespace berth::engine
