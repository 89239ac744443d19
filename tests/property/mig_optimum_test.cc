// How much of what is possible best mode accepts, when all claims for partitions are there at once: against the exact
// optimum, and that against a second judge, the solver CBC, which is asked the same as an integer program.
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "sim/mig/study.h"
#include "support/long_run.h"

namespace berth::sim::mig {
namespace {

// Eight cards, and claims for 65 to 160 % of their memory.
BatchWorld world_of(int seed) {
  return batch_world(seed % 2 == 0 ? Card::kA100 : Card::kH100, 8, 16 + seed % 25, static_cast<std::uint64_t>(seed));
}

// In sum, on average over the worlds, and in nearly each of them; the worst is printed.
TEST(MigOptimum, BestModeIsWithinTwoPercent) {
  const int worlds = support::count_of_worlds(60, 5000);
  std::int64_t optimum = 0;
  std::array<std::int64_t, kPolicies.size()> accepted{};
  double worst = 1;
  int worst_seed = 0;
  double shares = 0;
  int further = 0;
  int exact = 0;
  for (int seed = 1; seed <= worlds; ++seed) {
    const SmallWorld world = play(world_of(seed));
    optimum += world.optimum;
    for (const Policy policy : kPolicies) {
      const std::int64_t slices = world.batch[static_cast<std::size_t>(policy)].slices;
      EXPECT_LE(slices, world.optimum) << "seed " << seed;
      EXPECT_LE(world.online[static_cast<std::size_t>(policy)].slices, world.optimum) << "seed " << seed;
      accepted[static_cast<std::size_t>(policy)] += slices;
    }
    const double share = static_cast<double>(world.batch[static_cast<std::size_t>(Policy::kBest)].slices) /
                         static_cast<double>(world.optimum);
    if (share < worst) worst = share, worst_seed = seed;
    shares += share;
    further += share < 0.98 ? 1 : 0;
    exact += share == 1 ? 1 : 0;
  }
  const std::int64_t best = accepted[static_cast<std::size_t>(Policy::kBest)];
  EXPECT_GE(best * 100, optimum * 98);
  EXPECT_GE(shares, 0.98 * worlds);
  EXPECT_LE(further, worlds / 20);
  EXPECT_GT(best, accepted[static_cast<std::size_t>(Policy::kFirstFit)]);
  fmt::print(
      "{} worlds: best mode has {:.3f} % of the optimum, first fit {:.3f} %, best fit {:.3f} %; all of it in {} "
      "worlds, "
      "less than 98 % in {}, at worst {:.1f} % (seed {})\n",
      worlds, 100.0 * static_cast<double>(best) / static_cast<double>(optimum),
      100.0 * static_cast<double>(accepted[0]) / static_cast<double>(optimum),
      100.0 * static_cast<double>(accepted[1]) / static_cast<double>(optimum), exact, further, 100 * worst, worst_seed);
}

// The batch as an integer program in CPLEX's LP format: a variable per card, profile and start.
std::string program_of(const Batch& batch) {
  struct Variable {
    std::string name;
    std::size_t card = 0;
    std::size_t profile = 0;
    int start = 0;
  };
  std::vector<Variable> all;
  for (std::size_t c = 0; c < batch.cards.size(); ++c) {
    for (std::size_t p = 0; p < kProfiles; ++p) {
      for (const int start : profiles()[p].starts) all.push_back({fmt::format("x_{}_{}_{}", c, p, start), c, p, start});
    }
  }
  // The sum of those that count, each so often; empty if none does.
  const auto sum = [&](auto weight) {
    std::string text;
    for (const Variable& one : all) {
      if (const int times = weight(one); times > 0)
        text += fmt::format("{} {} {}\n", text.empty() ? "" : "+", times, one.name);
    }
    return text;
  };
  std::string out = "Maximize\n obj: " + sum([](const Variable& v) { return profiles()[v.profile].slices; });
  out += "Subject To\n";
  int row = 0;
  const auto at_most = [&](const std::string& text, int limit) {
    if (!text.empty()) out += fmt::format(" r{}: {} <= {}\n", row++, text, limit);
  };
  for (std::size_t c = 0; c < batch.cards.size(); ++c) {
    const UsedCard& card = batch.cards[c];
    for (int slice = 0; slice < kSlices; ++slice) {
      at_most(sum([&](const Variable& v) {
                return v.card == c && (profiles()[v.profile].mask(v.start) >> static_cast<unsigned>(slice) & 1U) != 0
                           ? 1
                           : 0;
              }),
              (card.slices >> static_cast<unsigned>(slice) & 1U) != 0 ? 0 : 1);
    }
    at_most(sum([&](const Variable& v) {
              return v.card == c ? profiles()[v.profile].multiprocessors[static_cast<std::size_t>(batch.card)] : 0;
            }),
            multiprocessors(batch.card) - card.multiprocessors);
  }
  for (std::size_t p = 0; p < kProfiles; ++p)
    at_most(sum([&](const Variable& v) { return v.profile == p ? 1 : 0; }), batch.claims[p]);
  out += "Binary\n";
  for (const Variable& one : all) out += ' ' + one.name + '\n';
  return out + "End\n";
}

int run(const std::string& command) {
  return std::system(command.c_str());  // NOLINT(concurrency-mt-unsafe,cert-env33-c): tests have one thread here
}

// What CBC calls optimal, or nothing if it finds none.
std::optional<std::int64_t> judged_by_cbc(const Batch& batch, const std::filesystem::path& folder) {
  std::ofstream(folder / "batch.lp") << program_of(batch);
  const std::string in = (folder / "batch.lp").string();
  const std::string out = (folder / "answer").string();
  std::filesystem::remove(out);
  if (run("cbc '" + in + "' solve solu '" + out + "' >/dev/null 2>&1") != 0) return std::nullopt;
  std::ifstream answer(out);
  std::string line;
  std::getline(answer, line);
  constexpr std::string_view kOptimal = "Optimal - objective value ";
  if (!line.starts_with(kOptimal)) return std::nullopt;
  return std::lround(std::abs(std::stod(line.substr(kOptimal.size()))));
}

TEST(MigOptimum, CbcFindsTheSame) {
  if (run("command -v cbc >/dev/null 2>&1") != 0)
    GTEST_SKIP() << "The second judge is missing: install Debian's coinor-cbc (tools/setup check does).";
  const std::filesystem::path folder =
      std::filesystem::path(testing::TempDir()) / fmt::format("berth-cbc-{}", getpid());
  std::filesystem::create_directories(folder);
  const int worlds = support::count_of_worlds(8, 200);
  for (int seed = 1; seed <= worlds; ++seed) {
    const BatchWorld world = world_of(seed);
    EXPECT_EQ(judged_by_cbc(world.batch, folder), most_slices(world.batch)) << "seed " << seed;
  }
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace berth::sim::mig
