// Extended resources of a pod that devices serve instead of a device plugin: which class serves which resource, and the
// one claim that kube-scheduler makes for a pod.
//
// Source: KEP-5004 (gate DRAExtendedResource), kube-scheduler 1.37. A class serves the resource that it names in
// extendedResourceName, and always deviceclass.resource.kubernetes.io/NAME; of two classes that name one resource the
// newer counts, then the smaller name. Requests are called container-I-request-J: I counts init containers, then
// containers, J the container's requests in name order. Containers that stay get requests of their own; an init
// container that ends before uses those of later ones, and only the most that any of them wants beyond that is asked in
// addition.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "api/core.h"
#include "api/objects.h"
#include "api/resource.h"

namespace berth::dialects::dra {

// From resource to the name of the class that serves it.
using ServedResources = std::map<std::string, std::string, std::less<>>;
[[nodiscard]] ServedResources served_resources(const std::vector<api::Read<api::DeviceClass>>& classes);

// What a pod asks of one resource.
struct ExtendedResource {
  std::string resource;
  api::ResourceClaimSpec spec;  // the requests for this resource alone, by name
  std::vector<api::ContainerExtendedResourceRequest> mappings;
};

// In name order; resources that no class serves are left out.
[[nodiscard]] std::vector<ExtendedResource> extended_resources(const api::Pod& pod, const ServedResources& served);

// The pod's claim for some of them, without an allocation: annotated and owned as kube-scheduler does it, with all the
// requests by name. Its name is the caller's to choose; generateName is set.
[[nodiscard]] api::ResourceClaim extended_resource_claim(const api::Pod& pod,
                                                         const std::vector<ExtendedResource>& resources);

// The claim was made by a scheduler for the extended resources of a pod.
[[nodiscard]] bool is_extended_resource_claim(const api::ResourceClaim& claim);

}  // namespace berth::dialects::dra
