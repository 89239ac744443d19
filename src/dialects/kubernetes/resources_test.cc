#include "dialects/kubernetes/resources.h"

#include <limits>
#include <optional>
#include <string>

#include <gtest/gtest.h>

#include "dialects/kubernetes/cards.h"

namespace berth::dialects::kubernetes {
namespace {

constexpr std::int64_t kMebi = 1024LL * 1024;

api::Quantity quantity(std::string_view text) {
  const auto parsed = api::Quantity::parse(text);
  EXPECT_TRUE(parsed) << text;
  return parsed.value_or(api::Quantity());
}

api::ResourceList list(const std::vector<std::pair<std::string, std::string>>& entries) {
  api::ResourceList result;
  for (const auto& [name, text] : entries) result.insert_or_assign(name, quantity(text));
  return result;
}

api::Container container(const std::vector<std::pair<std::string, std::string>>& requests, bool sidecar = false) {
  api::Container result;
  result.name = "c";
  result.resources.requests = list(requests);
  result.restart_always = sidecar;
  return result;
}

struct Resources : testing::Test {
  engine::Names names;
  api::Pod pod;

  engine::Amount asked(std::string_view name) {
    for (const auto& [resource, amount] : pod_resources(pod, names).requests) {
      if (names.resources.text(resource) == name) return amount;
    }
    return 0;
  }
  engine::CardRequest card(std::string_view name) {
    for (const auto& request : pod_resources(pod, names).cards) {
      if (names.resources.text(request.resource) == name) return request;
    }
    return {};
  }
};

TEST_F(Resources, ContainersAddUpAndRoundAfterSumming) {
  pod.spec.containers = {container({{"cpu", "100500u"}, {"memory", "1500m"}}), container({{"cpu", "100500u"}})};
  EXPECT_EQ(asked("cpu"), 201);
  EXPECT_EQ(asked("memory"), 2);
}

TEST_F(Resources, LargestInitContainerCountsWithTheSidecarsBeforeIt) {
  pod.spec.containers = {container({{"cpu", "1"}})};
  pod.spec.init_containers = {container({{"cpu", "3"}}), container({{"cpu", "1"}}, true), container({{"cpu", "4"}})};
  EXPECT_EQ(asked("cpu"), 5000);  // the last init container beside the sidecar
  pod.spec.init_containers.pop_back();
  EXPECT_EQ(asked("cpu"), 3000);
  pod.spec.containers[0] = container({{"cpu", "2500m"}});
  EXPECT_EQ(asked("cpu"), 3500);  // sidecar and container
}

TEST_F(Resources, PodLevelAmountsReplaceContainersAndOverheadIsOnTop) {
  pod.spec.containers = {container({{"cpu", "1"}, {"memory", "1Gi"}, {"nvidia.com/gpu", "1"}})};
  pod.spec.resources.emplace();
  pod.spec.resources->requests = list({{"cpu", "4"}, {"nvidia.com/gpu", "5"}});
  pod.spec.resources->limits = list({{"memory", "8Gi"}, {"hugepages-2Mi", "4Mi"}});
  pod.spec.overhead = list({{"cpu", "250m"}});
  EXPECT_EQ(asked("cpu"), 4250);
  EXPECT_EQ(asked("memory"), 1024 * kMebi);
  EXPECT_EQ(asked("hugepages-2Mi"), 4 * kMebi);
  EXPECT_EQ(card("nvidia.com/gpu").count, 1);
}

TEST_F(Resources, ScoresCountAContainerThatAsksNothing) {
  pod.spec.containers = {container({}), container({{"cpu", "0"}, {"memory", "1Mi"}})};
  const PodResources resources = pod_resources(pod, names);
  EXPECT_EQ(resources.nonzero_cpu, 100);
  EXPECT_EQ(resources.nonzero_memory, 201 * kMebi);
  EXPECT_FALSE(resources.fit_score_cpu);
  EXPECT_FALSE(resources.best_effort);
  pod.spec.containers = {container({})};
  EXPECT_TRUE(pod_resources(pod, names).best_effort);
}

TEST_F(Resources, FitScoreDoesNotSeePodLevelAmounts) {
  pod.spec.containers = {container({})};
  pod.spec.resources.emplace();
  pod.spec.resources->requests = list({{"cpu", "4"}});
  const PodResources resources = pod_resources(pod, names);
  EXPECT_EQ(resources.nonzero_cpu, 4000);
  EXPECT_EQ(resources.nonzero_memory, 200 * kMebi);
  EXPECT_EQ(resources.fit_score_cpu, 100);
  EXPECT_FALSE(resources.fit_score_memory);
}

TEST_F(Resources, ResizeCountsTheLargestOfSpecGrantedAndActual) {
  pod.spec.containers = {container({{"cpu", "1"}})};
  api::ContainerStatus status;
  status.name = "c";
  status.allocated_resources = list({{"cpu", "2"}});
  status.resources.emplace();
  status.resources->requests = list({{"cpu", "3"}});
  pod.status.container_statuses = {status};
  EXPECT_EQ(asked("cpu"), 3000);
  pod.spec.containers[0].resources.requests = list({{"cpu", "5"}});
  EXPECT_EQ(asked("cpu"), 5000);
  pod.status.conditions = {{"PodResizePending", "True", "Infeasible", "", std::nullopt}};
  EXPECT_EQ(asked("cpu"), 3000);
}

// The pod that is resized down holds three CPUs until the kubelet says otherwise.
TEST_F(Resources, ResizeAtPodLevelCountsTheLargestOfSpecGrantedAndActual) {
  pod.spec.containers = {container({{"cpu", "1"}})};
  pod.spec.resources.emplace();
  pod.spec.resources->requests = list({{"cpu", "1"}});
  pod.status.allocated_resources = list({{"cpu", "2"}});
  EXPECT_EQ(asked("cpu"), 1000) << "without status.resources it was never resized";
  pod.status.resources.emplace();
  pod.status.resources->requests = list({{"cpu", "3"}});
  EXPECT_EQ(asked("cpu"), 3000);
  pod.spec.resources->requests = list({{"cpu", "5"}});
  EXPECT_EQ(asked("cpu"), 5000);
  pod.status.conditions = {{"PodResizePending", "True", "Infeasible", "", std::nullopt}};
  EXPECT_EQ(asked("cpu"), 3000);
}

TEST_F(Resources, NamesTheSchedulerDoesNotKnowCountNowhere) {
  pod.spec.containers = {container({{"foo", "3"}, {"example.com/foo", "2"}, {"attachable-volumes-csi", "1"}})};
  EXPECT_EQ(asked("foo"), 0);
  EXPECT_EQ(asked("example.com/foo"), 2);
  EXPECT_EQ(asked("attachable-volumes-csi"), 1);
}

TEST_F(Resources, CardsLeaveTheOrdinaryResources) {
  pod.spec.containers = {container({{"nvidia.com/gpu", "2"}, {"nvidia.com/mig-1g.5gb", "1"}})};
  EXPECT_EQ(asked("nvidia.com/gpu"), 0);
  EXPECT_EQ(card("nvidia.com/gpu").count, 2);
  EXPECT_EQ(card("nvidia.com/gpu").milli, engine::kMilliPerCard);
  EXPECT_EQ(card("nvidia.com/mig-1g.5gb").count, 1);
}

// Nodes may lack it, as kube-scheduler says; with a number it is a part of the card that is asked for.
TEST_F(Resources, MemoryOfAVirtualGpuWithoutANumberIsAskedForLikeAnyResource) {
  pod.spec.containers = {container({{"volcano.sh/vgpu-memory", "1000"}})};
  EXPECT_EQ(asked("volcano.sh/vgpu-memory"), 1000);
  pod.spec.containers = {container({{"volcano.sh/vgpu-memory", "1000"}, {"volcano.sh/vgpu-number", "0"}})};
  EXPECT_EQ(asked("volcano.sh/vgpu-memory"), 1000);
  pod.spec.containers = {container({{"volcano.sh/vgpu-memory", "1000"}, {"volcano.sh/vgpu-number", "1"}})};
  EXPECT_EQ(asked("volcano.sh/vgpu-memory"), 0);
}

TEST_F(Resources, AbsurdCountsStayWithinTheirTypes) {
  pod.spec.containers = {container({{"nvidia.com/gpu", "9223372036854775807"}, {"memory", "7Ei"}})};
  EXPECT_EQ(card("nvidia.com/gpu").count, std::numeric_limits<std::int32_t>::max());
  pod.spec.containers.push_back(pod.spec.containers.front());
  EXPECT_EQ(asked("memory"), engine::Amount{1} << 53U);
}

TEST_F(Resources, StudySharesComeFromAnnotationsOrRequests) {
  pod.metadata.annotations = {{"alibabacloud.com/gpu-milli", "460"}, {"alibabacloud.com/gpu-count", "1"}};
  pod.spec.containers = {container({{"alibabacloud.com/gpu-count", "1"}})};
  EXPECT_EQ(card(kStudyCardResource).milli, 460);
  EXPECT_EQ(card(kStudyCardResource).count, 1);
  pod.metadata.annotations["alibabacloud.com/gpu-count"] = "4";
  EXPECT_EQ(card(kStudyCardResource).count, 4);
  EXPECT_EQ(card(kStudyCardResource).milli, engine::kMilliPerCard);
  pod.metadata.annotations.clear();
  pod.spec.containers = {container({{"alibabacloud.com/gpu-milli", "250"}})};
  EXPECT_EQ(card(kStudyCardResource).milli, 250);
  EXPECT_EQ(asked(kStudyMilliResource), 0);
  pod.spec.containers = {container({{"alibabacloud.com/gpu-milli", "1500"}})};
  EXPECT_EQ(card(kStudyCardResource).count, 2);
}

TEST(Cards, NamesThatCountCards) {
  for (const char* name : {"nvidia.com/gpu", "amd.com/gpu", "nvidia.com/mig-3g.20gb", "nvidia.com/gpu.shared",
                           "gpu.intel.com/i915", "metax-tech.com/gpu", "alibabacloud.com/gpu-count"}) {
    EXPECT_TRUE(is_card_resource(name)) << name;
  }
  for (const char* name : {"cpu", "gpu", "requests.nvidia.com/gpu", "nvidia.com/gpumem", "example.com/fpga"}) {
    EXPECT_FALSE(is_card_resource(name)) << name;
  }
}

TEST(Cards, LabelsGiveProductAndMemory) {
  engine::Names names;
  auto group =
      card_group("nvidia.com/gpu",
                 {{"nvidia.com/gpu.product", "NVIDIA-H100-80GB-HBM3"}, {"nvidia.com/gpu.memory", "81559"}}, names);
  EXPECT_EQ(names.products.text(group.product), "NVIDIA-H100-80GB-HBM3");
  EXPECT_EQ(group.memory_bytes, 81559 * kMebi);
  group = card_group("amd.com/gpu", {{"amd.com/gpu.product-name", "MI300X"}, {"amd.com/gpu.vram", "192G"}}, names);
  EXPECT_EQ(names.products.text(group.product), "MI300X");
  EXPECT_EQ(group.memory_bytes, 192 * 1024 * kMebi);
  group = card_group("nvidia.com/mig-1g.5gb",
                     {{"nvidia.com/mig-1g.5gb.product", "A100-MIG-1g.5gb"}, {"nvidia.com/mig-1g.5gb.memory", "4864"}},
                     names);
  EXPECT_EQ(names.products.text(group.product), "A100-MIG-1g.5gb");
  EXPECT_EQ(group.memory_bytes, 4864 * kMebi);
  group = card_group("nvidia.com/gpu", {{"nvidia.com/gpu.memory", "plenty"}}, names);
  EXPECT_TRUE(group.product.is_none());
  EXPECT_EQ(group.memory_bytes, 0);
}

TEST(NodeAmounts, CardsAreThousandthsAndCountsAreBounded) {
  engine::Names names;
  const auto amounts = node_amounts(
      list({{"cpu", "1500m"}, {"nvidia.com/gpu", "8"}, {"amd.com/gpu", "1000000000"}, {"foo", "1"}}), names);
  const auto of = [&](std::string_view name) {
    for (const auto& [resource, amount] : amounts) {
      if (names.resources.text(resource) == name) return amount;
    }
    return engine::Amount{-1};
  };
  EXPECT_EQ(of("cpu"), 1500);
  EXPECT_EQ(of("nvidia.com/gpu"), 8000);
  EXPECT_EQ(of("amd.com/gpu"), kMaxCardsPerNode * engine::kMilliPerCard);
  EXPECT_EQ(of("foo"), -1);
}

}  // namespace
}  // namespace berth::dialects::kubernetes
