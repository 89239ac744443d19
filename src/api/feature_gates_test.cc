#include "api/feature_gates.h"

#include <gtest/gtest.h>

namespace berth::api {
namespace {

TEST(FeatureGates, DefaultsFollowTheVersion) {
  const FeatureGates newest;
  EXPECT_EQ(newest, FeatureGates(KubernetesVersion::k137));
  EXPECT_TRUE(newest.on(Gate::kDeviceTaintRules));
  EXPECT_TRUE(newest.on(Gate::kPartitionableDevices));
  EXPECT_FALSE(newest.on(Gate::kListTypeAttributes));
  const FeatureGates older(KubernetesVersion::k136);
  EXPECT_FALSE(older.on(Gate::kDeviceTaintRules));
  EXPECT_TRUE(older.on(Gate::kExtendedResource));
  const FeatureGates oldest(KubernetesVersion::k134);
  EXPECT_FALSE(oldest.on(Gate::kPartitionableDevices));
  EXPECT_FALSE(oldest.on(Gate::kExtendedResource));
  EXPECT_TRUE(oldest.on(Gate::kAdminAccess));
  EXPECT_TRUE(oldest.on(Gate::kPrioritizedList));
}

TEST(FeatureGates, EveryGateHasOneName) {
  for (std::uint8_t i = 0; i < kGates; ++i) {
    const auto gate = static_cast<Gate>(i);
    ASSERT_FALSE(name_of(gate).empty()) << int{i};
    EXPECT_EQ(parse_gate(name_of(gate)), gate);
  }
  EXPECT_EQ(parse_gate("DRA"), std::nullopt);
}

TEST(FeatureGates, TextChangesGates) {
  FeatureGates gates;
  ASSERT_TRUE(gates.apply("DRAListTypeAttributes=true,DRAAdminAccess=false").has_value());
  EXPECT_TRUE(gates.on(Gate::kListTypeAttributes));
  EXPECT_FALSE(gates.on(Gate::kAdminAccess));
  EXPECT_TRUE(gates.apply("").has_value());
}

TEST(FeatureGates, WrongTextChangesNothing) {
  FeatureGates gates;
  const auto unknown = gates.apply("DRAAdminAccess=false,DRADeviceTaint=true");
  ASSERT_FALSE(unknown.has_value());
  EXPECT_NE(unknown.error().message.find("did you mean DRADeviceTaints"), std::string::npos) << unknown.error().message;
  EXPECT_FALSE(gates.apply("DRADeviceTaints").has_value());
  EXPECT_FALSE(gates.apply("DRADeviceTaints=yes").has_value());
  EXPECT_EQ(gates, FeatureGates());
}

TEST(KubernetesVersion, ReadsItsNames) {
  EXPECT_EQ(parse_kubernetes_version("1.34"), KubernetesVersion::k134);
  EXPECT_EQ(parse_kubernetes_version("v1.37"), kNewestKubernetes);
  EXPECT_EQ(name_of(KubernetesVersion::k136), "1.36");
  const auto unknown = parse_kubernetes_version("1.33");
  ASSERT_FALSE(unknown.has_value());
  EXPECT_EQ(unknown.error().message,
            "\"1.33\" is no version of Kubernetes known here; write 1.34, 1.35, 1.36 or 1.37.");
}

}  // namespace
}  // namespace berth::api
