// Holdings: the devices of the cluster and the claims on them, as the world sees them. Who has which device, whether a
// pod's claims can be satisfied on a node, and what they get when the pod goes there.
//
// A claim is allocated when the first pod that uses it is placed, and free again when its last user has left; one that
// the API says is allocated stays so until the API says otherwise or its users are evicted. A node that offers the same
// cards through a device plugin too has one book for both: a card that a pod took by count holds the devices on it, and
// a device in a claim takes the card out of the count (card_pairing.h).
//
// Answers are kept per (claims, what they see of the node, what of it is in use), so that of nodes that look alike one
// is searched (sights.h), and of cards that look alike it matters which uses there are, not of which cards and seldom
// of how many (arrangement.h). In strict mode, where the order of cards decides, each card stays where it is. Devices
// that several nodes see (network-attached, or consuming counters in common) are looked up by each of them when it is
// asked next: changes are in a log.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>

#include "engine/config.h"
#include "engine/devices/allocator.h"
#include "engine/devices/arrangement.h"
#include "engine/devices/card_pairing.h"
#include "engine/devices/inventory.h"
#include "engine/devices/sights.h"
#include "engine/devices/usage.h"
#include "engine/devices/use_states.h"
#include "engine/devices/value.h"
#include "engine/ids.h"
#include "engine/input.h"
#include "engine/names.h"
#include "engine/world/content_hash.h"

namespace berth::engine::devices {

// One device in the allocation of a claim that is read from the API.
struct HeldDevice {
  NameId driver;
  NameId pool;
  NameId device;
  bool admin_access = false;
  bool shared = false;                    // has a shareID
  std::vector<CapacityRequest> consumed;  // of a shared device, ascending by name
  bool operator==(const HeldDevice&) const = default;
};

struct ClaimInput {
  NameId name;  // "namespace/name"
  ClaimSpecId spec;
  bool allocated = false;
  std::uint32_t reserved = 0;  // for so many who are none of the engine's pods
  std::vector<HeldDevice> devices;
  std::optional<NodeSelector> reach;  // where the allocation can be used; none: everywhere
  bool operator==(const ClaimInput&) const = default;
};

// What a claim has.
struct Grant {
  std::vector<DeviceAllocation> devices;
  std::vector<std::uint32_t> chosen;  // per request: the alternative; empty if read from the API
  std::optional<NodeSelector> reach;  // none: everywhere
  bool given = false;                 // read from the API
  bool operator==(const Grant&) const = default;
};

struct ReleasedGrant {
  NameId claim;
  Grant grant;
};

// A card that went into or out of a claim.
struct CardChange {
  NodeId node;
  ResourceId resource;
  std::uint16_t card = 0;
  bool taken = false;
};

// Why a pod's claims cannot be satisfied on a node.
enum class DeviceCause : std::uint8_t {
  kFits,
  kElsewhere,      // an allocated claim can only be used on other nodes
  kNoDevice,       // the node has no such devices, or too few, whatever is in use
  kBusy,           // it has them, but they are in use
  kSelectorError,  // as kNoDevice, and selectors failed on devices of the node
  kPool,           // the node's pools are incomplete or invalid
  kInvalidClaim,   // the claim cannot be satisfied anywhere: class missing, too many devices
  kUndecided,      // the search gave up before it found or excluded devices
};

// How many steps searches may do (allocator.h). They are dealt out evenly beforehand, so that what one node answers
// does not depend on which others were asked, or when.
struct StepLimits {
  std::uint64_t search = kDefaultStepLimit;  // one node, at most
  // The same claims on all nodes together, if each has other devices: in a large cluster every node gets its part.
  std::uint64_t question = 4 * kDefaultStepLimit;
  std::uint64_t least = 20'000;  // one node, however many there are
};

inline constexpr std::uint32_t kMaxUsers = 256;  // status.reservedFor has room for so many

class Holdings {
 public:
  // Both are borrowed.
  Holdings(const Config& config, const Names& names);
  ~Holdings();
  Holdings(const Holdings&) = delete;
  Holdings& operator=(const Holdings&) = delete;

  // --- Events. The world logs the nodes that they touch.
  Touched set_slice(const SliceInput& slice);
  Touched remove_slice(NameId name);
  Touched set_claim(const ClaimInput& claim);
  Touched remove_claim(NameId name);
  // Pods name this claim, so that where it is allocated matters to them on every node.
  void watch(NameId claim) { claims_[claim].watched = true; }
  // The node is new, another one, or has other devices than before. Cards that claims have are in `card_changes()`;
  // cards that pods have by count are told again. True if other nodes may depend on it.
  bool reset_node(NodeId node, const NodeInput& input);
  // Its cards are no devices any more, until reset_node(). For nodes that change together: a device may be on another
  // of them now.
  void unlink(NodeId node);

