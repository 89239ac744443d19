#include "base/result.h"

#include <gtest/gtest.h>

namespace berth {
namespace {

Result<int> half(int value) {
  if (value % 2 != 0) return fail(ErrorCode::kInvalid, "the number is odd");
  return value / 2;
}

Result<int> quarter(int value) {
  BERTH_TRY(const int once, half(value));
  BERTH_TRY(const int twice, half(once));
  return twice;
}

TEST(Result, TryPassesTheValueOrTheError) {
  EXPECT_EQ(quarter(12).value(), 3);
  EXPECT_EQ(quarter(6).error().message, "the number is odd");
}

TEST(Place, LeavesOutWhatIsUnknown) {
  const Place place{.file = "pods.yaml", .document = 3, .object = "Pod a/b", .field = "spec.priority"};
  EXPECT_EQ(place.to_string(), "pods.yaml document 3: Pod a/b: spec.priority");
  EXPECT_EQ((Error{ErrorCode::kInvalid, "Too large.", place}).to_string(),
            "pods.yaml document 3: Pod a/b: spec.priority: Too large.");
  EXPECT_EQ((Error{ErrorCode::kInvalid, "Too large.", {}}).to_string(), "Too large.");
}

}  // namespace
}  // namespace berth
