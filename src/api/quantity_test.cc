#include "api/quantity.h"

#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <vector>

#include "base/random.h"

namespace berth::api {
namespace {

std::string canonical(std::string_view text) {
  const auto quantity = Quantity::parse(text);
  return quantity ? quantity->to_string() : quantity.error().message;
}

struct Form {
  std::string text;
  std::string canonical;
  std::int64_t value;
  std::int64_t milli;
};

TEST(Quantity, ReadsEveryFormOfTheApi) {
  const std::vector<Form> forms = {
      {"0", "0", 0, 0},
      {"00", "0", 0, 0},
      {"0Ki", "0", 0, 0},
      {"-0", "0", 0, 0},
      {"1", "1", 1, 1000},
      {"+1", "1", 1, 1000},
      {"-1", "-1", -1, -1000},
      {"0.5", "500m", 1, 500},
      {".5", "500m", 1, 500},
      {"5.", "5", 5, 5000},
      {"62.5Ki", "64000", 64000, 64000000},
      {"5.Ki", "5Ki", 5120, 5120000},
      {"100m", "100m", 1, 100},
      {"1500m", "1500m", 2, 1500},
      {"1080000000n", "1080m", 2, 1080},
      {"1.08", "1080m", 2, 1080},
      {"1u", "1u", 1, 1},
      {"1n", "1n", 1, 1},
      {"-1500m", "-1500m", -1, -1500},
      {"1k", "1k", 1000, 1000000},
      {"1000", "1k", 1000, 1000000},
      {"1M", "1M", 1000000, 1000000000},
      {"0.001T", "1G", 1000000000, 1000000000000},
      {"1000M", "1G", 1000000000, 1000000000000},
      {"1234567M", "1234567M", 1234567000000, 1234567000000000},
      {"9E", "9E", 9000000000000000000, std::numeric_limits<std::int64_t>::max()},
      {"1Ki", "1Ki", 1024, 1024000},
      {"1.5Gi", "1536Mi", 1610612736, 1610612736000},
      {"307200Ki", "300Mi", 314572800, 314572800000},
      {"1024Gi", "1Ti", 1099511627776, 1099511627776000},
      {"7Ei", "7Ei", 8070450532247928832, std::numeric_limits<std::int64_t>::max()},
      {"0.5Ki", "512", 512, 512000},
      {"0.0001Ki", "102400u", 1, 103},
      {"1.1Ki", "1126400m", 1127, 1126400},
      {"1e3", "1e3", 1000, 1000000},
      {"1E3", "1e3", 1000, 1000000},
      {"1e+3", "1e3", 1000, 1000000},
      {".001e12", "1e9", 1000000000, 1000000000000},
      {"1e2", "100", 100, 100000},
      {"1e-3", "1e-3", 1, 1},
      {"1000e-12", "1e-9", 1, 1},
      {"12e6", "12e6", 12000000, 12000000000},
      {"1E", "1E", 1000000000000000000, std::numeric_limits<std::int64_t>::max()},
      {"1234567890123456789", "1234567890123456789", 1234567890123456789, std::numeric_limits<std::int64_t>::max()},
  };
  for (const Form& form : forms) {
    const auto quantity = Quantity::parse(form.text);
    ASSERT_TRUE(quantity) << form.text << ": " << quantity.error().message;
    EXPECT_EQ(quantity->to_string(), form.canonical) << form.text;
    EXPECT_EQ(quantity->value(), form.value) << form.text;
    EXPECT_EQ(quantity->milli_value(), form.milli) << form.text;
    EXPECT_EQ(*Quantity::parse(quantity->to_string()), *quantity) << form.text;
  }
}

TEST(Quantity, RoundsUpBelowNano) {
  EXPECT_EQ(canonical("0.1n"), "1n");
  EXPECT_EQ(canonical("-0.1n"), "-1n");
  EXPECT_EQ(canonical("1.0000000001"), "1000000001n");
  EXPECT_EQ(canonical("1e-100"), "1e-9");
  EXPECT_EQ(canonical("1e-99999999999999999999"), "1e-9");
  EXPECT_EQ(canonical("0.00000000000000000000000000001"), "1n");
  EXPECT_EQ(canonical("1.00000000000000000000000000000000000001Ki"), "1024000000001n");
  EXPECT_EQ(canonical("0." + std::string(5000, '0') + "Mi"), "0");
}

TEST(Quantity, RefusesWhatTheGrammarDoesNotHave) {
  for (const std::string text :
       {"",     "-",    "+",      ".",       "k",   "Ki",  "1.1.M", "1+1.0M", "0.1mi", "0.1am", "aoeu",
        ".5i",  "1i",   "-3.01i", "-3.01e-", " 1",  "1 ",  "1ki",   "1KI",    "1mm",   "1e",    "1e+",
        "1e1k", "1Kik", "1?",     "0x1",     "1,5", "--1", "1_0",   "1 Ki",   "NaN",   "1K"}) {
    const auto quantity = Quantity::parse(text);
    ASSERT_FALSE(quantity) << text;
    EXPECT_EQ(quantity.error().code, ErrorCode::kSyntax) << text;
  }
}

TEST(Quantity, OverflowIsAnError) {
  EXPECT_EQ(canonical("9223372036854775807"), "9223372036854775807");
  EXPECT_EQ(canonical("9223372036854775807.999999999"), "9223372036854775807999999999n");
  for (const std::string text :
       {"9223372036854775808", "9223372036854775807.9999999999", "-9223372036854775808", "8Ei", "10E", "1e19",
        "1e99999999999999999999", "99999999999999999999999999999999999999999999", "9223372036854775807Ki"}) {
    const auto quantity = Quantity::parse(text);
    ASSERT_FALSE(quantity) << text;
    EXPECT_EQ(quantity.error().code, ErrorCode::kOverflow) << text;
  }
  EXPECT_FALSE(Quantity::from_units(INT64_MAX).plus(Quantity::from_units(1)));
  EXPECT_FALSE(Quantity::from_units(-INT64_MAX).plus(Quantity::from_units(-1)));
}

TEST(Quantity, AddsExactly) {
  const Quantity tenth = *Quantity::parse("100m");
  Quantity sum;
  for (int i = 0; i < 10; ++i) sum = *sum.plus(tenth);
  EXPECT_EQ(sum, Quantity::from_units(1));
  EXPECT_EQ(sum.to_string(), "1");
  EXPECT_EQ(Quantity().plus(*Quantity::parse("1Gi"))->to_string(), "1Gi");
  EXPECT_EQ(Quantity::parse("1Gi")->plus(*Quantity::parse("-512Mi"))->to_string(), "512Mi");
  EXPECT_EQ(Quantity::parse("1Gi")->plus(*Quantity::parse("-1m"))->to_string(), "1073741823999m");
  EXPECT_LT(*Quantity::parse("999m"), *Quantity::parse("1"));
  EXPECT_EQ(*Quantity::parse("1024"), *Quantity::parse("1Ki"));
}

// What is printed reads back as the same amount, and is stable from the second time on: a binary amount without a
// binary suffix reads back as a decimal (62.5Ki is printed as 64000, and that as 64k), as it does upstream.
TEST(Quantity, RandomAmountsReadBack) {
  Random random(3);
  const std::vector<std::string> suffixes = {"", "n", "u", "m", "k", "M", "G", "Ki", "Mi", "Gi", "e3", "e-3", "E2"};
  for (int round = 0; round < 20000; ++round) {
    std::string text = random.chance(1, 4) ? "-" : "";
    text += std::to_string(random.below(std::uint64_t{1} << random.below(33)));
    if (random.chance(1, 2)) text += "." + std::to_string(random.below(1000000));
    text += suffixes[static_cast<std::size_t>(random.below(suffixes.size()))];
    const auto quantity = Quantity::parse(text);
    ASSERT_TRUE(quantity) << text;
    const std::string printed = quantity->to_string();
    const auto again = Quantity::parse(printed);
    ASSERT_TRUE(again) << text << " " << printed;
    EXPECT_EQ(*again, *quantity) << text;
    EXPECT_EQ(canonical(again->to_string()), again->to_string()) << text;
  }
}

}  // namespace
}  // namespace berth::api
