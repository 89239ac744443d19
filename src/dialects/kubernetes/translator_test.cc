#include "dialects/kubernetes/translator.h"

#include <algorithm>
#include <string>

#include <gtest/gtest.h>

#include "base/random.h"
#include "dialects/kubernetes/budget.h"

namespace berth::dialects::kubernetes {
namespace {

api::Node node(const std::string& name, const std::string& gpus = "") {
  api::Node result;
  result.metadata.name = name;
  result.metadata.labels["kubernetes.io/hostname"] = name;
  result.allocatable["cpu"] = api::Quantity::from_units(8);
  result.allocatable["pods"] = api::Quantity::from_units(110);
  if (!gpus.empty()) result.allocatable["nvidia.com/gpu"] = *api::Quantity::parse(gpus);
  return result;
}

api::Pod pod(const std::string& name, const std::string& node_name = "") {
  api::Pod result;
  result.metadata = {.name = name, .namespace_ = "team"};
  result.metadata.labels["app"] = "web";
  result.spec.scheduler_name = "default-scheduler";
  result.spec.node_name = node_name;
  api::Container container;
  container.name = "main";
  container.image = "registry.example:5000/web";
  container.resources.requests["cpu"] = api::Quantity::from_units(1);
  result.spec.containers.push_back(container);
  return result;
}

struct Translation : testing::Test {
  engine::Names names;
  api::ObjectSet objects;
  Translator translator{{{api::kube_default_profile()}}, names, {.now = 1000}};

  api::Pod& add(api::Pod object) { return objects.pods.emplace_back(std::move(object), Place{}).object; }
  api::Node& add(api::Node object) { return objects.nodes.emplace_back(std::move(object), Place{}).object; }

