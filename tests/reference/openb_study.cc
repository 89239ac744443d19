#include "reference/openb_study.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <tuple>
#include <utility>

#include "base/tie_order.h"
#include "reference/berth_policy.h"

namespace berth::reference {
namespace {

struct State {
  std::int64_t cpu = 0;
  std::int64_t memory = 0;
  std::vector<int> free;  // milli per card
  std::map<std::string, int> kinds;
};

bool model_allowed(const std::vector<std::string>& models, const std::string& model) {
  return models.empty() || std::find(models.begin(), models.end(), model) != models.end();
}

int cards_with(const std::vector<int>& free, int milli) {
  return static_cast<int>(std::count_if(free.begin(), free.end(), [milli](int card) { return card >= milli; }));
}

bool fits(const StudyNode& node, const State& state, const StudyPod& pod) {
  if (state.cpu < pod.cpu || state.memory < pod.memory) return false;
  if (pod.cards == 0) return true;
  return model_allowed(pod.models, node.model) && cards_with(state.free, pod.milli) >= pod.cards;
}

std::string kind_of(const StudyPod& pod) {
  if (pod.cards == 0) return "";
  return pod.milli < 1000 ? "share" : std::to_string(pod.cards);
}

// Expected fragmented milli of one node, times the total count of the target workload.
std::int64_t fragmentation(const StudyNode& node, std::int64_t cpu, const std::vector<int>& free,
                           const std::vector<TypicalPod>& target) {
  std::int64_t result = 0;
  const std::int64_t total = std::accumulate(free.begin(), free.end(), std::int64_t{0});
  for (const TypicalPod& typical : target) {
    const StudyPod& pod = typical.pod;
    std::int64_t lost = total;
    if (pod.cards > 0 && model_allowed(pod.models, node.model) && cpu >= pod.cpu &&
        cards_with(free, pod.milli) >= pod.cards) {
      lost = 0;
      for (const int card : free) lost += card < pod.milli ? card : 0;
    }
    result += typical.count * lost;
  }
  return result;
}

// Whole cards: the first fully free ones. A share: the tightest sufficient card.
std::vector<int> default_cards(const State& state, const StudyPod& pod) {
  std::vector<int> chosen;
  if (pod.cards == 1 && pod.milli < 1000) {
    int best = -1;
    for (int i = 0; i < static_cast<int>(state.free.size()); ++i) {
      const int room = state.free[static_cast<std::size_t>(i)];
      if (room >= pod.milli && (best < 0 || room < state.free[static_cast<std::size_t>(best)])) best = i;
    }
    chosen.push_back(best);
    return chosen;
  }
  for (int i = 0; i < static_cast<int>(state.free.size()) && static_cast<int>(chosen.size()) < pod.cards; ++i) {
    if (state.free[static_cast<std::size_t>(i)] == 1000) chosen.push_back(i);
  }
  return chosen;
}

struct Rated {
  std::int64_t score = 0;
  std::int64_t second = 0;  // decides between equal scores
  std::int64_t third = 0;
  std::vector<int> cards;
};

std::int64_t sigmoid_score(std::int64_t fall, std::int64_t total_count) {
  const double milli = static_cast<double>(fall) / static_cast<double>(total_count);
  return static_cast<std::int64_t>(100.0 / (1.0 + std::exp(-milli / 1000.0)));
}

Rated rate_gradient(const StudyNode& node, const State& state, const StudyPod& pod,
                    const std::vector<TypicalPod>& target) {
  std::int64_t total_count = 0;
  for (const TypicalPod& typical : target) total_count += typical.count;
  const std::int64_t before = fragmentation(node, state.cpu, state.free, target);
  const auto after = [&](const std::vector<int>& cards) {
    std::vector<int> free = state.free;
    for (const int card : cards) free[static_cast<std::size_t>(card)] -= pod.milli;
    return fragmentation(node, state.cpu - pod.cpu, free, target);
  };
  if (pod.cards != 1 || pod.milli == 1000) {
    std::vector<int> cards = default_cards(state, pod);
    return {sigmoid_score(before - after(cards), total_count), 0, 0, std::move(cards)};
  }
  Rated best{-1, 0, 0, {}};
  for (int card = 0; card < static_cast<int>(state.free.size()); ++card) {
    if (state.free[static_cast<std::size_t>(card)] < pod.milli) continue;
    const std::int64_t score = sigmoid_score(before - after({card}), total_count);
    if (score > best.score) best = {score, 0, 0, {card}};
  }
  return best;
}

Rated rate_berth(const StudyNode& node, const State& state, const StudyPod& pod, const BerthTwin& berth) {
  const Room found{state.cpu, state.free, node.model};
  const auto gain = [&](const std::vector<int>& cards) {
    Room left = found;
    left.cpu -= pod.cpu;
    for (const int card : cards) left.free[static_cast<std::size_t>(card)] -= pod.milli;
    return berth.value(left) - berth.value(found);
  };
  Rated best;
  best.second = -std::accumulate(state.free.begin(), state.free.end(), std::int64_t{0});
  best.third = -(state.cpu / 16);
  best.cards = default_cards(state, pod);
  best.score = gain(best.cards);
  // Where no cards are nothing is taken from anybody, and all such nodes are alike.
  if (state.free.empty() && pod.cards == 0) return {std::int64_t{100} * 100 * 1024, 0, -(1 << 14), best.cards};
  if (pod.cards != 1 || pod.milli == 1000) return best;
  for (int card = 0; card < static_cast<int>(state.free.size()); ++card) {
    const int room = state.free[static_cast<std::size_t>(card)];
    const int chosen = state.free[static_cast<std::size_t>(best.cards.front())];
    if (room < pod.milli) continue;
    const std::int64_t score = gain({card});
    if (score < best.score || (score == best.score && room >= chosen)) continue;
    best.score = score;
    best.cards = {card};
  }
  return best;
}

Rated rate(const StudyNode& node, const State& state, const StudyPod& pod, const std::vector<TypicalPod>& target,
           StudyPolicy policy, const BerthTwin& berth) {
  const std::int64_t free = std::accumulate(state.free.begin(), state.free.end(), std::int64_t{0});
  const std::int64_t asked = static_cast<std::int64_t>(pod.cards) * pod.milli;
  Rated result{0, 0, 0, default_cards(state, pod)};
  switch (policy) {
    case StudyPolicy::kDotProduct: {
      // 1 - (a + b) / 2 with a = cpu product / 128000^2 and b = gpu product / 8000^2, in 256ths of 8000^2.
      const std::int64_t unit = 8000LL * 8000 * 256;
      result.score = 100 * (2 * unit - (state.cpu * pod.cpu + 256 * free * asked)) / (2 * unit);
      break;
    }
    case StudyPolicy::kClustering: {
      if (pod.cards == 0) break;
      const bool same = state.kinds.contains(kind_of(pod));
      const std::int64_t band = same ? (state.kinds.size() == 1 ? 75 : 50) : (state.kinds.empty() ? 25 : 0);
      result.score = band + 25 * (8000 - free) / 8000;
      break;
    }
    case StudyPolicy::kPacking: {
      if (pod.cards == 0) break;
      const int whole = cards_with(state.free, 1000);
      if (whole == node.cards) {
        result.score = std::max(33 - whole, whole);
        break;
      }
      std::vector<int> sorted = state.free;
      std::sort(sorted.begin(), sorted.end());
      std::erase_if(sorted, [&pod](int card) { return card < pod.milli; });
      sorted.resize(static_cast<std::size_t>(pod.cards));
      const int opened = cards_with(sorted, 1000);
      int percent = 0;
      for (const int card : sorted) percent += card * 100 / 1000;
      result.score = opened > 0 ? std::max(50 - opened, 33) : std::max(100 - percent / 10, 50);
      break;
    }
    case StudyPolicy::kBestFit:
      result.score = 100 * (256000 - (state.cpu - pod.cpu) - 16 * (free - asked)) / 256000;
      break;
    case StudyPolicy::kFragmentationGradient:
      return rate_gradient(node, state, pod, target);
    case StudyPolicy::kBerth:
      return rate_berth(node, state, pod, berth);
  }
  return result;
}

}  // namespace

StudyRun run_study(const std::vector<StudyNode>& nodes, const std::vector<StudyPod>& pods,
                   const std::vector<TypicalPod>& target, const std::vector<TypicalPod>& expected, StudyPolicy policy,
                   std::uint64_t seed) {
  std::vector<State> states;
  for (const StudyNode& node : nodes) {
    states.push_back({node.cpu, node.memory, std::vector<int>(static_cast<std::size_t>(node.cards), 1000), {}});
  }
  std::vector<std::size_t> order(nodes.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return std::pair(tie_rank(seed, nodes[a].name), nodes[a].name) <
           std::pair(tie_rank(seed, nodes[b].name), nodes[b].name);
  });
  std::int64_t total_count = 0;
  for (const TypicalPod& typical : target) total_count += typical.count;

