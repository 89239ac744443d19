// Reading resource.k8s.io: every version, every limit, every gate. What is written back is tested in encode_test.cc.
#include "api/resource.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "api/load.h"
#include "api/resource_names.h"
#include "support/source_directory.h"
#include "text/byte_source.h"

namespace berth::api {
namespace {

std::string texts_of(const std::vector<Error>& errors) {
  std::string text;
  for (const Error& error : errors) text += error.to_string() + "\n";
  return text;
}

Loaded load_with(std::string_view text, KubernetesVersion version, std::string_view gates = "") {
  LoadOptions options;
  options.kubernetes = version;
  options.gates = FeatureGates(version);
  EXPECT_TRUE(options.gates.apply(gates).has_value());
  Loader loader(options);
  text::MemorySource source(text);
  loader.load_source(source, "x.yaml");
  return std::move(loader).finish();
}

// A slice with these devices.
std::string slice(const std::string& devices, const std::string& spec = "nodeName: n1") {
  return "{apiVersion: resource.k8s.io/v1, kind: ResourceSlice, metadata: {name: s}, spec: {driver: d.example.com, "
         "pool: {name: p, resourceSliceCount: 1}, " +
         spec + ", devices: [" + devices + "]}}\n";
}

// A claim with this spec.devices.
std::string claim(const std::string& devices, const std::string& status = "{}") {
  return "{apiVersion: resource.k8s.io/v1, kind: ResourceClaim, metadata: {name: c}, spec: {devices: {" + devices +
         "}}, status: " + status + "}\n";
}

std::string request(const std::string& fields) {
  return claim("requests: [{name: r, exactly: {deviceClassName: a, " + fields + "}}]");
}

std::string repeated(std::string_view item, int count) {
  std::string text;
  for (int i = 0; i < count; ++i) {
    std::string next(item);
    for (std::size_t at = next.find('#'); at != std::string::npos; at = next.find('#'))
      next.replace(at, 1, std::to_string(i));
    text += (i == 0 ? "" : ", ") + next;
  }
  return text;
}

struct Refused {
  std::string text;
  std::string field;         // of the first error
  std::string_view because;  // part of its message
};

// Each is refused by one reason, and a good document beside it is read.
void expect_refused(const std::vector<Refused>& cases) {
  for (const Refused& refused : cases) {
    const Loaded loaded = load_text(refused.text + "---\n" + slice("{name: good}"), "x.yaml");
    SCOPED_TRACE(refused.text.substr(0, 300));
    EXPECT_EQ(loaded.objects.resource_slices.size(), 1U);
    ASSERT_FALSE(loaded.errors.empty());
    EXPECT_EQ(loaded.errors.front().place.field, refused.field) << texts_of(loaded.errors);
    EXPECT_NE(loaded.errors.front().message.find(refused.because), std::string::npos) << texts_of(loaded.errors);
    EXPECT_EQ(loaded.errors.front().place.document, 1);
    EXPECT_TRUE(loaded.errors.front().message.ends_with('.') || loaded.errors.front().message.ends_with('?'));
  }
}

void expect_accepted(const std::vector<std::string>& texts) {
  for (const std::string& text : texts) {
    const Loaded loaded = load_text(text, "x.yaml");
    EXPECT_TRUE(loaded.errors.empty()) << text.substr(0, 300) << "\n" << texts_of(loaded.errors);
    EXPECT_EQ(loaded.read, 1) << text.substr(0, 300);
  }
}

// --- Slices ---------------------------------------------------------------------------------------------------------

TEST(ResourceSlice, PartsOfADeviceAreSortedAndTyped) {
  const Loaded loaded =
      load_text(slice("{name: gpu-0, attributes: {type: {string: gpu}, a.example.com/x: {int: 1}, ecc: {bool: true}, "
                      "v: {version: 1.2.3}}, capacity: {memory: {value: 40Gi}, cores: {value: 7}}}"));
  ASSERT_TRUE(loaded.errors.empty()) << texts_of(loaded.errors);
  const Device& device = loaded.objects.resource_slices.at(0).object.devices.at(0);
  ASSERT_EQ(device.attributes->size(), 4U);
  EXPECT_EQ(device.attributes->front().name, "a.example.com/x");
  EXPECT_EQ(std::get<std::int64_t>(find_attribute(*device.attributes, "a.example.com/x")->value), 1);
  EXPECT_EQ(std::get<std::string>(find_attribute(*device.attributes, "type")->value), "gpu");
  EXPECT_EQ(std::get<Version>(find_attribute(*device.attributes, "v")->value).text, "1.2.3");
  EXPECT_TRUE(std::get<bool>(find_attribute(*device.attributes, "ecc")->value));
  EXPECT_EQ(find_attribute(*device.attributes, "none"), nullptr);
  EXPECT_EQ(find_capacity(*device.capacity, "memory")->value, Quantity::parse("40Gi"));
}

TEST(ResourceSlice, OldestVersionHasTheDeviceOneLevelDeeper) {
  const std::string_view text =
      "{apiVersion: resource.k8s.io/v1beta1, kind: ResourceSlice, metadata: {name: s}, spec: {driver: d, nodeName: n1, "
      "pool: {name: p, generation: 0, resourceSliceCount: 1}, devices: [{name: x, basic: {attributes: {a: {int: 1}}, "
      "capacity: {m: {value: 1Gi}}, taints: [{key: k, effect: NoSchedule}]}}]}}";
  const Loaded loaded = load_text(text);
  ASSERT_TRUE(loaded.errors.empty() && loaded.remarks.empty()) << texts_of(loaded.errors) << texts_of(loaded.remarks);
  const Device& device = loaded.objects.resource_slices.at(0).object.devices.at(0);
  EXPECT_EQ(device.attributes->size(), 1U);
  EXPECT_EQ(device.capacity->size(), 1U);
  EXPECT_EQ(device.taints->size(), 1U);
}

TEST(ResourceSlice, FieldsOfAnotherVersionAreNamed) {
  const Loaded loaded = load_text(slice("{name: x, basic: {attributes: {a: {int: 1}}}}"), "x.yaml");
  ASSERT_EQ(loaded.remarks.size(), 1U);
  EXPECT_EQ(loaded.remarks[0].place.field, "spec.devices[0].basic");
}

TEST(ResourceSlice, EqualPartsAreHeldOnce) {
  const std::string device =
      "{name: d-#, attributes: {t: {string: a}}, capacity: {m: {value: 1}}, consumesCounters: "
      "[{counterSet: s, counters: {c: {value: 1}}}]}";
  const Loaded loaded = load_text(slice(repeated(device, 3)) + "---\n" +
                                  slice("{name: other, attributes: {t: {string: b}}}", "allNodes: true"));
  ASSERT_TRUE(loaded.errors.empty()) << texts_of(loaded.errors);
  const auto& devices = loaded.objects.resource_slices.at(0).object.devices;
  EXPECT_EQ(devices.size(), 1U);  // the later slice has the same name and took the place of the first

  const Loaded first = load_text(slice(repeated(device, 3)));
  const auto& three = first.objects.resource_slices.at(0).object.devices;
  EXPECT_EQ(three[0].attributes.address(), three[2].attributes.address());
  EXPECT_EQ(three[0].capacity.address(), three[2].capacity.address());
  EXPECT_EQ(three[0].consumes_counters.address(), three[2].consumes_counters.address());
}

TEST(ResourceSlice, RefusesWhatTheApiServerRefuses) {
  expect_refused({
      {slice("{name: Gpu}"), "spec.devices[0].name", "no DNS label"},
      {slice("{attributes: {}}"), "spec.devices[0]", "name is missing"},
      {slice("{name: a}, {name: a}"), "spec.devices[1]", "there twice"},
      {slice(repeated("{name: d-#}", 129)), "spec.devices", "129 devices"},
      {slice("{name: t, taints: [{key: k, effect: None}]}, " + repeated("{name: d-#}", 64)), "spec.devices",
       "at most 64"},
      {slice("{name: a}", "nodeName: n1, allNodes: true"), "spec", "but 2 are set"},
      {slice("{name: a}", "nodeName: null"), "spec", "but 0 are set"},
      {slice("{name: a}", "allNodes: false"), "spec.allNodes", "must be true"},
      {slice("{name: a}",
             "nodeSelector: {nodeSelectorTerms: [{matchExpressions: [{key: a, operator: Exists}]}, "
             "{matchExpressions: [{key: b, operator: Exists}]}]}"),
       "spec", "exactly one term"},
      {slice("{name: a, nodeName: n1}"), "spec.devices[0]", "need perDeviceNodeSelection"},
      {slice("{name: a}", "perDeviceNodeSelection: true"), "spec.devices[0]", "Exactly one of"},
      {slice("{name: a}", "nodeName: n1, sharedCounters: [{name: s, counters: {c: {value: 1}}}]"), "spec",
       "either devices or sharedCounters"},
      {slice("", "nodeName: n1, sharedCounters: [{name: s, counters: {}}]"), "spec.sharedCounters[0]",
       "counters is empty"},
      {slice("",
             "nodeName: n1, sharedCounters: [{name: s, counters: {c: {value: 1}}}, {name: s, counters: {c: {value: "
             "1}}}]"),
       "spec.sharedCounters[1]", "there twice"},
      {slice("", "nodeName: n1, sharedCounters: [" + repeated("{name: s-#, counters: {c: {value: 1}}}", 9) + "]"),
       "spec.sharedCounters", "at most 8"},
      {slice("", "nodeName: n1, sharedCounters: [{name: s, counters: {" + repeated("c-#: {value: 1}", 33) + "}}]"),
       "spec.sharedCounters[0].counters", "at most 32"},
      {slice("{name: a, consumesCounters: [" + repeated("{counterSet: s-#, counters: {c: {value: 1}}}", 3) + "]}"),
       "spec.devices[0].consumesCounters", "at most 2"},
      {slice("{name: a, attributes: {t: {}}}"), "spec.devices[0].attributes[t]", "exactly one of"},
      {slice("{name: a, attributes: {t: {int: 1, bool: true}}}"), "spec.devices[0].attributes[t]", "this has 2"},
      {slice("{name: a, attributes: {t: {int: \"1\"}}}"), "spec.devices[0].attributes[t].int", "integer"},
      {slice("{name: a, attributes: {t: {version: v1}}}"), "spec.devices[0].attributes[t].version", "semantic version"},
      {slice("{name: a, attributes: {t: {string: " + std::string(65, 'x') + "}}}"),
       "spec.devices[0].attributes[t].string", "at most 64"},
      {slice("{name: a, attributes: {a-b: {int: 1}}}"), "spec.devices[0].attributes[a-b]", "no qualified name"},
      {slice("{name: a, attributes: {" + repeated("a#: {int: 1}", 33) + "}}"), "spec.devices[0]", "at most 32"},
      {slice("{name: a, attributes: {" + repeated("a#: {int: 1}", 20) + "}, capacity: {" +
             repeated("c#: {value: 1}", 13) + "}}"),
       "spec.devices[0]", "33 attributes and capacities"},
      {slice("{name: a, capacity: {m: {value: x}}}"), "spec.devices[0].capacity[m].value", ""},
      {slice("{name: a, taints: [{key: k}]}"), "spec.devices[0].taints[0]", "effect is missing"},
      {slice("{name: a, taints: [{key: k, effect: Maybe}]}"), "spec.devices[0].taints[0].effect", "NoSchedule"},
      {slice("{name: a, taints: [" + repeated("{key: k#, effect: None}", 17) + "]}"), "spec.devices[0].taints",
       "at most 16"},
      {slice("{name: a, bindingConditions: [x]}"), "spec.devices[0]", "together"},
      {slice("{name: a, bindingConditions: [x], bindingFailureConditions: [x]}"), "spec.devices[0]", "both"},
      {"{apiVersion: resource.k8s.io/v1, kind: ResourceSlice, metadata: {name: s}, spec: {driver: d_x, nodeName: n1, "
       "pool: {name: p, resourceSliceCount: 1}}}\n",
       "spec.driver", "no driver's name"},
      {"{apiVersion: resource.k8s.io/v1, kind: ResourceSlice, metadata: {name: s}, spec: {driver: d, nodeName: n1, "
       "pool: {name: a//b, resourceSliceCount: 1}}}\n",
       "spec.pool.name", "no pool's name"},
      {"{apiVersion: resource.k8s.io/v1, kind: ResourceSlice, metadata: {name: s}, spec: {driver: d, nodeName: n1, "
       "pool: {name: p}}}\n",
       "spec.pool", "resourceSliceCount"},
      {"{apiVersion: resource.k8s.io/v1, kind: ResourceSlice, metadata: {name: s}}\n", "", "spec is missing"},
  });
}

TEST(ResourceSlice, LimitsThemselvesAreAllowed) {
  expect_accepted({
      slice(repeated("{name: d-#}", 128)),
      slice(repeated("{name: d-#, consumesCounters: [{counterSet: s, counters: {c: {value: 1}}}]}", 64)),
      slice("{name: a, attributes: {" + repeated("a#: {int: 1}", 20) + "}, capacity: {" +
            repeated("c#: {value: 1}", 12) + "}}"),
      slice("{name: a, attributes: {t: {string: " + std::string(64, 'x') + "}}}"),
      slice("{name: " + std::string(63, 'a') + "}"),
  });
}

std::string shared_device(const std::string& value, const std::string& policy) {
  return slice("{name: a, allowMultipleAllocations: true, capacity: {m: {value: " + value + ", requestPolicy: {" +
               policy + "}}}}");
}

TEST(RequestPolicy, RefusesWhatTheApiServerRefuses) {
  const std::string kPolicy = "spec.devices[0].capacity[m].requestPolicy";
  expect_refused({
      {slice("{name: a, capacity: {m: {value: 1, requestPolicy: {default: 1}}}}"), "spec.devices[0]",
       "allowMultipleAllocations"},
      {shared_device("8", "validValues: [1]"), kPolicy, "default is missing"},
      {shared_device("8", "default: 1, validValues: [1], validRange: {min: 1}"), kPolicy, "exclude each other"},
      {shared_device("8", "default: 3, validValues: [1, 2]"), kPolicy, "none of validValues"},
      {shared_device("8", "default: 1, validValues: [2, 1]"), kPolicy, "not ascending"},
      {shared_device("8", "default: 1, validValues: [1, 1]"), kPolicy, "twice"},
      {shared_device("8", "default: 1, validValues: [1, 9]"), kPolicy, "more than the capacity"},
      {shared_device("88", "default: 1, validValues: [" + repeated("#", 11) + "]"), kPolicy, "at most 10"},
      {shared_device("8", "default: 1, validRange: {max: 4}"), kPolicy + ".validRange", "min is missing"},
      {shared_device("8", "default: 9, validRange: {min: 9}"), kPolicy, "more than the capacity"},
      {shared_device("8", "default: 1, validRange: {min: 2}"), kPolicy, "less than min"},
      {shared_device("8", "default: 4, validRange: {min: 4, max: 3}"), kPolicy, "more than max"},
      {shared_device("8", "default: 1, validRange: {min: 1, max: 9}"), kPolicy, "more than the capacity"},
      {shared_device("8", "default: 5, validRange: {min: 1, max: 4}"), kPolicy, "more than max"},
      {shared_device("8", "default: 1, validRange: {min: 1, step: 0}"), kPolicy, "not above 0"},
      {shared_device("8", "default: 4, validRange: {min: 4, step: 5}"), kPolicy, "one step"},
      {shared_device("8", "default: 2, validRange: {min: 1, step: 2}"), kPolicy, "steps of 2"},
      {shared_device("8", "default: 1, validRange: {min: 1, max: 4, step: 2}"), kPolicy, "max, 4"},
      {shared_device("8", "default: 100u, validRange: {min: 0, step: 1}"), kPolicy, "finer than a thousandth"},
      {shared_device("5Ei", "default: 1, validRange: {min: 1, step: 4611686018427387904}"), kPolicy,
       "more than can be counted in thousandths"},
  });
  expect_accepted({
      shared_device("8", ""),
      shared_device("8", "default: 20"),
      shared_device("8", "default: 2, validValues: [1, 2, 8]"),
      shared_device("8Gi", "default: 1Gi, validRange: {min: 1Gi, max: 8Gi, step: 1Gi}"),
      shared_device("1", "default: 500m, validRange: {min: 250m, step: 250m, max: 1}"),
  });
}

// --- Claims and classes ---------------------------------------------------------------------------------------------

TEST(ResourceClaim, DefaultsAreTheApis) {
  const Loaded loaded =
      load_text(claim("requests: [{name: a, exactly: {deviceClassName: c}}, {name: b, exactly: {deviceClassName: c, "
                      "allocationMode: All}}, {name: f, firstAvailable: [{name: x, deviceClassName: c}]}]"));
  ASSERT_TRUE(loaded.errors.empty()) << texts_of(loaded.errors);
  const auto& requests = loaded.objects.resource_claims.at(0).object.spec.requests;
  EXPECT_EQ(requests[0].exactly->allocation_mode, DeviceAllocationMode::kExactCount);
  EXPECT_EQ(requests[0].exactly->count, 1);
  EXPECT_EQ(requests[1].exactly->count, 0);
  EXPECT_EQ(requests[2].first_available.at(0).request.count, 1);
  EXPECT_EQ(loaded.objects.resource_claims[0].object.metadata.namespace_, "default");
}

TEST(ResourceClaim, OldestVersionIsFlat) {
  const std::string_view text =
      "{apiVersion: resource.k8s.io/v1beta1, kind: ResourceClaim, metadata: {name: c}, spec: {devices: {requests: "
      "[{name: a, deviceClassName: c, count: 2, selectors: [{cel: {expression: x}}]}, {name: f, firstAvailable: "
      "[{name: "
      "x, deviceClassName: c}]}]}}}";
  const Loaded loaded = load_text(text);
  ASSERT_TRUE(loaded.errors.empty() && loaded.remarks.empty()) << texts_of(loaded.errors) << texts_of(loaded.remarks);
  const auto& requests = loaded.objects.resource_claims.at(0).object.spec.requests;
  EXPECT_EQ(requests[0].exactly->count, 2);
  EXPECT_EQ(requests[0].exactly->selectors.at(0).expression, "x");
  EXPECT_FALSE(requests[1].exactly.has_value());
  EXPECT_EQ(requests[1].first_available.size(), 1U);
}

TEST(ResourceClaim, MiddleVersionIsLikeTheNewest) {
  const Loaded loaded = load_text(
      "{apiVersion: resource.k8s.io/v1beta2, kind: ResourceClaimTemplate, metadata: {name: t}, spec: {spec: {devices: "
      "{requests: [{name: a, exactly: {deviceClassName: c}}]}}}}");
  ASSERT_TRUE(loaded.errors.empty()) << texts_of(loaded.errors);
  EXPECT_EQ(loaded.objects.resource_claim_templates.at(0).object.spec.requests.size(), 1U);
}

TEST(ResourceClaim, RefusesWhatTheApiServerRefuses) {
  const std::string kShare = "00000000-0000-4000-8000-000000000001";
  const std::string kRequest = "spec.devices.requests[0]";
  const std::string exactly = kRequest + ".exactly";
  const std::string good = "requests: [{name: r, exactly: {deviceClassName: a}}]";
  expect_refused({
      {claim("requests: [{name: r}]"), kRequest, "exactly or firstAvailable is missing"},
      {claim("requests: [{name: r, deviceClassName: a}]"), kRequest, "stand under exactly"},
      {claim("requests: [{name: r, exactly: {deviceClassName: a}, firstAvailable: [{name: x, deviceClassName: a}]}]"),
       kRequest, "remove one of them"},
      {claim("requests: [{exactly: {deviceClassName: a}}]"), kRequest, "name is missing"},
      {claim("requests: [{name: a/b, exactly: {deviceClassName: a}}]"), "spec.devices.requests[0].name",
       "no DNS label"},
      {claim("requests: [{name: r, exactly: {deviceClassName: a}}, {name: r, exactly: {deviceClassName: a}}]"),
       "spec.devices.requests[1]", "there twice"},
      {claim("requests: [" + repeated("{name: r-#, exactly: {deviceClassName: a}}", 33) + "]"), "spec.devices.requests",
       "at most 32"},
      {claim("requests: [{name: r, exactly: {}}]"), exactly, "deviceClassName is missing"},
      {request("count: -1"), exactly + ".count", "above 0"},
      {request("allocationMode: All, count: 2"), exactly + ".count", "no count"},
      {request("allocationMode: Some"), exactly + ".allocationMode", "ExactCount or All"},
      {request("selectors: [{}]"), exactly + ".selectors[0]", "cel is missing"},
      {request("selectors: [{cel: {}}]"), exactly + ".selectors[0].cel", "expression is missing"},
      {request("selectors: [{cel: {expression: " + std::string(10241, 'x') + "}}]"), exactly + ".selectors[0].cel",
       "10241 bytes"},
      {request("selectors: [" + repeated("{cel: {expression: x}}", 33) + "]"), exactly + ".selectors", "at most 32"},
      {request("tolerations: [{operator: Exists, value: x}]"), exactly + ".tolerations[0]", "no value"},
      {request("tolerations: [{operator: Lt}]"), exactly + ".tolerations[0].operator", "Equal or Exists"},
      {request("capacity: {requests: {a-b: 1}}"), exactly + ".capacity.requests[a-b]", "no qualified name"},
      {claim("requests: [{name: r, firstAvailable: [" + repeated("{name: a-#, deviceClassName: a}", 9) + "]}]"),
       "spec.devices.requests[0].firstAvailable", "at most 8"},
      {claim("requests: [{name: r, firstAvailable: [{name: a, deviceClassName: a}, {name: a, deviceClassName: b}]}]"),
       "spec.devices.requests[0].firstAvailable[1]", "there twice"},
      {claim(good + ", constraints: [{}]"), "spec.devices.constraints[0]", "Exactly one of"},
      {claim(good + ", constraints: [{matchAttribute: numa}]"), "spec.devices.constraints[0].matchAttribute",
       "fully qualified"},
      {claim(good + ", constraints: [{matchAttribute: a/b, distinctAttribute: a/c}]"), "spec.devices.constraints[0]",
       "Exactly one of"},
      {claim(good + ", constraints: [{requests: [x], matchAttribute: a/b}]"), "spec.devices.constraints[0]",
       "no request \"x\""},
      {claim(good + ", constraints: [{requests: [r, r], matchAttribute: a/b}]"), "spec.devices.constraints[0]",
       "named twice"},
      {claim(good + ", constraints: [{requests: [" + repeated("r", 33) + "], matchAttribute: a/b}]"),
       "spec.devices.constraints[0].requests", "at most 32"},
      {claim(good + ", config: [{requests: [" + repeated("r", 33) + "], opaque: {driver: d, parameters: {}}}]"),
       "spec.devices.config[0].requests", "at most 32"},
      {claim(good + ", constraints: [{requests: [r/x], matchAttribute: a/b}]"), "spec.devices.constraints[0]",
       "no request \"r/x\""},
      {claim(good + ", constraints: [" + repeated("{matchAttribute: a/b}", 33) + "]"), "spec.devices.constraints",
       "at most 32"},
      {claim(good + ", config: [{}]"), "spec.devices.config[0]", "opaque is missing"},
      {claim(good + ", config: [{opaque: {driver: d}}]"), "spec.devices.config[0].opaque", "parameters is missing"},
      {claim(good + ", config: [{opaque: {driver: d, parameters: [1]}}]"), "spec.devices.config[0].opaque.parameters",
       "an object"},
      {claim(good + ", config: [{opaque: {driver: d, parameters: {a: " + std::string(10240, 'x') + "}}}]"),
       "spec.devices.config[0].opaque.parameters", "at most 10240"},
      {claim(good, "{reservedFor: [{resource: pods, name: p, uid: u}]}"), "status", "not allocated"},
      {claim(good, "{allocation: {devices: {results: [{request: x, driver: d, pool: p, device: e}]}}}"),
       "status.allocation.devices.results[0]", "no request \"x\""},
      {claim(good, "{allocation: {devices: {results: [{request: r, driver: d, pool: p}]}}}"),
       "status.allocation.devices.results[0]", "device is missing"},
      {claim(good, "{allocation: {devices: {results: [{request: r, driver: d, pool: p, device: e, shareID: X}]}}}"),
       "status.allocation.devices.results[0].shareID", "no UUID"},
      {claim(good, "{allocation: {}, devices: [{driver: d, pool: p, device: e, shareID: " + kShare +
                       "}, {driver: d, pool: p, device: e}, {driver: d, pool: p, device: e}]}"),
       "status.devices[2]", "there twice"},
      {claim(good, "{allocation: {}, reservedFor: [" + repeated("{resource: pods, name: p, uid: u-#}", 257) + "]}"),
       "status.reservedFor", "at most 256"},
      {"{apiVersion: resource.k8s.io/v1, kind: DeviceClass, metadata: {name: c}, spec: {extendedResourceName: gpu}}\n",
       "spec.extendedResourceName", "no extended resource"},
      {"{apiVersion: resource.k8s.io/v1, kind: DeviceClass, metadata: {name: c}, spec: {selectors: [" +
           repeated("{cel: {expression: x}}", 33) + "]}}\n",
       "spec.selectors", "at most 32"},
      {"{apiVersion: resource.k8s.io/v1, kind: ResourceClaimTemplate, metadata: {name: t}, spec: {devices: {}}}\n",
       "spec", "spec is missing"},
      {"{apiVersion: resource.k8s.io/v1, kind: DeviceTaintRule, metadata: {name: t}, spec: {}}\n", "spec",
       "taint is missing"},
      {"{apiVersion: resource.k8s.io/v1, kind: DeviceTaintRule, metadata: {name: t}, spec: {deviceSelector: {device: "
       "A}, taint: {key: k, effect: None}}}\n",
       "spec.deviceSelector.device", "no DNS label"},
  });
}

// Kubernetes 1.34 had it. Left out, the rule would taint every device.
TEST(DeviceTaintRule, ASelectorThatIsNotKnownTaintsNothing) {
  const Loaded loaded = load_text(
      "{apiVersion: resource.k8s.io/v1alpha3, kind: DeviceTaintRule, metadata: {name: t}, spec: {deviceSelector: "
      "{deviceClassName: mig}, taint: {key: k, effect: NoSchedule}}}\n");
  ASSERT_EQ(loaded.errors.size(), 1U);
  EXPECT_NE(loaded.errors[0].message.find("deviceClassName"), std::string::npos);
  EXPECT_TRUE(loaded.objects.device_taint_rules.empty());
}

TEST(DeviceTaintRule, NoSelectorIsNotTheEmptySelector) {
  for (const std::string_view version : {"v1", "v1beta2", "v1alpha3"}) {
    const std::string head = "{apiVersion: resource.k8s.io/" + std::string(version) + ", kind: DeviceTaintRule, ";
    const Loaded loaded = load_text(head + "metadata: {name: a}, spec: {taint: {key: k, effect: None}}}\n---\n" + head +
                                    "metadata: {name: b}, spec: {deviceSelector: {}, taint: {key: k, effect: None}}}");
    ASSERT_EQ(loaded.objects.device_taint_rules.size(), 2U) << texts_of(loaded.errors);
    EXPECT_FALSE(loaded.objects.device_taint_rules[0].object.device_selector.has_value());
    EXPECT_TRUE(loaded.objects.device_taint_rules[1].object.device_selector.has_value());
  }
}

TEST(Examples, ClassAndClaimsAreReadWithoutARemark) {
  const std::string directory = std::string(support::source_directory()) + "/examples/dra/";
  const std::vector<std::string> paths = {directory + "deviceclass.yaml", directory + "claim-all.yaml",
                                          directory + "mig-claim.yaml"};
  const Loaded loaded = load(paths);
  EXPECT_TRUE(loaded.errors.empty() && loaded.remarks.empty()) << texts_of(loaded.errors) << texts_of(loaded.remarks);
  ASSERT_EQ(loaded.objects.device_classes.size(), 1U);
  ASSERT_EQ(loaded.objects.resource_claims.size(), 2U);
  EXPECT_EQ(loaded.objects.device_classes[0].object.selectors.at(0).expression,
            "device.driver == \"driver.example.com\"");
  EXPECT_EQ(loaded.objects.resource_claims[0].object.spec.requests.at(0).exactly->allocation_mode,
            DeviceAllocationMode::kAll);
}

// --- Gates ----------------------------------------------------------------------------------------------------------

TEST(Gates, FieldsOfADisabledFeatureAreDroppedLoudly) {
  const std::string text = slice(
      "{name: a, allowMultipleAllocations: true, taints: [{key: k, effect: NoSchedule}], consumesCounters: "
      "[{counterSet: s, counters: {c: {value: 1}}}], bindsToNode: true, attributes: {l: {ints: [1]}, i: {int: 1}}}");
  const Loaded loaded = load_with(text, KubernetesVersion::k135);
  ASSERT_TRUE(loaded.errors.empty()) << texts_of(loaded.errors);
  const Device& device = loaded.objects.resource_slices.at(0).object.devices.at(0);
  EXPECT_TRUE(device.taints->empty());
  EXPECT_TRUE(device.consumes_counters->empty());
  EXPECT_FALSE(device.allow_multiple_allocations);
  EXPECT_FALSE(device.binds_to_node);
  EXPECT_EQ(device.attributes->size(), 1U);
  const std::string remarks = texts_of(loaded.remarks);
  for (const std::string_view gate : {"DRADeviceTaints", "DRAPartitionableDevices", "DRAConsumableCapacity",
                                      "DRADeviceBindingConditions", "DRAListTypeAttributes"})
    EXPECT_NE(remarks.find(gate), std::string::npos) << gate << "\n" << remarks;
  EXPECT_NE(remarks.find("Kubernetes 1.35"), std::string::npos) << remarks;

  const Loaded newer = load_with(text, KubernetesVersion::k137, "DRAListTypeAttributes=true");
  EXPECT_TRUE(newer.remarks.empty()) << texts_of(newer.remarks);
  const Device& whole = newer.objects.resource_slices.at(0).object.devices.at(0);
  EXPECT_EQ(whole.attributes->size(), 2U);
  EXPECT_EQ(std::get<std::vector<std::int64_t>>(find_attribute(*whole.attributes, "l")->value).size(), 1U);
}

TEST(Gates, ListsHaveTheirOwnRules) {
  const auto faults = [](const std::string& attributes) {
    return texts_of(
        load_with(slice("{name: a, attributes: {" + attributes + "}}"), kNewestKubernetes, "DRAListTypeAttributes=true")
            .errors);
  };
  EXPECT_NE(faults("a: {strings: []}").find("empty"), std::string::npos);
  EXPECT_NE(faults("a: {versions: [x]}").find("semantic version"), std::string::npos);
  EXPECT_NE(faults("a: {ints: [1], int: 1}").find("this has 2"), std::string::npos);
  EXPECT_NE(faults("a: {ints: [" + repeated("#", 49) + "]}").find("at most 48"), std::string::npos);
  EXPECT_EQ(faults("a: {ints: [" + repeated("#", 46) + "]}, b: {string: text}, c: {bools: [true]}"), "");
}

TEST(Gates, ClaimsLoseWhatIsDisabledToo) {
  const std::string text =
      claim(
          "requests: [{name: r, exactly: {deviceClassName: a, tolerations: [{operator: Exists}], capacity: {requests: "
          "{m: 1}}}}]") +
      "---\n{apiVersion: resource.k8s.io/v1, kind: DeviceClass, metadata: {name: c}, spec: {extendedResourceName: "
      "example.com/gpu}}\n---\n{apiVersion: resource.k8s.io/v1alpha3, kind: DeviceTaintRule, metadata: {name: t}, "
      "spec: "
      "{taint: {key: k, effect: None}}}\n";
  const Loaded loaded = load_with(text, KubernetesVersion::k134);
  EXPECT_TRUE(loaded.errors.empty()) << texts_of(loaded.errors);
  EXPECT_EQ(loaded.remarks.size(), 4U) << texts_of(loaded.remarks);
  EXPECT_EQ(*loaded.objects.resource_claims.at(0).object.spec.requests[0].exactly,
            (ExactDeviceRequest{.device_class_name = "a"}));
  EXPECT_TRUE(loaded.objects.device_classes.at(0).object.extended_resource_name.empty());
  EXPECT_TRUE(loaded.objects.device_taint_rules.empty());
  EXPECT_EQ(load_with(text, KubernetesVersion::k137).remarks.size(), 0U);
}

TEST(Gates, ADeviceHasFewerTaintsInTheFirstVersion) {
  const std::string five = slice("{name: a, taints: [" + repeated("{key: k#, effect: None}", 5) + "]}");
  const std::string gate = "DRADeviceTaints=true";
  EXPECT_NE(texts_of(load_with(five, KubernetesVersion::k134, gate).errors).find("at most 4"), std::string::npos);
  EXPECT_EQ(texts_of(load_with(five, KubernetesVersion::k135, gate).errors), "");
}

// Without the gate for fractions the API counts values in whole units, rounded up.
TEST(Gates, WithoutFractionsValuesOfOneUnitAreTheSame) {
  const std::string text = shared_device("1", "default: 100m, validValues: [100m, 200m]");
  EXPECT_EQ(texts_of(load_with(text, KubernetesVersion::k137).errors), "");
  const std::string off = texts_of(load_with(text, KubernetesVersion::k136).errors);
  EXPECT_NE(off.find("twice, as whole units count"), std::string::npos) << off;
}

// Kubernetes 1.34 has counters in one slice with the devices that consume them, and only there.
TEST(Gates, InTheFirstVersionASliceHasDevicesAndTheirCounters) {
  constexpr std::string_view kGate = "DRAPartitionableDevices=true";
  const auto both = [](const std::string& sets, const std::string& consumed) {
    return slice("{name: a, consumesCounters: [" + consumed + "]}", "nodeName: n1, sharedCounters: [" + sets + "]");
  };
  const auto errors = [&](const std::string& text) {
    return texts_of(load_with(text, KubernetesVersion::k134, kGate).errors);
  };
  const auto refuses = [&](const std::string& text, std::string_view why) {
    EXPECT_NE(errors(text).find(why), std::string::npos) << errors(text);
  };
  const std::string set = "{name: s, counters: {c: {value: 1}}}";
  const Loaded good =
      load_with(both(set, "{counterSet: s, counters: {c: {value: 1}}}"), KubernetesVersion::k134, kGate);
  EXPECT_EQ(texts_of(good.errors), "");
  EXPECT_EQ(good.objects.resource_slices.at(0).object.shared_counters.size(), 1U);
  EXPECT_EQ(good.objects.resource_slices.at(0).object.devices.size(), 1U);

  refuses(both(set, "{counterSet: t, counters: {c: {value: 1}}}"), "not in the slice's shared");
  refuses(both(set, "{counterSet: s, counters: {x: {value: 1}}}"), "does not have; add it");
  refuses(slice("{name: a, consumesCounters: [{counterSet: s, counters: {c: {value: 1}}}]}"), "set 1.35 or later");
  // As many sets as one likes, of 32 counters together; as many devices as fit a slice.
  EXPECT_EQ(errors(both(repeated("{name: s-#, counters: {c: {value: 1}}}", 32),
                        repeated("{counterSet: s-#, counters: {c: {value: 1}}}", 32))),
            "");
  refuses(both(repeated("{name: s-#, counters: {c: {value: 1}, d: {value: 1}}}", 17), ""),
          "more than 32 counters in all sets");
  EXPECT_EQ(errors(slice(repeated("{name: d-#, consumesCounters: [{counterSet: s, counters: {c: {value: 1}}}]}", 128),
                         "nodeName: n1, sharedCounters: [" + set + "]")),
            "");
  refuses(slice(repeated("{name: d-#, consumesCounters: [{counterSet: s, counters: {" +
                             repeated("c-#: {value: 1}", 16) + "}}]}",
                         65),
                "nodeName: n1, sharedCounters: [{name: s, counters: {" + repeated("c-#: {value: 1}", 16) + "}}]"),
          "more than 1024 counters");
  // Without the gate both are dropped, and the devices stay.
  const Loaded off = load_with(both(set, "{counterSet: s, counters: {c: {value: 1}}}"), KubernetesVersion::k134);
  EXPECT_EQ(texts_of(off.errors), "");
  EXPECT_TRUE(off.objects.resource_slices.at(0).object.devices.at(0).consumes_counters->empty());
}

// --- Admin access ---------------------------------------------------------------------------------------------------

TEST(AdminAccess, NeedsTheLabelOfTheNamespace) {
  const std::string wanting = request("adminAccess: true") +
                              "---\n{apiVersion: resource.k8s.io/v1, kind: ResourceClaimTemplate, metadata: {name: t}, "
                              "spec: {spec: {devices: {requests: [{name: r, exactly: {deviceClassName: a, adminAccess: "
                              "true}}]}}}}\n---\n";
  const auto space = [](const std::string& labels) {
    return "{apiVersion: v1, kind: Namespace, metadata: {name: default, labels: {" + labels + "}}}\n";
  };
  const Loaded closed = load_text(wanting + space(""), "x.yaml");
  EXPECT_EQ(closed.errors.size(), 2U);
  EXPECT_EQ(closed.errors.at(0).place.object, "ResourceClaim default/c");
  EXPECT_TRUE(closed.objects.resource_claims.empty() && closed.objects.resource_claim_templates.empty());
  EXPECT_EQ(load_text(wanting + space("resource.kubernetes.io/admin-access: \"True\"")).errors.size(), 2U);
  EXPECT_EQ(load_text(wanting + space("resource.kubernetes.io/admin-access: \"true\"")).errors.size(), 0U);
  EXPECT_EQ(load_text(wanting).errors.size(), 0U);  // nothing is known about the namespace
}

// --- Names ----------------------------------------------------------------------------------------------------------

TEST(ResourceNames, FollowTheApi) {
  for (const std::string_view good : {"1.2.3", "0.0.0", "1.2.3-rc.1", "1.2.3-0a.b+001.x", "10.20.30+b"})
    EXPECT_TRUE(is_semantic_version(good)) << good;
  for (const std::string_view bad :
       {"", "1.2", "1.2.3.4", "01.2.3", "1.2.3-", "1.2.3-01", "1.2.3+", "v1.2.3", "1.2.3-a..b"})
    EXPECT_FALSE(is_semantic_version(bad)) << bad;
  EXPECT_TRUE(is_uuid("0aa1c000-0000-4000-8000-00000000000f"));
  EXPECT_FALSE(is_uuid("0AA1C000-0000-4000-8000-00000000000f"));
  EXPECT_FALSE(driver_name_fault("Gpu.Example.com").has_value());
  EXPECT_TRUE(driver_name_fault(std::string(64, 'a')).has_value());
  EXPECT_FALSE(pool_name_fault("a.b/c").has_value());
  EXPECT_TRUE(pool_name_fault("a/").has_value());
  EXPECT_TRUE(pool_name_fault("/a").has_value());
  EXPECT_TRUE(qualified_name_fault("a/b/c").has_value());
  EXPECT_TRUE(qualified_name_fault("1a").has_value());
  EXPECT_TRUE(qualified_name_fault("/a").has_value());
  EXPECT_FALSE(qualified_name_fault("a.b/" + std::string(32, 'x')).has_value());
  EXPECT_TRUE(qualified_name_fault(std::string(33, 'x')).has_value());
  EXPECT_TRUE(fully_qualified_name_fault("model").has_value());
  EXPECT_FALSE(extended_resource_name_fault("nvidia.com/gpu").has_value());
  EXPECT_TRUE(extended_resource_name_fault("x.kubernetes.io/gpu").has_value());
  EXPECT_TRUE(extended_resource_name_fault("requests.example.com/gpu").has_value());
}

}  // namespace
}  // namespace berth::api