  engine::PodInput input(const std::string& name) {
    for (const auto& event : Translator({{api::kube_default_profile()}}, names, {.now = 1000}).update(objects)) {
      const auto* changed = std::get_if<engine::PodChanged>(&event);
      if (changed != nullptr && names.names.text(changed->pod.name) == "team/" + name) return changed->pod;
    }
    ADD_FAILURE() << name << " was not told";
    return {};
  }
};

template <class T>
std::size_t count(const std::vector<engine::Event>& events) {
  return static_cast<std::size_t>(
      std::ranges::count_if(events, [](const engine::Event& event) { return std::holds_alternative<T>(event); }));
}

TEST_F(Translation, ReplicasMeanWhatEachOfThemMeansAlone) {
  for (const char* name : {"a-0", "a-1", "a-2", "b-0", "c-0", "c-1"}) add(pod(name));
  objects.pods[1].object.metadata.creation_timestamp = 5;
  objects.pods[3].object.metadata.labels["app"] = "other";
  api::Volume scratch;
  scratch.name = "scratch";
  scratch.ephemeral = true;
  for (const std::size_t i : {4U, 5U}) objects.pods[i].object.spec.volumes = {scratch};
  const auto events = translator.update(objects);
  ASSERT_EQ(events.size(), objects.pods.size());
  for (const engine::Event& event : events) {
    const engine::PodInput& told = std::get<engine::PodChanged>(event).pod;
    EXPECT_EQ(told, translator.translate(translator.pod(told.name)->object)) << names.names.text(told.name);
  }
  EXPECT_TRUE(translator.update(objects).empty()) << "nothing is news";
  objects.pods[2].object.spec.priority = 7;
  ASSERT_EQ(translator.update(objects).size(), 1U) << "one of the replicas alone";
}

// The kubelet writes times, the network plugin an address: no two running replicas of a real cluster are equal.
TEST_F(Translation, RunningReplicasMeanWhatEachOfThemMeansAlone) {
  add(node("n1"));
  add(node("n2"));
  for (const char* name : {"a-0", "a-1", "a-2", "a-3", "a-4"}) {
    api::Pod& running = add(pod(name, objects.pods.size() % 2 == 0 ? "n1" : "n2"));
    const auto number = static_cast<api::Time>(objects.pods.size());
    running.metadata.annotations["cni.projectcalico.org/podIP"] = "10.0.0." + std::to_string(number);
    running.status.phase = api::PodPhase::kRunning;
    running.status.start_time = number;
    running.status.conditions = {{"Ready", "True", "", "", number}};
    running.status.container_statuses = {{.name = "main", .restart_count = static_cast<std::int32_t>(number)}};
  }
  objects.pods[2].object.status.container_statuses[0].allocated_resources["cpu"] = api::Quantity::from_units(2);
  objects.pods[3].object.metadata.annotations["gpu-fraction"] = "0.5";
  const auto events = translator.update(objects);
  EXPECT_EQ(count<engine::PodChanged>(events), 5U);
  for (const engine::Event& event : events) {
    const auto* changed = std::get_if<engine::PodChanged>(&event);
    if (changed == nullptr) continue;
    EXPECT_EQ(changed->pod, translator.translate(translator.pod(changed->pod.name)->object))
        << names.names.text(changed->pod.name);
  }
  EXPECT_TRUE(translator.update(objects).empty()) << "nothing is news";
  objects.pods[1].object.status.start_time = 70;
  ASSERT_EQ(translator.update(objects).size(), 1U);
  objects.pods[1].object.spec.node_name = "n1";
  ASSERT_EQ(translator.update(objects).size(), 1U);
}

TEST_F(Translation, NodesCarryCardsTaintsAndReadiness) {
  auto& from = add(node("n1", "8"));
  from.metadata.labels["nvidia.com/gpu.product"] = "H100";
  from.taints = {{"gpu", "yes", api::TaintEffect::kNoExecute}};
  from.unschedulable = true;
  from.conditions = {{"Ready", "Unknown", "", "", std::nullopt}};
  from.images = {{{"a:1", "a@sha256:0"}, 7}};
  const auto events = translator.update(objects);
  ASSERT_EQ(events.size(), 1U);
  const auto& input = std::get<engine::NodeChanged>(events[0]).node;
  EXPECT_EQ(names.names.text(input.name), "n1");
  ASSERT_EQ(input.cards.size(), 1U);
  EXPECT_EQ(names.products.text(input.cards[0].product), "H100");
  EXPECT_EQ(input.taints.at(0).effect, engine::Effect::kNoExecute);
  EXPECT_TRUE(input.unschedulable);
  ASSERT_TRUE(input.not_ready);
  EXPECT_EQ(names.label_keys.text(input.not_ready->key), "node.kubernetes.io/unreachable");
  EXPECT_EQ(input.images.size(), 2U);
  from.conditions.clear();
  EXPECT_FALSE(std::get<engine::NodeChanged>(translator.update(objects).at(0)).node.not_ready);
}

TEST_F(Translation, ACapacityStandsInForAMissingAllocatable) {
  auto& from = add(node("n1"));
  from.capacity = from.allocatable;
  from.allocatable.clear();
  EXPECT_EQ(std::get<engine::NodeChanged>(translator.update(objects).at(0)).node.allocatable.size(), 2U);
}

TEST_F(Translation, PodsCarryWhatSchedulingSees) {
  auto& from = add(pod("p"));
  from.spec.node_selector["disk"] = "ssd";
  from.spec.containers[0].ports = {{80, 8080, "0.0.0.0", api::Protocol::kUdp}, {81, 8081, "10.0.0.1"}, {82, 0, ""}};
  from.spec.tolerations = {{"", api::TolerationOperator::kExists, "ignored", std::nullopt, std::nullopt}};
  const engine::PodInput input = this->input("p");
  EXPECT_EQ(input.created, 1000);
  EXPECT_EQ(input.shape.node_selectors.size(), 1U);
  ASSERT_EQ(input.shape.host_ports.size(), 2U);
  EXPECT_EQ(std::ranges::count_if(input.shape.host_ports, [](const auto& port) { return port.address.is_none(); }), 1);
  EXPECT_TRUE(input.shape.tolerations.at(0).key.is_none());
  EXPECT_TRUE(input.shape.tolerations.at(0).value.is_none());
  EXPECT_EQ(names.names.text(input.shape.images.at(0)), "registry.example:5000/web:latest");
}

TEST_F(Translation, ImagesGetTheLatestTagOnlyWithoutOne) {
  EXPECT_EQ(normalized_image("nginx"), "nginx:latest");
  EXPECT_EQ(normalized_image("nginx:1"), "nginx:1");
  EXPECT_EQ(normalized_image("host:80/nginx"), "host:80/nginx:latest");
  EXPECT_EQ(normalized_image("nginx@sha256:0"), "nginx@sha256:0");
}

TEST_F(Translation, AnImageVolumeCountsOnceAmongTheImages) {
  auto& from = add(pod("p"));
  from.spec.volumes.emplace_back().image = "model:7";
  from.spec.init_containers.emplace_back().image = "setup";
  EXPECT_EQ(input("p").shape.images.size(), 3U);
}

TEST_F(Translation, LabelKeysAreMergedFromThePodsLabels) {
  auto& from = add(pod("p"));
  from.metadata.labels["hash"] = "x";
  api::PodAffinityTerm term;
  term.label_selector.emplace();
  term.topology_key = "zone";
  term.match_label_keys = {"hash", "absent"};
  term.mismatch_label_keys = {"app"};
  from.spec.affinity.pod_anti.emplace().required = {term};
  term.label_selector.reset();
  from.spec.affinity.pod_anti->preferred = {{5, term}};
  const auto shape = input("p").shape;
  ASSERT_EQ(shape.required_anti_affinity.size(), 1U);
  const auto& selector = shape.required_anti_affinity[0].selector;
  ASSERT_EQ(selector.requirements.size(), 2U);
  EXPECT_EQ(std::ranges::count(selector.requirements, engine::Operator::kNotIn, &engine::Requirement::op), 1);
  EXPECT_EQ(shape.required_anti_affinity[0].scope.namespaces.size(), 1U);
  ASSERT_EQ(shape.preferred_affinity.size(), 1U);
  EXPECT_EQ(shape.preferred_affinity[0].weight, -5);
  EXPECT_TRUE(shape.preferred_affinity[0].term.selector.nothing);
}

TEST_F(Translation, TermsTheApiRefusesMatchNothing) {
  auto& from = add(pod("p"));
  auto& affinity = from.spec.affinity.node.emplace();
  affinity.required.emplace().terms = {{{{"size", api::SelectorOperator::kGreaterThan, {"big"}}}, {}}, {}};
  affinity.preferred = {{0, {{{"a", api::SelectorOperator::kExists, {}}}, {}}},
                        {3, {{{"a", api::SelectorOperator::kIn, {}}}, {}}},
                        {4, {{{"a", api::SelectorOperator::kExists, {}}}, {}}}};
  const auto shape = input("p").shape;
  ASSERT_EQ(shape.node_selectors.size(), 1U);
  EXPECT_TRUE(shape.node_selectors[0].terms.empty());
  ASSERT_EQ(shape.preferred_nodes.size(), 1U);
  EXPECT_EQ(shape.preferred_nodes[0].weight, 4);
}

TEST_F(Translation, SystemDefaultsSpreadThePodsOfAServiceAndItsOwner) {
  add(pod("lonely"));
  EXPECT_TRUE(input("lonely").shape.spread.empty());
  api::Service service;
  service.metadata = {.name = "web", .namespace_ = "team"};
  service.selector["app"] = "web";
  objects.services.emplace_back(service, Place{});
  const auto shape = input("lonely").shape;
  ASSERT_EQ(shape.spread.size(), 2U);
  EXPECT_TRUE(shape.default_spread);
  EXPECT_EQ(shape.spread[0].max_skew, 3);
  EXPECT_EQ(shape.spread[1].max_skew, 5);
  EXPECT_FALSE(shape.spread[0].hard);
  EXPECT_EQ(shape.spread[0].selector.requirements.size(), 1U);

  auto& owned = add(pod("owned"));
  owned.metadata.owner_references = {{"apps/v1", "ReplicaSet", "web-1", "u", true}};
  api::ReplicaSet set;
  set.metadata = {.name = "web-1", .namespace_ = "team"};
  set.selector.match_labels["hash"] = "1";
  objects.replica_sets.emplace_back(set, Place{});
  EXPECT_EQ(input("owned").shape.spread.at(0).selector.requirements.size(), 2U);
  EXPECT_EQ(names.names.text(input("owned").owner), "ReplicaSet/team/web-1");
}

TEST_F(Translation, PackingCardsLeavesOutTheDefaultSpreadOfPodsThatAskForThem) {
  api::Service service;
  service.metadata = {.name = "web", .namespace_ = "team"};
  service.selector["app"] = "web";
  objects.services.emplace_back(service, Place{});
  api::Pod with_cards = pod("p");
  with_cards.spec.containers[0].resources.requests["nvidia.com/gpu"] = api::Quantity::from_units(1);
  Translator packing({{api::berth_default_profile()}}, names, {});
  EXPECT_TRUE(packing.update(objects).empty());
  EXPECT_TRUE(packing.translate(with_cards).shape.spread.empty());
  EXPECT_EQ(packing.translate(pod("q")).shape.spread.size(), 2U);
  EXPECT_TRUE(translator.update(objects).empty());
  EXPECT_EQ(translator.translate(with_cards).shape.spread.size(), 2U);
}

TEST_F(Translation, PriorityComesFromPodClassOrDefault) {
  add(pod("plain"));
  EXPECT_EQ(input("plain").shape.priority, 0);
  const auto priority_class = [this](const std::string& name, std::int32_t value, bool global) {
    api::PriorityClass result;
    result.metadata.name = name;
    result.value = value;
    result.global_default = global;
    result.preemption_policy = api::PreemptionPolicy::kNever;
    objects.priority_classes.emplace_back(result, Place{});
  };
  priority_class("high", 100, false);
  priority_class("usual", 7, true);
  priority_class("lower-default", 5, true);
  EXPECT_EQ(input("plain").shape.priority, 5);
  add(pod("named")).spec.priority_class_name = "high";
  EXPECT_EQ(input("named").shape.priority, 100);
  EXPECT_FALSE(input("named").shape.preempts);
  auto& resolved = add(pod("resolved"));
  resolved.spec.priority = 3;
  resolved.spec.preemption_policy = api::PreemptionPolicy::kPreemptLowerPriority;
  EXPECT_EQ(input("resolved").shape.priority, 3);
  EXPECT_TRUE(input("resolved").shape.preempts);
  add(pod("system")).spec.priority_class_name = "system-node-critical";
  EXPECT_EQ(input("system").shape.priority, 2'000'001'000);
  add(pod("unknown")).spec.priority_class_name = "nowhere";
  EXPECT_EQ(translator.update(objects).size(), objects.pods.size());
  ASSERT_EQ(translator.remarks().size(), 1U);
  EXPECT_NE(translator.remarks()[0].message.find("nowhere"), std::string::npos);
}

TEST_F(Translation, HoldsNameWhatIsMissing) {
  add(pod("gated")).spec.scheduling_gates = {"example.com/wait", "second"};
  add(pod("claiming")).spec.resource_claims = {{"gpu", "big-gpu", ""}};
  add(pod("templated")).spec.resource_claims = {{"gpu", "", "one-gpu"}};
  add(pod("foreign")).spec.scheduler_name = "other";
  const auto expect = [this](const std::string& name, engine::HoldCause cause, std::string_view subject) {
    EXPECT_EQ(input(name).hold.cause, cause) << name;
    EXPECT_EQ(names.names.text(input(name).hold.subject), subject) << name;
  };
  expect("gated", engine::HoldCause::kSchedulingGate, "example.com/wait");
  expect("claiming", engine::HoldCause::kMissingResourceClaim, "big-gpu");
  expect("templated", engine::HoldCause::kMissingClaimTemplate, "one-gpu");
  expect("foreign", engine::HoldCause::kUnknownProfile, "other");
}

TEST_F(Translation, RunningPodsAreLoadWhoeverPlacedThem) {
  add(node("n1"));
  auto& foreign = add(pod("foreign", "n1"));
  foreign.spec.scheduler_name = "other";
  foreign.spec.scheduling_gates = {"forgotten"};
  foreign.metadata.deletion_timestamp = 5;
  foreign.status.start_time = 17;
  const engine::PodInput input = this->input("foreign");
  EXPECT_EQ(names.names.text(input.node), "n1");
  EXPECT_EQ(input.hold.cause, engine::HoldCause::kNone);
  EXPECT_TRUE(input.terminating);
  EXPECT_EQ(input.started, 17);
}

TEST_F(Translation, PodsTheEngineNeedNotKnowAreLeftOutWithACause) {
  add(node("n1"));
  add(pod("done", "n1")).status.phase = api::PodPhase::kSucceeded;
  add(pod("going")).metadata.deletion_timestamp = 5;
  add(pod("elsewhere", "n9"));
  add(pod("other"));
  const auto events = translator.update(objects);
  EXPECT_EQ(count<engine::PodChanged>(events), 1U);
  std::vector<LeftOut::Cause> causes;
  for (const auto& left : translator.left_out()) causes.push_back(left.cause);
  EXPECT_EQ(causes,
            (std::vector{LeftOut::Cause::kFinished, LeftOut::Cause::kUnknownNode, LeftOut::Cause::kTerminating}));
}

TEST_F(Translation, DeclaredRunTimesAreWholeSeconds) {
  add(pod("short")).metadata.annotations["berth/runs-for"] = "50";
  add(pod("odd")).metadata.annotations["berth/runs-for"] = "soon";
  EXPECT_EQ(input("short").runs_for_seconds, 50);
  EXPECT_FALSE(input("odd").runs_for_seconds);
}

TEST_F(Translation, AnUpdateTellsOnlyTheDifference) {
  add(node("n1"));
  add(node("n2"));
  add(pod("a", "n1"));
  add(pod("b"));
  EXPECT_EQ(translator.update(objects).size(), 4U);
  EXPECT_TRUE(translator.update(objects).empty());
  objects.pods[1].object.spec.node_name = "n2";
  auto events = translator.update(objects);
  ASSERT_EQ(events.size(), 1U);
  EXPECT_EQ(names.names.text(std::get<engine::PodChanged>(events[0]).pod.node), "n2");
  objects.pods.erase(objects.pods.begin());
  events = translator.update(objects);
  ASSERT_EQ(events.size(), 1U);
  EXPECT_EQ(names.names.text(std::get<engine::PodRemoved>(events[0]).name), "team/a");
  objects.nodes.pop_back();
  events = translator.update(objects);
  EXPECT_EQ(count<engine::NodeRemoved>(events), 1U);
  EXPECT_EQ(count<engine::PodRemoved>(events), 0U);
  add(node("n2"));
  EXPECT_EQ(count<engine::PodChanged>(translator.update(objects)), 1U);
}

TEST_F(Translation, AChangeReachesPodsThatDependOnIt) {
  auto& from = add(pod("p"));
  from.spec.volumes.emplace_back().persistent_volume_claim = "data";
  auto events = translator.update(objects);
  EXPECT_EQ(std::get<engine::PodChanged>(events.at(0)).pod.hold.cause, engine::HoldCause::kMissingVolumeClaim);
  api::PersistentVolumeClaim claim;
  claim.metadata = {.name = "data", .namespace_ = "team"};
  claim.volume_name = "pv";
  claim.phase = "Bound";
  objects.persistent_volume_claims.emplace_back(claim, Place{});
  events = translator.update(objects);
  ASSERT_EQ(events.size(), 1U);
  EXPECT_EQ(std::get<engine::PodChanged>(events[0]).pod.hold.cause, engine::HoldCause::kNone);
}

TEST_F(Translation, TheOrderOfObjectsIsNoMatter) {
  for (int i = 0; i < 5; ++i) add(node("n" + std::to_string(i), "2"));
  for (int i = 0; i < 20; ++i) {
    auto& from = add(pod("p" + std::to_string(i), i % 3 == 0 ? "n" + std::to_string(i % 5) : ""));
    from.metadata.labels["i"] = std::to_string(i);
  }
  const auto pods_and_nodes = [](const std::vector<engine::Event>& events) {
    std::pair<std::vector<engine::NodeInput>, std::vector<engine::PodInput>> result;
    for (const auto& event : events) {
      if (const auto* node_event = std::get_if<engine::NodeChanged>(&event)) result.first.push_back(node_event->node);
      if (const auto* pod_event = std::get_if<engine::PodChanged>(&event)) result.second.push_back(pod_event->pod);
    }
    return result;
  };
  const auto first = pods_and_nodes(translator.update(objects));
  Random random(7);
  random.shuffle(objects.pods);
  random.shuffle(objects.nodes);
  engine::Names other_names;
  Translator other({{api::kube_default_profile()}}, other_names, {.now = 1000});
  EXPECT_EQ(pods_and_nodes(other.update(objects)), first);
}

TEST_F(Translation, ARemovedNamespaceLosesItsLabels) {
  api::Namespace team;
  team.metadata.name = "team";
  team.metadata.labels["tier"] = "gold";
  objects.namespaces.push_back({team, Place{}});
  EXPECT_EQ(count<engine::NamespaceChanged>(translator.update(objects)), 1U);
  objects.namespaces.clear();
  const auto events = translator.update(objects);
  ASSERT_EQ(count<engine::NamespaceChanged>(events), 1U);
  EXPECT_TRUE(std::get<engine::NamespaceChanged>(events.at(0)).labels.empty());
  EXPECT_EQ(translator.update(objects).size(), 0U);
}

TEST_F(Translation, NamespacesCarryTheirOwnNameAsALabel) {
  api::Namespace team;
  team.metadata.name = "team";
  objects.namespaces.emplace_back(team, Place{});
  const auto events = translator.update(objects);
  const auto& changed = std::get<engine::NamespaceChanged>(events.at(0));
  EXPECT_EQ(changed.labels.size(), 1U);
}

TEST_F(Translation, BudgetsUseTheStatusOrAreComputed) {
  add(node("n1"));
  api::ReplicaSet set;
  set.metadata = {.name = "web", .namespace_ = "team"};
  set.replicas = 5;
  objects.replica_sets.emplace_back(set, Place{});
  for (int i = 0; i < 4; ++i) {
    add(pod("p" + std::to_string(i), "n1")).metadata.owner_references = {{"apps/v1", "ReplicaSet", "web", "u", true}};
  }
  objects.pods[3].object.status.conditions = {{"Ready", "False", "", "", std::nullopt}};
  api::PodDisruptionBudget budget;
  budget.metadata = {.name = "keep", .namespace_ = "team"};
  EXPECT_EQ(computed_disruptions(budget, objects), 0);  // no selector: no pod
  budget.selector.emplace();
  budget.min_available = api::IntOrPercent{2, false};
  EXPECT_EQ(computed_disruptions(budget, objects), 1);  // 3 healthy, 2 must stay
  budget.min_available = api::IntOrPercent{50, true};
  EXPECT_EQ(computed_disruptions(budget, objects), 0);  // half of 5 rounds up to 3
  budget.min_available.reset();
  budget.max_unavailable = api::IntOrPercent{3, false};
  EXPECT_EQ(computed_disruptions(budget, objects), 1);  // 2 of 5 must stay
  budget.max_unavailable = api::IntOrPercent{0, false};
  EXPECT_EQ(computed_disruptions(budget, objects), 0);
  budget.disruptions_allowed = 9;
  objects.pod_disruption_budgets.emplace_back(budget, Place{});
  EXPECT_EQ(budgets(objects, names).at(0).disruptions_allowed, 9);
  objects.pod_disruption_budgets[0].object.disrupted_pods = {"p1"};
  const auto counted = budgets(objects, names).at(0).disrupted;
  EXPECT_EQ(counted, (std::vector{names.names.find("team/p1")}));
}

TEST_F(Translation, ManyBudgetsWithoutAStatusTakeLinearTime) {
  constexpr std::int32_t kApps = 20'000;
  for (std::int32_t i = 0; i < kApps; ++i) {
    const std::string app = "app-" + std::to_string(i);
    add(pod(app, "n1")).metadata.labels["app"] = app;
    objects.pods.back().object.metadata.owner_references = {{"apps/v1", "ReplicaSet", app, "u", true}};
    api::ReplicaSet set;
    set.metadata = {.name = app, .namespace_ = "team"};
    set.replicas = 1;
    objects.replica_sets.emplace_back(set, Place{});
    api::PodDisruptionBudget budget;
    budget.metadata = {.name = app, .namespace_ = "team"};
    budget.selector.emplace().match_labels["app"] = app;
    budget.max_unavailable = api::IntOrPercent{1, false};
    objects.pod_disruption_budgets.emplace_back(budget, Place{});
  }
  const auto inputs = budgets(objects, names);
  ASSERT_EQ(inputs.size(), static_cast<std::size_t>(kApps));
  EXPECT_TRUE(std::ranges::all_of(inputs, [](const auto& input) { return input.disruptions_allowed == 1; }));
}

TEST_F(Translation, ProfilesBecomeTheEnginesConfiguration) {
  api::SchedulerProfile profile = api::kube_default_profile();
  profile.node_resources_fit.strategy = api::ScoringStrategy::kMostAllocated;
  profile.node_resources_fit.resources = {{"nvidia.com/gpu", 10}};
  std::erase(profile.filters, api::Plugin::kVolumeBinding);
  add(node("n1", "1"));
  Translator other({{profile, api::berth_default_profile()}}, names, {});
  EXPECT_EQ(other.update(objects).size(), 1U);
  const engine::Config config = other.config();
  // Behind those of the configuration come the schedulers of the ecosystems, like the first.
  ASSERT_GE(config.profiles.size(), 2U);
  for (std::size_t i = 2; i < config.profiles.size(); ++i)
    EXPECT_EQ(config.profiles[i].strategy, engine::Profile::Strategy::kMostAllocated);
  const engine::Profile& first = config.profiles[0];
  EXPECT_EQ(first.filters.front(), engine::Filter::kNodeName);
  EXPECT_EQ(std::ranges::count(first.filters, engine::Filter::kVolumeBinding), 1);  // VolumeZone is still there
  EXPECT_EQ(first.strategy, engine::Profile::Strategy::kMostAllocated);
  EXPECT_EQ(names.resources.text(first.fit_resources.at(0).resource), "nvidia.com/gpu");
  EXPECT_EQ(first.placement_policy, nullptr);
  EXPECT_TRUE(config.profiles[1].values_room);
}

TEST_F(Translation, IgnoredResourcesAreThoseThatThePodAsksAndItsProfileLeavesToAnExtender) {
  api::SchedulerProfile profile = api::kube_default_profile();
  profile.node_resources_fit.ignored_resources = {"example.com/a", "cpu"};  // cpu is no extended resource
  profile.node_resources_fit.ignored_resource_groups = {"nvidia.com"};
  api::Pod asking = pod("p");
  for (const char* name : {"cpu", "example.com/a", "example.com/b", "nvidia.com/gpu"})
    asking.spec.containers.at(0).resources.requests[name] = api::Quantity::from_units(1);
  Translator other({{profile}}, names, {});
  std::vector<std::string_view> ignored;
  for (const auto id : other.translate(asking).shape.ignored_resources) ignored.push_back(names.resources.text(id));
  std::ranges::sort(ignored);
  EXPECT_EQ(ignored, (std::vector<std::string_view>{"example.com/a", "nvidia.com/gpu"}));
}

TEST_F(Translation, RunTimesThatAreNoNumberOfSecondsAreRemarkedOn) {
  for (const char* text : {"60", "1h", "-5", ""}) {
    objects.pods.clear();
    api::Pod one = pod("p");
    one.metadata.annotations[std::string(kRunsForAnnotation)] = text;
    objects.pods.push_back({one, {}});
    Translator other({{api::kube_default_profile()}}, names, {});
    (void)other.update(objects);
    if (std::string_view(text) == "60") {
      EXPECT_TRUE(other.remarks().empty());
    } else {
      ASSERT_EQ(other.remarks().size(), 1U) << text;
      EXPECT_EQ(other.remarks()[0].place.field, "metadata.annotations[berth/runs-for]");
    }
  }
}

TEST_F(Translation, AddedAffinityIsKeptApartFromThePodsOwn) {
  api::SchedulerProfile profile = api::kube_default_profile();
  profile.added_affinity.emplace().required.emplace().terms = {{{{"pool", api::SelectorOperator::kExists, {}}}, {}}};
  Translator other({{profile}}, names, {});
  const auto shape = other.translate(pod("p")).shape;
  EXPECT_TRUE(shape.node_selectors.empty());
  EXPECT_EQ(shape.added_node_selectors.size(), 1U);
}

TEST_F(Translation, TooManyCardsAreRemarkedOn) {
  add(node("n1", "5000"));
  EXPECT_EQ(translator.update(objects).size(), 1U);
  ASSERT_EQ(translator.remarks().size(), 1U);
  EXPECT_EQ(translator.remarks()[0].code, ErrorCode::kLimit);
}

TEST_F(Translation, ABrokenCardOfVolcanosRegisterIsRemarkedOn) {
  api::Node& one = add(node("n1", "1"));
  one.allocatable["volcano.sh/vgpu-number"] = *api::Quantity::parse("20");
  std::string& cards = one.metadata.annotations["volcano.sh/node-vgpu-register"];
  cards = "GPU-0,10,40000,A100,true:GPU-1,10,40000,A100,false:";
  EXPECT_EQ(translator.update(objects).size(), 1U);
  EXPECT_TRUE(translator.remarks().empty());
  cards += "GPU-2,10,many,A100,true:,,,:";
  EXPECT_TRUE(translator.update(objects).empty()) << "the node has the cards that it had";
  ASSERT_EQ(translator.remarks().size(), 1U);
  EXPECT_EQ(translator.remarks()[0].place.field, "metadata.annotations[volcano.sh/node-vgpu-register]");
  EXPECT_NE(translator.remarks()[0].message.find("\"GPU-2,10,many,A100,true\" and 1 more are no card"),
            std::string::npos);
}

}  // namespace
}  // namespace berth::dialects::kubernetes
