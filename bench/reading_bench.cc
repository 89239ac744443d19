// How fast objects are read: pods as `kubectl get pods -o json|yaml` prints them, with managedFields and status, into
// trees and into typed objects; and libyaml's bare events on the same text, which is what YAML can be at best.
//
//   build/release/reading_bench            bytes per second of each
#include <yaml.h>

#include <benchmark/benchmark.h>

#include <string>

#include "api/load.h"
#include "text/byte_source.h"
#include "text/json_reader.h"
#include "text/json_writer.h"
#include "text/yaml_reader.h"
#include "text/yaml_writer.h"

namespace berth {
namespace {

constexpr std::string_view kManagedFields = R"({"apiVersion": "v1", "fieldsType": "FieldsV1", "fieldsV1": {
  "f:metadata": {"f:generateName": {}, "f:labels": {".": {}, "f:app.kubernetes.io/name": {}, "f:team": {}},
    "f:ownerReferences": {".": {}, "k:{\"uid\":\"0d1f2c1e-3c55-4c5b-8f0a-2f4a3f3b6a11\"}": {}}},
  "f:spec": {"f:containers": {"k:{\"name\":\"main\"}": {".": {}, "f:command": {}, "f:env": {".": {},
    "k:{\"name\":\"NCCL_DEBUG\"}": {".": {}, "f:name": {}, "f:value": {}}}, "f:image": {}, "f:imagePullPolicy": {},
    "f:name": {}, "f:resources": {".": {}, "f:limits": {".": {}, "f:cpu": {}, "f:memory": {}, "f:nvidia.com/gpu": {}}}}},
    "f:dnsPolicy": {}, "f:restartPolicy": {}, "f:schedulerName": {}},
  "f:status": {"f:conditions": {"k:{\"type\":\"Ready\"}": {".": {}, "f:lastProbeTime": {}, "f:status": {}, "f:type": {}}},
    "f:containerStatuses": {}, "f:hostIP": {}, "f:phase": {}, "f:podIP": {}, "f:startTime": {}}},
  "manager": "kube-controller-manager", "operation": "Update", "time": "2026-01-31T12:00:00Z"})";

constexpr std::string_view kMetadata =
    R"("annotations": {"cni.projectcalico.org/podIP": "10.244.3.17/32", "prometheus.io/scrape": "true"},
  "creationTimestamp": "2026-01-31T12:00:00Z", "generateName": "training-worker-6d4cf56db6-",
  "labels": {"app.kubernetes.io/name": "training-worker", "pod-template-hash": "6d4cf56db6", "team": "research", "tier": "gold"},
  "namespace": "research", "ownerReferences": [{"apiVersion": "apps/v1", "blockOwnerDeletion": true, "controller": true,
    "kind": "ReplicaSet", "name": "training-worker-6d4cf56db6", "uid": "0d1f2c1e-3c55-4c5b-8f0a-2f4a3f3b6a11"}],
  "resourceVersion": "104711", "uid": "7b0dd2a5-52b3-4b8b-9a67-2f4a3f3b6a11")";

constexpr std::string_view kSpec =
    R"({"containers": [{"command": ["/usr/bin/python3", "-m", "train", "--config=/etc/train.yaml"],
    "env": [{"name": "NCCL_DEBUG", "value": "INFO"}, {"name": "NCCL_IB_DISABLE", "value": "0"}, {"name": "POD_NAME",
      "valueFrom": {"fieldRef": {"apiVersion": "v1", "fieldPath": "metadata.name"}}}, {"name": "TOKEN", "value": "0123456789"}],
    "image": "registry.example.com/research/training:2026.01.31", "imagePullPolicy": "IfNotPresent",
    "livenessProbe": {"failureThreshold": 3, "httpGet": {"path": "/healthz", "port": 8080, "scheme": "HTTP"}, "periodSeconds": 10},
    "name": "main", "resources": {"limits": {"cpu": "12", "memory": "96Gi", "nvidia.com/gpu": "1"},
      "requests": {"cpu": "12", "memory": "96Gi", "nvidia.com/gpu": "1"}},
    "terminationMessagePath": "/dev/termination-log", "terminationMessagePolicy": "File",
    "volumeMounts": [{"mountPath": "/data", "name": "data"}, {"mountPath": "/var/run/secrets/kubernetes.io/serviceaccount",
      "name": "kube-api-access-x7k2p", "readOnly": true}]}],
  "dnsPolicy": "ClusterFirst", "enableServiceLinks": true, "nodeName": "gpu-node-17", "preemptionPolicy": "PreemptLowerPriority",
  "priority": 0, "restartPolicy": "Always", "schedulerName": "default-scheduler", "securityContext": {},
  "serviceAccount": "default", "serviceAccountName": "default", "terminationGracePeriodSeconds": 30,
  "tolerations": [{"effect": "NoExecute", "key": "node.kubernetes.io/not-ready", "operator": "Exists", "tolerationSeconds": 300},
    {"effect": "NoExecute", "key": "node.kubernetes.io/unreachable", "operator": "Exists", "tolerationSeconds": 300}],
  "volumes": [{"name": "data", "persistentVolumeClaim": {"claimName": "training-data"}}, {"name": "kube-api-access-x7k2p",
    "projected": {"defaultMode": 420, "sources": [{"serviceAccountToken": {"expirationSeconds": 3607, "path": "token"}},
      {"configMap": {"items": [{"key": "ca.crt", "path": "ca.crt"}], "name": "kube-root-ca.crt"}}]}}]})";

