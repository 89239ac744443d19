#include "sim/jobs/replay.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <queue>
#include <tuple>
#include <utility>

#include "api/scheduler_config.h"
#include "dialects/kubernetes/config.h"
#include "engine/engine.h"
#include "engine/world/world.h"

namespace berth::sim::jobs {
namespace {

// Per card, so that cards alone decide: nodes have more of both than their cards can use.
constexpr engine::Amount kMilliCores = 4000;
constexpr engine::Amount kBytes = engine::Amount{32} << 30U;
constexpr engine::Amount kPodsPerNode = 110;

class Replay {
 public:
  Replay(const Setup& setup, const std::vector<Job>& jobs, const std::function<void(std::size_t)>& progress)
      : setup_(setup), jobs_(jobs), progress_(progress), engine_(config(), names_), states_(jobs.size()) {
    result_.jobs.resize(jobs.size());
    for (std::uint32_t i = 0; i < jobs.size(); ++i) {
      states_[i].first_pod = static_cast<std::uint32_t>(pods_.size());
      for (std::uint32_t k = 0; k < jobs[i].pods.size(); ++k) {
        arrivals_.emplace_back(jobs[i].pods[k].arrives, static_cast<std::uint32_t>(pods_.size()));
        pods_.push_back({.job = i, .position = k});
      }
    }
    std::ranges::stable_sort(arrivals_, {}, [](const auto& arrival) { return arrival.first; });
    used_.assign(setup.queues.size(), 0);
  }

  Result run() {
    std::vector<engine::Event> events = surroundings();
    std::size_t arrived = 0;
    while (arrived < arrivals_.size() || !ends_.empty()) {
      Seconds next = ends_.empty() ? arrivals_[arrived].first : ends_.top().at;
      if (arrived < arrivals_.size()) next = std::min(next, arrivals_[arrived].first);
      advance(next);
      while (!ends_.empty() && ends_.top().at == now_) {
        const End end = ends_.top();
        ends_.pop();
        if (states_[end.job].starts == end.start) finish(end.job, events);
      }
      for (; arrived < arrivals_.size() && arrivals_[arrived].first == now_; ++arrived) {
        submit(arrivals_[arrived].second, events);
      }
      while (!events.empty()) {
        const engine::StepResult step = engine_.step(events, now_);
        events.clear();
        for (const engine::Decision& decision : step.decisions) follow(decision, events);
        settle();
      }
    }
    result_.ended = now_;
    count_stuck();
    return std::move(result_);
  }

 private:
  struct PodState {
    std::uint32_t job = 0;
    std::uint32_t position = 0;
    engine::NameId name;
    engine::Time created = 0;  // its number among all that arrive: no two are of one age
    std::optional<Seconds> placed;
  };
  struct JobState {
    std::uint32_t first_pod = 0;
    engine::NameId name;  // of its workload
    std::size_t placed = 0;
    std::int32_t starts = 0;  // how often it started to work or was stopped
    bool works = false;
  };
  struct End {
    Seconds at = 0;
    std::uint32_t job = 0;
    std::int32_t start = 0;
    bool operator>(const End& other) const { return std::tie(at, job) > std::tie(other.at, other.job); }
  };

  engine::Config config() {
    const bool whole = setup_.asking == Asking::kWhole;
    engine::Config config = dialects::kubernetes::engine_config(
        {{whole ? api::berth_default_profile() : api::kube_default_profile()}}, names_);
    config.seed = setup_.seed;
    config.classify_pending = false;
    return config;
  }

