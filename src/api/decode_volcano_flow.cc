// Volcano's JobFlow: jobs of templates, each changed by a patch, that wait for others.
#include <algorithm>
#include <string>
#include <vector>

#include "api/decode_volcano_job.h"

namespace berth::api::volcano {

namespace {

std::vector<std::string> fields_given(const Value& object) {
  std::vector<std::string> result;
  for (const text::Member& member : object.members())
    if (!member.value.is_null()) result.emplace_back(member.name());
  return result;
}

void read_task_patches(DecodeContext& context, const Value& value, JobPatch& out) {
  if (!value.is_array()) return context.wrong_kind(value, "an array");
  for (std::size_t i = 0; i < value.size(); ++i) {
    const DecodeContext::Scope scope(context, i);
    const Value& item = value.items()[i];
    TaskPatch& patch = out.tasks.emplace_back();
    read(context, item, patch.task);
    patch.given = fields_given(item);
    if (patch.task.name.empty()) context.error(item, "name is missing; write that of the task to change or to add.");
    check_least(context, item, patch.task.replicas, 0, "replicas");
    check_least(context, item, patch.task.min_available, 0, "minAvailable");
  }
}

void read_job_patch(DecodeContext& context, const Value& value, JobPatch& out) {
  if (!value.is_object()) return context.wrong_kind(value, "an object");
  job_fields().read(context, value, out.spec);
  out.given = fields_given(value);
  check_least(context, value, out.spec.min_available, 0, "minAvailable");
  check_policies(context, value, out.spec.policies, "policies");
  complete_plugins(out.spec.plugins);
  const Value* tasks = value.find("tasks");
  if (tasks == nullptr || tasks->is_null()) return;
  const DecodeContext::Scope scope(context, "tasks");
  read_task_patches(context, *tasks, out);
}

void read_patch(DecodeContext& context, const Value& value, Flow& out) {
  static const auto read_spec = [](DecodeContext& inside, const Value& spec, Flow& flow) {
    read_job_patch(inside, spec, flow.patch.emplace());
  };
  static const FieldTable<Flow> kFields({{"spec", read_spec}}, {});
  kFields.read(context, value, out);
}

// A probe by HTTP or TCP finds the pods ready, which their own readiness says as well.
void read_asking_probes(DecodeContext& context, const Value& value, Flow& out) {
  static const FieldTable<FlowProbe> kFields({{"taskName", member<&FlowProbe::task>}}, {"path", "port", "httpHeader"});
  if (!value.is_array()) return context.wrong_kind(value, "an array");
  for (std::size_t i = 0; i < value.size(); ++i) {
    const DecodeContext::Scope scope(context, i);
    FlowProbe& probe = out.probes.emplace_back();
    probe.ready = true;
    kFields.read(context, value.items()[i], probe);
  }
}

void read_status_probes(DecodeContext& context, const Value& value, Flow& out) {
  static const FieldTable<FlowProbe> kFields(
      {{"taskName", member<&FlowProbe::task>}, {"phase", member<&FlowProbe::phase>}}, {});
  if (!value.is_array()) return context.wrong_kind(value, "an array");
  for (std::size_t i = 0; i < value.size(); ++i) {
    const DecodeContext::Scope scope(context, i);
    kFields.read(context, value.items()[i], out.probes.emplace_back());
  }
}

const FieldTable<Flow>& probe_fields() {
  static const FieldTable<Flow> kFields({{"httpGetList", read_asking_probes},
                                         {"tcpSocketList", read_asking_probes},
                                         {"taskStatusList", read_status_probes}},
                                        {});
  return kFields;
}

void read_depends_on(DecodeContext& context, const Value& value, Flow& out) {
  static const FieldTable<Flow> kFields({{"targets", member<&Flow::depends_on>}, {"probe", inner<Flow, probe_fields>}},
                                        {});
  kFields.read(context, value, out);
  // As they are written; all of them have to answer, so their order says nothing.
  std::ranges::stable_partition(out.probes, &FlowProbe::ready);
}

void read_flow_phase(DecodeContext& context, const Value& value, JobFlow& out) {
  if (!value.text().empty() || !value.is_string()) api::read(context, value, out.phase);
}

const FieldTable<JobFlow>& flow_state_fields() {
  static const FieldTable<JobFlow> kFields({{"phase", read_flow_phase}}, {});
  return kFields;
}

const FieldTable<JobFlow>& flow_status_fields() {
  static const FieldTable<JobFlow> kFields({{"state", inner<JobFlow, flow_state_fields>}},
                                           {"pendingJobs", "runningJobs", "failedJobs", "completedJobs",
                                            "terminatedJobs", "unKnowJobs", "jobStatusList", "conditions"});
  return kFields;
}

const FieldTable<JobFlow>& flow_spec_fields() {
  static const FieldTable<JobFlow> kFields(
      {{"flows", member<&JobFlow::flows>}, {"jobRetainPolicy", member<&JobFlow::job_retain_policy>}}, {});
  return kFields;
}

void check_flows(DecodeContext& context, const Value& value, const JobFlow& out) {
  std::vector<Waiter> waiters;
  for (const Flow& flow : out.flows) waiters.push_back({&flow.name, &flow.depends_on});
  check_waiters(context, value, waiters, "flow");
}

}  // namespace

void read(DecodeContext& context, const Value& value, Flow& out) {
  static const FieldTable<Flow> kFields(
      {{"name", member<&Flow::name>}, {"dependsOn", read_depends_on}, {"patch", read_patch}}, {});
  kFields.read(context, value, out);
  if (out.name.empty()) context.error(value, "name is missing; write that of a JobTemplate.");
}

void read(DecodeContext& context, const Value& value, JobFlow& out) {
  static const FieldTable<JobFlow> kFields({{"metadata", member<&JobFlow::metadata>},
                                            {"spec", inner<JobFlow, flow_spec_fields>},
                                            {"status", inner<JobFlow, flow_status_fields>}},
                                           {"apiVersion", "kind"});
  kFields.read(context, value, out);
  if (context.errors() == 0) check_flows(context, value, out);
}

}  // namespace berth::api::volcano
