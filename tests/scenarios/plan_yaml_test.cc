// berth plan -o yaml: what it prints is read again, and nothing is left to decide.
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "api/load.h"
#include "support/run_command.h"
#include "support/source_directory.h"

namespace berth::cli {
namespace {

std::string in_repository(const std::string& path) { return std::string(support::source_directory()) + "/" + path; }

std::string file(const std::string& name, const std::string& text) {
  std::string path = testing::TempDir() + testing::UnitTest::GetInstance()->current_test_info()->name() + name;
  std::ofstream(path) << text;
  return path;
}

TEST(PlanYaml, ClaimsHaveTheirAllocationAndUsersAndPodsTheirNode) {
  const std::string snapshot = in_repository("tests/cases/143-template-makes-one-claim-per-pod.yaml");
  const Ran ran = berth({"plan", "-o", "yaml", snapshot});
  EXPECT_EQ(ran.code, kNotEverything) << "one of three pods waits";
  const api::Loaded loaded = api::load_text(ran.out, "plan");
  ASSERT_TRUE(loaded.errors.empty()) << loaded.errors.front().to_string();
  EXPECT_TRUE(loaded.remarks.empty()) << loaded.remarks.front().to_string();
  ASSERT_EQ(loaded.objects.pods.size(), 2U) << ran.out;
  ASSERT_EQ(loaded.objects.resource_claims.size(), 2U) << "made from the template, one for each";
  for (std::size_t i = 0; i < 2; ++i) {
    const api::Pod& pod = loaded.objects.pods[i].object;
    const api::ResourceClaim& claim = loaded.objects.resource_claims[i].object;
    EXPECT_EQ(pod.spec.node_name, "n-1");
    EXPECT_EQ(pod.status.phase, api::PodPhase::kPending);
    ASSERT_TRUE(claim.status.allocation.has_value());
    ASSERT_EQ(claim.status.allocation->results.size(), 1U);
    EXPECT_TRUE(claim.status.allocation->node_selector.has_value());
    EXPECT_EQ(pod.status.resource_claim_statuses.at(0).resource_claim_name, claim.metadata.name);
  }
}

// An API server refuses owners and users without a uid, and says itself when an object was made.
TEST(PlanYaml, ClaimsOfPodsWithoutUidNameNoOwnerWithoutUid) {
  const Ran ran = berth({"plan", "-o", "yaml", in_repository("tests/cases/143-template-makes-one-claim-per-pod.yaml")});
  for (const auto& read : api::load_text(ran.out, "plan").objects.resource_claims) {
    EXPECT_TRUE(read.object.metadata.owner_references.empty());
    EXPECT_TRUE(read.object.status.reserved_for.empty());
    EXPECT_FALSE(read.object.metadata.creation_timestamp.has_value()) << "so that two runs are equal";
  }
}

TEST(PlanYaml, ClaimsOfPodsWithUidHaveTheirOwnersAndUsers) {
  std::ifstream in(in_repository("tests/cases/143-template-makes-one-claim-per-pod.yaml"));
  std::string text{std::istreambuf_iterator<char>(in), {}};
  text.resize(text.find("apiVersion: batch/v1"));
  text += R"(apiVersion: v1
kind: Pod
metadata: {name: p-0, namespace: default, uid: u-0}
spec:
  resourceClaims: [{name: gpu, resourceClaimTemplateName: one-gpu}]
  containers: [{name: main, image: i, resources: {claims: [{name: gpu}]}}]
)";
  const Ran ran = berth({"plan", "-o", "yaml", file("with-uids.yaml", text)});
  const api::Loaded loaded = api::load_text(ran.out, "plan");
  ASSERT_EQ(loaded.objects.resource_claims.size(), 1U) << ran.out;
  const api::ResourceClaim& claim = loaded.objects.resource_claims.front().object;
  ASSERT_EQ(claim.metadata.owner_references.size(), 1U);
  EXPECT_EQ(claim.metadata.owner_references.front().uid, "u-0");
  ASSERT_EQ(claim.status.reserved_for.size(), 1U);
  EXPECT_EQ(claim.status.reserved_for.front().uid, "u-0");
}

std::string serving_class(const std::string& name, const std::string& resource) {
  const std::string driver = name + ".example.com";
  return "{apiVersion: resource.k8s.io/v1, kind: DeviceClass, metadata: {name: " + name +
         "}, spec: {extendedResourceName: " + resource + ", selectors: [{cel: {expression: \"device.driver == '" +
         driver + "'\"}}], config: [{opaque: {driver: " + driver + ", parameters: {of: " + name + "}}}]}}\n---\n";
}

// One driver's class says nothing to the other's devices, and one device of the node keeps the claim there.
TEST(PlanYaml, TheClaimOfTwoExtendedResourcesIsAllocatedAsOne) {
  const std::string world =
      serving_class("a", "a.example.com/x") + serving_class("b", "b.example.com/y") +
      "{apiVersion: v1, kind: Node, metadata: {name: n1, labels: {zone: z}}, status: {allocatable: {cpu: \"8\", "
      "memory: 8Gi, pods: \"9\"}, conditions: [{type: Ready, status: \"True\"}]}}\n---\n"
      "{apiVersion: resource.k8s.io/v1, kind: ResourceSlice, metadata: {name: sa}, spec: {driver: a.example.com, "
      "nodeName: n1, pool: {name: n1, generation: 1, resourceSliceCount: 1}, devices: [{name: a0}, {name: "
      "a1}]}}\n---\n"
      "{apiVersion: resource.k8s.io/v1, kind: ResourceSlice, metadata: {name: sb}, spec: {driver: b.example.com, "
      "nodeSelector: {nodeSelectorTerms: [{matchExpressions: [{key: zone, operator: In, values: [z]}]}]}, pool: {name: "
      "fabric, generation: 1, resourceSliceCount: 1}, devices: [{name: b0}, {name: b1}]}}\n---\n"
      "{apiVersion: v1, kind: Pod, metadata: {name: p, namespace: x, uid: u}, spec: {initContainers: [{name: i, image: "
      "i, resources: {limits: {a.example.com/x: \"2\"}}}], containers: [{name: m, image: i, resources: {limits: "
      "{a.example.com/x: \"1\", b.example.com/y: \"1\"}}}]}}\n";
  const Ran ran = berth({"plan", "-o", "yaml", file("in.yaml", world)});
  const api::Loaded loaded = api::load_text(ran.out, "plan");
  ASSERT_EQ(loaded.objects.resource_claims.size(), 1U) << ran.out << ran.err;
  const api::ResourceClaim& claim = loaded.objects.resource_claims.front().object;
  std::string requests;
  for (const api::DeviceRequest& request : claim.spec.requests) requests += request.name + " ";
  EXPECT_EQ(requests, "container-0-request-0 container-1-request-0 container-1-request-1 ");
  ASSERT_TRUE(claim.status.allocation.has_value());
  const api::AllocationResult& allocation = *claim.status.allocation;
  std::string results;
  for (const auto& one : allocation.results) results += one.request + "=" + one.device + " ";
  EXPECT_EQ(results, "container-0-request-0=a0 container-1-request-0=a1 container-1-request-1=b0 ");
  std::string configs;
  for (const auto& one : allocation.config) {
    configs += one.opaque.driver + ":";
    for (const std::string& request : one.requests) configs += " " + request;
    configs += "; ";
  }
  EXPECT_EQ(configs,
            "a.example.com: container-0-request-0 container-1-request-0; b.example.com: container-1-request-1; ");
  ASSERT_TRUE(allocation.node_selector && allocation.node_selector->terms.size() == 1U);
  EXPECT_TRUE(allocation.node_selector->terms[0].match_expressions.empty());
  ASSERT_EQ(allocation.node_selector->terms[0].match_fields.size(), 1U);
  EXPECT_EQ(allocation.node_selector->terms[0].match_fields[0].values, std::vector<std::string>{"n1"});
}

// Applied, a binding would skip the wait.
TEST(PlanYaml, APodWhoseDeviceHasToBeAttachedIsNotBoundYet) {
  const Ran ran = berth({"plan", "-o", "yaml", in_repository("tests/cases/338-pod-waits-for-its-device.yaml")});
  const api::Loaded loaded = api::load_text(ran.out, "plan");
  ASSERT_EQ(loaded.objects.pods.size(), 1U) << ran.out;
  EXPECT_EQ(loaded.objects.pods.front().object.spec.node_name, "");
  EXPECT_EQ(loaded.objects.pods.front().object.status.nominated_node_name, "n-1");
  EXPECT_NE(ran.out.find("is bound to n-1 once gpu-a has the condition fabric.example.com/attached"), std::string::npos)
      << ran.out;
}

TEST(PlanYaml, ASecondPlanGoesOnFromIt) {
  const std::string snapshot = in_repository("tests/cases/143-template-makes-one-claim-per-pod.yaml");
  const Ran first = berth({"plan", "-o", "yaml", snapshot});
  const Ran again = berth({"plan", "-o", "yaml", snapshot, file("plan.yaml", first.out)});
  EXPECT_EQ(again.code, kNotEverything);
  EXPECT_TRUE(again.out.empty()) << again.out;
}

TEST(PlanYaml, TheDemoHasItsPlacementsAndEvictions) {
  const std::string demo = in_repository("examples/demo");
  const Ran first = berth({"plan", "-o", "yaml", demo});
  const Ran json = berth({"plan", "-o", "json", demo});
  const api::Loaded loaded = api::load_text(first.out, "plan");
  EXPECT_TRUE(loaded.errors.empty());
  std::size_t placements = 0;
  for (std::size_t at = json.out.find("\"score\""); at != std::string::npos; at = json.out.find("\"score\"", at + 1))
    ++placements;
  EXPECT_EQ(loaded.objects.pods.size(), placements);
  EXPECT_EQ(first.out.find("# Evict") != std::string::npos, json.out.find("\"evictions\": []") == std::string::npos);
}

}  // namespace
}  // namespace berth::cli
