// World: the cluster as arrays. Nodes with what is free on them, pods with where they run, shapes, namespaces, budgets,
// and an undo log.
//
// Nodes are also numbered by *rank*: ascending in the tie order drawn from the seed (base/tie_order.h). Of nodes with
// equal scores the lowest rank wins, so bitmaps over ranks answer "the best node" directly. Ranks change only when the
// set of nodes does; then layout() moves on and everything derived from it is made again.
//
// Every change to a node is appended to a log of node ids. An index keeps its position in the log and catches up when
// it is asked. A rollback is made of ordinary changes, so nothing has to be patched behind an index's back. A second
// log has what may help pods that did not fit: where room was given back. What a rollback takes back is not in it.
//
// Free amounts may be negative: what runs is a fact, even where it is too much.
//
// The world is the face of its parts: change_log.h, shape_table.h, image_table.h, and what belongs to other folders.
// Its own functions are in four files: world.cc (pods and placements), world_nodes.cc, world_claims.cc,
// world_members.cc.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>

#include "engine/config.h"
#include "engine/gang/workloads.h"
#include "engine/ids.h"
#include "engine/input.h"
#include "engine/names.h"
#include "engine/world/age.h"
#include "engine/world/budget_table.h"
#include "engine/world/cards.h"
#include "engine/world/change_log.h"
#include "engine/world/image_table.h"
#include "engine/world/node_amounts.h"
#include "engine/world/shape.h"
#include "engine/world/shape_table.h"

namespace berth::engine {

struct HeldRoom;
class Topology;
namespace devices {
class Holdings;
struct ClaimInput;
struct ReleasedGrant;
struct SliceInput;
struct Touched;
}  // namespace devices

enum class PodState : std::uint8_t {
  kFree,     // the slot holds no pod
  kPending,  // wants a node
  kHeld,     // wants a node, but is held by a gate or a missing object
  kPlaced,   // on a node
  kEvicted,  // this engine took it off its node; it waits to be removed or changed
  kAbroad,   // bound to a node that is not known: takes no room here and wants none. Tell of the node first
};

struct Pod {
  NameId name;
  ShapeId shape;
  NodeId node;
  std::uint32_t place_on_node = 0;  // position in Node::pods
  PodState state = PodState::kFree;
  bool terminating = false;
  bool preempted = false;
  Time created = 0;
  std::optional<Time> started;
  Hold hold;
  NameId nominated_node;
  std::uint64_t tie = 0;
  WorkloadId workload;             // none: a bare pod
  std::uint32_t group = kNoGroup;  // its leaf in the workload
  NameId group_name;
  std::optional<std::int64_t> runs_for_seconds;
  std::vector<CardAssignment> cards;
  std::vector<NameId> claims;  // parallel to the shape's claims
};

struct PortUse {
  HostPort port;
  std::uint32_t pods = 0;
};

struct Node {
  // What a search reads of every node comes first, so that it shares a cache line.
  Amount nonzero_cpu = 0;  // what its pods count for scores
  Amount nonzero_memory = 0;
  std::uint32_t rank = 0;
  bool alive = false;
  std::uint64_t tie = 0;
  NodeInput input;
  std::vector<PodId> pods;  // in no order that a decision may depend on
  std::vector<CardGroup> cards;
  std::vector<PortUse> ports;
  std::array<std::uint16_t, kPodKindCount> pods_by_kind{};
};

class World {
 public:
  World(const Config& config, const Names& names);
  ~World();
  World(const World&) = delete;
  World& operator=(const World&) = delete;

