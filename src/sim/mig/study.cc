#include "sim/mig/study.h"

#include <algorithm>
#include <bit>
#include <map>
#include <numeric>
#include <optional>
#include <utility>

#include "base/random.h"
#include "sim/mig/node.h"

namespace berth::sim::mig {
namespace {

// The card with the least free memory slices that can take the profile, at its first free start.
std::optional<Partition> best_fit(const Node& node, Card kind, std::size_t profile,
                                  const std::vector<int>& processors_taken) {
  std::optional<Partition> found;
  int fewest = kSlices + 1;
  const Profile& wanted = profiles()[profile];
  for (int card = 0; card < node.cards(); ++card) {
    const int free = kSlices - std::popcount(node.taken(card));
    const int processors = wanted.multiprocessors[static_cast<std::size_t>(kind)];
    if (free >= fewest || processors_taken[static_cast<std::size_t>(card)] + processors > multiprocessors(kind))
      continue;
    for (const int start : wanted.starts) {
      if ((node.taken(card) & wanted.mask(start)) != 0) continue;
      found = Partition{.profile = profile, .card = card, .start = start};
      fewest = free;
      break;
    }
  }
  return found;
}

// One node under one policy.
class Player {
 public:
  Player(Policy policy, Card card, int cards)
      : policy_(policy), card_(card), node_(card, cards), processors_(static_cast<std::size_t>(cards)) {}

  std::optional<Partition> arrive(std::size_t profile) {
    const std::optional<Partition> chosen = choose(profile);
    if (chosen) take(*chosen);
    return chosen;
  }
  void take(const Partition& partition) {
    node_.take(partition);
    processors_[static_cast<std::size_t>(partition.card)] += processors_of(partition);
  }
  void leave(const Partition& partition) {
    node_.give_back(partition);
    processors_[static_cast<std::size_t>(partition.card)] -= processors_of(partition);
  }
  [[nodiscard]] const Node& node() const { return node_; }

 private:
  [[nodiscard]] std::optional<Partition> choose(std::size_t profile) const {
    switch (policy_) {
      case Policy::kFirstFit:
        return node_.ask(profile, engine::devices::Mode::kStrict);
      case Policy::kBestFit:
        return best_fit(node_, card_, profile, processors_);
      case Policy::kBest:
        return node_.ask(profile, engine::devices::Mode::kBest);
    }
    return std::nullopt;
  }
  [[nodiscard]] int processors_of(const Partition& partition) const {
    return profiles()[partition.profile].multiprocessors[static_cast<std::size_t>(card_)];
  }

  Policy policy_;
  Card card_;
  Node node_;
  std::vector<int> processors_;  // taken, by card
};

std::size_t draw(Random& random, const std::array<int, kProfiles>& mix) {
  auto ticket = static_cast<int>(random.below(static_cast<std::uint64_t>(std::accumulate(mix.begin(), mix.end(), 0))));
  std::size_t profile = 0;
  while (ticket >= mix[profile]) ticket -= mix[profile++];
  return profile;
}

void count(Accepted& accepted, std::size_t profile) {
  ++accepted.claims;
  accepted.slices += profiles()[profile].slices;
}

// The most memory slices that a set of claims can get on two cards.
class Optimum {
 public:
  Optimum(Card card, std::vector<std::size_t> claims) : card_(card), claims_(std::move(claims)) {}

  Accepted run(const std::array<Mask, 2>& taken, const std::array<int, 2>& processors) {
    std::map<State, Accepted> states{{State{taken, processors}, Accepted{}}};
    for (const std::size_t profile : claims_) {
      std::map<State, Accepted> next = states;  // the claim is left out
      for (const auto& [state, accepted] : states) extend(state, accepted, profile, next);
      states = std::move(next);
    }
    Accepted best;
    for (const auto& [state, accepted] : states) {
      if (accepted.slices > best.slices) best = accepted;
    }
    return best;
  }

 private:
  struct State {
    std::array<Mask, 2> taken;
    std::array<int, 2> processors;
    auto operator<=>(const State&) const = default;
  };

  void extend(const State& state, const Accepted& accepted, std::size_t profile,
              std::map<State, Accepted>& next) const {
    const Profile& wanted = profiles()[profile];
    for (std::size_t card = 0; card < 2; ++card) {
      const int processors = state.processors[card] + wanted.multiprocessors[static_cast<std::size_t>(card_)];
      if (processors > multiprocessors(card_)) continue;
      for (const int start : wanted.starts) {
        if ((state.taken[card] & wanted.mask(start)) != 0) continue;
        State then = state;
        then.taken[card] |= wanted.mask(start);
        then.processors[card] = processors;
        Accepted more = accepted;
        count(more, profile);
        Accepted& known = next[then];
        if (more.slices > known.slices) known = more;
      }
    }
  }

