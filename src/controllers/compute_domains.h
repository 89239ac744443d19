// ComputeDomains: what NVIDIA's controller and kubelet plugin make of them, driver 0.5 (resource.nvidia.com/v1beta1).
//
// - The ResourceClaimTemplate that the domain names: one channel for each pod that uses it.
// - In the driver's namespace a template and a DaemonSet for the domain's daemons, which run on labelled nodes.
// - The label resource.nvidia.com/computeDomain on each node where a pod has a channel of the domain, for as long as it
//   has: where pods are placed decides who is a member.
// - status: the members with their clique, and Ready when each has its daemon (and, with numNodes, all are there).
//
// A node has one channel, so one domain at a time. A domain that is being deleted makes nothing any more.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "api/objects.h"

namespace berth::controllers {

inline constexpr std::string_view kComputeDomainNamespace = "nvidia-dra-driver-gpu";
inline constexpr std::string_view kChannelClass = "compute-domain-default-channel.nvidia.com";

struct DomainOptions {
  api::Time now = 0;
  bool all_known = false;  // who is not among the objects is not there: a node without a pod of the domain leaves it
};

// Names the daemon pods, "namespace/name", that have to go since their node left the domain. Objects that are there
// under a name are left as they are. O(all these objects); nothing without domains.
std::vector<std::string> settle_compute_domains(api::ObjectSet& objects, const DomainOptions& options);

}  // namespace berth::controllers
