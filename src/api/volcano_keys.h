// Labels and annotations that Volcano reads and writes, and the group that a pod is in.
// Source: volcano-sh/apis, and Volcano's PodGroup controller for the names of groups that it makes.
#pragma once

#include <string>
#include <string_view>

#include "api/core.h"

namespace berth::api::volcano {

namespace keys {
// On pods: the only key that forms a gang. Its group is in the pod's own namespace.
inline constexpr std::string_view kGroupName = "scheduling.k8s.io/group-name";
// Circulates in articles; Volcano reads it nowhere.
inline constexpr std::string_view kPodGroup = "scheduling.volcano.sh/pod-group";
inline constexpr std::string_view kGroupMinMember = "scheduling.volcano.sh/group-min-member";
inline constexpr std::string_view kQueueName = "scheduling.volcano.sh/queue-name";
inline constexpr std::string_view kTaskSpec = "volcano.sh/task-spec";  // the role
inline constexpr std::string_view kJobName = "volcano.sh/job-name";
inline constexpr std::string_view kJobVersion = "volcano.sh/job-version";
inline constexpr std::string_view kPartition = "volcano.sh/partition-id";
inline constexpr std::string_view kPreemptable = "volcano.sh/preemptable";
inline constexpr std::string_view kTopologyMode = "volcano.sh/network-topology-mode";
inline constexpr std::string_view kTopologyTier = "volcano.sh/network-topology-highest-tier";
inline constexpr std::string_view kWaitingTime = "volcano.sh/sla-waiting-time";
inline constexpr std::string_view kWaitingTimeBare = "sla-waiting-time";
inline constexpr std::string_view kNumaPolicy = "volcano.sh/numa-topology-policy";
inline constexpr std::string_view kNumaDecision = "volcano.sh/topology-decision";  // on pods that were placed
inline constexpr std::string_view kNodeGroup = "volcano.sh/nodegroup-name";        // on nodes
// NUMA nodes as a resource of the engine; no object has it.
inline constexpr std::string_view kNumaNode = "volcano.sh/numa-node";
}  // namespace keys

inline constexpr std::string_view kSchedulerName = "volcano";

// How a pod came to its group.
enum class Membership : std::uint8_t {
  kNone,       // it is not Volcano's
  kNamed,      // by the annotation that works
  kMisnamed,   // by the one that Volcano does not read
  kGenerated,  // it names none; Volcano makes a group for its controller, or for the pod alone
};

struct GroupOfPod {
  Membership membership = Membership::kNone;
  std::string name;  // in the pod's namespace
};
[[nodiscard]] GroupOfPod group_of(const Pod& pod);

// A value of preemptable as strconv.ParseBool reads it. What that cannot read counts as false.
[[nodiscard]] constexpr bool is_true(std::string_view value) {
  return value == "true" || value == "True" || value == "TRUE" || value == "t" || value == "T" || value == "1";
}

}  // namespace berth::api::volcano
