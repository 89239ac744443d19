#include "sim/case/case_file.h"

#include <gtest/gtest.h>

namespace berth::sim {
namespace {

constexpr std::string_view kCase = R"(# case: 01-x
# title: "A title: with a colon"
# speaks: [core]
# mode: live
# repeat:
# - {ref: "Node/{name}", for: [{name: a, gpus: 2}, {name: b, gpus: 1}]}
# - {ref: "Pod/p-{i}", for: [1, 2]}
# steps:
# - {at: 5, do: cordon, ref: Node/a}
# until: 90
# config: {profile: kube-default}
# expect:
# - {ref: "Pod/p-*", running: 2, on: [a, b], per: {zone: {x: 1}}, mention: [needs 6, 7]}
# never:
# - any pod is evicted
# why: >
#   because
---
kind: Node
metadata: {name: "{name}", labels: {gpus: "{gpus}"}}
---
kind: Pod
metadata: {name: "p-{i}"}
)";

std::string failure(std::string text, std::string_view from, std::string_view to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos);
  text.replace(at, from.size(), to);
  const auto file = parse_case_file(text, "x.yaml");
  EXPECT_FALSE(file);
  return file ? std::string() : file.error().to_string();
}

TEST(CaseFile, ReadsHeaderAndExpandsInFileOrder) {
  const auto file = parse_case_file(kCase, "x.yaml");
  ASSERT_TRUE(file) << file.error().to_string();
  EXPECT_EQ(file->title, "A title: with a colon");
  EXPECT_TRUE(file->live);
  EXPECT_EQ(file->until, 90);
  EXPECT_EQ(file->profile, "kube-default");
  ASSERT_EQ(file->steps.size(), 1U);
  EXPECT_EQ(file->steps[0].action, CaseStep::Action::kCordon);
  ASSERT_EQ(file->expect.size(), 1U);
  EXPECT_EQ(file->expect[0].running, 2);
  EXPECT_EQ(file->expect[0].per.at("zone").at("x"), 1);
  EXPECT_EQ(file->expect[0].mention, (std::vector<std::string>{"needs 6", "7"}));
  ASSERT_EQ(file->documents.size(), 4U);
  EXPECT_NE(file->documents[0].text.find("{name: \"a\", labels: {gpus: \"2\"}}"), std::string::npos);
  EXPECT_NE(file->documents[3].text.find("p-2"), std::string::npos);
  EXPECT_EQ(file->documents[3].number, 2);
}

TEST(CaseFile, NothingUnknownIsPassedOver) {
  const std::string text(kCase);
  EXPECT_NE(failure(text, "running: 2", "runing: 2").find("did you mean running?"), std::string::npos);
  EXPECT_NE(failure(text, "until: 90", "untill: 90").find("did you mean until?"), std::string::npos);
  EXPECT_NE(failure(text, "do: cordon", "do: drain").find("'drain' is no step"), std::string::npos);
  EXPECT_NE(failure(text, "Pod/p-{i}\", for", "Pod/q-{i}\", for").find("repeat names Pod/q-{i}"), std::string::npos);
  EXPECT_NE(failure(text, "mode: live", "mode: dead").find("neither batch nor live"), std::string::npos);
  EXPECT_NE(failure(text, "running: 2", "running: two").find("whole number"), std::string::npos);
  EXPECT_NE(failure(text, "kind: Pod", "sort: Pod").find("document 2"), std::string::npos);
}

TEST(CaseFile, HostileTextIsAnError) {
  EXPECT_FALSE(parse_case_file("", "x"));
  EXPECT_FALSE(parse_case_file("---\nkind: Node\n", "x"));
  EXPECT_FALSE(parse_case_file("# - a\n# - b\n---\n", "x"));
  EXPECT_FALSE(parse_case_file(std::string("\x00\xff\xfe", 3), "x"));
}

TEST(CaseFile, AnEndlessUntilDoesNotHang) {
  for (const char* until : {"9223372036854775807", "-1", "1000000001"}) {
    const auto file = parse_case_file("# until: " + std::string(until) + "\n---\n", "x");
    ASSERT_FALSE(file);
    EXPECT_NE(file.error().to_string().find("1000000000 seconds"), std::string::npos) << until;
  }
}

}  // namespace
}  // namespace berth::sim
