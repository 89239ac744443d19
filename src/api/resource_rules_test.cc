#include "api/resource_rules.h"

#include <string>

#include <gtest/gtest.h>

#include "api/load.h"

namespace berth::api {
namespace {

// What is remarked on in a pod whose container has these resources; it is read in any case.
std::string remarks_on(const std::string& resources) {
  const Loaded loaded = load_text(
      "{apiVersion: v1, kind: Pod, metadata: {name: p}, spec: {containers: [{name: c, resources: " + resources + "}]}}",
      "x.yaml");
  EXPECT_TRUE(loaded.errors.empty());
  EXPECT_EQ(loaded.objects.pods.size(), 1U);
  std::string out;
  for (const Error& remark : loaded.remarks) out += remark.to_string() + '\n';
  return out;
}

TEST(ResourceRules, WhatIsNotOvercommittedNeedsAnEqualLimit) {
  const std::string without = remarks_on("{requests: {nvidia.com/gpu: 1}}");
  EXPECT_NE(without.find("spec.containers[0].resources.requests[nvidia.com/gpu]: The API server takes a request of "
                         "nvidia.com/gpu only with an equal limit"),
            std::string::npos)
      << without;
  EXPECT_NE(remarks_on("{requests: {nvidia.com/gpu: 1}, limits: {nvidia.com/gpu: 2}}").find("resources.limits["),
            std::string::npos);
  EXPECT_NE(remarks_on("{requests: {cpu: 1, hugepages-2Mi: 2Mi}}").find("equal limit"), std::string::npos);
  for (const char* fine :
       {"{limits: {nvidia.com/gpu: 1}}", "{requests: {nvidia.com/gpu: 1}, limits: {nvidia.com/gpu: 1}}",
        "{requests: {cpu: 1}, limits: {cpu: 2}}", "{requests: {cpu: 1, memory: 1Gi}}"})
    EXPECT_EQ(remarks_on(fine), "");
}

TEST(ResourceRules, HugePagesAreWholeAndBesideCpuOrMemory) {
  const std::string part = remarks_on("{limits: {cpu: 1, hugepages-2Mi: 3Mi}}");
  EXPECT_NE(
      part.find("resources.requests[hugepages-2Mi]: The API server takes whole pages only; write a multiple of 2Mi"),
      std::string::npos)
      << part;
  const std::string alone = remarks_on("{limits: {hugepages-2Mi: 4Mi}}");
  EXPECT_NE(alone.find("spec.containers[0].resources: The API server takes huge pages only beside cpu or memory"),
            std::string::npos)
      << alone;
  EXPECT_EQ(remarks_on("{limits: {memory: 1Gi, hugepages-2Mi: 4Mi, hugepages-1Gi: 2Gi}}"), "");
}

}  // namespace
}  // namespace berth::api