  Card card_;
  std::vector<std::size_t> claims_;
};

}  // namespace

std::string_view name_of(Policy policy) {
  switch (policy) {
    case Policy::kFirstFit:
      return "first fit";
    case Policy::kBestFit:
      return "best fit";
    case Policy::kBest:
      return "best";
  }
  return "";
}

Run run(const Load& load, std::uint64_t seed) {
  Random random(seed);
  std::int64_t tickets = 0;
  std::int64_t slices = 0;
  for (std::size_t p = 0; p < kProfiles; ++p) {
    tickets += load.mix[p];
    slices += static_cast<std::int64_t>(load.mix[p]) * profiles()[p].slices;
  }
  // One claim arrives per moment; so many moments does it stay on average that the load is as asked.
  const std::int64_t stay =
      std::max<std::int64_t>(1, std::int64_t{load.percent} * load.cards * kSlices * tickets / (100 * slices));
  struct Arrival {
    std::size_t profile = 0;
    std::int64_t leaves = 0;
  };
  std::vector<Arrival> arrivals;
  for (int i = 0; i < load.arrivals; ++i) {
    const std::size_t profile = draw(random, load.mix);
    arrivals.push_back({.profile = profile, .leaves = i + random.between(1, 2 * stay - 1)});
  }
  Run result{.seed = seed, .asked = {}};
  for (const Policy policy : kPolicies) {
    Player player(policy, load.card, load.cards);
    std::multimap<std::int64_t, Partition> staying;
    for (std::int64_t now = 0; now < load.arrivals; ++now) {
      while (!staying.empty() && staying.begin()->first <= now) {
        player.leave(staying.begin()->second);
        staying.erase(staying.begin());
      }
      const auto [profile, leaves] = arrivals[static_cast<std::size_t>(now)];
      const std::optional<Partition> chosen = player.arrive(profile);
      if (chosen) staying.emplace(leaves, *chosen);
      if (now < 2 * stay) continue;  // the node is filling up
      if (policy == kPolicies.front()) count(result.asked, profile);
      if (chosen) count(result.accepted[static_cast<std::size_t>(policy)], profile);
    }
  }
  return result;
}

SmallWorld small_world(Card card, int claims, std::uint64_t seed) {
  Random random(seed);
  const std::array<int, kProfiles> mix = Load{}.mix;
  std::vector<std::size_t> drawn;
  for (int i = 0; i < claims; ++i) drawn.push_back(draw(random, mix));
  // Up to three small partitions are in use already, wherever they happened to be put.
  std::vector<Partition> before;
  Player scratch(Policy::kBestFit, card, 2);
  for (std::uint64_t i = random.below(4); i > 0; --i) {
    const std::size_t profile = random.below(3);
    const Profile& its = profiles()[profile];
    const Partition partition{.profile = profile,
                              .card = static_cast<int>(random.below(2)),
                              .start = its.starts[random.below(its.starts.size())]};
    if ((scratch.node().taken(partition.card) & its.mask(partition.start)) != 0) continue;
    scratch.take(partition);
    before.push_back(partition);
  }
  std::array<Mask, 2> taken{};
  std::array<int, 2> processors{};
  for (const Partition& one : before) {
    taken[static_cast<std::size_t>(one.card)] |= profiles()[one.profile].mask(one.start);
    processors[static_cast<std::size_t>(one.card)] +=
        profiles()[one.profile].multiprocessors[static_cast<std::size_t>(card)];
  }
  SmallWorld result;
  result.optimum = Optimum(card, drawn).run(taken, processors);
  std::vector<std::size_t> sorted = drawn;
  std::ranges::stable_sort(sorted, std::greater{}, [](std::size_t profile) { return profiles()[profile].slices; });
  for (const Policy policy : kPolicies) {
    for (const bool batch : {false, true}) {
      Player player(policy, card, 2);
      for (const Partition& one : before) player.take(one);
      Accepted& accepted = (batch ? result.batch : result.online)[static_cast<std::size_t>(policy)];
      for (const std::size_t profile : batch ? sorted : drawn) {
        if (player.arrive(profile)) count(accepted, profile);
      }
    }
  }
  return result;
}

}  // namespace berth::sim::mig
