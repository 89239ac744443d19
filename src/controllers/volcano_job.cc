// The Volcano Job controller: what happened and what is there decide the phase, the phase decides what is made and
// killed. One call goes as far as it can: a job whose pods are killed is restarted in the same call.
#include <algorithm>
#include <charconv>
#include <string>
#include <utility>
#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>
#include <boost/unordered/unordered_flat_set.hpp>

#include "api/full_name.h"
#include "controllers/template_size.h"
#include "controllers/volcano.h"

namespace berth::controllers {
namespace {

namespace keys = api::volcano::keys;
using api::PodPhase;
using api::volcano::Command;
using api::volcano::Job;
using api::volcano::JobAction;
using api::volcano::JobEvent;
using api::volcano::JobPhase;
using api::volcano::PodGroup;
using api::volcano::PodGroupPhase;
using api::volcano::Task;

constexpr int kMostPhases = 8;  // a job goes through fewer in one call

std::int32_t version_of(const api::Pod& pod) {
  const std::string_view text = annotation(pod.metadata, keys::kJobVersion);
  std::int32_t version = 0;
  std::from_chars(text.data(), text.data() + text.size(), version);
  return version;
}

bool is_over(JobPhase phase) {
  return phase == JobPhase::kCompleted || phase == JobPhase::kFailed || phase == JobPhase::kTerminated;
}

// The phases that wait for pods to go, and what comes then.
std::optional<JobPhase> after_killing(JobPhase phase) {
  switch (phase) {
    case JobPhase::kAborting:
      return JobPhase::kAborted;
    case JobPhase::kCompleting:
      return JobPhase::kCompleted;
    case JobPhase::kTerminating:
      return JobPhase::kTerminated;
    case JobPhase::kPending:
    case JobPhase::kAborted:
    case JobPhase::kRunning:
    case JobPhase::kRestarting:
    case JobPhase::kCompleted:
    case JobPhase::kTerminated:
    case JobPhase::kFailed:
      return std::nullopt;
  }
  return std::nullopt;
}

JobAction action_of(Command::Action action) {
  switch (action) {
    case Command::Action::kAbortJob:
      return JobAction::kAbortJob;
    case Command::Action::kResumeJob:
      return JobAction::kResumeJob;
    case Command::Action::kRestartJob:
      return JobAction::kRestartJob;
    case Command::Action::kTerminateJob:
      return JobAction::kTerminateJob;
    case Command::Action::kCompleteJob:
    case Command::Action::kOpenQueue:  // not for jobs; the caller looks at the target's kind
    case Command::Action::kCloseQueue:
      return JobAction::kCompleteJob;
  }
  return JobAction::kCompleteJob;
}

class Controller {
 public:
  Controller(Workshop& workshop, const api::Read<Job>& read)
      : workshop_(workshop), read_(read), job_(read.object), owner_{kVolcanoBatch, "Job", &read.object.metadata} {}

  void run() {
    const Job before = job_;
    for (const api::Pod* pod : workshop_.owned(owner_)) pods_.push_back({pod, false});
    if (!job_.status.phase) enter(JobPhase::kPending, "");
    if (is_over(phase()) && expired()) return remove_all();
    obey_commands();
    answer_happenings();
    settle_group();
    for (int step = 0; step < kMostPhases; ++step) {
      const JobPhase here = phase();
      act();
      count();
      advance();
      if (phase() == here) break;
    }
    plan_ahead();
    name_deadlock();
    if (job_.status != before.status) workshop_.result().volcano_jobs.push_back({job_, read_.place});
  }

 private:
  struct Known {
    const api::Pod* pod;
    bool killed;
  };
  enum class Retain : std::uint8_t { kNone, kFinished };

  [[nodiscard]] JobPhase phase() const { return job_.status.phase.value_or(JobPhase::kPending); }
  [[nodiscard]] api::Time now() const { return workshop_.options().now; }

  void enter(JobPhase next, std::string reason) {
    job_.status.phase = next;
    job_.status.reason = std::move(reason);
    job_.status.last_transition_time = now();
  }