  std::vector<engine::Event> surroundings() {
    std::vector<engine::Event> events;
    for (std::int32_t i = 0; i < setup_.nodes; ++i) {
      engine::NodeInput node;
      node.name = names_.names.intern("node-" + std::to_string(i));
      const auto cards = static_cast<engine::Amount>(setup_.cards_per_node);
      node.allocatable = {{engine::kCpu, 2 * cards * kMilliCores},
                          {engine::kMemory, 2 * cards * kBytes},
                          {engine::kPods, kPodsPerNode + cards},
                          {gpu_, cards * engine::kMilliPerCard}};
      std::ranges::sort(node.allocatable);
      node.cards = {{gpu_, engine::ProductId::none(), 0}};
      events.emplace_back(engine::NodeChanged{std::move(node)});
    }
    for (const Queue& each : setup_.queues) {
      engine::QueueInput queue;
      queue.name = names_.names.intern(each.name);
      queue.quotas = {{.resource = gpu_, .guarantee = each.guarantee * engine::kMilliPerCard}};
      queue.order = engine::OrderPolicy::kAge;
      queue.strict = true;
      queue.reserves = false;  // nobody declares how long a job runs
      // Who was evicted and asks again comes before newer work of its queue.
      queue.preempts = engine::EvictionRight::kLowerOrNewerEqual;
      events.emplace_back(engine::QueueChanged{std::move(queue)});
    }
    return events;
  }

  [[nodiscard]] const Job& job_of(const PodState& pod) const { return jobs_[pod.job]; }
  [[nodiscard]] std::int32_t cards_of(const PodState& pod) const { return job_of(pod).pods[pod.position].cards; }

  engine::PodInput pod_input(const PodState& pod) const {
    const std::int32_t cards = cards_of(pod);
    engine::PodInput input;
    input.name = pod.name;
    input.shape.profile = profile_;
    input.shape.namespace_ = space_;
    input.shape.requests = {{engine::kCpu, cards * kMilliCores}, {engine::kMemory, cards * kBytes}};
    input.shape.nonzero_cpu = cards * kMilliCores;
    input.shape.nonzero_memory = cards * kBytes;
    input.shape.cards = {{gpu_, cards, engine::kMilliPerCard, {}}};
    input.created = pod.created;
    if (setup_.asking == Asking::kWhole) input.workload = states_[pod.job].name;
    return input;
  }

  void advance(Seconds next) {
    const Seconds until = std::min(next, setup_.measured_until);
    if (until > now_) result_.worked += working_ * (until - now_);
    now_ = next;
  }

  void submit(std::uint32_t id, std::vector<engine::Event>& events) {
    PodState& pod = pods_[id];
    JobState& state = states_[pod.job];
    const Job& job = job_of(pod);
    const std::string text = "default/job-" + std::to_string(pod.job);
    pod.created = next_age_++;
    pod.name = names_.names.intern(text + "-" + std::to_string(pod.position));
    if (by_name_.size() <= pod.name.index()) by_name_.resize(pod.name.index() + 1);
    by_name_[pod.name.index()] = id;
    if (setup_.asking == Asking::kWhole && state.name.is_none()) {
      state.name = names_.names.intern(text);
      engine::WorkloadInput workload;
      workload.name = state.name;
      workload.groups = {engine::GroupInput{.minimum_pods = static_cast<std::int32_t>(job.pods.size())}};
      if (!setup_.queues.empty()) workload.queues = {names_.names.intern(setup_.queues[job.queue].name)};
      workload.created = pod.created;
      events.emplace_back(engine::WorkloadChanged{std::move(workload)});
    }
    events.emplace_back(engine::PodChanged{pod_input(pod)});
  }

  void follow(const engine::Decision& decision, std::vector<engine::Event>& events) {
    const engine::NameId name = engine_.world().pod(decision.pod).name;
    PodState& pod = pods_[by_name_[name.index()]];
    JobState& state = states_[pod.job];
    if (decision.kind == engine::Decision::Kind::kPlace) {
      pod.placed = now_;
      if (++state.placed == job_of(pod).pods.size()) begun_.push_back(pod.job);
      return;
    }
    // An eviction stops the whole job, whichever of its pods is told first.
    if (state.works) stop(pod.job);
    pod.placed.reset();
    --state.placed;
    events.emplace_back(engine::PodRemoved{pod.name});
    events.emplace_back(engine::PodChanged{pod_input(pod)});
  }

