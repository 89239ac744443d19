#include "sim/case/documents.h"

#include <iterator>
#include <utility>

#include <fmt/format.h>

#include "api/load.h"
#include "base/whole_number.h"

namespace berth::sim {
namespace {

std::unexpected<Error> at_document(Error error, const CaseFile::Document& document, std::string_view file) {
  error.place.file = std::string(file);
  error.place.document = document.number;
  error.place.line = 0;  // lines of the expanded document are not lines of the file
  error.place.column = 0;
  return std::unexpected(std::move(error));
}

}  // namespace

Result<std::optional<std::int64_t>> take_seconds(api::ObjectMeta& metadata, const char* annotation) {
  const auto found = metadata.annotations.find(annotation);
  if (found == metadata.annotations.end()) return std::nullopt;
  const std::string text = std::move(found->second);
  metadata.annotations.erase(found);
  const auto seconds = whole_number<std::int64_t>(text, 0);
  if (!seconds)
    return fail(ErrorCode::kInvalid, fmt::format("{} has to be whole seconds, not '{}'.", annotation, text));
  return seconds;
}

void append(api::ObjectSet& to, api::ObjectSet&& from) {
  const auto move = [](auto& into, auto& list) {
    into.insert(into.end(), std::make_move_iterator(list.begin()), std::make_move_iterator(list.end()));
  };
  move(to.nodes, from.nodes);
  move(to.pods, from.pods);
  move(to.namespaces, from.namespaces);
  move(to.services, from.services);
  move(to.persistent_volumes, from.persistent_volumes);
  move(to.persistent_volume_claims, from.persistent_volume_claims);
  move(to.storage_classes, from.storage_classes);
  move(to.csi_drivers, from.csi_drivers);
  move(to.csi_storage_capacities, from.csi_storage_capacities);
  move(to.runtime_classes, from.runtime_classes);
  move(to.limit_ranges, from.limit_ranges);
  move(to.deployments, from.deployments);
  move(to.replica_sets, from.replica_sets);
  move(to.replication_controllers, from.replication_controllers);
  move(to.stateful_sets, from.stateful_sets);
  move(to.daemon_sets, from.daemon_sets);
  move(to.jobs, from.jobs);
  move(to.cron_jobs, from.cron_jobs);
  move(to.pod_disruption_budgets, from.pod_disruption_budgets);
  move(to.priority_classes, from.priority_classes);
  move(to.resource_quotas, from.resource_quotas);
  move(to.workloads, from.workloads);
  move(to.pod_groups, from.pod_groups);
  move(to.composite_pod_groups, from.composite_pod_groups);
  move(to.resource_slices, from.resource_slices);
  move(to.device_classes, from.device_classes);
  move(to.resource_claims, from.resource_claims);
  move(to.resource_claim_templates, from.resource_claim_templates);
  move(to.device_taint_rules, from.device_taint_rules);
  move(to.compute_domains, from.compute_domains);
  move(to.volcano_pod_groups, from.volcano_pod_groups);
  move(to.volcano_queues, from.volcano_queues);
  move(to.volcano_jobs, from.volcano_jobs);
  move(to.volcano_cron_jobs, from.volcano_cron_jobs);
  move(to.volcano_commands, from.volcano_commands);
  move(to.job_flows, from.job_flows);
  move(to.job_templates, from.job_templates);
  move(to.hyper_nodes, from.hyper_nodes);
  move(to.numatopologies, from.numatopologies);
}

Result<CaseObjects> read_case_document(const CaseFile::Document& document, std::string_view file,
                                       const api::FeatureGates& gates) {
  api::LoadOptions options;
  options.gates = gates;
  api::Loader loader(std::move(options));
  text::MemorySource source(document.text);
  loader.load_source(source, file);
  api::Loaded loaded = std::move(loader).finish();
  if (!loaded.errors.empty()) return at_document(loaded.errors.front(), document, file);
  // What is not read would silently not be there.
  if (!loaded.remarks.empty()) return at_document(loaded.remarks.front(), document, file);
  // KAI's queues limit nothing here, so that nothing is missing without them.
  std::erase_if(loaded.skipped, [](const api::SkippedKind& skipped) {
    return skipped.kind == "Queue" && skipped.api_version == "scheduling.run.ai/v2";
  });
  if (!loaded.skipped.empty())
    return at_document(Error{ErrorCode::kUnsupported,
                             fmt::format("this version does not read {} {}; a case that needs it has to say so in "
                                         "'speaks'.",
                                         loaded.skipped.front().api_version, loaded.skipped.front().kind),
                             {}},
                       document, file);
  CaseObjects out;
  std::optional<Error> wrong;
  for_each_list(loaded.objects, [&](auto& list, std::string_view) {
    for (auto& read : list) {
      auto at = take_seconds(read.object.metadata, kAtAnnotation);
      if (!at) {
        wrong = at.error();
      } else if (*at) {
        out.at = *at;
      }
    }
  });
  if (wrong) return at_document(*std::move(wrong), document, file);
  out.objects = std::move(loaded.objects);
  return out;
}

}  // namespace berth::sim
