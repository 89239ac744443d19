#include "sim/case/simulation.h"

#include <algorithm>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "api/pod_state.h"
#include "cel/time_zone.h"
#include "controllers/compute_domains.h"
#include "controllers/reconcile.h"
#include "engine/world/world.h"
#include "sim/case/device_invariants.h"
#include "sim/case/document_names.h"
#include "sim/case/documents.h"
#include "sim/case/invariants.h"
#include "sim/case/rebuilt.h"
#include "sim/claims.h"
#include "sim/standings.h"
#include "sim/volume_binder.h"

namespace berth::sim {
namespace {

using State = PodRecord::State;

// A scheduler that still decides after so many rounds of one second goes round in circles.
constexpr int kMostRounds = 1000;
constexpr int kMostControllerRounds = 100;
// Looking after every single decision is for cases with at most this many pods.
constexpr std::size_t kSmallWorld = 500;
// So many pods, counted once per comparison, are read again in a case to compare with engines made anew.
constexpr std::int64_t kMostPodsRebuilt = 1'000'000;
// Their reasons are compared as long as no more nodes than this were looked at for them.
constexpr std::int64_t kMostNodesExplained = 100'000;
// Objects looked at over all rounds of a case: some seconds of work.
constexpr std::int64_t kMostVisits = 4'000'000;

std::int64_t cards_of(const engine::ShapeInput& shape) {
  std::int64_t cards = 0;
  for (const engine::CardRequest& request : shape.cards) cards += request.packed ? request.count : 0;
  return cards;
}

bool waits(const api::Pod& pod) { return pod.spec.node_name.empty() && api::is_active(pod); }

}  // namespace

Simulation::Simulation(const CaseFile& file, api::SchedulerConfiguration configuration, std::uint64_t seed)
    : file_(file),
      configuration_(std::move(configuration)),
      zones_(configuration_.volcano ? api::volcano::RevocableZones::of(*configuration_.volcano)
                                    : api::volcano::RevocableZones()),
      seed_(seed),
      cluster_({}, configuration_, {.seed = seed, .excerpt = true, .gates = file.gates}),
      pods_(file, cluster_.objects(), kEpoch, violations_) {}

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
    if (arrival.at > file_.until)
      return fail(ErrorCode::kInvalid,
                  fmt::format("It would be made at second {}, but the case ends at second {}; give the case a later "
                              "'until'.",
                              arrival.at, file_.until),
                  Place{.file = file_.file, .document = document.number});
    BERTH_TRY_VOID(names.add(arrival.objects, document, arrival.at));
    arrivals_.push_back(std::move(arrival));
  }
  if (file_.live) return {};
  for (Arrival& arrival : arrivals_)
    if (arrival.at == 0) arrival.created -= before_start;
  return {};
}

void Simulation::note_loss(const std::string& key) {
  if (const api::Pod* pod = pods_.find(key)) lost_.push_back({controllers::PodEvent::Kind::kLost, *pod, std::nullopt});
}

void Simulation::reconcile(std::int64_t now) {
  // What one controller did may be news to another: a job that ended lets the next of its flow begin.
  for (int round = 0; round < kMostControllerRounds; ++round)
    if (!reconcile_once(now)) return;
  violations_.add(now, "the controllers still change objects after a hundred rounds of one second");
}

bool Simulation::reconcile_once(std::int64_t now) {
  controllers::Options options{.now = kEpoch + now, .wait_for_predecessors = true};
  static const cel::SystemTimeZones kZones;
  options.time_zones = &kZones;
  options.max_pods = static_cast<std::int64_t>(kMostCaseDocuments);
  options.pod_events = std::exchange(lost_, {});
  for (const PodRecord& record : pods_.records()) options.former_pods.push_back(record.full_name());
  for (const std::string& key : controllers::settle_compute_domains(cluster_.objects(), {options.now, true}))
    pods_.forget(key, State::kDeleted, now);
  pods_.drop_forgotten();
  controllers::Expansion made = controllers::reconcile(cluster_.objects(), options);
  for (const Error& error : made.errors) violations_.add(now, error.to_string());
  const bool again = !made.volcano_jobs.empty() || !made.job_flows.empty() || !made.volcano_queues.empty() ||
                     !made.removed_pods.empty() || !made.removed_volcano_jobs.empty();
  for (const std::string& key : made.removed_pods) pods_.forget(key, State::kDeleted, now);
  pods_.drop_forgotten();
  look_again_ = made.look_again ? std::optional(*made.look_again - kEpoch) : std::nullopt;
  std::vector<Newcomer> newcomers(made.pods.size(), Newcomer{0, now});
  controllers::add(std::move(made), cluster_.objects());
  for (const Error& remark : controllers::settle_claims(cluster_.objects())) violations_.add(now, remark.to_string());
  controllers::settle_resource_claims(cluster_.objects(), {.now = options.now, .all_pods_known = true});
  if (newcomers.empty()) return again;
  std::size_t at = cluster_.objects().pods.size() - newcomers.size();
  for (Newcomer& newcomer : newcomers) newcomer.at = at++;
  pods_.index();
  take_in(newcomers);
  return again;
}

