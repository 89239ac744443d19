// Volcano as an ecosystem: PodGroups are workloads in its queues, HyperNodes are levels of domains.
//
// A pod is a member by the annotation that Volcano reads (scheduling.k8s.io/group-name), by the one that it does not
// read and people write all the same (scheduling.volcano.sh/pod-group, remarked on), or of the group that Volcano makes
// for it. A pod of another scheduler that names a group which is not there is none of Volcano's.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>

#include "dialects/volcano/hyper_nodes.h"
#include "dialects/volcano/numa_nodes.h"
#include "dialects/volcano/pod_groups.h"
#include "dialects/volcano/policies.h"
#include "dialects/volcano/revocable_nodes.h"
#include "dialects/workloads/ecosystem.h"

namespace berth::dialects::volcano {

class Volcano final : public workloads::Ecosystem {
 public:
  explicit Volcano(engine::Names& names)
      : names_(names), hyper_nodes_(names), revocable_nodes_(names), numa_nodes_(names) {}

  [[nodiscard]] std::vector<std::string_view> scheduler_names() const override;
  void read(const workloads::Scene& scene, workloads::Reading& out) override;
  [[nodiscard]] std::optional<workloads::Member> member(const api::Pod& pod) const override;
  void add_lineage(const api::Pod& pod, std::vector<std::string>& out) const override;
  void amend(const api::Node& node, engine::NodeInput& input) const override;
  void amend(const api::Pod& pod, engine::ShapeInput& shape) const override;
  void write_statuses(const workloads::Standings& standings, api::ObjectSet& objects) const override;
  void add_conditions(const api::ObjectSet& objects, std::vector<workloads::ObjectCondition>& out) const override;

 private:
  struct Group {
    engine::NameId workload;
    std::unique_ptr<PodGroupTree> tree;
    // By its queue's node groups and by revocable zones, for pods that may not be revoked and those that may.
    const engine::NodeSelector* nodes = nullptr;
    const engine::NodeSelector* revocable_nodes = nullptr;
  };
  [[nodiscard]] std::string find(const api::Pod& pod) const;  // the key of its group, or empty
  void tell(const workloads::Scene& scene, const api::Read<api::volcano::PodGroup>& read,
            const std::vector<const api::Pod*>& pods, workloads::Reading& out);
  void read_node_groups(const api::ObjectSet& objects);

  engine::Names& names_;
  HyperNodes hyper_nodes_;
  RevocableNodes revocable_nodes_;
  NumaNodes numa_nodes_;
  Policies policies_;
  boost::unordered_flat_map<std::string, Group> groups_;                      // by "namespace/name"
  boost::unordered_flat_map<std::string, engine::NodeSelector> node_groups_;  // by queue
};

}  // namespace berth::dialects::volcano
