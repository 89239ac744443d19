// Cell: a cluster of the openb trace under one policy on the engine, with a plain copy of the nodes' state beside it
// for measurements. What the studies with and without departures share.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "engine/engine.h"
#include "engine/score/policies/berth.h"
#include "sim/openb/study.h"

namespace berth::sim::openb {

class Cell {
 public:
  // Cluster and workload must outlive this.
  Cell(const Cluster& cluster, const Workload& workload, Policy policy, std::uint64_t seed, Ties ties);

  // Pods are known by the order in which they came: 0, 1, ...
  struct Placement {
    std::size_t pod = 0;
    std::size_t node = 0;  // position in the cluster
    std::vector<std::uint16_t> cards;
  };
  // At one time: pods go (running or waiting ones), pods come (positions in the workload), then all that fits is
  // placed, older ones first. `now` only has to ascend.
  std::vector<Placement> step(std::span<const std::size_t> go, std::span<const std::uint32_t> come, engine::Time now);

  [[nodiscard]] std::int64_t capacity() const { return capacity_; }  // milli-GPU
  [[nodiscard]] std::int64_t used() const { return used_; }          // milli-GPU
  // In percent of the capacity.
  [[nodiscard]] double allocated_percent() const { return static_cast<double>(used_) * percent_; }
  [[nodiscard]] double fragmented_percent() const;

 private:
  struct NodeState {
    engine::Amount cpu = 0;
    std::vector<std::int32_t> cards;
    engine::ProductId product;
    std::int64_t fragmented = 0;
  };
  struct Came {
    std::uint32_t index = 0;  // position in the workload
    engine::NameId name;
    std::optional<std::size_t> node;  // position in the cluster, while it runs
    std::vector<std::uint16_t> cards;
  };

  [[nodiscard]] engine::Config config(std::uint64_t seed, Ties ties);
  void add_nodes();
  void intern_shapes();
  void prepare();
  void charge(const Came& pod, std::int32_t sign);

  const Cluster& cluster_;
  const Workload& workload_;
  Policy kind_;
  std::int64_t capacity_;
  double percent_;
  engine::Names names_;
  engine::TargetWorkload target_;
  std::unique_ptr<engine::PlacementPolicy> policy_;
  engine::BerthPolicy* berth_;    // policy_, if it is that one
  std::size_t next_lesson_ = 64;  // so many arrivals, and kBerthLearned learns from them; doubles each time
  engine::ResourceId gpu_;
  engine::ProfileId profile_;
  engine::Engine engine_;
  std::vector<NodeState> states_;
  std::vector<std::size_t> node_positions_;  // by NodeId
  std::vector<engine::ShapeInput> shapes_;   // by position in the workload
  std::vector<Came> came_;                   // by pod
  std::vector<std::uint32_t> arrivals_;      // by pod: position in the workload
  std::vector<std::size_t> pod_numbers_;     // by PodId
  std::int64_t used_ = 0;
  std::int64_t fragmented_ = 0;  // times the target's total count
};

}  // namespace berth::sim::openb
