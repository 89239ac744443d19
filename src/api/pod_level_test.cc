#include "api/pod_level.h"

#include <gtest/gtest.h>

#include <string>

namespace berth::api {
namespace {

Container container(const ResourceList& requests) {
  Container result;
  result.resources.requests = requests;
  return result;
}

Quantity milli(std::int64_t amount) { return Quantity::from_milli(amount); }
Quantity units(std::int64_t amount) { return Quantity::from_units(amount); }

TEST(PodLevel, APodWithoutStaysWithout) {
  PodSpec spec;
  spec.containers = {container({{"cpu", milli(100)}})};
  default_pod_level_requests(spec);
  EXPECT_FALSE(spec.resources);
}

TEST(PodLevel, RequestsComeFromContainersBeforeTheLimit) {
  PodSpec spec;
  spec.containers = {container({{"cpu", milli(100)}}), container({})};
  spec.resources = ResourceRequirements{};
  spec.resources->limits = {{"cpu", units(4)}, {"memory", units(1000)}, {"hugepages-2Mi", units(2048)}};
  default_pod_level_requests(spec);
  const ResourceList expected = {{"cpu", milli(100)}, {"memory", units(1000)}, {"hugepages-2Mi", units(2048)}};
  EXPECT_EQ(spec.resources->requests, expected);
}

TEST(PodLevel, HugePagesOfTheContainersCountWhereThePodSaysNothing) {
  PodSpec spec;
  spec.containers = {container({{"hugepages-2Mi", units(64)}, {"hugepages-1Gi", units(1)}})};
  spec.resources = ResourceRequirements{};
  spec.resources->limits = {{"hugepages-1Gi", units(2)}};
  default_pod_level_requests(spec);
  const ResourceList expected = {{"hugepages-1Gi", units(2)}, {"hugepages-2Mi", units(64)}};
  EXPECT_EQ(spec.resources->requests, expected);
}

TEST(PodLevel, OwnRequestsStay) {
  PodSpec spec;
  spec.containers = {container({{"cpu", milli(100)}, {"memory", units(5)}})};
  spec.resources = ResourceRequirements{};
  spec.resources->requests = {{"cpu", units(2)}};
  default_pod_level_requests(spec);
  const ResourceList expected = {{"cpu", units(2)}, {"memory", units(5)}};
  EXPECT_EQ(spec.resources->requests, expected);
}

TEST(PodLevel, ASidecarRunsBesideLaterInitContainers) {
  PodSpec spec;
  spec.containers = {container({{"cpu", milli(100)}})};
  Container sidecar = container({{"cpu", milli(300)}});
  sidecar.restart_always = true;
  spec.init_containers = {container({{"cpu", milli(700)}}), sidecar, container({{"cpu", milli(600)}})};
  const ResourceList expected = {{"cpu", milli(900)}};
  EXPECT_EQ(container_requests(spec), expected);
}

}  // namespace
}  // namespace berth::api
