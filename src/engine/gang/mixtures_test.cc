// Mixtures against exhaustion: the same yes or no, and a no by weights only where there is none.
#include "engine/gang/mixtures.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <vector>

#include "base/random.h"
#include "engine/gang/mixture_weights.h"

namespace berth::engine {
namespace {

struct Sizes {
  std::vector<std::vector<std::int64_t>> items;   // what a pod of each takes
  std::vector<std::vector<std::int64_t>> states;  // what a node of each has
};

bool fits(const Sizes& sizes, std::size_t state, const std::vector<std::int32_t>& pods) {
  for (std::size_t r = 0; r < sizes.states[state].size(); ++r) {
    std::int64_t asked = 0;
    for (std::size_t i = 0; i < pods.size(); ++i) asked += pods[i] * sizes.items[i][r];
    if (asked > sizes.states[state][r]) return false;
  }
  return true;
}

void list(const Sizes& sizes, const std::vector<std::int32_t>& wanted, std::size_t state, std::size_t item,
          std::vector<std::int32_t>& pods, std::vector<Mixture>& out) {
  if (item < wanted.size()) {
    for (pods[item] = 0; pods[item] <= wanted[item] && fits(sizes, state, pods); ++pods[item])
      list(sizes, wanted, state, item + 1, pods, out);
    pods[item] = 0;
    return;
  }
  Mixture mixture{.pods = pods};
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    std::vector<std::int32_t> more = pods;
    if (++more[i] <= wanted[i] && fits(sizes, state, more)) mixture.more |= std::uint64_t{1} << i;
  }
  out.push_back(std::move(mixture));
}

MixtureProblem random_problem(Random& random) {
  MixtureProblem problem;
  Sizes sizes;
  for (std::int64_t i = random.between(1, 3); i > 0; --i) {
    sizes.items.push_back({random.between(1, 3), random.between(0, 3)});
    problem.wanted.push_back(static_cast<std::int32_t>(random.between(0, 3)));
  }
  for (std::int64_t i = random.between(1, 2); i > 0; --i)
    sizes.states.push_back({random.between(0, 5), random.between(0, 5)});
  for (std::size_t s = 0; s < sizes.states.size(); ++s) {
    std::vector<std::int32_t> pods(problem.wanted.size(), 0);
    list(sizes, problem.wanted, s, 0, pods, problem.states.emplace_back());
  }
  for (std::int64_t i = random.between(1, 4); i > 0; --i)
    problem.sites.push_back(static_cast<std::uint32_t>(random.below(problem.states.size())));
  if (random.chance(1, 2)) {
    SlicedItems sliced{.items = 1, .size = static_cast<std::int32_t>(random.between(1, 3)), .domains = {}};
    if (problem.wanted.size() > 1 && random.chance(1, 2)) sliced.items = 3;
    std::uint32_t domain = 0;
    for (std::size_t i = 0; i < problem.sites.size(); ++i)
      sliced.domains.push_back(domain += random.chance(1, 2) ? 1 : 0);
    problem.sliced.push_back(sliced);
  }
  return problem;
}

bool slices_are_whole(const MixtureProblem& problem, const std::vector<std::uint32_t>& chosen) {
  return std::ranges::all_of(problem.sliced, [&](const SlicedItems& sliced) {
    std::map<std::uint32_t, std::int32_t> pods;
    std::int32_t all = 0;
    for (std::size_t site = 0; site < chosen.size(); ++site) {
      const Mixture& mixture = problem.states[problem.sites[site]][chosen[site]];
      for (std::size_t i = 0; i < mixture.pods.size(); ++i) {
        if (((sliced.items >> i) & 1U) == 0) continue;
        pods[sliced.domains[site]] += mixture.pods[i];
        all += mixture.pods[i];
      }
    }
    std::int32_t whole = 0;
    for (const auto& [domain, here] : pods) whole += here / sliced.size;
    return whole == all / sliced.size;
  });
}

bool places_all(const MixtureProblem& problem, const std::vector<std::uint32_t>& chosen) {
  std::vector<std::int32_t> pods(problem.wanted.size(), 0);
  for (std::size_t site = 0; site < chosen.size(); ++site) {
    const Mixture& mixture = problem.states[problem.sites[site]][chosen[site]];
    for (std::size_t i = 0; i < pods.size(); ++i) pods[i] += mixture.pods[i];
  }
  return pods == problem.wanted;
}

bool exists(const MixtureProblem& problem, std::vector<std::uint32_t>& chosen) {
  if (chosen.size() == problem.sites.size()) return places_all(problem, chosen) && slices_are_whole(problem, chosen);
  const auto mixtures = static_cast<std::uint32_t>(problem.states[problem.sites[chosen.size()]].size());
  for (std::uint32_t place = 0; place < mixtures; ++place) {
    chosen.push_back(place);
    if (exists(problem, chosen)) return true;
    chosen.pop_back();
  }
  return false;
}

TEST(Mixtures, AreFoundExactlyWhereSomeAddUp) {
  Random random(41);
  int found = 0;
  int none = 0;
  int excluded = 0;
  for (int i = 0; i < 3000; ++i) {
    const MixtureProblem problem = random_problem(random);
    std::vector<std::uint32_t> some;
    const bool possible = exists(problem, some);
    const MixtureAnswer answer = find_mixtures(problem, 1'000'000);
    ASSERT_EQ(answer.outcome, possible ? MixtureOutcome::kFound : MixtureOutcome::kNone) << "problem " << i;
    if (excluding_weights(problem)) {
      ASSERT_FALSE(possible) << "problem " << i;
      ++excluded;
    }
    ++(possible ? found : none);
    if (!possible) continue;
    ASSERT_TRUE(places_all(problem, answer.chosen) && slices_are_whole(problem, answer.chosen)) << "problem " << i;
  }
  EXPECT_GT(found, 500);
  EXPECT_GT(none, 500);
  EXPECT_GT(excluded, 300);
}

// Nodes of seven cores for pods of two: three on each. The sums say that ten nodes have room for 35.
TEST(Mixtures, WeightsSeeWhatIsLeftOverOnEachNode) {
  const Sizes sizes{.items = {{2}, {3}}, .states = {{7}}};
  MixtureProblem problem{
      .wanted = {22, 8}, .states = {}, .sites = std::vector<std::uint32_t>(10, 0), .sliced = {}, .hints = {{2, 3}}};
  std::vector<std::int32_t> pods(2, 0);
  list(sizes, problem.wanted, 0, 0, pods, problem.states.emplace_back());
  EXPECT_FALSE(excluding_weights(problem));  // 2 + 2 + 3 on eight nodes, 2 + 2 + 2 on two
  problem.wanted = {23, 8};                  // 70 cores of 70, and no mixture of twos alone has seven
  problem.states.clear();
  list(sizes, problem.wanted, 0, 0, pods, problem.states.emplace_back());
  EXPECT_TRUE(excluding_weights(problem));
  EXPECT_EQ(find_mixtures(problem, 10).outcome, MixtureOutcome::kNone);
}

TEST(Mixtures, SayWhenTheyGiveUp) {
  const Sizes sizes{.items = {{2}, {3}}, .states = {{7}}};
  MixtureProblem problem{
      .wanted = {22, 8}, .states = {}, .sites = std::vector<std::uint32_t>(10, 0), .sliced = {}, .hints = {}};
  std::vector<std::int32_t> pods(2, 0);
  list(sizes, problem.wanted, 0, 0, pods, problem.states.emplace_back());
  EXPECT_EQ(find_mixtures(problem, 3).outcome, MixtureOutcome::kGaveUp);
}

}  // namespace
}  // namespace berth::engine
