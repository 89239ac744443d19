// Volcano: PodGroup and Queue (scheduling.volcano.sh/v1beta1), Job and CronJob (batch.volcano.sh/v1alpha1), Command
// (bus.volcano.sh/v1alpha1), JobFlow and JobTemplate (flow.volcano.sh/v1alpha1), HyperNode
// (topology.volcano.sh/v1alpha1), Numatopology (nodeinfo.volcano.sh/v1alpha1).
//
// Read with the defaults of Volcano's admission webhooks and CRDs, and validated as these do, so that consumers need
// not check again. Fields that Volcano serves and never reads (dequeueStrategy, runningEstimate) are kept: their
// documentation says what they are for.
// Source: volcano-sh/apis of 2026-06.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "api/core.h"
#include "api/meta.h"
#include "api/storage.h"
#include "api/workloads.h"

namespace berth::api::volcano {

// --- PodGroup -------------------------------------------------------------------------------------------------------

enum class TopologyMode : std::uint8_t { kHard, kSoft };

// How close pods have to be, in tiers of HyperNodes. At most one of the two limits; none: any tier.
struct NetworkTopology {
  TopologyMode mode = TopologyMode::kHard;
  std::optional<std::int32_t> highest_tier_allowed;
  std::string highest_tier_name;
  bool operator==(const NetworkTopology&) const = default;
};

// Pods that the selector selects, in groups by their values of matchLabelKeys. A group is there when sub_group_size of
// its pods are, and min_sub_groups of the groups have to be.
struct SubGroupPolicy {
  std::string name;
  std::optional<NetworkTopology> network_topology;
  std::int32_t sub_group_size = 1;
  std::int32_t min_sub_groups = 0;
  std::optional<LabelSelector> label_selector;
  std::vector<std::string> match_label_keys;
  bool operator==(const SubGroupPolicy&) const = default;
};

enum class PodGroupPhase : std::uint8_t { kPending, kInqueue, kRunning, kUnknown, kCompleted };

struct PodGroupStatus {
  std::optional<PodGroupPhase> phase;  // none: no scheduler has seen it
  std::vector<Condition> conditions;
  std::int32_t running = 0;
  std::int32_t succeeded = 0;
  std::int32_t failed = 0;
  bool operator==(const PodGroupStatus&) const = default;
};

struct PodGroup {
  ObjectMeta metadata;
  std::int32_t min_member = 0;
  std::map<std::string, std::int32_t> min_task_member;  // by role (volcano.sh/task-spec)
  std::string queue = "default";
  std::string priority_class_name;
  std::optional<ResourceList> min_resources;  // what it is charged for at least; never a test of placement
  std::optional<NetworkTopology> network_topology;
  std::vector<SubGroupPolicy> sub_group_policy;
  PodGroupStatus status;
  bool operator==(const PodGroup&) const = default;
};

// --- Queue ----------------------------------------------------------------------------------------------------------

enum class QueueState : std::uint8_t { kOpen, kClosed, kClosing, kUnknown };
enum class DequeueStrategy : std::uint8_t { kTraverse, kFifo };

// Names of node groups (node label volcano.sh/nodegroup-name).
struct NodeGroupAffinity {
  std::vector<std::string> required;
  std::vector<std::string> preferred;
  bool operator==(const NodeGroupAffinity&) const = default;
};

struct QueueStatus {
  std::optional<QueueState> state;
  std::int32_t unknown = 0;  // PodGroups by phase
  std::int32_t pending = 0;
  std::int32_t running = 0;
  std::int32_t inqueue = 0;
  std::int32_t completed = 0;
  ResourceList allocated;
  bool operator==(const QueueStatus&) const = default;
};

// Keys of the three lists may be DRA's: "deviceclass/CLASS" and "DIMENSION.deviceclass/CLASS".
struct Queue {
  ObjectMeta metadata;
  std::int32_t weight = 1;  // 1..65535
  ResourceList capability;  // the most; a resource that is not named has no limit
  ResourceList deserved;
  ResourceList guarantee;  // guarantee.resource
  bool reclaimable = true;
  std::string parent;  // empty: root
  std::int32_t priority = 0;
  DequeueStrategy dequeue_strategy = DequeueStrategy::kTraverse;
  NodeGroupAffinity affinity;
  NodeGroupAffinity anti_affinity;
  QueueStatus status;
  bool operator==(const Queue&) const = default;
};

// --- Job ------------------------------------------------------------------------------------------------------------

enum class JobEvent : std::uint8_t {
  kAny,
  kPodFailed,
  kPodEvicted,
  kPodPending,
  kUnknown,
  kTaskCompleted,
  kTaskFailed,
};

enum class JobAction : std::uint8_t {
  kAbortJob,
  kRestartJob,
  kRestartTask,
  kRestartPod,
  kRestartPartition,
  kTerminateJob,
  kCompleteJob,
  kResumeJob,
};

// What to do when something happens: any of the events, or the exit code of a container.
struct LifecyclePolicy {
  JobAction action = JobAction::kAbortJob;
  std::vector<JobEvent> events;
  std::optional<std::int32_t> exit_code;        // not 0, and no events with it
  std::optional<std::int64_t> timeout_seconds;  // wait so long first; rounded up to seconds
  bool operator==(const LifecyclePolicy&) const = default;
};

enum class NumaPolicy : std::uint8_t { kNone, kBestEffort, kRestricted, kSingleNumaNode };
enum class DependencyIteration : std::uint8_t { kAll, kAny };

// The task's pods are made when the tasks named have their minimum running or done.
struct TaskDependency {
  std::vector<std::string> names;
  DependencyIteration iteration = DependencyIteration::kAll;
  bool operator==(const TaskDependency&) const = default;
};

// The task's pods in `total_partitions` groups of `partition_size`.
struct PartitionPolicy {
  std::int32_t total_partitions = 0;
  std::int32_t partition_size = 0;
  std::int32_t min_partitions = 0;
  std::optional<NetworkTopology> network_topology;
  bool operator==(const PartitionPolicy&) const = default;
};

struct Task {
  std::string name;  // "defaultI" where none is given
  std::int32_t replicas = 1;
  std::int32_t min_available = 0;  // defaulted to replicas, or minPartitions * partitionSize
  PodTemplate pod_template;
  std::vector<LifecyclePolicy> policies;
  NumaPolicy topology_policy = NumaPolicy::kNone;
  std::int32_t max_retry = 3;
  std::optional<TaskDependency> depends_on;
  std::optional<PartitionPolicy> partition_policy;
  bool operator==(const Task&) const = default;
};

// A volume that every pod of the job gets: an existing claim, or one that the job makes.
struct JobVolume {
  std::string mount_path;
  std::string volume_claim_name;
  std::optional<PersistentVolumeClaim> volume_claim;
  bool operator==(const JobVolume&) const = default;
};

struct JobSpec {
  std::string scheduler_name = "volcano";
  std::int32_t min_available = 0;  // defaulted to the sum of the tasks'
  std::vector<JobVolume> volumes;
  std::vector<Task> tasks;
  std::vector<LifecyclePolicy> policies;
  std::map<std::string, std::vector<std::string>> plugins;  // arguments by name
  std::optional<std::int64_t> running_estimate_seconds;
  std::string queue = "default";
  std::int32_t max_retry = 3;
  std::optional<std::int32_t> ttl_seconds_after_finished;
  std::string priority_class_name;
  std::optional<std::int32_t> min_success;
  std::optional<NetworkTopology> network_topology;
  bool operator==(const JobSpec&) const = default;
};

enum class JobPhase : std::uint8_t {
  kPending,
  kAborting,
  kAborted,
  kRunning,
  kRestarting,
  kCompleting,
  kCompleted,
  kTerminating,
  kTerminated,
  kFailed,
};

struct JobStatus {
  std::optional<JobPhase> phase;  // state.phase; none: the controller has not seen it
  std::string reason;
  std::string message;
  std::optional<Time> last_transition_time;
  std::int32_t min_available = 0;
  std::map<std::string, std::map<PodPhase, std::int32_t>> task_status_count;  // by task
  std::int32_t pending = 0;
  std::int32_t running = 0;
  std::int32_t succeeded = 0;
  std::int32_t failed = 0;
  std::int32_t terminating = 0;
  std::int32_t unknown = 0;
  std::int32_t version = 0;
  std::int32_t retry_count = 0;
  bool operator==(const JobStatus&) const = default;
};

struct Job {
  ObjectMeta metadata;
  JobSpec spec;
  JobStatus status;
  bool operator==(const Job&) const = default;
};

enum class ConcurrencyPolicy : std::uint8_t { kAllow, kForbid, kReplace };

struct CronJob {
  ObjectMeta metadata;
  std::string schedule;
  std::string time_zone;
  bool suspend = false;
  ConcurrencyPolicy concurrency_policy = ConcurrencyPolicy::kAllow;
  std::optional<std::int64_t> starting_deadline_seconds;
  ObjectMeta job_metadata;  // spec.jobTemplate.metadata
  JobSpec job;
  std::optional<Time> last_schedule_time;
  bool operator==(const CronJob&) const = default;
};

// An order to a job or a queue. The controller carries it out and deletes it.
struct Command {
  enum class Action : std::uint8_t {
    kAbortJob,
    kResumeJob,
    kRestartJob,
    kTerminateJob,
    kCompleteJob,
    kOpenQueue,
    kCloseQueue,
  };
  ObjectMeta metadata;
  Action action = Action::kAbortJob;
  OwnerReference target;
  bool operator==(const Command&) const = default;
};

// --- JobFlow --------------------------------------------------------------------------------------------------------

struct JobTemplate {
  ObjectMeta metadata;
  JobSpec spec;
  bool operator==(const JobTemplate&) const = default;
};

// What a flow changes in its JobTemplate: the fields that the patch names. Of tasks those of the same name are changed,
// others added.
struct TaskPatch {
  Task task;
  std::vector<std::string> given;  // the fields that it names
  bool operator==(const TaskPatch&) const = default;
};
struct JobPatch {
  JobSpec spec;
  std::vector<std::string> given;
  std::vector<TaskPatch> tasks;
  bool operator==(const JobPatch&) const = default;
};
[[nodiscard]] JobSpec patched(JobSpec spec, const JobPatch& patch);

// When a target has come far enough for the next flow: as many pods of the task as it needs at least are in the phase,
// or ready where a probe would ask them by HTTP or TCP.
struct FlowProbe {
  std::string task;  // none: every task
  PodPhase phase = PodPhase::kRunning;
  bool ready = false;
  bool operator==(const FlowProbe&) const = default;
};

struct Flow {
  std::string name;  // of a JobTemplate
  std::vector<std::string> depends_on;
  std::vector<FlowProbe> probes;  // all have to answer for every target; none: the targets are Completed
  std::optional<JobPatch> patch;
  bool operator==(const Flow&) const = default;
};

enum class JobRetainPolicy : std::uint8_t { kRetain, kDelete };
enum class JobFlowPhase : std::uint8_t { kPending, kRunning, kSucceed, kFailed, kTerminating };

struct JobFlow {
  ObjectMeta metadata;
  std::vector<Flow> flows;
  JobRetainPolicy job_retain_policy = JobRetainPolicy::kRetain;
  std::optional<JobFlowPhase> phase;  // status.state.phase
  bool operator==(const JobFlow&) const = default;
};

// --- HyperNode ------------------------------------------------------------------------------------------------------

enum class MemberType : std::uint8_t { kNode, kHyperNode };

// Exactly one of the three ways to select.
struct HyperNodeMember {
  MemberType type = MemberType::kNode;
  std::string exact_name;
  std::string regex_pattern;                 // RE2
  std::optional<LabelSelector> label_match;  // nodes only
  bool operator==(const HyperNodeMember&) const = default;
};

struct HyperNode {
  ObjectMeta metadata;
  std::int32_t tier = 0;  // smaller is tighter
  std::string tier_name;
  std::vector<HyperNodeMember> members;
  bool operator==(const HyperNode&) const = default;
};

// --- Numatopology ---------------------------------------------------------------------------------------------------

// What the agent on a node of the same name says of its NUMA nodes.
inline constexpr std::int32_t kMostNumaNodes = 64;

struct Numatopology {
  struct Resource {
    std::vector<std::int32_t> allocatable;  // ascending: those that nobody holds
    std::int64_t capacity = 0;
    bool operator==(const Resource&) const = default;
  };
  struct Cpu {
    std::int32_t numa = 0;
    std::int32_t socket = 0;
    std::int32_t core = 0;
    bool operator==(const Cpu&) const = default;
  };
  ObjectMeta metadata;
  StringMap policies;  // "CPUManagerPolicy", "TopologyManagerPolicy"
  StringMap reserved;  // by resource
  std::map<std::string, Resource, std::less<>> resources;
  std::map<std::int32_t, Cpu> cpus;  // by number
  bool operator==(const Numatopology&) const = default;
};

}  // namespace berth::api::volcano
