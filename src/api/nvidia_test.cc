#include "api/nvidia.h"

#include <gtest/gtest.h>

#include <string>

#include "api/load.h"

namespace berth::api {
namespace {

std::string gpu(const std::string& rest) {
  return R"({"apiVersion":"resource.nvidia.com/v1beta1","kind":"GpuConfig")" + rest + "}";
}

Result<NvidiaConfig> parse(const std::string& parameters, std::string_view driver = kNvidiaGpuDriver) {
  return parse_nvidia_config({std::string(driver), parameters});
}

std::string fault(const std::string& parameters, std::string_view driver = kNvidiaGpuDriver) {
  const auto config = parse(parameters, driver);
  return config ? "" : config.error().to_string();
}

TEST(NvidiaConfig, TimeSlicing) {
  const auto config = parse(gpu(R"(,"sharing":{"strategy":"TimeSlicing","timeSlicingConfig":{"interval":"Long"}})"));
  ASSERT_TRUE(config.has_value()) << config.error().to_string();
  const auto& sharing = std::get<GpuConfig>(*config).sharing;
  EXPECT_EQ(sharing->strategy, SharingStrategy::kTimeSlicing);
  EXPECT_EQ(sharing->interval, TimeSliceInterval::kLong);
}

TEST(NvidiaConfig, Mps) {
  const auto config =
      parse(gpu(R"(,"sharing":{"strategy":"MPS","mpsConfig":{"defaultActiveThreadPercentage":50,)"
                R"("defaultPinnedDeviceMemoryLimit":"10Gi","defaultPerDevicePinnedMemoryLimit":{"0":"8Gi"},)"
                R"("multiUser":true}})"));
  ASSERT_TRUE(config.has_value()) << config.error().to_string();
  const MpsConfig& mps = *std::get<GpuConfig>(*config).sharing->mps;
  EXPECT_EQ(mps.default_active_thread_percentage, 50);
  EXPECT_EQ(mps.default_pinned_device_memory_limit, Quantity::parse("10Gi"));
  ASSERT_EQ(mps.per_device_pinned_memory_limits.size(), 1U);
  EXPECT_EQ(mps.per_device_pinned_memory_limits[0].device, "0");
  EXPECT_TRUE(mps.multi_user);
}

TEST(NvidiaConfig, TheOtherKinds) {
  EXPECT_FALSE(std::get<GpuConfig>(*parse(gpu(""))).sharing.has_value());
  const auto mig =
      parse(R"({"apiVersion":"resource.nvidia.com/v1beta1","kind":"MigDeviceConfig","sharing":{"strategy":"MPS"}})");
  EXPECT_EQ(std::get<MigDeviceConfig>(*mig).sharing->strategy, SharingStrategy::kMps);
  const auto vfio = parse(
      R"({"apiVersion":"resource.nvidia.com/v1beta1","kind":"VfioDeviceConfig","iommu":{"backendPolicy":"PreferIommuFD","enableAPIDevice":true}})");
  EXPECT_EQ(std::get<VfioDeviceConfig>(*vfio), (VfioDeviceConfig{IommuBackendPolicy::kPreferIommuFd, true}));
  const auto channel = parse(
      R"({"apiVersion":"resource.nvidia.com/v1beta1","kind":"ComputeDomainChannelConfig","domainID":"u-1","allocationMode":"All"})",
      kNvidiaComputeDomainDriver);
  EXPECT_EQ(std::get<ComputeDomainChannelConfig>(*channel),
            (ComputeDomainChannelConfig{"u-1", ChannelAllocationMode::kAll}));
  const auto daemon =
      parse(R"({"apiVersion":"resource.nvidia.com/v1beta1","kind":"ComputeDomainDaemonConfig","domainID":"u-1"})",
            kNvidiaComputeDomainDriver);
  EXPECT_EQ(std::get<ComputeDomainDaemonConfig>(*daemon).domain_id, "u-1");
}

TEST(NvidiaConfig, WhatTheDriverRefusesIsRefused) {
  const auto expect = [](const std::string& text, std::string_view part) {
    EXPECT_NE(text.find(part), std::string::npos) << text;
  };
  expect(fault(gpu(R"(,"sharing":{})")), "strategy is missing");
  expect(fault(gpu(R"(,"sharing":{"strategy":"Fabric"})")), "TimeSlicing or MPS");
  expect(fault(gpu(R"(,"sharing":{"strategy":"MPS","timeSlicingConfig":{}})")), "timeSlicingConfig is for");
  expect(fault(gpu(R"(,"sharing":{"strategy":"TimeSlicing","mpsConfig":{}})")), "mpsConfig is for");
  expect(fault(gpu(R"(,"sharing":{"strategy":"TimeSlicing","timeSlicingConfig":{"interval":"Huge"}})")),
         "sharing.timeSlicingConfig.interval");
  expect(fault(gpu(R"(,"sharing":{"strategy":"MPS","mpsConfig":{"defaultActiveThreadPercentage":101}})")), "0 to 100");
  expect(fault(gpu(R"(,"sharing":{"strategy":"MPS","mpsConfig":{"defaultPinnedDeviceMemoryLimit":"1Ki"}})")),
         "below 1Mi");
  expect(fault(gpu(R"(,"sharing":{"strategy":"MPS","mpsConfig":{"defaultPerDevicePinnedMemoryLimit":{"x":"1Gi"}}})")),
         "neither the index nor the UUID");
  expect(fault(R"({"apiVersion":"resource.nvidia.com/v1beta1","kind":"VfioDeviceConfig","iommu":{}})"),
         "backendPolicy is missing");
  expect(fault(R"({"apiVersion":"resource.nvidia.com/v1","kind":"GpuConfig"})"), "no configuration of gpu.nvidia.com");
  expect(fault(gpu(""), kNvidiaComputeDomainDriver), "ComputeDomainChannelConfig, ComputeDomainDaemonConfig");
  const std::string channel = R"({"apiVersion":"resource.nvidia.com/v1beta1","kind":"ComputeDomainChannelConfig")";
  expect(fault(channel + "}", kNvidiaComputeDomainDriver), "domainID is missing");
  expect(fault(channel + R"(,"domainID":"../x"})", kNvidiaComputeDomainDriver), "domainID");
  expect(fault("[]"), "no object");
  expect(fault("{"), "");
  EXPECT_FALSE(parse("{").has_value());
  expect(fault("{}", "other.example.com"), "only those for");
}

TEST(NvidiaConfig, ClaimWithAFaultNamesTheField) {
  const auto claim = [](const std::string& sharing, const std::string& status) {
    return "apiVersion: resource.k8s.io/v1\nkind: ResourceClaim\nmetadata: {name: c}\nspec:\n  devices:\n    requests: "
           "[{name: r, exactly: {deviceClassName: gpu.nvidia.com}}]\n    config:\n    - opaque:\n        driver: "
           "gpu.nvidia.com\n        parameters: {apiVersion: resource.nvidia.com/v1beta1, kind: GpuConfig, sharing: " +
           sharing + "}\nstatus: " + status + "\n";
  };
  const Loaded loaded = load_text(claim("{strategy: Fabric}", "{}"), "x.yaml");
  ASSERT_EQ(loaded.errors.size(), 1U);
  EXPECT_EQ(loaded.errors[0].place.field, "spec.devices.config[0].opaque.parameters.sharing.strategy");
  EXPECT_TRUE(load_text(claim("{strategy: MPS}", "{}")).errors.empty());
  // One that is allocated holds its devices whatever it says.
  EXPECT_TRUE(load_text(claim("{strategy: Fabric}", "{allocation: {}}")).errors.empty());
  const Loaded unknown = load_text(claim("{strategy: MPS, mpsConfig: {multiuser: true}}", "{}"));
  // As the driver's webhook, which reads strictly.
  ASSERT_EQ(unknown.errors.size(), 1U);
  EXPECT_TRUE(unknown.remarks.empty());
  EXPECT_NE(unknown.errors[0].message.find("mpsConfig.multiuser"), std::string::npos) << unknown.errors[0].message;
  EXPECT_NE(unknown.errors[0].message.find("multiUser"), std::string::npos);
}

TEST(ComputeDomain, IsRead) {
  const Loaded loaded = load_text(
      "{apiVersion: resource.nvidia.com/v1beta1, kind: ComputeDomain, metadata: {name: d, namespace: a}, spec: "
      "{numNodes: "
      "2, channel: {resourceClaimTemplate: {name: t}, allocationMode: All}}, status: {status: Ready, nodes: [{name: "
      "n1, ipAddress: 10.0.0.1, cliqueID: c.1, index: 3, status: NotReady}]}}");
  ASSERT_EQ(loaded.objects.compute_domains.size(), 1U) << loaded.errors.front().to_string();
  const ComputeDomain& domain = loaded.objects.compute_domains[0].object;
  EXPECT_EQ(domain.num_nodes, 2);
  EXPECT_EQ(domain.claim_template_name, "t");
  EXPECT_EQ(domain.allocation_mode, ChannelAllocationMode::kAll);
  EXPECT_TRUE(domain.ready);
  EXPECT_EQ(domain.nodes.at(0), (ComputeDomainNode{"n1", "10.0.0.1", "c.1", 3, false}));
  const Loaded bare =
      load_text("{apiVersion: resource.nvidia.com/v1beta1, kind: ComputeDomain, metadata: {name: d}, spec: {}}");
  ASSERT_EQ(bare.errors.size(), 1U);
  EXPECT_NE(bare.errors[0].message.find("channel is missing"), std::string::npos);
}

}  // namespace
}  // namespace berth::api
