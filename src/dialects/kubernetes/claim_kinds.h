// ClaimKinds: what claims that wait for their first consumer can be served with, found once for all that ask for the
// same.
//
// Claims of one class, size, access modes, volume mode, attributes class and selector may take the same volumes and be
// provisioned on the same nodes: they are of one kind. A thousand replicas with a local volume each need one list of
// volumes and one selector, which their shapes share. Pods whose claims are of the same kinds share likewise what
// several claims find together.
//
// Objects are borrowed. Volumes that get bound meanwhile are passed over by first_free(); all else is as of the first
// question.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>

#include "api/objects.h"
#include "base/shared.h"
#include "engine/input.h"
#include "engine/names.h"

namespace berth::dialects::kubernetes {

class Context;

class ClaimKind {
 public:
  using Claim = api::PersistentVolumeClaim;
  using Volumes = std::vector<const api::PersistentVolume*>;

  // Volumes in the order in which a claim takes them.
  ClaimKind(const Claim& example, const api::StorageClass& storage_class, Volumes volumes)
      : example_(example), storage_class_(storage_class), volumes_(std::move(volumes)) {}

  [[nodiscard]] const Claim& example() const { return example_; }
  [[nodiscard]] const api::StorageClass& storage_class() const { return storage_class_; }
  [[nodiscard]] const Volumes& volumes() const { return volumes_; }

  // The first volume that the claim, which is of this kind, can have on the node; null: none. Those of `taken` are
  // given away. O(labels of the node, and the volumes there that are gone).
  [[nodiscard]] const api::PersistentVolume* first_free(const Claim& claim, const api::Node& node,
                                                        std::span<const api::PersistentVolume* const> taken) const;

  // On which nodes one claim alone can be served; none: on every node.
  [[nodiscard]] const std::optional<Shared<engine::NodeSelector>>& nodes(const Context& context,
                                                                         engine::Names& names) const;

  // What one claim alone takes, or has made, where.
  [[nodiscard]] const Shared<engine::VolumeChoices>& choices(const Context& context, engine::Names& names) const;
  // Of these, the volumes that exist. Volumes of one size are one choice.
  [[nodiscard]] std::vector<engine::VolumeChoice> existing(engine::Names& names) const;

 private:
  void index_volumes() const;

  const Claim& example_;
  const api::StorageClass& storage_class_;
  Volumes volumes_;
  // Positions of volumes by a label "KEY=VALUE" that their node has to have, and of those of which none is known.
  mutable boost::unordered_flat_map<std::string, std::vector<std::uint32_t>> by_label_;
  mutable std::vector<std::uint32_t> others_;
  mutable bool indexed_ = false;
  mutable std::optional<std::optional<Shared<engine::NodeSelector>>> nodes_;
  mutable std::optional<Shared<engine::VolumeChoices>> choices_;
};

class ClaimKinds {
 public:
  using Kind = std::shared_ptr<const ClaimKind>;

  // The volumes that are nobody's and that suit the claim; one that already names the claim is the only one.
  [[nodiscard]] Kind of(const api::PersistentVolumeClaim& claim, const api::StorageClass& storage_class,
                        const Context& context);

  // What the open claims of a pod can have together.
  struct Together {
    std::vector<Shared<engine::NodeSelector>> selectors;  // all must match
    Shared<engine::VolumeChoices> choices;
  };
  // O(nodes x claims) the first time for each list of kinds, if there are several.
  [[nodiscard]] const Together& together(std::vector<Kind> kinds, const Context& context, engine::Names& names);

 private:
  boost::unordered_flat_map<std::size_t, std::vector<Kind>> kinds_;  // by a hash of what they ask for
  boost::unordered_flat_map<std::vector<Kind>, std::unique_ptr<Together>> together_;
};

// A claim and the existing volume that it would be bound to.
struct TakenVolume {
  const api::PersistentVolumeClaim* claim = nullptr;
  const api::PersistentVolume* volume = nullptr;
};

struct ChosenVolumes {
  std::vector<TakenVolume> taken;
  std::vector<const api::PersistentVolumeClaim*> made;  // the class makes a volume for these; no node is selected yet
};

[[nodiscard]] bool reaches(const api::PersistentVolume& volume, const api::Node& node);
[[nodiscard]] bool can_provision(const api::StorageClass& storage_class);

// A claim that waits for its first consumer.
struct WaitingClaim {
  const api::PersistentVolumeClaim* claim = nullptr;
  ClaimKinds::Kind kind;
};

// Several claims on one node, smallest first; each takes a volume of its own or is provisioned. None if the node cannot
// serve them.
[[nodiscard]] std::optional<ChosenVolumes> served_together(std::span<const WaitingClaim> claims, const Context& context,
                                                           const api::Node& node);

}  // namespace berth::dialects::kubernetes
