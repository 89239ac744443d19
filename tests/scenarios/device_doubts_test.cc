// What the input says of devices and what cannot be so: plan says it and goes on.
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "support/run_command.h"

namespace berth::cli {
namespace {

// What `plan -o json` says of the input; each sentence is one string there.
std::string plan(const std::string& text) {
  const Ran ran = berth({"plan", "-o", "json", input_file(text)});
  EXPECT_TRUE(ran.err.empty()) << ran.err;
  const std::size_t begin = ran.out.find("\"weaker\"");
  return begin == std::string::npos ? ran.out : ran.out.substr(begin, ran.out.find(']', begin) - begin);
}

std::string node(const std::string& name, int cards) {
  return fmt::format(
      "---\n{{apiVersion: v1, kind: Node, metadata: {{name: {}}}, status: {{allocatable: {{cpu: \"64\", memory: 512Gi, "
      "pods: \"110\"{}}}, conditions: [{{type: Ready, status: \"True\"}}]}}}}\n",
      name, cards == 0 ? "" : fmt::format(", nvidia.com/gpu: \"{}\"", cards));
}

// Whole cards of one node, as NVIDIA's driver names them.
std::string slice(const std::string& node, const std::vector<std::pair<int, std::string>>& cards) {
  std::string devices;
  for (const auto& [number, uuid] : cards)
    devices += fmt::format("{}{{name: gpu-{}, attributes: {{type: {{string: gpu}}, uuid: {{string: {}}}}}}}",
                           devices.empty() ? "" : ", ", number, uuid);
  return fmt::format(
      "---\n{{apiVersion: resource.k8s.io/v1, kind: ResourceSlice, metadata: {{name: {0}-gpus}}, spec: {{driver: "
      "gpu.nvidia.com, nodeName: {0}, pool: {{name: {0}, generation: 1, resourceSliceCount: 1}}, devices: [{1}]}}}}\n",
      node, devices);
}

std::string claim(const std::string& name, const std::string& device) {
  const std::string has = device.empty() ? ""
                                         : fmt::format(
                                               ", status: {{allocation: {{devices: {{results: [{{request: r, driver: "
                                               "gpu.nvidia.com, pool: n1, device: {}}}]}}}}}}",
                                               device);
  return fmt::format(
      "---\n{{apiVersion: resource.k8s.io/v1, kind: ResourceClaim, metadata: {{name: {}, namespace: a}}, spec: "
      "{{devices: {{requests: [{{name: r, exactly: {{deviceClassName: gpu}}}}]}}}}{}}}\n",
      name, has);
}

std::string running_pod(const std::string& name, const std::string& claim) {
  return fmt::format(
      "---\n{{apiVersion: v1, kind: Pod, metadata: {{name: {}, namespace: a}}, spec: {{nodeName: n1, resourceClaims: "
      "[{{name: c, resourceClaimName: {}}}], containers: [{{name: c, resources: {{claims: [{{name: c}}]}}}}]}}, "
      "status: {{phase: Running}}}}\n",
      name, claim);
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST(DeviceDoubts, PluginAndSlicesThatOfferDifferentNumbersOfCardsAreReported) {
  const std::string said = plan(node("n1", 4) + slice("n1", {{0, "a"}, {1, "b"}, {2, "c"}, {3, "d"}, {4, "e"}}));
  EXPECT_TRUE(has(said, "n1 (4 nvidia.com/gpu and 5 cards in slices) do not offer the same cards")) << said;
  const std::string same = plan(node("n1", 2) + slice("n1", {{0, "a"}, {1, "b"}}));
  EXPECT_FALSE(has(same, "cards")) << same;
}

TEST(DeviceDoubts, CardsWhoseNumberTheDevicePluginDoesNotCountAreReported) {
  const std::string said = plan(node("n1", 2) + slice("n1", {{0, "a"}, {7, "b"}}));
  EXPECT_TRUE(has(said, "Not all cards in the slices of n1 (nvidia.com/gpu) could be matched by their numbers"))
      << said;
}

TEST(DeviceDoubts, ACardOfTwoNodesIsReported) {
  const std::string said =
      plan(node("n1", 0) + node("n2", 0) + slice("n1", {{0, "GPU-1"}}) + slice("n2", {{0, "GPU-1"}}));
  EXPECT_TRUE(has(said, "two nodes have the same card: GPU-1 (n1 and n2)")) << said;
}

TEST(DeviceDoubts, ADeviceThatTwoClaimsHaveIsReported) {
  const std::string world = node("n1", 0) + slice("n1", {{0, "a"}, {1, "b"}}) + claim("x", "gpu-0");
  const std::string said = plan(world + claim("z", "gpu-0"));
  EXPECT_TRUE(has(said, "Two claims have gpu-0 of pool n1 (a/x and a/z)")) << said;
  EXPECT_FALSE(has(plan(world + claim("z", "gpu-1")), "Two claims"));
}

TEST(DeviceDoubts, ADeviceThatNoSliceHasIsReported) {
  const std::string said = plan(node("n1", 0) + slice("n1", {{0, "a"}}) + claim("x", "gpu-9"));
  EXPECT_TRUE(has(said, "No slice has gpu-9 of pool n1 (a/x)")) << said;
}

TEST(DeviceDoubts, APodThatRunsWithoutTheDevicesOfItsClaimIsReported) {
  const std::string world = node("n1", 0) + slice("n1", {{0, "a"}}) + running_pod("p", "x");
  const std::string said = plan(world + claim("x", ""));
  EXPECT_TRUE(has(said, "their claims have no devices: a/p (claim x)")) << said;
  EXPECT_FALSE(has(plan(world + claim("x", "gpu-0")), "no devices"));
}

// The driver's controller fails here; the pods would wait for their daemon for ever.
TEST(DeviceDoubts, ATemplateInTheWayOfAComputeDomainIsReported) {
  const std::string domain =
      "---\n{apiVersion: resource.nvidia.com/v1beta1, kind: ComputeDomain, metadata: {name: d, namespace: a, uid: u}, "
      "spec: {numNodes: 0, channel: {resourceClaimTemplate: {name: t}}}}\n";
  const std::string in_the_way =
      "---\n{apiVersion: resource.k8s.io/v1, kind: ResourceClaimTemplate, metadata: {name: t, namespace: a}, spec: "
      "{spec: {devices: {requests: [{name: r, exactly: {deviceClassName: gpu}}]}}}}\n";
  const std::string said = plan(node("n1", 0) + domain + in_the_way);
  EXPECT_TRUE(has(said, "ComputeDomain a/d (template t): its pods get no channel")) << said;
  EXPECT_FALSE(has(plan(node("n1", 0) + domain), "ComputeDomain"));
}

}  // namespace
}  // namespace berth::cli
