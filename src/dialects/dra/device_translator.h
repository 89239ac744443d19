// ResourceSlices and claims in the engine's terms (engine/devices). Names become ids, selectors become the ids of their
// expressions; who answers selectors looks the text up in `selectors`.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "api/resource.h"
#include "base/interner.h"
#include "engine/devices/catalogue.h"
#include "engine/devices/claim.h"
#include "engine/devices/features.h"
#include "engine/devices/inventory.h"
#include "engine/devices/model.h"
#include "engine/devices/usage.h"
#include "engine/names.h"

namespace berth::dialects::dra {

class DeviceTranslator {
 public:
  // Borrowed; must outlive the translator.
  DeviceTranslator(engine::Names& names, engine::devices::Catalogue& catalogue)
      : selectors(catalogue.selectors), names_(names), catalogue_(catalogue) {}

  Interner<engine::devices::SelectorId>& selectors;  // by expression: the catalogue's

  // With the taints of the rules that select its devices. O(devices x rules).
  engine::devices::SliceInput slice(const api::ResourceSlice& slice,
                                    std::span<const api::DeviceTaintRule* const> rules = {});

  // The class of that name, or null.
  using ClassLookup = std::function<const api::DeviceClass*(std::string_view)>;
  engine::devices::Claim claim(const api::ResourceClaimSpec& spec, const ClassLookup& classes);

  // Enters what an allocated claim uses, or takes it out again (exact inverses). Devices looked at with adminAccess are
  // not in use; without the gate DRAConsumableCapacity a share counts as the whole device.
  void hold(const api::AllocationResult& allocation, const engine::devices::Features& features,
            engine::devices::Inventory& inventory, engine::devices::Usage& usage);
  void release(const api::AllocationResult& allocation, const engine::devices::Features& features,
               engine::devices::Inventory& inventory, engine::devices::Usage& usage);

  // Fully qualified: a bare name belongs to the driver's domain.
  engine::devices::AttributeId attribute(std::string_view name, std::string_view driver);

 private:
  engine::devices::DeviceInput device(const api::Device& device, const api::ResourceSlice& slice,
                                      std::span<const api::DeviceTaintRule* const> rules);
  engine::devices::KindId kind(const api::Device& device, std::string_view driver);
  engine::devices::ValueId value(const api::AttributeValue& value);
  engine::devices::PolicyId policy(const api::CapacityRequestPolicy& policy);
  std::vector<engine::devices::CounterSet> counter_sets(const std::vector<api::CounterSet>& sets);
  engine::devices::Alternative alternative(const api::ExactDeviceRequest& request, const ClassLookup& classes);
  engine::devices::Constraint constraint(const api::DeviceConstraint& constraint, const api::ResourceClaimSpec& spec);
  std::vector<engine::devices::CapacityRequest> capacities(const api::ResourceList& amounts);
  engine::NameId name(std::string_view text) { return names_.names.intern(text); }

  engine::Names& names_;
  engine::devices::Catalogue& catalogue_;
  std::string key_;
};

}  // namespace berth::dialects::dra
