#include "report/wakes.h"

#include <gtest/gtest.h>

namespace berth::report {
namespace {

using engine::Reason;
using engine::ReasonClass;

std::vector<Wake> of(ReasonClass reason_class) {
  Reason reason;
  reason.reason_class = reason_class;
  return wakes_of(reason);
}

TEST(Wakes, EveryWaitEndsSomehowAndWhoRunsDoesNotWait) {
  EXPECT_TRUE(of(ReasonClass::kNone).empty());
  for (auto i = static_cast<int>(ReasonClass::kNeverFits); i <= static_cast<int>(ReasonClass::kNotReady); ++i) {
    EXPECT_FALSE(of(static_cast<ReasonClass>(i)).empty()) << i;
    for (const Wake wake : of(static_cast<ReasonClass>(i))) EXPECT_FALSE(name_of(wake).empty());
  }
}

TEST(Wakes, AGangWithoutItsMembersWaitsForThemAndNotForRoom) {
  Reason reason;
  reason.reason_class = ReasonClass::kGangIncomplete;
  reason.workload.required = 8;
  reason.workload.wanting = 7;
  EXPECT_EQ(wakes_of(reason), std::vector{Wake::kMembers});
  reason.workload.wanting = 8;
  EXPECT_EQ(wakes_of(reason), (std::vector{Wake::kRoom, Wake::kNodes}));
}

TEST(Wakes, WhatNoQuotaOfTheQueueAllowsWaitsForTheQueue) {
  Reason reason;
  reason.reason_class = ReasonClass::kNeverFits;
  reason.workload.quota = engine::QuotaBlock{.limit = engine::QuotaBlock::Limit::kCap, .needed = 4, .potential = 3};
  EXPECT_EQ(wakes_of(reason), std::vector{Wake::kQueue});
}

}  // namespace
}  // namespace berth::report
