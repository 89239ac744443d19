// EngineSurroundings: what the reason renderer asks (report/reasons.h), answered from an engine and the names it uses.
//
// About one pod at a time: which nodes a cause excludes is found by asking the engine about every node, once, and only
// if it is asked for. The order of the nodes' names is found once for all pods, so it lives no longer than they do.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "engine/engine.h"
#include "engine/names.h"
#include "report/reasons.h"

namespace berth::sim {

class Cluster;

class EngineSurroundings final : public report::Surroundings {
 public:
  // `planned`: pods that do not run yet, because a plan starts them; borrowed.
  EngineSurroundings(const Cluster& cluster, engine::PodId subject, const std::set<engine::PodId>* planned = nullptr);

  // From now on it is about this pod.
  void turn_to(engine::PodId subject);

  [[nodiscard]] const engine::Names& names() const override { return *names_; }
  [[nodiscard]] std::string_view node_name(engine::NodeId node) const override;
  [[nodiscard]] std::string_view pod_name(engine::PodId pod) const override;
  [[nodiscard]] std::string_view pod_node_name(engine::PodId pod) const override;
  [[nodiscard]] report::HolderState holder_state(engine::PodId pod) const override;
  [[nodiscard]] bool is_card(engine::ResourceId resource) const override;
  [[nodiscard]] engine::Amount allocatable(engine::NodeId node, engine::ResourceId resource) const override;
  [[nodiscard]] std::vector<std::string> likely_resources(engine::ResourceId resource) const override;
  [[nodiscard]] std::vector<std::string> nodes_with(engine::NodeCause cause) const override;
  [[nodiscard]] std::vector<report::TaintedNodes> taints() const override;
  [[nodiscard]] std::optional<engine::Taint> taint_on(engine::NodeId node) const override;
  [[nodiscard]] std::string selection() const override;
  [[nodiscard]] std::vector<std::string> needed_features() const override;
  [[nodiscard]] bool was_refused(std::string_view kind, std::string_view name) const override;
  [[nodiscard]] bool is_on_a_node(engine::LabelKeyId key) const override;
  [[nodiscard]] std::vector<std::string> unanswered() const override;

 private:
  void ask_all_nodes() const;
  // "no node has KEY=VALUE; there is A and B", or none if some node answers.
  [[nodiscard]] std::optional<std::string> unanswered(const engine::Requirement& requirement) const;

  const Cluster* cluster_;
  engine::Engine* engine_;
  const engine::Names* names_;
  engine::PodId subject_;
  const std::set<engine::PodId>* planned_;
  mutable std::vector<engine::NodeId> in_natural_order_;  // of their names; empty: not yet asked for
  mutable bool asked_ = false;
  mutable std::array<std::vector<engine::NodeId>, engine::kNodeCauseCount> nodes_;
  mutable std::map<engine::Taint, std::vector<engine::NodeId>> taints_;  // to the nodes that it excludes first
};

}  // namespace berth::sim
