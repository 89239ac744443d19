// Random histories of workloads, queues, pods and nodes. After every step: nothing is half-started, every queue is
// charged what its pods hold, nobody is evicted for a plan that does not complete, decisions come to an end although
// whoever is evicted comes back at once, and an engine made anew from what is there decides nothing more, and the same
// about what comes next. Once with cores alone, once with cards, shares of cards, claims and disruption budgets, and
// once with minimum amounts, deadlines and caps that count aside.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/random.h"
#include "engine/amounts.h"
#include "engine/engine.h"
#include "engine/gang/workloads.h"
#include "engine/world/world.h"
#include "property/own_devices.h"
#include "property/plain_pod.h"
#include "support/long_run.h"

namespace berth::property {
namespace {

using namespace engine;  // NOLINT(google-build-using-namespace): every name here is the engine's

Config config_of(Names& names) {
  Profile profile;
  profile.id = names.profiles.intern("default-scheduler");
  profile.filters = {Filter::kNodeUnschedulable, Filter::kTaintToleration, Filter::kNodeAffinity,
                     Filter::kNodeResourcesFit, Filter::kDynamicResources};
  profile.scores = {{Score::kNodeResourcesFit, 1}};
  profile.fit_resources = {{kCpu, 1}};
  return Config{.profiles = {profile}, .classify_pending = false};
}

class History {
 public:
  enum class With : std::uint8_t { kCores, kDevices, kPromises };

  History(Random& random, With with)
      : random_(random),
        engine_(config_of(names_), names_),
        with_devices_(with == With::kDevices),
        with_promises_(with == With::kPromises),
        devices_(names_) {
    for (std::int64_t i = random.between(2, 5); i > 0; --i) add_node();
    for (std::int64_t i = random.between(0, 3); i > 0; --i) tell(new_queue());
    if (with_devices_ && random.chance(1, 2)) add_budget();
    if (with_promises_) add_queue_aside();
  }

  void go() {
    for (int i = 0; i < 12; ++i) {
      ++now_;
      change();
      settle();
      if (testing::Test::HasFatalFailure()) return;
    }
  }

 private:
  using Key = NameId;

  // --- What is there.
  void tell(Event event) {
    if (const auto* node = std::get_if<NodeChanged>(&event)) nodes_[node->node.name] = node->node;
    if (const auto* queue = std::get_if<QueueChanged>(&event)) queues_[queue->queue.name] = queue->queue;
    if (const auto* workload = std::get_if<WorkloadChanged>(&event))
      workloads_[workload->workload.name] = workload->workload;
    if (const auto* pod = std::get_if<PodChanged>(&event)) pods_[pod->pod.name] = pod->pod;
    if (const auto* gone = std::get_if<PodRemoved>(&event)) pods_.erase(gone->name);
    if (const auto* gone = std::get_if<WorkloadRemoved>(&event)) workloads_.erase(gone->name);
    events_.push_back(std::move(event));
  }
  NameId fresh(const std::string& kind) { return names_.names.intern(kind + std::to_string(counter_++)); }
  template <class Map>
  Key any(const Map& map) {
    auto at = map.begin();
    std::advance(at, static_cast<std::ptrdiff_t>(random_.below(map.size())));
    return at->first;
  }

