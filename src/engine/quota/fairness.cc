#include "engine/quota/fairness.h"

#include <algorithm>

#include "base/mutant.h"

namespace berth::engine {

bool Fairness::needs_requests() const {
  return std::ranges::any_of(tree_.top_down(),
                             [&](QueueId queue) { return tree_.input(queue).fairness == FairnessPolicy::kProportion; });
}

void Fairness::prepare(QueueAmounts requests) {
  const QueueAmounts before = std::exchange(deserved_, QueueAmounts(tree_.size(), requests.resources()));
  const std::vector<QueueId>& order = tree_.top_down();
  for (auto queue = order.rbegin(); queue != order.rend(); ++queue) {
    for (std::size_t i = 0; i < requests.resources(); ++i) {
      const ResourceId resource{i};
      requests.at(*queue, resource) += ledger_.own(*queue, resource);
      if (*queue != QueueTree::kRoot) requests.at(tree_.parent(*queue), resource) += requests.at(*queue, resource);
    }
  }
  for (std::size_t i = 0; i < requests.resources(); ++i) {
    deserved_.at(QueueTree::kRoot, ResourceId{i}) = ledger_.hardware(ResourceId{i});
  }
  for (const QueueId queue : order) {
    if (!tree_.children(queue).empty()) fill_by_weight(tree_, ledger_, queue, requests, deserved_);
  }
  if (deserved_.exceeds(before)) ++loosened_;
}

std::optional<Amount> Fairness::claim(QueueId queue, ResourceId resource) const {
  std::optional<Amount> result;
  if (ledger_.names(queue, resource)) result = ledger_.quota(queue, resource);
  const bool computed = !deserved_.empty() && resource.index() < deserved_.resources() &&
                        tree_.input(tree_.parent(queue)).fairness == FairnessPolicy::kProportion;
  if (computed && !mutant("Rule.TakeBackDeserved"))
    result = std::max(result.value_or(0), deserved_.at(queue, resource));
  return result;
}

Share Fairness::share(QueueId queue) const {
  switch (tree_.input(tree_.parent(queue)).fairness) {
    case FairnessPolicy::kNone:
      return {};
    case FairnessPolicy::kDrf:
      return drf_share(tree_, ledger_, queue);
    case FairnessPolicy::kProportion:
      return deserved_.empty() ? Share{} : proportion_share(ledger_, deserved_, queue);
    case FairnessPolicy::kCapacity:
      return capacity_share(ledger_, queue);
  }
  return {};
}

std::strong_ordering Fairness::compare(QueueId a, QueueId b) const {
  const std::int32_t left = tree_.input(a).priority;
  const std::int32_t right = tree_.input(b).priority;
  if (left != right) return right <=> left;
  if (mutant("Rule.Fairness")) return std::strong_ordering::equal;
  return share(a) <=> share(b);
}

std::optional<QuotaBlock> Fairness::block(QueueId queue, std::span<const ResourceAmount> amounts) const {
  if (deserved_.empty()) return std::nullopt;
  for (QueueId at = queue; at != QueueTree::kRoot; at = tree_.parent(at)) {
    if (tree_.input(tree_.parent(at)).fairness != FairnessPolicy::kProportion) continue;
    for (const ResourceAmount& each : amounts) {
      if (each.amount <= 0 || each.resource.index() >= deserved_.resources() || each.resource == kPods) continue;
      const Amount headroom = deserved_.at(at, each.resource) - ledger_.used(at, each.resource);
      if (each.amount <= headroom) continue;
      return QuotaBlock{.limit = QuotaBlock::Limit::kFairShare,
                        .queue = at,
                        .resource = each.resource,
                        .needed = each.amount,
                        .headroom = headroom,
                        .potential = ledger_.potential(queue, each.resource)};
    }
  }
  return std::nullopt;
}

}  // namespace berth::engine
