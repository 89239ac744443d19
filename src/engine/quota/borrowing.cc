#include "engine/quota/borrowing.h"

#include <algorithm>
#include <utility>

namespace berth::engine {

void Borrowing::look(const QueueTree& tree, const Ledger& ledger) {
  if (!tree.has_queues()) return;
  const std::size_t resources = ledger.resource_count();
  const std::vector<Amount> before = std::exchange(beyond_, std::vector<Amount>(tree.size() * resources, 0));
  bool more = before.size() != beyond_.size();
  for (std::size_t queue = 1; queue < tree.size(); ++queue) {
    for (std::size_t i = 0; i < resources; ++i) {
      const QueueId id{queue};
      const ResourceId resource{i};
      const Amount used = ledger.used(id, resource);
      if (resource == kPods || used <= ledger.quota(id, resource)) continue;
      const std::size_t place = queue * resources + i;
      // Who has no quota and uses something is always beyond it; how much does not matter.
      beyond_[place] = ledger.names(id, resource) ? used - ledger.quota(id, resource) : 1;
      more = more || beyond_[place] > before[place];
    }
  }
  if (more) ++changes_;
}

}  // namespace berth::engine