  // --- Placements.
  // The pod comes to the node: its claims get what they still need, or what they had where `restored` says so. Without
  // `allocate` nothing is allocated. True if other nodes may depend on what changed.
  // `granted` gets the claims that have something only since now.
  bool enter(std::span<const ClaimUse> uses, std::span<const NameId> claims, NodeId node, const NodeInput& input,
             bool allocate, std::span<const ReleasedGrant> restored, std::vector<NameId>& granted);
  enum class Leaving : std::uint8_t {
    kKeep,     // it comes back at once: claims keep what they have; settle() follows
    kRelease,  // claims without users lose what they have
    kUndo,     // as kRelease, but what the API says is allocated stays, unless it is among `granted`
  };
  bool leave(std::span<const NameId> claims, Leaving leaving, std::span<const NameId> granted,
             std::vector<ReleasedGrant>& released);
  // Takes a claim's devices away although the API says that it has them, and gives them back. True if other nodes may
  // depend on it.
  bool give_up(NameId claim, ReleasedGrant& released);
  bool restore(const ReleasedGrant& released);
  // Releases those of the claims that have no users, unless the API says that they are allocated.
  bool settle(std::span<const NameId> claims);
  // Takes devices away for nobody (sign 1) and gives them back (-1). True if other nodes may depend on it.
  bool reserve(const Grant& grant, int sign);
  // A card went to a pod by count (or came back).
  void count_card(NodeId node, ResourceId resource, std::uint16_t card, bool taken);
  // Cards that went into or out of claims since last asked.
  [[nodiscard]] std::vector<CardChange> card_changes();

  // --- Looking. `emptied`: as if nothing were in use.
  [[nodiscard]] bool fits(std::span<const ClaimUse> uses, NodeId node, const NodeInput& input, bool emptied) const;
  [[nodiscard]] DeviceCause cause(std::span<const ClaimUse> uses, NodeId node, const NodeInput& input,
                                  bool emptied) const;
  // What the claims that are still open get here, as scores see it; they must fit.
  [[nodiscard]] AllocationValue value(std::span<const ClaimUse> uses, NodeId node, const NodeInput& input) const;
  // What a pod with such claims would get here, where they have nothing yet; nothing if they do not fit.
  [[nodiscard]] std::vector<Grant> preview(std::span<const ClaimUse> uses, NodeId node, const NodeInput& input) const;
  [[nodiscard]] const NodeDevices& on(NodeId node, const NodeInput& input) const;
  // What the node offers of the resource by count, and the devices there.
  [[nodiscard]] CardPairing paired_cards(const NodeDevices& devices, const NodeInput& input, ResourceId resource) const;
  [[nodiscard]] const Grant* grant(NameId claim) const;  // null: not allocated
  // Units that the node offers by count, of cards that claims have.
  [[nodiscard]] std::vector<std::uint16_t> cards_in_claims(NodeId node, ResourceId resource) const;
  [[nodiscard]] const Inventory& inventory() const { return inventory_; }
  [[nodiscard]] const Usage& usage() const { return usage_; }
  [[nodiscard]] const SelectorAnswers& selectors() const;
  [[nodiscard]] bool any_devices() const { return inventory_.device_count() > 0; }
  // The claims that have one of the devices, by name; a list per device. O(claims).
  [[nodiscard]] std::vector<std::vector<NameId>> holders(std::span<const DeviceId> devices) const;
  // Allocated, used by nobody, and reserved for nobody else.
  [[nodiscard]] bool is_unused(NameId claim) const;
  // Claims with devices that more than one node reaches, by name. O(claims).
  [[nodiscard]] std::vector<NameId> far_reaching() const;
  // Units that the node offers by count, of cards that this claim has devices of.
  [[nodiscard]] std::int64_t cards_of(NameId claim, NodeId node, ResourceId resource) const;
  // Is the device on a card that the node's device plugin counts, too?
  [[nodiscard]] bool counted_by_plugin(DeviceId device) const {
    return device.index() < links_.size() && !links_[device.index()].node.is_none();
  }
  // Questions that were searched so far; all others were answered from memory.
  [[nodiscard]] std::uint64_t searches() const { return searches_; }
  [[nodiscard]] std::uint64_t steps() const { return steps_; }  // of all these
  void limit_steps(const StepLimits& limits);
  // Is the card of the node that this device is on taken by count?
  [[nodiscard]] bool taken_by_count(DeviceId device) const;
  // Is it counted in this resource?
  [[nodiscard]] bool counted_in(DeviceId device, ResourceId resource) const;

 private:
  using LayoutId = Id<struct LayoutTag>;
  using Key = std::vector<std::uint32_t>;

