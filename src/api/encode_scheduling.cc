// scheduling.k8s.io back to the version it was read from.
#include "api/encode.h"
#include "api/encode_parts.h"
#include "api/scheduling.h"

namespace berth::api {
namespace {

using encoding::array_member;
using encoding::enum_member;
using encoding::object_member;
using encoding::text_member;
using text::Writer;

void policy_member(Writer& out, std::string_view name, const SchedulingPolicy& policy, std::string_view minimum) {
  object_member(out, name, [&] {
    object_member(out, policy.gang_minimum ? "gang" : "basic", [&] {
      if (policy.gang_minimum) out.member(minimum, *policy.gang_minimum);
    });
  });
}

void rules_members(Writer& out, const GroupRules& rules, SchedulingVersion version, bool composite) {
  policy_member(out, "schedulingPolicy", rules.policy, composite ? "minGroupCount" : "minCount");
  if (!rules.topology_keys.empty()) {
    object_member(out, "schedulingConstraints", [&] {
      array_member(out, "topology", rules.topology_keys, [](Writer& writer, const std::string& key) {
        writer.begin_object();
        writer.member("key", key);
        writer.end_object();
      });
    });
  }
  array_member(out, "resourceClaims", rules.resource_claims, encoding::write_claim);
  if (rules.disruption_mode) {
    const bool single = *rules.disruption_mode == DisruptionMode::kSingle;
    if (version == SchedulingVersion::kV1alpha2) {
      out.member("disruptionMode", single ? "Pod" : "PodGroup");
    } else {
      object_member(out, "disruptionMode", [&] { object_member(out, single ? "single" : "all", [] {}); });
    }
  }
  text_member(out, "priorityClassName", rules.priority_class_name);
  if (rules.priority) out.member("priority", *rules.priority);
  if (rules.preemption_policy) enum_member(out, "preemptionPolicy", *rules.preemption_policy);
}

void templates_member(Writer& out, std::string_view name, const std::vector<PodGroupTemplate>& templates,
                      SchedulingVersion version) {
  array_member(out, name, templates, [&](Writer& writer, const PodGroupTemplate& each) {
    writer.begin_object();
    writer.member("name", each.name);
    if (version == SchedulingVersion::kV1alpha1) {
      policy_member(writer, "policy", each.rules.policy, "minCount");
    } else {
      rules_members(writer, each.rules, version, false);
    }
    writer.end_object();
  });
}

void composites_member(Writer& out, const std::vector<CompositePodGroupTemplate>& composites,
                       SchedulingVersion version) {
  array_member(out, "compositePodGroupTemplates", composites,
               [&](Writer& writer, const CompositePodGroupTemplate& each) {
                 writer.begin_object();
                 writer.member("name", each.name);
                 rules_members(writer, each.rules, version, true);
                 templates_member(writer, "podGroupTemplates", each.pod_groups, version);
                 composites_member(writer, each.composites, version);
                 writer.end_object();
               });
}

void made_from_member(Writer& out, const std::optional<TemplateReference>& from, SchedulingVersion version) {
  if (!from) return;
  if (version == SchedulingVersion::kV1alpha2) {
    object_member(out, "podGroupTemplateRef", [&] {
      object_member(out, "workload", [&] {
        out.member("workloadName", from->workload_name);
        out.member("podGroupTemplateName", from->template_name);
      });
    });
    return;
  }
  object_member(out, "workloadRef", [&] {
    out.member("workloadName", from->workload_name);
    out.member("templateName", from->template_name);
  });
}

}  // namespace

void write(Writer& out, const Workload& workload) {
  encoding::begin(out, api_version_of(workload.version), "Workload", workload.metadata);
  object_member(out, "spec", [&] {
    if (workload.controller) {
      object_member(out, "controllerRef", [&] {
        text_member(out, "apiGroup", workload.controller->api_group);
        out.member("kind", workload.controller->kind);
        out.member("name", workload.controller->name);
      });
    }
    const bool first = workload.version == SchedulingVersion::kV1alpha1;
    templates_member(out, first ? "podGroups" : "podGroupTemplates", workload.pod_groups, workload.version);
    composites_member(out, workload.composites, workload.version);
  });
  out.end_object();
}

void write(Writer& out, const PodGroup& group) {
  encoding::begin(out, api_version_of(group.version), "PodGroup", group.metadata);
  object_member(out, "spec", [&] {
    text_member(out, "parentCompositePodGroupName", group.parent);
    made_from_member(out, group.made_from, group.version);
    rules_members(out, group.rules, group.version, false);
  });
  object_member(out, "status", [&] {
    array_member(out, "conditions", group.conditions, encoding::write_condition);
    array_member(out, "resourceClaimStatuses", group.resource_claim_statuses, encoding::write_claim_status);
  });
  out.end_object();
}

void write(Writer& out, const CompositePodGroup& group) {
  encoding::begin(out, api_version_of(group.version), "CompositePodGroup", group.metadata);
  object_member(out, "spec", [&] {
    text_member(out, "parentCompositePodGroupName", group.parent);
    made_from_member(out, group.made_from, group.version);
    rules_members(out, group.rules, group.version, true);
  });
  object_member(out, "status", [&] { array_member(out, "conditions", group.conditions, encoding::write_condition); });
  out.end_object();
}

}  // namespace berth::api
