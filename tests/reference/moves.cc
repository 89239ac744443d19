#include "reference/moves.h"

#include <algorithm>

namespace berth::reference {

bool MoveWorld::fits(std::size_t pod, std::size_t node) const {
  const MovePod& asks = pods[pod];
  const MoveNode& has = nodes[node];
  const auto sufficient = std::count_if(has.free.begin(), has.free.end(), [&](int free) { return free >= asks.milli; });
  return has.cpu >= asks.cpu && sufficient >= asks.cards && keeps_spread(asks, has.zone) && keeps_away(asks, has.zone);
}

int MoveWorld::in_zone(int zone, int group) const {
  return static_cast<int>(std::count_if(pods.begin(), pods.end(), [&](const MovePod& pod) {
    return pod.node && nodes[*pod.node].zone == zone && pod.group == group;
  }));
}

// The pod, which is on no node, counts where it comes.
bool MoveWorld::keeps_spread(const MovePod& pod, int zone) const {
  if (!pod.spread) return true;
  int least = in_zone(zone, pod.group);
  for (const MoveNode& node : nodes) least = std::min(least, in_zone(node.zone, pod.group));
  return in_zone(zone, pod.group) + 1 - least <= 1;
}

// It keeps away from others, and others from it.
bool MoveWorld::keeps_away(const MovePod& pod, int zone) const {
  if (pod.avoids && in_zone(zone, *pod.avoids) > 0) return false;
  return std::none_of(pods.begin(), pods.end(), [&](const MovePod& other) {
    return other.node && nodes[*other.node].zone == zone && other.avoids == pod.group;
  });
}

void MoveWorld::put(std::size_t pod, std::size_t node) {
  MovePod& asks = pods[pod];
  MoveNode& has = nodes[node];
  asks.node = node;
  asks.on.clear();
  has.cpu -= asks.cpu;
  for (int i = 0; i < asks.cards; ++i) {
    std::optional<std::size_t> best;
    for (std::size_t card = 0; card < has.free.size(); ++card) {
      if (has.free[card] >= asks.milli && (!best || has.free[card] < has.free[*best])) best = card;
    }
    if (!best) break;
    has.free[*best] -= asks.milli;
    asks.on.push_back(*best);
  }
}

void MoveWorld::take(std::size_t pod) {
  MovePod& asks = pods[pod];
  MoveNode& had = nodes[*asks.node];
  had.cpu += asks.cpu;
  for (const std::size_t card : asks.on) had.free[card] += asks.milli;
  asks.node.reset();
  asks.on.clear();
}

int MoveWorld::idle_nodes() const {
  return static_cast<int>(std::count_if(nodes.begin(), nodes.end(), [](const MoveNode& node) {
    return std::all_of(node.free.begin(), node.free.end(), [](int free) { return free == 1000; });
  }));
}

template <class Visit>
void MoveWorld::for_each_plan(int moves, std::int64_t price, const Visit& visit) {
  visit(price);
  if (moves == 0) return;
  for (std::size_t pod = 0; pod < pods.size(); ++pod) {
    if (!pods[pod].movable || pods[pod].moved || !pods[pod].node || pods[pod].cards == 0) continue;
    const MovePod before = pods[pod];
    take(pod);
    for (std::size_t node = 0; node < nodes.size(); ++node) {
      if (node == *before.node || !fits(pod, node)) continue;
      put(pod, node);
      pods[pod].moved = true;
      for_each_plan(moves - 1, price + before.price(), visit);
      take(pod);
    }
    MoveNode& home = nodes[*before.node];
    home.cpu -= before.cpu;
    for (const std::size_t card : before.on) home.free[card] -= before.milli;
    pods[pod] = before;
  }
}

int MoveWorld::most_idle(int moves) {
  int most = 0;
  for_each_plan(moves, 0, [&](std::int64_t) { most = std::max(most, idle_nodes()); });
  return most;
}

std::optional<std::int64_t> MoveWorld::cheapest_room(std::size_t pending, int moves) {
  std::optional<std::int64_t> least;
  for_each_plan(moves, 0, [&](std::int64_t price) {
    if (least && price >= *least) return;
    for (std::size_t node = 0; node < nodes.size(); ++node) {
      if (fits(pending, node)) least = price;
    }
  });
  return least;
}

}  // namespace berth::reference
