// Ecosystem: how one family of objects says which pods belong together, in which queue, and where.
//
// scheduling.k8s.io, Volcano, Kueue, KAI and Grove each are one implementation; the bridge (bridge.h) knows this
// interface only. An ecosystem reads its objects whole at each update; what is news is the bridge's to find out.
//
// Names that the engine sees are unique over all ecosystems and are what people read in reasons:
//   workloads  "PodGroup NAMESPACE/NAME", with the ecosystem in front where it is not Kubernetes' own: "Volcano
//   PodGroup
//              default/pair"
//   queues     "ECOSYSTEM/NAME": "volcano/research"
//   groups     as they are called within their workload
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/objects.h"
#include "api/scheduler_config.h"
#include "base/result.h"
#include "dialects/kubernetes/context.h"
#include "engine/input.h"
#include "engine/names.h"

namespace berth::dialects::workloads {

// What there is to look at. Borrowed until the next update.
struct Scene {
  const api::ObjectSet& objects;
  const kubernetes::Context& context;
  api::Time now = 0;                                           // when objects without a creationTimestamp were made
  const api::SchedulerConfiguration* configuration = nullptr;  // null: the default one
};

// A pod's place.
struct Member {
  engine::NameId workload;  // a WorkloadInput's name. One that is not told makes the pod wait for it, naming it
  engine::NameId group;     // a leaf of it; none: the only leaf
  // What counts as the pod's own, where its group decides it.
  std::optional<std::int32_t> priority;
  const engine::NodeSelector* nodes = nullptr;  // only these, beside what the pod itself says; borrowed
};

// An object that people name when they mean a workload: "PodGroup/train".
struct GroupObject {
  std::string reference;
  std::string namespace_;
  engine::NameId workload;
};

// What the objects of an ecosystem mean. Of equal names the first counts.
struct Reading {
  std::vector<engine::WorkloadInput> workloads;  // `succeeded` is filled in by the bridge
  std::vector<engine::QueueInput> queues;
  std::vector<engine::TopologyInput> topologies;
  std::vector<GroupObject> objects;
  std::vector<Error> remarks;  // what was read differently from what it says

  // Of a field of the object at this place.
  void remark(ErrorCode code, Place place, std::string field, std::string message) {
    place.field = std::move(field);
    remarks.push_back(Error{code, std::move(message), std::move(place)});
  }
};

// What to say of a group whose class is missing.
[[nodiscard]] inline std::string missing_class(const std::string& name) {
  return "PriorityClass \"" + name +
         "\" is not among the objects, so the group has priority 0. Add the class to the input.";
}

// A condition that an object of an ecosystem has.
struct ObjectCondition {
  std::string reference;  // "PodGroup/train"
  std::string namespace_;
  api::Condition condition;
};

struct Standings;  // standing.h

class Ecosystem {
 public:
  Ecosystem() = default;
  Ecosystem(const Ecosystem&) = delete;
  Ecosystem& operator=(const Ecosystem&) = delete;
  virtual ~Ecosystem() = default;

  // Values of schedulerName whose pods are Berth's to schedule, with the first profile.
  [[nodiscard]] virtual std::vector<std::string_view> scheduler_names() const { return {}; }

  virtual void read(const Scene& scene, Reading& out) = 0;

  // By what was read last. None: the pod is none of this ecosystem's. Cheap for those, as it is asked for every pod.
  [[nodiscard]] virtual std::optional<Member> member(const api::Pod& pod) const = 0;

  // What the ecosystem makes of a node beside what it says itself: labels for its place in a topology, taints, parts.
  // Keeps the orders.
  virtual void amend(const api::Node& /*node*/, engine::NodeInput& /*input*/) const {}
  // The same of a pod, also of one that is no member. Told twice it adds nothing.
  virtual void amend(const api::Pod& /*pod*/, engine::ShapeInput& /*shape*/) const {}

  // The group objects that the pod belongs to, nearest first: "PodGroup/train", "Workload/train".
  virtual void add_lineage(const api::Pod& pod, std::vector<std::string>& out) const = 0;

  // Writes into the statuses of its objects how their workloads and queues stand. `objects` are those last read.
  virtual void write_statuses(const Standings& /*standings*/, api::ObjectSet& /*objects*/) const {}
  // The workload has lost all that it held to another one.
  virtual void write_preemption(engine::NameId /*workload*/, api::Time /*now*/, api::ObjectSet& /*objects*/) const {}
  // What its objects' conditions say, in order of their names.
  virtual void add_conditions(const api::ObjectSet& /*objects*/, std::vector<ObjectCondition>& /*out*/) const {}
};

// All of them, in the order in which they are asked whose a pod is.
[[nodiscard]] std::vector<std::unique_ptr<Ecosystem>> all_ecosystems(engine::Names& names);

}  // namespace berth::dialects::workloads