  void add_node() {
    NodeInput node;
    node.name = fresh("node-");
    node.labels = {{rack_, names_.label_value("r" + std::to_string(random_.below(2)))}};
    node.allocatable = {{kCpu, random_.between(2, 8)}, {kPods, 20}};
    if (with_devices_) {
      node.allocatable.push_back({card_, random_.between(0, 3) * kMilliPerCard});
      node.cards = {{.resource = card_, .product = names_.products.intern("card"), .lacking = {}}};
    }
    tell(NodeChanged{node});
    if (with_devices_) tell(devices_.slice(node.name, random_.between(0, 3)));
  }
  void add_budget() {
    budget_.name = fresh("budget-");
    budget_.selector.requirements = {
        {.key = kept_, .op = Operator::kIn, .values = {names_.label_value("yes")}, .bound = {}}};
    budget_.disruptions_allowed = static_cast<std::int32_t>(random_.between(0, 3));
    tell(BudgetChanged{budget_});
  }
  // A card, a share of one, devices, or cores alone.
  void add_devices(PodInput& pod) {
    if (random_.chance(1, 2)) pod.shape.labels = {{kept_, names_.label_value("yes")}};
    const std::uint64_t kind = random_.below(4);
    if (kind == 0) pod.shape.cards = {{.resource = card_, .count = static_cast<std::int32_t>(random_.between(1, 2))}};
    if (kind == 1) pod.shape.cards = {{.resource = card_, .count = 1, .milli = 500}};
    if (kind == 2) tell(devices_.add_claim(pod, random_.between(1, 2)));
  }
  Event new_queue() {
    QueueInput queue;
    queue.name = fresh("queue-");
    if (!queues_.empty() && random_.chance(1, 2)) queue.parent = any(queues_);
    queue.fairness = static_cast<FairnessPolicy>(random_.below(4));
    queue.weight = random_.between(1, 3);
    queue.strict = random_.chance(1, 4);
    if (random_.chance(2, 3)) {
      QuotaInput quota{.resource = kCpu};
      if (random_.chance(5, 6)) quota.guarantee = random_.between(0, 8);
      if (random_.chance(1, 4)) quota.lending_limit = random_.between(0, 4);
      if (random_.chance(1, 4)) quota.borrowing_limit = random_.between(0, 4);
      if (random_.chance(1, 4)) quota.cap = random_.between(2, 12);
      queue.quotas = {quota};
    }
    return QueueChanged{queue};
  }
  // As a ResourceQuota of a namespace: its cap holds, and nothing else of it does.
  void add_queue_aside() {
    aside_.name = fresh("aside-");
    aside_.counts_aside = true;
    aside_.quotas = {QuotaInput{.resource = kCpu, .cap = random_.between(3, 16)}};
    tell(QueueChanged{aside_});
    queues_.erase(aside_.name);
  }
  // Room for pods to come, a time after which it has waited too long, a cap beside its queue.
  void promise(WorkloadInput& workload) {
    if (random_.chance(1, 3)) workload.minimum_amounts = {{kCpu, random_.between(1, 10)}};
    if (random_.chance(1, 3)) workload.deadline = now_ + random_.between(0, 5);
    if (random_.chance(1, 3)) workload.counted_in = {aside_.name};
  }
  void add_pod(NameId workload, NameId group, std::int32_t priority, std::int64_t cpu) {
    PodInput pod = plain_pod(names_, fresh("pod-"), workload, cpu, priority, now_);
    pod.group = group;
    if (random_.chance(1, 3)) pod.runs_for_seconds = random_.between(1, 6);
    if (with_devices_) add_devices(pod);
    tell(PodChanged{pod});
  }
  void add_workload() {
    WorkloadInput workload;
    workload.name = fresh("workload-");
    workload.priority = static_cast<std::int32_t>(random_.below(3));
    workload.created = now_;
    workload.preempts = random_.chance(3, 4);
    workload.preemptible = random_.chance(3, 4);
    if (!queues_.empty() && random_.chance(3, 4)) workload.queues = {any(queues_)};
    workload.groups = {GroupInput{.name = names_.names.intern("root"), .goes_whole = random_.chance(1, 4)}};
    if (random_.chance(1, 3)) workload.groups[0].topology.required = rack_;
    const std::int64_t leaves = random_.between(0, 2);
    // One of the groups may be enough; the other then is whole or holds nothing.
    if (leaves == 2 && random_.chance(1, 2)) workload.groups[0].minimum_children = 1;
    for (std::int64_t i = 0; i < leaves; ++i) {
      workload.groups.push_back({.name = names_.names.intern("g" + std::to_string(i)),
                                 .minimum_pods = static_cast<std::int32_t>(random_.between(1, 3)),
                                 .goes_whole = random_.chance(1, 4)});
    }
    if (leaves == 0) workload.groups[0].minimum_pods = static_cast<std::int32_t>(random_.between(1, 4));
    if (with_promises_) promise(workload);
    tell(WorkloadChanged{workload});
    for (std::size_t i = leaves == 0 ? 0 : 1; i < workload.groups.size(); ++i) {
      for (std::int64_t k = workload.groups[i].minimum_pods + random_.between(0, 2); k > 0; --k) {
        add_pod(workload.name, workload.groups[i].name, workload.priority, random_.between(1, 3));
      }
    }
  }

