#include "dialects/volcano/volcano.h"

#include <algorithm>
#include <set>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "api/duration.h"
#include "api/full_name.h"
#include "api/scheduler_config.h"
#include "api/volcano_keys.h"
#include "dialects/kubernetes/card_shares.h"
#include "dialects/kubernetes/resources.h"
#include "dialects/volcano/annotations.h"
#include "dialects/volcano/queues.h"
#include "dialects/volcano/statuses.h"
#include "dialects/workloads/age.h"
#include "dialects/workloads/standing.h"
#include "dialects/workloads/wishes.h"
#include "engine/amounts.h"

namespace berth::dialects::volcano {
namespace {

namespace keys = api::volcano::keys;
using api::volcano::Membership;
using api::volcano::PodGroup;
using workloads::Member;
using workloads::Reading;
using workloads::Scene;

std::string workload_name(std::string_view key) { return fmt::format("Volcano PodGroup {}", key); }

// "false" alone: what cannot be read is a no to nothing.
bool says_no(const api::ObjectMeta& metadata, std::string_view key) {
  for (const api::StringMap* map : {&metadata.annotations, &metadata.labels})
    if (const auto found = map->find(key); found != map->end()) return !api::volcano::is_true(found->second);
  return false;
}

// What the group is to be charged for at least while it runs: its minResources, less what its pods asked for that
// ended well.
std::vector<engine::ResourceAmount> minimum_amounts(const PodGroup& group, const std::vector<const api::Pod*>& pods,
                                                    engine::Names& names) {
  std::vector<engine::ResourceAmount> result;
  if (!group.min_resources) return result;
  for (const auto& [key, quantity] : *group.min_resources) {
    // Volcano sums what containers ask for, of each of their vGPUs; pods are charged for all of these.
    if (key.find(kubernetes::kVolcanoGpuPrefix) != std::string::npos) continue;
    const auto least = kubernetes::quota_amount(key, quantity, names);
    if (!least) continue;
    // "cpu" and "requests.cpu" say the same.
    engine::add_amount(result, {least->resource, std::max<engine::Amount>(
                                                     least->amount - engine::amount_in(result, least->resource), 0)});
  }
  for (const api::Pod* pod : pods) {
    if (pod->status.phase != api::PodPhase::kSucceeded) continue;
    const kubernetes::PodResources done = kubernetes::pod_resources(*pod, names);
    for (const engine::ResourceAmount& each : done.requests) engine::add_amount(result, {each.resource, -each.amount});
    for (const engine::CardRequest& each : done.cards) engine::add_amount(result, {each.resource, -each.total()});
    engine::add_amount(result, {engine::kPods, -1});
  }
  std::erase_if(result, [](const engine::ResourceAmount& each) { return each.amount <= 0; });
  return result;
}

// When the group has waited as long as it, or the configuration, allows.
std::optional<engine::Time> deadline_of(const api::Read<PodGroup>& read, const Policies& policies, api::Time created,
                                        Reading& out) {
  if (!policies.deadlines) return std::nullopt;
  std::optional<std::int64_t> seconds = policies.waiting_seconds;
  for (const std::string_view key : {keys::kWaitingTimeBare, keys::kWaitingTime}) {
    const auto found = read.object.metadata.annotations.find(key);
    if (found == read.object.metadata.annotations.end()) continue;
    const auto own = api::parse_duration_seconds(found->second);
    if (own) {
      seconds = own;
      continue;
    }
    out.remark(
        ErrorCode::kInvalid, read.place, fmt::format("metadata.annotations[{}]", key),
        fmt::format("\"{}\" is no duration, so the group may wait for as long as others; write one such as 1h30m.",
                    found->second.substr(0, 40)));
  }
  if (!seconds) return std::nullopt;
  return created + *seconds;
}

engine::Requirement in_groups(engine::Names& names, const std::vector<std::string>& groups, engine::Operator op) {
  engine::Requirement requirement;
  requirement.key = names.label_keys.intern(keys::kNodeGroup);
  requirement.op = op;
  for (const std::string& group : groups) requirement.values.push_back(names.label_value(group));
  std::ranges::sort(requirement.values);
  return requirement;
}

}  // namespace

std::vector<std::string_view> Volcano::scheduler_names() const { return {api::volcano::kSchedulerName}; }

void Volcano::read(const Scene& scene, Reading& out) {
  groups_.clear();
  node_groups_.clear();
  policies_ = policies_of(scene.configuration == nullptr ? std::nullopt : scene.configuration->volcano, scene.objects);
  if (scene.configuration != nullptr && scene.configuration->volcano)
    out.remarks.insert(out.remarks.end(), scene.configuration->volcano->remarks.begin(),
                       scene.configuration->volcano->remarks.end());
  read_queues(scene, policies_, names_, out);
  hyper_nodes_.read(scene, out);
  revocable_nodes_.read(scene);
  numa_nodes_.read(scene, out);
  remark_annotations(scene.objects, out);
  if (policies_.node_groups) read_node_groups(scene.objects);
  for (const auto& read : scene.objects.volcano_pod_groups) groups_.try_emplace(api::full_name(read.object.metadata));
  if (groups_.empty()) return;
  boost::unordered_flat_map<std::string, std::vector<const api::Pod*>> pods;
  std::set<std::string> remarked;
  for (const auto& read : scene.objects.pods) {
    const std::string key = find(read.object);
    if (key.empty()) continue;
    pods[key].push_back(&read.object);
    const bool misnamed = api::volcano::group_of(read.object).membership == Membership::kMisnamed;
    if (!misnamed || !remarked.insert(key).second) continue;
    out.remark(
        ErrorCode::kUnsupported, read.place, fmt::format("metadata.annotations[{}]", keys::kPodGroup),
        fmt::format("Volcano does not read {}: there each such pod would be a group of its own. Berth counts them "
                    "to {}; write {} instead.",
                    keys::kPodGroup, key, keys::kGroupName));
  }
  for (const auto& read : scene.objects.volcano_pod_groups) {
    if (groups_.at(api::full_name(read.object.metadata)).workload.is_none())
      tell(scene, read, pods[api::full_name(read.object.metadata)], out);
  }
}

void Volcano::read_node_groups(const api::ObjectSet& objects) {
  for (const auto& read : objects.volcano_queues) {
    const api::volcano::Queue& queue = read.object;
    engine::NodeTerm term;
    if (!queue.affinity.required.empty())
      term.labels.push_back(in_groups(names_, queue.affinity.required, engine::Operator::kIn));
    if (!queue.anti_affinity.required.empty())
      term.labels.push_back(in_groups(names_, queue.anti_affinity.required, engine::Operator::kNotIn));
    if (!term.empty()) node_groups_.try_emplace(queue.metadata.name, engine::NodeSelector{{std::move(term)}});
  }
}

void Volcano::tell(const Scene& scene, const api::Read<PodGroup>& read, const std::vector<const api::Pod*>& pods,
                   Reading& out) {
  const PodGroup& object = read.object;
  const std::string key = api::full_name(object.metadata);
  Group& group = groups_.at(key);
  group.workload = names_.names.intern(workload_name(key));
  group.tree =
      std::make_unique<PodGroupTree>(read, pods, policies_.network_topology ? &hyper_nodes_ : nullptr, names_, out);
  const auto nodes = node_groups_.find(object.queue);
  const engine::NodeSelector* of_queue = nodes == node_groups_.end() ? nullptr : &nodes->second;
  group.nodes = revocable_nodes_.selector(of_queue, false);
  group.revocable_nodes = revocable_nodes_.selector(of_queue, true);
  engine::WorkloadInput workload;
  workload.name = group.workload;
  workload.groups = group.tree->groups();
  workload.queues = {queue_name(names_, object.queue)};
  const auto priority = scene.context.priority(object.priority_class_name, std::nullopt, std::nullopt);
  workload.priority = priority.value;
  workload.preempts = priority.preempts;
  if (priority.class_missing)
    out.remark(ErrorCode::kNotFound, read.place, "spec.priorityClassName",
               workloads::missing_class(object.priority_class_name));
  workload.preemptible =
      !says_no(object.metadata, keys::kPreemptable) &&
      std::ranges::none_of(pods, [](const api::Pod* pod) { return says_no(pod->metadata, keys::kPreemptable); });
  // Who may be revoked goes for nobody.
  if (policies_.revocable_stay_back &&
      std::ranges::any_of(pods, [](const api::Pod* pod) { return api::volcano::may_be_revoked(*pod); }))
    workload.preempts = false;
  workload.created = object.metadata.creation_timestamp.value_or(workloads::first_creation(pods, scene.now));
  workload.members_return = workloads::members_return(object.metadata, pods);
  workload.minimum_amounts = minimum_amounts(object, pods, names_);
  workload.deadline = deadline_of(read, policies_, workload.created, out);
  workloads::add_wishes(object.metadata, read.place, workload, workload.groups.front(), names_, out);
  out.objects.push_back({"PodGroup/" + object.metadata.name, object.metadata.namespace_, workload.name});
  for (const api::OwnerReference& owner : object.metadata.owner_references)
    out.objects.push_back({owner.kind + "/" + owner.name, object.metadata.namespace_, workload.name});
  out.workloads.push_back(std::move(workload));
}

std::string Volcano::find(const api::Pod& pod) const {
  const api::volcano::GroupOfPod group = api::volcano::group_of(pod);
  if (group.membership == Membership::kNone) return {};
  std::string key = api::full_name(pod.metadata.namespace_, group.name);
  const bool waits = group.membership == Membership::kNamed && pod.spec.scheduler_name == api::volcano::kSchedulerName;
  return waits || groups_.contains(key) ? key : std::string();
}

std::optional<Member> Volcano::member(const api::Pod& pod) const {
  const std::string key = find(pod);
  if (key.empty()) return std::nullopt;
  const auto found = groups_.find(key);
  Member member;
  member.workload = names_.names.intern(workload_name(key));
  if (found == groups_.end() || found->second.tree == nullptr) return member;
  member.group = found->second.tree->leaf(pod);
  member.nodes = api::volcano::may_be_revoked(pod) ? found->second.revocable_nodes : found->second.nodes;
  return member;
}

void Volcano::add_lineage(const api::Pod& pod, std::vector<std::string>& out) const {
  const std::string key = find(pod);
  if (!key.empty()) out.push_back("PodGroup/" + key.substr(key.find('/') + 1));
}

void Volcano::amend(const api::Node& node, engine::NodeInput& input) const {
  hyper_nodes_.add_labels(node.metadata.name, input.labels);
  numa_nodes_.amend(node, input);
}

void Volcano::amend(const api::Pod& pod, engine::ShapeInput& shape) const { numa_nodes_.amend(pod, shape); }

void Volcano::write_statuses(const workloads::Standings& standings, api::ObjectSet& objects) const {
  if (objects.volcano_pod_groups.empty() && objects.volcano_queues.empty()) return;
  boost::unordered_flat_map<std::string, MemberCounts> members;
  for (const auto& read : objects.pods) {
    const std::string key = find(read.object);
    if (key.empty()) continue;
    MemberCounts& counts = members[key];
    ++counts.known;
    if (read.object.status.phase != api::PodPhase::kFailed) ++counts.by_role[std::string(role_of(read.object))];
    switch (read.object.status.phase) {
      case api::PodPhase::kRunning:
        ++counts.running;
        break;
      case api::PodPhase::kSucceeded:
        ++counts.succeeded;
        break;
      case api::PodPhase::kFailed:
        ++counts.failed;
        break;
      case api::PodPhase::kPending:
      case api::PodPhase::kUnknown:
        break;
    }
  }
  boost::unordered_flat_map<engine::NameId, const workloads::Standing*, std::hash<engine::NameId>> by_name;
  for (const workloads::Standing& standing : standings.workloads) by_name.emplace(standing.workload, &standing);
  for (auto& read : objects.volcano_pod_groups) {
    const std::string key = api::full_name(read.object.metadata);
    const auto group = groups_.find(key);
    if (group == groups_.end()) continue;
    const auto standing = by_name.find(group->second.workload);
    if (standing != by_name.end()) write_status(*standing->second, members[key], standings.now, read.object);
  }
  write_queue_statuses(standings, names_, objects);
}

void Volcano::add_conditions(const api::ObjectSet& objects, std::vector<workloads::ObjectCondition>& out) const {
  std::vector<const PodGroup*> groups;
  for (const auto& read : objects.volcano_pod_groups) groups.push_back(&read.object);
  std::ranges::sort(groups, [](const PodGroup* a, const PodGroup* b) {
    return std::tie(a->metadata.namespace_, a->metadata.name) < std::tie(b->metadata.namespace_, b->metadata.name);
  });
  for (const PodGroup* group : groups) {
    for (const api::Condition& condition : group->status.conditions)
      out.push_back({"PodGroup/" + group->metadata.name, group->metadata.namespace_, condition});
  }
}

}  // namespace berth::dialects::volcano
