#include "sim/case/simulation.h"

#include <fnmatch.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <boost/unordered/unordered_flat_set.hpp>

#include "api/pod_state.h"
#include "cel/time_zone.h"
#include "controllers/compute_domains.h"
#include "controllers/device_taints.h"
#include "controllers/reconcile.h"
#include "controllers/revocable_zones.h"
#include "engine/world/world.h"
#include "sim/case/device_invariants.h"
#include "sim/case/document_names.h"
#include "sim/case/documents.h"
#include "sim/case/invariants.h"
#include "sim/case/rebuilt.h"
#include "sim/claims.h"
#include "sim/device_binding.h"
#include "sim/lineage.h"
#include "sim/standings.h"
#include "sim/volume_binder.h"

namespace berth::sim {
namespace {

using State = PodRecord::State;

constexpr std::int64_t kNoTime = std::numeric_limits<std::int64_t>::max();
// A scheduler that still decides after so many rounds of one second goes round in circles.
constexpr int kMostRounds = 1000;
constexpr int kMostControllerRounds = 100;
// bindingTimeout of DynamicResourcesArgs, unless configured.
constexpr std::int64_t kBindingSeconds = 600;
// Looking after every single decision is for cases with at most this many pods.
constexpr std::size_t kSmallWorld = 500;
// So many pods, counted once per comparison, are read again in a case to compare with engines made anew.
constexpr std::int64_t kMostPodsRebuilt = 1'000'000;
// Objects looked at over all rounds of a case: some seconds of work.
constexpr std::int64_t kMostVisits = 4'000'000;

std::string key_of(const api::ObjectMeta& metadata) { return metadata.namespace_ + '/' + metadata.name; }

std::int64_t cards_of(const engine::ShapeInput& shape) {
  std::int64_t cards = 0;
  for (const engine::CardRequest& request : shape.cards) cards += request.packed ? request.count : 0;
  return cards;
}

}  // namespace

bool refers_to(std::string_view ref, std::string_view kind, const std::string& name) {
  const std::size_t slash = ref.find('/');
  return ref.substr(0, slash) == kind && fnmatch(std::string(ref.substr(slash + 1)).c_str(), name.c_str(), 0) == 0;
}

Simulation::Simulation(const CaseFile& file, api::SchedulerConfiguration configuration, std::uint64_t seed)
    : file_(file),
      configuration_(std::move(configuration)),
      zones_(configuration_.volcano ? api::volcano::RevocableZones::of(*configuration_.volcano)
                                    : api::volcano::RevocableZones()),
      seed_(seed),
      cluster_({}, configuration_, {.seed = seed, .excerpt = true, .gates = file.gates}) {}

Result<void> Simulation::run(const Observer& observer) {
  BERTH_TRY_VOID(read_documents());
  for (std::int64_t now = next_time(-1); now <= file_.until; now = next_time(now)) {
    advance(now, observer);
    if (refused_) return std::unexpected(*std::move(refused_));
    if (visits_ > kMostVisits)
      return fail(ErrorCode::kLimit,
                  fmt::format("The case is too large: at second {} of {} the scheduler has looked at {} objects. Make "
                              "fewer of them, or end it earlier with 'until'.",
                              now, file_.until, visits_),
                  Place{.file = file_.file});
  }
  cluster_.load(kEpoch + file_.until);
  cluster_.write_statuses(standings_of(cluster_, kEpoch + file_.until, true));
  return {};
}

Result<void> Simulation::read_documents() {
  std::int64_t before_start = 0;
  DocumentNames names(file_);
  for (const CaseFile::Document& document : file_.documents) {
    BERTH_TRY(CaseObjects read, read_case_document(document, file_.file, file_.gates));
    Arrival arrival;
    arrival.document = document.number;
    arrival.objects = std::move(read.objects);
    if (read.at) {
      arrival.at = arrival.created = *read.at;
    } else if (file_.live) {
      arrival.at = arrival.created = before_start++;
    } else {
      arrival.created = before_start++;
    }
    BERTH_TRY_VOID(names.add(arrival.objects, document, arrival.at));
    arrivals_.push_back(std::move(arrival));
  }
  if (file_.live) return {};
  for (Arrival& arrival : arrivals_)
    if (arrival.at == 0) arrival.created -= before_start;
  return {};
}

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
  for (const PodRecord& pod : records_)
    if (pod.running() && pod.runs_for) consider(*pod.started + *pod.runs_for);
  for (const controllers::DeviceEviction& eviction : controllers::device_evictions(cluster_.objects()))
    consider(eviction.at - kEpoch);
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
  for (PodRecord& record : records_) {
    if (!record.running() || !record.runs_for || *record.started + *record.runs_for > now) continue;
    record.state = State::kSucceeded;
    record.ended = now;
    const std::string key = record.namespace_ + '/' + record.name;
    if (api::Pod* pod = find_pod(key)) pod->status.phase = api::PodPhase::kSucceeded;
  }
}