  void change() {
    switch (random_.below(8)) {
      case 0:
        add_node();
        break;
      case 1: {
        NodeInput node = nodes_[any(nodes_)];
        node.unschedulable = !node.unschedulable;
        tell(NodeChanged{node});
        break;
      }
      case 2:
        add_pod(NameId::none(), NameId::none(), static_cast<std::int32_t>(random_.below(3)), random_.between(1, 3));
        break;
      case 3:
        if (!pods_.empty()) remove_pod(any(pods_));
        break;
      case 4:
        if (!workloads_.empty()) finish(any(workloads_));
        break;
      default:
        add_workload();
        break;
    }
  }
  void finish(NameId workload) {
    std::vector<NameId> members;
    for (const auto& [name, pod] : pods_) {
      if (pod.workload == workload) members.push_back(name);
    }
    for (const NameId member : members) remove_pod(member);
    tell(WorkloadRemoved{workload});
  }
  void remove_pod(NameId name) {
    const PodInput pod = pods_.at(name);
    tell(PodRemoved{name});
    if (!pod.claims.empty()) tell(devices_.forget(pod));
  }

  // --- Deciding, and what a cluster makes of it.
  void settle() {
    for (int round = 0;; ++round) {
      ASSERT_LT(round, 60) << "the decisions go round in circles: " << circle_ << described();
      const std::map<NameId, std::vector<bool>> whole_before = whole();
      const std::vector<Event> events = std::exchange(events_, {});
      const StepResult result = engine_.step(events, now_);
      if (round == 0) compare_with_twin(events, result);
      if (testing::Test::HasFatalFailure()) return;
      if (round >= 56) circle_ += "\n" + told(engine_.world(), result.decisions);
      check(result, whole_before);
      if (testing::Test::HasFatalFailure()) return;
      if (result.decisions.empty()) break;
      for (const Decision& decision : result.decisions) carry_out(decision);
    }
    twin_.emplace(made_anew());
    const StepResult again = twin_->step({}, now_);
    ASSERT_TRUE(again.decisions.empty()) << "an engine made anew decides more: "
                                         << told(twin_->world(), again.decisions) << described();
  }
  // The engine that was made anew hears of the next events as well.
  void compare_with_twin(const std::vector<Event>& events, const StepResult& result) {
    if (!twin_) return;
    const StepResult other = twin_->step(events, now_);
    ASSERT_EQ(told(engine_.world(), result.decisions), told(twin_->world(), other.decisions))
        << "an engine made anew decides otherwise about what comes next" << described();
  }