  void kill(Known& known) {
    if (known.killed) return;
    known.killed = true;
    workshop_.result().removed_pods.push_back(api::full_name(known.pod->metadata));
  }

  template <class Wanted>
  void kill_where(Retain retain, Wanted wanted) {
    for (Known& known : pods_) {
      const bool kept = retain == Retain::kFinished && is_finished(*known.pod);
      if (!kept && wanted(*known.pod)) kill(known);
    }
  }
  void kill_all(Retain retain) {
    kill_where(retain, [](const api::Pod&) { return true; });
  }

  // --- What happened.

  void obey_commands() {
    for (const auto& read : workshop_.objects().volcano_commands) {
      const Command& command = read.object;
      if (command.metadata.namespace_ != job_.metadata.namespace_ || command.target.kind != "Job" ||
          command.target.name != job_.metadata.name)
        continue;
      if (!command.target.uid.empty() && !job_.metadata.uid.empty() && command.target.uid != job_.metadata.uid)
        continue;
      workshop_.result().removed_commands.push_back(api::full_name(command.metadata));
      obey(action_of(command.action), {}, "CommandIssued");
    }
  }

  void answer_happenings() {
    const std::int32_t version = job_.status.version;
    for (const JobHappening& happening : happenings()) {
      // Once an action has killed the pods of this version, what else happened to them is history.
      if (job_.status.version != version || (phase() != JobPhase::kPending && phase() != JobPhase::kRunning)) return;
      if (happening.pod != nullptr && version_of(*happening.pod) < version) continue;
      if (const auto action = action_for(job_.spec, happening, now())) obey(*action, happening, "PolicyAction");
    }
  }

  [[nodiscard]] std::vector<JobHappening> happenings() const {
    std::vector<JobHappening> out;
    for (const PodEvent& event : workshop_.options().pod_events) {
      if (!controls(owner_, event.pod.metadata)) continue;
      const JobEvent kind = event.kind == PodEvent::Kind::kFailed ? JobEvent::kPodFailed : JobEvent::kPodEvicted;
      out.push_back({kind, task_of(event.pod), &event.pod, event.exit_code, now()});
    }
    boost::unordered_flat_map<std::string, std::int32_t> succeeded;
    for (const Known& known : pods_) {
      const api::Pod& pod = *known.pod;
      const std::string task = task_of(pod);
      const api::Time created = pod.metadata.creation_timestamp.value_or(now());
      if (pod.status.phase == PodPhase::kFailed)
        out.push_back({JobEvent::kPodFailed, task, &pod, exit_code_of(pod), created});
      if (pod.status.phase == PodPhase::kPending)
        out.push_back({JobEvent::kPodPending, task, &pod, std::nullopt, created});
      if (pod.status.phase == PodPhase::kSucceeded) ++succeeded[task];
    }
    for (const Task& task : job_.spec.tasks) {
      const auto done = succeeded.find(task.name);
      if (done != succeeded.end() && done->second >= task.replicas)
        out.push_back({JobEvent::kTaskCompleted, task.name, nullptr, std::nullopt, now()});
      if (restarts(task) >= task.max_retry && task.max_retry > 0)
        out.push_back({JobEvent::kTaskFailed, task.name, nullptr, std::nullopt, now()});
    }
    const PodGroup* group = find_group();
    if (group != nullptr && group->status.phase == PodGroupPhase::kUnknown)
      out.push_back({JobEvent::kUnknown, "", nullptr, std::nullopt, now()});
    return out;
  }

  // Of the first container that ended with an error.
  [[nodiscard]] static std::optional<std::int32_t> exit_code_of(const api::Pod& pod) {
    for (const api::ContainerStatus& status : pod.status.container_statuses)
      if (status.exit_code.value_or(0) != 0) return status.exit_code;
    return std::nullopt;
  }

  [[nodiscard]] std::int64_t restarts(const Task& task) const {
    std::int64_t count = 0;
    for (const Known& known : pods_) {
      if (task_of(*known.pod) != task.name) continue;
      for (const api::ContainerStatus& status : known.pod->status.container_statuses) count += status.restart_count;
      for (const api::ContainerStatus& status : known.pod->status.init_container_statuses)
        count += status.restart_count;
    }
    return count;
  }

