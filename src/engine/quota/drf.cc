// Dominant resource fairness: of all resources the one of which the queue has the largest part of the hardware, divided
// by the queue's weight. Source: Ghodsi et al., NSDI 2011.
#include "engine/quota/fairness.h"

#include <algorithm>

namespace berth::engine {

Share drf_share(const QueueTree& tree, const Ledger& ledger, QueueId queue) {
  Share result;
  for (std::size_t i = 0; i < ledger.resource_count(); ++i) {
    const ResourceId resource{i};
    if (ledger.hardware(resource) <= 0 || resource == kPods) continue;
    const Share share{std::max<Amount>(ledger.used(queue, resource), 0), ledger.hardware(resource)};
    if (share > result) result = share;
  }
  result.weight = std::max<std::int64_t>(tree.input(queue).weight, 1);
  return result;
}

}  // namespace berth::engine