  // --- Events. Unknown names in removals are ignored. Nothing of this is undone by rollback(). A node that was known
  // costs O(pods on it + counters); one that comes or goes costs refresh() O(nodes log nodes + counters * nodes).
  void set_node(const NodeInput& input);
  void remove_node(NameId name);
  PodId set_pod(const PodInput& input);
  void remove_pod(NameId name);
  void set_namespace(NamespaceId id, const Labels& labels);
  void set_budget(const BudgetInput& input);
  void remove_budget(NameId name);
  void set_workload(const WorkloadInput& input);
  void remove_workload(NameId name);
  void set_queue(const QueueInput& input);
  void remove_queue(NameId name);
  void set_topology(const TopologyInput& input);
  void remove_topology(NameId name);
  void set_slice(const devices::SliceInput& input);
  void remove_slice(NameId name);
  // Slices that come one behind the other: until it is called with false, nodes that they touch are only noted, and
  // then each is set anew once. Nothing else may be told or asked in between.
  void gather_slices(bool more);
  void set_claim(const devices::ClaimInput& input);
  void remove_claim(NameId name);

  // --- Transactions.
  struct Mark {
    std::size_t undo = 0;
    std::uint64_t loosened = 0;
    std::uint64_t ledger_loosened = 0;
  };
  [[nodiscard]] Mark mark() const { return {undo_.size(), log_.loosened(), workloads_.ledger().loosened()}; }
  void rollback(Mark mark);
  void commit() { undo_.clear(); }

  // Puts a pod on a node; `wanted_card` as in CardGroup::choose. What does not fit is placed all the same.
  void place(PodId pod, NodeId node, std::int32_t wanted_card = -1);
  void unplace(PodId pod, PodState next);
  // Puts back a pod that was taken off a node in this transaction, on the cards that it had.
  void put_back(PodId pod, NodeId node, const std::vector<CardAssignment>& cards);

  // The pod has no promise any more. Not undone by rollback().
  void withdraw_promise(PodId pod) { end_promise(pod); }

  // Takes the devices of an allocated claim away, which nobody may use.
  void give_up(NameId claim);

  // Takes room away without a pod (sign 1) and gives it back (-1). Not undone by rollback(): holds come and go between
  // transactions.
  void hold(const HeldRoom& room, int sign);
  // The shape of a pod to come like this one: where this one alone has the devices of a claim, that one wants devices
  // of its own. As long as the next sweep().
  ShapeId shape_like(PodId model);
  // Something outside the world changed so that what did not fit on the node may fit.
  void loosen_node(NodeId node) { log_.loosen(node); }

  // --- Looking.
  [[nodiscard]] const Names& names() const { return names_; }
  [[nodiscard]] const Config& config() const { return config_; }
  [[nodiscard]] std::size_t node_slots() const { return nodes_.size(); }
  [[nodiscard]] std::size_t node_count() const { return alive_nodes_; }
  [[nodiscard]] std::size_t pod_slots() const { return pods_.size(); }
  [[nodiscard]] const Node& node(NodeId id) const { return nodes_[id.index()]; }
  [[nodiscard]] const Pod& pod(PodId id) const { return pods_[id.index()]; }
  [[nodiscard]] const Shape& shape(ShapeId id) const { return shapes_[id]; }
  [[nodiscard]] const Shape& shape_of(PodId id) const { return shapes_[pods_[id.index()].shape]; }
  [[nodiscard]] const ShapeTable& shapes() const { return shapes_; }
  [[nodiscard]] NodeId find_node(NameId name) const;
  [[nodiscard]] PodId find_pod(NameId name) const;
  [[nodiscard]] const std::vector<BudgetInput>& budgets() const { return budgets_.all(); }
  // Places in budgets(): those that protect the pod.
  [[nodiscard]] const std::vector<std::uint32_t>& budgets_of(PodId id) const {
    return budgets_.protecting(pods_[id.index()].shape, shape_of(id).input);
  }
  // The labels of a namespace, or null if no such object was seen.
  [[nodiscard]] const Labels* namespace_labels(NamespaceId id) const;

