#include "engine/gang/attempt.h"

#include <algorithm>

#include "engine/cycle/promises.h"
#include "engine/fit/filters.h"

namespace berth::engine {

namespace {

// Do placements elsewhere, or anything but amounts, decide where a second pod of the shape may go?
bool has_rules_among_pods(const World& world, ShapeId id) {
  const ShapeInput& shape = world.shape(id).input;
  // Devices that claims take are no amounts of a node either.
  return world.topology().plan(id).has_hard_rules() || !shape.exclusive_claims.empty() || !shape.claims.empty();
}

bool has_rules_among_pods(const World& world, const Core& core) {
  return std::ranges::any_of(core, [&](const CorePart& part) { return has_rules_among_pods(world, part.shape); });
}

// Parts of one leaf and one kind as one, if there are any.
Core merge(const World& world, const Core& core) {
  Core result;
  for (const CorePart& part : core) {
    const SearchId search = world.shape(part.shape).search;
    const auto same = std::ranges::find_if(result, [&](const CorePart& other) {
      return other.group == part.group && world.shape(other.shape).search == search;
    });
    if (same == result.end()) {
      result.push_back(part);
    } else {
      same->pods.insert(same->pods.end(), part.pods.begin(), part.pods.end());
    }
  }
  for (CorePart& part : result)
    std::ranges::stable_sort(part.pods, [&](PodId a, PodId b) { return world.before(a, b); });
  return result;
}

}  // namespace

Attempt::Attempt(World& world, Search& search, DomainTrees& trees, Rooms& rooms, const Workload& workload,
                 const Core& core, const PlacementOptions& options, std::vector<PlacedPod>& placed)
    : world_(world),
      search_(search),
      trees_(trees),
      rooms_(rooms),
      workload_(workload),
      // Like rules among pods, promises make nodes differ by more than amounts.
      rules_among_pods_(keeps_promises(world, options) || has_rules_among_pods(world, core)),
      merged_(core.size() > 1 && !rules_among_pods_ ? merge(world, core) : Core()),
      core_(merged_.empty() ? core : merged_),
      options_(options),
      placed_(placed),
      used_(core_.size(), 0) {
  scopes_.push_back({.everywhere = options.within == nullptr});
  if (options.within == nullptr) {
    scopes_.front().nodes = world.by_rank();
  } else {
    scopes_.front().ranks = *options.within;
    for (const NodeId node : world.by_rank()) {
      if (options.within->test(world.node(node).rank)) scopes_.front().nodes.push_back(node);
    }
  }
}

bool Attempt::greedy_is_exact() const { return core_.size() <= 1 && !rules_among_pods_; }

bool Attempt::is_possible() {
  Kinds needed;
  for (const CorePart& demand : core_)
    add_pods(world_, needed, demand.shape, static_cast<std::int64_t>(demand.pods.size()));
  const bool each =
      std::ranges::all_of(needed, [&](const Kind& kind) { return rooms_.of(kind.example).total() >= kind.pods; });
  return each && (needed.size() <= 1 || sums_suffice(world_, rooms_, needed, scopes_.front().nodes));
}

bool Attempt::run_greedy(std::size_t& steps) {
  exact_ = false;
  steps_ = &steps;
  agenda_.assign(1, Task{.kind = Task::Kind::kGroup});
  return run();
}

bool Attempt::run_exact(std::size_t& steps) {
  // Where rules decide, the recursion is as deep as there are pods.
  constexpr std::int32_t kMostPods = 1000;
  if (rules_among_pods_ && demanded(0) > kMostPods) {
    steps = options_.step_limit;
    return false;
  }
  exact_ = true;
  steps_ = &steps;
  unsure_ = false;
  if (!rules_among_pods_ && !weigh_core()) return false;
  agenda_.assign(1, Task{.kind = Task::Kind::kGroup});
  if (run()) return true;
  if (unsure_) steps = options_.step_limit;
  return false;
}

// Does what is on the agenda, or leaves world and agenda as they were.
bool Attempt::run() {
  if (agenda_.empty()) return true;
  if (*steps_ >= options_.step_limit) return false;
  ++*steps_;
  // Where rules among pods decide, the order of the pods may.
  const bool any_order = exact_ && rules_among_pods_;
  // Where they do not, domains come first.
  const bool pods_last = exact_ && !rules_among_pods_;
  std::size_t top = agenda_.size() - 1;
  if (pods_last) {
    const auto is_plain = [](const Task& task) { return task.kind == Task::Kind::kPlain; };
    if (std::ranges::all_of(agenda_, [&](const Task& task) {
          return is_plain(task) || (task.kind == Task::Kind::kSlices && task.gaps.empty());
        })) {
      if (const std::optional<bool> packed = pack()) return *packed;
    }
    // Of these first those that lead to a domain.
    auto open = std::find_if(agenda_.rbegin(), agenda_.rend(),
                             [&](const Task& task) { return !is_plain(task) && task.kind != Task::Kind::kSlices; });
    if (open == agenda_.rend())
      open = std::find_if(agenda_.rbegin(), agenda_.rend(), [](const Task& task) { return !task.gaps.empty(); });
    if (open == agenda_.rend()) open = std::find_if_not(agenda_.rbegin(), agenda_.rend(), is_plain);
    top = static_cast<std::size_t>(agenda_.rend() - open) - 1;
  }
  for (std::size_t from_top = 0; from_top <= top; ++from_top) {
    const std::size_t position = top - from_top;
    if (from_top > 0 && (!any_order || agenda_[position].kind != Task::Kind::kPlain)) break;
    const Task task = agenda_[position];
    agenda_.erase(agenda_.begin() + static_cast<std::ptrdiff_t>(position));
    if (expand(task)) return true;
    agenda_.insert(agenda_.begin() + static_cast<std::ptrdiff_t>(position), task);
    if (task.kind != Task::Kind::kPlain) break;
  }
  return false;
}

bool Attempt::expand(const Task& task) {
  switch (task.kind) {
    case Task::Kind::kGroup:
      return expand_group(task);
    case Task::Kind::kContent:
      return expand_content(task);
    case Task::Kind::kPlain:
      return exact_ ? expand_pods_exact(task) : expand_pods_greedy(task);
    case Task::Kind::kSlices:
      if (!task.gaps.empty()) return expand_gap(task);
      if (exact_) return expand_slices_exact(task);
      return (rule(task.group).balanced && expand_balanced(task)) || expand_by_domain(task);
    case Task::Kind::kPacked:
      return expand_by_domain(task);
  }
  return false;
}

bool Attempt::go_on(std::size_t agenda_size) {
  if (run()) return true;
  agenda_.resize(agenda_size);
  return false;
}

void Attempt::put(std::uint32_t demand, const Choice& choice) {
  const PodId pod = core_[demand].pods[static_cast<std::size_t>(used_[demand]++)];
  world_.place(pod, choice.node, choice.card);
  placed_.push_back({pod, choice});
  placed_for_.push_back(demand);
}

void Attempt::roll_back(const World::Mark& mark, std::size_t placed) {
  world_.rollback(mark);
  for (std::size_t i = placed; i < placed_for_.size(); ++i) --used_[placed_for_[i]];
  placed_for_.resize(placed);
  placed_.resize(placed);
}

Question Attempt::ask(std::uint32_t demand) {
  const ShapeId shape = core_[demand].shape;
  Question question{.world = world_,
                    .shape = world_.shape(shape),
                    .plan = world_.topology().plan(shape),
                    .lifted = options_.lifted,
                    .closed = {}};
  closed_.clear();
  if (keeps_promises(world_, options_)) {
    closed_ = closed_nodes(world_, question, core_[demand].pods[static_cast<std::size_t>(used_[demand])]);
  }
  question.closed = closed_;
  return question;
}

Choice Attempt::choose(std::uint32_t demand, const Scope& scope) {
  const PodId pod = core_[demand].pods[static_cast<std::size_t>(used_[demand])];
  const Question question = ask(demand);
  if (!options_.lifted) {
    return search_.best(core_[demand].shape, NameId::none(), world_.pod(pod).tie, question.closed,
                        scope.everywhere ? nullptr : &scope.ranks);
  }
  const auto found = std::ranges::find_if(scope.nodes, [&](NodeId node) { return check_all(question, node).fits(); });
  return found == scope.nodes.end() ? Choice{} : Choice{.node = *found};
}

}  // namespace berth::engine
