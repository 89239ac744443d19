// The pods and the PodGroup of a Volcano Job.
#include <algorithm>
#include <limits>
#include <string>
#include <utility>

#include "api/volcano_names.h"
#include "controllers/volcano.h"

namespace berth::controllers {
namespace {

namespace keys = api::volcano::keys;
using api::volcano::Job;
using api::volcano::JobSpec;
using api::volcano::PodGroup;
using api::volcano::Task;

// `times` times `more` on top. What passes the API's range stays at its end.
void add(api::ResourceList& sum, const api::ResourceList& more, std::int64_t times = 1) {
  constexpr api::Quantity::Wide kMost = api::Quantity::Wide{std::numeric_limits<std::int64_t>::max()} * 1'000'000'000;
  for (const auto& [resource, amount] : more) {
    api::Quantity& cell = sum[resource];
    const api::Quantity::Wide nanos =
        times == 0 || amount.nanos() <= (kMost - cell.nanos()) / times ? cell.nanos() + amount.nanos() * times : kMost;
    cell = api::Quantity::from_nanos(nanos, amount.format());
  }
}

void raise(api::ResourceList& most, const api::ResourceList& other) {
  for (const auto& [resource, amount] : other) {
    api::Quantity& cell = most[resource];
    cell = std::max(cell, amount);
  }
}

// A port that a framework plugin adds; with hostNetwork it is one of the node's.
void add_port(api::PodSpec& pod, std::int32_t port) {
  for (api::Container& container : pod.containers) {
    api::ContainerPort added;
    added.container_port = port;
    if (pod.host_network) added.host_port = port;
    const bool there = std::ranges::any_of(container.ports, [port](const api::ContainerPort& other) {
      return other.container_port == port && other.protocol == api::Protocol::kTcp;
    });
    if (!there) container.ports.push_back(added);
  }
}

// The value of "--NAME=VALUE" or "-NAME=VALUE" among a plugin's arguments.
std::string argument(const std::vector<std::string>& arguments, std::string_view name, std::string_view otherwise) {
  for (const std::string& each : arguments) {
    std::string_view text = each;
    while (text.starts_with('-')) text.remove_prefix(1);
    if (text.starts_with(name) && text.size() > name.size() && text[name.size()] == '=')
      return std::string(text.substr(name.size() + 1));
  }
  return std::string(otherwise);
}

std::int32_t port_argument(const std::vector<std::string>& arguments, std::int32_t otherwise) {
  const std::string text = argument(arguments, "port", std::to_string(otherwise));
  const bool number = !text.empty() && text.size() <= 5 &&
                      std::ranges::all_of(text, [](char byte) { return byte >= '0' && byte <= '9'; });
  return number ? std::stoi(text) : otherwise;
}

// What the framework plugins do that a scheduler sees: ports, which are the node's where pods use the host's network.
void apply_plugins(const JobSpec& spec, const Task& task, api::PodSpec& pod) {
  static constexpr std::int32_t kPytorch = 23456;
  static constexpr std::int32_t kMpi = 22;
  static constexpr std::int32_t kTensorflow = 2222;
  static constexpr std::int32_t kRayClient = 10001;
  static constexpr std::int32_t kRayDashboard = 8265;
  static constexpr std::int32_t kRayGcs = 6379;
  for (const auto& [name, arguments] : spec.plugins) {
    if (name == "pytorch" && (task.name == argument(arguments, "master", "master") ||
                              task.name == argument(arguments, "worker", "worker"))) {
      add_port(pod, port_argument(arguments, kPytorch));
    } else if (name == "mpi" && (task.name == argument(arguments, "master", "master") ||
                                 task.name == argument(arguments, "worker", "worker"))) {
      add_port(pod, port_argument(arguments, kMpi));
    } else if (name == "tensorflow") {
      add_port(pod, port_argument(arguments, kTensorflow));
    } else if (name == "ray" && task.name == argument(arguments, "head", "head")) {
      for (const std::int32_t port : {kRayGcs, kRayDashboard, kRayClient}) add_port(pod, port);
    }
  }
}

void add_volumes(const Job& job, api::PodSpec& pod) {
  std::size_t number = 0;
  for (const api::volcano::JobVolume& volume : job.spec.volumes) {
    const std::string claim = volume.volume_claim_name.empty() ? job.metadata.name + "-pvc-" + std::to_string(number)
                                                               : volume.volume_claim_name;
    ++number;
    api::Volume mounted;
    mounted.name = claim;
    mounted.persistent_volume_claim = claim;
    pod.volumes.push_back(std::move(mounted));
  }
}

// What travels from the job to its pods and its group.
void inherit(const api::ObjectMeta& from, api::ObjectMeta& to) {
  for (const std::string_view key : {"volcano.sh/preemptable", "volcano.sh/cooldown-time", "volcano.sh/revocable-zone",
                                     "volcano.sh/jdb-min-available", "volcano.sh/jdb-max-unavailable"}) {
    if (const auto found = from.annotations.find(key); found != from.annotations.end())
      to.annotations.insert_or_assign(found->first, found->second);
    if (const auto found = from.labels.find(key); found != from.labels.end())
      to.labels.insert_or_assign(found->first, found->second);
  }
}

}  // namespace

std::string volcano_pod_name(const Job& job, const Task& task, std::int64_t index) {
  return job.metadata.name + "-" + task.name + "-" + std::to_string(index);
}

std::string volcano_group_name(const Job& job) {
  return job.metadata.uid.empty() ? job.metadata.name : job.metadata.name + "-" + job.metadata.uid;
}

api::ResourceList pod_requests(const api::PodSpec& spec) {
  api::ResourceList sum;
  api::ResourceList sidecars;
  api::ResourceList start;  // the most that an init container and the sidecars before it need
  for (const api::Container& container : spec.init_containers) {
    if (container.restart_always) {
      add(sidecars, container.resources.requests);
      raise(start, sidecars);
    } else {
      api::ResourceList needed = sidecars;
      add(needed, container.resources.requests);
      raise(start, needed);
    }
  }
  for (const api::Container& container : spec.containers) add(sum, container.resources.requests);
  add(sum, sidecars);
  raise(sum, start);
  if (spec.resources) {
    for (const auto& [resource, amount] : spec.resources->requests) sum[resource] = amount;
  }
  add(sum, spec.overhead);
  return sum;
}

api::ResourceList minimum_resources(const JobSpec& spec) {
  std::vector<const Task*> order;
  std::int64_t least = 0;
  for (const Task& task : spec.tasks) {
    order.push_back(&task);
    least += task.min_available;
  }
  std::ranges::stable_sort(order, [](const Task* a, const Task* b) {
    return a->pod_template.spec.priority.value_or(0) > b->pod_template.spec.priority.value_or(0);
  });
  // All minimums first where the job asks for as many, then whoever is left; else simply the first pods.
  std::vector<std::int64_t> counts(order.size(), 0);
  std::int64_t left = spec.min_available;
  if (spec.min_available >= least) {
    for (std::size_t i = 0; i < order.size(); ++i) left -= counts[i] = order[i]->min_available;
  }
  for (std::size_t i = 0; i < order.size() && left > 0; ++i) {
    const std::int64_t more = std::min<std::int64_t>(order[i]->replicas - counts[i], left);
    counts[i] += more;
    left -= more;
  }
  api::ResourceList sum;
  for (std::size_t i = 0; i < order.size(); ++i)
    if (counts[i] > 0) add(sum, pod_requests(order[i]->pod_template.spec), counts[i]);
  return sum;
}

api::Pod make_volcano_pod(Workshop& workshop, const Job& job, const Task& task, std::int64_t index) {
  api::Pod pod = workshop.pod_from(task.pod_template, Owner{kVolcanoBatch, "Job", &job.metadata});
  pod.metadata.name = volcano_pod_name(job, task, index);
  const std::string number = std::to_string(index);
  auto& labels = pod.metadata.labels;
  auto& annotations = pod.metadata.annotations;
  inherit(job.metadata, pod.metadata);
  // A group that the template names is overwritten: the job's pods are one group.
  annotations.insert_or_assign(std::string(keys::kGroupName), volcano_group_name(job));
  const auto both = [&](std::string_view key, const std::string& value) {
    labels.insert_or_assign(std::string(key), value);
    annotations.insert_or_assign(std::string(key), value);
  };
  both(keys::kTaskSpec, task.name);
  both("volcano.sh/task-index", number);
  both(keys::kJobName, job.metadata.name);
  both("volcano.sh/queue-name", job.spec.queue);
  labels.insert_or_assign("volcano.sh/job-namespace", job.metadata.namespace_);
  annotations.insert_or_assign(std::string(keys::kJobVersion), std::to_string(job.status.version));
  annotations.insert_or_assign("volcano.sh/job-retry-count", std::to_string(job.status.retry_count));
  annotations.insert_or_assign("volcano.sh/template-uid", job.metadata.name + "-" + task.name);
  if (task.topology_policy != api::volcano::NumaPolicy::kNone)
    annotations.insert_or_assign(std::string(keys::kNumaPolicy), std::string(api::enum_name(task.topology_policy)));
  if (task.partition_policy) {
    labels.insert_or_assign(std::string(keys::kPartition),
                            std::to_string(index / task.partition_policy->partition_size));
  }
  if (pod.spec.scheduler_name.empty()) pod.spec.scheduler_name = job.spec.scheduler_name;
  add_volumes(job, pod.spec);
  apply_plugins(job.spec, task, pod.spec);
  return pod;
}

PodGroup make_volcano_group(const Job& job) {
  PodGroup group;
  group.metadata.name = volcano_group_name(job);
  group.metadata.namespace_ = job.metadata.namespace_;
  group.metadata.labels = job.metadata.labels;
  group.metadata.annotations = job.metadata.annotations;
  group.metadata.creation_timestamp = job.metadata.creation_timestamp;
  group.metadata.owner_references = {{std::string(kVolcanoBatch), "Job", job.metadata.name, job.metadata.uid, true}};
  group.min_member = job.spec.min_available;
  group.queue = job.spec.queue;
  group.priority_class_name = job.spec.priority_class_name;
  group.network_topology = job.spec.network_topology;
  group.min_resources = minimum_resources(job.spec);
  for (const Task& task : job.spec.tasks) {
    group.min_task_member[task.name] = task.min_available;
    if (!task.partition_policy) continue;
    api::volcano::SubGroupPolicy policy;
    policy.name = task.name;
    policy.network_topology = task.partition_policy->network_topology;
    policy.sub_group_size = task.partition_policy->partition_size;
    policy.min_sub_groups = task.partition_policy->min_partitions;
    policy.label_selector.emplace().match_labels.emplace(keys::kTaskSpec, task.name);
    policy.match_label_keys = {std::string(keys::kPartition)};
    group.sub_group_policy.push_back(std::move(policy));
  }
  return group;
}

}  // namespace berth::controllers
