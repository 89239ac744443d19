#include "reference/room_value.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <tuple>

#include "reference/cards.h"
#include "reference/requests.h"

namespace berth::reference {
namespace {

bool counts_cards(std::string_view resource) { return resource.ends_with("/gpu") || resource == kCardResource; }

// The product is told for one kind of card alone.
std::string product(const api::Node& node, const std::string& resource) {
  const auto label = node.metadata.labels.find("nvidia.com/gpu.product");
  return resource == "nvidia.com/gpu" && label != node.metadata.labels.end() ? label->second : "";
}

// Cards of kCardResource are told in milli, others in cards.
std::int64_t unit_of(const std::string& resource) { return resource == kCardResource ? 1000 : 1; }
std::int64_t count_of(const api::Node& node, const std::string& resource) {
  return std::max<std::int64_t>(allocatable(node, resource) / unit_of(resource), 0);
}

// Milli per card. Where cards are not told apart whole ones are in use.
std::vector<int> cards_left(const NodeState& state, const std::string& resource) {
  std::vector<int> result;
  if (resource == kCardResource) {
    for (const std::int64_t milli : free_cards(state))
      result.push_back(static_cast<int>(std::max<std::int64_t>(milli, 0)));
    return result;
  }
  for (std::int64_t card = 0; card < count_of(*state.node, resource); ++card) {
    result.push_back(card < state.found(resource) ? 0 : 1000);
  }
  return result;
}

// The largest kind of cards of a node, the first by name among several; empty if it has none.
std::string most_cards(const api::Node& node) {
  std::string most;
  for (const auto& [resource, amount] : node.allocatable) {
    if (!counts_cards(resource) || count_of(node, resource) == 0) continue;
    if (most.empty() || count_of(node, resource) > count_of(node, most)) most = resource;
  }
  return most;
}

Room room_of(const NodeState& state, const std::string& resource) {
  if (resource.empty()) return {};
  Room room{std::max<std::int64_t>(allocatable(*state.node, "cpu") - state.used("cpu"), 0), cards_left(state, resource),
            product(*state.node, resource)};
  std::ranges::sort(room.free);
  return room;
}

bool takes_nobody(const api::Node& node) {
  const auto says_no = [](const api::Condition& condition) {
    return condition.type == "Ready" && condition.status != "True";
  };
  return node.unschedulable || std::ranges::any_of(node.conditions, says_no);
}

// The free rooms that somebody may come to.
std::vector<Room> open_rooms(const Snapshot& snapshot) {
  std::vector<Room> rooms;
  for (const NodeState& state : snapshot.nodes) {
    const std::string resource = most_cards(*state.node);
    if (!resource.empty() && !takes_nobody(*state.node)) rooms.push_back(room_of(state, resource));
  }
  return rooms;
}

std::vector<std::int64_t> used_by_node(const Snapshot& snapshot) {
  std::vector<std::int64_t> result;
  for (const NodeState& state : snapshot.nodes) {
    const Room room = room_of(state, most_cards(*state.node));
    result.push_back(static_cast<std::int64_t>(room.free.size()) * 1000 -
                     std::accumulate(room.free.begin(), room.free.end(), std::int64_t{0}));
  }
  return result;
}

StudyPod study_pod(const api::Pod& pod, const std::string& resource) {
  const auto held = held_requests(pod);
  const auto cpu = held.find("cpu");
  const std::int64_t share = card_share(pod);
  const std::int64_t asked = held.at(resource);
  StudyPod result{cpu == held.end() ? 0 : cpu->second, 0, 1, static_cast<int>(asked), {}};
  if (share > 0) return result;
  result.cards = static_cast<int>(asked / unit_of(resource));
  result.milli = 1000;
  return result;
}

// Has it left, is it leaving without ever having run, or is it on a node that nobody knows?
bool is_elsewhere(const Objects& objects, const api::Pod& pod) {
  const std::string& where = pod.spec.node_name;
  if (is_finished(pod) || (where.empty() && pod.metadata.deletion_timestamp)) return true;
  return !where.empty() &&
         std::ranges::none_of(objects.nodes, [&](const api::Node& node) { return node.metadata.name == where; });
}

// By the products of nodes with cards that would take the pod if they were empty.
std::vector<TypicalPod> expected(const Snapshot& snapshot, const std::vector<api::SchedulerProfile>& profiles,
                                 bool exclude_not_ready) {
  const Snapshot bare = emptied(*snapshot.objects);
  std::vector<std::string> all;
  for (const NodeState& state : bare.nodes) {
    for (const auto& [resource, amount] : state.node->allocatable) {
      if (counts_cards(resource) && count_of(*state.node, resource) > 0) all.push_back(product(*state.node, resource));
    }
  }
  std::ranges::sort(all);
  all.erase(std::unique(all.begin(), all.end()), all.end());

  using Key = std::tuple<std::int64_t, int, int, std::vector<std::string>>;
  const bool cards_everywhere =
      std::ranges::none_of(bare.nodes, [](const NodeState& state) { return most_cards(*state.node).empty(); });
  std::map<Key, std::int64_t> counts;
  std::map<Key, std::int64_t> counts_without;
  std::int64_t pods = 0;
  std::int64_t pods_without = 0;
  for (api::Pod pod : snapshot.objects->pods) {
    if (is_elsewhere(*snapshot.objects, pod)) continue;
    pod.spec.node_name.clear();  // the next one like it may go to another node
    pod.spec.scheduling_gates.clear();
    const auto profile = std::ranges::find(profiles, pod.spec.scheduler_name, &api::SchedulerProfile::scheduler_name);
    const std::string resource = asked_cards(pod);
    if (profile == profiles.end()) continue;
    if (resource.empty()) {
      const auto held = held_requests(pod);
      const auto cpu = held.find("cpu");
      ++counts_without[{cpu == held.end() || cpu->second == 0 ? 100 : cpu->second, 0, 0, {}}];
      ++pods_without;
      continue;
    }
    // Where the volumes are of a pod whose claims are not there nobody knows.
    api::SchedulerProfile asked = *profile;
    if (hold(*snapshot.objects, pod, *profile)) {
      std::erase_if(asked.filters, [](api::Plugin plugin) {
        return plugin == api::Plugin::kVolumeBinding || plugin == api::Plugin::kVolumeZone ||
               plugin == api::Plugin::kVolumeRestrictions;
      });
    }
    std::vector<std::string> products;
    for (std::size_t node = 0; node < bare.nodes.size(); ++node) {
      if (most_cards(*bare.nodes[node].node).empty()) continue;
      Question question{bare, pod, asked, exclude_not_ready};
      question.rules_among_pods = false;
      if (!first_failure(question, node).passes()) continue;
      const bool has_them = count_of(*bare.nodes[node].node, resource) > 0;
      products.push_back(product(*bare.nodes[node].node, has_them ? resource : most_cards(*bare.nodes[node].node)));
    }
    std::ranges::sort(products);
    products.erase(std::unique(products.begin(), products.end()), products.end());
    if (products.empty()) continue;
    if (products.size() == all.size()) products.clear();
    const StudyPod asks = study_pod(pod, resource);
    ++counts[{asks.cpu == 0 ? 100 : asks.cpu, asks.cards, asks.milli, products}];
    ++pods;
  }
  const auto most_frequent = [](const std::map<Key, std::int64_t>& all_counts, std::int64_t all_pods) {
    std::vector<std::pair<Key, std::int64_t>> sorted(all_counts.begin(), all_counts.end());
    std::ranges::stable_sort(sorted, std::greater<>(), &std::pair<Key, std::int64_t>::second);
    std::vector<std::pair<Key, std::int64_t>> kept;
    std::int64_t covered = 0;
    for (const auto& each : sorted) {
      if (covered * 100 >= all_pods * 99) break;
      covered += each.second;
      kept.push_back(each);
    }
    return kept;
  };
  std::vector<std::pair<Key, std::int64_t>> kept = most_frequent(counts, pods);
  if (cards_everywhere) {
    for (auto [key, count] : most_frequent(counts_without, pods_without)) {
      if (pods_without > pods) count = count * pods / pods_without;
      if (count > 0) kept.emplace_back(key, count);
    }
  }
  std::ranges::sort(kept, {}, [](const auto& each) { return std::pair(-each.second, each.first); });
  std::vector<TypicalPod> result;
  for (const auto& [key, count] : kept) {
    const auto& [cpu, cards, milli, products] = key;
    result.push_back({StudyPod{cpu, 0, cards, milli, products}, count});
  }
  return result;
}

}  // namespace

std::string asked_cards(const api::Pod& pod) {
  for (const auto& [resource, amount] : held_requests(pod)) {
    if (counts_cards(resource) && amount > 0) return resource;
  }
  return "";
}

bool values_room(const api::SchedulerProfile& profile) {
  return std::ranges::find(profile.scores, api::Plugin::kRoomValue, &api::SchedulerProfile::Score::plugin) !=
         profile.scores.end();
}

RoomKeeper::RoomKeeper(const Snapshot& snapshot, const std::vector<api::SchedulerProfile>& profiles,
                       bool exclude_not_ready)
    : twin_(expected(snapshot, profiles, exclude_not_ready)), used_(used_by_node(snapshot)) {
  const std::int64_t used = std::accumulate(used_.begin(), used_.end(), std::int64_t{0});
  twin_.started(used);
  twin_.left(used / 2);
  weigh_if_due(open_rooms(snapshot));
}

void RoomKeeper::follow(const Snapshot& snapshot) {
  const std::vector<std::int64_t> now = used_by_node(snapshot);
  for (std::size_t node = 0; node < now.size(); ++node) {
    if (now[node] > used_[node]) twin_.started(now[node] - used_[node]);
    if (now[node] < used_[node]) twin_.left(used_[node] - now[node]);
  }
  used_ = now;
  weigh_if_due(open_rooms(snapshot));
}

void RoomKeeper::weigh_if_due(const std::vector<Room>& rooms) {
  if (twin_.is_due(rooms)) twin_.weigh(rooms);
}

RoomKeeper::Rated RoomKeeper::rate(const NodeState& state, const api::Pod& pod) const {
  std::string resource = asked_cards(pod);
  if (resource.empty()) resource = most_cards(*state.node);
  const Room found = room_of(state, resource);
  const std::int64_t gpu = std::accumulate(found.free.begin(), found.free.end(), std::int64_t{0});
  const std::int64_t cpu = allocatable(*state.node, "cpu") - state.used("cpu");
  const auto with_ties = [&](std::int64_t gain) {
    const std::int64_t kept = std::clamp<std::int64_t>(gain, -(1LL << 27), 1LL << 27);
    return (kept * 16384 + 16383 - std::min<std::int64_t>(gpu, 16383)) * 16384 + 16383 -
           std::clamp<std::int64_t>(cpu / 16, 0, 16383);
  };
  if (resource.empty() || found.free.empty()) {
    return {asked_cards(pod).empty() ? 100 * kUnit : 0, std::nullopt};
  }
  const auto held = held_requests(pod);
  const auto asked_cpu = held.find("cpu");
  const auto left = [&](const std::vector<std::size_t>& cards, std::int64_t milli) {
    Room after = found;
    after.cpu = std::max<std::int64_t>(cpu - (asked_cpu == held.end() ? 0 : asked_cpu->second), 0);
    for (const std::size_t card : cards) after.free[card] -= static_cast<int>(milli);
    std::ranges::sort(after.free);
    return twin_.value(after);
  };
  const std::int64_t before = twin_.value(found);
  if (asked_cards(pod).empty()) return {with_ties(left({}, 0) - before), std::nullopt};
  const std::int64_t asked = held.at(resource);
  if (card_share(pod) == 0) {
    std::vector<std::size_t> cards;
    for (std::size_t card = 0; card < found.free.size() && std::ssize(cards) * unit_of(resource) < asked; ++card) {
      if (found.free[card] == 1000) cards.push_back(card);
    }
    return {with_ties(left(cards, 1000) - before), std::nullopt};
  }
  std::optional<std::int64_t> best;
  int on = 0;
  for (std::size_t card = 0; card < found.free.size(); ++card) {  // ascending
    if (found.free[card] < asked) continue;
    const std::int64_t value = left({card}, asked);
    if (best && value <= *best) continue;
    best = value;
    on = found.free[card];
  }
  const std::vector<std::int64_t> free = free_cards(state);
  return {with_ties(*best - before), static_cast<std::size_t>(std::ranges::find(free, on) - free.begin())};
}

}  // namespace berth::reference