  // --- For whoever reads a failure.
  [[nodiscard]] std::string text(NameId name) const {
    return name.is_none() ? "-" : std::string(names_.names.text(name));
  }
  [[nodiscard]] std::string told(const World& world, const std::vector<Decision>& decisions) const {
    std::string result;
    for (const Decision& decision : decisions) {
      result += decision.kind == Decision::Kind::kEvict ? "evict " : "place ";
      result += text(world.pod(decision.pod).name) + " on " + text(world.node(decision.node).input.name) + "; ";
    }
    return result;
  }
  [[nodiscard]] std::string described() const {
    std::string result = "\nnow " + std::to_string(now_);
    const auto number = [](auto value) { return std::to_string(static_cast<std::int64_t>(value)); };
    const auto limit = [](const std::optional<Amount>& value) { return value ? std::to_string(*value) : "-"; };
    for (const auto& [name, node] : nodes_) {
      result += "\n" + text(name) + " cpu " + number(node.allocatable.front().amount) + " cards " +
                number(amount_in(node.allocatable, card_)) + " rack " + number(node.labels.front().value.value()) +
                (node.unschedulable ? " cordoned" : "");
    }
    for (const auto& [name, queue] : queues_) {
      result += "\n" + text(name) + " below " + text(queue.parent) + " fairness " + number(queue.fairness) +
                " weight " + number(queue.weight) + (queue.strict ? " strict" : "");
      for (const QuotaInput& quota : queue.quotas) {
        result += " guarantee " + limit(quota.guarantee) + " lends " + limit(quota.lending_limit) + " borrows " +
                  limit(quota.borrowing_limit) + " cap " + limit(quota.cap);
      }
    }
    for (const auto& [name, workload] : workloads_) {
      result += "\n" + text(name) + " in " + (workload.queues.empty() ? "-" : text(workload.queues.front())) +
                " priority " + number(workload.priority) + " created " + number(workload.created) +
                (workload.preempts ? "" : " never-preempts") + (workload.preemptible ? "" : " stays") + " minimums";
      for (const GroupInput& group : workload.groups)
        result += " " + number(group.minimum_pods) + (group.goes_whole ? " whole" : "");
      if (workload.groups.front().minimum_children == 1) result += " one-group-is-enough";
      if (!workload.groups.front().topology.empty()) result += " one-rack";
      if (!workload.minimum_amounts.empty()) result += " least " + number(workload.minimum_amounts.front().amount);
      if (workload.deadline) result += " deadline " + number(*workload.deadline);
      if (!workload.counted_in.empty()) result += " aside-cap " + limit(aside_.quotas.front().cap);
    }
    for (const auto& [name, pod] : pods_) {
      result += "\n" + text(name) + " of " + text(pod.workload) + "/" + text(pod.group) + " cpu " +
                number(pod.shape.requests.front().amount) + " priority " + number(pod.shape.priority) + " created " +
                number(pod.created) + " on " + text(pod.node) + (pod.shape.labels.empty() ? "" : " kept");
      for (const CardRequest& each : pod.shape.cards) result += " cards " + number(each.total());
      if (!pod.claims.empty())
        result +=
            " devices " +
            number(names_.devices().claims.content(pod.shape.claims.front().spec).requests[0].alternatives[0].count);
      result += std::string(pod.started ? " since " + number(*pod.started) : "") +
                (pod.runs_for_seconds ? " runs " + number(*pod.runs_for_seconds) : "");
    }
    return result;
  }
  void carry_out(const Decision& decision) {
    const NameId name = engine_.world().pod(decision.pod).name;
    PodInput pod = pods_.at(name);
    if (decision.kind == Decision::Kind::kEvict) {
      // Its controller makes it again at once. It keeps its age, which is the hardest case for coming to an end.
      pod.node = NameId::none();
      pod.started.reset();
      pod.cards.clear();
    } else {
      pod.node = engine_.world().node(decision.node).input.name;
      pod.started = now_;
      pod.cards = decision.cards;
    }
    if (!pod.claims.empty()) {
      // Who was placed and evicted in one step has given its devices back.
      const bool placed = engine_.world().pod(decision.pod).state == PodState::kPlaced;
      tell(devices_.tell(pod, placed ? &engine_.world() : nullptr));
    }
    tell(PodChanged{pod});
  }
  Engine made_anew() {
    Engine engine(config_of(names_), names_);
    std::vector<Event> events;
    for (const auto& [name, node] : nodes_) events.emplace_back(NodeChanged{node});
    for (const auto& [name, queue] : queues_) events.emplace_back(QueueChanged{queue});
    if (with_promises_) events.emplace_back(QueueChanged{aside_});
    if (!budget_.name.is_none()) events.emplace_back(BudgetChanged{budget_});
    devices_.tell_all(events);
    for (const auto& [name, pod] : pods_) events.emplace_back(PodChanged{pod});
    for (const auto& [name, workload] : workloads_) events.emplace_back(WorkloadChanged{workload});
    engine.apply(events, now_);
    return engine;
  }

