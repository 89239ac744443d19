// api::Quantity against resource.Quantity of the API machinery, string by string.
#include "api/quantity.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <string>

#include "support/source_directory.h"
#include "text/input.h"
#include "text/json_reader.h"

namespace berth {
namespace {

// Beyond this many units upstream's thousandths no longer fit its int64 and wrap; Berth's stay at the end.
constexpr std::int64_t kMostWithMilli = 9'223'372'036'854'775;

void compare(const text::Value& line) {
  const std::string written(line.find("text")->text());
  const Result<api::Quantity> quantity = api::Quantity::parse(written);
  if (line.find("error") != nullptr) {
    EXPECT_FALSE(quantity) << '"' << written << "\" is no quantity upstream, but here it is " << quantity->to_string();
    return;
  }
  if (line.find("outOfRange") != nullptr) {
    // Upstream caps or wraps without a word. Here it is an error from 2^63 on; a fraction below that rounds to the end.
    if (quantity) {
      EXPECT_EQ(quantity->value(), std::numeric_limits<std::int64_t>::max()) << '"' << written << '"';
    } else {
      EXPECT_EQ(quantity.error().code, ErrorCode::kOverflow) << quantity.error().to_string();
    }
    return;
  }
  const std::string number = written.substr(0, written.find_first_not_of("+-.0123456789"));
  if (number.find_first_of("0123456789") == std::string::npos) {
    EXPECT_FALSE(quantity) << "a suffix alone is zero upstream and a mistake here: \"" << written << '"';
    return;
  }
  ASSERT_TRUE(quantity) << '"' << written << "\": " << quantity.error().to_string();
  // Upstream rounds some negative amounts to positive ones (docs/differences.md); no resource is negative.
  if (!quantity->is_negative()) {
    const std::int64_t value = *line.find("value")->as_int64();
    EXPECT_EQ(quantity->value(), value) << '"' << written << '"';
    if (value <= kMostWithMilli) {
      EXPECT_EQ(quantity->milli_value(), *line.find("milli")->as_int64()) << '"' << written << '"';
    }
  }
  // The canonical form upstream keeps a plus sign, and what was written where that was canonical already; so compare
  // what it means.
  const Result<api::Quantity> canonical = api::Quantity::parse(line.find("canonical")->text());
  ASSERT_TRUE(canonical) << '"' << written << '"';
  EXPECT_EQ(*canonical, *quantity) << '"' << written << '"';
}

TEST(OracleQuantity, ReadsEveryStringAsUpstreamDoes) {
  const Result<std::string> content =
      text::read_file(std::string(support::source_directory()) + "/tests/oracle/data/quantities-seed-1.jsonl");
  ASSERT_TRUE(content) << content.error().to_string();
  std::string_view rest = *content;
  int compared = 0;
  while (!rest.empty()) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(rest.size(), line.size() + 1));
    const Result<text::Document> document = text::parse_json(line);
    ASSERT_TRUE(document) << document.error().to_string();
    if (document->root().find("header") != nullptr) continue;
    compare(document->root());
    ++compared;
  }
  EXPECT_GE(compared, 1000);
}

}  // namespace
}  // namespace berth
