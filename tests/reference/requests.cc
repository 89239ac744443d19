#include "reference/requests.h"

#include <algorithm>
#include <charconv>
#include <limits>

#include "reference/objects.h"

namespace berth::reference {
namespace {

constexpr std::int64_t kAssumedMilliCpu = 100;
constexpr std::int64_t kAssumedMemory = 200LL * 1024 * 1024;

using ListOfContainer = const api::ResourceList& (*)(const api::Container&, const api::ContainerStatus*, bool);

const api::ResourceList kNothing;

void add(Amounts& sum, const Amounts& more) {
  for (const auto& [name, amount] : more) sum[name] += amount;
}

void take_larger(Amounts& into, const Amounts& other) {
  for (const auto& [name, amount] : other) {
    const auto [place, is_new] = into.emplace(name, amount);
    if (!is_new) place->second = std::max(place->second, amount);
  }
}

const api::ContainerStatus* status_of(const api::Pod& pod, const std::string& container) {
  for (const auto& status : pod.status.container_statuses) {
    if (status.name == container) return &status;
  }
  for (const auto& status : pod.status.init_container_statuses) {
    if (status.name == container) return &status;
  }
  return nullptr;
}

// The first PodResizePending condition decides, whatever its status.
bool resize_is_infeasible(const api::Pod& pod) {
  for (const auto& condition : pod.status.conditions) {
    if (condition.type == "PodResizePending") return condition.reason == "Infeasible";
  }
  return false;
}

const api::ResourceList& wanted(const api::Container& container, const api::ContainerStatus*, bool) {
  return container.resources.requests;
}

const api::ResourceList& granted(const api::Container& container, const api::ContainerStatus* status, bool infeasible) {
  if (status != nullptr && !status->allocated_resources.empty()) return status->allocated_resources;
  return infeasible ? kNothing : container.resources.requests;
}

const api::ResourceList& in_force(const api::Container& container, const api::ContainerStatus* status,
                                  bool infeasible) {
  if (status != nullptr && status->resources && !status->resources->requests.empty())
    return status->resources->requests;
  return granted(container, status, infeasible);
}

Amounts of_container(const api::Pod& pod, const api::Container& container, ListOfContainer list,
                     const RequestRules& rules, bool infeasible) {
  Amounts amounts;
  for (const auto& [name, quantity] : list(container, status_of(pod, container.name), infeasible)) {
    amounts[name] = quantity.nanos();
  }
  if (rules.assume_cpu) amounts.emplace("cpu", api::Quantity::from_milli(kAssumedMilliCpu).nanos());
  if (rules.assume_memory) amounts.emplace("memory", api::Quantity::from_units(kAssumedMemory).nanos());
  return amounts;
}

// Containers and sidecars run together; an init container runs beside the sidecars started before it. The pod needs the
// largest of these moments.
Amounts aggregate(const api::Pod& pod, ListOfContainer list, const RequestRules& rules) {
  const bool infeasible = resize_is_infeasible(pod);
  Amounts together;
  for (const auto& container : pod.spec.containers) {
    add(together, of_container(pod, container, list, rules, infeasible));
  }
  Amounts sidecars;
  Amounts starting;
  for (const auto& container : pod.spec.init_containers) {
    Amounts moment = of_container(pod, container, list, rules, infeasible);
    if (container.restart_always) {
      add(together, moment);
      add(sidecars, moment);
      moment = sidecars;
    } else {
      add(moment, sidecars);
    }
    take_larger(starting, moment);
  }
  take_larger(together, starting);
  return together;
}

bool may_be_pod_level(std::string_view resource) {
  return resource == "cpu" || resource == "memory" || resource.starts_with("hugepages-");
}

bool has_pod_level_requests(const api::Pod& pod) {
  return pod.spec.resources && std::ranges::any_of(pod.spec.resources->requests,
                                                   [](const auto& entry) { return may_be_pod_level(entry.first); });
}

}  // namespace

Amounts pod_requests(const api::Pod& pod, const RequestRules& rules) {
  Amounts amounts = aggregate(pod, granted, rules);
  take_larger(amounts, aggregate(pod, in_force, rules));
  if (!resize_is_infeasible(pod)) take_larger(amounts, aggregate(pod, wanted, rules));
  if (!rules.ignore_pod_level && pod.spec.resources) {
    std::vector<const api::ResourceList*> lists = {&pod.spec.resources->requests};
    if (pod.status.resources && !pod.spec.resources->requests.empty()) {
      if (resize_is_infeasible(pod)) lists.clear();
      lists.push_back(&pod.status.resources->requests);
      lists.push_back(&pod.status.allocated_resources);
    }
    Amounts level;
    for (const auto* list : lists) {
      for (const auto& [name, quantity] : *list) {
        if (may_be_pod_level(name)) level[name] = std::max(level[name], quantity.nanos());
      }
    }
    for (const auto& [name, amount] : level) amounts[name] = amount;
  }
  for (const auto& [name, quantity] : pod.spec.overhead) amounts[name] += quantity.nanos();
  return amounts;
}

std::int64_t scheduler_units(std::string_view resource, Nanos amount) {
  const Nanos unit = resource == "cpu" || resource == kCardResource ? 1'000'000 : 1'000'000'000;
  Nanos units = amount / unit;
  if (amount % unit > 0) ++units;
  if (resource == kCardResource) units = (units + 999) / 1000 * 1000;
  return static_cast<std::int64_t>(
      std::clamp<Nanos>(units, std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::max()));
}

bool is_scalar(std::string_view resource) {
  return resource.contains('/') || resource.starts_with("hugepages-") || resource.starts_with("attachable-volumes-");
}

bool is_counted(std::string_view resource) {
  return resource == "cpu" || resource == "memory" || resource == "ephemeral-storage" || is_scalar(resource);
}

bool is_extended(std::string_view resource) {
  return resource.contains('/') && !resource.contains("kubernetes.io/") && !resource.starts_with("requests.");
}

bool has_allocatable(const api::Node& node, std::string_view resource) { return node.allocatable.contains(resource); }

std::int64_t allocatable(const api::Node& node, std::string_view resource) {
  const auto found = node.allocatable.find(resource);
  return found == node.allocatable.end() ? 0 : scheduler_units(resource, found->second.nanos());
}

std::int64_t card_share(const api::Pod& pod) {
  const auto found = pod.metadata.annotations.find(kCardShareAnnotation);
  if (found == pod.metadata.annotations.end()) return 0;
  std::int64_t milli = 0;
  std::from_chars(found->second.data(), found->second.data() + found->second.size(), milli);
  return milli;
}

std::map<std::string, std::int64_t, std::less<>> held_requests(const api::Pod& pod) {
  std::map<std::string, std::int64_t, std::less<>> held;
  for (const auto& [name, amount] : pod_requests(pod, {})) {
    if (is_counted(name)) held[name] = scheduler_units(name, amount);
  }
  if (const std::int64_t share = card_share(pod); share > 0) held[std::string(kCardResource)] = share;
  return held;
}

std::int64_t held_nonzero(const api::Pod& pod, std::string_view resource) {
  // With pod-level requests a container's silence is no gap unless the pod as a whole is silent, too.
  bool assume = true;
  if (has_pod_level_requests(pod)) assume = !pod_requests(pod, {}).contains(resource);
  RequestRules rules;
  rules.assume_cpu = assume && resource == "cpu";
  rules.assume_memory = assume && resource == "memory";
  const Amounts amounts = pod_requests(pod, rules);
  const auto found = amounts.find(resource);
  return found == amounts.end() ? 0 : scheduler_units(resource, found->second);
}

}  // namespace berth::reference
