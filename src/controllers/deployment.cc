#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>

#include "api/full_name.h"
#include "api/owner.h"
#include "base/whole_number.h"
#include "controllers/template_hash.h"
#include "controllers/workshop.h"

namespace berth::controllers {
namespace {

constexpr std::string_view kHashLabel = "pod-template-hash";
constexpr std::string_view kRevision = "deployment.kubernetes.io/revision";
constexpr std::string_view kDesired = "deployment.kubernetes.io/desired-replicas";
constexpr std::string_view kMost = "deployment.kubernetes.io/max-replicas";

// The template that a ReplicaSet was made from: without the label that its Deployment added.
bool made_from(const api::ReplicaSet& set, const api::PodTemplate& pod_template) {
  api::PodTemplate original = set.pod_template;
  original.metadata.labels.erase(std::string(kHashLabel));
  return original.spec == pod_template.spec && original.metadata.labels == pod_template.metadata.labels;
}

// A number of 0 or more that the deployment controller wrote at the ReplicaSet.
std::optional<std::int64_t> number_at(const api::ReplicaSet& set, std::string_view key) {
  return whole_number<std::int64_t>(annotation(set.metadata, key), 0);
}

std::int64_t revision(const api::ReplicaSet& set) { return number_at(set, kRevision).value_or(0); }

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
std::int64_t pods_of_unknown_sets(Workshop& workshop, const api::Deployment& deployment) {
  const auto pods =
      workshop.owned_by_prefix("ReplicaSet", deployment.metadata.namespace_, deployment.metadata.name + "-");
  return std::ranges::count_if(pods, [&deployment](const api::Pod* pod) {
    return is_active(*pod) && api::matches(deployment.selector, pod->metadata.labels);
  });
}

std::int64_t replicas_of(const api::Deployment& deployment) { return std::max(deployment.replicas, 0); }

// Pods that a roll-out may have above the count.
std::int64_t surge_of(const api::Deployment& deployment) {
  if (deployment.recreate) return 0;
  const api::IntOrPercent& surge = deployment.max_surge;
  return surge.percent ? (surge.value * replicas_of(deployment) + 99) / 100 : surge.value;
}

void resize(api::ReplicaSet& set, std::int64_t replicas) {
  set.replicas =
      static_cast<std::int32_t>(std::clamp<std::int64_t>(replicas, 0, std::numeric_limits<std::int32_t>::max()));
}

bool is_older(const api::ReplicaSet* a, const api::ReplicaSet* b) {
  const auto age = [](const api::ReplicaSet* set) {
    return std::tuple(set->metadata.creation_timestamp.value_or(std::numeric_limits<api::Time>::max()),
                      std::string_view(set->metadata.name));
  };
  return age(a) < age(b);
}

// The ReplicaSets of one Deployment.
struct Sets {
  api::ReplicaSet* current = nullptr;    // of the Deployment's template, or the newest
  std::vector<api::ReplicaSet*> active;  // those that want pods
  std::int64_t sum = 0;                  // of what they want
};

// `named`: those whose controller has the Deployment's name.
Sets sets_of(const api::Deployment& deployment, const Owner& owner, std::vector<api::Read<api::ReplicaSet>>& all,
             const std::vector<std::size_t>& named) {
  Sets sets;
  const auto rank = [&deployment](const api::ReplicaSet& from) {
    return std::pair(made_from(from, deployment.pod_template), revision(from));
  };
  for (const std::size_t i : named) {
    api::ReplicaSet& set = all[i].object;
    if (!controls(owner, set.metadata)) continue;
    if (set.replicas > 0) sets.active.push_back(&set);
    sets.sum += std::max(set.replicas, 0);
    if (sets.current == nullptr || rank(set) > rank(*sets.current)) sets.current = &set;
  }
  return sets;
}

// The new ReplicaSet has all pods, and they are ready.
bool is_saturated(const Workshop& workshop, const api::Deployment& deployment, const api::ReplicaSet& set) {
  const std::int64_t replicas = replicas_of(deployment);
  if (set.replicas != replicas || number_at(set, kDesired) != replicas) return false;
  const auto pods = workshop.owned({"apps/v1", "ReplicaSet", &set.metadata});
  return std::ranges::count_if(pods, [](const api::Pod* pod) { return is_ready(*pod); }) == replicas;
}

// The count was changed in the middle of a roll-out: every ReplicaSet keeps its part of the whole, and what rounding
// leaves goes to the largest.
void scale_in_proportion(const api::Deployment& deployment, Sets& sets) {
  const std::int64_t replicas = replicas_of(deployment);
  const std::int64_t most = replicas == 0 ? 0 : replicas + surge_of(deployment);
  const std::int64_t change = most - sets.sum;
  if (change == 0) return;
  std::ranges::sort(sets.active, [change](const api::ReplicaSet* a, const api::ReplicaSet* b) {
    if (a->replicas != b->replicas) return a->replicas > b->replicas;
    return change > 0 ? is_older(b, a) : is_older(a, b);
  });
  std::int64_t left = change;
  std::vector<std::int64_t> sizes;
  for (const api::ReplicaSet* set : sets.active) {
    const std::int64_t known = number_at(*set, kMost).value_or(0);
    const std::int64_t before = known > 0 ? known : sets.sum;
    const __int128 twice = __int128{2} * set->replicas * most;
    const auto part = static_cast<std::int64_t>((twice + before) / (2 * before)) - set->replicas;  // rounded
    const std::int64_t step = left == 0 ? 0 : change > 0 ? std::min(part, left) : std::max(part, left);
    sizes.push_back(set->replicas + step);
    left -= step;
  }
  sizes.front() += left;
  for (std::size_t i = 0; i < sizes.size(); ++i) resize(*sets.active[i], sizes[i]);
}

// What the controller does when the count was changed, or while the Deployment is paused.
void scale(const Workshop& workshop, const api::Deployment& deployment, Sets& sets) {
  if (sets.active.size() <= 1) {
    resize(sets.active.empty() ? *sets.current : *sets.active.front(), replicas_of(deployment));
  } else if (is_saturated(workshop, deployment, *sets.current)) {
    for (api::ReplicaSet* set : sets.active)
      if (set != sets.current) resize(*set, 0);
  } else if (!deployment.recreate) {
    scale_in_proportion(deployment, sets);
  }
}

// A roll-out stands where it stands, but there are as many pods as the count says, and no more than it may have.
void hold_roll_out(const api::Deployment& deployment, Sets& sets) {
  const std::int64_t replicas = replicas_of(deployment);
  const auto change = [&sets](api::ReplicaSet& set, std::int64_t to) {
    sets.sum += to - set.replicas;
    resize(set, to);
  };
  if (made_from(*sets.current, deployment.pod_template) && sets.current->replicas > replicas)
    change(*sets.current, replicas);
  if (sets.sum < replicas) change(*sets.current, sets.current->replicas + replicas - sets.sum);
  std::ranges::sort(sets.active, is_older);
  for (api::ReplicaSet* set : sets.active) {
    const std::int64_t above = sets.sum - (replicas == 0 ? 0 : replicas + surge_of(deployment));
    if (above > 0) change(*set, std::max<std::int64_t>(set->replicas - above, 0));
  }
}

bool was_scaled(const api::Deployment& deployment, const Sets& sets) {
  return std::ranges::any_of(sets.active, [&deployment](const api::ReplicaSet* set) {
    return number_at(*set, kDesired).value_or(replicas_of(deployment)) != replicas_of(deployment);
  });
}

void reconcile_deployment(Workshop& workshop, const api::Read<api::Deployment>& read,
                          std::vector<api::Read<api::ReplicaSet>>& replica_sets,
                          const std::vector<std::size_t>& named) {
  const api::Deployment& deployment = read.object;
  const Owner owner{"apps/v1", "Deployment", &deployment.metadata};
  if (deployment.metadata.deletion_timestamp) return;
  if (Sets sets = sets_of(deployment, owner, replica_sets, named); sets.current != nullptr) {
    if (!made_from(*sets.current, deployment.pod_template)) {
      workshop.remark("Deployment " + deployment.metadata.name +
                          " has another template than its ReplicaSets; the roll-out is not planned, only pods that "
                          "are missing.",
                      read.place);
    }
    if (deployment.paused || was_scaled(deployment, sets)) {
      scale(workshop, deployment, sets);
    } else {
      hold_roll_out(deployment, sets);
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

}  // namespace

void reconcile_deployments(Workshop& workshop, std::vector<api::Read<api::ReplicaSet>>& replica_sets) {
  boost::unordered_flat_map<std::string, std::vector<std::size_t>> by_controller;
  for (std::size_t i = 0; i < replica_sets.size(); ++i) {
    const api::ObjectMeta& metadata = replica_sets[i].object.metadata;
    if (const api::OwnerReference* controller = api::controller_of(metadata))
      by_controller[api::full_name(metadata.namespace_, controller->name)].push_back(i);
  }
  for (const auto& read : workshop.objects().deployments) {
    const api::ObjectMeta& metadata = read.object.metadata;
    reconcile_deployment(workshop, read, replica_sets, by_controller[api::full_name(metadata)]);
  }
}

}  // namespace berth::controllers
