#include "sim/plan/explanation.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <utility>

#include <fmt/format.h>
#include <boost/unordered/unordered_flat_map.hpp>
#include <boost/unordered/unordered_flat_set.hpp>

#include "base/lower_case.h"
#include "base/near_names.h"
#include "engine/world/world.h"
#include "report/layout.h"
#include "sim/lineage.h"
#include "sim/plan/device_hints.h"
#include "sim/plan/explainer.h"

namespace berth::sim {
namespace {

using State = PodAnswer::State;
using dialects::kubernetes::LeftOut;

// What was decided about pods and what the engine was not told of, by pod.
class Fates {
 public:
  Fates(const Cluster& cluster, const Outcome& outcome) {
    for (const Placement& placement : outcome.placements) placed_.insert(placement.namespace_ + '/' + placement.name);
    for (const Eviction& eviction : outcome.evictions) {
      evicted_.emplace(eviction.pod, &eviction);
      evicted_for_[eviction.beneficiary].push_back(eviction);
    }
    for (const LeftOut& left : cluster.translator().left_out()) left_out_.emplace(&left.pod->object, left.cause);
  }

  [[nodiscard]] bool placed(const std::string& pod) const { return placed_.contains(pod); }
  // Null for a pod that stays, and for one that took the name of an evicted one.
  [[nodiscard]] const Eviction* eviction(const std::string& name, const api::Pod& pod) const {
    const auto found = evicted_.find(name);
    return found == evicted_.end() || pod.status.phase != api::PodPhase::kFailed ? nullptr : found->second;
  }
  [[nodiscard]] std::vector<Eviction> evicted_for(const std::string& pod) const {
    const auto found = evicted_for_.find(pod);
    return found == evicted_for_.end() ? std::vector<Eviction>{} : found->second;
  }
  [[nodiscard]] std::optional<LeftOut::Cause> left_out(const api::Pod& pod) const {
    const auto found = left_out_.find(&pod);
    if (found == left_out_.end()) return std::nullopt;
    return found->second;
  }

