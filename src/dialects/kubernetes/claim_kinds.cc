#include "dialects/kubernetes/claim_kinds.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <string_view>

#include <boost/container_hash/hash.hpp>

#include "api/volume_binding.h"
#include "base/mutant.h"
#include "base/sort_unique.h"
#include "dialects/kubernetes/context.h"
#include "dialects/kubernetes/resources.h"
#include "dialects/kubernetes/selectors.h"
#include "dialects/kubernetes/storage_room.h"

namespace berth::dialects::kubernetes {
namespace {

using Claim = api::PersistentVolumeClaim;
using ClassAmounts = engine::VolumeChoice::ClassAmounts;

constexpr std::string_view kNoProvisioner = "kubernetes.io/no-provisioner";

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

// One of the labels that each alternative asks for by value; none: some alternative asks for no label so.
std::optional<std::vector<std::string>> asked_labels(const api::PersistentVolume& volume) {
  if (!volume.node_affinity) return std::nullopt;
  std::vector<std::string> labels;
  for (const api::NodeSelectorTerm& term : volume.node_affinity->terms) {
    const auto in =
        std::ranges::find(term.match_expressions, api::SelectorOperator::kIn, &api::SelectorRequirement::op);
    if (in == term.match_expressions.end()) return std::nullopt;
    for (const std::string& value : in->values) labels.push_back(pair_name(in->key, value));
  }
  sort_unique(labels);
  return labels;
}

// Alternatives that ask for one label each are one alternative that asks for any of the values: a class of local
// volumes would have as many as nodes. What remains is in canonical order.
void join_alternatives(engine::NodeSelector& selector) {
  std::map<engine::LabelKeyId, std::vector<engine::LabelValueId>> joined;
  std::erase_if(selector.terms, [&joined](const engine::NodeTerm& term) {
    if (term.labels.size() != 1 || !term.names.empty() || term.labels[0].op != engine::Operator::kIn) return false;
    std::vector<engine::LabelValueId>& values = joined[term.labels[0].key];
    values.insert(values.end(), term.labels[0].values.begin(), term.labels[0].values.end());
    return true;
  });
  for (auto& [key, values] : joined) {
    sort_unique(values);
    selector.terms.push_back({{{key, engine::Operator::kIn, std::move(values), std::nullopt}}, {}});
  }
  sort_unique(selector.terms);
}

// Above this an amount says no more than "full"; a hundred times the sum fits the engine's 64 bits.
constexpr engine::Amount kMostBytes = engine::Amount{1} << 53U;

engine::Amount bytes_of(const api::Quantity& quantity) {
  return std::min(scheduler_amount("storage", quantity), kMostBytes);
}

using AmountsByClass = std::map<std::string_view, ClassAmounts>;

std::vector<ClassAmounts> in_order(const AmountsByClass& classes) {
  std::vector<ClassAmounts> result;
  for (const auto& [name, amounts] : classes) result.push_back(amounts);
  return result;
}

// Per storage class, in order of the names.
std::vector<ClassAmounts> amounts_of(std::span<const TakenVolume> taken) {
  AmountsByClass classes;
  for (const auto& [claim, volume] : taken) {
    auto& [requested, capacity] = classes[volume->storage_class_name];
    requested = std::min(requested + bytes_of(api::storage_of(claim->requests)), kMostBytes);
    capacity = std::min(capacity + bytes_of(api::storage_of(volume->capacity)), kMostBytes);
  }
  return in_order(classes);
}

// Of claims that all are provisioned on the node, those whose driver says how much it has there. Claims of one class
// share what there is: the capacity is not a sum.
std::vector<ClassAmounts> amounts_made(std::span<const ClaimKinds::Kind> kinds, const Context& context,
                                       const api::Node& node) {
  AmountsByClass classes;
  for (const auto& kind : kinds) {
    const auto* room = context.room().find(kind->example(), kind->storage_class(), node);
    if (room == nullptr) continue;
    auto& [requested, capacity] = classes[kind->storage_class().metadata.name];
    requested = std::min(requested + bytes_of(api::storage_of(kind->example().requests)), kMostBytes);
    capacity = room->capacity ? bytes_of(*room->capacity) : 0;
  }
  return in_order(classes);
}

std::vector<engine::VolumeChoices::OnNode> made_by_node(std::span<const ClaimKinds::Kind> kinds, const Context& context,
                                                        engine::Names& names) {
  std::vector<engine::VolumeChoices::OnNode> result;
  const bool counts = std::ranges::any_of(kinds, [&context](const ClaimKinds::Kind& kind) {
    return can_provision(kind->storage_class()) && context.room().limits(kind->example(), kind->storage_class());
  });
  if (!counts) return result;
  for (const api::Node* node : context.nodes()) {
    std::vector<ClassAmounts> classes = amounts_made(kinds, context, *node);
    if (!classes.empty()) result.push_back({names.names.intern(node->metadata.name), std::move(classes)});
  }
  std::ranges::sort(result, {}, &engine::VolumeChoices::OnNode::node);
  return result;
}

bool same_kind(const ClaimKind& kind, const Claim& claim, const api::StorageClass& storage_class) {
  const Claim& example = kind.example();
  return &kind.storage_class() == &storage_class && example.requests == claim.requests &&
         example.access_modes == claim.access_modes && example.volume_mode == claim.volume_mode &&
         example.volume_attributes_class_name == claim.volume_attributes_class_name &&
         example.selector == claim.selector;
}

std::size_t hash_of(const Claim& claim, const api::StorageClass& storage_class) {
  std::size_t hash = boost::hash<std::string_view>()(storage_class.metadata.name);
  boost::hash_combine(hash, api::storage_of(claim.requests).value());
  if (!claim.selector) return hash;
  for (const auto& [key, value] : claim.selector->match_labels) {
    boost::hash_combine(hash, key);
    boost::hash_combine(hash, value);
  }
  return hash;
}

}  // namespace

bool reaches(const api::PersistentVolume& volume, const api::Node& node) {
  return !volume.node_affinity || topology_matches(volume.node_affinity->terms, node.metadata.labels);
}

bool can_provision(const api::StorageClass& storage_class) {
  return !storage_class.provisioner.empty() && storage_class.provisioner != kNoProvisioner;
}

void ClaimKind::index_volumes() const {
  if (indexed_) return;
  indexed_ = true;
  for (std::uint32_t i = 0; i < volumes_.size(); ++i) {
    if (const auto labels = asked_labels(*volumes_[i])) {
      for (const std::string& label : *labels) by_label_[label].push_back(i);
    } else {
      others_.push_back(i);
    }
  }
}

const api::PersistentVolume* ClaimKind::first_free(const Claim& claim, const api::Node& node,
                                                   std::span<const api::PersistentVolume* const> taken) const {
  index_volumes();
  auto best = static_cast<std::uint32_t>(volumes_.size());
  const auto look_through = [&](const std::vector<std::uint32_t>& positions) {
    for (const std::uint32_t position : positions) {
      if (position >= best) return;
      const api::PersistentVolume* volume = volumes_[position];
      const bool is_taken = std::ranges::find(taken, volume) != taken.end();
      if ((is_taken && !mutant("Rule.VolumesAreDistinct")) || !suits(*volume, claim) || !reaches(*volume, node))
        continue;
      best = position;
      return;
    }
  };
  look_through(others_);
  for (const auto& [key, value] : node.metadata.labels) {
    const auto there = by_label_.find(pair_name(key, value));
    if (there != by_label_.end()) look_through(there->second);
  }
  return best < volumes_.size() ? volumes_[best] : nullptr;
}

const std::optional<Shared<engine::NodeSelector>>& ClaimKind::nodes(const Context& context,
                                                                    engine::Names& names) const {
  if (nodes_) return *nodes_;
  nodes_.emplace();
  engine::NodeSelector result;
  const auto admit = [&result](engine::NodeSelector more) {
    result.terms.insert(result.terms.end(), std::make_move_iterator(more.terms.begin()),
                        std::make_move_iterator(more.terms.end()));
  };
  for (const auto* volume : volumes_) {
    if (!volume->node_affinity) return *nodes_;
    admit(volume_node_selector(*volume->node_affinity, names));
  }
  if (can_provision(storage_class_) && context.room().limits(example_, storage_class_)) {
    auto roomy = context.room().nodes(example_, storage_class_, context.nodes(), names);
    if (!roomy) return *nodes_;
    admit(*std::move(roomy));
  } else if (can_provision(storage_class_)) {
    if (storage_class_.allowed_topologies.empty() || mutant("Rule.AllowedTopologies")) return *nodes_;
    admit(node_selector(api::NodeSelector{storage_class_.allowed_topologies}, names));
  }
  join_alternatives(result);
  *nodes_ = Shared<engine::NodeSelector>(std::move(result));
  return *nodes_;
}

// One claim takes the smallest volume that can be reached.
std::vector<engine::VolumeChoice> ClaimKind::existing(engine::Names& names) const {
  std::vector<engine::VolumeChoice> result;
  for (const auto* volume : volumes_) {
    const std::array taken = {TakenVolume{&example_, volume}};
    std::vector<ClassAmounts> amounts = amounts_of(taken);
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
    if (choice.nodes) join_alternatives(*choice.nodes);
  }
  return result;
}

const Shared<engine::VolumeChoices>& ClaimKind::choices(const Context& context, engine::Names& names) const {
  if (choices_) return *choices_;
  // Not an owner: whoever asks keeps the kind.
  const std::array self = {ClaimKinds::Kind(std::shared_ptr<const void>(), this)};
  engine::VolumeChoices found{existing(names), made_by_node(self, context, names)};
  return choices_.emplace(found.empty() ? Shared<engine::VolumeChoices>() : std::move(found));
}

ClaimKinds::Kind ClaimKinds::of(const Claim& claim, const api::StorageClass& storage_class, const Context& context) {
  for (const auto* volume : context.kept_for(claim)) {
    if (volume->storage_class_name == storage_class.metadata.name && api::names(*volume, claim) &&
        suits(*volume, claim))
      return std::make_shared<const ClaimKind>(claim, storage_class, ClaimKind::Volumes{volume});
  }
  std::vector<Kind>& alike = kinds_[hash_of(claim, storage_class)];
  const auto known =
      std::ranges::find_if(alike, [&](const Kind& kind) { return same_kind(*kind, claim, storage_class); });
  if (known != alike.end()) return *known;
  ClaimKind::Volumes volumes;
  std::ranges::copy_if(context.volumes(storage_class), std::back_inserter(volumes),
                       [&](const api::PersistentVolume* volume) { return suits(*volume, claim); });
  return alike.emplace_back(std::make_shared<const ClaimKind>(claim, storage_class, std::move(volumes)));
}

const ClaimKinds::Together& ClaimKinds::together(std::vector<Kind> kinds, const Context& context,
                                                 engine::Names& names) {
  const auto [entry, fresh] = together_.try_emplace(std::move(kinds));
  if (!fresh) return *entry->second;
  Together& result = *(entry->second = std::make_unique<Together>());
  const std::vector<Kind>& all = entry->first;
  const auto has_volumes = [](const Kind& kind) { return !kind->volumes().empty(); };
  if (std::ranges::count_if(all, has_volumes) < 2) {
    for (const Kind& kind : all) {
      if (const auto& nodes = kind->nodes(context, names)) result.selectors.push_back(*nodes);
    }
    const auto contended = std::ranges::find_if(all, has_volumes);
    if (all.size() == 1) {
      result.choices = all.front()->choices(context, names);
      return result;
    }
    engine::VolumeChoices found;
    if (contended != all.end()) found.existing = (*contended)->existing(names);
    found.by_node = made_by_node(all, context, names);
    if (!found.empty()) result.choices = std::move(found);
    return result;
  }
  std::vector<WaitingClaim> claims;
  for (const Kind& kind : all) claims.push_back({&kind->example(), kind});
  engine::NameRequirement served;
  engine::VolumeChoices found;
  for (const auto* node : context.nodes()) {
    const auto chosen = served_together(claims, context, *node);
    if (!chosen) continue;
    const engine::NameId name = names.names.intern(node->metadata.name);
    served.names.push_back(name);
    std::vector<ClassAmounts> classes =
        chosen->taken.empty() ? amounts_made(all, context, *node) : amounts_of(chosen->taken);
    if (!classes.empty()) found.by_node.push_back({name, std::move(classes)});
  }
  std::ranges::sort(served.names);
  std::ranges::sort(found.by_node, {}, &engine::VolumeChoices::OnNode::node);
  result.selectors.emplace_back(engine::NodeSelector{{{{}, {std::move(served)}}}});
  if (!found.empty()) result.choices = std::move(found);
  return result;
}

std::optional<ChosenVolumes> served_together(std::span<const WaitingClaim> claims, const Context& context,
                                             const api::Node& node) {
  ChosenVolumes chosen;
  std::vector<const api::PersistentVolume*> taken;
  for (const auto& [claim, kind] : claims) {
    if (const auto* free = kind->first_free(*claim, node, taken)) {
      taken.push_back(free);
      chosen.taken.push_back({claim, free});
      continue;
    }
    const api::StorageClass& storage_class = kind->storage_class();
    const auto& topologies = storage_class.allowed_topologies;
    if (!can_provision(storage_class)) return std::nullopt;
    if (!topologies.empty() && !topology_matches(topologies, node.metadata.labels)) return std::nullopt;
    if (!context.room().has_room(*claim, storage_class, node)) return std::nullopt;
    chosen.made.push_back(claim);
  }
  return chosen;
}

}  // namespace berth::dialects::kubernetes
