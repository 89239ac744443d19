// berth plan --defragment as a user meets it: what moves, for whom, and what is said of it.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "cli/command.h"
#include "support/run_command.h"
#include "text/json_reader.h"

namespace berth::cli {
namespace {

namespace fs = std::filesystem;
using text::Value;

std::string machine(const std::string& name, const std::string& zone, const std::string& cards) {
  return "---\napiVersion: v1\nkind: Node\nmetadata: {name: " + name + ", labels: {kubernetes.io/hostname: " + name +
         ", zone: " + zone +
         "}}\nstatus:\n  allocatable: {cpu: \"64\", memory: 256Gi, pods: \"110\", nvidia.com/gpu: " + cards +
         "}\n  conditions: [{type: Ready, status: \"True\"}]\n";
}

// On the node, or waiting where that is empty.
std::string gpu_pod(const std::string& name, const std::string& limits, const std::string& on,
                    const std::string& app = "other", const std::string& spec = "") {
  return "---\napiVersion: v1\nkind: Pod\nmetadata: {name: " + name + ", namespace: lab, labels: {app: " + app +
         "}}\nspec:\n" + (on.empty() ? "" : "  nodeName: " + on + "\n") + (spec.empty() ? "" : "  " + spec + "\n") +
         "  containers: [{name: c, image: i, resources: {limits: {" + limits +
         "}}}]\nstatus: {phase: " + (on.empty() ? "Pending" : "Running") + "}\n";
}

std::string gpus(int count) { return "nvidia.com/gpu: " + std::to_string(count); }

const std::string kCritical = "priority: 2000001000";
const std::string kSpread =
    "topologySpreadConstraints: [{maxSkew: 1, topologyKey: zone, whenUnsatisfiable: DoNotSchedule, labelSelector: "
    "{matchLabels: {app: s}}}]";
const std::string kAway =
    "affinity: {podAntiAffinity: {requiredDuringSchedulingIgnoredDuringExecution: [{labelSelector: {matchLabels: {app: "
    "s}}, topologyKey: zone}]}}";

// What a plan says, once as text and once as JSON.
struct Said {
  std::string text;
  std::string json;
};

Said defragment(const std::string& yaml, std::vector<std::string> more = {}) {
  const fs::path path =
      fs::temp_directory_path() /
      ("berth-" + std::string(testing::UnitTest::GetInstance()->current_test_info()->name()) + ".yaml");
  std::ofstream(path, std::ios::binary) << yaml;
  std::vector<std::string> words = {"plan", path.string(), "--defragment"};
  words.insert(words.end(), more.begin(), more.end());
  Said said;
  said.text = berth(words).out;
  words.insert(words.end(), {"-o", "json"});
  said.json = berth(words).out;
  fs::remove(path);
  return said;
}

bool says(const Said& said, const std::string& words) { return said.text.find(words) != std::string::npos; }

// The member of "defragmentation".
std::string member(const Said& said, std::string_view name) {
  const auto document = text::parse_json(said.json);
  if (!document) return "";
  const Value* moves = document->root().find("defragmentation");
  const Value* found = moves == nullptr ? nullptr : moves->find(name);
  if (found == nullptr) return "";
  if (found->is_bool()) return found->is_true() ? "true" : "false";
  if (const auto number = found->as_int64()) return std::to_string(*number);
  return std::string(found->text());
}

// Three zones' worth of nodes where one pod may move, and only within the zone of the node that it leaves.
std::string one_zone_to_go_to(const std::string& rule) {
  return machine("n1", "z1", "2") + machine("n2", "z1", "2") + machine("n3", "z2", "2") + machine("n4", "z2", "2") +
         gpu_pod("u1", gpus(1), "n1", "other", kCritical) + gpu_pod("u2", gpus(1), "n2", "other", kCritical) +
         gpu_pod("u4", gpus(1), "n4", "other", kCritical) +
         gpu_pod("s3", gpus(1), "n3", "s", "nodeSelector: {zone: z2}") + gpu_pod("want", gpus(2), "", "s", rule);
}

TEST(Defragment, APodThatIsMovedWithinTheZoneMakesNoRoomForASpreadOne) {
  const Said said = defragment(one_zone_to_go_to(kSpread));
  EXPECT_FALSE(says(said, "lab/want fits")) << said.text;
}

TEST(Defragment, APodThatIsMovedWithinTheZoneMakesNoRoomForOneThatKeepsAway) {
  const Said said = defragment(one_zone_to_go_to(kAway));
  EXPECT_FALSE(says(said, "lab/want fits")) << said.text;
  EXPECT_TRUE(says(defragment(one_zone_to_go_to("")), "lab/want fits on n3"));
}

TEST(Defragment, AMoveIntoTheOtherZoneMakesRoomForASpreadPod) {
  // s3 could go to n4, which is as empty as n1 and comes before it or not; only n1 lets the pod in.
  const std::string yaml = machine("n1", "z1", "2") + machine("n3", "z2", "2") + machine("n4", "z2", "2") +
                           gpu_pod("u1", gpus(1), "n1", "other", kCritical) +
                           gpu_pod("u4", gpus(1), "n4", "other", kCritical) + gpu_pod("s3", gpus(1), "n3", "s") +
                           gpu_pod("want", gpus(2), "", "s", kSpread);
  const Said said = defragment(yaml);
  EXPECT_TRUE(says(said, "lab/want fits on n3")) << said.text;
  EXPECT_NE(said.json.find("\"to\": \"n1\""), std::string::npos) << said.json;
}

TEST(Defragment, AHardPodDoesNotUseUpTheQuestionsOfTheOthers) {
  std::string yaml;
  for (int node = 0; node < 12; ++node) {
    const std::string name = "n" + std::to_string(node);
    yaml += machine(name, "z", "8");
    for (int i = 0; i < 3; ++i)
      yaml += gpu_pod("p" + name + std::to_string(i), gpus(2) + ", cpu: " + std::to_string(20 + i % 2), name);
  }
  const std::string easy = "nodeSelector: {zone: easy}";
  for (const std::string name : {"e1", "e2"})
    yaml += machine(name, "easy", "4") + gpu_pod("p" + name, gpus(2), name, "other", easy);
  const Said said =
      defragment(yaml + gpu_pod("hard", gpus(8) + ", cpu: 2", "") + gpu_pod("z-easy", gpus(4), "", "other", easy));
  EXPECT_TRUE(says(said, "lab/z-easy fits on")) << said.text;
  EXPECT_TRUE(says(said, "No moves were found for lab/hard.")) << said.text;
  EXPECT_TRUE(says(said, "The search was cut short after ")) << said.text;
  EXPECT_EQ(member(said, "complete"), "false");
  EXPECT_GT(std::stol(member(said, "questions")), 100'000);
}

TEST(Defragment, ANodeWhoseDeviceAClaimHoldsIsNotFree) {
  const std::string devices =
      "---\napiVersion: resource.k8s.io/v1\nkind: ResourceSlice\nmetadata: {name: s1}\nspec:\n"
      "  driver: gpu.nvidia.com\n  nodeName: d1\n  pool: {name: d1, generation: 1, resourceSliceCount: 1}\n"
      "  devices: [{name: gpu-0}, {name: gpu-1}]\n"
      "---\napiVersion: resource.k8s.io/v1\nkind: DeviceClass\nmetadata: {name: gpu}\nspec: {}\n";
  const std::string claim =
      "---\napiVersion: resource.k8s.io/v1\nkind: ResourceClaim\nmetadata: {name: c, namespace: lab}\n"
      "spec: {devices: {requests: [{name: r, exactly: {deviceClassName: gpu}}]}}\nstatus:\n"
      "  allocation: {devices: {results: [{request: r, driver: gpu.nvidia.com, pool: d1, device: gpu-0}]}, "
      "nodeSelector: {nodeSelectorTerms: [{matchFields: [{key: metadata.name, operator: In, values: [d1]}]}]}}\n"
      "  reservedFor: [{resource: pods, name: dra, uid: u1}]\n"
      "---\napiVersion: v1\nkind: Pod\nmetadata: {name: dra, namespace: lab, uid: u1}\nspec:\n  nodeName: d1\n"
      "  resourceClaims: [{name: x, resourceClaimName: c}]\n"
      "  containers: [{name: c, image: i, resources: {claims: [{name: x}]}}]\nstatus: {phase: Running}\n";
  const std::string nodes = machine("n1", "z", "4") + machine("d1", "z", "2") +
                            gpu_pod("a", gpus(1), "n1", "other", kCritical) + gpu_pod("dp", gpus(1), "d1");
  const Said held = defragment(nodes + devices + claim);
  EXPECT_FALSE(says(held, "d1 is free")) << held.text;
  EXPECT_EQ(member(held, "moves"), "0");
  // Nor without the slices.
  EXPECT_FALSE(says(defragment(nodes + claim), "d1 is free"));
  EXPECT_TRUE(says(defragment(nodes + devices), "d1 is free: 2 GPUs"));
}

TEST(Defragment, PartitionsAreNotWholeGpus) {
  const std::string slices = "\"0\", nvidia.com/mig-1g.10gb: \"7\"";
  const std::string slice = "nvidia.com/mig-1g.10gb: ";
  std::string yaml = machine("m1", "z", slices) + machine("m2", "z", slices);
  for (const std::string name : {"p1", "p2", "p3"}) yaml += gpu_pod(name, slice + "1", "m1");
  const Said said = defragment(yaml + gpu_pod("q", slice + "2", "m2"));
  EXPECT_TRUE(says(said, "which interrupts 2 nvidia.com/mig-1g.10gb\n")) << said.text;
  EXPECT_TRUE(says(said, "2 mig-1g.10gb")) << said.text;
  EXPECT_FALSE(says(said, "2 GPUs")) << said.text;
  EXPECT_FALSE(says(said, "7 GPUs")) << said.text;
  EXPECT_NE(said.json.find("\"movedCards\": 0.284"), std::string::npos) << said.json;
  EXPECT_NE(said.json.find("\"resource\": \"nvidia.com/mig-1g.10gb\""), std::string::npos);
}

TEST(Defragment, ManyPartitionsMoveRatherThanAWholeCard) {
  // n1 has a whole card in use and n2 three partitions of one; either would make a whole node free.
  const std::string cards = "\"1\", nvidia.com/mig-1g.10gb: \"7\"";
  const std::string slice = "nvidia.com/mig-1g.10gb: ";
  const Said said = defragment(machine("n1", "z", cards) + machine("n2", "z", cards) + gpu_pod("w", gpus(1), "n1") +
                                   gpu_pod("q", slice + "3", "n2"),
                               {"--moves", "1"});
  EXPECT_TRUE(says(said, "n2 is free: 1 GPU and 7")) << said.text;
}

TEST(Defragment, NobodyMovesForAPodOfLowerPriority) {
  const std::string nodes = machine("n1", "z", "2") + machine("n2", "z", "2");
  const std::string high = "priority: 1000000";
  const std::string running = gpu_pod("a", gpus(1), "n1", "other", high) + gpu_pod("b", gpus(1), "n2", "other", high);
  const Said low =
      defragment(nodes + running + gpu_pod("want", gpus(2), "", "other", "priority: -10\n  preemptionPolicy: Never"));
  EXPECT_FALSE(says(low, "lab/want fits")) << low.text;
  EXPECT_TRUE(says(low, "No moves were found for lab/want.")) << low.text;
  const Said equal =
      defragment(nodes + running + gpu_pod("want", gpus(2), "", "other", high + "\n  preemptionPolicy: Never"));
  EXPECT_TRUE(says(equal, "lab/want fits")) << equal.text;
}

TEST(Defragment, ABusyPodIsOfferedTheMoveThatHelpsIt) {
  const Said said = defragment(machine("n1", "z1", "2") + machine("n2", "z1", "2") + machine("n3", "z2", "2") +
                               gpu_pod("a", gpus(1), "n1", "s") + gpu_pod("b", gpus(1), "n2") +
                               gpu_pod("e", gpus(1), "n3") + gpu_pod("want", gpus(2), "", "p", kAway));
  EXPECT_TRUE(says(said, "lab/want fits on n")) << said.text;
  // Who waits for running work to end is not told that no moves were found.
  const Said full = defragment(machine("n1", "z1", "2") + gpu_pod("a", gpus(2), "n1") + gpu_pod("want", gpus(2), ""));
  EXPECT_FALSE(says(full, "No moves were found")) << full.text;
}

TEST(Defragment, NothingToMoveIsNoTableWithoutRows) {
  const Said said = defragment(machine("n1", "z", "4") + gpu_pod("a", gpus(1), "n1"));
  EXPECT_TRUE(says(said, "Would move: 0 pods\n")) << said.text;
  EXPECT_FALSE(says(said, "THEN")) << said.text;
  EXPECT_EQ(member(said, "complete"), "true");
}

}  // namespace
}  // namespace berth::cli