  [[nodiscard]] static std::string task_of(const api::Pod& pod) {
    return std::string(annotation(pod.metadata, keys::kTaskSpec));
  }

  void obey(JobAction action, const JobHappening& happening, std::string reason) {
    const JobPhase here = phase();
    const bool at_work = here == JobPhase::kPending || here == JobPhase::kRunning || here == JobPhase::kRestarting;
    if (action == JobAction::kResumeJob) {
      if (here == JobPhase::kAborted || here == JobPhase::kAborting) restart(std::move(reason));
      return;
    }
    if (!at_work) return;
    switch (action) {
      case JobAction::kRestartJob:
        ++job_.status.version;
        queues_again_ = true;
        // The last time, what failed stays for whoever wants to see it.
        kill_all(job_.status.retry_count + 1 >= job_.spec.max_retry ? Retain::kFinished : Retain::kNone);
        return restart(std::move(reason));
      case JobAction::kRestartTask:
        kill_where(Retain::kNone, [&](const api::Pod& pod) { return task_of(pod) == happening.task; });
        return restart(std::move(reason));
      case JobAction::kRestartPod:
        if (happening.pod == nullptr) return;
        kill_where(Retain::kNone,
                   [&](const api::Pod& pod) { return pod.metadata.name == happening.pod->metadata.name; });
        return restart(std::move(reason));
      case JobAction::kRestartPartition:
        if (happening.pod == nullptr) return;
        kill_where(Retain::kNone, [&](const api::Pod& pod) {
          return task_of(pod) == happening.task && partition_of(pod) == partition_of(*happening.pod);
        });
        return restart(std::move(reason));
      case JobAction::kAbortJob:
        return leave(JobPhase::kAborting, std::move(reason));
      case JobAction::kTerminateJob:
        return leave(JobPhase::kTerminating, std::move(reason));
      case JobAction::kCompleteJob:
        return leave(JobPhase::kCompleting, std::move(reason));
      case JobAction::kResumeJob:
        return;
    }
  }

  [[nodiscard]] static std::string_view partition_of(const api::Pod& pod) {
    const auto found = pod.metadata.labels.find(keys::kPartition);
    return found == pod.metadata.labels.end() ? std::string_view() : std::string_view(found->second);
  }

  void restart(std::string reason) {
    ++job_.status.retry_count;
    enter(JobPhase::kRestarting, std::move(reason));
  }

  void leave(JobPhase next, std::string reason) {
    ++job_.status.version;
    enter(next, std::move(reason));
  }

  // --- What the phase does.

  void act() {
    switch (phase()) {
      case JobPhase::kPending:
      case JobPhase::kRunning:
        return make_missing();
      case JobPhase::kRestarting:
        return;
      case JobPhase::kAborting:
      case JobPhase::kAborted:
      case JobPhase::kCompleting:
      case JobPhase::kCompleted:
      case JobPhase::kTerminating:
      case JobPhase::kTerminated:
      case JobPhase::kFailed:
        return kill_all(Retain::kFinished);
    }
  }

  void make_missing() {
    make_surroundings();
    for (const Task& task : job_.spec.tasks) {
      if (!may_start(task)) continue;
      // Counted before it is listed: replicas may be more than anybody can list.
      const boost::unordered_flat_set<std::int64_t> there = indexes_of(task);
      const std::int64_t missing = task.replicas - static_cast<std::int64_t>(there.size());
      if (missing <= 0 || !workshop_.admit(missing, bytes_of_a_pod(task.pod_template), owner_, read_.place)) continue;
      for (std::int64_t index = 0; index < task.replicas; ++index) {
        if (there.contains(index)) continue;
        api::Pod pod = make_volcano_pod(workshop_, job_, task, index);
        if (!own_names().contains(pod.metadata.name) && !workshop_.take_name(pod, read_.place)) continue;
        made_.emplace(pod.metadata.name, task.name);
        workshop_.make(std::move(pod), read_.place);
      }
    }
    scale_in();
  }

