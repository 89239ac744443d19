// What a pod's persistent volume claims demand of its node, as far as a snapshot shows it: VolumeBinding, VolumeZone
// and VolumeRestrictions of kube-scheduler 1.37.
//
// A bound claim: its volume's node affinity and zone labels. An unbound claim of a class that waits for its first
// consumer: the nodes on which an existing volume suits it or its class can provision one. Several such claims of one
// pod must find different volumes, so for them the nodes are tried one by one. Anything else is a hold.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "dialects/kubernetes/claim_kinds.h"
#include "dialects/kubernetes/context.h"
#include "engine/input.h"
#include "engine/names.h"

namespace berth::dialects::kubernetes {

struct VolumeRules {
  bool binding = true;       // the profile runs VolumeBinding
  bool zone = true;          // the profile runs VolumeZone
  bool restrictions = true;  // the profile runs VolumeRestrictions
  // The objects may be an excerpt. A claim is bound if its phase says so even without the binder's annotation, and a
  // bound claim whose PersistentVolume was not given is no obstacle.
  bool excerpt = true;
};

struct PodVolumes {
  engine::Hold hold;
  std::vector<Shared<engine::NodeSelector>> selectors;  // all must match
  Shared<engine::VolumeChoices> choices;                // what the open claims take, or have made, where
  std::vector<engine::NameId> exclusive_claims;         // ReadWriteOncePod
  bool volume_assumed = false;                          // a bound claim's volume was not given; any node is taken to do
};

[[nodiscard]] PodVolumes pod_volumes(const api::Pod& pod, const Context& context, VolumeRules rules,
                                     engine::Names& names);

// What the volume binder chooses for a pod that gets this node: for its waiting claims the smallest volumes that suit
// them and that the node reaches, or new ones. None if the node cannot serve the pod, since others took the volumes
// meanwhile or had a volume of its claims made for another node.
[[nodiscard]] std::optional<ChosenVolumes> choose_volumes(const api::Pod& pod, const Context& context,
                                                          const api::Node& node, VolumeRules rules = {});

// The claim's volume is made for this node: who uses it has to follow.
void select_node(api::PersistentVolumeClaim& claim, std::string_view node);

}  // namespace berth::dialects::kubernetes
