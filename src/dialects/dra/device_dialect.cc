#include "dialects/dra/device_dialect.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>
#include <utility>

#include "api/claim_names.h"
#include "api/compute_domain.h"
#include "api/full_name.h"
#include "base/mutant.h"
#include "base/sort_unique.h"
#include "base/whole_number.h"
#include "dialects/kubernetes/selectors.h"

namespace berth::dialects::dra {

namespace devices = engine::devices;

namespace {

// Drivers whose devices a device plugin of the same vendor may count as well.
struct TwoBooks {
  std::string_view driver;
  std::string_view resource;
};
constexpr std::uint16_t kMostCardNumber = 4095;
constexpr std::string_view kLookForDaemon = "/<compute-domain-daemon>";
constexpr std::string_view kNvidiaCards = "nvidia.com/gpu";
constexpr std::array kTwoBooks{TwoBooks{"gpu.nvidia.com", kNvidiaCards}, TwoBooks{"gpu.amd.com", "amd.com/gpu"},
                               TwoBooks{"gpu.intel.com", "gpu.intel.com/xe"}};

// Of "gpu-3", "gpu-3-mig-1g10gb-19-0": 3. Drivers number cards from 0 as device plugins do.
std::optional<std::uint16_t> card_number(std::string_view device) {
  const std::size_t begin = device.find_first_not_of("abcdefghijklmnopqrstuvwxyz");
  if (begin == 0 || begin == std::string_view::npos || device[begin] != '-') return std::nullopt;
  const std::string_view digits = device.substr(begin + 1, device.find('-', begin + 1) - begin - 1);
  return whole_number<std::uint16_t>(digits, 0, kMostCardNumber);
}

// Names in `told` that are not among those seen, in order.
template <class Map, class Seen>
std::vector<engine::NameId> gone(const Map& told, const Seen& seen) {
  std::vector<engine::NameId> names;
  for (const auto& [name, input] : told) {
    if (!seen.contains(name)) names.push_back(name);
  }
  std::ranges::sort(names);
  return names;
}

}  // namespace

devices::Features features_of(api::KubernetesVersion version, const api::FeatureGates& gates) {
  devices::Features features;
  features.admin_access = gates.on(api::Gate::kAdminAccess);
  features.prioritized_list = gates.on(api::Gate::kPrioritizedList);
  features.partitionable_devices = gates.on(api::Gate::kPartitionableDevices);
  features.device_taints = gates.on(api::Gate::kDeviceTaints);
  features.binding_conditions = gates.on(api::Gate::kDeviceBindingConditions) && gates.on(api::Gate::kDeviceStatus);
  features.consumable_capacity = gates.on(api::Gate::kConsumableCapacity);
  features.fractional_capacity_range = gates.on(api::Gate::kFractionalCapacityRange);
  features.list_type_attributes = gates.on(api::Gate::kListTypeAttributes);
  features.compatibility_groups = gates.on(api::Gate::kDeviceCompatibilityGroups);
  // Any of these gates makes kube-scheduler take its allocator for alpha features.
  const bool experimental = features.list_type_attributes || features.compatibility_groups ||
                            gates.on(api::Gate::kDerivedAttributes) || gates.on(api::Gate::kOptionalNodeOperations);
  features.skipped_operations = !experimental || gates.on(api::Gate::kOptionalNodeOperations);
  // Before 1.36 only that allocator knows distinctAttribute. 1.35 takes it for consumable capacity and for binding
  // conditions with status; 1.34 for either of these, and so by default, as the gate of status is on.
  const bool old_alpha = version == api::KubernetesVersion::k134
                             ? gates.on(api::Gate::kDeviceBindingConditions) || gates.on(api::Gate::kDeviceStatus)
                             : features.binding_conditions;
  features.distinct_attribute = version >= api::KubernetesVersion::k136 || features.consumable_capacity || old_alpha;
  return features;
}

DeviceDialect::DeviceDialect(engine::Names& names, const SelectorRules& rules, bool serves_extended, bool admin_access)
    : names_(names),
      translator_(names, names.devices()),
      selectors_(names.devices().selectors, names.devices(), names, rules),
      serves_extended_(serves_extended),
      admin_access_(admin_access) {}

void DeviceDialect::update(const api::ObjectSet& objects, std::vector<engine::Event>& events) {
  classes_.clear();
  templates_.clear();
  for (const auto& read : objects.device_classes) classes_.try_emplace(read.object.metadata.name, &read.object);
  served_ = serves_extended_ ? served_resources(objects.device_classes) : ServedResources();
  auto& entries = names_.devices().classes;
  entries.clear();
  for (const auto& read : objects.device_classes) {
    auto& entry = entries.emplace_back();
    entry.name = names_.names.intern(read.object.metadata.name);
    for (const api::DeviceSelector& one : read.object.selectors)
      entry.selectors.push_back(names_.devices().selectors.intern(one.expression));
  }
  std::ranges::sort(entries, {}, [this](const auto& entry) { return names_.names.text(entry.name); });
  for (const auto& read : objects.resource_claim_templates) {
    const api::ObjectMeta& metadata = read.object.metadata;
    templates_.try_emplace(api::full_name(metadata), &read.object);
  }
  domains_.clear();
  cliques_ = !objects.compute_domains.empty() && std::ranges::any_of(objects.nodes, [](const auto& read) {
    return read.object.metadata.labels.contains(std::string(api::kCliqueLabel));
  });
  for (const auto& read : objects.compute_domains)
    domains_.try_emplace(api::full_name(read.object.metadata.namespace_, read.object.claim_template_name),
                         api::domain_id(read.object));
  update_slices(objects, events);
  if (nvidia_cards_) note_partitions(objects);
  update_claims(objects, events);
}

// Partitions that a device plugin counts ("nvidia.com/mig-1g.10gb") are of cards that slices may have as well.
void DeviceDialect::note_partitions(const api::ObjectSet& objects) {
  const auto note = [&](const api::ResourceList& offered) {
    for (auto entry = offered.lower_bound("nvidia.com/mig-");
         entry != offered.end() && entry->first.starts_with("nvidia.com/mig-"); ++entry)
      names_.devices().set_counting(
          names_.resources.intern(entry->first),
          {.cards = names_.resources.intern(kNvidiaCards), .replicas = {}, .partitions = true});
  };
  for (const auto& read : objects.nodes) {
    note(read.object.allocatable);
    note(read.object.capacity);
  }
}

void DeviceDialect::update_slices(const api::ObjectSet& objects, std::vector<engine::Event>& events) {
  std::vector<const api::DeviceTaintRule*> rules;
  for (const auto& read : objects.device_taint_rules) rules.push_back(&read.object);
  std::ranges::sort(rules, {}, [](const api::DeviceTaintRule* rule) { return rule->metadata.name; });
  std::vector<const api::ResourceSlice*> slices;
  slices.reserve(objects.resource_slices.size());
  for (const auto& read : objects.resource_slices) slices.push_back(&read.object);
  std::ranges::stable_sort(slices, {},
                           [](const api::ResourceSlice* slice) -> const std::string& { return slice->metadata.name; });
  boost::unordered_flat_map<engine::NameId, bool, std::hash<engine::NameId>> seen;
  for (const api::ResourceSlice* slice : slices) {
    auto input = std::make_shared<devices::SliceInput>(translator_.slice(*slice, rules));
    if (!seen.try_emplace(input->name, true).second) continue;
    const auto [entry, fresh] = told_slices_.try_emplace(input->name, input);
    if (!fresh && *entry->second == *input) continue;
    entry->second = input;
    note_cards(*input);
    events.emplace_back(engine::SliceChanged{std::move(input)});
  }
  for (const engine::NameId name : gone(told_slices_, seen)) {
    told_slices_.erase(name);
    events.emplace_back(engine::SliceRemoved{name});
  }
}

void DeviceDialect::note_cards(const devices::SliceInput& slice) {
  const auto books = std::ranges::find(kTwoBooks, names_.names.text(slice.driver), &TwoBooks::driver);
  if (books == kTwoBooks.end()) return;
  const engine::ResourceId resource = names_.resources.intern(books->resource);
  if (books->resource == kNvidiaCards) {
    nvidia_cards_ = true;
    const devices::Catalogue::Counting replicas{
        .cards = resource, .replicas = names_.label_keys.intern("nvidia.com/gpu.replicas"), .partitions = false};
    names_.devices().set_counting(resource, replicas);
    names_.devices().set_counting(names_.resources.intern("nvidia.com/gpu.shared"), replicas);
  }
  for (const devices::DeviceInput& device : slice.devices) {
    names_.devices().set_card_resource(device.kind, resource);
    if (const auto number = card_number(names_.names.text(device.name)))
      names_.devices().set_card_number(device.name, *number);
  }
}

engine::ClaimSpecId DeviceDialect::spec(const api::ResourceClaimSpec& spec) {
  const auto classes = [this](std::string_view name) -> const api::DeviceClass* {
    const auto found = classes_.find(std::string(name));
    return found == classes_.end() ? nullptr : found->second;
  };
  return names_.devices().claims.intern(translator_.claim(spec, classes));
}

devices::ClaimInput DeviceDialect::claim_input(const api::ResourceClaim& claim, engine::NameId name) {
  devices::ClaimInput input;
  input.name = name;
  input.spec = spec(claim.spec);
  if (!claim.status.allocation) return input;
  input.allocated = true;
  input.reserved = reserved_elsewhere(claim);
  for (const api::DeviceAllocationResult& result : claim.status.allocation->results) {
    devices::HeldDevice& held = input.devices.emplace_back();
    held.driver = names_.names.intern(result.driver);
    held.pool = names_.names.intern(result.pool);
    held.device = names_.names.intern(result.device);
    held.admin_access = result.admin_access;
    held.shared = !result.share_id.empty();
    for (const auto& [capacity, amount] : result.consumed_capacity) {
      held.consumed.push_back({names_.devices().capacities.intern(capacity), amount.nanos()});
    }
    std::ranges::sort(held.consumed, {}, &devices::CapacityRequest::name);
  }
  if (claim.status.allocation->node_selector) {
    input.reach = kubernetes::node_selector(*claim.status.allocation->node_selector, names_);
  }
  return input;
}

void DeviceDialect::update_claims(const api::ObjectSet& objects, std::vector<engine::Event>& events) {
  claims_.clear();
  consumers_.clear();
  const bool reserved = std::ranges::any_of(objects.resource_claims, [](const auto& read) {
    return read.object.status.allocation && !read.object.status.reserved_for.empty();
  });
  if (reserved) {
    for (const auto& read : objects.pods) {
      const api::ObjectMeta& metadata = read.object.metadata;
      consumers_.try_emplace(api::full_name(metadata), &read.object);
    }
  }
  std::vector<std::pair<std::string, const api::Read<api::ResourceClaim>*>> sorted;
  sorted.reserve(objects.resource_claims.size());
  for (const auto& read : objects.resource_claims) {
    sorted.emplace_back(api::full_name(read.object.metadata), &read);
  }
  std::ranges::stable_sort(sorted, {}, &std::pair<std::string, const api::Read<api::ResourceClaim>*>::first);
  for (const auto& [full_name, read] : sorted) {
    const engine::NameId name = names_.names.intern(full_name);
    if (!claims_.try_emplace(name, read).second) continue;
    auto input = std::make_shared<devices::ClaimInput>(claim_input(read->object, name));
    const auto [entry, fresh] = told_claims_.try_emplace(name, input);
    if (!fresh && *entry->second == *input) continue;
    entry->second = input;
    events.emplace_back(engine::ClaimChanged{std::move(input)});
  }
  for (const engine::NameId name : gone(told_claims_, claims_)) {
    told_claims_.erase(name);
    events.emplace_back(engine::ClaimRemoved{name});
  }
}

// For so many whom the engine will not count as users. A PodGroup is one, however many pods it has.
std::uint32_t DeviceDialect::reserved_elsewhere(const api::ResourceClaim& claim) const {
  if (mutant("Rule.ReservedForOthers")) return 0;
  return static_cast<std::uint32_t>(
      std::ranges::count_if(claim.status.reserved_for, [&](const api::ClaimConsumer& consumer) {
        const auto pod = consumers_.find(api::full_name(claim.metadata.namespace_, consumer.name));
        return pod == consumers_.end() || !api::means(consumer, *pod->second);
      }));
}

const api::Read<api::ResourceClaim>* DeviceDialect::claim(engine::NameId name) const {
  const auto found = claims_.find(name);
  return found == claims_.end() ? nullptr : found->second;
}

const api::ResourceClaim* DeviceDialect::find(const api::Pod& pod, std::string_view name) const {
  const auto* read = claim(names_.names.find(api::full_name(pod.metadata.namespace_, name)));
  return read == nullptr ? nullptr : &read->object;
}

PodClaims DeviceDialect::claims_of(const api::Pod& pod) {
  PodClaims result;
  bool in_domain = false;
  const auto hold = [&](engine::HoldCause cause, std::string_view subject) {
    if (result.hold.cause == engine::HoldCause::kNone) result.hold = {cause, names_.names.intern(subject)};
  };
  for (const api::PodResourceClaim& entry : pod.spec.resource_claims) {
    const api::ClaimName named = api::claim_name(pod, entry);
    if (named.state == api::ClaimName::State::kNotNeeded) continue;
    if (!domains_.empty() && !entry.resource_claim_template_name.empty()) {
      const auto domain = domains_.find(api::full_name(pod.metadata.namespace_, entry.resource_claim_template_name));
      in_domain = in_domain || domain != domains_.end();
      if (cliques_ && domain != domains_.end()) result.compute_domain = domain->second;
    }
    const api::ResourceClaim* claim = named.state == api::ClaimName::State::kNamed ? find(pod, named.name) : nullptr;
    const bool of_group = claim != nullptr && api::is_for_group(pod, *claim);
    if (claim != nullptr && named.must_own && !of_group && !api::is_for_pod(pod, *claim)) {
      hold(engine::HoldCause::kForeignClaim, claim->metadata.name);
      continue;
    }
    const bool own = !entry.resource_claim_template_name.empty() && !of_group;
    if (claim != nullptr) {
      const engine::NameId name = names_.names.intern(api::full_name(pod.metadata.namespace_, claim->metadata.name));
      // One that has its devices decides where the pod can go, whoever owns it.
      const bool shared = !own || claim->status.allocation.has_value();
      result.uses.push_back({spec(claim->spec), shared ? name : engine::NameId::none(), {}});
      result.names.push_back(name);
      continue;
    }
    if (!own) {
      hold(engine::HoldCause::kMissingResourceClaim,
           entry.resource_claim_name.empty() ? entry.name : entry.resource_claim_name);
      continue;
    }
    const std::string& wanted = entry.resource_claim_template_name;
    const auto made_from = templates_.find(api::full_name(pod.metadata.namespace_, wanted));
    if (made_from == templates_.end()) {
      hold(engine::HoldCause::kMissingClaimTemplate, wanted);
      continue;
    }
    // The claim that its controller will make.
    result.uses.push_back({spec(made_from->second->spec), engine::NameId::none(), {}});
    result.names.push_back(names_.names.intern(api::full_name(pod.metadata) + "/" + entry.name));
  }
  if (in_domain && result.hold.cause == engine::HoldCause::kNone) add_daemon(pod, result);
  add_extended(pod, result);
  return result;
}

// A pod of a ComputeDomain waits on its node until the domain's daemon runs there, so it goes only where a daemon finds
// its device. It looks at it and does not take it: the daemon comes once the pod is there.
void DeviceDialect::add_daemon(const api::Pod& pod, PodClaims& result) {
  if (mutant("Rule.DaemonOfTheDomain") || !admin_access_ ||
      !classes_.contains(std::string(api::kComputeDomainDaemonClass)))
    return;
  api::ResourceClaimSpec look;
  api::DeviceRequest& request = look.requests.emplace_back();
  request.name = "daemon";
  request.exactly.emplace().device_class_name = api::kComputeDomainDaemonClass;
  request.exactly->admin_access = true;
  result.uses.push_back({spec(look), engine::NameId::none(), {}});
  result.names.push_back(names_.names.intern(api::full_name(pod.metadata) + std::string(kLookForDaemon)));
}

bool DeviceDialect::is_look_for_daemon(std::string_view claim_name) { return claim_name.ends_with(kLookForDaemon); }

std::string DeviceDialect::extended_claim_name(const api::Pod& pod, std::string_view resource) {
  // No object has a name with these signs.
  return api::full_name(pod.metadata) + "/<extended-resources>/" + std::string(resource);
}

void DeviceDialect::add_extended(const api::Pod& pod, PodClaims& result) {
  if (!serves_extended_) return;
  if (const auto& status = pod.status.extended_resource_claim_status) {
    const api::ResourceClaim* claim = find(pod, status->resource_claim_name);
    if (claim != nullptr && claim->status.allocation && api::is_for_pod(pod, *claim)) {
      const engine::NameId name = names_.names.intern(api::full_name(pod.metadata.namespace_, claim->metadata.name));
      result.uses.push_back({spec(claim->spec), name, {}});
      result.names.push_back(name);
      for (const auto& mapping : status->request_mappings)
        result.supplied.push_back(names_.resources.intern(mapping.resource_name));
      sort_unique(result.supplied);
      return;
    }
  }
  // One claim in the end, which holds so many devices.
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  std::int64_t devices = 0;
  const std::vector<ExtendedResource> all = extended_resources(pod, served_);
  for (const ExtendedResource& asked : all)
    for (const api::DeviceRequest& request : asked.spec.requests)
      devices = request.exactly->count > kMost - devices ? kMost : devices + request.exactly->count;
  if (devices > engine::devices::kMaxResults && result.hold.cause == engine::HoldCause::kNone)
    result.hold = {engine::HoldCause::kTooManyDevices, names_.names.intern(std::to_string(devices))};
  for (const ExtendedResource& asked : all) {
    result.uses.push_back({spec(asked.spec), engine::NameId::none(), names_.resources.intern(asked.resource)});
    result.names.push_back(names_.names.intern(extended_claim_name(pod, asked.resource)));
  }
}

}  // namespace berth::dialects::dra