  [[nodiscard]] Amount free(NodeId node, ResourceId resource) const { return free_.at(node, resource); }
  [[nodiscard]] Amount allocatable(NodeId node, ResourceId resource) const { return allocatable_.at(node, resource); }
  // Of which more runs on the node than it has; the first, pods aside, or none.
  [[nodiscard]] ResourceId overcommitted(NodeId node) const;
  [[nodiscard]] static Amount charged(const CardRequest& request, const std::vector<CardAssignment>& cards);
  [[nodiscard]] Amount requested(NodeId node, ResourceId resource) const {
    return allocatable(node, resource) - free(node, resource);
  }
  // The pods that were promised a node, by the node's name. Only those that are kPending count.
  using Promises = boost::unordered_flat_map<NameId, std::vector<PodId>>;
  [[nodiscard]] const Promises& promises() const { return promises_; }

  [[nodiscard]] const CardGroup* card_group(NodeId node, ResourceId resource) const;
  // Does a pod of this shape get the resource on this node through its claims, and not by count?
  [[nodiscard]] bool claims_supply(const ShapeInput& shape, NodeId node, ResourceId resource) const;
  [[nodiscard]] std::uint32_t pods_with_claim(NameId claim) const;
  [[nodiscard]] const ImageTable& images() const { return images_; }

  // Frees shapes that no pod has, see ShapeTable::wants_sweep().
  [[nodiscard]] ShapeTable::Swept sweep();

  // Ranks are valid after refresh(); layout() tells whether they are the same as before.
  void refresh();
  [[nodiscard]] std::uint64_t layout() const { return layout_; }
  [[nodiscard]] std::size_t rank_count() const { return by_rank_.size(); }
  [[nodiscard]] NodeId at_rank(std::size_t rank) const { return by_rank_[rank]; }
  [[nodiscard]] const std::vector<NodeId>& by_rank() const { return by_rank_; }

  // Every change of a node, and where room came back. What rules among pods may have seen is not in it: see
  // Topology::news().
  [[nodiscard]] const ChangeLog& log() const { return log_; }
  // Moves on when a queue, topology or budget changed.
  [[nodiscard]] std::uint64_t rule_changes() const { return rule_changes_; }
  // Moves on when the labels of a known node changed.
  [[nodiscard]] std::uint64_t label_changes() const { return label_changes_; }

  // Is any pod with a priority below this one placed? If not, preemption has no victims.
  [[nodiscard]] bool has_lower_priority(std::int32_t priority) const {
    return !placed_by_priority_.empty() && placed_by_priority_.begin()->first < priority;
  }

  [[nodiscard]] Topology& topology() const { return *topology_; }
  [[nodiscard]] const Workloads& workloads() const { return workloads_; }
  [[nodiscard]] std::vector<WorkloadId> take_changed_workloads() { return workloads_.take_changed(); }
  void touch_workload(WorkloadId id) { workloads_.touch(id); }
  // The workload's members that want a node, per leaf, in the order in which they are placed: higher priority, older,
  // tie order.
  [[nodiscard]] std::vector<PodId> wanting(const Group& leaf) const;
  [[nodiscard]] PodTurn turn_of(PodId id) const;
  [[nodiscard]] bool before(PodId a, PodId b) const { return runs_first(turn_of(a), turn_of(b), names_); }
  // None: no such topology was told.
  [[nodiscard]] const TopologyInput* topology_levels(NameId name) const;
  [[nodiscard]] const devices::Holdings& holdings() const { return *holdings_; }

 private:
  struct Undo {
    PodId pod;    // none: a claim gave up its devices, which `grants` has
    NodeId node;  // where it was; none if it was on none
    PodState state = PodState::kFree;
    std::vector<CardAssignment> cards;
    std::shared_ptr<std::vector<devices::ReleasedGrant>> grants;  // what its claims lost when it left; null: nothing
    std::shared_ptr<std::vector<NameId>> granted;                 // what they got when it came; null: nothing
  };

