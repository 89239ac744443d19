#include "sim/plan/sharing.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include "api/nvidia.h"
#include "dialects/kubernetes/cards.h"
#include "engine/devices/catalogue.h"
#include "engine/world/world.h"
#include "report/layout.h"

namespace berth::sim {
namespace {

namespace devices = engine::devices;

// A device plugin may rename what it replicates.
std::string_view without_shared(std::string_view resource) {
  constexpr std::string_view kShared = ".shared";
  return resource.ends_with(kShared) ? resource.substr(0, resource.size() - kShared.size()) : resource;
}

std::string_view label_of(const api::Node& node, const std::string& key) {
  const auto found = node.metadata.labels.find(key);
  return found == node.metadata.labels.end() ? std::string_view() : std::string_view(found->second);
}

// What the units of a counted resource are on the node.
Sharing of_resource(const api::Node& node, std::string_view resource) {
  const std::string base(without_shared(resource));
  const std::string_view strategy = label_of(node, base + ".sharing-strategy");
  if (strategy == "mps") return Sharing::kMps;
  const std::string_view replicas = label_of(node, base + ".replicas");
  const bool replicated = !replicas.empty() && replicas != "0" && replicas != "1";
  if (strategy == "time-slicing" || replicated || base != resource) return Sharing::kTimeSlicing;
  const bool mig = base.starts_with("nvidia.com/mig-") || label_of(node, base + ".product").contains("-MIG-");
  return mig ? Sharing::kMig : Sharing::kExclusive;
}

// Is a configuration for these requests one for "a", or for the alternative "a/b" of it?
bool concerns(const std::vector<std::string>& requests, std::string_view request) {
  return requests.empty() || std::ranges::any_of(requests, [request](const std::string& of) {
           return of == request || of == request.substr(0, request.find('/'));
         });
}

// Of the configurations for a device of its kind, whole or MIG, the driver takes the last, those of the claim after
// those of its class. One that says nothing of sharing means its default.
std::optional<Sharing> strategy_in(const api::OpaqueConfig& config, bool mig) {
  if (config.driver != api::kNvidiaGpuDriver) return std::nullopt;
  const auto parsed = api::parse_nvidia_config(config);
  if (!parsed) return std::nullopt;
  const std::optional<api::DeviceSharing>* sharing = nullptr;
  if (const auto* of_gpu = std::get_if<api::GpuConfig>(&*parsed); of_gpu != nullptr && !mig) sharing = &of_gpu->sharing;
  if (const auto* of_mig = std::get_if<api::MigDeviceConfig>(&*parsed); of_mig != nullptr && mig)
    sharing = &of_mig->sharing;
  if (sharing == nullptr) return std::nullopt;
  const bool mps = *sharing && (*sharing)->strategy == api::SharingStrategy::kMps;
  return mps ? Sharing::kMps : Sharing::kTimeSlicing;
}

}  // namespace

bool names_gpus(std::string_view driver) { return driver.starts_with("gpu."); }

std::string_view name_of(Sharing sharing) {
  switch (sharing) {
    case Sharing::kNone:
      return "None";
    case Sharing::kExclusive:
      return "Exclusive";
    case Sharing::kMig:
      return "MIG";
    case Sharing::kMps:
      return "MPS";
    case Sharing::kTimeSlicing:
      return "TimeSlicing";
  }
  return "";
}

std::string_view phrase_of(Sharing sharing) {
  switch (sharing) {
    case Sharing::kNone:
      return "-";
    case Sharing::kExclusive:
      return "exclusive";
    case Sharing::kMig:
      return "MIG";
    case Sharing::kMps:
      return "MPS";
    case Sharing::kTimeSlicing:
      return "time-slicing";
  }
  return "";
}

std::string_view isolation_of(Sharing sharing) {
  switch (sharing) {
    case Sharing::kNone:
      return "-";
    case Sharing::kExclusive:
      return "whole card";
    case Sharing::kMig:
      return "memory and faults";
    case Sharing::kMps:
    case Sharing::kTimeSlicing:
      return "none";
  }
  return "";
}

CardSharing::CardSharing(const Cluster& cluster) : cluster_(cluster) {
  const engine::World& world = cluster.engine().world();
  for (std::size_t i = 0; i < world.pod_slots(); ++i) {
    const engine::Pod& pod = world.pod(engine::PodId{i});
    if (pod.state != engine::PodState::kPlaced) continue;
    for (const engine::NameId claim : pod.claims) ++users_[claim];
  }
  for (const auto& read : cluster.objects().namespaces) {
    const auto found = read.object.metadata.labels.find(kTrustLabel);
    if (found != read.object.metadata.labels.end() && !found->second.empty())
      trust_.try_emplace(read.object.metadata.name, found->second);
  }
}

Sharing CardSharing::of(engine::PodId pod) const {
  Sharing weakest = Sharing::kNone;
  for (const Part& part : parts_of(pod)) weakest = std::max(weakest, part.sharing);
  return weakest;
}

std::vector<CardSharing::Part> CardSharing::parts_of(engine::PodId id) const {
  std::vector<Part> parts;
  const engine::Pod& pod = cluster_.engine().world().pod(id);
  if (pod.state != engine::PodState::kPlaced) return parts;
  add_cards(id, parts);
  for (const engine::NameId claim : pod.claims) add_claim(id, claim, parts);
  return parts;
}

void CardSharing::add_cards(engine::PodId id, std::vector<Part>& parts) const {
  const engine::World& world = cluster_.engine().world();
  const engine::Pod& pod = world.pod(id);
  const std::string_view node_name = cluster_.node_name(pod.node);
  const auto* node = cluster_.translator().node(world.node(pod.node).input.name);
  for (const engine::CardAssignment& held : pod.cards) {
    const std::string_view resource = cluster_.names().resources.text(held.resource);
    if (held.milli < engine::kMilliPerCard) {
      for (const std::uint16_t card : held.cards)
        parts.push_back({fmt::format("{}/{}/{}", node_name, resource, card), Sharing::kTimeSlicing});
      continue;
    }
    // Which replicas are of one card is not known: all of the node may be.
    parts.push_back({fmt::format("{}/{}", node_name, without_shared(resource)),
                     node == nullptr ? Sharing::kExclusive : of_resource(node->object, resource)});
  }
}

void CardSharing::add_claim(engine::PodId id, engine::NameId claim, std::vector<Part>& parts) const {
  const engine::World& world = cluster_.engine().world();
  const devices::Holdings& holdings = world.holdings();
  const devices::Grant* grant = holdings.grant(claim);
  if (grant == nullptr) return;
  const engine::NodeId node = world.pod(id).node;
  const devices::NodeDevices& here = holdings.on(node, world.node(node).input);
  const devices::Catalogue& catalogue = cluster_.names().devices();
  for (const devices::DeviceAllocation& device : grant->devices) {
    if (device.admin_access) continue;  // it only looks
    const auto& key = holdings.inventory().key(device.device);
    const std::string_view driver = cluster_.names().names.text(key.driver);
    if (!names_gpus(driver)) continue;
    Part& part = parts.emplace_back();
    part.place =
        fmt::format("{}/{}/{}", driver, cluster_.names().names.text(key.pool), cluster_.names().names.text(key.device));
    const auto placed = std::ranges::find(here.devices, device.device, &devices::PlacedDevice::id);
    const devices::AttributeId type = catalogue.attributes.find(std::string(driver) + "/type");
    const devices::ValueId value = placed == here.devices.end() || type.is_none()
                                       ? devices::ValueId::none()
                                       : catalogue.attribute(placed->kind, type);
    const bool mig =
        !value.is_none() && catalogue.text(catalogue.values.content(value).atoms.front()) == std::string_view("mig");
    part.sharing = mig ? Sharing::kMig : Sharing::kExclusive;
    const auto users = users_.find(claim);
    if (device.shared || (users != users_.end() && users->second > 1))
      part.sharing = std::max(part.sharing, strategy(claim, *grant, device, mig));
  }
}

// An allocation that is read from the API says what it was made with; else it is what class and claim say now.
Sharing CardSharing::strategy(engine::NameId name, const devices::Grant& grant, const devices::DeviceAllocation& device,
                              bool mig) const {
  const auto* read = cluster_.translator().devices().claim(name);
  if (read == nullptr) return Sharing::kTimeSlicing;
  const auto& allocation = read->object.status.allocation;
  const std::optional<Sharing> found = grant.given && allocation
                                           ? strategy_of_allocation(*allocation, device, mig)
                                           : strategy_of_spec(read->object.spec, grant, device, mig);
  return found.value_or(Sharing::kTimeSlicing);
}

std::optional<Sharing> CardSharing::strategy_of_allocation(const api::AllocationResult& allocation,
                                                           const devices::DeviceAllocation& device, bool mig) const {
  const auto& key = cluster_.engine().world().holdings().inventory().key(device.device);
  const auto& names = cluster_.names().names;
  const auto result = std::ranges::find_if(allocation.results, [&](const api::DeviceAllocationResult& one) {
    return one.device == names.text(key.device) && one.pool == names.text(key.pool) &&
           one.driver == names.text(key.driver);
  });
  std::optional<Sharing> found;
  if (result == allocation.results.end()) return found;
  for (const api::DeviceAllocationConfig& config : allocation.config) {
    if (!concerns(config.requests, result->request)) continue;
    if (const auto one = strategy_in(config.opaque, mig)) found = one;
  }
  return found;
}

std::optional<Sharing> CardSharing::strategy_of_spec(const api::ResourceClaimSpec& spec, const devices::Grant& grant,
                                                     const devices::DeviceAllocation& device, bool mig) const {
  std::optional<Sharing> found;
  if (device.request >= spec.requests.size()) return found;
  const api::DeviceRequest& asked = spec.requests[device.request];
  const std::uint32_t alternative = device.request < grant.chosen.size() ? grant.chosen[device.request] : 0;
  if (!asked.exactly && alternative >= asked.first_available.size()) return found;
  const api::ExactDeviceRequest& chosen = asked.exactly ? *asked.exactly : asked.first_available[alternative].request;
  const std::string request = asked.exactly ? asked.name : asked.name + "/" + asked.first_available[alternative].name;
  for (const auto& device_class : cluster_.objects().device_classes) {
    if (device_class.object.metadata.name != chosen.device_class_name) continue;
    for (const api::OpaqueConfig& config : device_class.object.config)
      if (const auto one = strategy_in(config, mig)) found = one;
  }
  for (const api::DeviceClaimConfig& config : spec.config) {
    if (!concerns(config.requests, request)) continue;
    if (const auto one = strategy_in(config.opaque, mig)) found = one;
  }
  return found;
}

// Who has no label trusts nobody but himself.
std::string CardSharing::trust_of(const std::string& namespace_) const {
  const auto found = trust_.find(namespace_);
  return found == trust_.end() ? '/' + namespace_ : found->second;
}

std::vector<std::string> CardSharing::warnings() const {
  const engine::World& world = cluster_.engine().world();
  struct Meeting {
    std::set<std::string> namespaces;
    std::string node;
    Sharing sharing = Sharing::kNone;
  };
  std::map<std::string, Meeting> meetings;  // by place
  for (std::size_t i = 0; i < world.pod_slots(); ++i) {
    const engine::PodId id{i};
    const api::Pod* pod = cluster_.pod(id);
    if (pod == nullptr) continue;
    for (Part& part : parts_of(id)) {
      if (part.sharing < Sharing::kMps) continue;
      Meeting& meeting = meetings[std::move(part.place)];
      meeting.namespaces.insert(pod->metadata.namespace_);
      meeting.node = cluster_.node_name(world.pod(id).node);
      meeting.sharing = std::max(meeting.sharing, part.sharing);
    }
  }
  std::map<std::pair<Sharing, std::set<std::string>>, std::set<std::string>> nodes;
  for (const auto& [place, meeting] : meetings) {
    std::set<std::string> domains;
    for (const std::string& each : meeting.namespaces) domains.insert(trust_of(each));
    if (domains.size() > 1) nodes[{meeting.sharing, meeting.namespaces}].insert(meeting.node);
  }
  std::vector<std::string> out;
  for (const auto& [who, where] : nodes) {
    const std::vector<std::string> names(who.second.begin(), who.second.end());
    const std::vector<std::string> places(where.begin(), where.end());
    out.push_back(
        fmt::format("Pods of the namespaces {} share cards on {} by {}, which keeps neither their memory nor "
                    "their faults apart; give them cards or MIG devices of their own, or label namespaces "
                    "that trust each other {}=NAME.",
                    report::enumerate(names, 4), report::enumerate(places, 4), phrase_of(who.first), kTrustLabel));
  }
  return out;
}

}  // namespace berth::sim
