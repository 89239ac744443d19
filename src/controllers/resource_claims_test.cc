#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "api/load.h"
#include "controllers/reconcile.h"

namespace berth::controllers {
namespace {

constexpr std::string_view kTemplate = R"(
{apiVersion: resource.k8s.io/v1, kind: ResourceClaimTemplate, metadata: {name: one-gpu, namespace: team-a},
 spec: {metadata: {labels: {l: v}, annotations: {a: b}}, spec: {devices: {requests: [{name: r, exactly: {deviceClassName: gpu}}]}}}}
---
)";

std::string pod(const std::string& name, const std::string& spec, const std::string& status = "{}") {
  return "{apiVersion: v1, kind: Pod, metadata: {name: " + name + ", namespace: team-a, uid: uid-" + name +
         "}, spec: {containers: [{name: c}], " + spec + "}, status: " + status + "}\n---\n";
}

std::string claim(const std::string& name, const std::string& status, const std::string& metadata = "") {
  return "{apiVersion: resource.k8s.io/v1, kind: ResourceClaim, metadata: {namespace: team-a, name: " + name +
         metadata + "}, spec: {devices: {requests: [{name: r, exactly: {deviceClassName: gpu}}]}}, status: " + status +
         "}\n---\n";
}

constexpr std::string_view kFromTemplate = "resourceClaims: [{name: card, resourceClaimTemplateName: one-gpu}]";
const std::string kAllocation = "allocation: {devices: {results: [{request: r, driver: d, pool: p, device: gpu-0}]}}";

std::string consumer(const std::string& pod_name, const std::string& uid) {
  return "{resource: pods, name: " + pod_name + ", uid: " + uid + "}";
}

std::string owned_by(const std::string& pod_name, const std::string& uid) {
  return ", annotations: {resource.kubernetes.io/pod-claim-name: card}, ownerReferences: [{apiVersion: v1, kind: Pod, "
         "name: " +
         pod_name + ", uid: " + uid + ", controller: true}]";
}

api::ObjectSet settled(const std::string& text, bool all_pods_known = false) {
  api::LoadOptions options;
  options.gates.set(api::Gate::kWorkloadResourceClaims, true);
  api::Loader loader(std::move(options));
  text::MemorySource source(text);
  loader.load_source(source, "x.yaml");
  api::Loaded loaded = std::move(loader).finish();
  for (const Error& error : loaded.errors) ADD_FAILURE() << error.to_string();
  settle_resource_claims(loaded.objects, {.now = 5, .all_pods_known = all_pods_known});
  return std::move(loaded.objects);
}

TEST(ResourceClaims, TemplateBecomesAClaimOfThePod) {
  const api::ObjectSet objects = settled(std::string(kTemplate) + pod("train", std::string(kFromTemplate)));
  ASSERT_EQ(objects.resource_claims.size(), 1U);
  const api::ResourceClaim& made = objects.resource_claims[0].object;
  EXPECT_EQ(made.metadata.generate_name, "train-card-");
  EXPECT_TRUE(made.metadata.name.starts_with("train-card-"));
  EXPECT_EQ(made.metadata.name.size(), std::string("train-card-").size() + 5);
  EXPECT_EQ(made.metadata.namespace_, "team-a");
  EXPECT_EQ(made.metadata.labels.at("l"), "v");
  EXPECT_EQ(made.metadata.annotations.at("a"), "b");
  EXPECT_EQ(made.metadata.annotations.at("resource.kubernetes.io/pod-claim-name"), "card");
  EXPECT_EQ(made.metadata.owner_references,
            (std::vector<api::OwnerReference>{{"v1", "Pod", "train", "uid-train", true}}));
  EXPECT_EQ(made.metadata.creation_timestamp, 5);
  EXPECT_EQ(made.spec.requests.at(0).exactly->device_class_name, "gpu");
  EXPECT_EQ(objects.pods[0].object.status.resource_claim_statuses,
            (std::vector<api::PodResourceClaimStatus>{{"card", made.metadata.name}}));
}

TEST(ResourceClaims, SecondRoundChangesNothing) {
  api::ObjectSet objects = settled(std::string(kTemplate) + pod("train", std::string(kFromTemplate)));
  const api::ResourceClaim before = objects.resource_claims[0].object;
  settle_resource_claims(objects, {.now = 9, .all_pods_known = true});
  ASSERT_EQ(objects.resource_claims.size(), 1U);
  EXPECT_TRUE(objects.resource_claims[0].object == before);
}

TEST(ResourceClaims, OrphanIsAdopted) {
  const api::ObjectSet objects = settled(std::string(kTemplate) + pod("train", std::string(kFromTemplate)) +
                                         claim("train-card-old", "{}", owned_by("train", "uid-train")));
  EXPECT_EQ(objects.resource_claims.size(), 1U);
  EXPECT_EQ(objects.pods[0].object.status.resource_claim_statuses.at(0).resource_claim_name, "train-card-old");
}

// As upstream's controller, which writes the new claim into the pod's status.
TEST(ResourceClaims, PodWhoseStatusNamesAnotherPodsClaimGetsANewOne) {
  const api::ObjectSet objects = settled(
      std::string(kTemplate) +
      pod("train", std::string(kFromTemplate), "{resourceClaimStatuses: [{name: card, resourceClaimName: x}]}") +
      claim("x", "{}", owned_by("other", "uid-other")));
  ASSERT_EQ(objects.resource_claims.size(), 2U);
  EXPECT_TRUE(objects.resource_claims[0].object.status.reserved_for.empty());
  const api::ResourceClaim& made = objects.resource_claims[1].object;
  EXPECT_EQ(made.metadata.generate_name, "train-card-");
  ASSERT_EQ(objects.pods[0].object.status.resource_claim_statuses.size(), 1U);
  EXPECT_EQ(objects.pods[0].object.status.resource_claim_statuses[0].resource_claim_name, made.metadata.name);
}

TEST(ResourceClaims, EntryThatNeedsNoClaimGetsNone) {
  const api::ObjectSet objects = settled(
      std::string(kTemplate) + pod("train", std::string(kFromTemplate), "{resourceClaimStatuses: [{name: card}]}"));
  EXPECT_TRUE(objects.resource_claims.empty());
}

TEST(ResourceClaims, MissingTemplateMakesNothing) {
  const api::ObjectSet objects = settled(
      std::string(kTemplate) + pod("train", "resourceClaims: [{name: card, resourceClaimTemplateName: two-gpus}]"));
  EXPECT_TRUE(objects.resource_claims.empty());
  EXPECT_TRUE(objects.pods[0].object.status.resource_claim_statuses.empty());
}

TEST(ResourceClaims, FinishedAndDeletedPodsGetNone) {
  const api::ObjectSet objects =
      settled(std::string(kTemplate) + pod("train", std::string(kFromTemplate), "{phase: Succeeded}") +
              "{apiVersion: v1, kind: Pod, metadata: {name: gone, namespace: team-a, deletionTimestamp: "
              "\"2026-01-01T00:00:00Z\"}, spec: {containers: [{name: c}], " +
              std::string(kFromTemplate) + "}}\n");
  EXPECT_TRUE(objects.resource_claims.empty());
}

TEST(ResourceClaims, LongNamesAreCutInProportion) {
  const std::string long_name(60, 'p');
  const api::ObjectSet objects = settled(std::string(kTemplate) + pod(long_name, std::string(kFromTemplate)));
  const std::string& name = objects.resource_claims.at(0).object.metadata.generate_name;
  EXPECT_EQ(name, std::string(60 * 57 / 66, 'p') + "-car");
}

TEST(ResourceClaims, FinishedPodLeavesItsSharedClaim) {
  const std::string text =
      pod("a", "nodeName: node-1", "{phase: Succeeded}") + pod("b", "nodeName: node-1", "{phase: Running}") +
      claim("shared",
            "{" + kAllocation + ", reservedFor: [" + consumer("a", "uid-a") + ", " + consumer("b", "uid-b") + "]}");
  const api::ObjectSet objects = settled(text);
  const api::ResourceClaimStatus& status = objects.resource_claims.at(0).object.status;
  ASSERT_EQ(status.reserved_for.size(), 1U);
  EXPECT_EQ(status.reserved_for[0].name, "b");
  EXPECT_TRUE(status.allocation.has_value());
}

TEST(ResourceClaims, LastConsumerFreesTheDevices) {
  const api::ObjectSet objects =
      settled(pod("a", "nodeName: node-1", "{phase: Failed}") +
              claim("mine", "{" + kAllocation + ", reservedFor: [" + consumer("a", "uid-a") + "]}"));
  ASSERT_EQ(objects.resource_claims.size(), 1U);
  EXPECT_FALSE(objects.resource_claims[0].object.status.allocation.has_value());
  EXPECT_TRUE(objects.resource_claims[0].object.status.reserved_for.empty());
}

TEST(ResourceClaims, AllocatedAndNeverUsedStaysAllocated) {
  const api::ObjectSet objects = settled(claim("idle", "{" + kAllocation + "}"));
  EXPECT_TRUE(objects.resource_claims.at(0).object.status.allocation.has_value());
}

TEST(ResourceClaims, PodOfTheSameNameIsNotTheSamePod) {
  const api::ObjectSet objects =
      settled(pod("a", "nodeName: node-1", "{phase: Running}") +
              claim("mine", "{" + kAllocation + ", reservedFor: [" + consumer("a", "uid-of-before") + "]}"));
  EXPECT_FALSE(objects.resource_claims.at(0).object.status.allocation.has_value());
}

TEST(ResourceClaims, UnknownPodKeepsItsClaimUnlessAllAreKnown) {
  const std::string text =
      claim("mine", "{" + kAllocation + ", reservedFor: [" + consumer("a", "uid-a") +
                        ", {apiGroup: scheduling.k8s.io, resource: podgroups, name: g, uid: g}]}") +
      "{apiVersion: scheduling.k8s.io/v1beta1, kind: PodGroup, metadata: {namespace: team-a, name: g}, spec: "
      "{schedulingPolicy: {basic: {}}}}\n---\n" +
      claim("made", "{" + kAllocation + ", reservedFor: [" + consumer("a", "uid-a") + "]}", owned_by("a", "uid-a"));
  const api::ObjectSet files = settled(text);
  EXPECT_EQ(files.resource_claims.size(), 2U);
  EXPECT_EQ(files.resource_claims.at(0).object.status.reserved_for.size(), 2U);
  const api::ObjectSet simulation = settled(text, true);
  ASSERT_EQ(simulation.resource_claims.size(), 1U);  // the one that was made for the pod went with it
  ASSERT_EQ(simulation.resource_claims[0].object.status.reserved_for.size(), 1U);
  EXPECT_EQ(simulation.resource_claims[0].object.status.reserved_for[0].name, "g");
}

TEST(ResourceClaims, OneClaimForAllPodsOfAGroupThatListsIt) {
  const std::string link = std::string(kFromTemplate) + ", schedulingGroup: {podGroupName: g}";
  const std::string group =
      "{apiVersion: scheduling.k8s.io/v1beta1, kind: PodGroup, metadata: {namespace: team-a, name: g}, spec: "
      "{schedulingPolicy: {gang: {minCount: 2}}, resourceClaims: [{name: card, resourceClaimTemplateName: "
      "one-gpu}]}}\n---\n";
  const api::ObjectSet objects = settled(std::string(kTemplate) + group + pod("a", link) + pod("b", link));
  ASSERT_EQ(objects.resource_claims.size(), 1U);
  const api::ObjectMeta& metadata = objects.resource_claims[0].object.metadata;
  EXPECT_EQ(metadata.owner_references.at(0).kind, "PodGroup");
  EXPECT_EQ(objects.pod_groups.at(0).object.resource_claim_statuses.at(0).resource_claim_name, metadata.name);
  for (const auto& read : objects.pods)
    EXPECT_EQ(read.object.status.resource_claim_statuses.at(0).resource_claim_name, metadata.name);
}

TEST(ResourceClaims, AClaimOfAGroupGoesWithIt) {
  const std::string text =
      claim("shared", "{}",
            ", ownerReferences: [{apiVersion: scheduling.k8s.io/v1beta1, kind: PodGroup, name: g, uid: g, controller: "
            "true}]");
  EXPECT_EQ(settled(text).resource_claims.size(), 1U);
  EXPECT_TRUE(settled(text, true).resource_claims.empty());
}

TEST(ResourceClaims, ClaimMadeForAFinishedPodGoes) {
  const api::ObjectSet objects = settled(
      pod("a", "nodeName: node-1", "{phase: Succeeded}") +
      claim("made", "{" + kAllocation + ", reservedFor: [" + consumer("a", "uid-a") + "]}", owned_by("a", "uid-a")));
  EXPECT_TRUE(objects.resource_claims.empty());
}

TEST(ResourceClaims, DeletedClaimGoesWhenUnused) {
  const std::string deleting = ", deletionTimestamp: \"2026-01-01T00:00:00Z\"";
  const api::ObjectSet objects =
      settled(pod("a", "nodeName: node-1", "{phase: Running}") + claim("unused", "{" + kAllocation + "}", deleting) +
              claim("used", "{" + kAllocation + ", reservedFor: [" + consumer("a", "uid-a") + "]}", deleting));
  ASSERT_EQ(objects.resource_claims.size(), 1U);
  EXPECT_EQ(objects.resource_claims[0].object.metadata.name, "used");
}

TEST(ResourceClaims, BoundPodGetsItsReservation) {
  const api::ObjectSet objects = settled(
      pod("a", "nodeName: node-1, resourceClaims: [{name: card, resourceClaimName: mine}]", "{phase: Running}") +
      pod("b", "resourceClaims: [{name: card, resourceClaimName: mine}]") + claim("mine", "{" + kAllocation + "}"));
  const auto& reserved = objects.resource_claims.at(0).object.status.reserved_for;
  ASSERT_EQ(reserved.size(), 1U);  // the scheduler reserves for pods that are not bound yet
  EXPECT_EQ(reserved[0], (api::ClaimConsumer{"", "pods", "a", "uid-a"}));
}

TEST(ResourceClaims, FullClaimTakesNoMore) {
  std::string consumers;
  for (int i = 0; i < 256; ++i)
    consumers += (i == 0 ? "" : ", ") + consumer("x" + std::to_string(i), std::to_string(i) + "u");
  const api::ObjectSet objects = settled(
      pod("a", "nodeName: node-1, resourceClaims: [{name: card, resourceClaimName: mine}]", "{phase: Running}") +
      claim("mine", "{" + kAllocation + ", reservedFor: [" + consumers + "]}"));
  EXPECT_EQ(objects.resource_claims.at(0).object.status.reserved_for.size(), 256U);
}

}  // namespace
}  // namespace berth::controllers
