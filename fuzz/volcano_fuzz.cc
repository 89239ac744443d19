// Volcano's objects: whatever documents say, no crash; every error and remark is a sentence; what was accepted keeps
// the rules that consumers rely on, and is written as a list that reads back as the same objects without an error.
#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

#include "api/encode.h"
#include "api/load.h"
#include "support/require.h"
#include "text/json_writer.h"

namespace {

namespace api = berth::api;

void require_rules(const api::volcano::JobSpec& spec) {
  std::int64_t pods = 0;
  for (const api::volcano::Task& task : spec.tasks) {
    require(task.replicas >= 0 && task.min_available >= 0 && task.min_available <= task.replicas);
    require(!task.name.empty() && &task == &*std::ranges::find(spec.tasks, task.name, &api::volcano::Task::name));
    pods += task.replicas;
  }
  require(!spec.tasks.empty() && spec.min_available >= 0 && spec.min_available <= pods);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const api::Loaded before = api::load_text(text, "-");
  for (const auto* list : {&before.errors, &before.remarks})
    for (const berth::Error& error : *list) require(!error.message.empty());
  for (const auto& read : before.objects.volcano_jobs) require_rules(read.object.spec);
  for (const auto& read : before.objects.job_templates) require_rules(read.object.spec);
  std::string json;
  berth::text::JsonWriter writer(json);
  write_list(writer, before.objects);
  const api::Loaded after = api::load_text(json, "list.json");
  require(after.errors.empty());
  require_equal(before.objects.volcano_pod_groups, after.objects.volcano_pod_groups);
  require_equal(before.objects.volcano_queues, after.objects.volcano_queues);
  require_equal(before.objects.volcano_jobs, after.objects.volcano_jobs);
  require_equal(before.objects.volcano_cron_jobs, after.objects.volcano_cron_jobs);
  require_equal(before.objects.volcano_commands, after.objects.volcano_commands);
  require_equal(before.objects.numatopologies, after.objects.numatopologies);
  require_equal(before.objects.job_flows, after.objects.job_flows);
  require_equal(before.objects.job_templates, after.objects.job_templates);
  require_equal(before.objects.hyper_nodes, after.objects.hyper_nodes);
  return 0;
}
