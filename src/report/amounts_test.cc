#include "report/amounts.h"

#include <gtest/gtest.h>

namespace berth::report {
namespace {

TEST(Amounts, BytesAreExactWhereThatIsShort) {
  EXPECT_EQ(bytes_text(0, Rounding::kDown), "0");
  EXPECT_EQ(bytes_text(512, Rounding::kDown), "512");
  EXPECT_EQ(bytes_text(std::int64_t{64} << 30, Rounding::kUp), "64Gi");
  EXPECT_EQ(bytes_text(std::int64_t{512} << 20, Rounding::kUp), "512Mi");
  EXPECT_EQ(bytes_text(std::int64_t{1536} << 20, Rounding::kUp), "1536Mi");
  EXPECT_EQ(bytes_text(-(std::int64_t{1} << 30), Rounding::kDown), "-1Gi");
}

TEST(Amounts, RoundedBytesNeverFlatter) {
  const std::int64_t odd = (std::int64_t{12} << 30) + 1;
  EXPECT_EQ(bytes_text(odd, Rounding::kDown), "12Gi");
  EXPECT_EQ(bytes_text(odd, Rounding::kUp), "12.1Gi");
  EXPECT_EQ(bytes_text((std::int64_t{1} << 60) + 12345, Rounding::kDown), "1Ei");
  EXPECT_EQ(bytes_text(std::numeric_limits<std::int64_t>::max(), Rounding::kDown), "7.9Ei");
}

TEST(Amounts, CardsAndCpusAreInThousandths) {
  engine::Names names;
  const engine::ResourceId gpu = names.resources.intern("nvidia.com/gpu");
  const engine::ResourceId slice = names.resources.intern("nvidia.com/mig-1g.10gb");
  EXPECT_EQ(amount_text(names, gpu, true, 8000, Rounding::kUp), "8 GPUs");
  EXPECT_EQ(amount_text(names, gpu, true, 1000, Rounding::kUp), "1 GPU");
  EXPECT_EQ(amount_text(names, gpu, true, 0, Rounding::kDown), "0 GPUs");
  EXPECT_EQ(amount_text(names, gpu, true, 250, Rounding::kUp), "0.25 GPU");
  EXPECT_EQ(amount_text(names, slice, true, 2000, Rounding::kUp), "2 nvidia.com/mig-1g.10gb");
  EXPECT_EQ(amount_text(names, engine::kCpu, false, 2500, Rounding::kUp), "2.5 CPUs");
  EXPECT_EQ(amount_text(names, engine::kMemory, false, std::int64_t{4} << 30, Rounding::kUp), "4Gi memory");
  EXPECT_EQ(amount_text(names, engine::kPods, false, 1, Rounding::kUp), "1 pod slot");
}

// A share by memory was told as no card, and half of each of two as one.
TEST(Amounts, SharesOfCardsAreToldAsTheyAreAsked) {
  engine::Names names;
  engine::CardRequest request;
  request.resource = names.resources.intern("nvidia.com/gpu");
  request.count = 2;
  EXPECT_EQ(cards_text(names, request), "2 GPUs");
  request.milli = 500;
  EXPECT_EQ(cards_text(names, request), "0.5 of each of 2 GPUs");
  request.count = 1;
  EXPECT_EQ(cards_text(names, request), "0.5 GPU");
  request.milli = 333;
  request.millionths = 400'000;
  EXPECT_EQ(cards_text(names, request), "0.3334 GPU") << "not 0.333, of which three fit";
  request.millionths = 0;
  request.milli = 500;
  request.memory_bytes = std::int64_t{3000} << 20;
  EXPECT_EQ(cards_text(names, request), "0.5 and 3000Mi of a GPU");
  request.milli = 0;
  EXPECT_EQ(cards_text(names, request), "3000Mi of a GPU");
  request.count = 2;
  EXPECT_EQ(cards_text(names, request), "3000Mi of each of 2 GPUs");
}

}  // namespace
}  // namespace berth::report
