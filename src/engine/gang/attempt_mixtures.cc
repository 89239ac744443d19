// An attempt's last step where no rules among pods decide: pods that know their domains, and slices that have yet to
// find theirs, onto nodes, all of them in one search over mixtures (mixtures.h). Here is what an item is (pods of one
// kind that may go to the same nodes), which nodes are alike, and what each could take.
#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "engine/amounts.h"
#include "engine/fit/filters.h"
#include "engine/gang/attempt.h"
#include "engine/gang/mixture_weights.h"

namespace berth::engine {
namespace {

constexpr std::size_t kMostMixtures = 20'000;  // that are listed for one packing
constexpr std::size_t kMostSites = 2'000;      // the search is as deep as there are nodes
constexpr std::size_t kLooksPerStep = 1'000;   // looking at a mixture costs so much less than placing a pod

}  // namespace

class Attempt::Mixing {
 public:
  explicit Mixing(Attempt& attempt) : attempt_(attempt) {}

  // False: it is not for this search.
  [[nodiscard]] bool add(const std::vector<Task>& tasks) {
    for (const Task& task : tasks) {
      if (task.kind == Task::Kind::kPlain) add_pods(kNoSlices, task.scope, {task.demand, task.remaining});
      if (task.kind == Task::Kind::kSlices && !add_slices(task)) return false;
    }
    if (items_.size() > MixtureProblem::kMostItems) return false;
    // Who fits least comes first.
    std::ranges::stable_sort(items_, {}, [&](const Item& item) {
      return attempt_.room_in(attempt_.scopes_[item.scope], item.shape) / std::max(item.pods, 1);
    });
    std::ranges::stable_sort(slices_, {}, &Slices::level);
    return add_sites() && (describe(), true);
  }

  [[nodiscard]] const MixtureProblem& problem() const { return problem_; }
  [[nodiscard]] std::vector<SearchId> searches() const {
    std::vector<SearchId> result;
    for (const Item& item : items_) result.push_back(attempt_.world_.shape(item.shape).search);
    return result;
  }
  [[nodiscard]] NodeId node(std::size_t site) const { return sites_[site].node; }

  void carry_out(const std::vector<std::uint32_t>& chosen) {
    for (std::size_t i = 0; i < chosen.size(); ++i) {
      const Mixture& mixture = problem_.states[problem_.sites[i]][chosen[i]];
      for (std::size_t k = 0; k < items_.size(); ++k)
        for (std::int32_t pod = 0; pod < mixture.pods[k]; ++pod) put(items_[k], sites_[i].node);
    }
  }

 private:
  static constexpr std::size_t kNoSlices = static_cast<std::size_t>(-1);

  struct Item {
    ShapeId shape;
    ScopeId scope = 0;
    std::size_t slices = kNoSlices;
    std::int32_t pods = 0;
    std::vector<Load> loads;  // of these demands
    std::size_t used = 0;     // loads that are used up
    std::int32_t taken = 0;   // of the next
  };
  struct Slices {
    std::size_t number = 0;  // as items name it
    const DomainTree* tree = nullptr;
    std::size_t level = 0;
    std::int32_t size = 0;
  };
  struct Site {
    NodeId node;
    std::vector<std::uint32_t> domains;  // as slices_
    std::uint32_t state = 0;
  };

  void add_pods(std::size_t slices, ScopeId scope, Load load) {
    const ShapeId shape = attempt_.core_[load.demand].shape;
    const auto search = [&](ShapeId id) { return attempt_.world_.shape(id).search; };
    auto same = std::ranges::find_if(items_, [&](const Item& item) {
      return item.slices == slices && item.scope == scope && search(item.shape) == search(shape);
    });
    if (load.pods == 0) return;
    if (same == items_.end())
      same = items_.insert(items_.end(), {.shape = shape, .scope = scope, .slices = slices, .loads = {}});
    same->pods += load.pods;
    same->loads.push_back(load);
  }

  bool add_slices(const Task& task) {
    const TopologyRule& asked = attempt_.rule(task.group);
    const DomainTree& tree = attempt_.trees_.tree(attempt_.trees_.levels_of(asked));
    const Slices made{slices_.size(), &tree, tree.level_of(asked.slice_level), asked.slice_size};
    // Domains of two hierarchies do not lie in one another.
    if (!slices_.empty() && slices_.front().tree != &tree) return false;
    slices_.push_back(made);
    for (const Load& load : task.loads) add_pods(made.number, task.scope, load);
    return true;
  }

