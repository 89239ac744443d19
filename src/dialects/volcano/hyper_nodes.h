// HyperNodes as levels of domains: each node gets a label per tier that names its HyperNode there, so that the engine's
// domain trees serve them as they serve racks and blocks.
//
// A HyperNode in two parents, or one that contains itself, is left out with what is above it, and said so; the others
// serve on.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>

#include "dialects/workloads/ecosystem.h"

namespace berth::dialects::volcano {

class HyperNodes {
 public:
  explicit HyperNodes(engine::Names& names) : names_(names) {}

  // O(HyperNodes x nodes) for members by pattern or label, else O(members).
  void read(const workloads::Scene& scene, workloads::Reading& out);

  void add_labels(const std::string& node, engine::Labels& labels) const;

  // The rule that keeps pods under one HyperNode. Remarks name a tier that nobody has.
  [[nodiscard]] engine::TopologyRule rule(const api::volcano::NetworkTopology& topology, const Place& place,
                                          workloads::Reading& out) const;

 private:
  struct Inside {
    const api::Read<api::volcano::HyperNode>* read = nullptr;
    std::vector<std::string> nodes;
    std::vector<std::string> children;
    std::vector<std::string> parents;
  };
  void find_members(const api::ObjectSet& objects);
  void label_nodes(const std::string& hyper_node, const std::string& from, workloads::Reading& out);
  [[nodiscard]] engine::LabelKeyId level(std::int32_t tier) const;

  engine::Names& names_;
  std::map<std::string, Inside> inside_;
  std::vector<std::int32_t> tiers_;  // ascending: the tightest first
  std::map<std::string, std::int32_t> tier_names_;
  boost::unordered_flat_map<std::string, std::map<std::int32_t, std::string>> of_node_;
};

}  // namespace berth::dialects::volcano
