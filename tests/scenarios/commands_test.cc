// berth plan, explain and case as a user meets them: whole commands in this process, on files.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "cli/command.h"
#include "support/run_command.h"
#include "support/source_directory.h"
#include "text/json_reader.h"
#include "text/utf8.h"

namespace berth::cli {
namespace {

namespace fs = std::filesystem;
using text::Value;

std::string demo() { return std::string(support::source_directory()) + "/examples/demo"; }

// A folder of files that goes with the test.
class Folder {
 public:
  Folder() {
    path_ = fs::temp_directory_path() /
            ("berth-" + std::string(testing::UnitTest::GetInstance()->current_test_info()->name()));
    fs::remove_all(path_);
    fs::create_directories(path_);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() { fs::remove_all(path_); }

  std::string file(const std::string& name, const std::string& text) const {
    std::ofstream(path_ / name, std::ios::binary) << text;
    return (path_ / name).string();
  }
  [[nodiscard]] std::string path() const { return path_.string(); }

 private:
  fs::path path_;
};

std::string node(const std::string& name, int gpus) {
  return "apiVersion: v1\nkind: Node\nmetadata: {name: " + name +
         "}\nstatus:\n  allocatable: {cpu: \"64\", memory: 256Gi, " + "pods: \"110\", nvidia.com/gpu: \"" +
         std::to_string(gpus) + "\"}\n  conditions: [{type: Ready, status: \"True\"}]\n---\n";
}

std::string pod(const std::string& name, int gpus) {
  return "apiVersion: v1\nkind: Pod\nmetadata: {name: " + name + ", namespace: lab}\nspec:\n  containers:\n" +
         "  - {name: main, image: a, resources: {limits: {nvidia.com/gpu: \"" + std::to_string(gpus) + "\"}}}\n---\n";
}

std::size_t widest(const std::string& text) {
  std::istringstream lines(text);
  std::size_t width = 0;
  for (std::string line; std::getline(lines, line);) width = std::max(width, text::display_width(line));
  return width;
}

const Value& at(const Value& value, std::string_view name) {
  static const Value kNothing;
  const Value* found = value.find(name);
  EXPECT_NE(found, nullptr) << name;
  return found == nullptr ? kNothing : *found;
}

// Node counts of a reason add up to all nodes.
void expect_partition(const Value& reason) {
  std::int64_t sum = 0;
  for (const text::Member& member : at(reason, "nodes").members())
    if (member.name() != "total") sum += member.value.as_int64().value_or(-1000);
  EXPECT_EQ(sum, at(at(reason, "nodes"), "total").as_int64()) << at(reason, "message").text();
}

TEST(Plan, ClaimsWithoutSlicesAreSaidToBeWeaker) {
  const Folder folder;
  const std::string pods = node("n-1", 0) +
                           "apiVersion: v1\nkind: Pod\nmetadata: {name: p, namespace: lab}\nspec:\n"
                           "  resourceClaims: [{name: gpu, resourceClaimName: mine}]\n"
                           "  containers: [{name: main, image: a}]\n---\n";
  const std::string slice =
      "apiVersion: resource.k8s.io/v1\nkind: ResourceSlice\nmetadata: {name: s}\nspec:\n  driver: gpu.example.com\n"
      "  nodeName: n-1\n  pool: {name: n-1, generation: 1, resourceSliceCount: 1}\n  devices: [{name: gpu-0}]\n";
  const std::string without = berth({"plan", folder.file("a.yaml", pods)}).out;
  EXPECT_NE(without.find("the input has no ResourceSlices"), std::string::npos) << without;
  const std::string with = berth({"plan", folder.file("b.yaml", pods + slice)}).out;
  EXPECT_EQ(with.find("ResourceSlices"), std::string::npos) << with;
}

TEST(Plan, ARuntimeClassOrRoomForVolumesThatIsNotKnownIsSaidToBeWeaker) {
  const Folder folder;
  const std::string pod = node("n-1", 0) +
                          "apiVersion: storage.k8s.io/v1\nkind: StorageClass\nmetadata: {name: lvm}\n"
                          "provisioner: topolvm.io\nvolumeBindingMode: WaitForFirstConsumer\n---\n"
                          "apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: {name: data}\nspec:\n"
                          "  {storageClassName: lvm, accessModes: [ReadWriteOnce], resources: {requests: {storage: "
                          "1Gi}}}\n---\n"
                          "apiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec:\n  runtimeClassName: kata\n"
                          "  containers: [{name: main, image: a}]\n"
                          "  volumes: [{name: v, persistentVolumeClaim: {claimName: data}}]\n---\n";
  const std::string known =
      "apiVersion: node.k8s.io/v1\nkind: RuntimeClass\nmetadata: {name: kata}\nhandler: kata\n---\n"
      "apiVersion: storage.k8s.io/v1\nkind: CSIDriver\nmetadata: {name: topolvm.io}\nspec: {}\n---\n";
  const std::string without = berth({"plan", "-o", "json", folder.file("a.yaml", pod)}).out;
  EXPECT_NE(without.find("RuntimeClass kata is not in the input"), std::string::npos) << without;
  EXPECT_NE(without.find("csistoragecapacities"), std::string::npos) << without;
  const std::string with = berth({"plan", "-o", "json", folder.file("b.yaml", pod + known)}).out;
  EXPECT_EQ(with.find("RuntimeClass kata"), std::string::npos) << with;
  EXPECT_EQ(with.find("csistoragecapacities"), std::string::npos) << with;
}

// Without the ReplicaSet nobody knows who its siblings are, and nodes are scored otherwise than by kube-scheduler.
TEST(Plan, PodsWhoseReplicaSetIsNotThereAreSaidToBeWeaker) {
  const Folder folder;
  const std::string pod = node("n-1", 0) +
                          "apiVersion: v1\nkind: Pod\nmetadata:\n  name: p\n  labels: {app: web}\n  ownerReferences:\n"
                          "  - {apiVersion: apps/v1, kind: ReplicaSet, name: web, uid: u, controller: true}\n"
                          "spec: {containers: [{name: main, image: a}]}\n---\n";
  const std::string replica_set =
      "apiVersion: apps/v1\nkind: ReplicaSet\nmetadata: {name: web, uid: u}\nspec:\n  replicas: 1\n"
      "  selector: {matchLabels: {app: web}}\n  template:\n    metadata: {labels: {app: web}}\n"
      "    spec: {containers: [{name: main, image: a}]}\n";
  const std::string without = berth({"plan", folder.file("a.yaml", pod)}).out;
  EXPECT_NE(without.find("kubectl get rs,sts,rc,svc"), std::string::npos) << without;
  const std::string with = berth({"plan", folder.file("b.yaml", pod + replica_set)}).out;
  EXPECT_EQ(with.find("kubectl get rs"), std::string::npos) << with;
}

// `plan` evicts low for it, against a budget; `explain` must not say that nothing is in the way.
TEST(Explain, SaysWhoWouldHaveToLeave) {
  const Folder folder;
  const std::string text =
      "apiVersion: v1\nkind: Node\nmetadata: {name: n-1}\nstatus: {allocatable: {cpu: 2, memory: 8Gi, pods: 9}, "
      "conditions: [{type: Ready, status: \"True\"}]}\n---\n"
      "apiVersion: policy/v1\nkind: PodDisruptionBudget\nmetadata: {name: keep, namespace: default}\n"
      "spec: {minAvailable: 1, selector: {matchLabels: {app: low}}}\nstatus: {disruptionsAllowed: 0}\n---\n"
      "apiVersion: v1\nkind: Pod\nmetadata: {name: low, labels: {app: low}}\nspec: {nodeName: n-1, containers: [{name: "
      "main, image: a, resources: {requests: {cpu: 2}}}]}\nstatus: {phase: Running}\n---\n"
      "apiVersion: v1\nkind: Pod\nmetadata: {name: high}\nspec: {priority: 10, containers: [{name: main, image: a, "
      "resources: {requests: {cpu: 2}}}]}\n";
  const std::string file = folder.file("a.yaml", text);
  const std::string out = berth({"explain", "high", file}).out;
  EXPECT_EQ(out.find("nothing is in its way"), std::string::npos) << out;
  EXPECT_NE(out.find("Evicts"), std::string::npos) << out;
  EXPECT_NE(out.find("default/low on n-1"), std::string::npos) << out;
  EXPECT_NE(out.find("PodDisruptionBudget default/keep"), std::string::npos) << out;
  const auto document = text::parse_json(berth({"explain", "high", file, "-o", "json"}).out);
  ASSERT_TRUE(document);
  EXPECT_EQ(at(at(at(document->root(), "pods").items()[0], "evictions").items()[0], "pod").text(), "default/low");
}

TEST(Plan, TheDemoFitsAScreenAndEveryPodHasItsReason) {
  fs::current_path(support::source_directory());
  const Ran ran = berth({"plan", "examples/demo"});
  EXPECT_EQ(ran.code, kNotEverything);
  EXPECT_EQ(ran.err, "");
  EXPECT_LE(widest(ran.out), 80U);
  EXPECT_LE(std::ranges::count(ran.out, '\n'), 50);
  for (const char* word :
       {"NeverFits", "Busy", "Fragmented", "scheduling gate", "PersistentVolumeClaim", "berth explain"})
    EXPECT_NE(ran.out.find(word), std::string::npos) << word;
}

TEST(Plan, JsonAddsUp) {
  const Ran ran = berth({"plan", demo(), "-o", "json"});
  const auto document = text::parse_json(ran.out);
  ASSERT_TRUE(document) << document.error().to_string();
  const Value& plan = document->root();
  EXPECT_EQ(at(plan, "kind").text(), "Plan");
  for (const Value& row : at(at(plan, "seen"), "cards").items())
    EXPECT_EQ(at(row, "total").as_double(), *at(row, "allocated").as_double() + *at(row, "free").as_double());
  double causes = 0;
  for (const text::Member& cause : at(at(plan, "stranded"), "causes").members()) causes += *cause.value.as_double();
  EXPECT_EQ(at(at(plan, "stranded"), "total").as_double(), causes);
  std::int64_t waiting = 0;
  for (const Value& group : at(plan, "waiting").items()) {
    waiting += static_cast<std::int64_t>(at(group, "pods").size());
    expect_partition(at(group, "reason"));
  }
  EXPECT_EQ(at(at(plan, "summary"), "waiting").as_int64(), waiting);
  EXPECT_EQ(*at(at(at(plan, "seen"), "pods"), "pending").as_int64(),
            static_cast<std::int64_t>(at(plan, "placements").size()) + waiting +
                *at(at(plan, "summary"), "notReady").as_int64());
}

TEST(Plan, TheSameInputGivesTheSameBytes) {
  EXPECT_EQ(berth({"plan", demo(), "-o", "json"}).out, berth({"plan", demo(), "-o", "json"}).out);
}

TEST(Plan, OneBrokenDocumentDoesNotStopTheOthers) {
  const Folder folder;
  const std::string file =
      folder.file("all.yaml", node("n-1", 2) + "kind: Pod\n  bad: [indent\n---\n" + pod("good", 1));
  const Ran ran = berth({"plan", file});
  EXPECT_EQ(ran.code, kBadInput);
  EXPECT_NE(ran.out.find("lab/good"), std::string::npos) << ran.out;
  EXPECT_NE(ran.err.find("document 2"), std::string::npos) << ran.err;
}

TEST(Plan, AJobNextToASnapshotIsADryRun) {
  const Folder folder;
  const std::string cluster = folder.file("cluster.yaml", node("n-1", 4));
  const std::string job =
      folder.file("job.yaml",
                  "apiVersion: batch/v1\nkind: Job\nmetadata: {name: sweep, namespace: lab}\nspec:\n"
                  "  parallelism: 3\n  completions: 3\n  template:\n    spec:\n      restartPolicy: Never\n"
                  "      containers: [{name: main, image: a, resources: {limits: {nvidia.com/gpu: \"1\"}}}]\n");
  const Ran ran = berth({"plan", cluster, job});
  EXPECT_EQ(ran.code, kDone) << ran.out << ran.err;
  EXPECT_NE(ran.out.find("3 pods made for Job lab/sweep"), std::string::npos) << ran.out;
  EXPECT_NE(ran.out.find("n-1 x3"), std::string::npos) << ran.out;
}

TEST(Plan, ManyControllersAreCountedNotListed) {
  const Folder folder;
  std::string text = node("n-1", 1);
  for (int i = 0; i < 300; ++i)
    text += "apiVersion: apps/v1\nkind: ReplicaSet\nmetadata: {name: r" + std::to_string(i) +
            ", namespace: lab}\nspec: {replicas: 2, selector: {matchLabels: {a: b}}, template: {metadata: {labels: {a: "
            "b}}, spec: {containers: [{name: c}]}}}\n---\n";
  const std::string out = berth({"plan", folder.file("all.yaml", text)}).out;
  EXPECT_NE(out.find("made for 296 other"), std::string::npos) << out.substr(0, 1000);
  EXPECT_LE(std::ranges::count(out, '\n'), 150);
}

// The gate counted where the objects are read and not where devices are allocated.
TEST(Plan, FeaturesReachTheAllocationOfDevices) {
  const Folder folder;
  const std::string file = folder.file(
      "claims.yaml",
      node("n-1", 0) +
          "apiVersion: resource.k8s.io/v1\nkind: DeviceClass\nmetadata: {name: card}\n"
          "spec: {selectors: [{cel: {expression: 'device.driver == \"d.example\"'}}]}\n---\n"
          "apiVersion: resource.k8s.io/v1\nkind: ResourceSlice\nmetadata: {name: s}\n"
          "spec: {driver: d.example, nodeName: n-1, pool: {name: n-1, generation: 1, resourceSliceCount: 1}, devices: "
          "[{name: a, attributes: {rail: {strings: [left, both]}}}, {name: b, attributes: {rail: {strings: [both]}}}]}"
          "\n---\n"
          "apiVersion: resource.k8s.io/v1\nkind: ResourceClaim\nmetadata: {name: pair, namespace: lab}\n"
          "spec: {devices: {requests: [{name: r, exactly: {deviceClassName: card, count: 2}}], "
          "constraints: [{matchAttribute: d.example/rail}]}}\n---\n"
          "apiVersion: v1\nkind: Pod\nmetadata: {name: p, namespace: lab}\nspec:\n"
          "  resourceClaims: [{name: c, resourceClaimName: pair}]\n"
          "  containers: [{name: main, image: a, resources: {claims: [{name: c}]}}]\n");
  EXPECT_EQ(berth({"plan", file}).code, kNotEverything);
  const Ran with = berth({"plan", file, "--features", "DRAListTypeAttributes=true"});
  EXPECT_EQ(with.code, kDone) << with.out << with.err;
}

// Two nodes with a GPU each and CPUs in plenty; the gang lacks a third.
TEST(Plan, GpusThatAGangDoesNotTakeAreNotSaidToLackCpu) {
  const Folder folder;
  std::string input = node("n-1", 1) + node("n-2", 1) +
                      "apiVersion: scheduling.volcano.sh/v1beta1\nkind: Queue\nmetadata: {name: default}\n---\n"
                      "apiVersion: scheduling.volcano.sh/v1beta1\nkind: PodGroup\n"
                      "metadata: {name: g, namespace: lab}\nspec: {minMember: 3}\n---\n";
  for (int i = 0; i < 3; ++i) {
    std::string member = pod("w-" + std::to_string(i), 1);
    member.replace(member.find("namespace: lab"), 14, "namespace: lab, annotations: {scheduling.k8s.io/group-name: g}");
    member.replace(member.find("spec:"), 5, "spec:\n  schedulerName: volcano");
    input += member;
  }
  std::string other = pod("other", 0);
  other.replace(other.find("spec:"), 5, "spec:\n  nodeName: n-1");
  const Ran ran = berth({"plan", folder.file("gang.yaml", input + other)});
  EXPECT_NE(ran.out.find("2 kept back by a gang"), std::string::npos) << ran.out;
  EXPECT_NE(ran.out.find("No queue default-scheduler: 1 pod"), std::string::npos) << ran.out;
}

TEST(Plan, EmptyClustersAreAnswered) {
  const Folder folder;
  const Ran no_nodes = berth({"plan", folder.file("pods.yaml", pod("a", 1))});
  EXPECT_EQ(no_nodes.code, kNotEverything);
  EXPECT_NE(no_nodes.out.find("no nodes"), std::string::npos) << no_nodes.out;
  const Ran no_pods = berth({"plan", folder.file("nodes.yaml", node("n-1", 1))});
  EXPECT_EQ(no_pods.code, kDone);
  EXPECT_NE(no_pods.out.find("No pod is pending"), std::string::npos) << no_pods.out;
}

TEST(Plan, HostileInputGetsASentenceAndExitOne) {
  const Folder folder;
  std::string bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n";
  for (int i = 1; i < 12; ++i) {
    const std::string last = "*a" + std::to_string(i - 1);
    bomb += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [" + last;
    for (int k = 0; k < 9; ++k) bomb += ", " + last;
    bomb += "]\n";
  }
  const std::vector<std::string> hostile = {
      std::string("\x00\x01\x02\xff\xfe garbage \x80\x81", 16),
      "{\"kind\": \"List\", \"items\": [{\"kind\": \"Pod\", \"metadata\": {\"name\"",
      bomb + "kind: Pod\nmetadata: {name: a}\n",
      std::string(100'000, '['),
      std::string("apiVersion: v1\nkind: Pod\nmetadata: {name: a}\n") +
          "spec: {containers: [{name: m, resources: {limits: {cpu: \"-1\"}}}]}\n",
      "apiVersion: v1\nkind: Pod\nmetadata: {}\nspec: {}\n",
      "apiVersion: v1\nkind: Pod\nmetadata: {name: a, name: b}\nspec: {}\n",
      "\x1f\x8b\x08 cut gzip",
  };
  for (std::size_t i = 0; i < hostile.size(); ++i) {
    const std::string file = folder.file("hostile-" + std::to_string(i) + ".yaml", hostile[i]);
    const Ran ran = berth({"plan", file});
    EXPECT_EQ(ran.code, kBadInput) << i << ran.out;
    EXPECT_NE(ran.err.find("hostile-" + std::to_string(i)), std::string::npos) << i << ": " << ran.err;
    EXPECT_EQ(berth({"explain", "Pod/a", file}).code, kBadInput) << i;
    EXPECT_EQ(berth({"case", file}).code, kBadInput) << i;
  }
  EXPECT_EQ(berth({"plan", folder.path() + "/nothing-there.yaml"}).code, kBadInput);
  const Folder* inside = &folder;
  fs::create_directories(inside->path() + "/empty");
  EXPECT_EQ(berth({"plan", inside->path() + "/empty"}).code, kBadInput);
  EXPECT_EQ(berth({"case", inside->path() + "/empty"}).code, kBadInput);
}

std::string running(const std::string& name, int gpus, const std::string& on, const std::string& metadata = "") {
  return "apiVersion: v1\nkind: Pod\nmetadata: {name: " + name + ", namespace: lab" + metadata +
         "}\nspec:\n  nodeName: " + on + "\n  containers:\n" +
         "  - {name: main, image: a, resources: {limits: {nvidia.com/gpu: \"" + std::to_string(gpus) +
         "\"}}}\nstatus: {phase: Running}\n---\n";
}

TEST(Plan, DefragmentingMakesRoomForFourWithTwoSmallMoves) {
  const Folder folder;
  const std::string file = folder.file(
      "all.yaml", node("n-1", 8) + node("n-2", 8) + node("n-3", 8) + running("a4", 4, "n-1") + running("a2", 2, "n-1") +
                      running("a1", 1, "n-1") + running("b4", 4, "n-2") + running("b2", 2, "n-2") +
                      running("c4", 4, "n-3") + running("c2", 2, "n-3") + running("c1", 1, "n-3") + pod("wait4", 4));
  EXPECT_EQ(berth({"plan", file}).out.find("Would move"), std::string::npos);
  const Ran ran = berth({"plan", file, "--defragment"});
  EXPECT_EQ(ran.err, "");
  EXPECT_NE(ran.out.find("Would move: 2 pods, which interrupts 3 GPUs"), std::string::npos) << ran.out;
  EXPECT_NE(ran.out.find("lab/wait4 fits on"), std::string::npos) << ran.out;
  EXPECT_NE(ran.out.find("2 of them have no controller"), std::string::npos) << ran.out;
  EXPECT_LE(widest(ran.out), 80U);

  const auto document = text::parse_json(berth({"plan", file, "--defragment", "-o", "json"}).out);
  ASSERT_TRUE(document) << document.error().to_string();
  const Value& moves = at(document->root(), "defragmentation");
  EXPECT_EQ(at(moves, "moves").as_int64(), 2);
  EXPECT_EQ(at(moves, "movedCards").as_double(), 3.0);
  ASSERT_EQ(at(moves, "steps").size(), 1U);
  const Value& step = *at(moves, "steps").items().begin();
  EXPECT_EQ(at(step, "pod").text(), "lab/wait4");
  EXPECT_EQ(at(step, "moves").size(), 2U);
}

TEST(Plan, DefragmentingOpensWholeNodesAndLeavesWhoMayNotMove) {
  const Folder folder;
  const std::string nodes = node("n-1", 8) + node("n-2", 8) + node("n-3", 8);
  const std::string daemon =
      ", ownerReferences: [{apiVersion: apps/v1, kind: DaemonSet, name: d, uid: u, "
      "controller: true}]";
  const std::string kept = ", annotations: {cluster-autoscaler.kubernetes.io/safe-to-evict: \"false\"}";
  const std::string file = folder.file("all.yaml", nodes + running("one", 1, "n-1") + running("two", 2, "n-2", daemon) +
                                                       running("three", 1, "n-3", kept));
  const Ran ran = berth({"plan", file, "--defragment", "-o", "json"});
  const auto document = text::parse_json(ran.out);
  ASSERT_TRUE(document) << document.error().to_string();
  const Value& moves = at(document->root(), "defragmentation");
  EXPECT_EQ(at(moves, "moves").as_int64(), 1);
  ASSERT_EQ(at(moves, "steps").size(), 1U);
  EXPECT_EQ(at(*at(moves, "steps").items().begin(), "node").text(), "n-1");
}

TEST(Explain, EveryPendingPodOfTheDemoIsExplained) {
  const auto document = text::parse_json(berth({"plan", demo(), "-o", "json"}).out);
  ASSERT_TRUE(document);
  int explained = 0;
  for (const Value& group : at(document->root(), "waiting").items()) {
    const std::string namespace_(at(group, "namespace").text());
    for (const Value& name : at(group, "pods").items()) {
      const std::string reference = "Pod/" + std::string(name.text());
      const Ran text = berth({"explain", "-n", namespace_, reference, demo()});
      EXPECT_EQ(text.code, kNotEverything);
      EXPECT_LE(widest(text.out), 80U) << text.out;
      EXPECT_NE(text.out.find(at(at(group, "reason"), "class").text()), std::string::npos);
      const auto json = text::parse_json(berth({"explain", "-n", namespace_, reference, demo(), "-o", "json"}).out);
      ASSERT_TRUE(json);
      EXPECT_EQ(at(json->root(), "kind").text(), "Explanation");
      for (const Value& answer : at(json->root(), "pods").items()) expect_partition(at(answer, "reason"));
      ++explained;
    }
  }
  EXPECT_GE(explained, 6);
}

TEST(Explain, UnknownNamesListNearOnes) {
  const Ran ran = berth({"explain", "Pod/pretrain-9", demo()});
  EXPECT_EQ(ran.code, kBadInput);
  EXPECT_NE(ran.err.find("pretrain-2"), std::string::npos) << ran.err;
  EXPECT_NE(berth({"explain", "deploy/nvidia-device-plugi", demo()}).err.find("DaemonSet/nvidia-device-plugin"),
            std::string::npos);
  EXPECT_NE(berth({"explain", "Secret/x", demo()}).err.find("is no kind whose pods"), std::string::npos);
}

TEST(Explain, AControllerShowsItsPodsAndTheFirstReason) {
  const Folder folder;
  const std::string file = folder.file(
      "all.yaml",
      node("n-1", 2) +
          "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: serve, namespace: lab}\nspec:\n  replicas: 3\n"
          "  selector: {matchLabels: {app: s}}\n  template:\n    metadata: {labels: {app: s}}\n    spec:\n"
          "      containers: [{name: main, image: a, resources: {limits: {nvidia.com/gpu: \"1\"}}}]\n");
  const Ran ran = berth({"explain", "deploy/serve", file});
  EXPECT_EQ(ran.code, kNotEverything) << ran.err;
  EXPECT_NE(ran.out.find("2 would start"), std::string::npos) << ran.out;
  EXPECT_NE(ran.out.find("waits: Busy"), std::string::npos) << ran.out;
}

TEST(Configuration, MostAllocatedKeepsWholeNodesFree) {
  const Folder folder;
  std::string cluster;
  for (int i = 1; i <= 4; ++i) cluster += node("n-" + std::to_string(i), 8);
  for (int i = 1; i <= 4; ++i) cluster += pod("single-" + std::to_string(i), 1);
  for (int i = 1; i <= 3; ++i) cluster += pod("wide-" + std::to_string(i), 8);
  const std::string file = folder.file("cluster.yaml", cluster);
  const std::string config =
      folder.file("config.yaml",
                  "apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\nprofiles:\n"
                  "- schedulerName: default-scheduler\n  pluginConfig:\n  - name: NodeResourcesFit\n    args:\n"
                  "      scoringStrategy:\n        type: MostAllocated\n        resources:\n"
                  "        - {name: nvidia.com/gpu, weight: 10}\n        - {name: cpu, weight: 1}\n");
  EXPECT_EQ(berth({"plan", file, "--config", config}).code, kDone);
  EXPECT_EQ(berth({"plan", file, "--config", file}).code, kBadInput) << "a cluster is no configuration";
  EXPECT_EQ(berth({"plan", file, "--profile", "tetris"}).code, kBadInput);
  EXPECT_EQ(berth({"plan", file, "--config", config, "--profile", "berth"}).code, kBadInput);
}

TEST(Case, AFailingCaseShowsExpectedGotAndTheExplanation) {
  const Folder folder;
  const std::string file =
      folder.file("01-wrong.yaml",
                  "# case: 01-wrong\n# title: wrong\n# speaks: [core]\n# expect:\n# - {ref: Pod/big, running: 1}\n"
                  "# never:\n# - the moon is made of cheese\n---\n" +
                      node("n-1", 1) + pod("big", 4));
  const Ran ran = berth({"case", file});
  EXPECT_EQ(ran.code, kNotEverything);
  EXPECT_NE(ran.out.find("expected running 1, got 0"), std::string::npos) << ran.out;
  EXPECT_NE(ran.out.find("NeverFits"), std::string::npos) << ran.out;
  EXPECT_NE(ran.out.find("unchecked: never the moon is made of cheese"), std::string::npos) << ran.out;
  EXPECT_NE(ran.out.find("0 passed, 1 failed, 0 not spoken"), std::string::npos) << ran.out;
}

// Three nodes' worth of pods of a ReplicaSet run on two GPUs; an urgent pod needs one of them.
std::string evicting(bool with_owner_object) {
  std::string text =
      node("n-1", 2) +
      "apiVersion: scheduling.k8s.io/v1\nkind: PriorityClass\nmetadata: {name: urgent}\nvalue: 1000\n---\n";
  if (with_owner_object)
    text +=
        "apiVersion: apps/v1\nkind: ReplicaSet\nmetadata: {name: web, namespace: lab}\nspec:\n  replicas: 2\n"
        "  selector: {matchLabels: {app: web}}\n  template:\n    metadata: {labels: {app: web}}\n    spec:\n"
        "      containers: [{name: main, image: a, resources: {limits: {nvidia.com/gpu: \"1\"}}}]\n---\n";
  for (const char* name : {"web-a", "web-b"})
    text += "apiVersion: v1\nkind: Pod\nmetadata:\n  name: " + std::string(name) +
            "\n  namespace: lab\n  labels: {app: web}\n  ownerReferences: [{apiVersion: apps/v1, kind: ReplicaSet, "
            "name: web, uid: u, controller: true}]\nspec:\n  nodeName: n-1\n  containers:\n"
            "  - {name: main, image: a, resources: {limits: {nvidia.com/gpu: \"1\"}}}\nstatus: {phase: Running}\n---\n";
  return text +
         "apiVersion: v1\nkind: Pod\nmetadata: {name: now, namespace: lab}\nspec:\n  priorityClassName: urgent\n"
         "  containers:\n  - {name: main, image: a, resources: {limits: {nvidia.com/gpu: \"1\"}}}\n---\n";
}

TEST(Plan, AnEvictedReplicaComesBackAndWaits) {
  const Folder folder;
  for (const bool with_owner : {true, false}) {
    const std::string file = folder.file("all.yaml", evicting(with_owner));
    const Ran ran = berth({"plan", file, "-o", "json"});
    EXPECT_EQ(ran.code, kNotEverything) << ran.err;
    const auto document = text::parse_json(ran.out);
    ASSERT_TRUE(document);
    const Value& plan = document->root();
    ASSERT_EQ(at(plan, "placements").size(), 1U) << ran.out;
    ASSERT_EQ(at(plan, "evictions").size(), 1U);
    const std::string back(at(at(plan, "evictions").items()[0], "replacement").text());
    EXPECT_TRUE(back.starts_with("web-")) << back;
    ASSERT_EQ(at(plan, "waiting").size(), 1U);
    EXPECT_EQ(at(at(plan, "waiting").items()[0], "pods").items()[0].text(), back);
    const std::string out = berth({"plan", file}).out;
    EXPECT_NE(out.find("1 of them comes back as a new pending pod"), std::string::npos) << out;
    // What plan names, explain knows.
    const Ran why = berth({"explain", "Pod/" + back, file});
    EXPECT_EQ(why.code, kNotEverything);
    EXPECT_NE(why.out.find("waits: Busy"), std::string::npos) << why.out << why.err;
    const std::string evicted(at(at(plan, "evictions").items()[0], "pod").text().substr(4));
    const std::string gone = berth({"explain", evicted, file}).out;
    EXPECT_NE(gone.find("would be evicted"), std::string::npos) << gone;
    EXPECT_NE(gone.find("would make " + back), std::string::npos) << gone;
  }
}

TEST(Plan, AnEvictionAgainstABudgetIsTold) {
  const Folder folder;
  const std::string file = folder.file(
      "all.yaml", evicting(true) +
                      "apiVersion: policy/v1\nkind: PodDisruptionBudget\nmetadata: {name: keep, namespace: lab}\n"
                      "spec: {maxUnavailable: 0, selector: {matchLabels: {app: web}}}\n");
  const std::string told = "breaks PodDisruptionBudget lab/keep: 0 disruptions allowed, 1 needed";
  const std::string out = berth({"plan", file}).out;
  EXPECT_NE(out.find("\n  " + told + "\n"), std::string::npos) << out;
  EXPECT_NE(berth({"plan", "-o", "yaml", file}).out.find(told), std::string::npos);
  const auto document = text::parse_json(berth({"plan", "-o", "json", file}).out);
  ASSERT_TRUE(document);
  const Value& eviction = at(document->root(), "evictions").items()[0];
  ASSERT_EQ(at(eviction, "brokenBudgets").size(), 1U);
  EXPECT_EQ(at(at(eviction, "brokenBudgets").items()[0], "budget").text(), "lab/keep");
  const std::string evicted(at(eviction, "pod").text().substr(4));
  EXPECT_NE(berth({"explain", evicted, file}).out.find("PodDisruptionBudget lab/keep"), std::string::npos);
}

TEST(Plan, AnEvictedReplicaThatFitsElsewhereMovesThere) {
  const Folder folder;
  // The urgent pod is bound to n-1, its victim's successor is not.
  std::string text = evicting(true);
  text.replace(text.rfind("  priorityClassName"), 0, "  nodeSelector: {kubernetes.io/hostname: n-1}\n");
  text.replace(text.find("metadata: {name: n-1}"), 21, "metadata: {name: n-1, labels: {kubernetes.io/hostname: n-1}}");
  const std::string file = folder.file("all.yaml", text + node("n-2", 1));
  const Ran ran = berth({"plan", file});
  EXPECT_EQ(ran.code, kDone) << ran.out << ran.err;
  EXPECT_NE(ran.out.find("Would start: 2 pods"), std::string::npos) << ran.out;
  EXPECT_NE(ran.out.find("n-2"), std::string::npos) << ran.out;
}

TEST(Plan, AVolumeIsPromisedToOneClaimOnly) {
  const Folder folder;
  std::string text = node("n-1", 4);
  text.replace(text.find("metadata: {name: n-1}"), 21, "metadata: {name: n-1, labels: {kubernetes.io/hostname: n-1}}");
  text +=
      "apiVersion: storage.k8s.io/v1\nkind: StorageClass\nmetadata: {name: local}\n"
      "provisioner: kubernetes.io/no-provisioner\nvolumeBindingMode: WaitForFirstConsumer\n---\n";
  for (const char* name : {"a", "b"})
    text += "apiVersion: v1\nkind: PersistentVolume\nmetadata: {name: disk-" + std::string(name) +
            "}\nspec:\n  capacity: {storage: 10Gi}\n  accessModes: [ReadWriteOnce]\n  storageClassName: local\n"
            "  local: {path: /x}\n  nodeAffinity: {required: {nodeSelectorTerms: [{matchExpressions: [{key: "
            "kubernetes.io/hostname, operator: In, values: [n-1]}]}]}}\nstatus: {phase: Available}\n---\n";
  for (const char* name : {"p", "q", "r"}) {
    text += "apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: {name: " + std::string(name) +
            ", namespace: lab}\nspec: {accessModes: [ReadWriteOnce], storageClassName: local, resources: {requests: "
            "{storage: 5Gi}}}\nstatus: {phase: Pending}\n---\n";
    std::string user = pod(name, 1);
    user.replace(user.find("spec:\n"), 6,
                 "spec:\n  volumes: [{name: v, persistentVolumeClaim: {claimName: " + std::string(name) + "}}]\n");
    text += user;
  }
  const Ran ran = berth({"plan", folder.file("all.yaml", text), "-o", "json"});
  EXPECT_EQ(ran.code, kNotEverything) << ran.out << ran.err;
  const auto document = text::parse_json(ran.out);
  ASSERT_TRUE(document);
  EXPECT_EQ(at(document->root(), "placements").size(), 2U) << "two volumes, three pods\n" << ran.out;
  ASSERT_EQ(at(document->root(), "waiting").size(), 1U);
}

TEST(Explain, AnEmptyNameIsAUsageError) {
  for (const char* reference : {"", "/", "Pod/", "/x"}) {
    const Ran ran = berth({"explain", reference, demo()});
    EXPECT_EQ(ran.code, kBadInput) << reference;
    EXPECT_NE(ran.err.find("names nothing; write KIND/NAME"), std::string::npos) << reference << ran.err;
  }
}

std::string volcano_group(const std::string& name, const std::string& spec, const std::string& second = "0") {
  return "---\n{apiVersion: scheduling.volcano.sh/v1beta1, kind: PodGroup, metadata: {name: " + name +
         ", namespace: lab, creationTimestamp: \"2026-01-01T00:00:0" + second + "Z\"}, spec: {" + spec + "}}\n";
}

// `rest` ends the spec.
std::string member(const std::string& name, const std::string& group, const std::string& gpus,
                   const std::string& rest = "}") {
  return "---\n{apiVersion: v1, kind: Pod, metadata: {name: " + name +
         ", namespace: lab, annotations: {scheduling.k8s.io/group-name: " + group +
         "}}, spec: {schedulerName: volcano, containers: [{name: c, image: x, resources: {limits: {nvidia.com/gpu: " +
         gpus + "}}}]" + rest + "}\n";
}

// A queue takes back what it deserves for one workload, and evicts that for a more important one.
TEST(Plan, WhoStartsAndGivesWayInOnePlanWaitsAndItsVictimsGoForWhoStays) {
  const std::string running = ", nodeName: gpu-1}, status: {phase: Running}";
  const std::string world =
      node("gpu-1", 4) +
      "{apiVersion: scheduling.volcano.sh/v1beta1, kind: Queue, metadata: {name: q0}, spec: {deserved: "
      "{nvidia.com/gpu: 2}}}\n---\n"
      "{apiVersion: scheduling.volcano.sh/v1beta1, kind: Queue, metadata: {name: q2}, spec: {}}\n---\n"
      "{apiVersion: scheduling.k8s.io/v1, kind: PriorityClass, metadata: {name: high}, value: 10}\n" +
      volcano_group("e", "minMember: 2, queue: q2") + member("e-0", "e", "2", running) +
      member("e-1", "e", "2", running) + volcano_group("a", "minMember: 1, queue: q0") + member("a-0", "a", "2") +
      volcano_group("b", "minMember: 1, queue: q0, priorityClassName: high") + member("b-0", "b", "4");
  const Ran ran = berth({"plan", "-o", "json", input_file(world)});
  EXPECT_EQ(ran.code, kNotEverything) << ran.err;
  const auto document = text::parse_json(ran.out);
  ASSERT_TRUE(document);
  const Value& plan = document->root();
  ASSERT_EQ(at(plan, "placements").items().size(), 1U) << ran.out;
  EXPECT_EQ(at(at(plan, "placements").items()[0], "pod").text(), "b-0");
  ASSERT_EQ(at(plan, "evictions").items().size(), 2U);
  for (const Value& eviction : at(plan, "evictions").items()) {
    EXPECT_TRUE(at(eviction, "pod").text().starts_with("lab/e-"));
    EXPECT_EQ(at(eviction, "beneficiary").text(), "lab/b-0");
  }
  EXPECT_EQ(at(plan, "waiting").items().size(), 1U);
}

// It was said to be kept for somebody without a name, who had lost members.
TEST(Plan, WhoWaitsBehindTheHeadOfAFifoQueueIsToldWhoThatIs) {
  const auto waits = [](const std::string& name, const std::string& gpus, const std::string& second) {
    return volcano_group(name, "minMember: 1, queue: q", second) + member(name + "-0", name, gpus);
  };
  const Ran ran =
      berth({"plan", "-o", "json",
             input_file(node("gpu-1", 4) +
                        "{apiVersion: scheduling.volcano.sh/v1beta1, kind: Queue, metadata: {name: q}, spec: "
                        "{dequeueStrategy: fifo}}\n" +
                        waits("large", "8", "0") + waits("small", "1", "1"))});
  EXPECT_NE(ran.out.find("fits, but Volcano PodGroup lab/large waits in front of it, and nobody passes in its queue"),
            std::string::npos)
      << ran.out;
  EXPECT_NE(ran.out.find("\"reservedBecause\": \"StrictQueue\""), std::string::npos);
}

}  // namespace
}  // namespace berth::cli