  // By group: does it have its minimums?
  std::map<NameId, std::vector<bool>> whole() {
    std::map<NameId, std::vector<bool>> result;
    for (const auto& [name, input] : workloads_) {
      const WorkloadId id = engine_.world().workloads().find(name);
      if (id.is_none()) continue;
      const Workload& workload = engine_.world().workloads()[id];
      for (std::uint32_t group = 0; group < workload.groups.size(); ++group)
        result[name].push_back(is_group_satisfied(workload, group));
    }
    return result;
  }

  void check(const StepResult& result, const std::map<NameId, std::vector<bool>>& whole_before) {
    const World& world = engine_.world();
    for (std::size_t i = 0; i < result.decisions.size(); ++i) {
      const Decision& decision = result.decisions[i];
      if (decision.kind == Decision::Kind::kPlace) {
        if (decision.workload.is_none()) continue;
        const Workload& workload = world.workloads()[decision.workload];
        ASSERT_TRUE(workload.placed() == 0 || is_satisfied(workload)) << "half a gang was started";
        const std::uint32_t leaf = world.pod(decision.pod).group;
        ASSERT_TRUE(workload.groups[leaf].placed == 0 || is_group_satisfied(workload, leaf))
            << "half a group was started" << described();
        continue;
      }
      const auto completes = [&](const Decision& later) {
        return later.kind == Decision::Kind::kPlace && later.pod == decision.beneficiary;
      };
      ASSERT_TRUE(
          std::any_of(result.decisions.begin() + static_cast<std::ptrdiff_t>(i), result.decisions.end(), completes))
          << "evicted for nothing";
      const WorkloadId loser = world.pod(decision.pod).workload;
      if (loser.is_none()) continue;
      const Workload& workload = world.workloads()[loser];
      const auto before = whole_before.find(workload.input.name);
      if (before == whole_before.end()) continue;
      for (std::uint32_t group = 0; group < workload.groups.size(); ++group) {
        ASSERT_TRUE(!before->second[group] || workload.groups[group].placed == 0 || is_group_satisfied(workload, group))
            << "a gang was left in pieces: " << text(workload.input.name) << "; " << told(world, result.decisions)
            << described();
      }
    }
    check_amounts();
  }
  void check_amounts() {
    const World& world = engine_.world();
    std::map<std::pair<QueueId, ResourceId>, Amount> asked;
    for (std::size_t i = 0; i < world.pod_slots(); ++i) {
      const Pod& pod = world.pod(PodId{i});
      if (pod.state != PodState::kPlaced) continue;
      for (const QueueId queue : charged_queues(pod.workload))
        for (const ResourceAmount& each : world.shape(pod.shape).charge) asked[{queue, each.resource}] += each.amount;
    }
    const Workloads& workloads = world.workloads();
    for (std::size_t i = 0; i < workloads.size(); ++i) {
      const Amount kept = kept_by(WorkloadId{i});
      for (const QueueId queue : charged_queues(WorkloadId{i})) asked[{queue, kCpu}] += kept;
    }
    for (const QueueId queue : workloads.queues().top_down()) {
      if (queue == QueueTree::kRoot && !workloads.queues().has_queues()) continue;
      for (const ResourceId resource : {kCpu, card_}) {
        ASSERT_EQ(workloads.ledger().own(queue, resource), (asked[{queue, resource}]))
            << "the ledger is not what runs: "
            << (queue == QueueTree::kRoot ? "root" : text(workloads.queues().input(queue).name)) << described();
      }
    }
    for (std::size_t i = 0; i < world.node_slots(); ++i) {
      ASSERT_GE(world.free(NodeId{i}, kCpu), 0) << "more than there is was given away";
      for (const CardGroup& group : world.node(NodeId{i}).cards)
        for (const auto free : group.free) ASSERT_GE(free, 0) << "more of a card than there is was given away";
    }
    check_devices();
  }
  [[nodiscard]] std::vector<QueueId> charged_queues(WorkloadId id) const {
    std::vector<QueueId> queues;
    if (!id.is_none()) queues = engine_.world().workloads()[id].queues;
    if (queues.empty()) queues = {QueueTree::kRoot};
    if (!id.is_none())
      for (const QueueId queue : engine_.world().workloads()[id].counted_in) queues.push_back(queue);
    return queues;
  }
  // What it is charged for beyond its pods, as long as it holds any place.
  [[nodiscard]] Amount kept_by(WorkloadId id) const {
    const World& world = engine_.world();
    const Workload& workload = world.workloads()[id];
    if (!workload.known || workload.placed() == 0) return 0;
    Amount held = 0;
    for (const Group& group : workload.groups)
      for (const PodId pod : group.members)
        if (world.pod(pod).state == PodState::kPlaced) held += amount_in(world.shape_of(pod).charge, kCpu);
    return std::max<Amount>(amount_in(workload.input.minimum_amounts, kCpu) - held, 0);
  }
  // Who runs has as many devices as it asks for, of its node, and nobody else has them.
  void check_devices() {
    const World& world = engine_.world();
    std::set<devices::DeviceId> held;
    for (std::size_t i = 0; i < world.pod_slots(); ++i) {
      const Pod& pod = world.pod(PodId{i});
      if (pod.state != PodState::kPlaced || pod.claims.empty()) continue;
      const devices::Grant* grant = world.holdings().grant(pod.claims.front());
      ASSERT_NE(grant, nullptr) << text(pod.name) << " runs without its devices" << described();
      const ClaimSpecId spec = world.shape(pod.shape).input.claims.front().spec;
      ASSERT_EQ(static_cast<std::int64_t>(grant->devices.size()),
                names_.devices().claims.content(spec).requests[0].alternatives[0].count);
      for (const devices::DeviceAllocation& each : grant->devices) {
        ASSERT_TRUE(held.insert(each.device).second) << "two have one device" << described();
        ASSERT_EQ(world.holdings().inventory().key(each.device).pool, world.node(pod.node).input.name);
      }
    }
  }

