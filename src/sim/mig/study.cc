#include "sim/mig/study.h"

#include <algorithm>
#include <bit>
#include <functional>
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

BatchWorld batch_world(Card card, int cards, int claims, std::uint64_t seed) {
  Random random(seed);
  const std::array<int, kProfiles> mix = Load{}.mix;
  BatchWorld world;
  for (int i = 0; i < claims; ++i) world.claims.push_back(draw(random, mix));
  // Some small partitions are in use already, wherever they happened to be put.
  world.batch.card = card;
  world.batch.cards.resize(static_cast<std::size_t>(cards));
  for (std::uint64_t i = random.below(static_cast<std::uint64_t>(2 * cards)); i > 0; --i) {
    const std::size_t profile = random.below(3);
    const Profile& its = profiles()[profile];
    const Partition partition{.profile = profile,
                              .card = static_cast<int>(random.below(static_cast<std::uint64_t>(cards))),
                              .start = its.starts[random.below(its.starts.size())]};
    UsedCard& used = world.batch.cards[static_cast<std::size_t>(partition.card)];
    const int processors = used.multiprocessors + its.multiprocessors[static_cast<std::size_t>(card)];
    if ((used.slices & its.mask(partition.start)) != 0 || processors > multiprocessors(card)) continue;
    used.slices |= its.mask(partition.start);
    used.multiprocessors = processors;
    world.before.push_back(partition);
  }
  for (const std::size_t profile : world.claims) ++world.batch.claims[profile];
  return world;
}

SmallWorld play(const BatchWorld& world) {
  SmallWorld result;
  std::vector<std::size_t> sorted = world.claims;
  std::ranges::stable_sort(sorted, std::greater{}, [](std::size_t profile) { return profiles()[profile].slices; });
  std::int64_t most = 0;
  for (const Policy policy : kPolicies) {
    for (const bool batch : {false, true}) {
      Player player(policy, world.batch.card, static_cast<int>(world.batch.cards.size()));
      for (const Partition& one : world.before) player.take(one);
      Accepted& accepted = (batch ? result.batch : result.online)[static_cast<std::size_t>(policy)];
      for (const std::size_t profile : batch ? sorted : world.claims) {
        if (player.arrive(profile)) count(accepted, profile);
      }
      most = std::max(most, accepted.slices);
    }
  }
  result.optimum = most_slices(world.batch, most);
  return result;
}

}  // namespace berth::sim::mig
