#include "engine/topology/domain_counts.h"

#include <map>

#include <gtest/gtest.h>

#include "base/random.h"

namespace berth::engine {
namespace {

TEST(DomainCounts, ManyDomainsWithFewPodsTakeNoArray) {
  DomainCounts counts;
  counts.reset(100'000);
  for (std::uint32_t domain = 0; domain < 100; ++domain) counts.set(domain * 7, 3);
  EXPECT_FALSE(counts.is_dense());
  EXPECT_EQ(counts.size(), 100'000U);
  EXPECT_EQ(counts[693], 3);
  EXPECT_EQ(counts[692], 0);
  counts.reset(100);
  EXPECT_TRUE(counts.is_dense());
  EXPECT_EQ(counts[7], 0);
}

TEST(DomainCounts, AreTheSameNumbersInBothForms) {
  Random random(3);
  DomainCounts counts;
  std::map<std::uint32_t, std::int32_t> expected;
  constexpr std::uint32_t kDomains = DomainCounts::kMostDense + 1;
  counts.reset(kDomains);
  bool was_sparse = false;
  for (int i = 0; i < 20'000; ++i) {
    const auto domain = static_cast<std::uint32_t>(random.below(kDomains));
    const auto count = static_cast<std::int32_t>(random.below(4));
    counts.set(domain, count);
    expected[domain] = count;
    was_sparse = was_sparse || !counts.is_dense();
  }
  EXPECT_TRUE(was_sparse);
  EXPECT_TRUE(counts.is_dense());
  for (const auto& [domain, count] : expected) EXPECT_EQ(counts[domain], count) << domain;
}

TEST(DomainCounts, GrowFromNothing) {
  DomainCounts counts;
  counts.reset(0);
  counts.grow(2);
  counts.set(1, 5);
  counts.grow(3);
  EXPECT_EQ(counts[1], 5);
  EXPECT_EQ(counts[2], 0);
  counts.reset(DomainCounts::kMostDense + 5);
  counts.set(3, 1);
  counts.grow(DomainCounts::kMostDense + 9);
  EXPECT_EQ(counts[3], 1);
  EXPECT_EQ(counts[DomainCounts::kMostDense + 8], 0);
}

}  // namespace
}  // namespace berth::engine
