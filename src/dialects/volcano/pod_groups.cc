#include "dialects/volcano/pod_groups.h"

#include <algorithm>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "api/volcano_keys.h"

namespace berth::dialects::volcano {
namespace {

namespace keys = api::volcano::keys;
using api::volcano::PodGroup;
using api::volcano::SubGroupPolicy;

// The role that the policy selects, and nothing but that.
std::optional<std::string_view> role_of(const SubGroupPolicy& policy) {
  if (!policy.label_selector || !policy.label_selector->match_expressions.empty()) return std::nullopt;
  const api::StringMap& labels = policy.label_selector->match_labels;
  if (labels.size() != 1 || labels.begin()->first != keys::kTaskSpec) return std::nullopt;
  return labels.begin()->second;
}

std::string policy_name(const SubGroupPolicy& policy, std::size_t index) {
  return policy.name.empty() ? fmt::format("policy {}", index) : policy.name;
}

}  // namespace

bool roles_count(const PodGroup& group) {
  std::int64_t sum = 0;
  for (const auto& [role, least] : group.min_task_member) sum += least;
  return sum > 0 && sum <= group.min_member;
}

std::string_view role_of(const api::Pod& pod) {
  for (const api::StringMap* map : {&pod.metadata.annotations, &pod.metadata.labels})
    if (const auto found = map->find(keys::kTaskSpec); found != map->end()) return found->second;
  return {};
}

PodGroupTree::PodGroupTree(const api::Read<PodGroup>& read, const std::vector<const api::Pod*>& pods,
                           const HyperNodes* hyper_nodes, engine::Names& names, workloads::Reading& out)
    : read_(read), names_(names) {
  const PodGroup& group = read.object;
  engine::GroupInput root;
  root.name = names_.names.intern("all");
  root.minimum_pods = group.min_member;
  if (group.network_topology && hyper_nodes != nullptr)
    root.topology = hyper_nodes->rule(*group.network_topology, read.place, out);
  groups_.push_back(root);
  add_policies(pods, hyper_nodes, out);
  if (roles_count(group)) add_roles();
  if (groups_.size() == 1) return;
  const std::uint32_t rest = add("the others", 0);
  rest_ = groups_[rest].name;
}

std::uint32_t PodGroupTree::add(std::string_view name, std::uint32_t parent) {
  engine::GroupInput group;
  group.name = names_.names.intern(name);
  group.parent = parent;
  groups_.push_back(group);
  return static_cast<std::uint32_t>(groups_.size() - 1);
}

void PodGroupTree::add_roles() {
  for (const auto& [role, least] : read_.object.min_task_member) {
    if (least <= 0) continue;
    // A role that a policy divides has its minimum there.
    const auto divided = std::ranges::find_if(read_.object.sub_group_policy, [&](const SubGroupPolicy& policy) {
      return !policy.match_label_keys.empty() && role_of(policy) == role;
    });
    if (divided != read_.object.sub_group_policy.end()) {
      const auto index = static_cast<std::size_t>(divided - read_.object.sub_group_policy.begin());
      const engine::NameId name = names_.names.intern(policy_name(*divided, index));
      const auto node = std::ranges::find(groups_, name, &engine::GroupInput::name);
      node->minimum_pods = least;
      continue;
    }
    const std::uint32_t leaf = add(role, 0);
    groups_[leaf].minimum_pods = least;
    roles_.emplace(role, groups_[leaf].name);
  }
}

void PodGroupTree::add_policies(const std::vector<const api::Pod*>& pods, const HyperNodes* hyper_nodes,
                                workloads::Reading& out) {
  const std::vector<SubGroupPolicy>& policies = read_.object.sub_group_policy;
  std::map<std::string, std::vector<std::string>> found;  // by policy, its sub-groups
  for (const api::Pod* pod : pods) {
    const auto name = sub_group(*pod);
    if (!name) continue;
    auto& list = found[name->substr(0, name->find('/'))];
    if (std::ranges::find(list, *name) == list.end()) list.push_back(*name);
  }
  for (std::size_t i = 0; i < policies.size(); ++i) {
    const SubGroupPolicy& policy = policies[i];
    if (policy.match_label_keys.empty()) continue;  // Volcano matches nobody then
    const std::string name = policy_name(policy, i);
    const std::uint32_t node = add(name, 0);
    groups_[node].minimum_children = policy.min_sub_groups;
    std::vector<std::string>& members = found[name];
    std::ranges::sort(members, [](const std::string& a, const std::string& b) {
      return std::pair(a.size(), std::string_view(a)) < std::pair(b.size(), std::string_view(b));
    });
    for (const std::string& member : members) {
      const std::uint32_t leaf = add(member, node);
      groups_[leaf].minimum_pods = policy.sub_group_size;
      if (policy.network_topology && hyper_nodes != nullptr)
        groups_[leaf].topology = hyper_nodes->rule(*policy.network_topology, read_.place, out);
      sub_groups_.emplace(member, groups_[leaf].name);
    }
    // Those that have no pods yet are missing, not unneeded. One stands for all: with it too few are satisfied.
    const auto there = static_cast<std::int32_t>(members.size());
    if (there >= policy.min_sub_groups) continue;
    const std::int64_t missing = policy.min_sub_groups - there;
    const std::uint32_t absent = add(missing == 1 ? fmt::format("{}/(sub-group {}, without pods yet)", name, there + 1)
                                                  : fmt::format("{}/(sub-groups {} to {}, without pods yet)", name,
                                                                there + 1, policy.min_sub_groups),
                                     node);
    constexpr std::int64_t kMost = std::numeric_limits<std::int32_t>::max();
    groups_[absent].minimum_pods =
        static_cast<std::int32_t>(std::min(missing * std::max(policy.sub_group_size, 1), kMost));
  }
}

std::optional<std::string> PodGroupTree::sub_group(const api::Pod& pod) const {
  const std::vector<SubGroupPolicy>& policies = read_.object.sub_group_policy;
  for (std::size_t i = 0; i < policies.size(); ++i) {
    const SubGroupPolicy& policy = policies[i];
    if (policy.match_label_keys.empty()) continue;
    if (policy.label_selector && !api::matches(*policy.label_selector, pod.metadata.labels)) continue;
    std::string name = policy_name(policy, i);
    char mark = '/';
    const bool has_all = std::ranges::all_of(policy.match_label_keys, [&](const std::string& key) {
      const auto found = pod.metadata.labels.find(key);
      if (found == pod.metadata.labels.end()) return false;
      name += std::exchange(mark, ',') + found->second;
      return true;
    });
    if (has_all) return name;
  }
  return std::nullopt;
}

engine::NameId PodGroupTree::leaf(const api::Pod& pod) const {
  if (groups_.size() == 1) return {};
  if (const auto name = sub_group(pod)) {
    const auto found = sub_groups_.find(*name);
    return found == sub_groups_.end() ? rest_ : found->second;
  }
  const auto role = roles_.find(role_of(pod));
  return role == roles_.end() ? rest_ : role->second;
}

}  // namespace berth::dialects::volcano
