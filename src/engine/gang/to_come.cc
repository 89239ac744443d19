#include "engine/gang/to_come.h"

#include <algorithm>

#include "base/mutant.h"
#include "engine/amounts.h"

namespace berth::engine {
namespace {

struct Kept {
  Amount ahead = 0;   // for workloads that the asking one does not go before
  Amount behind = 0;  // for the others, and for itself
};

Kept kept(const Workloads& workloads, const Workload& asking, ResourceId resource) {
  Kept result;
  for (const WorkloadId id : workloads.keepers()) {
    const Workload& keeper = workloads[id];
    const bool is_behind = &keeper == &asking || keeper.input.priority < asking.input.priority;
    for (std::size_t i = 0; i < keeper.kept.size(); ++i)
      if (keeper.input.minimum_amounts[i].resource == resource)
        (is_behind ? result.behind : result.ahead) += keeper.kept[i];
  }
  return result;
}

// Would some queue above the workload still be within its guarantee?
bool is_guaranteed(const Workloads& workloads, const Fairness& fairness, const Workload& workload,
                   const ResourceAmount& asked) {
  for (QueueId at = workload.queue(); at != QueueTree::kRoot; at = workloads.queues().parent(at)) {
    const std::optional<Amount> claim = fairness.claim(at, asked.resource);
    if (claim && workloads.ledger().used(at, asked.resource) + asked.amount <= *claim) return true;
  }
  return false;
}

}  // namespace

std::vector<ResourceAmount> added_charge(const Workload& workload, std::span<const ResourceAmount> amounts) {
  std::vector<ResourceAmount> result(amounts.begin(), amounts.end());
  if (amounts.empty()) return result;
  for (std::size_t i = 0; i < workload.held.size(); ++i) {
    const auto [resource, least] = workload.input.minimum_amounts[i];
    const Amount asked = amount_in(amounts, resource);
    const Amount added = std::max(workload.held[i] + asked, least) - workload.held[i] - workload.kept[i];
    add_amount(result, {resource, added - asked});
  }
  return result;
}

std::optional<QuotaBlock> block_of_kept(const Workloads& workloads, const Fairness& fairness, const Workload& workload,
                                        std::span<const ResourceAmount> amounts, bool evicting,
                                        std::span<const ResourceAmount> held) {
  if (workload.queues.empty() || mutant("Rule.KeptOfTheHardware")) return std::nullopt;
  const Ledger& ledger = workloads.ledger();
  for (const ResourceAmount& charged : added_charge(workload, amounts)) {
    const bool keeps = !evicting && charged.amount > amount_in(amounts, charged.resource);
    const Amount needed = keeps ? charged.amount : amount_in(amounts, charged.resource);
    auto [ahead, behind] = kept(workloads, workload, charged.resource);
    // No queue is charged for it yet.
    const Amount held_here = amount_in(held, charged.resource);
    ahead += held_here;
    const Amount hardware = ledger.hardware(charged.resource);
    // Not used by pods, nor kept for who comes first.
    const Amount left = hardware - (ledger.used(QueueTree::kRoot, charged.resource) - behind) - held_here;
    if (needed <= std::max<Amount>(left, 0)) continue;
    if (keeps ? ahead == 0 && needed > hardware : ahead == 0 || left < 0) continue;
    if (is_guaranteed(workloads, fairness, workload, charged)) continue;
    return QuotaBlock{.limit = QuotaBlock::Limit::kToCome,
                      .queue = QueueTree::kRoot,
                      .resource = charged.resource,
                      .needed = needed,
                      .headroom = std::max<Amount>(left, 0),
                      .potential = Ledger::kUnlimited};
  }
  return std::nullopt;
}

}  // namespace berth::engine
