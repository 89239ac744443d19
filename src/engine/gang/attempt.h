// Attempt: one core of one workload on its way into the world. The recursion behind JointPlacement.
//
// What is still to do is a stack of tasks. A task is taken off, each way to do it is tried with the tasks that follow
// from it on the stack, and it is put back if none leads to the end. So a later group that finds no place makes an
// earlier one move to another domain.
//
// Where rules among pods decide, the search with backtracking places pods as they come. Elsewhere it gives each group
// and slice a domain first and packs all pods last (attempt_packing.cc), so that its bounds speak of all of them
// together.
#pragma once

#include <deque>
#include <map>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "engine/gang/kinds.h"
#include "engine/gang/mixtures.h"
#include "engine/gang/placement.h"

namespace berth::engine {

class Attempt {
 public:
  Attempt(World& world, Search& search, DomainTrees& trees, Rooms& rooms, const Workload& workload, const Core& core,
          const PlacementOptions& options, std::vector<PlacedPod>& placed);

  // False if a counting bound excludes the core.
  [[nodiscard]] bool is_possible();
  // The best node for each pod, domains with backtracking. Steps count towards the limit.
  [[nodiscard]] bool run_greedy(std::size_t& steps);
  // Nodes with backtracking too.
  [[nodiscard]] bool run_exact(std::size_t& steps);
  // Would run_exact() find what run_greedy() did not?
  [[nodiscard]] bool greedy_is_exact() const;

 private:
  // A set of nodes that pods are confined to.
  struct Scope {
    bool everywhere = true;
    Bitmap ranks;
    std::vector<NodeId> nodes;  // ascending by rank
    std::size_t outer = 0;      // what it was narrowed from
  };
  using ScopeId = std::size_t;

  // So many of the pods of a demand, as the core's parts are called here.
  struct Load {
    std::uint32_t demand = 0;
    std::int32_t pods = 0;
  };
  struct Task {
    enum class Kind : std::uint8_t { kGroup, kContent, kPlain, kSlices, kPacked } kind = Kind::kPlain;
    std::uint32_t group = 0;
    std::uint32_t demand = 0;    // kPlain
    std::int32_t remaining = 0;  // pods
    ScopeId scope = 0;
    std::uint32_t first = 0;  // equal slices go to ascending domains
    bool pack = false;        // into few domains of the preferred level, which cannot hold all
    // kSlices: a leaf's pods, kPacked: those of all leaves that go together.
    std::vector<Load> loads;
    std::vector<SliceGap> gaps;  // kSlices: to be filled first
  };
  struct Candidate {
    const DomainTree* tree = nullptr;  // null: the scope as it is
    std::size_t level = 0;
    std::uint32_t domain = 0;
    bool pack = false;
  };
  // Kinds and their room per domain of a level.
  struct DomainRooms {
    Kinds kinds;
    std::vector<std::vector<std::int64_t>> rooms;  // by kind, by domain
    [[nodiscard]] bool each_fits(std::uint32_t domain) const;
  };
  // The heaviest pods that a node can take, for weights of kinds by which the whole has little room to spare.
  struct Weighed {
    std::vector<std::pair<SearchId, std::int64_t>> weights;
    std::vector<std::int64_t> most;  // by slot of the node
  };
  class Packing;
  class Mixing;

  bool run();
  // The agenda has pods and slices only: places them all, or excludes that. Nothing: slices need their domains first.
  std::optional<bool> pack();
  // The same node by node in the world, of pods alone, where there are too many mixtures to list them.
  bool pack_node_by_node();
  // Could all nodes hold the core as far as weights go (gang/mixtures.h)? Keeps the weights.
  bool weigh_core();
  bool expand(const Task& task);
  bool expand_group(const Task& task);
  bool expand_content(const Task& task);
  bool expand_pods_greedy(const Task& task);
  bool expand_pods_exact(const Task& task);
  bool expand_by_domain(const Task& task);
  bool expand_balanced(const Task& task);
  bool expand_gap(const Task& task);
  bool expand_slices_exact(const Task& task);
  // Takes `pods` of what is left of the task into the scope, from the load at `position` on: with backtracking in every
  // mixture, else as many of each load as there is room for. The others of the task follow.
  bool expand_mixture(const Task& rest, std::size_t position, std::int32_t pods, ScopeId inside,
                      std::vector<Load>& chosen);
  bool go_on(std::size_t agenda_size);

