// What plan and explain say of devices: who shares what, what is probably misspelt, what is counted.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include <fmt/format.h>

#include "support/run_command.h"

namespace berth::cli {
namespace {

std::string node(const std::string& name, const std::string& labels, const std::string& resources) {
  return fmt::format(
      "---\n{{apiVersion: v1, kind: Node, metadata: {{name: {}, labels: {{{}}}}}, status: {{allocatable: {{cpu: "
      "\"64\", "
      "memory: 512Gi, pods: \"110\"{}}}, conditions: [{{type: Ready, status: \"True\"}}]}}}}\n",
      name, labels, resources);
}

std::string counting_pod(const std::string& space, const std::string& name, const std::string& resource) {
  return fmt::format(
      "---\n{{apiVersion: v1, kind: Pod, metadata: {{name: {}, namespace: {}}}, spec: {{containers: [{{name: c, "
      "resources: {{limits: {{{}: \"1\"}}}}}}]}}}}\n",
      name, space, resource);
}

std::string space(const std::string& name, const std::string& labels) {
  return fmt::format("---\n{{apiVersion: v1, kind: Namespace, metadata: {{name: {}, labels: {{{}}}}}}}\n", name,
                     labels);
}

std::string device_class(const std::string& expression) {
  return "---\n{apiVersion: resource.k8s.io/v1, kind: DeviceClass, metadata: {name: gpu}, spec: {selectors: [{cel: "
         "{expression: \"" +
         expression + "\"}}]}}\n";
}

std::string slice(const std::string& devices, const std::string& more = "") {
  return "---\n{apiVersion: resource.k8s.io/v1, kind: ResourceSlice, metadata: {name: n1-gpus}, spec: {driver: "
         "gpu.nvidia.com, nodeName: n1, pool: {name: n1, generation: 1, resourceSliceCount: 1}" +
         more + ", devices: [" + devices + "]}}\n";
}

std::string claiming_pod(const std::string& name, const std::string& claim) {
  return fmt::format(
      "---\n{{apiVersion: v1, kind: Pod, metadata: {{name: {}, namespace: a}}, spec: {{resourceClaims: [{{name: c, "
      "resourceClaimName: {}}}], containers: [{{name: c, resources: {{claims: [{{name: c}}]}}}}]}}}}\n",
      name, claim);
}

std::string claim(const std::string& name, const std::string& selector, const std::string& config = "") {
  return fmt::format(
      "---\n{{apiVersion: resource.k8s.io/v1, kind: ResourceClaim, metadata: {{name: {}, namespace: a}}, spec: "
      "{{devices: "
      "{{requests: [{{name: r, exactly: {{deviceClassName: gpu{}}}}}]{}}}}}}}\n",
      name, selector.empty() ? "" : ", selectors: [{cel: {expression: \"" + selector + "\"}}]", config);
}

constexpr const char* kGpu = "{name: gpu-0, attributes: {type: {string: gpu}, model: {string: H100}}}";
constexpr const char* kAny = "device.driver == 'gpu.nvidia.com'";

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST(DeviceViews, TimeSlicingBetweenNamespacesThatDoNotTrustEachOtherIsWarnedAbout) {
  const std::string sliced = node("n1", "nvidia.com/gpu.replicas: \"4\", nvidia.com/gpu.sharing-strategy: time-slicing",
                                  ", nvidia.com/gpu: \"4\"");
  const std::string pods = counting_pod("a", "p", "nvidia.com/gpu") + counting_pod("b", "q", "nvidia.com/gpu");
  const Ran strangers = berth({"plan", "-o", "wide", input_file(sliced + pods)});
  EXPECT_TRUE(has(strangers.out, "Warning  Pods of the namespaces a and b share cards on n1 by time-slicing"))
      << strangers.out;
  EXPECT_TRUE(has(strangers.out, "ISOLATION")) << strangers.out;
  EXPECT_TRUE(has(strangers.out, "time-slicing  none")) << strangers.out;
  const std::string trust = "berth/trust-domain: physics";
  const Ran friends = berth({"plan", input_file(sliced + pods + space("a", trust) + space("b", trust))});
  EXPECT_FALSE(has(friends.out, "Warning")) << friends.out;
  const Ran half = berth({"plan", input_file(sliced + pods + space("a", trust) + space("b", "x: y"))});
  EXPECT_TRUE(has(half.out, "Warning")) << half.out;
  const Ran whole = berth({"plan", "-o", "wide", input_file(node("n1", "", ", nvidia.com/gpu: \"4\"") + pods)});
  EXPECT_FALSE(has(whole.out, "Warning")) << whole.out;
  EXPECT_TRUE(has(whole.out, "exclusive  whole card")) << whole.out;
}

TEST(DeviceViews, MigKeepsMemoryAndFaultsApartWhateverTheStrategy) {
  const std::string mixed = node("n1", "", ", nvidia.com/mig-1g.10gb: \"7\"");
  const std::string pods =
      counting_pod("a", "p", "nvidia.com/mig-1g.10gb") + counting_pod("b", "q", "nvidia.com/mig-1g.10gb");
  const Ran ran = berth({"plan", "-o", "wide", input_file(mixed + pods)});
  EXPECT_TRUE(has(ran.out, "MIG      memory and faults")) << ran.out;
  EXPECT_FALSE(has(ran.out, "Warning")) << ran.out;
  const std::string single =
      node("n1", "nvidia.com/gpu.product: NVIDIA-A100-SXM4-40GB-MIG-1g.5gb", ", nvidia.com/gpu: \"7\"");
  const Ran one = berth({"plan", "-o", "json", input_file(single + counting_pod("a", "p", "nvidia.com/gpu"))});
  EXPECT_TRUE(has(one.out, "\"sharing\": \"MIG\"")) << one.out;
}

TEST(DeviceViews, PodsOfOneClaimShareAsItsConfigurationSays) {
  const std::string world =
      node("n1", "", "") + device_class(kAny) + slice(kGpu) + claiming_pod("p", "c") + claiming_pod("q", "c");
  EXPECT_TRUE(
      has(berth({"plan", "-o", "json", input_file(world + claim("c", ""))}).out, "\"sharing\": \"TimeSlicing\""));
  const std::string mps =
      ", config: [{opaque: {driver: gpu.nvidia.com, parameters: {apiVersion: resource.nvidia.com/v1beta1, kind: "
      "GpuConfig, sharing: {strategy: MPS, mpsConfig: {defaultActiveThreadPercentage: 50}}}}}]";
  const Ran ran = berth({"plan", "-o", "json", input_file(world + claim("c", "", mps))});
  EXPECT_TRUE(has(ran.out, "\"sharing\": \"MPS\"")) << ran.out << ran.err;
  const Ran explained = berth({"explain", "Pod/p", input_file(world + claim("c", "", mps))});
  EXPECT_TRUE(has(explained.out, "MPS; kept apart from others: none")) << explained.out;
}

std::string gpu_config(const std::string& strategy) {
  return "opaque: {driver: gpu.nvidia.com, parameters: {apiVersion: resource.nvidia.com/v1beta1, kind: GpuConfig, "
         "sharing: {strategy: " +
         strategy + "}}}";
}

// Each device by its own request: the one that keeps less apart is told. All of them were taken for the first
// request's.
TEST(DeviceViews, AClaimThatHasItsDevicesSharesThemAsItsAllocationSays) {
  const std::string claim =
      "---\n{apiVersion: resource.k8s.io/v1, kind: ResourceClaim, metadata: {name: c, namespace: a}, spec: {devices: "
      "{requests: [{name: a, exactly: {deviceClassName: gpu}}, {name: b, exactly: {deviceClassName: gpu}}], config: "
      "[{requests: [a], " +
      gpu_config("MPS") + "}, {requests: [b], " + gpu_config("TimeSlicing") +
      "}]}}, status: {reservedFor: [{resource: pods, name: p, uid: u}], allocation: {devices: {results: [{request: a, "
      "driver: gpu.nvidia.com, pool: n1, device: gpu-0}, {request: b, driver: gpu.nvidia.com, pool: n1, device: "
      "gpu-1}], config: [{source: FromClaim, requests: [a], " +
      gpu_config("MPS") + "}, {source: FromClaim, requests: [b], " + gpu_config("TimeSlicing") +
      "}]}, nodeSelector: {nodeSelectorTerms: [{matchFields: [{key: metadata.name, operator: In, values: "
      "[n1]}]}]}}}}\n";
  const std::string world = node("n1", "", "") + device_class(kAny) +
                            slice(std::string(kGpu) + ", {name: gpu-1, attributes: {type: {string: gpu}}}") + claim +
                            claiming_pod("q", "c") +
                            "---\n{apiVersion: v1, kind: Pod, metadata: {name: p, namespace: a, uid: u}, spec: "
                            "{nodeName: n1, resourceClaims: [{name: c, resourceClaimName: c}], containers: [{name: c, "
                            "resources: {claims: [{name: c}]}}]}, status: {phase: Running}}\n";
  const Ran ran = berth({"plan", "-o", "json", input_file(world)});
  EXPECT_TRUE(has(ran.out, "\"sharing\": \"TimeSlicing\"")) << ran.out << ran.err;
}

TEST(DeviceViews, AnAlternativeSharesAsItsClassSays) {
  const std::string classes =
      "---\n{apiVersion: resource.k8s.io/v1, kind: DeviceClass, metadata: {name: mps}, spec: {config: [{" +
      gpu_config("MPS") + "}]}}\n" +
      "---\n{apiVersion: resource.k8s.io/v1, kind: DeviceClass, metadata: {name: none}, spec: {selectors: [{cel: "
      "{expression: \"false\"}}]}}\n";
  const auto claim = [](const std::string& config) {
    return "---\n{apiVersion: resource.k8s.io/v1, kind: ResourceClaim, metadata: {name: c, namespace: a}, spec: "
           "{devices: {requests: [{name: r, firstAvailable: [{name: first, deviceClassName: none}, {name: last, "
           "deviceClassName: mps}]}]" +
           config + "}}}\n";
  };
  const std::string world =
      node("n1", "", "") + classes + slice(kGpu) + claiming_pod("p", "c") + claiming_pod("q", "c");
  const Ran ran = berth({"plan", "-o", "json", input_file(world + claim(""))});
  EXPECT_TRUE(has(ran.out, "\"sharing\": \"MPS\"")) << ran.out << ran.err;
  const std::string of_the_other = ", config: [{requests: [r/first], " + gpu_config("TimeSlicing") + "}]";
  EXPECT_TRUE(has(berth({"plan", "-o", "json", input_file(world + claim(of_the_other))}).out, "\"sharing\": \"MPS\""));
  const std::string of_this = ", config: [{requests: [r/last], " + gpu_config("TimeSlicing") + "}]";
  EXPECT_TRUE(
      has(berth({"plan", "-o", "json", input_file(world + claim(of_this))}).out, "\"sharing\": \"TimeSlicing\""));
}

// A GpuConfig without sharing left the MPS of the class in force, and a MigDeviceConfig spoke for whole cards.
TEST(DeviceViews, TheLastConfigurationForDevicesOfItsKindCounts) {
  const auto config = [](const char* kind, const char* sharing) {
    return std::string(
               "{opaque: {driver: gpu.nvidia.com, parameters: {apiVersion: resource.nvidia.com/v1beta1, kind: ") +
           kind + sharing + "}}}";
  };
  const char* mps = ", sharing: {strategy: MPS}";
  const char* slices = ", sharing: {strategy: TimeSlicing}";
  const std::string of_class =
      "---\n{apiVersion: resource.k8s.io/v1, kind: DeviceClass, metadata: {name: gpu}, spec: {config: [" +
      config("GpuConfig", mps) + "]}}\n";
  const auto sharing_of = [&](const std::string& configs, const std::string& device) {
    const std::string world = node("n1", "", "") + of_class + slice(device) + claiming_pod("p", "c") +
                              claiming_pod("q", "c") + claim("c", "", ", config: [" + configs + "]");
    return berth({"plan", "-o", "json", input_file(world)}).out;
  };
  const std::string mig = "{name: gpu-0-mig-1, attributes: {type: {string: mig}}}";
  const std::string told_mps = "\"sharing\": \"MPS\"";
  const std::string told_slices = "\"sharing\": \"TimeSlicing\"";
  EXPECT_TRUE(has(sharing_of("", kGpu), told_mps));
  EXPECT_TRUE(has(sharing_of(config("GpuConfig", ""), kGpu), told_slices));
  EXPECT_TRUE(has(sharing_of(config("MigDeviceConfig", slices), kGpu), told_mps));
  EXPECT_TRUE(has(sharing_of(config("GpuConfig", slices) + ", " + config("MigDeviceConfig", mps), kGpu), told_slices));
  EXPECT_TRUE(has(sharing_of("", mig), told_slices));
  EXPECT_TRUE(has(sharing_of(config("MigDeviceConfig", mps) + ", " + config("GpuConfig", slices), mig), told_mps));
}

TEST(DeviceViews, AClaimOfSeveralPodsIsListedOnceAndOneThatHasItsDevicesNotAtAll) {
  const std::string world =
      node("n1", "", "") + device_class(kAny) + slice(kGpu) + claiming_pod("p", "c") + claiming_pod("q", "c");
  const Ran shared = berth({"plan", input_file(world + claim("c", ""))});
  EXPECT_TRUE(has(shared.out, "Would be allocated: 1 claim\n")) << shared.out;
  std::string allocated = claim("c", "");
  allocated.insert(allocated.rfind('}'),
                   ", status: {allocation: {devices: {results: [{request: r, driver: gpu.nvidia.com, pool: n1, device: "
                   "gpu-0}]}}}");
  const Ran given = berth({"plan", input_file(world + allocated)});
  EXPECT_TRUE(has(given.out, "Would start: 2 pods")) << given.out << given.err;
  EXPECT_FALSE(has(given.out, "Would be allocated")) << given.out;
}

TEST(DeviceViews, ASearchThatGaveUpIsToldFromDevicesThatAreMissing) {
  // Fifteen devices that share no value, where each of three kinds of values has fifteen: a matching in three
  // dimensions.
  std::string devices;
  std::uint32_t state = 16;
  const auto value = [&state](char kind) {
    state = state * 1664525U + 1013904223U;
    return fmt::format("{}{}", kind, (state >> 16U) % 15U);
  };
  for (int i = 0; i < 64; ++i) {
    std::string values = value('a');
    values += ", " + value('b');
    values += ", " + value('c');
    devices += fmt::format("{}{{name: d{}, attributes: {{x: {{strings: [{}]}}}}}}", i == 0 ? "" : ", ", i, values);
  }
  std::string packed = claim("c", "");
  packed.replace(packed.find("deviceClassName: gpu"), 20, "deviceClassName: gpu, count: 15");
  packed.insert(packed.find("]}}}") + 1, ", constraints: [{distinctAttribute: gpu.nvidia.com/x}]");
  const std::string world = node("n1", "", "") + device_class(kAny) + slice(devices) + packed + claiming_pod("p", "c");
  const Ran ran = berth({"explain", "Pod/p", "--features", "DRAListTypeAttributes=true", input_file(world)});
  EXPECT_TRUE(has(ran.out, "search gave up before it found")) << ran.out << ran.err;
  EXPECT_TRUE(has(ran.out, "where the search for devices gave up: n1")) << ran.out << ran.err;
  EXPECT_FALSE(has(ran.out, "but not with")) << ran.out;
}

TEST(DeviceViews, ASelectorThatDoesNotCompileIsShownWithItsFieldAndACaret) {
  const Ran ran = berth({"plan", input_file(node("n1", "", "") + device_class("device.drivr == 'gpu.nvidia.com'") +
                                            slice(kGpu) + claim("c", "") + claiming_pod("p", "c"))});
  EXPECT_EQ(ran.code, kBadInput);
  EXPECT_TRUE(has(ran.err, "spec.selectors[0].cel.expression")) << ran.err;
  EXPECT_TRUE(has(ran.err, "    device.drivr == 'gpu.nvidia.com'\n")) << ran.err;
  EXPECT_TRUE(has(ran.err, "^\n")) << ran.err;
  const Ran json = berth({"plan", "-o", "json", input_file(node("n1", "", "") + claim("c", "1 +"))});
  EXPECT_TRUE(has(json.out, "spec.devices.requests[0].exactly.selectors[0].cel.expression")) << json.out;
}

TEST(DeviceViews, ANameThatNoDevicePublishesIsTold) {
  const std::string world = node("n1", "", "") + device_class(kAny) + slice(kGpu) +
                            claim("c", "device.attributes['gpu.nvidia.com'].modle == 'H100'") + claiming_pod("p", "c");
  for (const Ran& ran : {berth({"plan", input_file(world)}), berth({"explain", "Pod/p", input_file(world)}),
                         berth({"plan", "-o", "json", input_file(world)})}) {
    EXPECT_TRUE(has(ran.out, "No device publishes the attribute modle")) << ran.out;
    EXPECT_TRUE(has(ran.out, "nearest is model")) << ran.out;
  }
}

TEST(DeviceViews, DevicesThatHaveToBeMadeReadyAreToldWithTheirConditions) {
  const std::string bound =
      "{name: gpu-0, attributes: {type: {string: gpu}}, bindingConditions: [fabric-attached], "
      "bindingFailureConditions: "
      "[failed]}";
  const Ran ran = berth({"plan", input_file(node("n1", "", "") + device_class(kAny) + slice(bound) + claim("c", "") +
                                            claiming_pod("p", "c"))});
  EXPECT_TRUE(has(ran.out, "n1/gpu-0 once fabric-attached")) << ran.out << ran.err;
}

TEST(DeviceViews, GatesThatAreOffAreOffInPlan) {
  const std::string world = node("n1", "", "") +
                            "---\n{apiVersion: resource.k8s.io/v1, kind: DeviceClass, metadata: {name: gpu}, spec: "
                            "{extendedResourceName: nvidia.com/gpu, selectors: [{cel: {expression: \"device.driver == "
                            "'gpu.nvidia.com'\"}}]}}\n" +
                            slice(kGpu) + counting_pod("a", "p", "nvidia.com/gpu");
  EXPECT_EQ(berth({"plan", input_file(world)}).code, kDone);
  const Ran off = berth({"plan", "--kubernetes", "1.34", input_file(world)});
  EXPECT_EQ(off.code, kNotEverything) << off.out << off.err;
  EXPECT_TRUE(has(off.out, "NoDevice")) << off.out;
}

// A GPU in two books is one card, a GPU and its partitions are one card, and of a cut card the fullest counter counts.
TEST(DeviceViews, GpusThatSlicesPublishAreCounted) {
  const std::string cut =
      "{name: gpu-1, attributes: {type: {string: gpu}}, consumesCounters: [{counterSet: s, counters: {m: {value: "
      "\"8\"}}}]}, "
      "{name: mig-1, attributes: {type: {string: mig}}, consumesCounters: [{counterSet: s, counters: {m: {value: "
      "\"2\"}}}]}, "
      "{name: mig-2, attributes: {type: {string: mig}}, consumesCounters: [{counterSet: s, counters: {m: {value: "
      "\"2\"}}}]}";
  const std::string sets =
      "---\n{apiVersion: resource.k8s.io/v1, kind: ResourceSlice, metadata: {name: n1-sets}, spec: {driver: "
      "gpu.nvidia.com, nodeName: n1, pool: {name: n1, generation: 1, resourceSliceCount: 2}, sharedCounters: [{name: "
      "s, "
      "counters: {m: {value: \"8\"}}}]}}\n";
  std::string devices = slice(std::string(kGpu) + ", " + cut);
  devices.replace(devices.find("resourceSliceCount: 1"), 21, "resourceSliceCount: 2");
  const std::string world = node("n1", "", "") + device_class(kAny) + sets + devices +
                            claim("c", "device.attributes['gpu.nvidia.com'].type == 'mig'") + claiming_pod("p", "c");
  const Ran ran = berth({"plan", input_file(world)});
  EXPECT_TRUE(has(ran.out, "2 ResourceSlices with 4 devices, 1\n         DeviceClass, 1 ResourceClaim")) << ran.out;
  EXPECT_TRUE(has(ran.out, "GPUs     0 of 2 allocated, 2 free; after this plan 1.75 free")) << ran.out << ran.err;
}

}  // namespace
}  // namespace berth::cli
