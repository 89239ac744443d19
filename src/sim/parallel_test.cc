#include "sim/parallel.h"

#include <gtest/gtest.h>

#include <vector>

namespace berth::sim {
namespace {

TEST(Parallel, EveryPartIsDoneOnce) {
  for (const unsigned threads : {1U, 2U, 7U}) {
    std::vector<int> times(1000, 0);
    run_parallel(times.size(), threads, [&](std::size_t i) { ++times[i]; });
    EXPECT_EQ(times, std::vector<int>(1000, 1)) << threads << " threads";
  }
  run_parallel(0, 4, [](std::size_t) { FAIL() << "there is no part"; });
}

TEST(Parallel, DoneIsCountedOneByOne) {
  std::vector<std::size_t> seen;
  const std::function<void(std::size_t)> report = [&](std::size_t done) { seen.push_back(done); };
  DoneCounter done(report);
  run_parallel(100, 4, [&](std::size_t) { done.add_one(); });
  ASSERT_EQ(seen.size(), 100U);
  for (std::size_t i = 0; i < seen.size(); ++i) EXPECT_EQ(seen[i], i + 1);
}

TEST(Parallel, NobodyHasToWatch) {
  const std::function<void(std::size_t)> nobody;
  DoneCounter done(nobody);
  done.add_one();
}

}  // namespace
}  // namespace berth::sim
