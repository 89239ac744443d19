#include "sim/consolidation/exact.h"

#include <set>
#include <utility>
#include <vector>

namespace berth::sim::consolidation {
namespace {

// Where each pod is, with its cards: what a state is beyond the pods.
using StateKey = std::vector<std::size_t>;

StateKey key_of(const SmallWorld& world) {
  StateKey key;
  for (const SmallPod& pod : world.pods) {
    key.push_back(pod.node);
    key.insert(key.end(), pod.on.begin(), pod.on.end());
  }
  return key;
}

// Who is not where it was has moved.
std::vector<SmallWorld> one_move_on(const std::vector<SmallWorld>& states, const SmallWorld& start) {
  std::vector<SmallWorld> next;
  std::set<StateKey> seen;
  for (const SmallWorld& state : states) {
    for (std::size_t pod = 0; pod < state.pods.size(); ++pod) {
      const std::size_t own = start.pods[pod].node;
      if (!state.pods[pod].movable || state.pods[pod].node != own) continue;
      SmallWorld without = state;
      without.take(without.pods[pod]);
      for (std::size_t node = 0; node < state.nodes.size(); ++node) {
        if (node == own || !without.fits(without.pods[pod], node)) continue;
        SmallWorld moved = without;
        moved.put(moved.pods[pod], node);
        if (seen.insert(key_of(moved)).second) next.push_back(std::move(moved));
      }
    }
  }
  return next;
}

}  // namespace

Opened open_exactly(const SmallWorld& world, int most_moves) {
  Opened best;
  const std::int64_t before = world.free_nodes();
  std::vector<SmallWorld> states = {world};
  for (int moves = 1; moves <= most_moves && !states.empty(); ++moves) {
    states = one_move_on(states, world);
    for (const SmallWorld& state : states) {
      if (const std::int64_t opened = state.free_nodes() - before; opened > best.nodes) best = {opened, moves};
    }
  }
  return best;
}

}  // namespace berth::sim::consolidation
