// Objects through translation and engine to decisions: what the profiles do with GPUs.
#include <algorithm>
#include <fstream>
#include <map>
#include <sstream>
#include <string>

#include <gtest/gtest.h>

#include "api/full_name.h"
#include "api/load.h"
#include "base/random.h"
#include "dialects/kubernetes/translator.h"
#include "engine/engine.h"
#include "support/source_directory.h"

namespace berth::dialects::kubernetes {
namespace {

std::string node(const std::string& name, int gpus) {
  const std::string cards = gpus > 0 ? ", nvidia.com/gpu: \"" + std::to_string(gpus) + "\"" : "";
  return "---\napiVersion: v1\nkind: Node\nmetadata: {name: " + name + ", labels: {kubernetes.io/hostname: " + name +
         "}}\nstatus: {allocatable: {cpu: \"96\", memory: 1Ti, pods: \"110\"" + cards + "}}\n";
}

std::string pod(const std::string& name, int gpus, const std::string& created) {
  const std::string cards = gpus > 0 ? ", nvidia.com/gpu: \"" + std::to_string(gpus) + "\"" : "";
  return "---\napiVersion: v1\nkind: Pod\nmetadata: {name: " + name + ", creationTimestamp: \"" + created +
         "\"}\nspec: {containers: [{name: main, image: a, resources: {limits: {cpu: \"" +
         std::to_string(gpus > 0 ? gpus * 4 : 16) + "\", memory: 8Gi" + cards + "}}}]}\n";
}

std::string at(int second) {
  const std::string text = std::to_string(second);
  return "2026-01-01T00:00:" + std::string(2 - text.size(), '0') + text + "Z";
}

// Pod to node; pods that do not run are not in it.
using Placement = std::map<std::string, std::string>;

Placement place(const api::ObjectSet& objects, const api::SchedulerProfile& profile) {
  engine::Names names;
  Translator translator({{profile}}, names, {.now = 2'000'000'000});
  const auto events = translator.update(objects);
  engine::Engine engine(translator.config(), names);
  std::map<std::uint32_t, std::string> pods;
  Placement placement;
  const engine::StepResult result = engine.step(events, 2'000'000'000);
  for (const auto& read : objects.pods) {
    const engine::NameId name = names.names.find(api::full_name(read.object.metadata));
    pods[engine.find_pod(name).value()] = read.object.metadata.name;
  }
  for (const auto& decision : result.decisions) {
    EXPECT_EQ(decision.kind, engine::Decision::Kind::kPlace);
    for (const auto& read : objects.nodes) {
      if (engine.find_node(names.names.find(read.object.metadata.name)) != decision.node) continue;
      placement[pods.at(decision.pod.value())] = read.object.metadata.name;
    }
  }
  return placement;
}

Placement place(const std::string& text, const api::SchedulerProfile& profile) {
  const api::Loaded loaded = api::load_text(text, "test.yaml");
  for (const auto& error : loaded.errors) ADD_FAILURE() << error.to_string();
  return place(loaded.objects, profile);
}

api::SchedulerProfile circulating_profile() {
  std::ifstream file(std::string(support::source_directory()) + "/examples/scheduler-config.yaml");
  std::ostringstream text;
  text << file.rdbuf();
  const auto configuration = api::parse_scheduler_configuration(text.str(), "scheduler-config.yaml");
  EXPECT_TRUE(configuration) << (configuration ? "" : configuration.error().to_string());
  return configuration ? configuration->profiles.at(0) : api::SchedulerProfile{};
}

TEST(Packing, TwoSinglesLeaveTheWideNodeToThePair) {
  const std::string cluster = node("x1", 2) + node("x2", 1) + node("x3", 1);
  const std::string pods = pod("single-1", 1, at(1)) + pod("single-2", 1, at(2)) + pod("wide", 2, at(3));
  const Placement placement = place(cluster + pods, api::berth_default_profile());
  EXPECT_EQ(placement.at("wide"), "x1");
  EXPECT_NE(placement.at("single-1"), placement.at("single-2"));
}

// Six nodes of eight; twelve small pods, then whole nodes are asked for.
std::string mixed_work() {
  std::string text;
  for (int i = 0; i < 6; ++i) text += node("n" + std::to_string(i), 8);
  for (int i = 0; i < 12; ++i) text += pod("small-" + std::to_string(i), 1, at(i));
  for (int i = 0; i < 4; ++i) text += pod("whole-" + std::to_string(i), 8, at(20 + i));
  return text;
}

std::int64_t whole_pods_running(const api::SchedulerProfile& profile) {
  const Placement placement = place(mixed_work(), profile);
  return std::ranges::count_if(placement, [](const auto& entry) { return entry.first.starts_with("whole-"); });
}

TEST(Packing, MostAllocatedKeepsWholeNodesWhereTheDefaultKeepsNone) {
  EXPECT_EQ(whole_pods_running(api::kube_default_profile()), 0);
  EXPECT_EQ(whole_pods_running(circulating_profile()), 4);
}

TEST(Packing, TheDefaultOfBerthKeepsWholeNodes) { EXPECT_EQ(whole_pods_running(api::berth_default_profile()), 4); }

TEST(Packing, SiblingsOfAServiceArePackedTooIfTheyAskForCards) {
  const std::string service =
      "---\napiVersion: v1\nkind: Service\nmetadata: {name: web}\nspec: {selector: {app: web}}\n";
  std::string text = mixed_work() + service;
  const std::string plain = "metadata: {name: small-";
  for (std::size_t found = text.find(plain); found != std::string::npos; found = text.find(plain, found + 1)) {
    text.insert(found + std::string("metadata: {").size(), "labels: {app: web}, ");
  }
  const Placement placement = place(text, api::berth_default_profile());
  EXPECT_EQ(std::ranges::count_if(placement, [](const auto& entry) { return entry.first.starts_with("whole-"); }), 4);
}

TEST(Packing, PodsWithoutCardsSpreadOverNodesWithoutThem) {
  std::string text = node("gpu-1", 8) + node("gpu-2", 8);
  for (int i = 0; i < 3; ++i) text += node("cpu-" + std::to_string(i), 0);
  for (int i = 0; i < 6; ++i) text += pod("p" + std::to_string(i), 0, at(i));
  std::map<std::string, int> per_node;
  for (const auto& [name, where] : place(text, api::berth_default_profile())) ++per_node[where];
  EXPECT_EQ(per_node, (std::map<std::string, int>{{"cpu-0", 2}, {"cpu-1", 2}, {"cpu-2", 2}}));
}

TEST(Packing, PodsWithoutCardsRunOnCardNodesRatherThanWait) {
  EXPECT_EQ(place(node("gpu-1", 8) + pod("p", 0, at(0)), api::berth_default_profile()).at("p"), "gpu-1");
}

TEST(Packing, PodsWithoutCardsSeeTheCardsBehindAResourceThatHasNoneLeft) {
  std::string both = node("both", 8);
  both.insert(both.find("nvidia.com/gpu"), "amd.com/gpu: \"0\", ");
  EXPECT_EQ(place(both + node("cpu", 0) + pod("p", 0, at(0)), api::berth_default_profile()).at("p"), "cpu");
}

TEST(Packing, ASelectorWithoutTermsKeepsNobodyOutWhereNodeAffinityIsOff) {
  api::ObjectSet objects = api::load_text(node("n1", 0) + pod("p", 0, at(0)), "test.yaml").objects;
  objects.pods.at(0).object.spec.affinity.node.emplace().required.emplace();
  api::SchedulerProfile profile = api::kube_default_profile();
  EXPECT_TRUE(place(objects, profile).empty());
  std::erase(profile.filters, api::Plugin::kNodeAffinity);
  EXPECT_EQ(place(objects, profile).at("p"), "n1");
}

TEST(Packing, TheOrderOfTheInputDoesNotReachADecision) {
  api::ObjectSet objects = api::load_text(mixed_work(), "test.yaml").objects;
  for (auto& read : objects.pods) read.object.metadata.creation_timestamp.reset();
  for (const auto& profile : {api::kube_default_profile(), api::berth_default_profile()}) {
    const Placement first = place(objects, profile);
    Random random(3);
    for (int i = 0; i < 5; ++i) {
      random.shuffle(objects.pods);
      random.shuffle(objects.nodes);
      EXPECT_EQ(place(objects, profile), first);
    }
  }
}

}  // namespace
}  // namespace berth::dialects::kubernetes
