// A Volcano PodGroup as a workload tree, and which of its leaves a pod is in.
//
//   root                 minMember
//   |- role "ps"         minTaskMember["ps"]
//   |- policy "stage"    minSubGroups of its sub-groups
//   |  |- stage/0        subGroupSize pods of one value of the policy's matchLabelKeys
//   |  '- stage/1
//   '- everybody else
//
// Volcano looks at the minimums of roles only while they are not more than minMember together (roles_count()).
// Where a policy selects exactly the pods of a role, the role's minimum is the policy's. A group without roles and
// policies is its root alone.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dialects/volcano/hyper_nodes.h"
#include "dialects/workloads/ecosystem.h"

namespace berth::dialects::volcano {

class PodGroupTree {
 public:
  // `pods`: the group's, also those that ended. The object is borrowed.
  PodGroupTree(const api::Read<api::volcano::PodGroup>& read, const std::vector<const api::Pod*>& pods,
               const HyperNodes* hyper_nodes, engine::Names& names, workloads::Reading& out);

  [[nodiscard]] const std::vector<engine::GroupInput>& groups() const { return groups_; }
  // The leaf of a pod; none: the only one.
  [[nodiscard]] engine::NameId leaf(const api::Pod& pod) const;

 private:
  std::uint32_t add(std::string_view name, std::uint32_t parent);
  void add_policies(const std::vector<const api::Pod*>& pods, const HyperNodes* hyper_nodes, workloads::Reading& out);
  void add_roles();
  // The sub-group of a pod, as "POLICY/VALUES", or nothing.
  [[nodiscard]] std::optional<std::string> sub_group(const api::Pod& pod) const;

  const api::Read<api::volcano::PodGroup>& read_;
  engine::Names& names_;
  std::vector<engine::GroupInput> groups_;
  std::map<std::string, engine::NameId, std::less<>> roles_;       // with a leaf of their own
  std::map<std::string, engine::NameId, std::less<>> sub_groups_;  // by "POLICY/VALUES"
  engine::NameId rest_;
};

// The role of a pod: the annotation volcano.sh/task-spec, else the label.
[[nodiscard]] std::string_view role_of(const api::Pod& pod);
// Do the minimums of its roles count?
[[nodiscard]] bool roles_count(const api::volcano::PodGroup& group);

}  // namespace berth::dialects::volcano