  void add_node(const NodeInput& input);
  void replace_node(NodeId id, const NodeInput& input);
  void count_hardware(NodeId id, int sign);
  void count_used_hardware(const Shape& shape, int sign);
  [[nodiscard]] bool is_no_hardware(NodeId id) const;
  void reset_node(NodeId id, const NodeInput& input);
  [[nodiscard]] bool holds_cards_of(PodId pod, NodeId node) const;
  void fill_in_shares(const Shape& shape, NodeId node, std::vector<CardAssignment>& cards) const;
  void charge_again(NodeId id, std::vector<PodId> pods);
  ShapeId intern_shape(const ShapeInput& input);
  void charge(PodId pod, NodeId node, int sign);
  void promise(PodId pod, NameId node);
  void end_promise(PodId pod);
  void charge_queues(const Pod& pod, int sign);
  void charge_bare_pods(int sign);
  void join_workload(PodId pod, NameId workload, NameId group);
  void join_again(WorkloadId id, const std::vector<PodId>& members);
  void leave_workload(PodId pod);
  // How a pod comes and goes, for its claims.
  enum class Entry : std::uint8_t {
    kAllocate,  // decided here
    kAsTold,    // an event says so: the claims have what other events say
    kUndo,      // as it was before
  };
  enum class Exit : std::uint8_t {
    kLeave,   // decided or told
    kReturn,  // it is put again at once
    kUndo,
  };
  void put(PodId pod, NodeId node, std::vector<CardAssignment> cards, Entry entry,
           const std::vector<devices::ReleasedGrant>& grants);
  void put_claims(PodId pod, NodeId node, Entry entry, const std::vector<devices::ReleasedGrant>& grants);
  void take_claims(PodId pod, Exit exit, std::vector<devices::ReleasedGrant>& grants);
  void follow_devices(const devices::Touched& touched);
  void slices_changed(const devices::Touched& touched);
  void reset_devices(NodeId node);
  void look_everywhere();
  void follow_grant(const devices::ReleasedGrant& grant, bool everywhere);
  void note_granted();
  void apply_card_changes();
  void take(PodId pod, Exit exit, std::vector<devices::ReleasedGrant>& grants);
  [[nodiscard]] std::vector<CardAssignment> choose_cards(PodId pod, NodeId node, std::int32_t wanted_card) const;

  const Config& config_;
  const Names& names_;
  std::vector<Node> nodes_;
  std::vector<NodeId> free_nodes_;
  std::size_t alive_nodes_ = 0;
  boost::unordered_flat_map<NameId, NodeId> node_ids_;
  NodeAmounts free_;
  NodeAmounts allocatable_;

  std::vector<Pod> pods_;
  std::vector<PodId> free_pods_;
  boost::unordered_flat_map<NameId, PodId> pod_ids_;
  Promises promises_;

  ShapeTable shapes_;
  boost::unordered_flat_map<NamespaceId, Labels> namespaces_;
  BudgetTable budgets_;
  boost::unordered_flat_map<NameId, std::uint32_t> claims_;  // ReadWriteOncePod: pods on nodes that have them
  std::vector<NameId> granted_;  // claims, by the put() under way or taken back by the take() under way
  ImageTable images_;

  std::map<std::int32_t, std::uint32_t> placed_by_priority_;
  std::vector<NodeId> by_rank_;
  bool ranks_stale_ = false;
  std::uint64_t layout_ = 0;
  ChangeLog log_;
  std::vector<Undo> undo_;
  std::uint64_t rule_changes_ = 0;
  std::uint64_t label_changes_ = 0;
  std::unique_ptr<Topology> topology_;
  Workloads workloads_;
  boost::unordered_flat_map<NameId, TopologyInput> topologies_;
  std::unique_ptr<devices::Holdings> holdings_;
  bool gathers_slices_ = false;
  bool every_node_touched_ = false;  // by the slices that are being gathered; else these:
  std::vector<NodeId> touched_nodes_;
};

}  // namespace berth::engine