void Simulation::settle(std::int64_t now, const Observer& observer) {
  for (int round = 0; round < kMostRounds && visits_ <= kMostVisits; ++round) {
    visits_ += static_cast<std::int64_t>(cluster_.objects().nodes.size() + pods_.records().size());
    cluster_.load(kEpoch + now);
    pods_.find_groups(cluster_.translator());
    if (auto wrong = ledger_is_real(cluster_)) violations_.add(now, *std::move(wrong));
    if (auto wrong = queues_are_real(cluster_)) violations_.add(now, *std::move(wrong));
    const WholeGroups whole = whole_groups(cluster_);
    std::optional<Rebuilt> anew = rebuilt(now);
    const engine::StepResult result = cluster_.engine().step({}, kEpoch + now);
    if (anew) compare(*anew, result, now);
    cluster_.write_withdrawals(result);
    if (result.decisions.empty()) return;
    if (auto wrong = evictions_complete(result, cluster_)) violations_.add(now, *std::move(wrong));
    if (auto wrong = placements_fit(result, cluster_)) violations_.add(now, *std::move(wrong));
    if (auto wrong = gangs_are_whole(result, cluster_)) violations_.add(now, *std::move(wrong));
    if (auto wrong = gangs_go_whole(result, cluster_, whole)) violations_.add(now, *std::move(wrong));
    if (auto wrong = queues_are_real(cluster_)) violations_.add(now, *std::move(wrong));
    carry_out(result, now, observer);
    // Who became whole has it written, even if that does not last; reasons are for the end.
    if (!cluster_.translator().workloads().objects().empty())
      cluster_.write_statuses(standings_of(cluster_, kEpoch + now, false));
    reconcile(now);
    if (auto wrong = devices_are_real(cluster_.objects())) violations_.add(now, *std::move(wrong));
  }
  if (visits_ <= kMostVisits) violations_.add(now, "the scheduler still decides after a thousand rounds of one second");
}

void Simulation::carry_out(const engine::StepResult& result, std::int64_t now, const Observer& observer) {
  const engine::World& world = cluster_.engine().world();
  const bool small = pods_.records().size() <= kSmallWorld;
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
    PodRecord* const record = pods_.live(key);
    if (record == nullptr) {
      violations_.add(now, fmt::format("{} is decided on and does not exist", key));
      continue;
    }
    switch (decision.kind) {
      case engine::Decision::Kind::kEvict:
        record->evicted_for = cluster_.names().names.text(world.pod(decision.beneficiary).name);
        record->evicted_without_plan = !is_completed(result, i, world);
        note_loss(key);
        pods_.forget(key, State::kEvicted, now);
        if (const engine::WorkloadId loser = world.pod(decision.pod).workload;
            !loser.is_none() && world.workloads()[loser].placed() == 0)
          cluster_.write_preemption(world.workloads()[loser].input.name, kEpoch + now);
        break;
      case engine::Decision::Kind::kPlace: {
        api::Pod* pod = pods_.find(key);
        // An earlier pod of this step took its volume: it stays pending and is decided on again.
        if (refused[i]) continue;
        pod->spec.node_name = std::string(cluster_.node_name(decision.node));
        record->node = pod->spec.node_name;
        record->card_count = cards_of(world.shape_of(decision.pod).input);
        start(*record, *pod, allocations.write(*pod), now);
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
  pods_.drop_forgotten();
  if (again) cluster_.restart();
}

// At the last moment always, before it as long as the case's allowance lasts.
std::optional<Rebuilt> Simulation::rebuilt(std::int64_t now) {
  if (pods_rebuilt_ > kMostPodsRebuilt && next_time(now) <= file_.until) {
    ++not_rebuilt_;
    return std::nullopt;
  }
  ++rebuilt_;
  pods_rebuilt_ += static_cast<std::int64_t>(pods_.records().size());
  return std::optional<Rebuilt>(std::in_place, cluster_, configuration_, seed_, kEpoch + now, file_.gates);
}

void Simulation::compare(Rebuilt& anew, const engine::StepResult& result, std::int64_t now) {
  if (auto wrong = anew.decides_otherwise(cluster_, result)) return violations_.add(now, *std::move(wrong));
  if (!result.decisions.empty()) return;
  const std::int64_t waiting =
      std::ranges::count_if(cluster_.objects().pods, [](const auto& read) { return waits(read.object); });
  if (waiting == 0) return;
  nodes_explained_ += std::ssize(cluster_.objects().nodes) * waiting;
  if (nodes_explained_ > kMostNodesExplained) {
    ++not_explained_;
    return;
  }
  ++explained_;
  if (auto wrong = anew.explains_otherwise(cluster_)) violations_.add(now, *std::move(wrong));
}

std::vector<std::string> Simulation::unchecked() const {
  std::vector<std::string> result;
  if (not_rebuilt_ > 0) {
    result.push_back(fmt::format("an engine made anew decides otherwise (compared at {} of {} steps)", rebuilt_,
                                 rebuilt_ + not_rebuilt_));
  }
  if (not_explained_ > 0) {
    result.push_back(fmt::format("an engine made anew gives another reason (compared at the end of {} of {} seconds)",
                                 explained_, explained_ + not_explained_));
  }
  if (unseen_decisions_ > 0 && !file_.never.empty()) {
    result.push_back(
        fmt::format("a line above comes true between two decisions of one second ({} decisions; with more "
                    "than {} pods the lines are looked at once a second)",
                    unseen_decisions_, kSmallWorld));
  }
  return result;
}

Moment Simulation::moment() {
  return {pods_.pointers(), [this](std::string_view name) {
            const engine::Node* found = nullptr;
            const engine::NodeId id = cluster_.engine().find_node(cluster_.names().names.find(name));
            if (!id.is_none()) found = &cluster_.engine().world().node(id);
            std::int64_t cards = 0;
            if (found != nullptr)
              for (const engine::CardGroup& group : found->cards) cards += static_cast<std::int64_t>(group.free.size());
            return cards;
          }};
}

void Simulation::take_in(const std::vector<Newcomer>& newcomers) {
  auto refused = pods_.add(newcomers);
  if (!refused_) refused_ = std::move(refused);
}

}  // namespace berth::sim
