// Proportion: what the parent has is poured out over its children by weight, to each no more than it asks for and may
// have; what one leaves is poured out over the others, until nobody wants more. What a child keeps is a floor under
// its share and no head start. Source: Volcano's proportion plugin. Whole units, rounded down; a remainder smaller than
// the number of queues stays.
#include "engine/quota/fairness.h"

#include <algorithm>

namespace berth::engine {
namespace {

using Wide = __int128;

void fill(const QueueTree& tree, const Ledger& ledger, QueueId parent, ResourceId resource,
          const QueueAmounts& requests, QueueAmounts& deserved) {
  const std::vector<QueueId>& children = tree.children(parent);
  const auto ceiling = [&](QueueId child) {
    // The potential is that of work in the queue itself, which what is kept below is not for.
    const Amount asked = requests.at(child, resource);
    const Amount potential = ledger.potential(child, resource);
    return asked <= potential ? asked : std::min(asked, potential + ledger.withheld_below(child, resource));
  };
  Amount left = deserved.at(parent, resource);
  if (parent == QueueTree::kRoot) left -= ledger.own(parent, resource);
  std::vector<QueueId> open;
  for (const QueueId child : children) {
    deserved.at(child, resource) = 0;
    if (requests.at(child, resource) > 0) open.push_back(child);
  }
  while (left > 0 && !open.empty()) {
    Wide weights = 0;
    for (const QueueId child : open) weights += std::max<std::int64_t>(tree.input(child).weight, 1);
    const Amount pot = left;
    bool moved = false;
    std::vector<QueueId> still;
    for (const QueueId child : open) {
      const Wide part = Wide{pot} * std::max<std::int64_t>(tree.input(child).weight, 1) / weights;
      Amount& has = deserved.at(child, resource);
      const Amount most = ceiling(child);
      const Amount poured = has + static_cast<Amount>(std::min<Wide>(part, std::max<Amount>(most - has, 0)));
      const Amount kept = ledger.withheld(child, resource) + ledger.withheld_below(child, resource);
      const Amount next = std::max(poured, kept);
      left -= next - has;
      moved = moved || next > has;
      has = next;
      if (has < most) still.push_back(child);
    }
    if (!moved) break;
    open = std::move(still);
  }
}

}  // namespace

void fill_by_weight(const QueueTree& tree, const Ledger& ledger, QueueId parent, const QueueAmounts& requests,
                    QueueAmounts& deserved) {
  for (std::size_t i = 0; i < requests.resources(); ++i) fill(tree, ledger, parent, ResourceId{i}, requests, deserved);
}

Share proportion_share(const Ledger& ledger, const QueueAmounts& deserved, QueueId queue) {
  Share result;
  for (std::size_t i = 0; i < deserved.resources(); ++i) {
    const ResourceId resource{i};
    if (resource == kPods) continue;
    const Amount used = std::max<Amount>(ledger.used(queue, resource), 0);
    const Amount whole = deserved.at(queue, resource);
    const Share share = whole > 0 ? Share{used, whole} : Share{used > 0 ? 1 : 0, 1};
    if (share > result) result = share;
  }
  return result;
}

}  // namespace berth::engine