  void push_content(std::uint32_t group, ScopeId scope, std::vector<Task>& ruled, std::vector<Task>& pods);
  void push_loads(const std::vector<Load>& loads, std::uint32_t group, ScopeId scope);
  [[nodiscard]] const TopologyRule& rule(std::uint32_t group) const { return workload_.input.groups[group].topology; }
  [[nodiscard]] std::vector<SliceGap> gaps_of(std::uint32_t group);
  [[nodiscard]] std::vector<Candidate> candidates(std::uint32_t group, const Scope& scope);
  void add_level(std::uint32_t group, const DomainTree& tree, std::size_t level, const Scope& scope,
                 std::vector<Candidate>& out);
  [[nodiscard]] Kinds kinds_below(std::uint32_t group) const;
  [[nodiscard]] Kinds wanted_below(std::uint32_t group) const;
  [[nodiscard]] DomainRooms domain_rooms(Kinds kinds, const DomainTree& tree, std::size_t level);
  [[nodiscard]] bool could_hold_slices(std::uint32_t group, const DomainTree& tree, std::size_t level,
                                       std::uint32_t domain);
  // Pods of the task's loads that each domain surely takes, as far as amounts on nodes go: of several kinds as many as
  // of the one that fits least.
  [[nodiscard]] std::vector<std::int64_t> room_by_domain(const Task& task, const DomainTree& tree, std::size_t level);
  // Places up to `most` of the loads, as whole units unless it is all of them. Takes what it placed off the loads.
  std::int32_t fill(std::vector<Load>& loads, const Scope& scope, std::int32_t most, std::int32_t unit);
  // Could each scope from this one outwards hold all that is to go into it?
  [[nodiscard]] bool could_hold_agenda(ScopeId scope);
  [[nodiscard]] bool is_inside(ScopeId scope, ScopeId outer) const;
  void add_kinds(const Task& task, Kinds& kinds) const;

  ScopeId narrow(ScopeId outer, const DomainTree& tree, std::size_t level, std::uint32_t domain);
  [[nodiscard]] std::int64_t room_in(const Scope& scope, ShapeId shape);
  [[nodiscard]] std::int32_t demanded(std::uint32_t group) const;
  [[nodiscard]] bool runs_before(PodId pod) const;
  // Places the next pod of a demand.
  void put(std::uint32_t demand, const Choice& choice);
  void roll_back(const World::Mark& mark, std::size_t placed);
  [[nodiscard]] static bool keeps_promises(const World& world, const PlacementOptions& options) {
    return !options.unpromised && !world.promises().empty();
  }
  // What is asked about the next pod of a demand; valid until the next is asked.
  [[nodiscard]] Question ask(std::uint32_t demand);
  [[nodiscard]] Choice choose(std::uint32_t demand, const Scope& scope);

  World& world_;
  Search& search_;
  DomainTrees& trees_;
  Rooms& rooms_;
  const Workload& workload_;
  bool rules_among_pods_ = false;
  const Core merged_;  // where pods of one kind are as good as one another
  const Core& core_;
  const PlacementOptions& options_;
  std::vector<PlacedPod>& placed_;

  bool exact_ = false;
  std::vector<NodeId> closed_;  // to the pod asked about last
  std::vector<Task> agenda_;
  std::deque<Scope> scopes_;
  std::map<std::tuple<ScopeId, const DomainTree*, std::size_t, std::uint32_t>, ScopeId> narrowed_;
  std::vector<std::int32_t> used_;         // pods placed, by demand
  std::vector<std::uint32_t> placed_for_;  // the demand of each of placed_
  std::size_t* steps_ = nullptr;
  std::vector<Weighed> weighed_;
  std::map<std::vector<std::int64_t>, std::vector<Mixture>> mixtures_;  // by what a node has and who may go there
  bool unsure_ = false;                                                 // a packing was neither found nor excluded
};

}  // namespace berth::engine
