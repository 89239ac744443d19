#include "controllers/device_taints.h"

#include <gtest/gtest.h>

#include <string>

#include "api/load.h"

namespace berth::controllers {
namespace {

// A pod that runs with one device, which tolerates as told, and a taint rule added at 1970-01-01T00:01:40Z.
api::ObjectSet world(const std::string& tolerations, const std::string& taint,
                     const std::string& selector = "{driver: d}",
                     const std::string& consumer = "{resource: pods, name: p, uid: u}") {
  api::Loaded loaded = api::load_text(
      "{apiVersion: v1, kind: Pod, metadata: {name: p, namespace: a, uid: u}, spec: {nodeName: n1, resourceClaims: "
      "[{name: card, resourceClaimName: c}], containers: [{name: c}]}}\n---\n"
      "{apiVersion: resource.k8s.io/v1, kind: ResourceClaim, metadata: {name: c, namespace: a}, "
      "spec: {devices: {requests: [{name: r, exactly: {deviceClassName: gpu}}]}}, "
      "status: {reservedFor: [" +
          consumer +
          "], allocation: {devices: {results: [{request: r, driver: d, pool: n1, device: gpu-0, tolerations: [" +
          tolerations +
          "]}]}}}}\n---\n"
          "{apiVersion: resource.k8s.io/v1, kind: DeviceTaintRule, metadata: {name: t}, spec: {deviceSelector: " +
          selector + ", taint: {key: broken, value: \"yes\", effect: " + taint +
          ", timeAdded: \"1970-01-01T00:01:40Z\"}}}\n",
      "x.yaml");
  for (const Error& error : loaded.errors) ADD_FAILURE() << error.to_string();
  return std::move(loaded.objects);
}

std::string told(const api::ObjectSet& objects) {
  std::string result;
  for (const DeviceEviction& one : device_evictions(objects))
    result += one.pod->metadata.name + " at " + std::to_string(one.at);
  return result;
}

TEST(DeviceTaints, NoExecuteDrivesOutAtOnce) {
  EXPECT_EQ(told(world("", "NoExecute")), "p at 100");
  EXPECT_EQ(told(world("", "NoSchedule")), "");
  EXPECT_EQ(told(world("", "NoExecute", "{driver: other}")), "");
}

TEST(DeviceTaints, TolerationsGiveTimeOrPeace) {
  EXPECT_EQ(told(world("{key: broken, operator: Exists, effect: NoExecute}", "NoExecute")), "");
  EXPECT_EQ(told(world("{key: broken, operator: Exists, effect: NoExecute, tolerationSeconds: 30}", "NoExecute")),
            "p at 130");
  EXPECT_EQ(told(world("{key: broken, operator: Exists, effect: NoExecute, tolerationSeconds: 30}, "
                       "{key: broken, value: \"yes\", effect: NoExecute, tolerationSeconds: 60}",
                       "NoExecute")),
            "p at 130");
  EXPECT_EQ(told(world("{key: broken, value: \"no\", effect: NoExecute}", "NoExecute")), "p at 100");
}

// The scheduler takes it for one of every effect, the eviction controller does not.
TEST(DeviceTaints, TolerationWithoutAnEffectKeepsNobody) {
  EXPECT_EQ(told(world("{key: broken, operator: Exists}", "NoExecute")), "p at 100");
  EXPECT_EQ(told(world("{operator: Exists, tolerationSeconds: 60}", "NoExecute")), "p at 100");
}

// Perhaps the other one is gone, and this is its successor under the same name.
TEST(DeviceTaints, PodOfTheSameNameStays) {
  EXPECT_EQ(told(world("", "NoExecute", "{driver: d}", "{resource: pods, name: p, uid: other}")), "");
  EXPECT_EQ(told(world("", "NoExecute", "{driver: d}", "{resource: pods, name: q, uid: u}")), "");
}

}  // namespace
}  // namespace berth::controllers