  struct State {
    ClaimSpecId spec;
    bool told = false;     // the API has it
    bool watched = false;  // see watch()
    std::uint32_t reserved = 0;
    std::optional<Grant> grant;
    std::uint32_t users = 0;
    [[nodiscard]] bool full() const { return users + reserved >= kMaxUsers; }
  };
  struct View {
    bool gathered = false;
    NodeDevices devices;
    LayoutId layout;  // how it is built, kinds left out
    NodeLook look;
    std::vector<std::uint32_t> use;    // states of its components; empty: not known
    std::vector<std::uint32_t> stale;  // components whose states are not known any more
    // Devices that other nodes see, too, ascending: each with its component, or with none if it is elsewhere.
    std::vector<std::pair<DeviceId, std::uint32_t>> far;
    std::uint64_t seen_changes = 0;        // of such devices
    std::vector<std::uint32_t> elsewhere;  // by pool: what devices elsewhere take; strict mode, empty: nothing
    struct Seen {
      std::vector<ClaimSpecId> by;
      SightId sight;
    };
    std::vector<Seen> seen;  // who asked last, the latest at the end
  };
  // The devices on one card that a device plugin counts, too.
  struct Card {
    struct Unit {
      ResourceId resource;
      std::uint16_t number = 0;
    };
    std::vector<Unit> units;  // the card itself, or its replicas and partitions
    std::vector<DeviceId> devices;
    std::uint32_t counted = 0;  // pods that have it by count
    std::uint32_t claimed = 0;  // devices on it that claims have
  };
  struct Link {
    NodeId node;
    std::uint32_t card = 0;  // in cards_[node]
  };

  // Where a device is in the view of the only node that sees it.
  struct Spot {
    NodeId node;
    std::uint32_t component = 0;
  };

  void find_far(View& view, NodeId node) const;
  void follow_far(View& view) const;
  View& view(NodeId node, const NodeInput& input) const;
  [[nodiscard]] LayoutId layout_of(const NodeDevices& devices) const;
  [[nodiscard]] SightId sight_of(std::span<const ClaimSpecId> specs, View& view) const;
  void link(NodeId node, const NodeInput& input);
  void note_change(NodeId node, const Card& card);
  void hold(const DeviceAllocation& device, int sign);
  void touch(DeviceId device);
  void apply_grant(const Grant& grant, int sign);
  // One per claim; none if they do not fit.
  [[nodiscard]] std::vector<Grant> grants(std::span<const ClaimSpecId> specs, NodeId node,
                                          const NodeInput& input) const;
  [[nodiscard]] bool is_full(NameId claim) const;
  [[nodiscard]] bool any_granted(std::span<const ClaimUse> uses) const;
  // The one node on which the grant can be used, or none.
  [[nodiscard]] static NameId only_node(const Grant& grant);
  // Do other nodes than the pod's own depend on whether the claim has this?
  [[nodiscard]] static bool matters_elsewhere(const State& state, const Grant& grant) {
    return state.watched || (only_node(grant).is_none() && !grant.devices.empty());
  }
  [[nodiscard]] static Touched touched_by(const State& state, const Grant& grant);
  [[nodiscard]] bool is_reachable(const Grant& grant, const NodeInput& input) const;
  // By place on the node as it is arranged; see arrangement_.
  [[nodiscard]] const Answer& answer(std::span<const ClaimSpecId> specs, NodeId node, const NodeInput& input,
                                     bool emptied) const;
  void catch_up(View& view) const;
  [[nodiscard]] Answer search(std::span<const ClaimSpecId> specs, const NodeDevices& node, bool emptied) const;
  [[nodiscard]] std::uint64_t limit_of_one_search() const;
  bool follow_limit();
  [[nodiscard]] std::vector<const Claim*> contents(std::span<const ClaimSpecId> specs) const;
  [[nodiscard]] Question question(std::span<const Claim* const> claims, const NodeDevices& node, bool emptied) const;
  [[nodiscard]] std::vector<ClaimSpecId> open_specs(std::span<const ClaimUse> uses, const NodeInput& input,
                                                    bool emptied) const;

  const Config& config_;
  const Names& names_;
  mutable Inventory inventory_;
  Usage usage_;
  Usage empty_;
  boost::unordered_flat_map<NameId, State> claims_;
  mutable std::vector<std::unique_ptr<View>> views_;  // by NodeId
  std::vector<std::vector<Card>> cards_;              // by NodeId
  std::vector<Link> links_;                           // by DeviceId
  std::vector<CardChange> card_changes_;
  mutable boost::unordered_flat_map<Key, LayoutId, ContentHasher> layouts_;
  mutable Sights sights_;
  mutable UseStates states_;
  mutable Arrangement arrangement_;  // of the node asked about last
  mutable boost::unordered_flat_map<Key, Answer, ContentHasher> memo_;
  mutable KnownFullness fullness_;
  mutable Key key_;
  mutable std::vector<std::uint32_t> places_;
  mutable std::vector<Spot> spots_;  // by DeviceId
  mutable std::vector<bool> far_;    // by DeviceId: views have it among theirs
  std::vector<DeviceId> changes_;    // of such devices, the latest
  std::uint64_t older_changes_ = 0;  // so many are forgotten
  mutable std::uint64_t searches_ = 0;
  mutable std::uint64_t steps_ = 0;
  StepLimits limits_;
  std::uint64_t limit_ = kDefaultStepLimit;  // of one search, as things stand
  mutable bool dear_ = false;                // some answer in memory might be another one with another limit
  std::vector<bool> present_;                // by NodeId
  std::size_t nodes_ = 0;                    // that are present
};

}  // namespace berth::engine::devices
