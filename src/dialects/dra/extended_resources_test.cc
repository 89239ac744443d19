#include "dialects/dra/extended_resources.h"

#include <gtest/gtest.h>

#include <string>

#include "api/load.h"

namespace berth::dialects::dra {
namespace {

api::ObjectSet read(const std::string& text) {
  api::Loaded loaded = api::load_text(text, "x.yaml");
  for (const Error& error : loaded.errors) ADD_FAILURE() << error.to_string();
  return std::move(loaded.objects);
}

std::string device_class(const std::string& name, const std::string& resource, const std::string& created) {
  return "{apiVersion: resource.k8s.io/v1, kind: DeviceClass, metadata: {name: " + name + ", creationTimestamp: \"" +
         created + "\"}, spec: {extendedResourceName: " + resource + "}}\n---\n";
}

std::string told(const ExtendedResource& asked) {
  std::string text = asked.resource + ":";
  for (const api::DeviceRequest& request : asked.spec.requests)
    text +=
        " " + request.name + "=" + std::to_string(request.exactly->count) + " of " + request.exactly->device_class_name;
  for (const auto& mapping : asked.mappings) text += "; " + mapping.container_name + " uses " + mapping.request_name;
  return text;
}

TEST(ExtendedResources, TheNewerClassServesTheNameThenTheSmallerName) {
  const api::ObjectSet objects = read(device_class("old", "example.com/gpu", "2026-01-01T00:00:00Z") +
                                      device_class("b", "example.com/gpu", "2026-02-01T00:00:00Z") +
                                      device_class("a", "example.com/gpu", "2026-02-01T00:00:00Z"));
  const ServedResources served = served_resources(objects.device_classes);
  EXPECT_EQ(served.at("example.com/gpu"), "a");
  EXPECT_EQ(served.at("deviceclass.resource.kubernetes.io/old"), "old");
}

TEST(ExtendedResources, ContainersThatStayGetRequestsOfTheirOwn) {
  const api::ObjectSet objects =
      read(device_class("gpu", "example.com/gpu", "2026-01-01T00:00:00Z") +
           "{apiVersion: v1, kind: Pod, metadata: {name: p}, spec: {initContainers: ["
           "{name: small, resources: {limits: {example.com/gpu: \"1\"}}}, "
           "{name: large, resources: {limits: {example.com/gpu: \"5\"}}}, "
           "{name: side, restartPolicy: Always, resources: {limits: {example.com/gpu: \"1\"}}}], containers: ["
           "{name: main, resources: {requests: {cpu: \"1\"}, limits: {example.com/gpu: \"2\"}}}]}}\n");
  const auto asked = extended_resources(objects.pods.at(0).object, served_resources(objects.device_classes));
  ASSERT_EQ(asked.size(), 1U);
  // small and large run before the others: three devices of theirs will do for small, large wants two more.
  EXPECT_EQ(told(asked[0]),
            "example.com/gpu: container-1-request-0=2 of gpu container-2-request-0=1 of gpu container-3-request-1=2 of "
            "gpu; side uses container-2-request-0; main uses container-3-request-1; small uses container-2-request-0; "
            "large uses container-2-request-0; large uses container-3-request-1; large uses container-1-request-0");
}

TEST(ExtendedResources, TheClaimIsThePodsOwn) {
  const api::ObjectSet objects =
      read(device_class("gpu", "example.com/gpu", "2026-01-01T00:00:00Z") +
           "{apiVersion: v1, kind: Pod, metadata: {name: p, namespace: a, uid: u}, spec: {containers: ["
           "{name: main, resources: {limits: {example.com/gpu: \"2\"}}}]}}\n");
  const api::Pod& pod = objects.pods.at(0).object;
  const api::ResourceClaim claim =
      extended_resource_claim(pod, extended_resources(pod, served_resources(objects.device_classes)));
  EXPECT_TRUE(is_extended_resource_claim(claim));
  EXPECT_EQ(claim.metadata.generate_name, "p-extended-resources-");
  EXPECT_EQ(claim.metadata.owner_references.at(0).uid, "u");
  EXPECT_EQ(claim.spec.requests.size(), 1U);
}

}  // namespace
}  // namespace berth::dialects::dra
