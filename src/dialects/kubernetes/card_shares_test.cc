#include "dialects/kubernetes/card_shares.h"

#include <gtest/gtest.h>

#include <string>

#include "dialects/kubernetes/cards.h"
#include "engine/amounts.h"

namespace berth::dialects::kubernetes {
namespace {

api::Pod kai_pod(const std::string& key, const std::string& value) {
  api::Pod pod;
  pod.spec.scheduler_name = "kai-scheduler";
  pod.spec.containers.emplace_back();
  pod.metadata.annotations[key] = value;
  return pod;
}

TEST(CardShares, FractionsAreExactToNineDigits) {
  engine::Names names;
  const auto billionths = [&](const std::string& text) {
    const CardShare share = kai_share(kai_pod("gpu-fraction", text), names);
    return share.request ? std::int64_t{share.request->milli} * 1'000'000 + share.request->millionths : -1;
  };
  EXPECT_EQ(billionths("0.5"), 500'000'000);
  EXPECT_EQ(billionths(".25"), 250'000'000);
  EXPECT_EQ(billionths("0.3333"), 333'300'000);
  EXPECT_EQ(billionths("0.33333333333"), 333'333'334) << "rounded up";
  EXPECT_EQ(billionths("0.0001"), 1'000'000) << "a thousandth at least";
  EXPECT_EQ(billionths("0.99999999999"), 999'999'999);
  for (const char* wrong : {"0", "0.0", "1", "1.0", "1.5", "-0.5", "half", "0.5.5", ""}) {
    EXPECT_EQ(billionths(wrong), -1) << wrong;
    EXPECT_NE(kai_share(kai_pod("gpu-fraction", wrong), names).problem, "") << wrong;
  }
}

TEST(CardShares, SharesOfTheStudiesThatAreNoNumbersAreSaid) {
  engine::Names names;
  for (const char* wrong : {"two", "-1", "1.5", "", "99999"}) {
    EXPECT_NE(study_share(kai_pod("alibabacloud.com/gpu-count", wrong), names).problem, "") << wrong;
    EXPECT_NE(study_share(kai_pod("alibabacloud.com/gpu-milli", wrong), names).problem, "") << wrong;
  }
  EXPECT_FALSE(study_share(kai_pod("alibabacloud.com/gpu-count", "0"), names).request.has_value());
}

TEST(CardShares, MemoryIsExact) {
  engine::Names names;
  const CardShare share = kai_share(kai_pod("gpu-memory", "2000"), names);
  ASSERT_TRUE(share.request.has_value());
  EXPECT_EQ(share.request->memory_bytes, 2000 * kMebibyte);
  EXPECT_FALSE(share.request->whole());
  EXPECT_NE(kai_share(kai_pod("gpu-memory", "2Gi"), names).problem, "");
  EXPECT_NE(kai_share(kai_pod("gpu-memory", "99999999999999999999"), names).problem, "");
}

TEST(CardShares, OnlyPodsOfKaiAreRead) {
  engine::Names names;
  api::Pod pod = kai_pod("gpu-fraction", "0.5");
  pod.spec.scheduler_name = "default-scheduler";
  EXPECT_FALSE(kai_share(pod, names).request.has_value());
  pod.metadata.labels["kai.scheduler/queue"] = "team";
  EXPECT_TRUE(kai_share(pod, names).request.has_value());
}

TEST(CardShares, SharesOfSeveralCards) {
  engine::Names names;
  api::Pod pod = kai_pod("gpu-fraction", "0.5");
  pod.metadata.annotations["gpu-fraction-num-devices"] = "3";
  EXPECT_EQ(kai_share(pod, names).request->count, 3);
  EXPECT_NE(kai_share(kai_pod("gpu-fraction-num-devices", "2"), names).problem, "");
  pod.spec.containers[0].resources.requests["nvidia.com/gpu"] = *api::Quantity::parse("1");
  EXPECT_NE(kai_share(pod, names).problem, "") << "a share and a whole card";
}

TEST(CardShares, VolcanoVirtualGpus) {
  engine::Names names;
  api::Pod pod;
  api::ResourceList& asks = pod.spec.containers.emplace_back().resources.requests;
  asks["volcano.sh/vgpu-number"] = *api::Quantity::parse("2");
  EXPECT_TRUE(volcano_share(pod, names).request->whole()) << "without memory all of it";
  asks["volcano.sh/vgpu-memory"] = *api::Quantity::parse("3000");
  asks["volcano.sh/vgpu-cores"] = *api::Quantity::parse("30");
  const CardShare share = volcano_share(pod, names);
  EXPECT_EQ(share.request->count, 2);
  EXPECT_EQ(share.request->milli, 300);
  EXPECT_EQ(share.request->memory_bytes, 3000 * kMebibyte);
  const auto counted = [&](const char* resource) {
    return engine::amount_in(share.counted, names.resources.intern(resource));
  };
  EXPECT_EQ(counted("volcano.sh/vgpu-number"), 2000) << "thousandths";
  EXPECT_EQ(counted("volcano.sh/vgpu-memory"), 6000);
  EXPECT_EQ(counted("volcano.sh/vgpu-cores"), 60);
  asks["volcano.sh/vgpu-cores"] = *api::Quantity::parse("130");
  EXPECT_NE(volcano_share(pod, names).problem, "");
}

TEST(CardShares, CardsBehindVolcanoSlots) {
  engine::Names names;
  api::Node node;
  EXPECT_FALSE(volcano_cards(node, names).has_value());
  node.allocatable["volcano.sh/vgpu-number"] = *api::Quantity::parse("20");
  node.allocatable["volcano.sh/vgpu-memory"] = *api::Quantity::parse("65536");
  EXPECT_EQ(volcano_cards(node, names)->count, 2);
  EXPECT_EQ(volcano_cards(node, names)->memory_bytes, 32768 * kMebibyte);
  const auto counted = [&](const char* resource) {
    return engine::amount_in(volcano_cards(node, names)->counted, names.resources.intern(resource));
  };
  EXPECT_EQ(counted("volcano.sh/vgpu-number"), 20'000) << "slots, in thousandths";
  EXPECT_EQ(counted("volcano.sh/vgpu-memory"), 65536);
  EXPECT_EQ(counted("volcano.sh/vgpu-cores"), 200);
  node.metadata.annotations["volcano.sh/node-vgpu-register"] =
      "GPU-1,10,32768,NVIDIA-V100,true:GPU-2,10,16384,NVIDIA-V100,true:GPU-3,10,32768,NVIDIA-V100,false:";
  EXPECT_EQ(volcano_cards(node, names)->count, 2) << "one is broken";
  EXPECT_EQ(volcano_cards(node, names)->memory_bytes, 16384 * kMebibyte);
}

TEST(CardShares, ACardOfUnknownMemoryDoesNotTakeThatOfTheOthers) {
  engine::Names names;
  api::Node node;
  node.allocatable["volcano.sh/vgpu-number"] = *api::Quantity::parse("20");
  std::string& cards = node.metadata.annotations["volcano.sh/node-vgpu-register"];
  for (const char* broken :
       {"GPU-1,10,many,A100,true", "GPU-1,10,0,A100,true", "GPU-1,10,,A100,true", "GPU-1", ",,,", ""}) {
    cards = std::string("GPU-0,10,40000,A100,true:") + broken + ":GPU-2,10,30000,A100,true:";
    const auto read = *volcano_cards(node, names);
    EXPECT_EQ(read.count, 2) << broken;
    EXPECT_EQ(read.memory_bytes, 30000 * kMebibyte) << broken;
    EXPECT_EQ(read.unreadable, std::vector<std::string>{broken});
  }
  cards = ",,,";
  EXPECT_EQ(volcano_cards(node, names)->count, 2) << "ten slots are a card";
}

}  // namespace
}  // namespace berth::dialects::kubernetes
