// What queues promise, in random worlds of workloads and queues:
//   a guarantee can always be had where the hardware covers all of them and who holds the rest may go for it;
//   who fits the empty cluster runs in the end, whatever comes before it, as long as that comes to an end.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/random.h"
#include "engine/engine.h"
#include "engine/gang/workloads.h"
#include "engine/world/world.h"
#include "property/plain_pod.h"
#include "support/long_run.h"

namespace berth::property {
namespace {

using namespace engine;  // NOLINT(google-build-using-namespace): every name here is the engine's

class Cluster {
 public:
  explicit Cluster(Random& random) : random_(random), engine_(config(), names_) {}

  void add_nodes() {
    for (std::int64_t i = random_.between(1, 4); i > 0; --i) {
      NodeInput node;
      node.name = fresh("node-");
      node.allocatable = {{kCpu, random_.between(2, 6)}, {kPods, 40}};
      capacity_ += node.allocatable.front().amount;
      largest_ = std::max(largest_, node.allocatable.front().amount);
      tell(NodeChanged{node});
    }
  }
  // Some flat, some below one of the others; together they have no more than the hardware.
  void add_queues() {
    Amount left = capacity_;
    const std::int64_t count = random_.between(2, 4);
    for (std::int64_t i = 0; i < count; ++i) {
      QueueInput queue;
      queue.name = fresh("queue-");
      const Amount guarantee = random_.between(0, left);
      left -= guarantee;
      queue.quotas = {{.resource = kCpu, .guarantee = guarantee}};
      if (i > 0 && random_.chance(1, 3)) {
        // What a child has its parent has as well.
        queue.parent = queues_.front();
        inputs_[queues_.front()].quotas.front().guarantee =
            *inputs_[queues_.front()].quotas.front().guarantee + guarantee;
      }
      queue.fairness = random_.chance(1, 2) ? FairnessPolicy::kDrf : FairnessPolicy::kCapacity;
      queues_.push_back(queue.name);
      inputs_[queue.name] = queue;
      guarantee_[queue.name] = guarantee;
    }
    for (const auto& [name, queue] : inputs_) tell(QueueChanged{queue});
  }

  // One without a guarantee.
  NameId add_queue() {
    QueueInput queue;
    queue.name = fresh("queue-");
    queues_.push_back(queue.name);
    tell(QueueChanged{queue});
    return queue.name;
  }

  NameId add_workload(NameId queue, std::int32_t pods, std::int32_t minimum, Amount cpu, std::int32_t priority) {
    WorkloadInput workload;
    workload.name = fresh("workload-");
    workload.groups = {GroupInput{.minimum_pods = minimum}};
    if (!queue.is_none()) workload.queues = {queue};
    workload.priority = priority;
    workload.created = now_;
    tell(WorkloadChanged{workload});
    for (std::int32_t i = 0; i < pods; ++i) {
      PodInput pod = plain_pod(names_, fresh("pod-"), workload.name, cpu, priority, now_);
      pod.runs_for_seconds = declared_;
      tell(PodChanged{pod});
    }
    return workload.name;
  }
  // What workloads that come from now on say of how long they run.
  void declare(std::optional<std::int64_t> seconds) { declared_ = seconds; }
  // How long this one runs, whatever it says.
  void runs_for(NameId workload, std::int64_t seconds) { runs_[workload] = seconds; }

  void settle() {
    for (int round = 0;; ++round) {
      ASSERT_LT(round, 60) << "the decisions go round in circles";
      const StepResult result = engine_.step(std::exchange(events_, {}), now_);
      if (result.decisions.empty()) return;
      for (const Decision& decision : result.decisions) {
        PodInput pod = pods_.at(engine_.world().pod(decision.pod).name);
        const bool placed = decision.kind == Decision::Kind::kPlace;
        pod.node = placed ? engine_.world().node(decision.node).input.name : NameId::none();
        pod.started = placed ? std::optional(now_) : std::nullopt;
        tell(PodChanged{pod});
      }
    }
  }
  // Whose members have all run for so long as they do.
  void finish_those_over() {
    std::map<NameId, Time> started;  // the last of its members
    for (const auto& [name, pod] : pods_)
      if (pod.started) started[pod.workload] = std::max(started[pod.workload], *pod.started);
    for (const auto& [workload, at] : started)
      if (const auto runs = runs_.find(workload); runs != runs_.end() && at + runs->second <= now_) finish(workload);
  }
  void finish(NameId workload) {
    std::vector<NameId> members;
    for (const auto& [name, pod] : pods_)
      if (pod.workload == workload) members.push_back(name);
    for (const NameId member : members) tell(PodRemoved{member});
    tell(WorkloadRemoved{workload});
  }

  [[nodiscard]] std::int32_t placed(NameId workload) const {
    const Workloads& workloads = engine_.world().workloads();
    const WorkloadId id = workloads.find(workload);
    return id.is_none() ? 0 : workloads[id].placed();
  }
  [[nodiscard]] Amount used(NameId queue) const {
    const Workloads& workloads = engine_.world().workloads();
    return workloads.ledger().used(workloads.queues().find(queue), kCpu);
  }
  [[nodiscard]] const std::vector<NameId>& queues() const { return queues_; }
  // Of its own, without what its children have.
  [[nodiscard]] Amount guarantee(NameId queue) const { return guarantee_.at(queue); }
  // For whoever reads a failure.
  [[nodiscard]] std::string described() const {
    std::string result = "capacity " + std::to_string(capacity_);
    const auto text = [&](NameId name) { return name.is_none() ? "-" : std::string(names_.names.text(name)); };
    for (const auto& [name, queue] : inputs_) {
      result += "\n" + text(name) + " below " + text(queue.parent) + " guarantee " +
                std::to_string(queue.quotas.front().guarantee.value_or(0)) + " uses " + std::to_string(used(name));
    }
    for (const auto& [name, pod] : pods_)
      result += "\n" + text(name) + " of " + text(pod.workload) + " on " + text(pod.node);
    const Workloads& workloads = engine_.world().workloads();
    for (std::size_t i = 0; i < workloads.size(); ++i) {
      const WorkloadInput& input = workloads[WorkloadId{i}].input;
      result += "\n" + text(input.name) + " in " + (input.queues.empty() ? "-" : text(input.queues.front())) +
                " priority " + std::to_string(input.priority) + " minimum " +
                std::to_string(input.groups.front().minimum_pods);
    }
    return result;
  }
  [[nodiscard]] Amount capacity() const { return capacity_; }
  [[nodiscard]] Amount largest_node() const { return largest_; }
  void pass_time(Time seconds) { now_ += seconds; }

