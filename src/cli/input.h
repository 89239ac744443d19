// Input of `plan` and `explain`: everything the files say, with the pods that controllers would make, and a record of
// what was left aside. One broken document costs only itself.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "api/feature_gates.h"
#include "api/objects.h"
#include "api/scheduler_config.h"
#include "base/result.h"
#include "cli/command.h"

namespace CLI {
class App;
}

namespace berth::cli {

struct MadePods {
  std::string controller;  // "Job team-a/sweep"
  std::int64_t count = 0;
};

struct Input {
  api::ObjectSet objects;
  std::vector<std::string> as_typed;  // what `explain` needs to see the same: options, then the paths
  std::vector<MadePods> made;         // pods that controllers would make now
  std::vector<std::string> skipped;   // "2 Secrets, first at pods.yaml document 3"; unknown fields with their place
  std::vector<Error> errors;          // documents that could not be read, selectors that do not compile
  std::map<std::size_t, std::string> excerpts;  // by number of the error: the line of the selector, with a caret
  api::FeatureGates gates;                      // what the objects were read with
};

// `--kubernetes VERSION` and `--features GATE=true,...`: which features of the API exist.
struct KubernetesOptions {
  std::string version{api::name_of(api::kNewestKubernetes)};
  std::string features;
};
void add_options(CLI::App& app, KubernetesOptions& options);
// What was given, as it was typed.
[[nodiscard]] std::vector<std::string> words_of(const KubernetesOptions& options);

struct Kubernetes {
  api::KubernetesVersion version = api::kNewestKubernetes;
  api::FeatureGates gates;
};
// Error: kInvalid for what is no version or gate, naming those there are.
[[nodiscard]] Result<Kubernetes> kubernetes_of(const KubernetesOptions& options);

// Reads every path ("-" is standard input, a directory all its files).
[[nodiscard]] Input read_objects(std::span<const std::string> paths, const Kubernetes& kubernetes);
// The same, compiles the selectors of claims and classes, and expands controllers as of `now`.
[[nodiscard]] Input read_input(std::span<const std::string> paths, api::Time now, const Kubernetes& kubernetes);

// Adds what the translator read differently from what it says.
void note_remarks(std::span<const Error> remarks, Input& input);

}  // namespace berth::cli
