#include "dialects/kubernetes/kai_groups.h"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include "api/pod_state.h"
#include "base/sort_unique.h"
#include "dialects/kubernetes/cards.h"

namespace berth::dialects::kubernetes {
namespace {

constexpr std::string_view kGroup = "runai-gpu-group";
constexpr std::string_view kGroupPrefix = "runai-gpu-group/";
constexpr std::string_view kReservation = "gpu-reservation";

// The groups that the labels name, ascending.
std::vector<std::string_view> groups_of(const api::Pod& pod) {
  std::vector<std::string_view> result;
  for (auto label = pod.metadata.labels.lower_bound(kGroup); label != pod.metadata.labels.end(); ++label) {
    const std::string_view key = label->first;
    if (!key.starts_with(kGroup)) break;
    if (key == kGroup) result.push_back(label->second);
    if (key.starts_with(kGroupPrefix)) result.push_back(key.substr(kGroupPrefix.size()));
  }
  sort_unique(result);
  return result;
}

}  // namespace

bool has_kai_group(const api::Pod& pod) { return !groups_of(pod).empty(); }

bool is_kai_reservation(const api::Pod& pod) {
  return pod.metadata.name.starts_with(kReservation) && has_kai_group(pod);
}

KaiGroups::KaiGroups(const api::ObjectSet& objects) {
  std::map<std::string_view, std::set<std::string_view>> groups;
  for (const auto& read : objects.pods) {
    const api::Pod& pod = read.object;
    if (pod.spec.node_name.empty() || pod.metadata.labels.empty() || is_finished(pod) || is_kai_reservation(pod))
      continue;
    for (const std::string_view group : groups_of(pod)) groups[pod.spec.node_name].insert(group);
  }
  if (groups.empty()) return;
  for (const auto& read : objects.nodes) {
    const auto found = groups.find(read.object.metadata.name);
    if (found == groups.end()) continue;
    const api::ResourceList& offered = read.object.allocatable.empty() ? read.object.capacity : read.object.allocatable;
    const auto amount = offered.find(kKaiCards);
    if (amount == offered.end()) continue;
    std::int64_t card = std::min<std::int64_t>(amount->second.value(), kMaxCardsPerNode);
    auto& here = cards_[std::string(found->first)];
    for (const std::string_view group : found->second) {
      if (--card < 0) break;
      here.emplace(std::string(group), static_cast<std::uint16_t>(card));
    }
  }
}

std::vector<engine::CardAssignment> KaiGroups::cards_of(const api::Pod& pod, const engine::Names& names) const {
  if (cards_.empty() || pod.spec.node_name.empty() || is_kai_reservation(pod)) return {};
  const auto node = cards_.find(pod.spec.node_name);
  if (node == cards_.end()) return {};
  engine::CardAssignment assignment{.resource = names.resources.find(kKaiCards), .cards = {}};
  for (const std::string_view group : groups_of(pod)) {
    const auto card = node->second.find(std::string(group));
    if (card == node->second.end()) return {};
    assignment.cards.push_back(card->second);
  }
  if (assignment.cards.empty()) return {};
  std::ranges::sort(assignment.cards);
  return {std::move(assignment)};
}

}  // namespace berth::dialects::kubernetes