  bool add_sites() {
    const World& world = attempt_.world_;
    const std::vector<NodeId>& nodes = attempt_.scopes_.front().nodes;
    std::vector<std::vector<std::int32_t>> room;  // by item, by position
    for (const Item& item : items_) {
      const Room& here = attempt_.rooms_.of(item.shape);
      std::vector<std::int32_t>& each = room.emplace_back();
      for (const NodeId node : nodes) each.push_back(std::min(here.on(node), item.pods));
    }
    for (std::size_t position = 0; position < nodes.size(); ++position) {
      const NodeId node = nodes[position];
      Site site{.node = node, .domains = {}};
      for (const Slices& each : slices_) site.domains.push_back(each.tree->domain_of(each.level, node));
      const std::uint32_t rank = world.node(node).rank;
      std::vector<std::int32_t> rooms;
      for (std::size_t i = 0; i < items_.size(); ++i) {
        const Item& item = items_[i];
        const Scope& scope = attempt_.scopes_[item.scope];
        const auto slices = std::ranges::find(slices_, item.slices, &Slices::number);
        const bool may = (scope.everywhere || scope.ranks.test(rank)) &&
                         (slices == slices_.end() ||
                          site.domains[static_cast<std::size_t>(slices - slices_.begin())] != DomainTree::kNone);
        rooms.push_back(may ? room[i][position] : 0);
      }
      if (std::ranges::all_of(rooms, [](std::int32_t pods) { return pods == 0; })) continue;
      const std::optional<std::uint32_t> state = state_of(node, rooms);
      if (!state || sites_.size() == kMostSites) return false;
      site.state = *state;
      sites_.push_back(std::move(site));
    }
    // Nodes that are alike in a row, and first those that leave least choice.
    std::ranges::stable_sort(sites_, [&](const Site& a, const Site& b) {
      if (a.domains != b.domains) return a.domains < b.domains;
      if (a.state == b.state) return false;
      const std::size_t left = problem_.states[a.state].size();
      const std::size_t right = problem_.states[b.state].size();
      return left != right ? left < right : a.state < b.state;
    });
    return true;
  }

  // All that decides which mixtures the node takes.
  [[nodiscard]] std::vector<std::int64_t> content_of(NodeId node, const std::vector<std::int32_t>& rooms) const {
    const World& world = attempt_.world_;
    std::vector<std::int64_t> content{static_cast<std::int64_t>(items_.size())};
    for (std::size_t i = 0; i < items_.size(); ++i) {
      if (rooms[i] == 0) continue;
      content.insert(content.end(), {static_cast<std::int64_t>(i), world.shape(items_[i].shape).search.value(),
                                     rooms[i], items_[i].pods});
      for (const ResourceAmount& each : counted_requests(world.shape(items_[i].shape)))
        content.push_back(world.free(node, each.resource));
      for (const CardRequest& each : world.shape(items_[i].shape).input.cards) {
        const CardGroup* cards = world.card_group(node, each.resource);
        if (cards == nullptr) continue;
        content.push_back(cards->product.value());
        content.push_back(cards->memory_bytes);
        content.insert(content.end(), cards->free.begin(), cards->free.end());
        content.insert(content.end(), cards->memory_free.begin(), cards->memory_free.end());
        if (each.millionths > 0) content.insert(content.end(), cards->millionths.begin(), cards->millionths.end());
      }
    }
    return content;
  }

  // The number of its list of mixtures; none if these are too many.
  std::optional<std::uint32_t> state_of(NodeId node, const std::vector<std::int32_t>& rooms) {
    const auto [entry, added] = attempt_.mixtures_.try_emplace(content_of(node, rooms));
    std::vector<Mixture>& list = entry->second;
    if (added) {
      Mixture mixture{.pods = std::vector<std::int32_t>(items_.size(), 0)};
      if (!list_mixtures(node, rooms, 0, mixture, list)) {
        attempt_.mixtures_.erase(entry);
        return std::nullopt;
      }
    }
    const auto known = std::ranges::find(problem_.states, list);
    if (known != problem_.states.end()) return static_cast<std::uint32_t>(known - problem_.states.begin());
    listed_ += list.size();
    if (listed_ > kMostMixtures) return std::nullopt;
    problem_.states.push_back(list);
    return static_cast<std::uint32_t>(problem_.states.size() - 1);
  }