  Random& random_;
  Names names_;
  Engine engine_;
  std::optional<Engine> twin_;  // made anew after the last change
  bool with_devices_;
  bool with_promises_;
  OwnDevices devices_;
  BudgetInput budget_;
  QueueInput aside_;
  ResourceId card_ = names_.resources.intern("nvidia.com/gpu");
  LabelKeyId kept_ = names_.label_keys.intern("kept");
  LabelKeyId rack_ = names_.label_keys.intern("rack");
  Time now_ = 100;
  int counter_ = 0;
  std::string circle_;  // the last decisions of too many
  std::vector<Event> events_;
  std::map<NameId, NodeInput> nodes_;
  std::map<NameId, QueueInput> queues_;
  std::map<NameId, WorkloadInput> workloads_;
  std::map<NameId, PodInput> pods_;
};

void run_histories(std::uint64_t seed, int fewer, History::With with) {
  const int histories = support::count_of_worlds(fewer, 100'000);
  const char* only = std::getenv("BERTH_HISTORY");
  const int first = only == nullptr ? 0 : std::atoi(only);
  for (int i = first; i < (only == nullptr ? histories : first + 1); ++i) {
    Random random(split_mix(seed) + static_cast<std::uint64_t>(i));
    History history(random, with);
    history.go();
    if (testing::Test::HasFatalFailure()) {
      ADD_FAILURE() << "history " << i;
      return;
    }
  }
}

// BERTH_HISTORY=28632 in the environment runs that one alone.
TEST(WorkloadHistory, InvariantsHoldAfterEveryStep) { run_histories(31, 400, History::With::kCores); }
TEST(WorkloadHistory, InvariantsHoldWithCardsClaimsAndBudgets) { run_histories(37, 300, History::With::kDevices); }
TEST(WorkloadHistory, InvariantsHoldWithMinimumAmountsDeadlinesAndCaps) {
  run_histories(43, 400, History::With::kPromises);
}

}  // namespace
}  // namespace berth::property
