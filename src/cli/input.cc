#include "cli/input.h"

#include <cstdio>
#include <map>
#include <utility>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "api/load.h"
#include "cel/time_zone.h"
#include "cli/cel_errors.h"
#include "controllers/compute_domains.h"
#include "controllers/reconcile.h"
#include "dialects/dra/selector_check.h"
#include "report/layout.h"
#include "sim/lineage.h"
#include "text/progress.h"

namespace berth::cli {
namespace {

std::string skipped_kind(const api::SkippedKind& skipped) {
  const std::string place = skipped.first.to_string();
  return fmt::format("{} of kind {}{}{}", report::counted(static_cast<std::uint64_t>(skipped.count), "object"),
                     skipped.kind, skipped.api_version.empty() ? "" : " (" + skipped.api_version + ")",
                     place.empty() ? "" : (skipped.count > 1 ? ", first in " : " in ") + place) +
         (skipped.kind == "KubeSchedulerConfiguration" ? "; to schedule with it, write --config in front of the file"
                                                       : "");
}

// "Job team-a/sweep" for the outermost controller "Job/sweep".
std::string controller_name(const api::ObjectMeta& pod, const std::string& root) {
  const std::size_t slash = root.find('/');
  return root.substr(0, slash) + ' ' + pod.namespace_ + root.substr(slash);
}

void check_selectors(Input& input, const Kubernetes& kubernetes) {
  const auto rules = dialects::dra::SelectorRules::of(kubernetes.version, kubernetes.gates);
  for (dialects::dra::BrokenSelector& broken : dialects::dra::broken_selectors(input.objects, rules)) {
    if (broken.position.line > 0) input.excerpts.emplace(input.errors.size(), excerpt(broken.source, broken.position));
    input.errors.push_back(std::move(broken.error));
  }
}

// Makes what the controllers would make now and says for whom.
void expand(Input& input, api::Time now) {
  note_remarks(controllers::admit_pods(input.objects), input);
  controllers::settle_compute_domains(input.objects, {.now = now});
  static const cel::SystemTimeZones kZones;
  controllers::Expansion expansion =
      controllers::reconcile(input.objects, {.now = now, .time_zones = &kZones, .one_by_one = true});
  input.errors.insert(input.errors.end(), expansion.errors.begin(), expansion.errors.end());
  note_remarks(expansion.remarks, input);
  const std::size_t fresh = expansion.pods.size();
  controllers::add(std::move(expansion), input.objects);
  note_remarks(controllers::settle_claims(input.objects), input);
  controllers::settle_resource_claims(input.objects, {.now = now});
  const sim::Lineage lineage(input.objects);
  std::map<std::string, std::int64_t> made;
  // What was made stands behind what was there.
  const std::span<const api::Read<api::Pod>> pods(input.objects.pods);
  const api::ObjectMeta* before = nullptr;
  std::int64_t* counter = nullptr;
  for (const auto& read : pods.last(fresh)) {
    const api::ObjectMeta& pod = read.object.metadata;
    // The pods of one owner stand together.
    if (before == nullptr || before->namespace_ != pod.namespace_ || before->owner_references != pod.owner_references)
      counter = &made[controller_name(pod, lineage.root(pod))];
    ++*counter;
    before = &pod;
  }
  for (const auto& [controller, count] : made) input.made.push_back({controller, count});
}

}  // namespace

void add_options(CLI::App& app, KubernetesOptions& options) {
  app.add_option("--kubernetes", options.version, "1.34 to 1.37: which features of devices are on; 1.37 if not given")
      ->type_name("VERSION");
  app.add_option("--features", options.features, "feature gates on top of that, DRAListTypeAttributes=true,...")
      ->type_name("GATES");
}

std::vector<std::string> words_of(const KubernetesOptions& options) {
  std::vector<std::string> out;
  if (options.version != KubernetesOptions().version) out.insert(out.end(), {"--kubernetes", options.version});
  if (!options.features.empty()) out.insert(out.end(), {"--features", options.features});
  return out;
}

Result<Kubernetes> kubernetes_of(const KubernetesOptions& options) {
  Kubernetes kubernetes;
  BERTH_TRY(kubernetes.version, api::parse_kubernetes_version(options.version));
  kubernetes.gates = api::FeatureGates(kubernetes.version);
  BERTH_TRY_VOID(kubernetes.gates.apply(options.features));
  // The rules have a gate of their own since 1.35.
  if (kubernetes.version == api::KubernetesVersion::k134)
    kubernetes.gates.set(api::Gate::kDeviceTaintRules, kubernetes.gates.on(api::Gate::kDeviceTaints));
  return kubernetes;
}

Input read_objects(std::span<const std::string> paths, const Kubernetes& kubernetes) {
  Input input;
  input.gates = kubernetes.gates;
  input.as_typed.assign(paths.begin(), paths.end());
  text::Progress progress(stderr, "reading objects", 0);
  api::LoadOptions options;
  options.kubernetes = kubernetes.version;
  options.gates = kubernetes.gates;
  options.progress = [&progress](std::string_view, std::int64_t objects) {
    progress.update(static_cast<std::uint64_t>(objects));
  };
  api::Loaded loaded = api::load(paths, options);
  input.objects = std::move(loaded.objects);
  input.errors = std::move(loaded.errors);
  if (loaded.read == 0 && loaded.skipped.empty() && input.errors.empty())
    input.errors.push_back({ErrorCode::kNotFound,
                            "The input holds no Kubernetes object; give it some, such as the output of `kubectl get "
                            "nodes,pods -A -o json`.",
                            Place{}});
  for (const api::SkippedKind& skipped : loaded.skipped) input.skipped.push_back(skipped_kind(skipped));
  note_remarks(loaded.remarks, input);
  return input;
}

Input read_input(std::span<const std::string> paths, api::Time now, const Kubernetes& kubernetes) {
  Input input = read_objects(paths, kubernetes);
  check_selectors(input, kubernetes);
  expand(input, now);
  return input;
}

void note_remarks(std::span<const Error> remarks, Input& input) {
  for (const Error& remark : remarks) input.skipped.push_back(remark.to_string());
}

}  // namespace berth::cli
