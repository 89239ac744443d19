#include "dialects/kubernetes/volumes.h"

#include <algorithm>
#include <array>
#include <optional>

#include "api/full_name.h"
#include "api/owner.h"
#include "api/volume_binding.h"
#include "base/mutant.h"
#include "base/sort_unique.h"
#include "dialects/kubernetes/selectors.h"
#include "dialects/kubernetes/storage_room.h"

namespace berth::dialects::kubernetes {
namespace {

using Claim = api::PersistentVolumeClaim;

constexpr std::string_view kBindCompleted = "pv.kubernetes.io/bind-completed";
constexpr std::string_view kSelectedNode = "volume.kubernetes.io/selected-node";
constexpr std::string_view kZone = "topology.kubernetes.io/zone";
constexpr std::string_view kRegion = "topology.kubernetes.io/region";
constexpr std::string_view kOldZone = "failure-domain.beta.kubernetes.io/zone";
constexpr std::string_view kOldRegion = "failure-domain.beta.kubernetes.io/region";
constexpr std::array kZoneLabels = {kOldZone, kOldRegion, kZone, kRegion};

bool is_bound(const Claim& claim, bool excerpt) {
  if (claim.volume_name.empty()) return false;
  return claim.metadata.annotations.contains(kBindCompleted) || (excerpt && claim.phase == "Bound");
}

// A claim that waits for its first consumer, and the node on which it is to be served, if one was chosen.
struct Waiting {
  WaitingClaim claim;
  std::string_view selected_node;
};

void smallest_first(std::vector<WaitingClaim>& claims) {
  std::ranges::stable_sort(claims, [](const WaitingClaim& left, const WaitingClaim& right) {
    return api::storage_of(left.claim->requests) < api::storage_of(right.claim->requests);
  });
}

void add_waiting(const std::vector<Waiting>& claims, const Context& context, PodVolumes& result, engine::Names& names) {
  std::vector<WaitingClaim> open;  // not yet promised to a node
  for (const Waiting& waiting : claims) {
    if (waiting.selected_node.empty() || mutant("Rule.SelectedNode")) {
      open.push_back(waiting.claim);
      continue;
    }
    // A node was chosen before; there the class provisions.
    result.selectors.emplace_back(engine::NodeSelector{{{{}, {{true, {names.names.intern(waiting.selected_node)}}}}}});
    const ClaimKind provisioned(*waiting.claim.claim, waiting.claim.kind->storage_class(), {});
    if (const auto& nodes = provisioned.nodes(context, names)) result.selectors.push_back(*nodes);
  }
  if (open.empty()) return;
  smallest_first(open);
  std::vector<ClaimKinds::Kind> kinds;
  for (const WaitingClaim& waiting : open) kinds.push_back(waiting.kind);
  const ClaimKinds::Together& together = context.claim_kinds().together(std::move(kinds), context, names);
  result.selectors.insert(result.selectors.end(), together.selectors.begin(), together.selectors.end());
  result.choices = together.choices;
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
    result.selectors.emplace_back(std::move(selector));
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
    result.selectors.emplace_back(volume_node_selector(*volume->node_affinity, names));
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
    waiting.push_back({{&claim, context.claim_kinds().of(claim, *storage_class, context)},
                       selected == claim.metadata.annotations.end() ? std::string_view() : selected->second});
  }
  add_waiting(waiting, context, result, names);
  sort_unique(result.exclusive_claims);
  sort_unique(result.selectors);
  return result;
}

std::optional<ChosenVolumes> choose_volumes(const api::Pod& pod, const Context& context, const api::Node& node,
                                            VolumeRules rules) {
  std::vector<WaitingClaim> waiting;
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
      waiting.push_back({used.claim, context.claim_kinds().of(*used.claim, *storage_class, context)});
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