  // Of the job's pods that are there, those that go included: their names are the job's to give again.
  const boost::unordered_flat_set<std::string_view>& own_names() {
    if (own_names_.empty())
      for (const Known& known : pods_) own_names_.insert(known.pod->metadata.name);
    return own_names_;
  }

  // The number at the end of a name that a pod of the task has; as text it is that and nothing else.
  [[nodiscard]] std::optional<std::int64_t> index_in(std::string_view name, const Task& task) const {
    const std::size_t before = job_.metadata.name.size() + task.name.size() + 2;
    if (name.size() <= before) return std::nullopt;
    std::int64_t index = -1;
    std::from_chars(name.data() + before, name.data() + name.size(), index);
    if (index < 0 || name != volcano_pod_name(job_, task, index)) return std::nullopt;
    return index;
  }

  // Of the pods that there have to be, those that there are.
  [[nodiscard]] boost::unordered_flat_set<std::int64_t> indexes_of(const Task& task) const {
    boost::unordered_flat_set<std::int64_t> result;
    const auto add = [&](const std::string& name) {
      const std::optional<std::int64_t> index = index_in(name, task);
      if (index && *index < task.replicas) result.insert(*index);
    };
    for (const Known& known : pods_)
      if (!known.killed) add(known.pod->metadata.name);
    for (const auto& [name, of_task] : made_) add(name);
    return result;
  }

  // Pods beyond the replicas go.
  void scale_in() {
    for (const Task& task : job_.spec.tasks) {
      kill_where(Retain::kNone, [&](const api::Pod& pod) {
        if (task_of(pod) != task.name) return false;
        const std::optional<std::int64_t> index = index_in(pod.metadata.name, task);
        return index && *index >= task.replicas;
      });
    }
  }

  [[nodiscard]] bool may_start(const Task& task) const {
    if (!task.depends_on || task.depends_on->names.empty()) return true;
    const auto is_there = [&](const std::string& name) {
      const auto other = std::ranges::find(job_.spec.tasks, name, &Task::name);
      if (other == job_.spec.tasks.end()) return true;
      const auto there = std::ranges::count_if(pods_, [&](const Known& known) {
        const api::Pod& pod = *known.pod;
        if (known.killed || task_of(pod) != name) return false;
        return pod.status.phase == PodPhase::kSucceeded ||
               (pod.status.phase == PodPhase::kRunning && containers_ready(pod));
      });
      return there >= other->min_available;
    };
    const std::vector<std::string>& names = task.depends_on->names;
    return task.depends_on->iteration == api::volcano::DependencyIteration::kAny ? std::ranges::any_of(names, is_there)
                                                                                 : std::ranges::all_of(names, is_there);
  }

  // A task that waits for another one of a gang in which both have to start at once.
  void name_deadlock() {
    if (phase() != JobPhase::kPending || !pods_.empty()) return;
    std::int64_t at_once = 0;
    std::int64_t least = 0;
    const Task* waits = nullptr;
    for (const Task& task : job_.spec.tasks) {
      least += task.min_available;
      if (may_start(task)) {
        at_once += task.replicas;
      } else if (waits == nullptr || (waits->min_available == 0 && task.min_available > 0)) {
        waits = &task;
      }
    }
    if (waits == nullptr) return;
    // The minimums of tasks count while they are not more than the job's.
    const bool counts = waits->min_available > 0 && least <= job_.spec.min_available;
    if (job_.spec.min_available <= at_once && !counts) return;
    workshop_.remark("Job " + job_.metadata.name + ": the task " + waits->name +
                         " waits for another task (dependsOn), and the job starts only together with pods of " +
                         waits->name + ", so nothing of it can start. Lower minAvailable to what starts first.",
                     read_.place);
  }

