// A case file: one small cluster, what happens to it, and the one right end. Format: docs/cases.md.
//
// The leading comment block, up to the first `---`, is YAML once the leading "# " is removed. The documents behind it
// are Kubernetes objects; those that `repeat` names are expanded here, so that the runner sees plain documents.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/core.h"
#include "api/feature_gates.h"
#include "base/result.h"

namespace berth::sim {

struct CaseStep {
  enum class Action : std::uint8_t { kCordon, kUncordon, kDelete, kRestartScheduler, kTaint, kSetCondition };
  std::int64_t at = 0;  // between 0 and the case's `until`
  Action action = Action::kCordon;
  std::string ref;  // "Kind/name", globs allowed; empty for a restart
  // kTaint: "key=value:Effect" of the step's `taint`, the value may be missing.
  api::Taint taint = {"case.test/tainted", "", api::TaintEffect::kNoSchedule};
  // kSetCondition: of the devices that the claims have, those whose name matches the glob.
  api::Condition condition;  // type and status
  std::string device = "*";
};

struct Expectation {
  std::string ref;  // "Kind/name", globs allowed
  std::optional<std::int64_t> running;
  std::optional<std::int64_t> pending;
  std::optional<std::int64_t> succeeded;
  std::optional<std::int64_t> evicted;
  std::optional<bool> admitted;
  std::optional<bool> charged;
  std::optional<std::vector<std::string>> on;
  std::string same;
  std::string different;
  std::map<std::string, std::map<std::string, std::int64_t>> per;
  std::vector<std::string> devices;
  std::optional<std::int64_t> start;
  std::vector<std::string> conditions;  // "Type=Status" or "Type=Status:Reason"; "Type=" for none of that type
  std::vector<std::string> reason;      // any of these
  std::vector<std::string> mention;     // all of these
};

struct CaseFile {
  struct Document {
    std::string text;         // YAML of one object
    std::int32_t number = 0;  // 1-based, of the file's documents before expansion
  };

  std::string file;
  std::string name;
  std::string title;
  std::vector<std::string> speaks;
  bool live = false;
  std::int64_t until = 60;
  std::vector<CaseStep> steps;
  std::vector<Expectation> expect;
  std::vector<std::string> never;
  // Ours, on top of the shared format: `config: {profile: NAME}` or an inline KubeSchedulerConfiguration, as JSON.
  std::string profile;
  std::string configuration;
  // `features: "DRAWorkloadResourceClaims=true"`, on top of the defaults of the newest Kubernetes.
  api::FeatureGates gates;
  std::vector<Document> documents;
};

// A file may not expand to more than this.
inline constexpr std::size_t kMostCaseDocuments = 20'000;
inline constexpr std::size_t kMostCaseBytes = std::size_t{64} << 20U;

// Errors name the header's key with its line, or the document. Nothing unknown is passed over, nor what cannot be
// meant: a misspelt check would never fail. O(text + expanded text).
[[nodiscard]] Result<CaseFile> parse_case_file(std::string_view text, std::string_view file);

}  // namespace berth::sim