  bool list_mixtures(NodeId node, const std::vector<std::int32_t>& rooms, std::size_t at, Mixture& mixture,
                     std::vector<Mixture>& list) {
    const auto fits = [&](std::size_t item) {
      return rooms[item] > 0 && mixture.pods[item] < items_[item].pods &&
             check_all(attempt_.ask(items_[item].loads.front().demand), node).fits();
    };
    if (at == items_.size()) {
      if (list.size() >= kMostMixtures) return false;
      mixture.more = 0;
      for (std::size_t i = 0; i < items_.size(); ++i) mixture.more |= std::uint64_t{fits(i) ? 1U : 0U} << i;
      list.push_back(mixture);
      return true;
    }
    if (rooms[at] == 0) return list_mixtures(node, rooms, at + 1, mixture, list);
    const World::Mark mark = attempt_.world_.mark();
    const std::size_t placed = attempt_.placed_.size();
    const std::size_t used = items_[at].used;
    const std::int32_t taken = items_[at].taken;
    bool listed = list_mixtures(node, rooms, at + 1, mixture, list);
    while (listed && fits(at)) {
      put(items_[at], node);
      ++mixture.pods[at];
      listed = list_mixtures(node, rooms, at + 1, mixture, list);
    }
    attempt_.roll_back(mark, placed);
    items_[at].used = used;
    items_[at].taken = taken;
    mixture.pods[at] = 0;
    return listed;
  }

  void put(Item& item, NodeId node) {
    while (item.taken == item.loads[item.used].pods) {
      ++item.used;
      item.taken = 0;
    }
    ++item.taken;
    attempt_.put(item.loads[item.used].demand, {.node = node});
  }

  void describe() {
    for (const Item& item : items_) problem_.wanted.push_back(item.pods);
    for (const Site& site : sites_) problem_.sites.push_back(site.state);
    for (std::size_t k = 0; k < slices_.size(); ++k) {
      SlicedItems& sliced =
          problem_.sliced.emplace_back(SlicedItems{.items = 0, .size = slices_[k].size, .domains = {}});
      for (std::size_t i = 0; i < items_.size(); ++i)
        if (items_[i].slices == slices_[k].number) sliced.items |= std::uint64_t{1} << i;
      for (const Site& site : sites_) sliced.domains.push_back(site.domains[k]);
    }
    std::vector<ResourceId> resources;
    std::vector<std::vector<ResourceAmount>> requests;
    for (const Item& item : items_) {
      requests.push_back(counted_requests(attempt_.world_.shape(item.shape)));
      for (const ResourceAmount& each : requests.back())
        if (std::ranges::find(resources, each.resource) == resources.end()) resources.push_back(each.resource);
    }
    for (const ResourceId resource : resources) {
      Weights& hint = problem_.hints.emplace_back();
      for (const auto& each : requests) hint.push_back(amount_in(each, resource));
    }
  }

  Attempt& attempt_;
  std::vector<Item> items_;
  std::vector<Slices> slices_;  // outer levels first
  std::vector<Site> sites_;
  std::size_t listed_ = 0;  // mixtures of all states
  MixtureProblem problem_;
};

bool Attempt::weigh_core() {
  weighed_.clear();
  std::vector<Task> tasks;
  for (std::uint32_t i = 0; i < core_.size(); ++i) {
    tasks.push_back({.kind = Task::Kind::kPlain,
                     .demand = i,
                     .remaining = static_cast<std::int32_t>(core_[i].pods.size()),
                     .loads = {},
                     .gaps = {}});
  }
  Mixing mixing(*this);
  if (!mixing.add(tasks)) return true;
  const MixtureProblem& problem = mixing.problem();
  if (excluding_weights(problem)) return false;
  const std::vector<SearchId> searches = mixing.searches();
  for (const Weights& weights : telling_weights(problem)) {
    Weighed& weighed = weighed_.emplace_back();
    for (std::size_t i = 0; i < weights.size(); ++i) weighed.weights.emplace_back(searches[i], weights[i]);
    weighed.most.assign(world_.node_slots(), 0);
    std::vector<std::int64_t> most;
    for (const std::vector<Mixture>& state : problem.states) most.push_back(heaviest(state, weights));
    for (std::size_t i = 0; i < problem.sites.size(); ++i)
      weighed.most[mixing.node(i).index()] = most[problem.sites[i]];
  }
  return true;
}

std::optional<bool> Attempt::pack() {
  const bool slices = std::ranges::any_of(agenda_, [](const Task& task) { return task.kind == Task::Kind::kSlices; });
  Mixing mixing(*this);
  if (!mixing.add(agenda_)) return slices ? std::nullopt : std::optional(pack_node_by_node());
  // Other domains may be easier: no packing may use up all that is left.
  const std::size_t left = (options_.step_limit - *steps_) * kLooksPerStep;
  const MixtureAnswer answer = find_mixtures(mixing.problem(), std::max<std::size_t>(left / 4, kLooksPerStep));
  *steps_ += answer.looked_at / kLooksPerStep;
  unsure_ = unsure_ || answer.outcome == MixtureOutcome::kGaveUp;
  if (answer.outcome == MixtureOutcome::kFound) mixing.carry_out(answer.chosen);
  return answer.outcome == MixtureOutcome::kFound;
}

}  // namespace berth::engine
