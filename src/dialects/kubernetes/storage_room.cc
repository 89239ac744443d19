#include "dialects/kubernetes/storage_room.h"

#include <algorithm>
#include <tuple>

#include "base/mutant.h"

namespace berth::dialects::kubernetes {
namespace {

// Empty: the claim does not say how much it wants, so any room is enough.
const api::Quantity* size_of(const api::PersistentVolumeClaim& claim) {
  const auto found = claim.requests.find("storage");
  return found == claim.requests.end() ? nullptr : &found->second;
}

bool is_enough(const api::CsiStorageCapacity& capacity, std::int64_t bytes) {
  const auto& limit = capacity.maximum_volume_size ? capacity.maximum_volume_size : capacity.capacity;
  return limit && limit->value() >= bytes;
}

// Upstream takes the first that its cache lists, which is by chance.
bool is_before(const api::CsiStorageCapacity* a, const api::CsiStorageCapacity* b) {
  return std::tie(a->metadata.namespace_, a->metadata.name) < std::tie(b->metadata.namespace_, b->metadata.name);
}

}  // namespace

std::string pair_name(const std::string& key, const std::string& value) { return key + '=' + value; }

bool topology_matches(const std::vector<api::NodeSelectorTerm>& terms, const api::StringMap& labels) {
  return std::ranges::any_of(terms, [&labels](const api::NodeSelectorTerm& term) {
    return !term.match_expressions.empty() && term.match_fields.empty() &&
           std::ranges::all_of(term.match_expressions,
                               [&labels](const auto& requirement) { return api::matches(requirement, labels); });
  });
}

StorageRoom::StorageRoom(const api::ObjectSet& objects) {
  for (const auto& read : objects.csi_drivers)
    if (read.object.storage_capacity && !objects.csi_storage_capacities.empty())
      drivers_.insert(read.object.metadata.name);
  if (drivers_.empty()) return;
  for (const auto& read : objects.csi_storage_capacities) {
    const api::CsiStorageCapacity& capacity = read.object;
    if (!capacity.node_topology) continue;
    OfClass& of_class = classes_[capacity.storage_class_name];
    const api::LabelSelector& topology = *capacity.node_topology;
    if (topology.match_labels.size() == 1 && topology.match_expressions.empty()) {
      const auto& [key, value] = *topology.match_labels.begin();
      of_class.by_label[pair_name(key, value)].push_back(&capacity);
    } else {
      of_class.others.push_back(&capacity);
    }
  }
}

bool StorageRoom::limits(const api::PersistentVolumeClaim& claim, const api::StorageClass& storage_class) const {
  return !drivers_.empty() && size_of(claim) != nullptr && drivers_.contains(storage_class.provisioner) &&
         !mutant("Rule.StorageCapacity");
}

bool StorageRoom::has_room(const api::PersistentVolumeClaim& claim, const api::StorageClass& storage_class,
                           const api::Node& node) const {
  return !limits(claim, storage_class) || find(claim, storage_class, node) != nullptr;
}

const api::CsiStorageCapacity* StorageRoom::find(const api::PersistentVolumeClaim& claim,
                                                 const api::StorageClass& storage_class, const api::Node& node) const {
  if (!limits(claim, storage_class)) return nullptr;
  const auto found = classes_.find(storage_class.metadata.name);
  if (found == classes_.end()) return nullptr;
  const std::int64_t bytes = size_of(claim)->value();
  const api::CsiStorageCapacity* first = nullptr;
  const auto look_at = [&](const api::CsiStorageCapacity* capacity) {
    if (is_enough(*capacity, bytes) && (first == nullptr || is_before(capacity, first))) first = capacity;
  };
  const OfClass& of_class = found->second;
  for (const auto& [key, value] : node.metadata.labels) {
    const auto there = of_class.by_label.find(pair_name(key, value));
    if (there != of_class.by_label.end()) std::ranges::for_each(there->second, look_at);
  }
  for (const api::CsiStorageCapacity* capacity : of_class.others)
    if (api::matches(*capacity->node_topology, node.metadata.labels)) look_at(capacity);
  return first;
}

std::optional<engine::NodeSelector> StorageRoom::nodes(const api::PersistentVolumeClaim& claim,
                                                       const api::StorageClass& storage_class,
                                                       const std::vector<const api::Node*>& nodes,
                                                       engine::Names& names) const {
  const auto [entry, fresh] = known_.try_emplace(std::pair(storage_class.metadata.name, size_of(claim)->value()));
  if (!fresh) return entry->second;
  engine::NameRequirement with{true, {}};
  engine::NameRequirement without{false, {}};
  for (const api::Node* node : nodes) {
    const bool allowed = storage_class.allowed_topologies.empty() ||
                         topology_matches(storage_class.allowed_topologies, node->metadata.labels);
    const bool served = allowed && has_room(claim, storage_class, *node);
    (served ? with : without).names.push_back(names.names.intern(node->metadata.name));
  }
  if (without.names.empty()) return entry->second;
  engine::NodeSelector& selector = entry->second.emplace();
  if (with.names.empty()) return entry->second;  // no term: nowhere
  engine::NameRequirement& fewer = with.names.size() <= without.names.size() ? with : without;
  std::ranges::sort(fewer.names);
  selector.terms.push_back({{}, {std::move(fewer)}});
  return entry->second;
}

}  // namespace berth::dialects::kubernetes
