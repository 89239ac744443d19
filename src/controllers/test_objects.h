// Objects for the tests of the controllers.
#pragma once

#include <cstdint>
#include <string>

#include "controllers/reconcile.h"

namespace berth::controllers {

struct TestObjects {
  api::ObjectSet objects;
  Options options{.now = 1'000'000, .former_pods = {}};

  static api::PodTemplate pod_template(const std::string& app = "web") {
    api::PodTemplate result;
    result.metadata.labels["app"] = app;
    result.spec.containers.emplace_back().name = "main";
    return result;
  }
  static api::ObjectMeta named(const std::string& name, const std::string& uid = "") {
    return {.name = name, .namespace_ = "team", .uid = uid};
  }
  api::ReplicaSet& replica_set(std::int32_t replicas) {
    api::ReplicaSet set;
    set.metadata = named("web");
    set.replicas = replicas;
    set.selector.match_labels["app"] = "web";
    set.pod_template = pod_template();
    return objects.replica_sets.emplace_back(set, Place{.file = "f.yaml"}).object;
  }
  api::Pod& pod(const std::string& name, const std::string& kind = "", const std::string& owner = "",
                const std::string& uid = "") {
    api::Pod result;
    result.metadata = named(name);
    result.metadata.labels["app"] = "web";
    result.status.phase = api::PodPhase::kRunning;
    if (!kind.empty()) result.metadata.owner_references = {{"apps/v1", kind, owner, uid, true}};
    return objects.pods.emplace_back(result, Place{}).object;
  }
  void node(const std::string& name) {
    api::Node result;
    result.metadata.name = name;
    result.metadata.labels["kubernetes.io/hostname"] = name;
    objects.nodes.emplace_back(result, Place{});
  }
  [[nodiscard]] Expansion run() const { return reconcile(objects, options); }
  [[nodiscard]] std::size_t made() const { return run().pods.size(); }
  // The only thing that was remarked on.
  [[nodiscard]] std::string remark() const {
    const Expansion expansion = run();
    return expansion.remarks.size() == 1 ? expansion.remarks[0].message
                                         : std::to_string(expansion.remarks.size()) + " remarks";
  }
};

}  // namespace berth::controllers