  // The service of the plugin svc, and the claims of the job's volumes.
  void make_surroundings() {
    const std::string& space = job_.metadata.namespace_;
    if (job_.spec.plugins.contains("svc")) {
      const auto& services = workshop_.objects().services;
      const bool there = std::ranges::any_of(services, [&](const api::Read<api::Service>& read) {
        return read.object.metadata.name == job_.metadata.name && read.object.metadata.namespace_ == space;
      });
      if (!there && std::exchange(service_made_, true) == false) {
        api::Service service;
        service.metadata.name = job_.metadata.name;
        service.metadata.namespace_ = space;
        service.metadata.owner_references = {
            {std::string(kVolcanoBatch), "Job", job_.metadata.name, job_.metadata.uid, true}};
        service.selector = {{std::string(keys::kJobName), job_.metadata.name}, {"volcano.sh/job-namespace", space}};
        workshop_.result().services.push_back({std::move(service), read_.place});
      }
    }
    for (std::size_t i = 0; i < job_.spec.volumes.size(); ++i) {
      const api::volcano::JobVolume& volume = job_.spec.volumes[i];
      if (!volume.volume_claim) continue;
      const std::string name = volume.volume_claim_name.empty() ? job_.metadata.name + "-pvc-" + std::to_string(i)
                                                                : volume.volume_claim_name;
      if (workshop_.has_claim(space, name)) continue;
      api::PersistentVolumeClaim claim = *volume.volume_claim;
      claim.metadata.name = name;
      claim.metadata.namespace_ = space;
      workshop_.make_claim(std::move(claim), read_.place);
    }
  }

  // --- The group.

  [[nodiscard]] const PodGroup* find_group() const {
    for (const auto& read : workshop_.objects().volcano_pod_groups) {
      const PodGroup& group = read.object;
      if (group.metadata.namespace_ == job_.metadata.namespace_ && group.metadata.name == volcano_group_name(job_))
        return &group;
    }
    return nullptr;
  }

  void settle_group() {
    PodGroup wanted = make_volcano_group(job_);
    const PodGroup* there = find_group();
    if (there != nullptr && queues_again_) {
      // Volcano deletes the group of a job that is restarted whole: the new one waits from now on.
      wanted.metadata.creation_timestamp = now();
    } else if (there != nullptr) {
      PodGroup changed = *there;
      changed.min_member = wanted.min_member;
      changed.min_task_member = std::move(wanted.min_task_member);
      changed.priority_class_name = std::move(wanted.priority_class_name);
      changed.min_resources = std::move(wanted.min_resources);
      if (changed == *there) return;
      wanted = std::move(changed);
    } else if (is_over(phase())) {
      return;
    }
    workshop_.result().volcano_pod_groups.push_back({std::move(wanted), read_.place});
  }

  // --- The status.

  void count() {
    api::volcano::JobStatus& status = job_.status;
    status.min_available = job_.spec.min_available;
    status.task_status_count.clear();
    status.pending = status.running = status.succeeded = status.failed = status.terminating = status.unknown = 0;
    for (const Known& known : pods_) {
      if (known.killed) continue;
      if (known.pod->metadata.deletion_timestamp) {
        ++status.terminating;
        continue;
      }
      count_one(known.pod->status.phase, task_of(*known.pod));
    }
    for (const auto& [name, task] : made_) count_one(PodPhase::kPending, task);
  }

  void count_one(PodPhase phase, const std::string& task) {
    api::volcano::JobStatus& status = job_.status;
    ++status.task_status_count[task][phase];
    switch (phase) {
      case PodPhase::kPending:
        ++status.pending;
        return;
      case PodPhase::kRunning:
        ++status.running;
        return;
      case PodPhase::kSucceeded:
        ++status.succeeded;
        return;
      case PodPhase::kFailed:
        ++status.failed;
        return;
      case PodPhase::kUnknown:
        ++status.unknown;
        return;
    }
  }

  void advance() {
    const api::volcano::JobStatus& status = job_.status;
    const std::int64_t replicas = total_replicas();
    if (const auto next = after_killing(phase())) {
      if (status.pending + status.running + status.terminating + status.unknown == 0) enter(*next, status.reason);
      return;
    }
    switch (phase()) {
      case JobPhase::kRestarting:
        if (status.retry_count >= job_.spec.max_retry) return enter(JobPhase::kFailed, "ReachMaxRetry");
        if (replicas - status.terminating >= job_.spec.min_available) enter(JobPhase::kPending, status.reason);
        return;
      case JobPhase::kPending:
        if (status.running + status.succeeded + status.failed >= job_.spec.min_available && replicas > 0)
          enter(JobPhase::kRunning, "");
        return;
      case JobPhase::kRunning:
        return advance_running(replicas);
      case JobPhase::kAborting:
      case JobPhase::kAborted:
      case JobPhase::kCompleting:
      case JobPhase::kCompleted:
      case JobPhase::kTerminating:
      case JobPhase::kTerminated:
      case JobPhase::kFailed:
        return;
    }
  }

