// StorageRoom: where a driver that tells its capacity can still make a volume.
//
// A CSIDriver with storageCapacity: true says by CSIStorageCapacity objects how much it can make of a class on the
// nodes of a topology. A claim that waits for its first consumer is provisioned only on a node that one of them reaches
// with room for the whole claim; each claim is asked for by itself, as nothing is counted down before the driver looks
// again. Drivers that do not say it limit nothing, nor does anybody where no CSIStorageCapacity is among the objects.
//
// Source: KEP-1472; kube-scheduler 1.37, plugin VolumeBinding, hasEnoughCapacity.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>
#include <boost/unordered/unordered_flat_set.hpp>

#include "api/objects.h"
#include "engine/input.h"
#include "engine/names.h"

namespace berth::dialects::kubernetes {

class StorageRoom {
 public:
  StorageRoom() = default;
  explicit StorageRoom(const api::ObjectSet& objects);

  [[nodiscard]] bool limits(const api::PersistentVolumeClaim& claim, const api::StorageClass& storage_class) const;
  // O(labels of the node), and O(capacities of the class whose topology is more than one label).
  [[nodiscard]] bool has_room(const api::PersistentVolumeClaim& claim, const api::StorageClass& storage_class,
                              const api::Node& node) const;
  // What says that there is room; of several the first by name. Null: there is none, or the claim is not limited.
  [[nodiscard]] const api::CsiStorageCapacity* find(const api::PersistentVolumeClaim& claim,
                                                    const api::StorageClass& storage_class,
                                                    const api::Node& node) const;
  // Where a limited claim can be provisioned, allowed topologies included; none: everywhere. O(nodes) the first time
  // for each class and size.
  [[nodiscard]] std::optional<engine::NodeSelector> nodes(const api::PersistentVolumeClaim& claim,
                                                          const api::StorageClass& storage_class,
                                                          const std::vector<const api::Node*>& nodes,
                                                          engine::Names& names) const;

 private:
  using Capacities = std::vector<const api::CsiStorageCapacity*>;
  struct OfClass {
    boost::unordered_flat_map<std::string, Capacities> by_label;  // "KEY=VALUE": topologies that say no more
    Capacities others;
  };

  boost::unordered_flat_set<std::string> drivers_;  // those that tell their capacity
  boost::unordered_flat_map<std::string, OfClass> classes_;
  // By class and bytes.
  mutable boost::unordered_flat_map<std::pair<std::string, std::int64_t>, std::optional<engine::NodeSelector>> known_;
};

// "key=value", as labels are looked up.
[[nodiscard]] std::string pair_name(const std::string& key, const std::string& value);

// True if one of the terms, each a conjunction on labels, holds for the labels.
[[nodiscard]] bool topology_matches(const std::vector<api::NodeSelectorTerm>& terms, const api::StringMap& labels);

}  // namespace berth::dialects::kubernetes
