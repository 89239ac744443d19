#include "api/pod_level.h"

#include <string_view>

namespace berth::api {
namespace {

void add(ResourceList& sum, const ResourceList& amounts) {
  for (const auto& [resource, amount] : amounts) {
    Quantity& slot = sum[resource];
    slot = slot.plus(amount).value_or(slot);
  }
}

void raise(ResourceList& largest, const ResourceList& amounts) {
  for (const auto& [resource, amount] : amounts) {
    const auto [slot, added] = largest.try_emplace(resource, amount);
    if (!added && slot->second < amount) slot->second = amount;
  }
}

bool counts_at_pod_level(std::string_view resource) {
  return resource == "cpu" || resource == "memory" || resource.starts_with("hugepages-");
}

}  // namespace

ResourceList container_requests(const PodSpec& spec) {
  ResourceList together;
  for (const Container& container : spec.containers) add(together, container.resources.requests);
  ResourceList sidecars;
  ResourceList starting;
  for (const Container& container : spec.init_containers) {
    ResourceList moment = sidecars;
    add(moment, container.resources.requests);
    raise(starting, moment);
    if (!container.restart_always) continue;
    add(together, container.resources.requests);
    sidecars = moment;
  }
  raise(together, starting);
  return together;
}

void default_pod_level_requests(PodSpec& spec) {
  if (!spec.resources || (spec.resources->requests.empty() && spec.resources->limits.empty())) return;
  ResourceList& requests = spec.resources->requests;
  const ResourceList together = container_requests(spec);
  for (const std::string_view resource : {"cpu", "memory"}) {
    const auto asked = together.find(resource);
    if (asked != together.end()) requests.insert(*asked);
  }
  for (const auto& [resource, limit] : spec.resources->limits) {
    if (counts_at_pod_level(resource)) requests.try_emplace(resource, limit);
  }
  for (const auto& [resource, amount] : together) {
    if (resource.starts_with("hugepages-")) requests.try_emplace(resource, amount);
  }
}

}  // namespace berth::api
