#include "api/selector.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace berth::api {
namespace {

using enum SelectorOperator;

const StringMap kLabels = {{"app", "web"}, {"cards", "8"}, {"empty", ""}, {"example.com/tier", "gold"}};

bool holds(std::string_view key, SelectorOperator op, std::vector<std::string> values) {
  return matches(SelectorRequirement{std::string(key), op, std::move(values)}, kLabels);
}

TEST(Selector, RequirementsHoldAsInTheApi) {
  EXPECT_TRUE(holds("app", kIn, {"db", "web"}));
  EXPECT_FALSE(holds("app", kIn, {"db"}));
  EXPECT_FALSE(holds("none", kIn, {""}));
  EXPECT_TRUE(holds("empty", kIn, {""}));
  EXPECT_FALSE(holds("app", kNotIn, {"web"}));
  EXPECT_TRUE(holds("none", kNotIn, {"web"}));
  EXPECT_TRUE(holds("empty", kExists, {}));
  EXPECT_FALSE(holds("none", kExists, {}));
  EXPECT_TRUE(holds("none", kDoesNotExist, {}));
  EXPECT_TRUE(holds("cards", kGreaterThan, {"7"}));
  EXPECT_FALSE(holds("cards", kGreaterThan, {"8"}));
  EXPECT_TRUE(holds("cards", kLessThan, {"9"}));
  EXPECT_FALSE(holds("app", kGreaterThan, {"1"}));
  EXPECT_FALSE(holds("none", kLessThan, {"1"}));
  EXPECT_FALSE(holds("cards", kLessThan, {"nine"}));
}

TEST(Selector, AllPartsMustHold) {
  EXPECT_TRUE(matches(LabelSelector{}, kLabels));
  EXPECT_TRUE(matches(LabelSelector{{{"app", "web"}}, {{"cards", kExists, {}}}}, kLabels));
  EXPECT_FALSE(matches(LabelSelector{{{"app", "web"}, {"x", "y"}}, {}}, kLabels));
  EXPECT_FALSE(matches(LabelSelector{{}, {{"cards", kGreaterThan, {"1"}}}}, kLabels)) << "Gt is for nodes only";
}

TEST(Selector, ValidatesNames) {
  for (const std::string key : {"a", "A-b_c.9", "example.com/a", "nvidia.com/gpu.product"})
    EXPECT_FALSE(label_key_fault(key)) << key;
  for (const std::string key : {"", "-a", "a-", "a/b/c", "/a", "Example.com/a", "a b", "a/", ".x/a", "x./a"})
    EXPECT_TRUE(label_key_fault(key)) << key;
  EXPECT_FALSE(label_key_fault(std::string(63, 'a')));
  EXPECT_TRUE(label_key_fault(std::string(64, 'a')));
  EXPECT_FALSE(label_value_fault(""));
  EXPECT_FALSE(label_value_fault("Tesla-V100-SXM2-32GB"));
  EXPECT_TRUE(label_value_fault("a b"));
  EXPECT_FALSE(object_name_fault("node-1.example.com"));
  for (const std::string name : {"", "Node", "a..b", "-a", "a-", "a-.b", "a.-b", "a_b"})
    EXPECT_TRUE(object_name_fault(name)) << name;
  EXPECT_FALSE(namespace_fault(std::string(63, 'a')));
  for (const std::string& name : {std::string(64, 'a'), std::string("a.b"), std::string("A"), std::string()})
    EXPECT_TRUE(namespace_fault(name)) << name;
}

TEST(Selector, ValidatesRequirements) {
  EXPECT_FALSE(requirement_fault({"a", kIn, {"x"}}, SelectorScope::kLabels));
  EXPECT_TRUE(requirement_fault({"a", kIn, {}}, SelectorScope::kLabels));
  EXPECT_TRUE(requirement_fault({"a", kExists, {"x"}}, SelectorScope::kLabels));
  EXPECT_TRUE(requirement_fault({"a", kGreaterThan, {"1"}}, SelectorScope::kLabels));
  EXPECT_FALSE(requirement_fault({"a", kGreaterThan, {"1"}}, SelectorScope::kNodes));
  EXPECT_TRUE(requirement_fault({"a", kGreaterThan, {"1", "2"}}, SelectorScope::kNodes));
  EXPECT_TRUE(requirement_fault({"a", kLessThan, {"x"}}, SelectorScope::kNodes));
  EXPECT_TRUE(requirement_fault({"a b", kIn, {"x"}}, SelectorScope::kNodes));
  EXPECT_TRUE(requirement_fault({"a", kIn, {"x y"}}, SelectorScope::kLabels));
}

TEST(Selector, AFieldIsComparedWithOneName) {
  EXPECT_FALSE(requirement_fault({"metadata.name", kIn, {"n-1"}}, SelectorScope::kNodeFields));
  EXPECT_TRUE(requirement_fault({"metadata.name", kIn, {"n-1", "n-2"}}, SelectorScope::kNodeFields));
  EXPECT_TRUE(requirement_fault({"metadata.name", kIn, {}}, SelectorScope::kNodeFields));
  EXPECT_TRUE(requirement_fault({"metadata.name", kIn, {"N 1"}}, SelectorScope::kNodeFields));
  EXPECT_TRUE(requirement_fault({"metadata.name", kExists, {}}, SelectorScope::kNodeFields));
  EXPECT_TRUE(requirement_fault({"metadata.uid", kIn, {"n-1"}}, SelectorScope::kNodeFields));
}

}  // namespace
}  // namespace berth::api