  // The decisions of a step are all made; now what they come to.
  void settle() {
    for (const std::uint32_t job : std::exchange(begun_, {})) {
      JobState& state = states_[job];
      if (state.placed < jobs_[job].pods.size() || state.works) continue;
      state.works = true;
      ++state.starts;
      Outcome& outcome = result_.jobs[job];
      outcome.started = now_;
      for (std::uint32_t k = 0; k < jobs_[job].pods.size(); ++k) {
        const PodState& pod = pods_[state.first_pod + k];
        outcome.idle += (now_ - pod.placed.value_or(now_)) * cards_of(pod);
      }
      ends_.push({now_ + jobs_[job].runs_for, job, state.starts});
      working_ += jobs_[job].cards();
      if (used_.empty()) continue;
      const std::uint32_t queue = jobs_[job].queue;
      used_[queue] += jobs_[job].cards();
      outcome.within_guarantee = used_[queue] <= setup_.queues[queue].guarantee;
    }
  }

  void stop(std::uint32_t job) {
    JobState& state = states_[job];
    Outcome& outcome = result_.jobs[job];
    outcome.lost += (now_ - *outcome.started) * jobs_[job].cards();
    working_ -= jobs_[job].cards();
    outcome.started.reset();
    ++outcome.evictions;
    ++result_.evictions;
    ++state.starts;
    state.works = false;
    if (!used_.empty()) used_[jobs_[job].queue] -= jobs_[job].cards();
  }

  void finish(std::uint32_t job, std::vector<engine::Event>& events) {
    JobState& state = states_[job];
    Outcome& outcome = result_.jobs[job];
    outcome.ended = now_;
    working_ -= jobs_[job].cards();
    state.works = false;
    if (!used_.empty()) used_[jobs_[job].queue] -= jobs_[job].cards();
    for (std::uint32_t k = 0; k < jobs_[job].pods.size(); ++k) {
      PodState& pod = pods_[state.first_pod + k];
      pod.placed.reset();
      events.emplace_back(engine::PodRemoved{pod.name});
    }
    if (!state.name.is_none()) events.emplace_back(engine::WorkloadRemoved{state.name});
    if (progress_) progress_(++done_);
  }

  void count_stuck() {
    for (std::uint32_t job = 0; job < jobs_.size(); ++job) {
      if (result_.jobs[job].ended) continue;
      ++result_.stuck;
      for (std::uint32_t k = 0; k < jobs_[job].pods.size(); ++k) {
        const PodState& pod = pods_[states_[job].first_pod + k];
        if (!pod.placed) continue;
        result_.holding += cards_of(pod);
        result_.jobs[job].idle += (now_ - *pod.placed) * cards_of(pod);
      }
    }
  }

  const Setup& setup_;
  const std::vector<Job>& jobs_;
  const std::function<void(std::size_t)>& progress_;
  engine::Names names_;
  const engine::ResourceId gpu_ = names_.resources.intern("nvidia.com/gpu");
  const engine::NamespaceId space_ = names_.namespaces.intern("default");
  const engine::ProfileId profile_ = names_.profiles.intern("default-scheduler");
  engine::Engine engine_;
  std::vector<JobState> states_;
  std::vector<PodState> pods_;
  std::vector<std::uint32_t> by_name_;                       // position in pods_ by NameId
  std::vector<std::pair<Seconds, std::uint32_t>> arrivals_;  // ascending by time
  std::priority_queue<End, std::vector<End>, std::greater<>> ends_;
  std::vector<std::uint32_t> begun_;  // jobs all of whose pods got a place in this step
  std::vector<std::int64_t> used_;    // cards of working jobs, by queue
  engine::Time next_age_ = 0;
  std::size_t done_ = 0;
  Seconds now_ = 0;
  std::int64_t working_ = 0;  // cards
  Result result_;
};

}  // namespace

std::int64_t Job::cards() const {
  return std::accumulate(pods.begin(), pods.end(), std::int64_t{0},
                         [](std::int64_t sum, const Pod& pod) { return sum + pod.cards; });
}

Seconds Job::submitted() const { return std::ranges::max(pods, {}, &Pod::arrives).arrives; }

Result replay(const Setup& setup, const std::vector<Job>& jobs, const std::function<void(std::size_t)>& progress) {
  return Replay(setup, jobs, progress).run();
}

}  // namespace berth::sim::jobs
