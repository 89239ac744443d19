// What the engine is told: nodes, pods, namespaces and budgets in engine terms, as events.
//
// A dialect makes these from the objects of its ecosystem (src/dialects/kubernetes for core/v1). All lists are in the
// order in which the API evaluates them; all names are interned in one Names. The meaning of every field is that of the
// Kubernetes API field it is named after.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <variant>
#include <vector>

#include "base/shared.h"
#include "engine/amount.h"
#include "engine/ids.h"
#include "engine/queue_input.h"
#include "engine/workload_input.h"

namespace berth::engine {

namespace devices {
struct ClaimInput;  // devices/holdings.h
struct SliceInput;  // devices/model.h
}  // namespace devices

// --- Selectors ------------------------------------------------------------------------------------------------------

struct Label {
  LabelKeyId key;
  LabelValueId value;
  auto operator<=>(const Label&) const = default;
};
using Labels = std::vector<Label>;  // ascending by key, each key once

enum class Operator : std::uint8_t { kIn, kNotIn, kExists, kDoesNotExist, kGreaterThan, kLessThan };

struct Requirement {
  LabelKeyId key;
  Operator op = Operator::kIn;
  std::vector<LabelValueId> values;   // In, NotIn: ascending
  std::optional<std::int64_t> bound;  // Gt, Lt: none if the text was no integer; then nothing matches
  auto operator<=>(const Requirement&) const = default;
};

// All requirements hold. `nothing` is the absent selector, which selects no pod; no requirement selects every pod.
struct Selector {
  bool nothing = false;
  std::vector<Requirement> requirements;
  auto operator<=>(const Selector&) const = default;
};

// metadata.name is a field, not a label, so it has requirements of its own.
struct NameRequirement {
  bool in = true;             // In or NotIn
  std::vector<NameId> names;  // ascending
  auto operator<=>(const NameRequirement&) const = default;
};

struct NodeTerm {
  std::vector<Requirement> labels;
  std::vector<NameRequirement> names;
  [[nodiscard]] bool empty() const { return labels.empty() && names.empty(); }  // an empty term matches no node
  auto operator<=>(const NodeTerm&) const = default;
};

struct NodeSelector {
  std::vector<NodeTerm> terms;  // alternatives; none: matches no node
  auto operator<=>(const NodeSelector&) const = default;
};

struct WeightedNodeTerm {
  std::int32_t weight = 0;
  NodeTerm term;
  auto operator<=>(const WeightedNodeTerm&) const = default;
};

// --- Taints and tolerations

enum class Effect : std::uint8_t { kNoSchedule, kPreferNoSchedule, kNoExecute };

struct Taint {
  LabelKeyId key;
  LabelValueId value;
  Effect effect = Effect::kNoSchedule;
  auto operator<=>(const Taint&) const = default;
};

struct Toleration {
  enum class Match : std::uint8_t { kEqual, kExists, kLessThan, kGreaterThan };
  LabelKeyId key;  // none: every key (with Exists)
  Match match = Match::kEqual;
  LabelValueId value;
  std::optional<Effect> effect;
  auto operator<=>(const Toleration&) const = default;
};

// --- Pods among pods

// Which namespaces a term looks at: a list, plus those whose labels match the selector if there is one.
struct NamespaceScope {
  std::vector<NamespaceId> namespaces;  // ascending
  std::optional<Selector> selector;
  auto operator<=>(const NamespaceScope&) const = default;
};

struct AffinityTerm {
  Selector selector;  // matchLabelKeys and mismatchLabelKeys already merged in
  NamespaceScope scope;
  LabelKeyId topology_key;
  auto operator<=>(const AffinityTerm&) const = default;
};

struct WeightedAffinityTerm {
  std::int32_t weight = 0;  // negative for preferred anti-affinity
  AffinityTerm term;
  auto operator<=>(const WeightedAffinityTerm&) const = default;
};

struct SpreadConstraint {
  std::int32_t max_skew = 1;
  LabelKeyId topology_key;
  bool hard = true;   // DoNotSchedule
  Selector selector;  // matchLabelKeys already merged in
  std::int32_t min_domains = 1;
  bool honor_node_affinity = true;
  bool honor_node_taints = false;
  auto operator<=>(const SpreadConstraint&) const = default;
};

struct HostPort {
  std::uint8_t protocol = 0;  // 0 TCP, 1 UDP, 2 SCTP
  NameId address;             // none: all addresses (0.0.0.0)
  std::int32_t port = 0;
  auto operator<=>(const HostPort&) const = default;
};

// --- Cards

// One mechanism for whole cards and fractions of cards. A node's count of a card resource ("nvidia.com/gpu: 8") is that
// many cards of 1000 milli each, and of so much memory where that is known. A request is `count` whole cards (milli ==
// 1000, no memory) or a share of each of `count` cards, by milli, by memory or by both; a share must sit inside a
// single card. Each share takes of both: by milli the same part of the memory, by memory the same part of the milli,
// rounded down. So memory is exact, whatever else is on the card. A share may be finer than a milli: what it has beyond
// whole milli counts where it has to fit into its card, and nowhere else (sums, queues, scores).
inline constexpr std::int32_t kMilliPerCard = 1000;
inline constexpr std::int32_t kMillionthsPerMilli = 1'000'000;

// The kind of a pod as far as cards go: 0 a share of a card, 1 to 8 whole cards (8 also for more), kNoCardKind none.
inline constexpr std::uint8_t kNoCardKind = 9;
inline constexpr std::size_t kPodKindCount = 10;

struct CardRequest {
  ResourceId resource;
  std::int32_t count = 0;              // 0: no card
  std::int32_t milli = kMilliPerCard;  // of each card; 0: what its memory comes to
  std::int32_t millionths = 0;         // of a milli of each card, besides; only of a share by milli
  std::vector<ProductId> products;     // acceptable products, ascending; none: any
  std::int64_t memory_bytes = 0;       // of each card; 0: what its milli come to
  bool packed = true;                  // false: a part of the node that is handed out like a card and is no card
  [[nodiscard]] bool whole() const { return milli == kMilliPerCard && memory_bytes == 0; }
  [[nodiscard]] Amount total() const { return static_cast<Amount>(count) * milli; }
  [[nodiscard]] Amount total_rounded_up() const { return static_cast<Amount>(count) * (milli + (millionths > 0)); }
  auto operator<=>(const CardRequest&) const = default;
};

// The cards of a node given to a pod: positions 0..n-1 within the node's cards of that resource.
struct CardAssignment {
  ResourceId resource;
  std::int32_t milli = kMilliPerCard;  // of each card named
  std::int32_t millionths = 0;         // of a milli, besides
  std::vector<std::uint16_t> cards;
  std::int64_t memory_bytes = 0;  // of each card named, where the memory is known
  auto operator<=>(const CardAssignment&) const = default;
};

// One entry of pod.spec.resourceClaims: devices that the pod asks for.
struct ClaimUse {
  ClaimSpecId spec;  // Names::devices().claims
  // The ResourceClaim "namespace/name", if it is there for several pods or has its devices already, so that the pod has
  // to go where they are. None: a claim of the pod's own, made from a template.
  NameId shared;
  // An extended resource that devices serve: the claim is for nodes that do not offer the resource themselves. None: an
  // ordinary claim.
  ResourceId resource;
  auto operator<=>(const ClaimUse&) const = default;
};

// --- Shapes

// What the pod's open claims ask of volumes, as amounts per storage class.
struct VolumeChoice {
  struct ClassAmounts {
    Amount requested = 0;  // bytes
    Amount capacity = 0;
    auto operator<=>(const ClassAmounts&) const = default;
  };
  std::optional<NodeSelector> nodes;  // where; none: everywhere
  std::vector<ClassAmounts> classes;
  auto operator<=>(const VolumeChoice&) const = default;
};

struct VolumeChoices {
  std::vector<VolumeChoice> existing;  // volumes that are there. In order: the first that names the node counts there
  // Where none of those counts: what the claims would take on the nodes of these names, or have made there.
  struct OnNode {
    NameId node;
    std::vector<VolumeChoice::ClassAmounts> classes;
    auto operator<=>(const OnNode&) const = default;
  };
  std::vector<OnNode> by_node;  // ascending by node
  [[nodiscard]] bool empty() const { return existing.empty() && by_node.empty(); }
  auto operator<=>(const VolumeChoices&) const = default;
};

// Everything that scheduling can see of a pod template. Pods with equal content are of one shape and interchangeable.
struct ShapeInput {
  ProfileId profile;
  NamespaceId namespace_;
  Labels labels;
  std::int32_t priority = 0;
  bool preempts = true;                  // preemptionPolicy PreemptLowerPriority
  std::vector<ResourceAmount> requests;  // ascending, no zeros; the pod's own slot in `pods` is implied. Card
                                         // resources are in `cards`, not here
  Amount nonzero_cpu = 0;                // for scores: containers that ask nothing count 100m and 200Mi
  Amount nonzero_memory = 0;
  // What the pending pod itself counts in the score NodeResourcesFit, where that differs from nonzero_*: upstream does
  // not hand pod-level resources to that score.
  std::optional<Amount> fit_score_cpu;
  std::optional<Amount> fit_score_memory;
  bool best_effort = false;        // asks nothing at all
  std::vector<CardRequest> cards;  // ascending by resource name; a policy looks at the first
  // What it counts in its queues besides requests and cards; of a resource of its cards in place of what these come to.
  // Ascending.
  std::vector<ResourceAmount> counted;
  NameId node_name;                          // spec.nodeName of a pod that asks for one node by name, else none
  std::vector<NodeSelector> node_selectors;  // all must match: nodeSelector, required affinity. Topology spread with
                                             // nodeAffinityPolicy Honor looks at these too
  std::vector<NodeSelector> added_node_selectors;  // addedAffinity of the profile: must match, but spread ignores it
  std::vector<WeightedNodeTerm> preferred_nodes;
  std::vector<Toleration> tolerations;
  std::vector<HostPort> host_ports;
  std::vector<SpreadConstraint> spread;  // the pod's own, or the profile's defaults
  bool default_spread = false;           // `spread` came from the profile's system defaults
  std::vector<AffinityTerm> required_affinity;
  std::vector<AffinityTerm> required_anti_affinity;
  std::vector<WeightedAffinityTerm> preferred_affinity;
  std::vector<NameId> images;  // one per container and image volume, init containers too
  // One per bound or constrained volume; all must match. Claims of one kind share what they may take.
  std::vector<Shared<NodeSelector>> volume_selectors;
  Shared<VolumeChoices> volume_choices;
  std::vector<NameId> exclusive_claims;       // ReadWriteOncePod claims
  std::vector<ClaimUse> claims;               // in the pod's order; entries that need no claim are left out
  std::vector<ResourceId> claimed_resources;  // extended resources that its claims supply on whatever node
  std::vector<ResourceId> ignored_resources;  // of those it asks, what its profile leaves to an extender
  std::vector<NameId> needed_features;        // ascending; its node has to declare all of them
  // The cards that a policy looks at, or null.
  [[nodiscard]] const CardRequest* packed_cards() const {
    const auto found = std::ranges::find_if(cards, &CardRequest::packed);
    return found == cards.end() ? nullptr : &*found;
  }
  // In thousandths of a card for card resources; 0 for what it does not ask.
  [[nodiscard]] Amount asks(ResourceId resource) const;
  [[nodiscard]] bool ignores(ResourceId resource) const;
  auto operator<=>(const ShapeInput&) const = default;
};

// --- Events

struct ImageState {
  NameId image;
  std::int64_t size_bytes = 0;
  auto operator<=>(const ImageState&) const = default;
};

struct NodeInput {
  NameId name;
  Labels labels;
  std::vector<Taint> taints;
  bool unschedulable = false;
  std::optional<Taint> not_ready;  // what a Ready condition that is not True taints it with; none: it is Ready
  // What is on it stays.
  [[nodiscard]] bool takes_nobody() const { return unschedulable || not_ready.has_value(); }
  std::vector<ResourceAmount> allocatable;  // ascending; cards in thousandths (8 cards = 8000)
  struct CardGroup {
    ResourceId resource;
    ProductId product;
    std::int64_t memory_bytes = 0;      // per card, 0 unknown; of unequal ones the largest
    std::vector<std::int64_t> lacking;  // what each card has less than that; empty: nothing
    bool packed = true;                 // false: see CardRequest
    auto operator<=>(const CardGroup&) const = default;
  };
  std::vector<CardGroup> cards;  // one per card resource in `allocatable`; a resource without an entry has no cards
  // What it is worth where queues count something else than its pods take of it (ShapeInput::counted). Ascending.
  std::vector<ResourceAmount> counted;
  std::vector<ImageState> images;
  std::vector<NameId> declared_features;  // ascending; of those that a pod can need
  auto operator<=>(const NodeInput&) const = default;
};

// Why a pod is not even asked about. NotReady is counted apart from the thirteen reason classes.
enum class HoldCause : std::uint8_t {
  kNone,
  kSchedulingGate,
  kMissingVolumeClaim,
  kMissingStorageClass,
  kUnboundImmediateClaim,
  kLostVolumeClaim,
  kMissingResourceClaim,
  kMissingClaimTemplate,
  kUnknownProfile,
  kMissingWorkload,  // subject: the workload that it names
  kMissingGroup,     // subject: the group of its workload that it names
  kBadShare,         // subject: the annotation or resource that asks for a share of a card, and what it says
  kForeignClaim,     // subject: a claim that its status names and that was made for another pod
  kTooManyDevices,   // subject: how many its extended resources ask for, more than one claim can hold
};

struct Hold {
  HoldCause cause = HoldCause::kNone;
  NameId subject;  // the gate, claim or template
  auto operator<=>(const Hold&) const = default;
};

struct PodInput {
  NameId name;  // "namespace/name"
  ShapeInput shape;
  Time created = 0;
  std::optional<Time> started;
  NameId node;  // where it runs (bound, not finished), or none. Told before its node it holds nothing
  bool terminating = false;
  bool preempted = false;  // terminating because a scheduler evicted it for another pod
  Hold hold;
  NameId nominated_node;                         // a promise made earlier, or none
  std::optional<std::int64_t> runs_for_seconds;  // declared run time
  // The cards a running pod holds, where known; how much of each follows from its shape. Else assigned on entry.
  std::vector<CardAssignment> cards;
  std::vector<NameId> claims;  // parallel to shape.claims: "namespace/name", each pod's own is unique
  NameId owner;                // "Kind/namespace/name" of the controller, or none
  NameId workload;  // the workload it is a member of, which may be told later; none: a workload of its own, a bare pod
  NameId group;     // its group in the workload; none: the only leaf
  auto operator<=>(const PodInput&) const = default;
};

struct BudgetInput {  // PodDisruptionBudget
  NameId name;
  NamespaceId namespace_;
  Selector selector;
  std::int32_t disruptions_allowed = 0;
  std::vector<NameId> disrupted;  // ascending; pods whose eviction is counted already: they cost nothing
  auto operator<=>(const BudgetInput&) const = default;
};

struct NodeChanged {
  NodeInput node;
};  // added, or replaces the node of that name
struct NodeRemoved {
  NameId name;
};  // its pods are removed with it
struct PodChanged {
  PodInput pod;
};  // added, or replaces the pod of that name
struct PodRemoved {
  NameId name;
};  // deleted or finished
struct NamespaceChanged {
  NamespaceId namespace_;
  Labels labels;
};
struct BudgetChanged {
  BudgetInput budget;
};
struct BudgetRemoved {
  NameId name;
};
struct WorkloadChanged {
  WorkloadInput workload;
};  // added, or replaces the workload of that name
struct WorkloadRemoved {
  NameId name;
};  // its pods stay and wait for it
struct QueueChanged {
  QueueInput queue;
};  // added, or replaces the queue of that name
struct QueueRemoved {
  NameId name;
};
struct TopologyChanged {
  TopologyInput topology;
};  // added, or replaces the topology of that name
struct TopologyRemoved {
  NameId name;
};
struct SliceChanged {
  std::shared_ptr<const devices::SliceInput> slice;
};
struct SliceRemoved {
  NameId name;
};
struct ClaimChanged {
  std::shared_ptr<const devices::ClaimInput> claim;
};
struct ClaimRemoved {
  NameId name;
};

using Event = std::variant<NodeChanged, NodeRemoved, PodChanged, PodRemoved, NamespaceChanged, BudgetChanged,
                           BudgetRemoved, WorkloadChanged, WorkloadRemoved, QueueChanged, QueueRemoved, TopologyChanged,
                           TopologyRemoved, SliceChanged, SliceRemoved, ClaimChanged, ClaimRemoved>;

}  // namespace berth::engine
