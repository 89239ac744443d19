// Attempt: one core of one workload on its way into the world. The recursion behind JointPlacement.
//
// What is still to do is a stack of tasks. A task is taken off, each way to do it is tried with the tasks that follow
// from it on the stack, and it is put back if none leads to the end. So a later group that finds no place makes an
// earlier one move to another domain.
#pragma once

#include <deque>
#include <map>
#include <vector>

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
  };
  using ScopeId = std::size_t;

  struct Task {
    enum class Kind : std::uint8_t { kGroup, kContent, kPlain, kSlices, kPacked } kind = Kind::kPlain;
    std::uint32_t group = 0;
    std::uint32_t demand = 0;
    std::int32_t remaining = 0;
    ScopeId scope = 0;
    std::uint32_t first = 0;  // equal slices go to ascending domains, equal pods to ascending ranks (1 + rank)
    bool pack = false;        // into few domains of the preferred level, which cannot hold all
  };
  struct Candidate {
    const DomainTree* tree = nullptr;  // null: the scope as it is
    std::size_t level = 0;
    std::uint32_t domain = 0;
    bool pack = false;
  };

  // A slice that lacks members.
  struct Gap {
    std::uint32_t domain = 0;  // of the slice level
    std::int32_t missing = 0;
  };

  bool run();
  bool expand(const Task& task);
  bool expand_group(const Task& task);
  bool expand_content(const Task& task);
  bool expand_pods_greedy(const Task& task);
  bool expand_by_domain(const Task& task);
  bool expand_balanced(const Task& task);
  bool expand_pods_exact(const Task& task);
  bool expand_slices_exact(const Task& task);
  bool go_on(std::size_t agenda_size);

  void push_content(std::uint32_t group, ScopeId scope, std::vector<Task>& ruled, std::vector<Task>& pods);
  [[nodiscard]] const TopologyRule& rule(std::uint32_t group) const { return workload_.input.groups[group].topology; }
  [[nodiscard]] std::vector<Gap> gaps_of(std::uint32_t group);
  [[nodiscard]] std::vector<Candidate> candidates(std::uint32_t group, const Scope& scope);
  void add_level(std::uint32_t group, const DomainTree& tree, std::size_t level, const Scope& scope,
                 std::vector<Candidate>& out);
  [[nodiscard]] std::map<ShapeId, std::int64_t> wanted_below(std::uint32_t group) const;
  [[nodiscard]] bool could_hold(std::uint32_t group, const DomainTree& tree, std::size_t level, std::uint32_t domain);
  // Slices that fit into the domain of `level`.
  [[nodiscard]] std::int64_t slices_in(ShapeId shape, std::int32_t size, const DomainTree& tree,
                                       std::size_t slice_level, std::size_t level, std::uint32_t domain);
  ScopeId narrow(const Scope& outer, const DomainTree::Domain& domain);
  [[nodiscard]] std::int64_t room_in(const Scope& scope, ShapeId shape);
  [[nodiscard]] std::int32_t demanded(std::uint32_t group) const;
  [[nodiscard]] bool runs_before(PodId pod) const;
  // Places the next pod of a demand.
  void put(std::uint32_t demand, const Choice& choice);
  void roll_back(const World::Mark& mark, std::size_t placed);
  [[nodiscard]] bool keeps_promises() const { return !options_.unpromised && !world_.promises().empty(); }
  // What is asked about the next pod of a demand; valid until the next is asked.
  [[nodiscard]] Question ask(std::uint32_t demand);
  [[nodiscard]] Choice choose(std::uint32_t demand, const Scope& scope);
  void sign_nodes();
  [[nodiscard]] bool are_equal(NodeId a, NodeId b) const;

  World& world_;
  Search& search_;
  DomainTrees& trees_;
  Rooms& rooms_;
  const Workload& workload_;
  const Core& core_;
  const PlacementOptions& options_;
  std::vector<PlacedPod>& placed_;

  bool exact_ = false;
  bool rules_among_pods_ = false;
  std::vector<NodeId> closed_;  // to the pod asked about last
  std::vector<Task> agenda_;
  std::deque<Scope> scopes_;
  std::vector<std::int32_t> used_;         // pods placed, by demand
  std::vector<std::uint32_t> placed_for_;  // the demand of each of placed_
  std::vector<std::uint32_t> signature_;   // by node slot: equal numbers, equal static answers
  std::size_t* steps_ = nullptr;
};

}  // namespace berth::engine
