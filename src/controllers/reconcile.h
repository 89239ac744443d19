// What the controllers of Kubernetes would make of a set of objects: missing pods, and the ReplicaSets, Jobs and claims
// on the way to them. A pure function, used for dry runs and, step by step, in simulations.
//
//   Expansion expansion = reconcile(objects, {.now = now});
//   report(expansion.errors);
//   add(std::move(expansion), objects);    // as if the API server had accepted them
//
// Deployment, ReplicaSet, ReplicationController, StatefulSet, DaemonSet, Job and CronJob are known, and Volcano's Job,
// CronJob and JobFlow with the PodGroups that Volcano makes. Pods that are there
// count as their controller counts them: by owner (uid where both sides have one, else name), or adopted by selector;
// finished and terminating ones as that controller treats them. Kubernetes' own controllers delete nothing here:
// surplus pods stay, and a roll-out in progress is not continued; only a CronJob that replaces its Jobs names what
// goes. Volcano's Jobs restart and end, and name the pods that go.
//
// Of one kind each name is there once, as the loader sees to.
//
// Deterministic: names of new pods are "OWNER-SUFFIX" with a suffix that depends on the owner's name and on how many
// there are already. Costs O(pods + what is made), and O(nodes) per DaemonSet.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "api/objects.h"
#include "base/result.h"

namespace berth::cel {
class TimeZoneProvider;
}

namespace berth::controllers {

// Who asks for more new pods than this in all gets an error instead: twice what the largest clusters run, and few
// enough that a slip of the finger does not fill the memory.
inline constexpr std::int64_t kMaxPods = 300'000;
// The same for the memory that they take, for each pod has a copy of its template: room for kMaxPods that are larger
// than most.
inline constexpr std::int64_t kMaxPodBytes = 2'000'000'000;

// A pod that failed or went away without its controller's doing. What Volcano's Jobs have policies for.
struct PodEvent {
  enum class Kind : std::uint8_t { kFailed, kLost };
  Kind kind = Kind::kLost;
  api::Pod pod;  // as it was
  std::optional<std::int32_t> exit_code;
};

struct Options {
  api::Time now = 0;  // creation time of what is made
  // Since the last call. Failed pods among the objects need not be named, but for their exit codes.
  std::vector<PodEvent> pod_events;
  // A StatefulSet with ordered pods makes the next one only when all before it run, as its controller does. A dry run
  // wants to see all of them and leaves this off.
  bool wait_for_predecessors = false;
  // "namespace/name" of pods that were there once; their names are not used again (but for StatefulSets, whose pods
  // keep their names).
  std::vector<std::string> former_pods;
  std::int64_t max_pods = kMaxPods;
  // Where the zones of CronJobs are looked up. Without it those that name one get an error.
  const cel::TimeZoneProvider* time_zones = nullptr;
  // For a dry run, where no time passes: every pod is made a second after the one before, and those of older objects
  // come first. So a queue takes them in the order in which their controllers would make them, and after all that was
  // there before.
  bool one_by_one = false;
  std::int64_t max_pod_bytes = kMaxPodBytes;  // as max_pods, of memory
};

struct Expansion {
  // In the order of the objects they come from (older first with Options::one_by_one), each with the place of the
  // object it comes from.
  std::vector<api::Read<api::Pod>> pods;
  std::vector<api::Read<api::ReplicaSet>> replica_sets;
  std::vector<api::Read<api::Job>> jobs;
  std::vector<api::Read<api::PersistentVolumeClaim>> persistent_volume_claims;
  std::vector<api::Read<api::Service>> services;
  std::vector<api::Read<api::Workload>> workloads;
  std::vector<api::Read<api::PodGroup>> pod_groups;
  // New, or in the place of the one of that name: of jobs the status changes, of groups the minimums.
  std::vector<api::Read<api::volcano::Job>> volcano_jobs;
  std::vector<api::Read<api::volcano::JobFlow>> job_flows;
  std::vector<api::Read<api::volcano::Queue>> volcano_queues;
  std::vector<api::Read<api::volcano::PodGroup>> volcano_pod_groups;
  // "namespace/name" of what goes. A pod that goes and one of its name that is made are both named.
  std::vector<std::string> removed_pods;
  std::vector<std::string> removed_jobs;
  std::vector<std::string> removed_volcano_jobs;
  std::vector<std::string> removed_commands;
  std::optional<api::Time> look_again;  // when something is due next if nothing else happens
  std::vector<Error> errors;            // objects that were refused, each with its place
  std::vector<Error> remarks;           // what was done differently than somebody might expect
};

[[nodiscard]] Expansion reconcile(const api::ObjectSet& objects, const Options& options);

// Adds what was made behind the objects that are there. A finished pod of the name of a new one goes.
void add(Expansion expansion, api::ObjectSet& objects);

// A pod that comes back for an evicted one.
struct Replacement {
  const api::Pod* evicted = nullptr;
  api::Pod pod;  // pending; with a new name where its controller draws names
};

// The pods that controllers make for evicted ones, which are among the objects and already Failed. The controller
// itself need not be there; where it is and wants no more pods than are left, none comes back. Pods that nobody owns
// are gone.
[[nodiscard]] std::vector<Replacement> replacements(const api::ObjectSet& objects,
                                                    std::span<const api::Pod* const> evicted, const Options& options);

// What the volume controllers do. Pods that wait for a node get the claims of their ephemeral volumes. Volumes without
// a phase are new and become Available, claims without one get a volume that is there or, where the class provisions, a
// new one; those that wait for their first consumer become Pending, unless a volume is reserved for them. Where no
// StorageClass is among the objects a claim is taken to be provisioned, which the remarks say.
[[nodiscard]] std::vector<Error> settle_claims(api::ObjectSet& objects);

struct ClaimOptions {
  api::Time now = 0;  // creation time of new claims
  // Pods that are not among the objects do not exist, as in a simulation; else, as with files, they may well.
  bool all_pods_known = false;
};

// What the resource claim controller does: makes the claims of pods that name a template (owned by the pod, named
// "POD-ENTRY-xxxxx", written into the pod's status), takes pods that are done out of status.reservedFor, clears the
// allocation of a claim whose last consumer went, removes claims that were made for a pod that is done, and reserves
// allocated claims for pods that are bound already. Pods whose template is missing stay as they are. O(pods + claims).
void settle_resource_claims(api::ObjectSet& objects, const ClaimOptions& options);

// What the admission plugins RuntimeClass and LimitRanger fill into pods of manifests, which no API server has seen yet
// (they have neither uid nor node): those from this position on. Pods that reconcile() makes have it already. The
// remarks are of pods that the API server would refuse.
[[nodiscard]] std::vector<Error> admit_pods(api::ObjectSet& objects, std::size_t first = 0);

// What the API server and its admission plugins fill into a pod: the scheduler's name and five minutes of patience with
// nodes that become unready or unreachable.
void set_defaults(api::Pod& pod);

}  // namespace berth::controllers