 private:
  Config config() {
    Profile profile;
    profile.id = names_.profiles.intern("default-scheduler");
    profile.filters = {Filter::kNodeResourcesFit};
    profile.scores = {{Score::kNodeResourcesFit, 1}};
    profile.fit_resources = {{kCpu, 1}};
    return Config{.profiles = {profile}, .classify_pending = false};
  }
  void tell(Event event) {
    if (const auto* pod = std::get_if<PodChanged>(&event)) pods_[pod->pod.name] = pod->pod;
    if (const auto* gone = std::get_if<PodRemoved>(&event)) pods_.erase(gone->name);
    events_.push_back(std::move(event));
  }
  NameId fresh(const std::string& kind) { return names_.names.intern(kind + std::to_string(counter_++)); }

  Random& random_;
  Names names_;
  Engine engine_;
  Time now_ = 100;
  int counter_ = 0;
  Amount capacity_ = 0;
  Amount largest_ = 0;
  std::vector<Event> events_;
  std::vector<NameId> queues_;
  std::map<NameId, QueueInput> inputs_;
  std::map<NameId, Amount> guarantee_;
  std::map<NameId, PodInput> pods_;
  std::optional<std::int64_t> declared_;
  std::map<NameId, std::int64_t> runs_;
};

// Members of one core each, so that every free core is of use.
TEST(QueuePromises, AGuaranteeCanAlwaysBeHad) {
  const int worlds = support::count_of_worlds(300, 100'000);
  for (int i = 0; i < worlds; ++i) {
    Random random(split_mix(71) + static_cast<std::uint64_t>(i));
    Cluster cluster(random);
    cluster.add_nodes();
    cluster.add_queues();
    const NameId owner = cluster.queues()[random.below(cluster.queues().size())];
    for (std::int64_t k = random.between(1, 6); k > 0; --k) {
      const NameId queue = cluster.queues()[random.below(cluster.queues().size())];
      if (queue == owner) continue;
      const auto pods = static_cast<std::int32_t>(random.between(1, 6));
      cluster.add_workload(queue, pods, static_cast<std::int32_t>(random.between(1, pods)), 1,
                           static_cast<std::int32_t>(random.below(3)));
      cluster.settle();
      ASSERT_FALSE(testing::Test::HasFatalFailure()) << "world " << i << ", " << cluster.described();
      cluster.pass_time(1);
    }
    const auto asks = static_cast<std::int32_t>(cluster.guarantee(owner));
    if (asks == 0) continue;
    const NameId claim = cluster.add_workload(owner, asks, asks, 1, 0);
    cluster.settle();
    ASSERT_FALSE(testing::Test::HasFatalFailure()) << "world " << i;
    ASSERT_EQ(cluster.placed(claim), asks) << "world " << i << ", " << cluster.described();
  }
}

// Whoever is watched waits for what was there and for higher ranks, which stop coming at some time; equals and lower
// ones come for ever, and half of them do not say how long they run.
TEST(QueuePromises, WhoFitsTheEmptyClusterRunsInTheEnd) {
  constexpr std::int64_t kHigherUntil = 15;
  constexpr std::int64_t kLongest = 6;
  const int worlds = support::count_of_worlds(300, 100'000);
  for (int i = 0; i < worlds; ++i) {
    Random random(split_mix(72) + static_cast<std::uint64_t>(i));
    Cluster cluster(random);
    cluster.add_nodes();
    const NameId queue = random.chance(1, 2) ? cluster.add_queue() : NameId::none();
    const auto come = [&](std::int32_t highest) {
      const auto pods = static_cast<std::int32_t>(random.between(1, 4));
      const std::int64_t runs = random.between(1, kLongest);
      cluster.declare(random.chance(1, 2) ? std::optional(runs) : std::nullopt);
      const NameId name = cluster.add_workload(random.chance(1, 2) ? queue : NameId::none(), pods,
                                               static_cast<std::int32_t>(random.between(1, pods)), random.between(1, 4),
                                               static_cast<std::int32_t>(random.between(0, highest)));
      cluster.declare(std::nullopt);
      cluster.runs_for(name, runs);
    };
    for (int k = 0; k < 3; ++k) come(2);
    cluster.settle();
    cluster.pass_time(1);
    const NameId waits = cluster.add_workload(queue, 1, 1, cluster.largest_node(), 1);
    bool ran = false;
    for (std::int64_t at = 1; at < 120 && !ran; ++at) {
      cluster.pass_time(1);
      cluster.finish_those_over();
      come(at < kHigherUntil ? 2 : 1);
      cluster.settle();
      ASSERT_FALSE(testing::Test::HasFatalFailure()) << "world " << i;
      ran = cluster.placed(waits) == 1;
    }
    ASSERT_TRUE(ran) << "world " << i << ": it still waits" << cluster.described();
  }
}

}  // namespace
}  // namespace berth::property
