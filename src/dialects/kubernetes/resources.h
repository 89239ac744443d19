// What a pod asks for and what a node offers, exactly as kube-scheduler 1.37 counts it.
//
// Pod requests: the containers' sum or the largest moment of the init containers, sidecars running on; pod-level
// amounts for cpu, memory and huge pages replace that; overhead comes on top. While a pod is being resized in place the
// largest of what its spec says, what the kubelet granted and what runs counts. CPU is rounded up to thousandths,
// everything else to whole units, after summing. Sources: KEP-753 (sidecars), KEP-2837 (pod-level resources), KEP-1287
// (in-place resize).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/core.h"
#include "engine/input.h"
#include "engine/names.h"

namespace berth::dialects::kubernetes {

struct PodResources {
  std::vector<engine::ResourceAmount> requests;  // ascending, no zeros, without cards
  std::vector<engine::CardRequest> cards;        // ascending by the resource's name
  std::vector<engine::ResourceAmount> counted;   // ascending: see ShapeInput::counted
  engine::Amount nonzero_cpu = 0;
  engine::Amount nonzero_memory = 0;
  std::optional<engine::Amount> fit_score_cpu;
  std::optional<engine::Amount> fit_score_memory;
  bool best_effort = false;   // no request above zero
  std::string share_problem;  // the pod asks for a share of a card in a way that has no meaning
};

[[nodiscard]] PodResources pod_resources(const api::Pod& pod, engine::Names& names);

// An amount as the scheduler counts it: thousandths for cpu, else whole units, rounded up.
[[nodiscard]] engine::Amount scheduler_amount(std::string_view name, const api::Quantity& quantity);

// What a key of a ResourceQuota, or of Volcano's amounts, counts: "requests.cpu" is cpu, "count/pods" pods; cards in
// thousandths of a card. None: nothing that a scheduler sees ("limits.cpu", "count/services").
[[nodiscard]] std::optional<engine::ResourceAmount> quota_amount(std::string_view key, const api::Quantity& quantity,
                                                                 engine::Names& names);

// Ascending by resource; cards in thousandths of a card, at most kMaxCardsPerNode of them.
[[nodiscard]] std::vector<engine::ResourceAmount> node_amounts(const api::ResourceList& list, engine::Names& names);

// True for names that the scheduler counts: the four native ones, anything with a domain, huge pages, attachable
// volumes. Other names ("foo") it ignores on nodes and in pods.
[[nodiscard]] bool is_counted_resource(std::string_view name);

}  // namespace berth::dialects::kubernetes
