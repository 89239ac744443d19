#include "dialects/kubernetes/volumes.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <optional>
#include <span>

#include "api/full_name.h"
#include "api/owner.h"
#include "api/volume_binding.h"
#include "base/mutant.h"
#include "dialects/kubernetes/resources.h"
#include "dialects/kubernetes/selectors.h"
#include "dialects/kubernetes/storage_room.h"

namespace berth::dialects::kubernetes {
namespace {

using Claim = api::PersistentVolumeClaim;

constexpr std::string_view kBindCompleted = "pv.kubernetes.io/bind-completed";
constexpr std::string_view kSelectedNode = "volume.kubernetes.io/selected-node";
constexpr std::string_view kNoProvisioner = "kubernetes.io/no-provisioner";
constexpr std::string_view kZone = "topology.kubernetes.io/zone";
constexpr std::string_view kRegion = "topology.kubernetes.io/region";
constexpr std::string_view kOldZone = "failure-domain.beta.kubernetes.io/zone";
constexpr std::string_view kOldRegion = "failure-domain.beta.kubernetes.io/region";
constexpr std::array kZoneLabels = {kOldZone, kOldRegion, kZone, kRegion};

bool is_bound(const Claim& claim, bool excerpt) {
  if (claim.volume_name.empty()) return false;
  return claim.metadata.annotations.contains(kBindCompleted) || (excerpt && claim.phase == "Bound");
}

// Everything about a volume of the claim's class that does not depend on the node.
bool suits(const api::PersistentVolume& volume, const Claim& claim) {
  if (!volume.claim_name.empty() && !api::names(volume, claim) && !mutant("Rule.ClaimReference")) return false;
  if (api::storage_of(volume.capacity) < api::storage_of(claim.requests) && !mutant("Rule.VolumeCapacity"))
    return false;
  if (volume.volume_mode != claim.volume_mode || volume.metadata.deletion_timestamp) return false;
  if (volume.volume_attributes_class_name != claim.volume_attributes_class_name &&
      !mutant("Rule.VolumeAttributesClass"))
    return false;
  if (api::names(volume, claim)) return true;
  if (claim.selector && !api::matches(*claim.selector, volume.metadata.labels) && !mutant("Rule.VolumeSelector"))
    return false;
  return (volume.phase == "Available" || mutant("Rule.VolumeIsAvailable")) &&
         std::ranges::all_of(claim.access_modes, [&volume](api::AccessMode mode) {
           return mutant("Rule.VolumeAccessModes") ||
                  std::ranges::find(volume.access_modes, mode) != volume.access_modes.end();
         });
}

// The volumes that a claim may take, best first. One that already names the claim is the only one.
std::vector<const api::PersistentVolume*> candidates(const Claim& claim, const api::StorageClass& storage_class,
                                                     const Context& context) {
  for (const auto* volume : context.kept_for(claim)) {
    if (volume->storage_class_name == storage_class.metadata.name && api::names(*volume, claim) &&
        suits(*volume, claim))
      return {volume};
  }
  std::vector<const api::PersistentVolume*> result;
  std::ranges::copy_if(context.volumes(storage_class), std::back_inserter(result),
                       [&](const api::PersistentVolume* volume) { return suits(*volume, claim); });
  return result;
}

bool can_provision(const api::StorageClass& storage_class) {
  return !storage_class.provisioner.empty() && storage_class.provisioner != kNoProvisioner;
}

// A claim that waits for its first consumer.
struct Waiting {
  const Claim* claim = nullptr;
  const api::StorageClass* storage_class = nullptr;
  std::vector<const api::PersistentVolume*> volumes;
  std::string_view selected_node;
};

// On which nodes one claim alone can be served; none: on every node.
std::optional<engine::NodeSelector> served_nodes(const Waiting& waiting, const Context& context, engine::Names& names) {
  engine::NodeSelector result;
  const auto admit = [&result](engine::NodeSelector more) {
    result.terms.insert(result.terms.end(), more.terms.begin(), more.terms.end());
  };
  for (const auto* volume : waiting.volumes) {
    if (!volume->node_affinity) return std::nullopt;
    admit(volume_node_selector(*volume->node_affinity, names));
  }
  if (can_provision(*waiting.storage_class) && context.room().limits(*waiting.claim, *waiting.storage_class)) {
    auto roomy = context.room().nodes(*waiting.claim, *waiting.storage_class, context.nodes(), names);
    if (!roomy) return std::nullopt;
    admit(*std::move(roomy));
  } else if (can_provision(*waiting.storage_class)) {
    if (waiting.storage_class->allowed_topologies.empty() || mutant("Rule.AllowedTopologies")) return std::nullopt;
    admit(node_selector(api::NodeSelector{waiting.storage_class->allowed_topologies}, names));
  }
  sort_unique(result.terms);
  return result;
}

void smallest_first(std::vector<Waiting>& claims) {
  std::ranges::stable_sort(claims, [](const Waiting& left, const Waiting& right) {
    return api::storage_of(left.claim->requests) < api::storage_of(right.claim->requests);
  });
}

bool reaches(const api::PersistentVolume& volume, const api::Node& node) {
  return !volume.node_affinity || topology_matches(volume.node_affinity->terms, node.metadata.labels);
}

// Several claims on one node, smallest first; each takes a volume of its own or is provisioned. None if the node cannot
// serve them.
std::optional<ChosenVolumes> served_together(const std::vector<Waiting>& claims, const Context& context,
                                             const api::Node& node) {
  ChosenVolumes chosen;
  auto& taken = chosen.taken;
  for (const auto& waiting : claims) {
    const auto free = std::ranges::find_if(waiting.volumes, [&](const api::PersistentVolume* volume) {
      const bool is_taken = std::ranges::find(taken, volume, &TakenVolume::volume) != taken.end();
      return (!is_taken || mutant("Rule.VolumesAreDistinct")) && reaches(*volume, node);
    });
    if (free != waiting.volumes.end()) {
      taken.push_back({waiting.claim, *free});
      continue;
    }
    const auto& topologies = waiting.storage_class->allowed_topologies;
    if (!can_provision(*waiting.storage_class)) return std::nullopt;
    if (!topologies.empty() && !topology_matches(topologies, node.metadata.labels)) return std::nullopt;
    if (!context.room().has_room(*waiting.claim, *waiting.storage_class, node)) return std::nullopt;
    chosen.made.push_back(waiting.claim);
  }
  return chosen;
}

using ClassAmounts = std::vector<engine::VolumeChoice::ClassAmounts>;

// Per storage class, in order of the names.
ClassAmounts amounts_of(std::span<const TakenVolume> taken) {
  // Above this an amount says no more than "full"; a hundred times the sum fits the engine's 64 bits.
  constexpr engine::Amount kMost = engine::Amount{1} << 53U;
  std::map<std::string_view, engine::VolumeChoice::ClassAmounts> classes;
  for (const auto& [claim, volume] : taken) {
    auto& [requested, capacity] = classes[volume->storage_class_name];
    requested = std::min(requested + scheduler_amount("storage", api::storage_of(claim->requests)), kMost);
    capacity = std::min(capacity + scheduler_amount("storage", api::storage_of(volume->capacity)), kMost);
  }
  ClassAmounts result;
  for (const auto& [name, amounts] : classes) result.push_back(amounts);
  return result;
}

// One claim takes the smallest volume that can be reached. Volumes of one size are one choice.
std::vector<engine::VolumeChoice> choices_of(const Waiting& waiting, engine::Names& names) {
  std::vector<engine::VolumeChoice> result;
  for (const auto* volume : waiting.volumes) {
    const std::array taken = {TakenVolume{waiting.claim, volume}};
    ClassAmounts amounts = amounts_of(taken);
    if (!volume->node_affinity) {
      result.push_back({std::nullopt, std::move(amounts)});
      break;  // whoever comes here needs to look no further
    }
    engine::NodeSelector nodes = volume_node_selector(*volume->node_affinity, names);
    if (result.empty() || result.back().classes != amounts) {
      result.push_back({std::move(nodes), std::move(amounts)});
    } else {
      auto& terms = result.back().nodes->terms;
      terms.insert(terms.end(), nodes.terms.begin(), nodes.terms.end());
    }
  }
  for (auto& choice : result) {
    if (choice.nodes) sort_unique(choice.nodes->terms);
  }
  return result;
}

void add_waiting(std::vector<Waiting> claims, const Context& context, PodVolumes& result, engine::Names& names) {
  std::vector<Waiting> open;  // not yet promised to a node
  for (auto& waiting : claims) {
    if (waiting.selected_node.empty() || mutant("Rule.SelectedNode")) {
      open.push_back(std::move(waiting));
      continue;
    }
    // A node was chosen before; there the class provisions.
    result.selectors.push_back({{{{}, {{true, {names.names.intern(waiting.selected_node)}}}}}});
    waiting.volumes.clear();
    if (auto nodes = served_nodes(waiting, context, names)) result.selectors.push_back(std::move(*nodes));
  }
  const auto contended = std::ranges::count_if(open, [](const Waiting& waiting) { return !waiting.volumes.empty(); });
  if (contended < 2) {
    for (const auto& waiting : open) {
      if (auto nodes = served_nodes(waiting, context, names)) result.selectors.push_back(std::move(*nodes));
      if (!waiting.volumes.empty()) result.choices = choices_of(waiting, names);
    }
    return;
  }
  smallest_first(open);
  engine::NameRequirement served;
  std::map<ClassAmounts, engine::NameRequirement> nodes_of;
  for (const auto* node : context.nodes()) {
    const auto chosen = served_together(open, context, *node);
    if (!chosen) continue;
    const engine::NameId name = names.names.intern(node->metadata.name);
    served.names.push_back(name);
    if (!chosen->taken.empty()) nodes_of[amounts_of(chosen->taken)].names.push_back(name);
  }
  std::ranges::sort(served.names);
  result.selectors.push_back({{{{}, {std::move(served)}}}});
  for (auto& [amounts, nodes] : nodes_of) {
    std::ranges::sort(nodes.names);
    result.choices.push_back({engine::NodeSelector{{{{}, {std::move(nodes)}}}}, amounts});
  }
}

// A zone label may hold a set: "a__b". A set with an empty part is unreadable and says nothing.
std::vector<engine::LabelValueId> zones_of(std::string_view text, engine::Names& names) {
  std::vector<engine::LabelValueId> values;
  while (true) {
    const std::size_t end = text.find("__");
    if (end == 0 || text.empty()) return {};
    values.push_back(names.label_value(text.substr(0, end)));
    if (end == std::string_view::npos) break;
    text.remove_prefix(end + 2);
  }
  sort_unique(values);
  return values;
}

std::string_view current_label(std::string_view label) {
  if (label == kOldZone) return kZone;
  if (label == kOldRegion) return kRegion;
  return label;
}

// Each zone label of a volume: the node has it with one of the values, the old name may stand as the new one, and a
// node without any zone label is in no zone and passes.
void add_zones(const api::PersistentVolume& volume, PodVolumes& result, engine::Names& names) {
  engine::NodeTerm zoneless;
  for (const std::string_view label : kZoneLabels) {
    zoneless.labels.push_back({names.label_keys.intern(label), engine::Operator::kDoesNotExist, {}, std::nullopt});
  }
  std::ranges::sort(zoneless.labels);
  for (const std::string_view label : kZoneLabels) {
    const auto found = volume.metadata.labels.find(label);
    if (found == volume.metadata.labels.end()) continue;
    const auto values = zones_of(found->second, names);
    if (values.empty()) continue;
    const engine::LabelKeyId key = names.label_keys.intern(label);
    engine::NodeSelector selector;
    selector.terms.push_back(zoneless);
    selector.terms.push_back({{{key, engine::Operator::kIn, values, std::nullopt}}, {}});
    if (const std::string_view current = current_label(label); current != label) {
      engine::NodeTerm renamed{{{key, engine::Operator::kDoesNotExist, {}, std::nullopt},
                                {names.label_keys.intern(current), engine::Operator::kIn, values, std::nullopt}},
                               {}};
      std::ranges::sort(renamed.labels);
      selector.terms.push_back(std::move(renamed));
    }
    std::ranges::sort(selector.terms);
    result.selectors.push_back(std::move(selector));
  }
}

struct UsedClaim {
  std::string name;
  const Claim* claim = nullptr;
  bool ephemeral = false;
};

void add_bound(const UsedClaim& used, const Context& context, VolumeRules rules, PodVolumes& result,
               engine::Names& names) {
  const bool zone = rules.zone && !used.ephemeral;  // VolumeZone does not look at ephemeral volumes
  const api::PersistentVolume* volume = context.volume(used.claim->volume_name);
  if (volume == nullptr) {
    if (rules.excerpt) {
      result.volume_assumed = true;
    } else if (rules.binding || zone) {
      result.selectors.emplace_back();  // no alternative: no node will do
    }
    return;
  }
  if (rules.binding && volume->node_affinity && !mutant("Rule.BoundVolumeNodes")) {
    result.selectors.push_back(volume_node_selector(*volume->node_affinity, names));
  }
  if (zone && !mutant("Rule.VolumeZone")) add_zones(*volume, result, names);
}

std::vector<UsedClaim> claims_of(const api::Pod& pod, const Context& context) {
  std::vector<UsedClaim> claims;
  for (const auto& volume : pod.spec.volumes) {
    UsedClaim used;
    used.ephemeral = volume.ephemeral;
    used.name = api::claim_behind(pod, volume);
    if (used.name.empty()) continue;
    used.claim = context.claim(pod.metadata.namespace_, used.name);
    claims.push_back(std::move(used));
  }
  return claims;
}

// An ephemeral volume's claim belongs to its pod; a claim of that name of somebody else does not count.
bool belongs_to(const Claim& claim, const api::Pod& pod) {
  const api::OwnerReference* owner = api::controller_of(claim.metadata);
  return owner != nullptr && owner->kind == "Pod" && owner->name == pod.metadata.name && owner->uid == pod.metadata.uid;
}

engine::HoldCause hold_of(const UsedClaim& used, const api::Pod& pod, const Context& context, VolumeRules rules) {
  if (used.claim == nullptr) {
    return mutant("Rule.MissingVolumeClaim") ? engine::HoldCause::kNone : engine::HoldCause::kMissingVolumeClaim;
  }
  if (used.ephemeral && !belongs_to(*used.claim, pod)) return engine::HoldCause::kMissingVolumeClaim;
  if (used.claim->phase == "Lost" || used.claim->metadata.deletion_timestamp) {
    return mutant("Rule.LostClaim") ? engine::HoldCause::kNone : engine::HoldCause::kLostVolumeClaim;
  }
  if (is_bound(*used.claim, rules.excerpt)) return engine::HoldCause::kNone;
  const api::StorageClass* storage_class = context.storage_class(*used.claim);
  if (storage_class == nullptr && used.claim->volume_name.empty() && !storage_class_name(*used.claim).empty()) {
    return mutant("Rule.MissingStorageClass") ? engine::HoldCause::kNone : engine::HoldCause::kMissingStorageClass;
  }
  const bool waits = storage_class != nullptr && used.claim->volume_name.empty() &&
                     storage_class->volume_binding_mode == api::VolumeBindingMode::kWaitForFirstConsumer;
  return waits || mutant("Rule.UnboundImmediateClaim") ? engine::HoldCause::kNone
                                                       : engine::HoldCause::kUnboundImmediateClaim;
}

}  // namespace

PodVolumes pod_volumes(const api::Pod& pod, const Context& context, VolumeRules rules, engine::Names& names) {
  PodVolumes result;
  const std::vector<UsedClaim> claims = claims_of(pod, context);
  for (const auto& used : claims) {
    const engine::HoldCause cause = hold_of(used, pod, context, rules);
    if (cause == engine::HoldCause::kNone) continue;
    // A missing claim is told before an unbound one, as the plugins run.
    if (result.hold.cause == engine::HoldCause::kNone || cause < result.hold.cause) {
      const bool is_class = cause == engine::HoldCause::kMissingStorageClass;
      result.hold = {cause, names.names.intern(is_class ? storage_class_name(*used.claim) : used.name)};
    }
  }
  std::vector<Waiting> waiting;
  for (const auto& used : claims) {
    if (used.claim == nullptr) continue;
    const Claim& claim = *used.claim;
    const bool exclusive =
        std::ranges::find(claim.access_modes, api::AccessMode::kReadWriteOncePod) != claim.access_modes.end();
    if (exclusive && rules.restrictions) {
      result.exclusive_claims.push_back(names.names.intern(api::full_name(pod.metadata.namespace_, used.name)));
    }
    if (is_bound(claim, rules.excerpt)) {
      add_bound(used, context, rules, result, names);
      continue;
    }
    const api::StorageClass* storage_class = context.storage_class(claim);
    if (!rules.binding || storage_class == nullptr || result.hold.cause != engine::HoldCause::kNone) continue;
    const auto selected = claim.metadata.annotations.find(kSelectedNode);
    waiting.push_back({&claim, storage_class, candidates(claim, *storage_class, context),
                       selected == claim.metadata.annotations.end() ? std::string_view() : selected->second});
  }
  add_waiting(std::move(waiting), context, result, names);
  sort_unique(result.exclusive_claims);
  sort_unique(result.selectors);
  return result;
}

std::optional<ChosenVolumes> choose_volumes(const api::Pod& pod, const Context& context, const api::Node& node,
                                            VolumeRules rules) {
  std::vector<Waiting> waiting;
  for (const auto& used : claims_of(pod, context)) {
    if (used.claim == nullptr) continue;
    if (is_bound(*used.claim, rules.excerpt)) {
      const api::PersistentVolume* volume = context.volume(used.claim->volume_name);
      if (volume != nullptr && !reaches(*volume, node)) return std::nullopt;
      continue;
    }
    const api::StorageClass* storage_class = context.storage_class(*used.claim);
    if (storage_class == nullptr) continue;
    const auto selected = used.claim->metadata.annotations.find(kSelectedNode);
    if (selected == used.claim->metadata.annotations.end()) {
      waiting.push_back({used.claim, storage_class, candidates(*used.claim, *storage_class, context), {}});
    } else if (selected->second != node.metadata.name) {
      return std::nullopt;
    }
  }
  smallest_first(waiting);
  return served_together(waiting, context, node);
}

void select_node(Claim& claim, std::string_view node) {
  claim.metadata.annotations.insert_or_assign(std::string(kSelectedNode), std::string(node));
}

}  // namespace berth::dialects::kubernetes