  BerthTwin berth(expected);
  const auto rooms = [&] {
    std::vector<Room> result;
    for (std::size_t i = 0; i < nodes.size(); ++i) result.push_back({states[i].cpu, states[i].free, nodes[i].model});
    return result;
  };

  StudyRun run;
  StudyStep step;
  for (const StudyPod& pod : pods) {
    if (policy == StudyPolicy::kBerth && berth.is_due(rooms())) berth.weigh(rooms());
    StudyPlacement placement;
    Rated best;
    for (const std::size_t i : order) {
      if (!fits(nodes[i], states[i], pod)) continue;
      Rated rated = rate(nodes[i], states[i], pod, target, policy, berth);
      if (placement.node >= 0 &&
          std::tuple(rated.score, rated.second, rated.third) <= std::tuple(best.score, best.second, best.third)) {
        continue;
      }
      placement.node = static_cast<int>(i);
      best = std::move(rated);
    }
    step.arrived_milli += static_cast<std::int64_t>(pod.cards) * pod.milli;
    if (placement.node >= 0) {
      State& state = states[static_cast<std::size_t>(placement.node)];
      placement.cards = best.cards;
      state.cpu -= pod.cpu;
      state.memory -= pod.memory;
      for (const int card : placement.cards) state.free[static_cast<std::size_t>(card)] -= pod.milli;
      if (pod.cards > 0) ++state.kinds[kind_of(pod)];
      step.used_milli += static_cast<std::int64_t>(pod.cards) * pod.milli;
    }
    std::int64_t sum = 0;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      sum += fragmentation(nodes[i], states[i].cpu, states[i].free, target);
    }
    step.fragmented_milli = static_cast<double>(sum) / static_cast<double>(total_count);
    run.placements.push_back(placement);
    run.steps.push_back(step);
  }
  return run;
}

}  // namespace berth::reference
