#include "reference/schedule.h"

#include <algorithm>
#include <limits>
#include <tuple>

#include "base/tie_order.h"
#include "reference/preemption.h"
#include "reference/requests.h"
#include "reference/room_value.h"
#include "reference/scores.h"

namespace berth::reference {
namespace {

std::string full_name(const api::Pod& pod) { return pod.metadata.namespace_ + "/" + pod.metadata.name; }

auto rank(const api::Pod& pod, std::uint64_t seed) {
  const std::string name = full_name(pod);
  return std::tuple(-std::int64_t{pod.spec.priority.value_or(0)}, pod.metadata.creation_timestamp.value_or(0),
                    tie_rank(seed, name), name);
}

// The best total, the tie order among equals. A node promised earlier goes first if it still fits.
std::optional<Decision> best_node(const Question& question, std::uint64_t seed) {
  const std::string_view promise = promised_node(question);
  const ScoreTable table = score_table(question);
  std::optional<std::size_t> best;
  const auto order = [&](std::size_t i) {
    const std::string& name = question.snapshot.nodes[table.nodes[i]].node->metadata.name;
    const bool promised = name == promise;
    return std::tuple(!promised, -table.total[i], tie_rank(seed, name), name);
  };
  for (std::size_t i = 0; i < table.nodes.size(); ++i) {
    if (!best || order(i) < order(*best)) best = i;
  }
  if (!best) return std::nullopt;
  Decision decision;
  decision.pod = &question.pod;
  decision.node = table.nodes[*best];
  decision.score = table.total[*best];
  if (values_room(question.profile)) {
    decision.score /= RoomKeeper::kUnit;
    if (card_share(question.pod) > 0) {
      decision.cards = {*question.snapshot.rooms->rate(question.snapshot.nodes[decision.node], question.pod).card};
    }
  }
  return decision;
}

void place(Decision decision, Outcome& outcome) {
  NodeState& state = outcome.end.nodes[decision.node];
  put(state, *decision.pod, decision.cards.empty() ? std::nullopt : std::optional(decision.cards.front()));
  decision.cards = state.pods.back().cards;
  std::erase(outcome.end.promised, decision.pod);
  outcome.decisions.push_back(std::move(decision));
}

// Who fails, and could evict others but finds nobody, has no promise any more: `withdrawn`.
bool try_pod(const api::Pod& pod, const api::SchedulerProfile& profile, const Settings& settings, Outcome& outcome,
             bool& withdrawn) {
  const Question question{outcome.end, pod, profile, settings.exclude_not_ready};
  if (auto decision = best_node(question, settings.seed)) {
    place(std::move(*decision), outcome);
    return true;
  }
  const auto eviction = plan_eviction(question, settings.seed);
  if (!eviction) {
    if (may_evict(question) && std::erase(outcome.end.promised, &pod) > 0) {
      outcome.end.withdrawn.push_back(&pod);
      withdrawn = true;
    }
    return false;
  }
  for (const api::Pod* victim : eviction->victims) {
    outcome.decisions.push_back({Decision::Kind::kEvict, victim, eviction->node, &pod, 0, {}});
  }
  take_away(outcome.end.nodes[eviction->node], eviction->victims);
  Decision decision;
  decision.pod = &pod;
  decision.node = eviction->node;
  place(std::move(decision), outcome);
  return true;
}

}  // namespace

const api::SchedulerProfile* profile_of(const Settings& settings, const api::Pod& pod) {
  const auto found = std::ranges::find_if(
      settings.profiles, [&](const auto& profile) { return profile.scheduler_name == pod.spec.scheduler_name; });
  return found == settings.profiles.end() ? nullptr : &*found;
}

std::vector<const api::Pod*> queue(const Objects& objects, std::uint64_t seed) {
  std::vector<const api::Pod*> pods;
  for (const api::Pod& pod : objects.pods) {
    if (pod.spec.node_name.empty() && !is_finished(pod) && !pod.metadata.deletion_timestamp) pods.push_back(&pod);
  }
  std::ranges::sort(pods,
                    [&](const api::Pod* one, const api::Pod* other) { return rank(*one, seed) < rank(*other, seed); });
  return pods;
}

Snapshot take_snapshot(const Objects& objects, const Settings& settings) {
  Snapshot snapshot = take_snapshot(objects);
  for (const api::Pod* pod : queue(objects, settings.seed)) {
    const api::SchedulerProfile* profile = profile_of(settings, *pod);
    const bool held = profile == nullptr || hold(objects, *pod, *profile).has_value();
    if (!held && !pod->status.nominated_node_name.empty()) snapshot.promised.push_back(pod);
  }
  std::ranges::sort(snapshot.promised, {}, [](const api::Pod* pod) { return full_name(*pod); });
  return snapshot;
}

Outcome schedule(const Objects& objects, const Settings& settings) {
  Outcome outcome;
  outcome.end = take_snapshot(objects, settings);
  std::vector<const api::Pod*> waiting;
  for (const api::Pod* pod : queue(objects, settings.seed)) {
    const api::SchedulerProfile* profile = profile_of(settings, *pod);
    const bool held = profile == nullptr || hold(objects, *pod, *profile).has_value();
    (held ? outcome.held : waiting).push_back(pod);
  }
  std::optional<RoomKeeper> rooms;
  if (std::ranges::any_of(settings.profiles, values_room)) {
    rooms.emplace(outcome.end, settings.profiles, settings.exclude_not_ready);
    outcome.end.rooms = &*rooms;
  }
  for (bool placed = true; placed;) {
    placed = false;
    bool withdrawn = false;
    for (const api::Pod* pod : std::vector(waiting)) {
      if (rooms) rooms->follow(outcome.end);
      if (!try_pod(*pod, *profile_of(settings, *pod), settings, outcome, withdrawn)) continue;
      placed = true;
      std::erase(waiting, pod);
    }
    placed = placed || withdrawn;
  }
  outcome.pending = waiting;
  outcome.end.rooms = nullptr;
  return outcome;
}

}  // namespace berth::reference
