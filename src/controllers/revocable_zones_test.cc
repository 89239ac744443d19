#include "controllers/revocable_zones.h"

#include <gtest/gtest.h>

#include "api/load.h"
#include "api/scheduler_config.h"

namespace berth::controllers {
namespace {

constexpr api::Time kEight = 1'800'000'000;  // 08:00

api::volcano::RevocableZones zones() {
  const auto configuration = api::parse_scheduler_configuration(
      "actions: shuffle\ntiers: [{plugins: [{name: tdm, arguments: {tdm.revocable-zone.z: '10:00-07:00'}}]}]\n",
      "v.conf");
  EXPECT_TRUE(configuration.has_value());
  return api::volcano::RevocableZones::of(*configuration->volcano);
}

std::string pod(const std::string& name, const std::string& more = "", const std::string& node = "zone-1") {
  return "{apiVersion: v1, kind: Pod, metadata: {name: " + name +
         ", annotations: {scheduling.k8s.io/group-name: g, volcano.sh/preemptable: 'true'}}, spec: {schedulerName: "
         "volcano, nodeName: " +
         node + ", containers: [{name: c}]}" + more + "}\n---\n";
}

std::string who_leaves(const std::string& budget, api::Time now = kEight, const std::string& more = "") {
  const api::Loaded loaded = api::load_text(
      "{apiVersion: v1, kind: Node, metadata: {name: zone-1, labels: {volcano.sh/revocable-zone: z}}}\n---\n"
      "{apiVersion: v1, kind: Node, metadata: {name: other}}\n---\n"
      "{apiVersion: scheduling.volcano.sh/v1beta1, kind: PodGroup, metadata: {name: g, annotations: {" +
      budget + "}}, spec: {minMember: 1}}\n---\n" + pod("a") + pod("b") + pod("c") + pod("d", "", "other") + more);
  for (const Error& error : loaded.errors) ADD_FAILURE() << error.to_string();
  std::string text;
  for (const Revocation& each : revocations(loaded.objects, zones(), now))
    text += each.pod->metadata.name + "+" + std::to_string(each.at - now) + " ";
  return text;
}

TEST(Revocations, OnePerGroupAndPeriodWhereNobodySaysMore) {
  EXPECT_EQ(who_leaves(""), "a+0 ");
  EXPECT_EQ(who_leaves("", kEight + 1), "a+59 ");
}

TEST(Revocations, NobodyWhileTheZoneIsOpen) { EXPECT_EQ(who_leaves("", kEight + 2 * 3600), ""); }

TEST(Revocations, BudgetsAreNumbersOrPartsOfTheGroup) {
  EXPECT_EQ(who_leaves("volcano.sh/jdb-max-unavailable: '2'"), "a+0 b+0 ");
  EXPECT_EQ(who_leaves("volcano.sh/jdb-min-available: 50%"), "a+0 b+0 ");
  EXPECT_EQ(who_leaves("volcano.sh/jdb-min-available: '4'"), "");
  // Who waits is away already; who is done is not.
  EXPECT_EQ(who_leaves("volcano.sh/jdb-max-unavailable: '2'", kEight, pod("e", "", "''")), "a+0 ");
  EXPECT_EQ(who_leaves("volcano.sh/jdb-max-unavailable: '2'", kEight, pod("e", ", status: {phase: Succeeded}")),
            "a+0 b+0 ");
}

}  // namespace
}  // namespace berth::controllers
