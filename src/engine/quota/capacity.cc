// Capacity: of all resources that the queue has a guarantee for the one of which it uses the largest part. A queue
// without guarantees counts as one that uses all of it. Source: Volcano's capacity plugin.
#include "engine/quota/fairness.h"

#include <algorithm>

namespace berth::engine {

Share capacity_share(const Ledger& ledger, QueueId queue) {
  Share result;
  bool any = false;
  for (std::size_t i = 0; i < ledger.resource_count(); ++i) {
    const ResourceId resource{i};
    if (!ledger.names(queue, resource)) continue;
    const Amount quota = ledger.quota(queue, resource);
    const Amount used = std::max<Amount>(ledger.used(queue, resource), 0);
    any = any || quota > 0;
    const Share share = quota > 0 ? Share{used, quota} : Share{used > 0 ? 1 : 0, 1};
    if (share > result) result = share;
  }
  return any ? result : Share{1, 1};
}

}  // namespace berth::engine
