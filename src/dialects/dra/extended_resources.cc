#include "dialects/dra/extended_resources.h"

#include <algorithm>
#include <iterator>
#include <tuple>

#include <fmt/format.h>

namespace berth::dialects::dra {
namespace {

struct Ask {
  const api::Container* container = nullptr;
  std::int64_t count = 0;
  bool stays = false;  // runs as long as the pod does
  std::string request;
};

// What the containers ask of the resource, init containers first.
std::vector<Ask> asks_of(const api::Pod& pod, std::string_view resource) {
  std::vector<Ask> result;
  std::size_t number = 0;
  const auto add = [&](const std::vector<api::Container>& containers, bool init) {
    for (const api::Container& container : containers) {
      const api::ResourceList& requests = container.resources.requests;
      const auto found = requests.find(resource);
      if (found != requests.end() && !found->second.is_zero()) {
        const auto position = std::distance(requests.begin(), found);
        result.push_back({.container = &container,
                          .count = found->second.value(),
                          .stays = !init || container.restart_always,
                          .request = fmt::format("container-{}-request-{}", number, position)});
      }
      ++number;
    }
  };
  add(pod.spec.init_containers, true);
  add(pod.spec.containers, false);
  return result;
}

void sort_by_name(std::vector<api::DeviceRequest>& requests) {
  std::ranges::sort(requests, {}, &api::DeviceRequest::name);
}

void add_request(ExtendedResource& result, const std::string& name, const std::string& device_class,
                 std::int64_t count) {
  api::DeviceRequest& request = result.spec.requests.emplace_back();
  request.name = name;
  request.exactly.emplace();
  request.exactly->device_class_name = device_class;
  request.exactly->count = count;
}

ExtendedResource asked_of(const api::Pod& pod, const std::string& resource, const std::string& device_class) {
  ExtendedResource result{.resource = resource, .spec = {}, .mappings = {}};
  const std::vector<Ask> asks = asks_of(pod, resource);
  const auto map = [&](const Ask& ask, const std::string& request) {
    result.mappings.push_back({ask.container->name, resource, request});
  };
  for (const Ask& ask : asks) {
    if (!ask.stays) continue;
    add_request(result, ask.request, device_class, ask.count);
    map(ask, ask.request);
  }
  // Devices that containers after this one will have.
  const auto later = [&](std::size_t i) {
    std::int64_t sum = 0;
    for (std::size_t k = i + 1; k < asks.size(); ++k) sum += asks[k].stays ? asks[k].count : 0;
    return sum;
  };
  std::size_t neediest = asks.size();
  std::int64_t most = 0;
  for (std::size_t i = 0; i < asks.size(); ++i) {
    if (asks[i].stays || asks[i].count - later(i) <= most) continue;
    most = asks[i].count - later(i);
    neediest = i;
  }
  if (most > 0) add_request(result, asks[neediest].request, device_class, most);
  sort_by_name(result.spec.requests);
  for (std::size_t i = 0; i < asks.size(); ++i) {
    if (asks[i].stays) continue;
    std::int64_t missing = asks[i].count;
    for (std::size_t k = i + 1; k < asks.size() && missing > 0; ++k) {
      if (!asks[k].stays) continue;
      map(asks[i], asks[k].request);
      missing -= asks[k].count;
    }
    if (missing > 0) map(asks[i], asks[neediest].request);
  }
  return result;
}

}  // namespace

ServedResources served_resources(const std::vector<api::Read<api::DeviceClass>>& classes) {
  std::vector<const api::DeviceClass*> sorted;
  sorted.reserve(classes.size());
  for (const auto& read : classes) sorted.push_back(&read.object);
  std::ranges::sort(sorted, [](const api::DeviceClass* a, const api::DeviceClass* b) {
    const auto rank = [](const api::DeviceClass* one) {
      return std::tuple(-one->metadata.creation_timestamp.value_or(0), std::string_view(one->metadata.name));
    };
    return rank(a) < rank(b);
  });
  ServedResources result;
  for (const api::DeviceClass* one : sorted) {
    if (!one->extended_resource_name.empty()) result.try_emplace(one->extended_resource_name, one->metadata.name);
    result.try_emplace(std::string(api::kImplicitResourcePrefix) + one->metadata.name, one->metadata.name);
  }
  return result;
}

std::vector<ExtendedResource> extended_resources(const api::Pod& pod, const ServedResources& served) {
  std::vector<ExtendedResource> result;
  if (served.empty()) return result;
  std::map<std::string, std::string, std::less<>> asked;
  for (const auto* containers : {&pod.spec.init_containers, &pod.spec.containers}) {
    for (const api::Container& container : *containers) {
      for (const auto& [name, quantity] : container.resources.requests) {
        const auto found = served.find(name);
        if (found != served.end() && quantity.value() > 0) asked.try_emplace(name, found->second);
      }
    }
  }
  for (const auto& [resource, device_class] : asked) result.push_back(asked_of(pod, resource, device_class));
  return result;
}

api::ResourceClaim extended_resource_claim(const api::Pod& pod, const std::vector<ExtendedResource>& resources) {
  api::ResourceClaim claim;
  claim.metadata.namespace_ = pod.metadata.namespace_;
  claim.metadata.generate_name = pod.metadata.name + "-extended-resources-";
  claim.metadata.annotations.emplace(api::kExtendedResourceClaimAnnotation, "true");
  claim.metadata.owner_references = {{"v1", "Pod", pod.metadata.name, pod.metadata.uid, true}};
  for (const ExtendedResource& resource : resources) {
    claim.spec.requests.insert(claim.spec.requests.end(), resource.spec.requests.begin(), resource.spec.requests.end());
  }
  sort_by_name(claim.spec.requests);
  return claim;
}

bool is_extended_resource_claim(const api::ResourceClaim& claim) {
  const auto found = claim.metadata.annotations.find(api::kExtendedResourceClaimAnnotation);
  return found != claim.metadata.annotations.end() && found->second == "true";
}

}  // namespace berth::dialects::dra
