// ComputeDomain in labels: names that NVIDIA's driver gives to nodes and objects of a domain.
#pragma once

#include <string>
#include <string_view>

#include "api/nvidia.h"

namespace berth::api {

// On nodes that are members of a domain, with its id.
inline constexpr std::string_view kComputeDomainLabel = "resource.nvidia.com/computeDomain";
// The class of the device that the domain's daemon takes on each of its nodes.
inline constexpr std::string_view kComputeDomainDaemonClass = "compute-domain-daemon.nvidia.com";
// On nodes: which of them share memory over NVLink, "CLUSTER-UUID.CLIQUE".
inline constexpr std::string_view kCliqueLabel = "nvidia.com/gpu.clique";

// The uid; of a domain from a manifest, which has none yet, a name made from its own.
[[nodiscard]] std::string domain_id(const ComputeDomain& domain);

}  // namespace berth::api
