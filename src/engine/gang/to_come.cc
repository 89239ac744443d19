#include "engine/gang/to_come.h"

#include <algorithm>

#include "base/mutant.h"
#include "engine/amounts.h"

namespace berth::engine {

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

std::optional<QuotaBlock> block_of_kept(const Workloads& workloads, const Workload& workload,
                                        std::span<const ResourceAmount> amounts) {
  if (workload.queues.empty() || mutant("Rule.KeptOfTheHardware")) return std::nullopt;
  const Ledger& ledger = workloads.ledger();
  for (const ResourceAmount& each : added_charge(workload, amounts)) {
    const Amount hardware = ledger.hardware(each.resource);
    const Amount left = hardware - ledger.used(QueueTree::kRoot, each.resource);
    if (each.amount <= std::max<Amount>(left, 0)) continue;
    const Amount kept = workloads.kept(each.resource);
    const bool keeps = each.amount > amount_in(amounts, each.resource);
    if (keeps ? kept == 0 && each.amount > hardware : kept == 0 || left < 0) continue;
    return QuotaBlock{.limit = QuotaBlock::Limit::kToCome,
                      .queue = QueueTree::kRoot,
                      .resource = each.resource,
                      .needed = each.amount,
                      .headroom = left,
                      .potential = Ledger::kUnlimited};
  }
  return std::nullopt;
}

}  // namespace berth::engine
