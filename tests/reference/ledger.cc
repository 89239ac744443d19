#include "reference/ledger.h"

#include <algorithm>

namespace berth::reference {

bool NaiveLedger::is_broken(std::size_t queue) const {
  std::size_t steps = 0;
  for (auto at = static_cast<std::int32_t>(queue); at >= 0; at = queues_[static_cast<std::size_t>(at)].parent) {
    if (++steps > queues_.size()) return true;
  }
  return false;
}

std::vector<std::size_t> NaiveLedger::children(std::int32_t queue) const {
  std::vector<std::size_t> result;
  for (std::size_t i = 0; i < queues_.size(); ++i) {
    if (parent(i) == queue) result.push_back(i);
  }
  return result;
}

std::int64_t NaiveLedger::used(std::int32_t queue) const {
  std::int64_t sum = queue < 0 ? 0 : queues_[static_cast<std::size_t>(queue)].charged;
  for (const std::size_t child : children(queue)) sum += used(static_cast<std::int32_t>(child));
  return sum;
}

std::int64_t NaiveLedger::quota(std::size_t queue) const {
  const QueueSpec& spec = queues_[queue];
  std::int64_t below = 0;
  for (const std::size_t child : children(static_cast<std::int32_t>(queue))) below += quota(child);
  if (!spec.guarantee) return below;
  return spec.adds_to_children ? *spec.guarantee + below : *spec.guarantee;
}

std::int64_t NaiveLedger::kept_below(std::int32_t queue) const {
  std::int64_t sum = 0;
  for (const std::size_t child : children(queue)) {
    sum += withheld(child) + kept_below(static_cast<std::int32_t>(child));
  }
  return sum;
}

std::int64_t NaiveLedger::withheld(std::size_t queue) const {
  const QueueSpec& spec = queues_[queue];
  if (!spec.guarantee || !spec.lending_limit) return 0;
  const std::int64_t others_see = quota(queue) - kept_below(static_cast<std::int32_t>(queue));
  return std::max<std::int64_t>(others_see - *spec.lending_limit, 0);
}

std::int64_t NaiveLedger::drawn(std::int32_t queue) const {
  std::int64_t sum = queue < 0 ? 0 : queues_[static_cast<std::size_t>(queue)].charged;
  for (const std::size_t child : children(queue)) {
    sum += std::max<std::int64_t>(drawn(static_cast<std::int32_t>(child)) - withheld(child), 0);
  }
  return sum;
}

std::optional<std::int64_t> NaiveLedger::headroom(std::int32_t queue) const {
  std::optional<std::int64_t> result = shared(queue);
  for (std::int32_t at = queue; at >= 0; at = parent(static_cast<std::size_t>(at))) {
    const std::optional<std::int64_t>& cap = queues_[static_cast<std::size_t>(at)].cap;
    if (cap) result = std::min(result.value_or(*cap - used(at)), *cap - used(at));
  }
  return result;
}

std::optional<std::int64_t> NaiveLedger::shared(std::int32_t queue) const {
  if (queue < 0) {
    const std::int64_t kept = kept_below(-1);
    if (kept == 0) return std::nullopt;
    return std::max<std::int64_t>(hardware_ - kept - drawn(-1), 0);
  }
  const auto at = static_cast<std::size_t>(queue);
  const QueueSpec& spec = queues_[at];
  if (spec.only_named && !spec.guarantee) return 0;
  std::optional<std::int64_t> result = shared(parent(at));
  const auto at_most = [&](std::int64_t limit) { result = result ? std::min(*result, limit) : limit; };
  const std::int64_t own = withheld(at);
  if (spec.guarantee && spec.borrowing_limit)
    at_most(quota(at) - kept_below(queue) - own - std::max<std::int64_t>(drawn(queue) - own, 0) +
            *spec.borrowing_limit);
  if (result) *result += std::max<std::int64_t>(own - drawn(queue), 0);
  if (spec.cap) at_most(std::max<std::int64_t>(*spec.cap - kept_below(queue) - drawn(queue), 0));
  return result;
}

}  // namespace berth::reference
