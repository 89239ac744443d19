#include <algorithm>
#include <charconv>
#include <cstdint>
#include <limits>

#include "base/tie_order.h"
#include "controllers/workshop.h"

namespace berth::controllers {
namespace {

constexpr std::string_view kHashLabel = "pod-template-hash";

// The template that a ReplicaSet was made from: without the label that its Deployment added.
bool made_from(const api::ReplicaSet& set, const api::PodTemplate& pod_template) {
  api::PodTemplate original = set.pod_template;
  original.metadata.labels.erase(std::string(kHashLabel));
  return original.spec == pod_template.spec && original.metadata.labels == pod_template.metadata.labels;
}

std::int64_t revision(const api::ReplicaSet& set) {
  const auto found = set.metadata.annotations.find("deployment.kubernetes.io/revision");
  std::int64_t value = 0;
  if (found != set.metadata.annotations.end()) {
    const std::string& text = found->second;
    std::from_chars(text.data(), text.data() + text.size(), value);
  }
  return value;
}

// A name for the template that does not change while the template does not: over what tells two revisions apart most.
std::string template_hash(const api::PodTemplate& from) {
  std::string text;
  for (const auto& [key, value] : from.metadata.labels) text += key + "=" + value + ";";
  for (const auto& container : from.spec.containers) {
    text += container.name + "," + container.image;
    for (const auto& [name, quantity] : container.resources.requests) text += "," + name + quantity.to_string();
    text += ";";
  }
  constexpr std::string_view kDigits = "bcdfghjklmnpqrstvwxz2456789";
  constexpr std::size_t kLength = 9;
  std::uint64_t hash = stable_hash(text);
  std::string result;
  for (std::size_t i = 0; i < kLength; ++i) {
    result += kDigits[static_cast<std::size_t>(hash % kDigits.size())];
    hash /= kDigits.size();
  }
  return result;
}

api::ReplicaSet replica_set_of(const api::Deployment& deployment, std::int32_t replicas) {
  api::ReplicaSet set;
  const std::string hash = template_hash(deployment.pod_template);
  set.metadata.name = deployment.metadata.name + "-" + hash;
  set.metadata.namespace_ = deployment.metadata.namespace_;
  set.metadata.creation_timestamp = deployment.metadata.creation_timestamp;  // its controller does not wait
  set.metadata.labels = deployment.pod_template.metadata.labels;
  set.metadata.labels[std::string(kHashLabel)] = hash;
  set.metadata.owner_references = {{"apps/v1", "Deployment", deployment.metadata.name, deployment.metadata.uid, true}};
  set.replicas = replicas;
  set.selector = deployment.selector;
  set.selector.match_labels[std::string(kHashLabel)] = hash;
  set.pod_template = deployment.pod_template;
  set.pod_template.metadata.labels[std::string(kHashLabel)] = hash;
  return set;
}

// Pods of ReplicaSets that are not among the objects, as in "kubectl get deployments,pods".
std::int64_t pods_of_unknown_sets(const Workshop& workshop, const api::Deployment& deployment) {
  return std::ranges::count_if(workshop.pods_of(deployment.metadata.namespace_), [&deployment](const api::Pod* pod) {
    const api::OwnerReference* owner = controller_of(pod->metadata);
    return is_active(*pod) && owner != nullptr && owner->kind == "ReplicaSet" &&
           owner->name.starts_with(deployment.metadata.name + "-") &&
           api::matches(deployment.selector, pod->metadata.labels);
  });
}

}  // namespace

void reconcile_deployment(Workshop& workshop, const api::Read<api::Deployment>& read,
                          std::vector<api::Read<api::ReplicaSet>>& replica_sets) {
  const api::Deployment& deployment = read.object;
  const Owner owner{"apps/v1", "Deployment", &deployment.metadata};
  if (deployment.metadata.deletion_timestamp || !workshop.first_of_name(owner, read.place)) return;
  api::ReplicaSet* current = nullptr;
  std::int64_t wanted_by_sets = 0;
  for (auto& set : replica_sets) {
    if (!controls(owner, set.object.metadata)) continue;
    wanted_by_sets += std::max(set.object.replicas, 0);
    const auto rank = [&deployment](const api::ReplicaSet& from) {
      return std::pair(made_from(from, deployment.pod_template), revision(from));
    };
    if (current == nullptr || rank(set.object) > rank(*current)) current = &set.object;
  }
  if (current != nullptr) {
    const std::int64_t missing = std::max(deployment.replicas, 0) - wanted_by_sets;
    if (missing > 0) {
      current->replicas = static_cast<std::int32_t>(
          std::min<std::int64_t>(current->replicas + missing, std::numeric_limits<std::int32_t>::max()));
    }
    if (!made_from(*current, deployment.pod_template)) {
      workshop.remark("Deployment " + deployment.metadata.name +
                          " has another template than its ReplicaSets; the roll-out is not planned, only pods that "
                          "are missing.",
                      read.place);
    }
    return;
  }
  if (deployment.paused) {
    workshop.remark("Deployment " + deployment.metadata.name + " is paused and makes no pods. Resume it to plan it.",
                    read.place);
    return;
  }
  const std::int64_t there = pods_of_unknown_sets(workshop, deployment);
  const std::int64_t missing = std::max<std::int64_t>(deployment.replicas - there, 0);
  api::Read<api::ReplicaSet> made{replica_set_of(deployment, static_cast<std::int32_t>(missing)), read.place};
  workshop.result().replica_sets.push_back(made);
  replica_sets.push_back(std::move(made));
}

}  // namespace berth::controllers