void Simulation::arrive(std::int64_t now) {
  std::vector<Newcomer> newcomers;
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
  register_pods(newcomers);
}

void Simulation::do_steps(std::int64_t now) {
  for (const CaseStep& step : file_.steps)
    if (step.at == now) apply(step);
}

// Taints of effect NoExecute on devices, at once or when the time that they are tolerated is over.
void Simulation::leave_tainted_devices(std::int64_t now) {
  std::vector<std::string> gone;
  for (const controllers::DeviceEviction& eviction : controllers::device_evictions(cluster_.objects()))
    if (eviction.at <= kEpoch + now) gone.push_back(key_of(eviction.pod->metadata));
  if (gone.empty()) return;
  for (const std::string& key : gone) forget_pod(key, State::kEvicted, now);
  drop_forgotten();
}

void Simulation::leave_closed_zones(std::int64_t now) {
  std::vector<std::string> gone;
  for (const controllers::Revocation& eviction : controllers::revocations(cluster_.objects(), zones_, kEpoch + now))
    if (eviction.at <= kEpoch + now) gone.push_back(key_of(eviction.pod->metadata));
  for (const std::string& key : gone) {
    note_loss(key);
    forget_pod(key, State::kEvicted, now);
  }
  if (!gone.empty()) drop_forgotten();
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
  for (PodRecord& record : records_) {
    if (record.state != State::kBinding) continue;
    api::Pod* pod = find_pod(record.namespace_ + '/' + record.name);
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
  const api::Pod* pod = find_pod(record.namespace_ + '/' + record.name);
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
  for (const PodRecord& record : records_) {
    const std::string key = record.namespace_ + '/' + record.name;
    const auto live = live_.find(key);
    if (live == live_.end() || live->second != &record) continue;
    if ((record.holds_place() && refers_to(ref, "Node", record.node)) || refers_to(ref, "Pod", record.name))
      note_loss(key);
  }
  for_each_list(cluster_.objects(), [&](auto& list, std::string_view kind) {
    std::erase_if(list, [&](const auto& read) { return refers_to(ref, kind, read.object.metadata.name); });
  });
  // What belonged to it goes with it, as the garbage collector would have it, and pods go with their node.
  std::vector<std::string> gone;
  for (PodRecord& record : records_) {
    const std::string key = record.namespace_ + '/' + record.name;
    const auto live = live_.find(key);
    if (live == live_.end() || live->second != &record) continue;
    const bool on_it = record.holds_place() && refers_to(ref, "Node", record.node);
    if (on_it || (!ref.starts_with("Node/") && belongs_to(record, ref))) gone.push_back(key);
  }
  for (const std::string& key : gone) forget_pod(key, State::kDeleted, now);
  drop_forgotten();
}

void Simulation::note_loss(const std::string& key) {
  if (const api::Pod* pod = find_pod(key)) lost_.push_back({controllers::PodEvent::Kind::kLost, *pod, std::nullopt});
}

void Simulation::reconcile(std::int64_t now) {
  // What one controller did may be news to another: a job that ended lets the next of its flow begin.
  for (int round = 0; round < kMostControllerRounds; ++round)
    if (!reconcile_once(now)) return;
  violate(now, "the controllers still change objects after a hundred rounds of one second");
}

bool Simulation::reconcile_once(std::int64_t now) {
  controllers::Options options{.now = kEpoch + now, .wait_for_predecessors = true};
  static const cel::SystemTimeZones kZones;
  options.time_zones = &kZones;
  options.max_pods = static_cast<std::int64_t>(kMostCaseDocuments);
  options.pod_events = std::exchange(lost_, {});
  for (const PodRecord& record : records_) options.former_pods.push_back(record.namespace_ + '/' + record.name);
  for (const std::string& key : controllers::settle_compute_domains(cluster_.objects(), {options.now, true}))
    forget_pod(key, State::kDeleted, now);
  if (!forgotten_.empty()) drop_forgotten();
  controllers::Expansion made = controllers::reconcile(cluster_.objects(), options);
  for (const Error& error : made.errors) violate(now, error.to_string());
  const bool again = !made.volcano_jobs.empty() || !made.job_flows.empty() || !made.volcano_queues.empty() ||
                     !made.removed_pods.empty() || !made.removed_volcano_jobs.empty();
  for (const std::string& key : made.removed_pods) forget_pod(key, State::kDeleted, now);
  if (!made.removed_pods.empty()) drop_forgotten();
  look_again_ = made.look_again ? std::optional(*made.look_again - kEpoch) : std::nullopt;
  std::vector<Newcomer> newcomers(made.pods.size(), Newcomer{0, now});
  controllers::add(std::move(made), cluster_.objects());
  for (const Error& remark : controllers::settle_claims(cluster_.objects())) violate(now, remark.to_string());
  controllers::settle_resource_claims(cluster_.objects(), {.now = options.now, .all_pods_known = true});
  if (newcomers.empty()) return again;
  std::size_t at = cluster_.objects().pods.size() - newcomers.size();
  for (Newcomer& newcomer : newcomers) newcomer.at = at++;
  index_pods();
  register_pods(newcomers);
  return again;
}

void Simulation::settle(std::int64_t now, const Observer& observer) {
  for (int round = 0; round < kMostRounds && visits_ <= kMostVisits; ++round) {
    visits_ += static_cast<std::int64_t>(cluster_.objects().nodes.size() + records_.size());
    cluster_.load(kEpoch + now);
    find_groups();
    if (auto wrong = ledger_is_real(cluster_)) violate(now, *std::move(wrong));
    if (auto wrong = queues_are_real(cluster_)) violate(now, *std::move(wrong));
    const WholeGroups whole = whole_groups(cluster_);
    const engine::StepResult result = cluster_.engine().step({}, kEpoch + now);
    cluster_.write_withdrawals(result);
    if (result.decisions.empty()) {
      compare_with_rebuilt(now, next_time(now) > file_.until);
      return;
    }
    if (auto wrong = evictions_complete(result, cluster_)) violate(now, *std::move(wrong));
    if (auto wrong = placements_fit(result, cluster_)) violate(now, *std::move(wrong));
    if (auto wrong = gangs_are_whole(result, cluster_)) violate(now, *std::move(wrong));
    if (auto wrong = gangs_go_whole(result, cluster_, whole)) violate(now, *std::move(wrong));
    if (auto wrong = queues_are_real(cluster_)) violate(now, *std::move(wrong));
    carry_out(result, now, observer);
    // Who became whole has it written, even if that does not last; reasons are for the end.
    if (!cluster_.translator().workloads().objects().empty())
      cluster_.write_statuses(standings_of(cluster_, kEpoch + now, false));
    reconcile(now);
    if (auto wrong = devices_are_real(cluster_.objects())) violate(now, *std::move(wrong));
  }
  if (visits_ <= kMostVisits) violate(now, "the scheduler still decides after a thousand rounds of one second");
}

void Simulation::carry_out(const engine::StepResult& result, std::int64_t now, const Observer& observer) {
  const engine::World& world = cluster_.engine().world();
  const bool small = records_.size() <= kSmallWorld;
  AllocationWriter allocations(cluster_, kEpoch + now);
  const std::vector<bool> refused = refused_for_volumes(cluster_, result);
  bool again = false;  // the engine believes that a workload runs which does not
  for (std::size_t i = 0; i < result.decisions.size(); ++i) {
    const engine::Decision& decision = result.decisions[i];
    if (refused[i] && !decision.workload.is_none()) {
      again = true;
      continue;
    }
    const std::string key(cluster_.names().names.text(world.pod(decision.pod).name));
    const auto live = live_.find(key);
    if (live == live_.end()) {
      violate(now, fmt::format("{} is decided on and does not exist", key));
      continue;
    }
    PodRecord& record = *live->second;
    switch (decision.kind) {
      case engine::Decision::Kind::kEvict:
        record.evicted_for = cluster_.names().names.text(world.pod(decision.beneficiary).name);
        record.evicted_without_plan = !is_completed(result, i, world);
        note_loss(key);
        forget_pod(key, State::kEvicted, now);
        if (const engine::WorkloadId loser = world.pod(decision.pod).workload;
            !loser.is_none() && world.workloads()[loser].placed() == 0)
          cluster_.write_preemption(world.workloads()[loser].input.name, kEpoch + now);
        break;
      case engine::Decision::Kind::kPlace: {
        api::Pod* pod = find_pod(key);
        // An earlier pod of this step took its volume: it stays pending and is decided on again.
        if (refused[i]) continue;
        pod->spec.node_name = std::string(cluster_.node_name(decision.node));
        record.node = pod->spec.node_name;
        record.card_count = cards_of(world.shape_of(decision.pod).input);
        start(record, *pod, allocations.write(*pod), now);
        break;
      }
    }
    // What is decided for a workload is one plan: nobody sees half of it.
    const bool goes_on = !decision.workload.is_none() && i + 1 < result.decisions.size() &&
                         result.decisions[i + 1].workload == decision.workload;
    if (small) {
      if (!goes_on) observer(now, moment());
    } else {
      ++unseen_decisions_;
    }
  }
  drop_forgotten();
  if (again) cluster_.restart();
}

// At the last moment always, before it as long as the case's allowance lasts.
void Simulation::compare_with_rebuilt(std::int64_t now, bool last) {
  if (!last && pods_rebuilt_ > kMostPodsRebuilt) {
    ++not_rebuilt_;
    return;
  }
  ++rebuilt_;
  pods_rebuilt_ += static_cast<std::int64_t>(records_.size());
  if (auto wrong = rebuilt_disagrees(cluster_, configuration_, seed_, kEpoch + now, file_.gates))
    violate(now, *std::move(wrong));
}

std::vector<std::string> Simulation::unchecked() const {
  std::vector<std::string> result;
  if (not_rebuilt_ > 0) {
    result.push_back(fmt::format("an engine made anew decides otherwise (compared at {} of {} moments)", rebuilt_,
                                 rebuilt_ + not_rebuilt_));
  }
  if (unseen_decisions_ > 0 && !file_.never.empty()) {
    result.push_back(
        fmt::format("a line above comes true between two decisions of one second ({} decisions; with more "
                    "than {} pods the lines are looked at once a second)",
                    unseen_decisions_, kSmallWorld));
  }
  return result;
}

void Simulation::register_pods(const std::vector<Newcomer>& newcomers) {
  if (newcomers.empty()) return;
  api::ObjectSet& objects = cluster_.objects();
  const Lineage lineage(objects);
  for (const Newcomer& newcomer : newcomers) {
    api::Pod& pod = objects.pods[newcomer.at].object;
    std::string key = key_of(pod.metadata);
    const auto known = live_.find(key);
    pod_at_[std::move(key)] = newcomer.at;
    if (known != live_.end() && newcomer.document != 0) {
      if (!refused_)
        refused_ = name_is_taken(file_, newcomer.document, "Pod " + key_of(pod.metadata), "a pod of this name");
      continue;
    }
    // Controllers put a new pod in the place of a finished one of its name.
    if (known != live_.end() && (known->second->state != State::kSucceeded || is_finished(pod))) {
      violate(newcomer.created, fmt::format("{} is made while there is a pod of this name", key_of(pod.metadata)));
      continue;
    }
    add_record(pod, lineage.of(pod.metadata), newcomer.created);
  }
}

void Simulation::add_record(api::Pod& pod, std::vector<std::string> lineage, std::int64_t created) {
  PodRecord record;
  record.namespace_ = pod.metadata.namespace_;
  record.name = pod.metadata.name;
  record.lineage = std::move(lineage);
  record.owners = record.lineage.size();
  record.created = created;
  if (auto seconds = take_seconds(pod.metadata, kRunsForAnnotation)) {
    record.runs_for = *seconds;
    if (record.runs_for == 0)
      violate(created, fmt::format("{}: {} has to be 1 or more", record.name, kRunsForAnnotation));
    // What the case knows the user has declared.
    if (*seconds)
      pod.metadata.annotations.try_emplace(std::string(dialects::kubernetes::kRunsForAnnotation),
                                           std::to_string(**seconds));
  } else {
    violate(created, fmt::format("{}: {}", record.name, seconds.error().message));
  }
  if (is_finished(pod)) {
    record.state = State::kSucceeded;
  } else if (!pod.spec.node_name.empty()) {
    record.state = State::kRunning;
    record.node = pod.spec.node_name;
    record.started = std::max<std::int64_t>(created, 0);
    pod.status.phase = api::PodPhase::kRunning;
    // A running pod may say since when.
    if (!pod.status.start_time) pod.status.start_time = kEpoch + *record.started;
  }
  if (!pod.metadata.creation_timestamp) pod.metadata.creation_timestamp = kEpoch + created;
  records_.push_back(std::move(record));
  live_[key_of(pod.metadata)] = &records_.back();
}

void Simulation::find_groups() {
  const auto& groups = cluster_.translator().workloads();
  for (const auto& read : cluster_.objects().pods) {
    const std::vector<std::string> lineage = groups.lineage(read.object);
    if (lineage.empty()) continue;
    const auto live = live_.find(key_of(read.object.metadata));
    if (live == live_.end()) continue;
    PodRecord& record = *live->second;
    record.lineage.resize(record.owners);
    record.lineage.insert(record.lineage.end(), lineage.begin(), lineage.end());
  }
}

// The pod is gone from here on; the objects lose it with drop_forgotten(), which is one pass for many.
void Simulation::forget_pod(const std::string& key, State state, std::int64_t now) {
  if (const auto live = live_.find(key); live != live_.end()) {
    live->second->state = state;
    live->second->ended = now;
    live_.erase(live);
  }
  pod_at_.erase(key);
  forgotten_.insert(key);
}

void Simulation::drop_forgotten() {
  std::erase_if(cluster_.objects().pods,
                [&](const auto& read) { return forgotten_.contains(key_of(read.object.metadata)); });
  forgotten_.clear();
  index_pods();
}

void Simulation::index_pods() {
  pod_at_.clear();
  const auto& pods = cluster_.objects().pods;
  for (std::size_t i = 0; i < pods.size(); ++i) pod_at_[key_of(pods[i].object.metadata)] = i;
}

api::Pod* Simulation::find_pod(const std::string& key) {
  const auto found = pod_at_.find(key);
  return found == pod_at_.end() ? nullptr : &cluster_.objects().pods[found->second].object;
}

Moment Simulation::moment() {
  for (std::size_t i = record_pointers_.size(); i < records_.size(); ++i) record_pointers_.push_back(&records_[i]);
  return {record_pointers_, [this](std::string_view name) {
            const engine::Node* found = nullptr;
            const engine::NodeId id = cluster_.engine().find_node(cluster_.names().names.find(name));
            if (!id.is_none()) found = &cluster_.engine().world().node(id);
            std::int64_t cards = 0;
            if (found != nullptr)
              for (const engine::CardGroup& group : found->cards) cards += static_cast<std::int64_t>(group.free.size());
            return cards;
          }};
}

// The same is said once, of the first moment.
void Simulation::violate(std::int64_t now, std::string what) {
  if (!said_.insert(what).second) return;
  violations_.push_back(fmt::format("at {}: {}", now, std::move(what)));
}

}  // namespace berth::sim
