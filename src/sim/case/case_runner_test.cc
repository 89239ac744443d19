#include "sim/case/case_runner.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace berth::sim {
namespace {

constexpr std::string_view kNode =
    "---\napiVersion: v1\nkind: Node\nmetadata: {name: n-1}\nstatus: {allocatable: {cpu: \"64\", pods: \"20000\"}, "
    "conditions: [{type: Ready, status: \"True\"}]}\n";

std::string pod(const std::string& name, const std::string& annotations = "") {
  return "---\napiVersion: v1\nkind: Pod\nmetadata: {name: \"" + name + "\", annotations: {" + annotations +
         "}}\nspec: {containers: [{name: c}]}\n";
}

std::string header(const std::string& more, int running) {
  return "# case: x\n# speaks: [core]\n" + more +
         "# expect:\n# - {ref: \"Pod/*\", running: " + std::to_string(running) + "}\n";
}

// All failures, or the error.
std::string outcome(const std::string& text) {
  const auto result = run_case(text, "x.yaml");
  if (!result) return result.error().to_string();
  std::string out;
  for (const std::string& failure : result->failures) out += failure + "\n";
  return out;
}

TEST(CaseRunner, ManyRepeatedPodsTakeLinearTime) {
  std::string repeat = "# repeat:\n# - {ref: \"Pod/p-{i}\", for: [";
  for (int i = 0; i < 8000; ++i) repeat += std::to_string(i) + ",";
  EXPECT_EQ(outcome(header(repeat + "]}\n", 8000) + std::string(kNode) + pod("p-{i}")), "");
}

TEST(CaseRunner, ADeploymentThatEndsForEverIsCutOffWithASentence) {
  const std::string text = header("# until: 1000000000\n", 1) + std::string(kNode) +
                           "---\napiVersion: apps/v1\nkind: Deployment\nmetadata: {name: d}\nspec: {replicas: 1, "
                           "selector: {matchLabels: {a: "
                           "b}}, template: {metadata: {labels: {a: b}, annotations: {case.test/runs-for: \"1\"}}, "
                           "spec: {containers: [{name: "
                           "c}]}}}\n";
  EXPECT_NE(outcome(text).find("The case is too large: at second"), std::string::npos) << outcome(text);
}

TEST(CaseRunner, PodsOfOneNameAndPodsThatRunForNoTimeAreTold) {
  const std::string twice = outcome(header("", 1) + std::string(kNode) + pod("p") + pod("p"));
  EXPECT_EQ(twice,
            "x.yaml document 3: Pod default/p is made while there is a pod of this name; give each document a name of "
            "its own.");
  const std::string zero = outcome(header("", 1) + std::string(kNode) + pod("p", "case.test/runs-for: \"0\""));
  EXPECT_NE(zero.find("case.test/runs-for has to be 1 or more"), std::string::npos) << zero;
}

TEST(CaseRunner, ADocumentBehindTheEndOfTheCaseIsTold) {
  const std::string late = outcome(header("", 1) + std::string(kNode) + pod("p", "case.test/at: \"61\""));
  EXPECT_EQ(late,
            "x.yaml document 2: It would be made at second 61, but the case ends at second 60; give the case a later "
            "'until'.");
}

TEST(CaseRunner, OneNameForTwoObjectsIsAFaultOfTheFileAndNotOfTheEngine) {
  const std::string world = std::string(kNode) + pod("p");
  EXPECT_NE(outcome(header("# repeat: [{ref: Pod/p, for: [1, 2]}]\n", 2) + world).find("a placeholder such as {i}"),
            std::string::npos);
  EXPECT_NE(outcome(header("# mode: live\n", 2) + world + pod("p")).find("document 3: Pod default/p is made"),
            std::string::npos);
  const std::string group = "---\napiVersion: v1\nkind: Namespace\nmetadata: {name: a, annotations: {case.test/at: '";
  const std::string twice = world + group + "1'}}\n" + group + "9'}}\n";
  EXPECT_NE(outcome(header("", 1) + twice)
                .find("document 4: Namespace a is made while there is one of this name, of "
                      "document 3"),
            std::string::npos)
      << outcome(header("", 1) + twice);
  EXPECT_EQ(outcome(header("# steps: [{at: 5, do: delete, ref: Namespace/a}]\n", 1) + twice), "");
  // One that ended is still there, as in a cluster; one that was deleted is not.
  const std::string again =
      std::string(kNode) + pod("p", "case.test/runs-for: \"5\"") + pod("p", "case.test/at: \"9\"");
  EXPECT_NE(outcome(header("", 1) + again).find("document 3: Pod default/p is made"), std::string::npos);
  EXPECT_EQ(outcome(header("# steps: [{at: 7, do: delete, ref: Pod/p}]\n", 1) + again), "");
}

std::vector<std::string> unspoken(const std::string& header, const std::string& documents) {
  const auto result =
      run_case("# case: x\n" + header + "# expect:\n# - {ref: \"Pod/*\", running: 1" + documents, "x.yaml");
  return result ? result->not_spoken : std::vector<std::string>{result.error().to_string()};
}

TEST(CaseRunner, FileOfKaiThatNeedsMoreThanSharesIsNotSpokenNotWrong) {
  const std::string queue = "---\napiVersion: scheduling.run.ai/v2\nkind: Queue\nmetadata: {name: q}\n";
  const std::string group = "---\napiVersion: scheduling.run.ai/v2alpha2\nkind: PodGroup\nmetadata: {name: g}\n";
  const std::string world = std::string(kNode) + pod("p") + queue;
  using Texts = std::vector<std::string>;
  EXPECT_EQ(unspoken("# speaks: [core, kai]\n", "}\n" + world), Texts{});
  EXPECT_EQ(unspoken("# speaks: [core, kai]\n", "}\n" + world + group), Texts{"scheduling.run.ai/v2alpha2 PodGroup"});
  EXPECT_EQ(unspoken("# speaks: [core, kai]\n", ", evicted: 1}\n" + world), Texts{"kai's evictions"});
  EXPECT_EQ(unspoken("# speaks: [core, grove]\n", "}\n" + world), Texts{"grove"});
}

}  // namespace
}  // namespace berth::sim
