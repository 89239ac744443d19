// scheduling.k8s.io as workloads: PodGroup, CompositePodGroup and the Workload of v1alpha1.
//
//   a gang PodGroup             a workload whose minimum is minCount; more members are elastic
//   a basic PodGroup            a workload per pod, with the group's priority, age and queue: nobody waits for another.
//                               With a topology constraint or disruption mode All it is one workload with a minimum of
//                               1
//   a CompositePodGroup         the root of a tree: minGroupCount of its children. Children that were not made yet
//   count
//                               as missing
//   a group of a v1alpha1       one workload per instance (podGroupReplicaKey) that pods name
//   Workload
//
// A group that says nothing of its priority has that of its pods, the highest of them.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>

#include "dialects/workloads/ecosystem.h"

namespace berth::dialects::upstream {

class PodGroups final : public workloads::Ecosystem {
 public:
  explicit PodGroups(engine::Names& names) : names_(names) {}

  void read(const workloads::Scene& scene, workloads::Reading& out) override;
  [[nodiscard]] std::optional<workloads::Member> member(const api::Pod& pod) const override;
  void add_lineage(const api::Pod& pod, std::vector<std::string>& out) const override;
  void write_statuses(const workloads::Standings& standings, api::ObjectSet& objects) const override;
  void write_preemption(engine::NameId workload, api::Time now, api::ObjectSet& objects) const override;
  void add_conditions(const api::ObjectSet& objects, std::vector<workloads::ObjectCondition>& out) const override;

 private:
  template <class T>
  using ByName = boost::unordered_flat_map<std::string, T>;  // "namespace/name"

  struct Priority {
    std::int32_t value = 0;
    bool preempts = true;
  };
  // Of the pods of a group.
  struct Pods {
    std::optional<Priority> highest;
    std::vector<const api::Pod*> alive;
  };
  struct Group {
    const api::Read<api::PodGroup>* read = nullptr;
    engine::NameId workload;  // none: one per pod, or its parent is not there
    engine::NameId leaf;      // none: the only one
    Priority priority;
    Pods pods;
  };
  struct Composite {
    const api::Read<api::CompositePodGroup>* read = nullptr;
    std::vector<std::string> composites;  // children, in order of name
    std::vector<std::string> groups;
    engine::NameId workload;  // of the root above; none: there is none
  };
  void index(const workloads::Scene& scene);
  void look_at_pods(const workloads::Scene& scene);
  void tell_group(const workloads::Scene& scene, const std::string& key, Group& group, workloads::Reading& out);
  void tell_each_pod(const workloads::Scene& scene, const Group& group, workloads::Reading& out);
  void tell_composite(const workloads::Scene& scene, const std::string& key, workloads::Reading& out);
  // The tree's priority is in the workload already.
  void add_composite(engine::WorkloadInput& workload, std::uint32_t parent, const std::string& key,
                     workloads::Reading& out);
  void add_child_group(engine::WorkloadInput& workload, std::uint32_t parent, const std::string& key,
                       workloads::Reading& out);
  void tell_instances(const workloads::Scene& scene, workloads::Reading& out);
  [[nodiscard]] std::optional<Priority> highest_below(const std::string& composite) const;
  [[nodiscard]] Priority priority_of(const workloads::Scene& scene, const api::GroupRules& rules, const Place& place,
                                     const std::optional<Priority>& of_pods, workloads::Reading& out) const;
  void add_rules(const api::GroupRules& rules, engine::GroupInput& group) const;
  [[nodiscard]] std::vector<engine::NameId> workloads_of(const Group& group) const;
  [[nodiscard]] std::string pod_workload(const api::Pod& pod, const std::string& group) const;

  engine::Names& names_;
  ByName<Group> groups_;
  ByName<Composite> composites_;
  ByName<const api::Read<api::Workload>*> workloads_;
  // Groups of v1alpha1 Workloads that pods name, by the name of their workload in the engine; and those that were told.
  boost::unordered_flat_map<std::string, Pods> instance_pods_;
  boost::unordered_flat_map<std::string, Priority> instances_;
};

}  // namespace berth::dialects::upstream
