// The classes, slices and claims of an input in the terms of the device allocator, asked node by node.
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>

#include "api/objects.h"
#include "dialects/dra/device_translator.h"
#include "dialects/dra/published_devices.h"
#include "dialects/dra/selector_table.h"
#include "engine/devices/allocator.h"
#include "engine/devices/inventory.h"
#include "engine/names.h"
#include "sim/allocate/allocate.h"

namespace berth::sim {

class DeviceWorld {
 public:
  // Borrows the objects.
  DeviceWorld(const api::ObjectSet& objects, const AllocateOptions& options);

  using PendingClaims = std::vector<const api::Read<api::ResourceClaim>*>;
  [[nodiscard]] const PendingClaims& pending() const { return pending_; }
  [[nodiscard]] std::size_t claims_in_use() const { return in_use_; }

  // Nodes by name, null for those that only slices name.
  [[nodiscard]] const std::map<std::string, const api::Node*>& nodes() const { return nodes_; }
  // A name that is not among them is a node without labels.
  [[nodiscard]] engine::devices::NodeDevices on(const std::string& node);

  // About the first `claims` of the pending ones; `emptied`: as if nothing were in use.
  [[nodiscard]] engine::devices::Question question(const engine::devices::NodeDevices& node, std::size_t claims,
                                                   bool emptied = false) const;
  [[nodiscard]] std::vector<api::AllocationResult> results(const engine::devices::NodeDevices& node,
                                                           const engine::devices::Answer& answer) const;

  // --- For reports
  [[nodiscard]] const api::ObjectSet& objects() const { return objects_; }
  [[nodiscard]] const engine::Names& names() const { return names_; }
  [[nodiscard]] const engine::devices::Usage& usage() const { return usage_; }
  [[nodiscard]] const dialects::dra::SelectorTable& selectors() const { return selectors_; }
  [[nodiscard]] std::string claim_name(std::size_t pending) const;                // "namespace/name"
  [[nodiscard]] std::string device_name(engine::devices::DeviceId device) const;  // "pool/device"
  // Claims that have the device, "namespace/name"; adminAccess left out.
  [[nodiscard]] std::span<const std::string> holders(engine::devices::DeviceId device) const;

 private:
  void add_slices(bool with_rules);
  void add_claims();
  void find_nodes();

  const api::ObjectSet& objects_;
  engine::devices::Mode mode_;
  engine::devices::Features features_;
  engine::Names names_;
  engine::devices::Inventory inventory_;
  dialects::dra::DeviceTranslator translator_;
  dialects::dra::SelectorTable selectors_;
  dialects::dra::PublishedDevices published_;
  engine::devices::Usage usage_;
  engine::devices::Usage empty_;
  PendingClaims pending_;
  std::vector<engine::devices::Claim> claims_;  // parallel to pending_
  std::vector<const engine::devices::Claim*> asked_;
  std::size_t in_use_ = 0;
  std::map<std::string, const api::Node*> nodes_;
  boost::unordered_flat_map<engine::devices::DeviceId, std::vector<std::string>> holders_;
};

}  // namespace berth::sim
