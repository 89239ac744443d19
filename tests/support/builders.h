// Builders: nodes and pods in a line, for tests that are read like sentences.
//
//   api::Node a = node("a").gpus(8).label("zone", "z1").taint("team", "blue");
//   api::Pod p = pod("p").cpu(500).gpus(1).priority(5).on("a");
#pragma once

#include <cstdint>
#include <string>

#include "api/core.h"
#include "api/scheduler_config.h"

namespace berth::support {

// A ready node of 8 cores, 64 GiB and 110 pods, labelled with its own name as kubernetes.io/hostname.
class NodeBuilder {
 public:
  explicit NodeBuilder(std::string name);
  NodeBuilder& label(std::string key, std::string value);
  NodeBuilder& zone(std::string value) { return label("topology.kubernetes.io/zone", std::move(value)); }
  NodeBuilder& cpu(std::int64_t milli);
  NodeBuilder& memory_gi(std::int64_t gibibytes);
  NodeBuilder& pods(std::int64_t count) { return amount("pods", count); }
  NodeBuilder& gpus(std::int64_t count) { return amount("nvidia.com/gpu", count); }
  NodeBuilder& cards(std::int64_t count);  // cards that can be shared
  NodeBuilder& amount(const std::string& resource, std::int64_t units);
  NodeBuilder& without(const std::string& resource);
  NodeBuilder& taint(std::string key, std::string value, api::TaintEffect effect = api::TaintEffect::kNoSchedule);
  NodeBuilder& cordoned();
  NodeBuilder& not_ready();
  NodeBuilder& image(std::string name, std::int64_t bytes);
  operator api::Node() const { return node_; }  // NOLINT(google-explicit-constructor): that is what it is for

 private:
  api::Node node_;
};

// A pod of one container without requests in namespace default, created at second 0.
class PodBuilder {
 public:
  explicit PodBuilder(std::string name);
  PodBuilder& in(std::string name_space);
  PodBuilder& label(std::string key, std::string value);
  PodBuilder& cpu(std::int64_t milli);
  PodBuilder& memory_mi(std::int64_t mebibytes);
  PodBuilder& gpus(std::int64_t count) { return amount("nvidia.com/gpu", count); }
  PodBuilder& cards(std::int64_t count);  // whole ones of those that can be shared
  // This many milli of one card.
  PodBuilder& card_share(std::int64_t milli);
  PodBuilder& amount(std::string resource, std::int64_t units);
  PodBuilder& image(std::string name);
  PodBuilder& host_port(std::int32_t port, std::string address = "", api::Protocol protocol = api::Protocol::kTcp);
  PodBuilder& init(api::Container container);
  PodBuilder& container(api::Container container);
  PodBuilder& priority(std::int32_t value);
  PodBuilder& never_preempts();
  PodBuilder& created(api::Time seconds);
  PodBuilder& started(api::Time seconds);
  PodBuilder& on(std::string node);  // bound and running there
  PodBuilder& terminating();
  PodBuilder& select(std::string key, std::string value);
  PodBuilder& tolerate(api::Toleration toleration);
  PodBuilder& gate(std::string name);
  PodBuilder& claim(std::string name);
  PodBuilder& spread(api::TopologySpreadConstraint constraint);
  PodBuilder& require_node(api::NodeSelectorTerm term);
  PodBuilder& prefer_node(std::int32_t weight, api::NodeSelectorTerm term);
  PodBuilder& near(api::PodAffinityTerm term);   // required affinity
  PodBuilder& apart(api::PodAffinityTerm term);  // required anti-affinity
  PodBuilder& like(std::int32_t weight, api::PodAffinityTerm term);
  PodBuilder& dislike(std::int32_t weight, api::PodAffinityTerm term);
  operator api::Pod() const { return pod_; }  // NOLINT(google-explicit-constructor): that is what it is for

 private:
  api::PodAffinity& affinity();
  api::PodAffinity& anti_affinity();
  api::NodeAffinity& node_affinity();

  api::Pod pod_;
};

[[nodiscard]] inline NodeBuilder node(std::string name) { return NodeBuilder(std::move(name)); }
[[nodiscard]] inline PodBuilder pod(std::string name) { return PodBuilder(std::move(name)); }

[[nodiscard]] api::LabelSelector selector(std::string key, std::string value);
[[nodiscard]] api::PodAffinityTerm term(std::string topology_key, std::optional<api::LabelSelector> selector);
[[nodiscard]] api::NodeSelectorTerm node_term(std::string key, api::SelectorOperator op,
                                              std::vector<std::string> values);
[[nodiscard]] api::Container container(std::string name, std::int64_t milli_cpu, std::int64_t memory_mebibytes,
                                       bool sidecar = false);

// The default profile of kube-scheduler 1.37, written down independently of src/api.
[[nodiscard]] api::SchedulerProfile upstream_profile();

}  // namespace berth::support
