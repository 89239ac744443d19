#include "engine/cycle/queue.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "base/mutant.h"
#include "base/sort_unique.h"
#include "engine/cycle/wake.h"
#include "engine/topology/topology.h"
#include "engine/world/age.h"

namespace berth::engine {
namespace {

// A slot that is known here may have come to be a member of a workload.
bool is_bare_and_pending(const Pod& pod) { return pod.state == PodState::kPending && pod.workload.is_none(); }

}  // namespace

std::uint64_t& Queue::ticket(PodId pod) {
  if (tickets_.size() <= pod.index()) tickets_.resize(world_.pod_slots(), 0);
  return tickets_[pod.index()];
}

void Queue::add(PodId pod) {
  ticket(pod) = 0;
  added_.push_back(pod);
}

Queue::Kind Queue::kind_of(PodId id) const {
  const Pod& pod = world_.pod(id);
  return {pod.shape, pod.nominated_node, pod.runs_for_seconds};
}

void Queue::park(PodId pod) {
  const Kind kind = kind_of(pod);
  Parked& parked = parked_[kind];
  const Waiting entry{world_.turn_of(pod), pod, next_ticket_++};
  ticket(pod) = entry.ticket;
  file(parked, entry);
  parked.awake = parked.in_the_pass = false;
  parked.loosened = world_.log().loosened();
  parked.news = world_.topology().news();
  parked.borrowed = borrowing_.changes();
  const TopologyPlan& plan = world_.topology().plan(kind.shape);
  parked.own_news = world_.topology().news(plan);
  if (plan.has_hard_rules() && !std::exchange(parked.has_rules, true)) ruled_.push_back(kind);
}

// Who was taken out and failed comes back to the place that it left; many that are new are sorted when they are needed.
void Queue::file(Parked& parked, const Waiting& entry) {
  std::vector<Waiting>& pods = parked.pods;
  if (parked.sorted && !pods.empty() && !before(pods.back().turn, entry.turn)) {
    const auto place =
        std::ranges::partition_point(pods, [&](const Waiting& other) { return before(other.turn, entry.turn); });
    if (place->pod == entry.pod) {
      *place = entry;
      return;
    }
    parked.sorted = false;
  }
  pods.push_back(entry);
}

bool Queue::is_hopeless(PodId pod) {
  const auto found = parked_.find(kind_of(pod));
  return found != parked_.end() && !may_fit_now(found->first, found->second);
}

bool Queue::may_fit_now(const Kind& kind, Parked& parked) const {
  const std::uint64_t loosened = world_.log().loosened();
  const std::uint64_t news = world_.topology().news();
  const std::uint64_t borrowed = borrowing_.changes();
  if (parked.loosened == loosened && parked.news == news && parked.borrowed == borrowed) return false;
  const Shape& shape = world_.shape(kind.shape);
  if (shape.profile == nullptr) return false;
  if (parked.borrowed != borrowed && shape.profile->preemption && shape.input.preempts) return true;
  const TopologyPlan& plan = world_.topology().plan(kind.shape);
  if (parked.own_news != world_.topology().news(plan) || parked.loosened < world_.log().loosened_begin()) return true;
  const Question question{world_, shape, plan};
  const NodeId promised = kind.promised.is_none() ? NodeId::none() : world_.find_node(kind.promised);
  for (std::uint64_t number = parked.loosened; number < loosened; ++number) {
    const NodeId node = world_.log().loosened_at(number);
    // Who waits for a node to be left may evict others once that is over.
    if (node == promised || may_help(question, node)) return true;
  }
  parked.loosened = loosened;
  parked.news = news;
  parked.borrowed = borrowed;
  return false;
}

bool Queue::is_waiting(const Waiting& entry) const {
  return tickets_[entry.pod.index()] == entry.ticket && is_bare_and_pending(world_.pod(entry.pod));
}

std::optional<PodId> Queue::release(Parked& parked, const std::optional<PodTurn>& turn) {
  std::vector<Waiting>& pods = parked.pods;
  if (!parked.sorted || parked.taken * 2 > pods.size()) {
    std::erase_if(pods, [&](const Waiting& entry) { return !is_waiting(entry); });
    std::ranges::sort(pods, [&](const Waiting& a, const Waiting& b) { return before(a.turn, b.turn); });
    parked.taken = 0;
    parked.sorted = true;
  }
  auto next = pods.begin();
  if (turn) {
    next = std::ranges::partition_point(pods, [&](const Waiting& entry) { return !before(*turn, entry.turn); });
  }
  next = std::find_if(next, pods.end(), [&](const Waiting& entry) { return is_waiting(entry); });
  if (next == pods.end()) return std::nullopt;
  tickets_[next->pod.index()] = 0;
  ++parked.taken;
  return next->pod;
}

void Queue::release_all(const std::optional<PodTurn>& turn) {
  std::erase_if(awake_, [&](const Kind& kind) { return !parked_[kind].awake; });
  wake();
  for (const Kind& kind : awake_) {
    Parked& parked = parked_[kind];
    if (parked.in_the_pass) continue;
    const auto pod = release(parked, turn);
    if (!pod) continue;
    parked.in_the_pass = true;
    woken_.push_back(*pod);
    std::ranges::push_heap(woken_, [&](PodId a, PodId b) { return before(b, a); });
  }
}

// Looks which parked pods may fit by what happened since the last time.
void Queue::wake() {
  const std::uint64_t borrowed = borrowing_.changes();
  if (loosened_seen_ == world_.log().loosened() && news_seen_ == world_.topology().news() && borrowed_seen_ == borrowed)
    return;
  const bool only_news = borrowed_seen_ == borrowed && loosened_seen_ == world_.log().loosened();
  borrowed_seen_ = borrowed;
  loosened_seen_ = world_.log().loosened();
  news_seen_ = world_.topology().news();
  if (only_news) {
    for (const Kind& kind : ruled_) wake_if_it_may_fit(kind, parked_[kind]);
  } else {
    for (auto& [kind, parked] : parked_) wake_if_it_may_fit(kind, parked);
  }
}

void Queue::wake_if_it_may_fit(const Kind& kind, Parked& parked) {
  if (parked.awake || parked.pods.empty() || !may_fit_now(kind, parked)) return;
  parked.awake = true;
  awake_.push_back(kind);
}

void Queue::forget(const std::vector<ShapeId>& shapes) {
  const auto is_gone = [&](const Kind& kind) { return std::ranges::binary_search(shapes, kind.shape); };
  erase_if(parked_, [&](const auto& entry) { return is_gone(entry.first); });
  std::erase_if(awake_, is_gone);
  std::erase_if(ruled_, is_gone);
  // What rules among pods saw is summed over other counters than before.
  for (auto& [kind, parked] : parked_) {
    if (parked.own_news != 0) parked.own_news = std::numeric_limits<std::uint64_t>::max();
  }
}

void Queue::begin_pass() {
  pass_ = std::move(added_);
  added_.clear();
  std::erase_if(pass_, [&](PodId pod) { return !is_bare_and_pending(world_.pod(pod)); });
  sort_unique(pass_, [&](PodId a, PodId b) { return before(a, b); });
  position_ = 0;
  borrowing_.look(world_.workloads().queues(), world_.workloads().ledger());
  release_all(std::nullopt);
}

std::optional<PodId> Queue::next() {
  const bool from_pass = position_ < pass_.size();
  if (!woken_.empty() && (!from_pass || before(woken_.front(), pass_[position_]))) {
    std::ranges::pop_heap(woken_, [&](PodId a, PodId b) { return before(b, a); });
    const PodId pod = woken_.back();
    woken_.pop_back();
    return pod;
  }
  if (!from_pass) return std::nullopt;
  return pass_[position_++];
}

void Queue::placed(PodId pod) {
  if (const auto own = parked_.find(kind_of(pod)); own != parked_.end()) own->second.in_the_pass = false;
  release_all(world_.turn_of(pod));
}

}  // namespace berth::engine
