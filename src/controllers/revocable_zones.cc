#include "controllers/revocable_zones.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>

#include "api/full_name.h"
#include "api/volcano_keys.h"
#include "base/whole_number.h"
#include "controllers/workshop.h"

namespace berth::controllers {
namespace {

namespace keys = api::volcano::keys;

// What a group has, as far as budgets ask.
struct Group {
  std::int64_t pods = 0;
  std::int64_t running = 0;
  std::int64_t ended = 0;
  std::string_view min_available;
  std::string_view max_unavailable;
  std::int64_t leaves = 0;  // already, at this moment
};

// "2" or "25%" of all pods; what is neither lets nobody go.
std::int64_t part_of(std::string_view text, std::int64_t pods) {
  constexpr std::int64_t kMost = 1'000'000;
  const bool percent = text.ends_with('%');
  if (percent) text.remove_suffix(1);
  const std::int64_t number = whole_number<std::int64_t>(text, 0, kMost).value_or(0);
  return percent ? (pods * number + 99) / 100 : number;
}

std::int64_t may_leave(const Group& group) {
  if (!group.max_unavailable.empty()) {
    const std::int64_t away = group.pods - group.ended - group.running;
    return std::max<std::int64_t>(part_of(group.max_unavailable, group.pods) - away, 0);
  }
  if (!group.min_available.empty()) {
    const std::int64_t least = part_of(group.min_available, group.pods);
    if (group.running >= least) return group.running - least;
  }
  return 1;
}

std::string key_of(const api::Pod& pod) {
  return api::full_name(pod.metadata.namespace_, api::volcano::group_of(pod).name);
}

std::map<std::string, Group> groups_of(const api::ObjectSet& objects) {
  std::map<std::string, Group> groups;
  for (const auto& read : objects.pods) {
    Group& group = groups[key_of(read.object)];
    ++group.pods;
    group.ended += is_finished(read.object) ? 1 : 0;
    group.running += is_on_a_node(read.object) ? 1 : 0;
  }
  for (const auto& read : objects.volcano_pod_groups) {
    const auto group = groups.find(api::full_name(read.object.metadata));
    if (group == groups.end()) continue;
    group->second.min_available = annotation(read.object.metadata, keys::kBudgetMinAvailable);
    group->second.max_unavailable = annotation(read.object.metadata, keys::kBudgetMaxUnavailable);
  }
  return groups;
}

}  // namespace

std::vector<Revocation> revocations(const api::ObjectSet& objects, const api::volcano::RevocableZones& zones,
                                    api::Time now) {
  std::vector<Revocation> result;
  if (zones.empty() || !zones.drains()) return result;
  std::map<std::string_view, api::Time> due;  // by node of a closed zone
  for (const auto& read : objects.nodes) {
    const auto zone = read.object.metadata.labels.find(keys::kRevocableZone);
    if (zone == read.object.metadata.labels.end()) continue;
    const std::optional<api::Time> closed = zones.closed_since(zone->second, now);
    if (!closed) continue;
    const std::int64_t period = zones.evict_period();
    due.emplace(read.object.metadata.name, *closed + (now - *closed + period - 1) / period * period);
  }
  if (due.empty()) return result;
  std::map<std::string, Group> groups = groups_of(objects);
  for (const auto& read : objects.pods) {
    const api::Pod& pod = read.object;
    const auto node = due.find(pod.spec.node_name);
    const bool volcano = pod.spec.scheduler_name == api::volcano::kSchedulerName;
    if (node == due.end() || !is_on_a_node(pod) || !volcano || !api::volcano::may_be_revoked(pod)) continue;
    Group& group = groups.at(key_of(pod));
    if (group.leaves >= may_leave(group)) continue;
    ++group.leaves;
    result.push_back({&pod, node->second});
  }
  return result;
}

}  // namespace berth::controllers
