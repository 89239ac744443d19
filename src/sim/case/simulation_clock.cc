// What happens in a second before the scheduler decides: pods end and start, documents arrive, steps are done, pods
// leave devices and zones.
#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "api/full_name.h"
#include "controllers/device_taints.h"
#include "controllers/reconcile.h"
#include "controllers/revocable_zones.h"
#include "sim/case/documents.h"
#include "sim/case/simulation.h"
#include "sim/claims.h"
#include "sim/device_binding.h"

namespace berth::sim {
namespace {

using State = PodRecord::State;

constexpr std::int64_t kNoTime = std::numeric_limits<std::int64_t>::max();
// bindingTimeout of DynamicResourcesArgs, unless configured.
constexpr std::int64_t kBindingSeconds = 600;

}  // namespace

// The next second after `after` in which something happens by itself.
std::int64_t Simulation::next_time(std::int64_t after) const {
  std::int64_t next = kNoTime;
  const auto consider = [&](std::int64_t at) {
    if (at > after) next = std::min(next, at);
  };
  consider(0);
  for (const Arrival& arrival : arrivals_) consider(arrival.at);
  for (const CaseStep& step : file_.steps) consider(step.at);
  if (look_again_) consider(*look_again_);
  if (binding_ends_) consider(*binding_ends_);
  for (const PodRecord& pod : pods_.records())
    if (pod.running() && pod.runs_for) consider(*pod.started + *pod.runs_for);
  // Whoever was given a device that was tainted before leaves at once.
  for (const controllers::DeviceEviction& eviction : controllers::device_evictions(cluster_.objects()))
    consider(std::max(eviction.at - kEpoch, after + 1));
  if (const auto change = zones_.next_change(kEpoch + after)) consider(*change - kEpoch);
  for (const controllers::Revocation& eviction :
       controllers::revocations(cluster_.objects(), zones_, kEpoch + after + 1))
    consider(eviction.at - kEpoch);
  return next;
}

void Simulation::advance(std::int64_t now, const Observer& observer) {
  finish_pods(now);
  arrive(now);
  if (refused_) return;
  do_steps(now);
  leave_tainted_devices(now);
  leave_closed_zones(now);
  bind_devices(now);
  reconcile(now);
  settle(now, observer);
  observer(now, moment());
}

void Simulation::finish_pods(std::int64_t now) {
  for (PodRecord& record : pods_.records()) {
    if (!record.running() || !record.runs_for || *record.started + *record.runs_for > now) continue;
    record.state = State::kSucceeded;
    record.ended = now;
    if (api::Pod* pod = pods_.find(record.full_name())) pod->status.phase = api::PodPhase::kSucceeded;
  }
}

void Simulation::arrive(std::int64_t now) {
  std::vector<Newcomer> newcomers;
  const std::size_t first = cluster_.objects().pods.size();
  for (Arrival& arrival : arrivals_) {
    if (arrival.at != now) continue;
    for_each_list(arrival.objects, [&](auto& list, std::string_view) {
      for (auto& read : list)
        if (!read.object.metadata.creation_timestamp)
          read.object.metadata.creation_timestamp = kEpoch + arrival.created;
    });
    std::size_t at = cluster_.objects().pods.size();
    append(cluster_.objects(), std::exchange(arrival.objects, {}));
    for (; at < cluster_.objects().pods.size(); ++at) newcomers.push_back({at, arrival.created, arrival.document});
  }
  for (const Error& remark : controllers::admit_pods(cluster_.objects(), first))
    violations_.add(now, remark.to_string());
  take_in(newcomers);
}

void Simulation::do_steps(std::int64_t now) {
  for (const CaseStep& step : file_.steps)
    if (step.at == now) apply(step);
}

// Taints of effect NoExecute on devices, at once or when the time that they are tolerated is over.
void Simulation::leave_tainted_devices(std::int64_t now) {
  std::vector<std::string> gone;
  for (const controllers::DeviceEviction& eviction : controllers::device_evictions(cluster_.objects()))
    if (eviction.at <= kEpoch + now) gone.push_back(api::full_name(eviction.pod->metadata));
  for (const std::string& key : gone) pods_.forget(key, State::kEvicted, now);
  pods_.drop_forgotten();
}

void Simulation::leave_closed_zones(std::int64_t now) {
  std::vector<std::string> gone;
  for (const controllers::Revocation& eviction : controllers::revocations(cluster_.objects(), zones_, kEpoch + now))
    if (eviction.at <= kEpoch + now) gone.push_back(api::full_name(eviction.pod->metadata));
  for (const std::string& key : gone) {
    note_loss(key);
    pods_.forget(key, State::kEvicted, now);
  }
  pods_.drop_forgotten();
}

void Simulation::start(PodRecord& record, api::Pod& pod, std::span<const api::ResourceClaim* const> claims,
                       std::int64_t now) {
  const DeviceBinding binding = device_binding(claims, kBindingSeconds, kEpoch + now);
  if (binding.state != DeviceBinding::State::kReady) {
    record.state = State::kBinding;
    if (binding.until && (!binding_ends_ || *binding.until - kEpoch < *binding_ends_))
      binding_ends_ = *binding.until - kEpoch;
    return;
  }
  pod.status.phase = api::PodPhase::kRunning;
  pod.status.start_time = kEpoch + now;
  record.state = State::kRunning;
  record.started = now;
}

void Simulation::bind_devices(std::int64_t now) {
  binding_ends_.reset();
  std::vector<std::pair<PodRecord*, api::Pod*>> failed;
  for (PodRecord& record : pods_.records()) {
    if (record.state != State::kBinding) continue;
    api::Pod* pod = pods_.find(record.full_name());
    if (pod == nullptr) continue;
    const std::vector<const api::ResourceClaim*> claims = claims_of(*pod, cluster_.objects());
    const DeviceBinding binding = device_binding(claims, kBindingSeconds, kEpoch + now);
    if (binding.state == DeviceBinding::State::kFailed || binding.state == DeviceBinding::State::kTimedOut) {
      failed.emplace_back(&record, pod);
    } else {
      start(record, *pod, claims, now);
    }
  }
  for (const auto& [record, pod] : failed) {
    unbind(*pod, cluster_.objects());
    record->state = State::kPending;
    record->node.clear();
  }
  if (!failed.empty()) cluster_.restart();
}

std::string Simulation::binding_of(const PodRecord& record) {
  const api::Pod* pod = pods_.find(record.full_name());
  if (pod == nullptr) return record.name + " is not there any more";
  return fmt::format("{} has its place on {} and waits until {}", record.name, record.node,
                     device_binding(claims_of(*pod, cluster_.objects()), kBindingSeconds, kEpoch).what);
}

void Simulation::apply(const CaseStep& step) {
  const auto each_node = [&](auto change) {
    for (auto& read : cluster_.objects().nodes)
      if (refers_to(step.ref, "Node", read.object.metadata.name)) change(read.object);
  };
  switch (step.action) {
    case CaseStep::Action::kCordon:
      each_node([](api::Node& node) { node.unschedulable = true; });
      return;
    case CaseStep::Action::kUncordon:
      each_node([](api::Node& node) { node.unschedulable = false; });
      return;
    case CaseStep::Action::kTaint: {
      each_node([&](api::Node& node) { node.taints.push_back(step.taint); });
      return;
    }
    case CaseStep::Action::kDelete:
      remove(step.ref, step.at);
      return;
    case CaseStep::Action::kRestartScheduler:
      cluster_.restart();
      return;
    case CaseStep::Action::kSetCondition:
      set_device_condition(cluster_.objects(), step.ref.substr(step.ref.find('/') + 1), step.device, step.condition);
      return;
  }
}

void Simulation::remove(std::string_view ref, std::int64_t now) {
  // Its controller hears of a pod that goes, while it still is there itself.
  for (const PodRecord& record : pods_.records()) {
    if (!pods_.is_live(record)) continue;
    if ((record.holds_place() && refers_to(ref, "Node", record.node)) || refers_to(ref, "Pod", record.name))
      note_loss(record.full_name());
  }
  for_each_list(cluster_.objects(), [&](auto& list, std::string_view kind) {
    std::erase_if(list, [&](const auto& read) { return refers_to(ref, kind, read.object.metadata.name); });
  });
  // What belonged to it goes with it, as the garbage collector would have it, and pods go with their node.
  std::vector<std::string> gone;
  for (PodRecord& record : pods_.records()) {
    if (!pods_.is_live(record)) continue;
    const bool on_it = record.holds_place() && refers_to(ref, "Node", record.node);
    if (on_it || (!ref.starts_with("Node/") && belongs_to(record, ref))) gone.push_back(record.full_name());
  }
  for (const std::string& key : gone) pods_.forget(key, State::kDeleted, now);
  pods_.drop_forgotten();
}

}  // namespace berth::sim
