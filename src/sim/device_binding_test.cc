#include "sim/device_binding.h"

#include <gtest/gtest.h>

#include "api/load.h"

namespace berth::sim {
namespace {

using State = DeviceBinding::State;

// A pod with a claim for two devices, of which the second has to be attached and may break.
api::ObjectSet objects() {
  return api::load_text(R"(apiVersion: v1
kind: Pod
metadata: {name: p, namespace: default, uid: u}
spec:
  nodeName: n1
  resourceClaims: [{name: c, resourceClaimName: c}]
  containers: [{name: m, image: i}]
---
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata: {name: c, namespace: default}
spec: {devices: {requests: [{name: r, exactly: {deviceClassName: k, count: 2}}]}}
status:
  reservedFor: [{resource: pods, name: p, uid: u}]
  allocation:
    allocationTimestamp: "2026-01-01T00:00:00Z"
    devices:
      results:
      - {request: r, driver: d, pool: n1, device: plain}
      - {request: r, driver: d, pool: n1, device: far, bindingConditions: [attached, ready], bindingFailureConditions: [broken]}
)",
                        "test")
      .objects;
}

constexpr api::Time kAllocated = 1'767'225'600;

DeviceBinding standing(const api::ObjectSet& all, api::Time now = kAllocated) {
  return device_binding(claims_of(all.pods.front().object, all), 600, now);
}

TEST(DeviceBinding, WaitsUntilAllConditionsAreTrue) {
  api::ObjectSet all = objects();
  ASSERT_EQ(all.resource_claims.size(), 1U);
  EXPECT_EQ(standing(all).state, State::kWaits);
  EXPECT_EQ(standing(all).until, kAllocated + 600);
  set_device_condition(all, "c", "far", {"attached", "True"});
  EXPECT_EQ(standing(all).what, "far has the condition ready");
  set_device_condition(all, "c", "far", {"ready", "False"});
  EXPECT_EQ(standing(all).state, State::kWaits);
  set_device_condition(all, "*", "*", {"ready", "True"});
  EXPECT_EQ(standing(all).state, State::kReady);
}

TEST(DeviceBinding, OneFailureConditionIsEnough) {
  api::ObjectSet all = objects();
  set_device_condition(all, "c", "*", {"attached", "True"});
  set_device_condition(all, "c", "far", {"broken", "True"});
  EXPECT_EQ(standing(all).state, State::kFailed);
}

TEST(DeviceBinding, TheTimeCountsFromTheAllocation) {
  EXPECT_EQ(standing(objects(), kAllocated + 599).state, State::kWaits);
  EXPECT_EQ(standing(objects(), kAllocated + 600).state, State::kTimedOut);
}

TEST(DeviceBinding, WhoGivesItsPlaceUpLeavesTheClaimFree) {
  api::ObjectSet all = objects();
  set_device_condition(all, "c", "*", {"broken", "True"});
  unbind(all.pods.front().object, all);
  EXPECT_TRUE(all.pods.front().object.spec.node_name.empty());
  const api::ResourceClaimStatus& status = all.resource_claims.front().object.status;
  EXPECT_FALSE(status.allocation.has_value());
  EXPECT_TRUE(status.reserved_for.empty());
  EXPECT_TRUE(status.devices.empty()) << "what drivers said is about devices that it had";
}

TEST(DeviceBinding, AClaimThatOthersUseKeepsItsDevices) {
  api::ObjectSet all = objects();
  all.resource_claims.front().object.status.reserved_for.push_back({"", "pods", "other", "v"});
  unbind(all.pods.front().object, all);
  EXPECT_TRUE(all.resource_claims.front().object.status.allocation.has_value());
}

}  // namespace
}  // namespace berth::sim
