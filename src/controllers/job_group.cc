// The group of a Job's pods: what the Job controller makes of spec.scheduling.
//
// Source: KEP-5547 and KEP-5764. One Workload with one template, and one PodGroup made from it; both go with the Job.
#include <algorithm>

#include "controllers/workshop.h"

namespace berth::controllers {
namespace {

constexpr std::string_view kTemplateName = "pods";

api::ObjectMeta metadata_for(const Owner& owner, std::string name, api::Time now) {
  api::ObjectMeta metadata;
  metadata.name = std::move(name);
  metadata.namespace_ = owner.metadata->namespace_;
  metadata.creation_timestamp = owner.metadata->creation_timestamp.value_or(now);
  metadata.owner_references.push_back(
      {std::string(owner.api_version), std::string(owner.kind), owner.metadata->name, owner.metadata->uid, true});
  return metadata;
}

}  // namespace

std::string group_of_job(Workshop& workshop, const Owner& owner, const api::Read<api::Job>& read) {
  const api::JobSpec& spec = read.object.spec;
  if (!spec.scheduling || spec.pod_template.spec.scheduling_group.address() != nullptr) return {};
  if (const auto groups = workshop.groups_of(owner); !groups.empty()) return groups.front()->object.metadata.name;

  api::PodGroup group;
  group.metadata = metadata_for(owner, owner.metadata->name + "-" + std::string(kTemplateName), workshop.options().now);
  // What Berth lets people say of a group they say at the Job, as they do not write the group.
  for (const auto& [key, value] : owner.metadata->annotations)
    if (key.starts_with("berth/")) group.metadata.annotations.emplace(key, value);
  group.made_from = api::TemplateReference{owner.metadata->name, std::string(kTemplateName)};
  group.rules = spec.scheduling->rules;
  if (group.rules.policy.gang_minimum == 0)
    group.rules.policy.gang_minimum = std::max(spec.parallelism.value_or(1), std::int32_t{1});
  group.rules.priority_class_name = spec.pod_template.spec.priority_class_name;
  group.rules.priority = spec.pod_template.spec.priority;

  api::Workload workload;
  workload.metadata = metadata_for(owner, owner.metadata->name, workshop.options().now);
  workload.controller = api::TypedReference{"batch", "Job", owner.metadata->name};
  workload.pod_groups.push_back({std::string(kTemplateName), group.rules});
  std::string name = group.metadata.name;
  workshop.result().workloads.push_back({std::move(workload), read.place});
  workshop.result().pod_groups.push_back({std::move(group), read.place});
  return name;
}

}  // namespace berth::controllers
