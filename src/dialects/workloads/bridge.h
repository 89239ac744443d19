// Bridge: the group objects of all ecosystems as the engine's workloads, queues and topologies, and which workload a
// pod is a member of.
//
//   Bridge bridge(names);
//   bridge.update(scene, events);                          // before the pods
//   if (const auto member = bridge.member(pod)) ...        // for each pod, then
//
// It remembers what it told the engine, so that each update gives the differences. Pods and the objects that group them
// may come in any order: a pod whose group is not there waits for it. A pod that two ecosystems claim belongs to the
// first of them. O(group objects + pods) per update.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>

#include "dialects/workloads/ecosystem.h"

namespace berth::dialects::workloads {

class Bridge {
 public:
  explicit Bridge(engine::Names& names);

  void update(const Scene& scene, std::vector<engine::Event>& events);

  [[nodiscard]] std::optional<Member> member(const api::Pod& pod) const;
  // See Ecosystem.
  void amend(const api::Node& node, engine::NodeInput& input) const;
  void amend(const api::Pod& pod, engine::ShapeInput& shape) const;
  // The group objects that the pod belongs to, nearest first.
  [[nodiscard]] std::vector<std::string> lineage(const api::Pod& pod) const;

  // --- Of the last update.
  [[nodiscard]] const std::vector<GroupObject>& objects() const { return objects_; }
  [[nodiscard]] const std::vector<Error>& remarks() const { return remarks_; }

  [[nodiscard]] std::vector<std::string_view> scheduler_names() const;

  // --- Back to the objects. They have to be those of the last update, which may have been changed since in their
  // statuses only.
  void write_statuses(const Standings& standings, api::ObjectSet& objects) const;
  void write_preemption(engine::NameId workload, api::Time now, api::ObjectSet& objects) const;
  [[nodiscard]] std::vector<ObjectCondition> conditions(const api::ObjectSet& objects) const;

 private:
  template <class T>
  using ByName = boost::unordered_flat_map<engine::NameId, T, std::hash<engine::NameId>>;

  void count_succeeded(const api::ObjectSet& objects, std::vector<engine::WorkloadInput>& workloads) const;
  void resolve_queues(Reading& reading) const;

  engine::Names& names_;
  std::vector<std::unique_ptr<Ecosystem>> ecosystems_;
  std::vector<GroupObject> objects_;
  std::vector<Error> remarks_;

  // What the engine was told.
  ByName<engine::WorkloadInput> told_workloads_;
  ByName<engine::QueueInput> told_queues_;
  ByName<engine::TopologyInput> told_topologies_;
};

}  // namespace berth::dialects::workloads