  void advance_running(std::int64_t replicas) {
    const api::volcano::JobStatus& status = job_.status;
    if (replicas == 0) return;
    if (job_.spec.min_success && status.succeeded >= *job_.spec.min_success) return enter(JobPhase::kCompleted, "");
    if (status.succeeded + status.failed == replicas) {
      if (some_task_failed()) return enter(JobPhase::kFailed, "TaskFailed");
      if (job_.spec.min_success || status.succeeded < job_.spec.min_available)
        return enter(JobPhase::kFailed, "TooFewSucceeded");
      return enter(JobPhase::kCompleted, "");
    }
    if (status.pending > replicas - job_.spec.min_available) enter(JobPhase::kPending, "");
  }

  // A task has fewer successes than its minimum, where the job asks for all minimums.
  [[nodiscard]] bool some_task_failed() const {
    std::int64_t least = 0;
    for (const Task& task : job_.spec.tasks) least += task.min_available;
    if (job_.spec.min_available < least) return false;
    return std::ranges::any_of(job_.spec.tasks, [&](const Task& task) {
      const auto counts = job_.status.task_status_count.find(task.name);
      if (counts == job_.status.task_status_count.end()) return task.min_available > 0;
      const auto done = counts->second.find(PodPhase::kSucceeded);
      return (done == counts->second.end() ? 0 : done->second) < task.min_available;
    });
  }

  [[nodiscard]] std::int64_t total_replicas() const {
    std::int64_t total = 0;
    for (const Task& task : job_.spec.tasks) total += task.replicas;
    return total;
  }

  // --- The end, and what is due later.

  [[nodiscard]] bool expired() const {
    const auto& status = job_.status;
    return job_.spec.ttl_seconds_after_finished && status.last_transition_time &&
           now() - *status.last_transition_time >= *job_.spec.ttl_seconds_after_finished;
  }

  void remove_all() {
    kill_all(Retain::kNone);
    workshop_.result().removed_volcano_jobs.push_back(api::full_name(job_.metadata));
  }

  void plan_ahead() {
    if (is_over(phase())) {
      if (job_.spec.ttl_seconds_after_finished)
        workshop_.look_again(*job_.status.last_transition_time + *job_.spec.ttl_seconds_after_finished);
      return;
    }
    const auto consider = [&](const std::vector<api::volcano::LifecyclePolicy>& policies) {
      for (const api::volcano::LifecyclePolicy& policy : policies) {
        if (!policy.timeout_seconds) continue;
        for (const Known& known : pods_)
          workshop_.look_again(known.pod->metadata.creation_timestamp.value_or(now()) + *policy.timeout_seconds);
        if (!made_.empty()) workshop_.look_again(now() + *policy.timeout_seconds);
      }
    };
    consider(job_.spec.policies);
    for (const Task& task : job_.spec.tasks) consider(task.policies);
  }

  Workshop& workshop_;
  const api::Read<Job>& read_;
  Job job_;
  Owner owner_;
  std::vector<Known> pods_;
  boost::unordered_flat_map<std::string, std::string> made_;  // pods of this call, to their task
  boost::unordered_flat_set<std::string_view> own_names_;
  bool service_made_ = false;
  bool queues_again_ = false;
};

}  // namespace

bool containers_ready(const api::Pod& pod) {
  const auto found = std::ranges::find(pod.status.conditions, "Ready", &api::Condition::type);
  return found == pod.status.conditions.end() || found->status == "True";
}

void reconcile_volcano_job(Workshop& workshop, const api::Read<Job>& read) {
  if (read.object.metadata.deletion_timestamp) return;
  Controller(workshop, read).run();
}

}  // namespace berth::controllers