 private:
  boost::unordered_flat_set<std::string> placed_;
  boost::unordered_flat_map<std::string, const Eviction*> evicted_;
  boost::unordered_flat_map<std::string, std::vector<Eviction>> evicted_for_;
  boost::unordered_flat_map<const api::Pod*, LeftOut::Cause> left_out_;
};

void describe_left_out(LeftOut::Cause cause, const api::Pod& pod, PodAnswer& answer) {
  answer.state = State::kLeftOut;
  switch (cause) {
    case LeftOut::Cause::kFinished:
      answer.state = State::kFinished;
      answer.note = pod.status.phase == api::PodPhase::kSucceeded ? "has succeeded and holds nothing"
                                                                  : "has failed and holds nothing";
      break;
    case LeftOut::Cause::kTerminating:
      answer.note = "is being deleted and never had a node";
      break;
    case LeftOut::Cause::kUnknownNode:
      answer.note = "runs on " + pod.spec.node_name + ", which is not in the input";
      break;
  }
}

PodAnswer answer_for(Cluster& cluster, const Fates& fates, const api::Pod& pod, Explainer& explainer) {
  PodAnswer answer;
  answer.namespace_ = pod.metadata.namespace_;
  answer.name = pod.metadata.name;
  answer.node = pod.spec.node_name;
  const std::string full_name = answer.namespace_ + '/' + answer.name;
  if (const Eviction* eviction = fates.eviction(full_name, pod)) {
    answer.state = State::kWouldBeEvicted;
    answer.note = eviction->beneficiary;
    answer.replacement = eviction->replacement;
    answer.broken_budgets = eviction->broken_budgets;
    answer.asks = eviction->asks;
    answer.priority = eviction->priority;
    return answer;
  }
  if (const auto cause = fates.left_out(pod)) {
    describe_left_out(*cause, pod, answer);
    return answer;
  }
  const engine::Names& names = cluster.names();
  const engine::World& world = cluster.engine().world();
  answer.id = cluster.engine().find_pod(names.names.find(full_name));
  if (answer.id.is_none()) {
    answer.state = State::kLeftOut;
    answer.note = "is not known to the scheduler";
    return answer;
  }
  const engine::Pod& known = world.pod(answer.id);
  answer.asks = asks_text(cluster, answer.id);
  answer.priority = world.shape_of(answer.id).input.priority;
  answer.cards = known.cards;
  switch (known.state) {
    case engine::PodState::kPending:
      answer.reason = explainer.reason(answer.id);
      answer.state = answer.reason.reason_class == engine::ReasonClass::kNotReady ? State::kNotReady : State::kWaits;
      break;
    case engine::PodState::kFree:
    case engine::PodState::kHeld:
      answer.state = State::kNotReady;
      answer.reason = explainer.reason(answer.id);
      break;
    case engine::PodState::kPlaced:
      answer.state = fates.placed(full_name) ? State::kWouldStart : State::kRuns;
      answer.node = cluster.node_name(known.node);
      if (answer.state == State::kWouldStart) answer.evictions = fates.evicted_for(full_name);
      break;
    case engine::PodState::kAbroad:
      answer.state = State::kLeftOut;
      break;
    case engine::PodState::kEvicted:
      answer.state = State::kWouldBeEvicted;
      break;
  }
  return answer;
}

struct Target {
  std::string kind;
  std::string name;
};

constexpr std::array<std::pair<std::string_view, std::string_view>, 11> kKinds = {{
    {"Pod", "po"},
    {"Deployment", "deploy"},
    {"ReplicaSet", "rs"},
    {"ReplicationController", "rc"},
    {"StatefulSet", "sts"},
    {"DaemonSet", "ds"},
    {"Job", "job"},
    {"CronJob", "cj"},
    {"PodGroup", "pg"},
    {"CompositePodGroup", "cpg"},
    {"Workload", "wl"},
}};

Result<Target> target_of(std::string_view reference) {
  const std::size_t slash = reference.find('/');
  if (reference.empty() || slash == 0 || slash + 1 == reference.size())
    return fail(ErrorCode::kUsage,
                fmt::format("'{}' names nothing; write KIND/NAME such as Pod/train-0, or the name of a "
                            "pod alone.",
                            reference));
  if (slash == std::string_view::npos) return Target{"Pod", std::string(reference)};
  const auto kind = canonical_kind(reference.substr(0, slash));
  if (kind) return Target{*kind, std::string(reference.substr(slash + 1))};
  std::vector<std::string> kinds;
  for (const auto& [name, alias] : kKinds) kinds.emplace_back(name);
  const auto near = near_names(reference.substr(0, slash), kinds, 1);
  return fail(ErrorCode::kUsage, fmt::format("'{}' is no kind whose pods are explained; kinds are {}.{}",
                                             reference.substr(0, slash), report::enumerate(kinds, kinds.size()),
                                             near.empty() ? "" : " Did you mean " + near[0] + "?"));
}

// Its controllers and the objects that group it.
std::vector<std::string> kin_of(const Cluster& cluster, const Lineage& lineage, const api::Pod& pod) {
  std::vector<std::string> result = lineage.of(pod.metadata);
  const std::vector<std::string> groups = cluster.translator().workloads().lineage(pod);
  result.insert(result.end(), groups.begin(), groups.end());
  return result;
}

bool named(const std::vector<std::string>& lineage, const Target& target) {
  return std::ranges::find(lineage, target.kind + '/' + target.name) != lineage.end();
}

// A controller that is in the input and has no pods is an answer too.
template <class T>
void find_controller(const std::vector<api::Read<T>>& controllers, std::string_view name, std::set<std::string>& in) {
  for (const auto& read : controllers)
    if (read.object.metadata.name == name) in.insert(read.object.metadata.namespace_);
}

std::set<std::string> namespaces_with(const api::ObjectSet& objects, const Target& target) {
  std::set<std::string> in;
  if (target.kind == "Deployment") find_controller(objects.deployments, target.name, in);
  if (target.kind == "ReplicaSet") find_controller(objects.replica_sets, target.name, in);
  if (target.kind == "ReplicationController") find_controller(objects.replication_controllers, target.name, in);
  if (target.kind == "StatefulSet") find_controller(objects.stateful_sets, target.name, in);
  if (target.kind == "DaemonSet") find_controller(objects.daemon_sets, target.name, in);
  if (target.kind == "Job") find_controller(objects.jobs, target.name, in);
  if (target.kind == "CronJob") find_controller(objects.cron_jobs, target.name, in);
  return in;
}

std::unexpected<Error> not_found(const Cluster& cluster, const Lineage& lineage, const Target& target,
                                 std::string_view namespace_) {
  std::set<std::string> same_kind;
  std::set<std::string> elsewhere;
  std::set<std::string> any_kind;
  for (const auto& read : cluster.objects().pods) {
    for (const std::string& own : kin_of(cluster, lineage, read.object)) {
      const std::size_t slash = own.find('/');
      any_kind.insert(own);
      if (own.compare(0, slash, target.kind) == 0) same_kind.insert(own.substr(slash + 1));
      if (own.substr(slash + 1) == target.name)
        elsewhere.insert(own + " in namespace " + read.object.metadata.namespace_);
    }
  }
  std::string message = fmt::format("there is no {} named {}", target.kind, target.name);
  if (!namespace_.empty()) message += fmt::format(" in namespace {}", namespace_);
  if (!elsewhere.empty()) {
    const std::vector<std::string> found(elsewhere.begin(), elsewhere.end());
    return fail(ErrorCode::kNotFound, message + ", but there is " + report::enumerate(found, 3) + ".");
  }
  const std::vector<std::string> names(same_kind.begin(), same_kind.end());
  const std::vector<std::string> near = near_names(target.name, names, 4);
  const auto nearest = [&](const std::vector<std::string>& found, std::size_t most) {
    return fail(ErrorCode::kNotFound,
                message + (found.size() == 1 ? "; near is " : "; near are ") + report::enumerate(found, most) + ".");
  };
  if (!near.empty()) return nearest(near, 4);
  // Nothing of this kind is near; something of another kind may be.
  std::vector<std::string> others;
  for (const std::string& own : any_kind) {
    const std::vector<std::string> name = {own.substr(own.find('/') + 1)};
    if (!near_names(target.name, name, 1).empty()) others.push_back(own);
  }
  std::ranges::stable_sort(others, [&](const std::string& a, const std::string& b) {
    const auto distance = [&](std::string_view own) {
      return edit_distance(target.name, own.substr(own.find('/') + 1));
    };
    return distance(a) < distance(b);
  });
  if (!others.empty()) return nearest(others, 3);
  return fail(ErrorCode::kNotFound, message + "; `berth plan` lists the pods of the input.");
}

}  // namespace

std::string_view name_of(State state) {
  switch (state) {
    case State::kRuns:
      return "Runs";
    case State::kWouldStart:
      return "WouldStart";
    case State::kWaits:
      return "Waits";
    case State::kNotReady:
      return "NotReady";
    case State::kWouldBeEvicted:
      return "WouldBeEvicted";
    case State::kFinished:
      return "Finished";
    case State::kLeftOut:
      return "LeftOut";
  }
  return "";
}

std::string_view phrase_of(State state, bool several) {
  switch (state) {
    case State::kRuns:
      return several ? "run" : "runs";
    case State::kWouldStart:
      return "would start";
    case State::kWaits:
      return several ? "wait" : "waits";
    case State::kNotReady:
      return "not ready";
    case State::kWouldBeEvicted:
      return "would be evicted";
    case State::kFinished:
      return "finished";
    case State::kLeftOut:
      return "left out";
  }
  return "";
}

std::optional<std::string> canonical_kind(std::string_view kind) {
  // "deployment.apps", "job.batch": as `kubectl get -o name` writes them.
  const std::string wanted = lowered(kind.substr(0, kind.find('.')));
  if (wanted == "vcjob" || wanted == "vj") return "Job";  // of Volcano
  for (const auto& [name, alias] : kKinds)
    if (wanted == lowered(name) || wanted == lowered(name) + 's' || wanted == alias) return std::string(name);
  return std::nullopt;
}

Result<Explanation> explain(Cluster& cluster, const Outcome& outcome, std::string_view reference,
                            std::string_view namespace_) {
  BERTH_TRY(const Target target, target_of(reference));
  const api::ObjectSet& objects = cluster.objects();
  const Lineage lineage(objects);
  std::set<std::string> in = namespaces_with(objects, target);
  for (const auto& group : cluster.translator().workloads().objects())
    if (group.reference == target.kind + '/' + target.name) in.insert(group.namespace_);
  std::vector<const api::Pod*> pods;
  for (const auto& read : objects.pods) {
    if (!named(kin_of(cluster, lineage, read.object), target)) continue;
    in.insert(read.object.metadata.namespace_);
    pods.push_back(&read.object);
  }
  if (!namespace_.empty()) {
    std::erase_if(in, [&](const std::string& name) { return name != namespace_; });
    std::erase_if(pods, [&](const api::Pod* pod) { return pod->metadata.namespace_ != namespace_; });
  }
  if (in.empty()) return not_found(cluster, lineage, target, namespace_);
  if (in.size() > 1) {
    const std::vector<std::string> names(in.begin(), in.end());
    return fail(ErrorCode::kInvalid, fmt::format("{}/{} is in the namespaces {}; say which with -n.", target.kind,
                                                 target.name, report::enumerate(names, 6)));
  }
  std::ranges::stable_sort(pods, [](const api::Pod* a, const api::Pod* b) {
    return report::natural_less(a->metadata.name, b->metadata.name);
  });
  const Fates fates(cluster, outcome);
  Explanation out{.kind = target.kind, .namespace_ = *in.begin(), .name = target.name};
  out.planned = planned_pods(cluster, outcome.placements);
  const CardSharing sharing(cluster);
  DeviceHints hints(cluster);
  Explainer explainer(cluster);
  std::map<Explainer::Key, engine::PodId> first_with;
  for (const api::Pod* pod : pods) {
    PodAnswer& answer = out.pods.emplace_back(answer_for(cluster, fates, *pod, explainer));
    if (answer.id.is_none()) continue;
    answer.alike = first_with.try_emplace(explainer.key_of(answer.id), answer.id).first->second;
    answer.sharing = sharing.of(answer.id);
    if (answer.state == State::kWaits) answer.hints = hints.about(answer.id, answer.reason);
  }
  return out;
}

}  // namespace berth::sim
