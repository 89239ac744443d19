#include "controllers/compute_domains.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "api/load.h"

namespace berth::controllers {
namespace {

api::ObjectSet objects(const std::string& more) {
  api::Loaded loaded = api::load_text(
      "{apiVersion: v1, kind: Node, metadata: {name: n1, labels: {nvidia.com/gpu.clique: u.1}}}\n---\n"
      "{apiVersion: resource.nvidia.com/v1beta1, kind: ComputeDomain, metadata: {name: d, namespace: a, uid: u-1}, "
      "spec: "
      "{numNodes: 0, channel: {resourceClaimTemplate: {name: channel}}}}\n" +
          more,
      "x.yaml");
  for (const Error& error : loaded.errors) ADD_FAILURE() << error.to_string();
  return std::move(loaded.objects);
}

const std::string kRuns =
    "---\n{apiVersion: v1, kind: Pod, metadata: {name: p, namespace: a}, spec: {nodeName: n1, containers: [{name: "
    "c}]}, "
    "status: {phase: Running}}\n"
    "---\n{apiVersion: resource.k8s.io/v1, kind: ResourceClaim, metadata: {name: c, namespace: a}, spec: {devices: "
    "{requests: [{name: channel, exactly: {deviceClassName: x}}], config: [{opaque: {driver: "
    "compute-domain.nvidia.com, "
    "parameters: {apiVersion: resource.nvidia.com/v1beta1, kind: ComputeDomainChannelConfig, domainID: u-1}}}]}}, "
    "status: {reservedFor: [{resource: pods, name: p, uid: u}], allocation: {devices: {results: [{request: channel, "
    "driver: compute-domain.nvidia.com, pool: n1, device: channel-0}]}}}}\n";

TEST(ComputeDomains, TemplatesAndDaemonSetAreMadeOnce) {
  api::ObjectSet set = objects("");
  EXPECT_TRUE(settle_compute_domains(set, {.now = 7}).empty());
  ASSERT_EQ(set.resource_claim_templates.size(), 2U);
  const api::ResourceClaimTemplate& channel = set.resource_claim_templates[0].object;
  EXPECT_EQ(channel.metadata.namespace_ + "/" + channel.metadata.name, "a/channel");
  EXPECT_EQ(channel.spec.requests[0].exactly->device_class_name, kChannelClass);
  const auto config = api::parse_nvidia_config(channel.spec.config[0].opaque);
  ASSERT_TRUE(config) << config.error().to_string();
  EXPECT_EQ(std::get<api::ComputeDomainChannelConfig>(*config).domain_id, "u-1");
  ASSERT_EQ(set.daemon_sets.size(), 1U);
  EXPECT_EQ(set.daemon_sets[0].object.pod_template.spec.node_selector.at("resource.nvidia.com/computeDomain"), "u-1");
  EXPECT_FALSE(set.compute_domains[0].object.ready) << "it has no member";
  settle_compute_domains(set, {.now = 8});
  EXPECT_EQ(set.resource_claim_templates.size(), 2U);
  EXPECT_EQ(set.daemon_sets.size(), 1U);
}

TEST(ComputeDomains, NodeWithAChannelBecomesAMemberAndLeavesWithItsPod) {
  api::ObjectSet set = objects(kRuns);
  settle_compute_domains(set, {.now = 7, .all_known = true});
  EXPECT_EQ(set.nodes[0].object.metadata.labels.at("resource.nvidia.com/computeDomain"), "u-1");
  ASSERT_EQ(set.compute_domains[0].object.nodes.size(), 1U);
  EXPECT_EQ(set.compute_domains[0].object.nodes[0].clique_id, "u.1");
  EXPECT_FALSE(set.compute_domains[0].object.ready) << "its daemon does not run yet";
  api::Pod daemon;
  daemon.metadata.name = "daemon";
  daemon.metadata.namespace_ = kComputeDomainNamespace;
  daemon.metadata.labels.emplace("resource.nvidia.com/computeDomain", "u-1");
  daemon.spec.node_name = "n1";
  daemon.status.phase = api::PodPhase::kRunning;
  set.pods.push_back({daemon, {}});
  settle_compute_domains(set, {.now = 8, .all_known = true});
  EXPECT_TRUE(set.compute_domains[0].object.ready);
  set.pods[0].object.status.phase = api::PodPhase::kSucceeded;
  EXPECT_EQ(settle_compute_domains(set, {.now = 9, .all_known = false}), std::vector<std::string>{});
  EXPECT_EQ(settle_compute_domains(set, {.now = 9, .all_known = true}),
            std::vector<std::string>{"nvidia-dra-driver-gpu/daemon"});
  EXPECT_FALSE(set.nodes[0].object.metadata.labels.contains("resource.nvidia.com/computeDomain"));
}

TEST(ComputeDomains, APodOfTheSameNameThatCameLaterIsNoMember) {
  api::ObjectSet set = objects(kRuns);
  set.pods[0].object.metadata.uid = "another";
  settle_compute_domains(set, {.now = 7, .all_known = true});
  EXPECT_TRUE(set.compute_domains[0].object.nodes.empty());
}

TEST(ComputeDomains, AClaimReservedForAGroupOfTheSameNameMakesNoMember) {
  api::ObjectSet set = objects(kRuns);
  set.resource_claims[0].object.status.reserved_for[0].resource = "podgroups";
  settle_compute_domains(set, {.now = 7, .all_known = true});
  EXPECT_TRUE(set.compute_domains[0].object.nodes.empty());
}

// A class may carry the channel's configuration, too.
TEST(ComputeDomains, TheConfigurationOfTheAllocationSaysWhoseTheChannelIs) {
  api::ObjectSet set = objects(kRuns);
  api::ResourceClaim& claim = set.resource_claims[0].object;
  claim.status.allocation->config.push_back({api::ConfigSource::kFromClass, {}, claim.spec.config[0].opaque});
  claim.spec.config.clear();
  settle_compute_domains(set, {.now = 7, .all_known = true});
  EXPECT_EQ(set.compute_domains[0].object.nodes.size(), 1U);
}

// Whichever of the two comes first.
TEST(ComputeDomains, ANodeThatGoesToAnotherDomainLosesTheDaemonOfTheFirst) {
  for (const bool first : {true, false}) {
    api::ObjectSet set = objects(kRuns);
    set.nodes[0].object.metadata.labels.emplace("resource.nvidia.com/computeDomain", "u-0");
    api::ComputeDomain left = set.compute_domains[0].object;
    left.metadata.name = "left";
    left.metadata.uid = "u-0";
    set.compute_domains.insert(set.compute_domains.begin() + (first ? 0 : 1), {left, {}});
    api::Pod daemon;
    daemon.metadata.name = "daemon";
    daemon.metadata.namespace_ = kComputeDomainNamespace;
    daemon.metadata.labels.emplace("resource.nvidia.com/computeDomain", "u-0");
    daemon.spec.node_name = "n1";
    set.pods.push_back({daemon, {}});
    EXPECT_EQ(settle_compute_domains(set, {.now = 7, .all_known = true}),
              std::vector<std::string>{"nvidia-dra-driver-gpu/daemon"});
    EXPECT_EQ(set.nodes[0].object.metadata.labels.at("resource.nvidia.com/computeDomain"), "u-1");
    EXPECT_EQ(set.compute_domains[first ? 1 : 0].object.nodes.size(), 1U);
    EXPECT_TRUE(set.compute_domains[first ? 0 : 1].object.nodes.empty());
  }
}

// 2,000 domains of one node each, which were looked for among all nodes, templates and pods.
TEST(ComputeDomains, ManyDomainsEachHaveTheirNode) {
  constexpr int kMany = 2000;
  api::ObjectSet set = objects(kRuns);
  const auto node = set.nodes[0];
  const auto domain = set.compute_domains[0];
  const auto pod = set.pods[0];
  const auto claim = set.resource_claims[0];
  for (int i = 0; i < kMany; ++i) {
    const std::string number = std::to_string(i);
    set.nodes.push_back(node);
    set.nodes.back().object.metadata.name = "n-" + number;
    set.compute_domains.push_back(domain);
    set.compute_domains.back().object.metadata.name = "d-" + number;
    set.compute_domains.back().object.metadata.uid = "u-" + number + "x";
    set.compute_domains.back().object.claim_template_name = "channel-" + number;
    set.pods.push_back(pod);
    set.pods.back().object.metadata.name = "p-" + number;
    set.pods.back().object.spec.node_name = "n-" + number;
    set.resource_claims.push_back(claim);
    api::ResourceClaim& its = set.resource_claims.back().object;
    its.metadata.name = "c-" + number;
    its.status.reserved_for[0].name = "p-" + number;
    std::string& parameters = its.spec.config[0].opaque.parameters;
    parameters.replace(parameters.find("u-1"), 3, "u-" + number + "x");
  }
  settle_compute_domains(set, {.now = 7, .all_known = true});
  for (const auto& read : set.compute_domains) ASSERT_EQ(read.object.nodes.size(), 1U) << read.object.metadata.name;
  EXPECT_EQ(set.daemon_sets.size(), kMany + 1U);
}

}  // namespace
}  // namespace berth::controllers