constexpr std::string_view kStatus = R"({"conditions": [
    {"lastProbeTime": null, "lastTransitionTime": "2026-01-31T12:00:09Z", "status": "True", "type": "PodReadyToStartContainers"},
    {"lastProbeTime": null, "lastTransitionTime": "2026-01-31T12:00:09Z", "status": "True", "type": "Initialized"},
    {"lastProbeTime": null, "lastTransitionTime": "2026-01-31T12:00:09Z", "status": "True", "type": "Ready"},
    {"lastProbeTime": null, "lastTransitionTime": "2026-01-31T12:00:01Z", "status": "True", "type": "PodScheduled"}],
  "containerStatuses": [{"containerID": "containerd://5d1c7c1e0c9f4c5b8f0a2f4a3f3b6a115d1c7c1e0c9f4c5b8f0a2f4a3f3b6a11",
    "image": "registry.example.com/research/training:2026.01.31", "lastState": {}, "name": "main", "ready": true,
    "restartCount": 0, "started": true, "state": {"running": {"startedAt": "2026-01-31T12:00:08Z"}}}],
  "hostIP": "192.168.10.7", "phase": "Running", "podIP": "10.244.3.17", "podIPs": [{"ip": "10.244.3.17"}],
  "qosClass": "Guaranteed", "startTime": "2026-01-31T12:00:01Z"})";

constexpr int kPods = 3000;

// A list of pods, as kubectl prints it.
text::Document pods() {
  std::string json = R"({"apiVersion": "v1", "items": [)";
  for (int i = 0; i < kPods; ++i) {
    if (i != 0) json += ",";
    json += R"({"apiVersion": "v1", "kind": "Pod", "metadata": {)";
    json += kMetadata;
    json += R"(, "name": "training-worker-6d4cf56db6-)" + std::to_string(i) + R"(", "managedFields": [)";
    json += kManagedFields;
    json += ",";
    json += kManagedFields;
    json += "]}, \"spec\": ";
    json += kSpec;
    json += ", \"status\": ";
    json += kStatus;
    json += "}";
  }
  json += R"(], "kind": "List", "metadata": {"resourceVersion": ""}})";
  return text::parse_json(json).value();
}

const std::string& json_text() {
  static const std::string kText = text::to_json(pods().root(), text::JsonStyle::kPretty);
  return kText;
}

const std::string& yaml_text() {
  static const std::string kText = text::to_yaml(pods().root());
  return kText;
}

void count_bytes(benchmark::State& state, const std::string& text) {
  state.SetBytesProcessed(static_cast<std::int64_t>(text.size()) * static_cast<std::int64_t>(state.iterations()));
}

struct Counter final : text::EntryVisitor {
  void entry(const text::Entry& /*entry*/) override { ++entries; }
  void error(const Error& /*error*/) override { ++errors; }
  std::int64_t entries = 0;
  std::int64_t errors = 0;
};

void json_to_values(benchmark::State& state) {
  for ([[maybe_unused]] const auto _ : state) {
    Counter counter;
    text::MemorySource source(json_text());
    text::JsonReader reader(source, {}, counter);
    if (reader.read(false) != text::JsonReader::End::kSource || counter.entries != kPods)
      state.SkipWithError("not read");
  }
  count_bytes(state, json_text());
}

void yaml_to_values(benchmark::State& state) {
  for ([[maybe_unused]] const auto _ : state) {
    Counter counter;
    text::read_yaml(yaml_text(), {}, counter);
    if (counter.entries != kPods) state.SkipWithError("not read");
  }
  count_bytes(state, yaml_text());
}

void to_objects(benchmark::State& state, const std::string& text) {
  for ([[maybe_unused]] const auto _ : state) {
    const api::Loaded loaded = api::load_text(text, "pods");
    if (loaded.objects.pods.size() != kPods || !loaded.errors.empty()) state.SkipWithError("not read");
  }
  count_bytes(state, text);
}

void json_to_objects(benchmark::State& state) { to_objects(state, json_text()); }
void yaml_to_objects(benchmark::State& state) { to_objects(state, yaml_text()); }

void bare_yaml_events(benchmark::State& state) {
  const std::string& text = yaml_text();
  for ([[maybe_unused]] const auto _ : state) {
    yaml_parser_t parser;
    yaml_parser_initialize(&parser);
    yaml_parser_set_input_string(&parser, reinterpret_cast<const unsigned char*>(text.data()), text.size());
    bool more = true;
    while (more) {
      yaml_event_t event;
      if (yaml_parser_parse(&parser, &event) == 0) break;
      more = event.type != YAML_STREAM_END_EVENT;
      yaml_event_delete(&event);
    }
    yaml_parser_delete(&parser);
    if (more) state.SkipWithError("not read");
  }
  count_bytes(state, text);
}

BENCHMARK(json_to_values)->Unit(benchmark::kMillisecond);
BENCHMARK(json_to_objects)->Unit(benchmark::kMillisecond);
BENCHMARK(bare_yaml_events)->Unit(benchmark::kMillisecond);
BENCHMARK(yaml_to_values)->Unit(benchmark::kMillisecond);
BENCHMARK(yaml_to_objects)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace berth

BENCHMARK_MAIN();
