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
    EXPECT_NE(file.error().to_string().find("from 0 to 1000000000"), std::string::npos) << until;
  }
}

TEST(CaseFile, AByteOrderMarkLosesNoLine) {
  const auto file = parse_case_file("\xef\xbb\xbf" + std::string(kCase), "x.yaml");
  ASSERT_TRUE(file) << file.error().to_string();
  EXPECT_EQ(file->name, "01-x");
}

TEST(CaseFile, ADocumentWithoutAMarkerBehindTheHeaderIsNotLost) {
  const auto file = parse_case_file(
      "# speaks: [core]\n# expect:\n# - {ref: Pod/a, running: 1}\n\nkind: Pod\nmetadata: {name: a}\n", "x.yaml");
  ASSERT_TRUE(file) << file.error().to_string();
  EXPECT_EQ(file->documents.size(), 1U);
}

TEST(CaseFile, WhatCannotBeMeantIsRefusedWithItsPlace) {
  const std::string text(kCase);
  const auto says = [&](std::string_view from, std::string_view to, std::string_view place, std::string_view sentence) {
    const std::string error = failure(text, from, to);
    EXPECT_NE(error.find(place), std::string::npos) << error;
    EXPECT_NE(error.find(sentence), std::string::npos) << error;
  };
  const std::string_view step = "{at: 5, do: cordon, ref: Node/a}";
  says(step, "{at: -5, do: cordon, ref: Node/a}", "x.yaml line 9: steps[0].at", "'-5' is no whole number from 0");
  says(step, "{at: -5, do: cordon, ref: Node/a}", "steps[0].at", "correct it");
  says(step, "{at: 99999999999999999999, do: cordon, ref: Node/a}", "steps[0].at", "'99999999999999999999' is no");
  says(step, "{at: 91, do: cordon, ref: Node/a}", "steps[0].at", "ends at second 90");
  says(step, "{at: 5, do: taint, ref: Node/a, taint: \"=\"}", "steps[0].taint", "'=' is no taint");
  says(step, "{at: 5, do: taint, ref: Node/a, taint: \"a=b:Never\"}", "steps[0].taint", "is no taint");
  says(step, "{at: 5, do: cordon, ref: Node/a, taint: \"a=b:NoExecute\"}", "steps[0]", "takes no taint");
  says(step, "{at: 5, do: cordon, ref: Pod/p-1}", "steps[0]", "is for nodes");
  says(step, "{at: 5, do: delete, ref: Node/c}", "steps[0].ref", "Nothing in this file is or makes Node/c");
  says(step, "{at: 5, do: restart-scheduler, ref: Node/a}", "steps[0]", "takes no ref");
  says("running: 2", "running: -1", "expect[0].running", "'-1' is no whole number from 0 on");
  says("{zone: {x: 1}}", "{zone: {x: -1}}", "expect[0].per.zone.x", "'-1'");
  says("Pod/p-*\", running: 2", "Pod/q-*\", running: 2", "expect[0].ref", "did you mean Pod/p-1?");
  says("for: [1, 2]", "for: [[1], 2]", "repeat[1].for", "a text, or a map");
}

TEST(CaseFile, AnEmptyCheckThatCouldNotFailIsRefused) {
  for (const char* check : {"mention: []", "mention: ['']", "reason: []", "conditions: []", "devices: []", "per: {}",
                            "per: {x: {}}", "same: ''", "different: ''", "on: []"}) {
    const std::string error =
        failure(std::string(kCase), "running: 2, on: [a, b], per: {zone: {x: 1}}, mention: [needs 6, 7]", check);
    EXPECT_NE(error.find("could not fail"), std::string::npos) << check << ": " << error;
    EXPECT_NE(error.find("x.yaml line 13: expect[0]."), std::string::npos) << check << ": " << error;
  }
}

TEST(CaseFile, AClassOfReasonsThatDoesNotExistIsRefused) {
  const std::string error =
      failure(std::string(kCase), "running: 2", "running: 1, pending: 1, reason: [Bussy, NeverFits]");
  EXPECT_NE(error.find("'Bussy' is no class of reasons; write NeverFits, Busy"), std::string::npos) << error;
}

TEST(CaseFile, WhatAControllerMakesMayBeNamed) {
  const auto parse = [](std::string_view ref) {
    return parse_case_file("# speaks: [core]\n# expect:\n# - {ref: \"" + std::string(ref) +
                               "\", running: 1}\n---\nkind: Deployment\nmetadata: {name: web}\n---\nkind: "
                               "StatefulSet\nmetadata: {name: db}\n",
                           "x");
  };
  for (const char* ref : {"Deployment/web", "Pod/web-*", "Pod/*", "Pod/db-0", "ReplicaSet/web-7d9", "Deployment/w*"})
    EXPECT_TRUE(parse(ref)) << ref;
  for (const char* ref : {"Pod/web", "Pod/wbe-*", "Deployment/web-1", "Node/web-1", "Job/cron-1"})
    EXPECT_FALSE(parse(ref)) << ref;
}

TEST(CaseFile, ManyRepeatsAreRefusedAndFillingIsLinear) {
  std::string text =
      "# speaks: [core]\n# expect:\n# - {ref: \"Pod/*\", running: 1}\n# repeat:\n# - {ref: \"Pod/p-{i}\", for: [";
  for (int i = 0; i < 30000; ++i) text += std::to_string(i) + ",";
  text += "]}\n---\nkind: Pod\nmetadata: {name: \"p-{i}\"}\n";
  const auto file = parse_case_file(text, "x");
  ASSERT_FALSE(file);
  EXPECT_NE(file.error().to_string().find("more than 20000 documents"), std::string::npos) << file.error().to_string();
}

TEST(CaseFile, AShortDocumentThatRepeatsALongTextManyTimesIsRefusedBeforeItIsFilledIn) {
  const auto write = [](int times) {
    std::string text =
        "# speaks: [core]\n# expect:\n# - {ref: \"Pod/*\", running: 1}\n# repeat:\n# - {ref: Pod/p, for: [\"" +
        std::string(1U << 20U, 'x') + "\"]}\n---\nkind: Pod\nmetadata: {name: p, annotations: {a: \"";
    for (int i = 0; i < times; ++i) text += "{i}";
    return text + "\"}}\n";
  };
  EXPECT_TRUE(parse_case_file(write(2), "x"));
  const auto file = parse_case_file(write(100'000), "x");
  ASSERT_FALSE(file);
  EXPECT_NE(file.error().to_string().find("or 64 MiB of them"), std::string::npos) << file.error().to_string();
}

}  // namespace
}  // namespace berth::sim
