// DeviceDialect: the objects of resource.k8s.io as the engine's events, and which claims a pod has.
//
//   DeviceDialect devices(names, rules);
//   devices.update(objects, events);                  // slices and claims that are news
//   PodClaims claims = devices.claims_of(pod);        // for the pod's shape
//   config.selectors = &devices.selectors();
//
// An update costs O(slices x devices + claims); only what differs from the last one becomes an event.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>

#include "api/objects.h"
#include "dialects/dra/device_translator.h"
#include "dialects/dra/extended_resources.h"
#include "dialects/dra/selector_rules.h"
#include "dialects/dra/selector_table.h"
#include "engine/devices/features.h"
#include "engine/devices/holdings.h"
#include "engine/input.h"
#include "engine/names.h"

namespace berth::dialects::dra {

// The gates that the engine's allocator knows, as they are set.
[[nodiscard]] engine::devices::Features features_of(api::KubernetesVersion version, const api::FeatureGates& gates);

struct PodClaims {
  std::vector<engine::ClaimUse> uses;
  std::vector<engine::NameId> names;  // parallel
  // Extended resources that a claim made for this pod supplies on whatever node; ascending.
  std::vector<engine::ResourceId> supplied;
  engine::Hold hold;  // a claim or template is missing
  // The ComputeDomain whose channel it claims, "uid", where nodes say which NVLink clique they are in: its pods share
  // memory, so all of them belong into one clique. Empty: none.
  std::string compute_domain;
};

class DeviceDialect {
 public:
  // `serves_extended`: classes serve extended resources (gate DRAExtendedResource); `admin_access`: claims may look at
  // devices that others have (DRAAdminAccess).
  DeviceDialect(engine::Names& names, const SelectorRules& rules, bool serves_extended = true,
                bool admin_access = true);

  // Borrows the objects until the next update.
  void update(const api::ObjectSet& objects, std::vector<engine::Event>& events);

  [[nodiscard]] PodClaims claims_of(const api::Pod& pod);
  // From resource to class, as of the last update.
  [[nodiscard]] const ServedResources& served() const { return served_; }
  // The engine's name for the claim of a pod for one extended resource, while no claim is there.
  // Not a claim: how a pod of a ComputeDomain looks for the daemon's device on a node.
  [[nodiscard]] static bool is_look_for_daemon(std::string_view claim_name);
  [[nodiscard]] static std::string extended_claim_name(const api::Pod& pod, std::string_view resource);

  // Valid for the dialect's life.
  [[nodiscard]] const SelectorTable& selectors() const { return selectors_; }
  // The claim behind the engine's name, as of the last update; null if there is none.
  [[nodiscard]] const api::Read<api::ResourceClaim>* claim(engine::NameId name) const;

 private:
  template <class T>
  using ByName = boost::unordered_flat_map<std::string, const T*>;
  template <class T>
  using Told = boost::unordered_flat_map<engine::NameId, std::shared_ptr<const T>, std::hash<engine::NameId>>;

  void update_slices(const api::ObjectSet& objects, std::vector<engine::Event>& events);
  void update_claims(const api::ObjectSet& objects, std::vector<engine::Event>& events);
  void note_cards(const engine::devices::SliceInput& slice);
  void note_partitions(const api::ObjectSet& objects);
  engine::ClaimSpecId spec(const api::ResourceClaimSpec& spec);
  engine::devices::ClaimInput claim_input(const api::ResourceClaim& claim, engine::NameId name);
  [[nodiscard]] const api::ResourceClaim* find(const api::Pod& pod, std::string_view name) const;
  void add_extended(const api::Pod& pod, PodClaims& result);
  void add_daemon(const api::Pod& pod, PodClaims& result);
  [[nodiscard]] std::uint32_t reserved_elsewhere(const api::ResourceClaim& claim) const;

  engine::Names& names_;
  DeviceTranslator translator_;
  SelectorTable selectors_;
  bool serves_extended_;
  bool nvidia_cards_ = false;  // slices have some
  bool admin_access_;
  ByName<api::DeviceClass> classes_;
  ServedResources served_;
  ByName<api::Pod> consumers_;                    // pods that claims are reserved for, by "namespace/name"
  ByName<api::ResourceClaimTemplate> templates_;  // by "namespace/name", as claims
  boost::unordered_flat_map<std::string, std::string> domains_;  // ComputeDomains by their template
  bool cliques_ = false;                                         // nodes say which they are in
  boost::unordered_flat_map<engine::NameId, const api::Read<api::ResourceClaim>*, std::hash<engine::NameId>> claims_;
  Told<engine::devices::SliceInput> told_slices_;
  Told<engine::devices::ClaimInput> told_claims_;
};

}  // namespace berth::dialects::dra
