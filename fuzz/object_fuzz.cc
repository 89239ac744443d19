// Objects: whatever documents say, no crash; every error and remark is a sentence; what was accepted is written as a
// list that reads back as the same objects without a complaint.
#include <cstdint>
#include <string>
#include <string_view>

#include "api/encode.h"
#include "api/load.h"
#include "support/require.h"
#include "text/json_writer.h"

using berth::api::Loaded;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const Loaded before = berth::api::load_text(text, "-");
  for (const auto* list : {&before.errors, &before.remarks})
    for (const berth::Error& error : *list) require(!error.message.empty());
  std::string json;
  berth::text::JsonWriter writer(json);
  write_list(writer, before.objects);
  const Loaded after = berth::api::load_text(json, "list.json");
  require(after.errors.empty());
  require_equal(before.objects.pods, after.objects.pods);
  require_equal(before.objects.nodes, after.objects.nodes);
  require_equal(before.objects.namespaces, after.objects.namespaces);
  require_equal(before.objects.services, after.objects.services);
  require_equal(before.objects.persistent_volumes, after.objects.persistent_volumes);
  require_equal(before.objects.persistent_volume_claims, after.objects.persistent_volume_claims);
  require_equal(before.objects.storage_classes, after.objects.storage_classes);
  require_equal(before.objects.csi_drivers, after.objects.csi_drivers);
  require_equal(before.objects.csi_storage_capacities, after.objects.csi_storage_capacities);
  require_equal(before.objects.runtime_classes, after.objects.runtime_classes);
  require_equal(before.objects.limit_ranges, after.objects.limit_ranges);
  require_equal(before.objects.workloads, after.objects.workloads);
  require_equal(before.objects.pod_groups, after.objects.pod_groups);
  require_equal(before.objects.composite_pod_groups, after.objects.composite_pod_groups);
  require_equal(before.objects.priority_classes, after.objects.priority_classes);
  require_equal(before.objects.pod_disruption_budgets, after.objects.pod_disruption_budgets);
  return 0;
}
