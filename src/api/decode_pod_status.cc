// The status of a pod.
#include <vector>

#include "api/decode_pod.h"

namespace berth::api {

void read(DecodeContext& context, const Value& value, PodResourceClaimStatus& out) {
  static const FieldTable<PodResourceClaimStatus> kFields(
      {{"name", member<&PodResourceClaimStatus::name>},
       {"resourceClaimName", member<&PodResourceClaimStatus::resource_claim_name>}},
      {});
  kFields.read(context, value, out);
}

namespace {

const FieldTable<ContainerStatus>& terminated_fields() {
  static const FieldTable<ContainerStatus> kFields(
      {{"exitCode", member<&ContainerStatus::exit_code>}},
      {"signal", "reason", "message", "startedAt", "finishedAt", "containerID"});
  return kFields;
}

const FieldTable<ContainerStatus>& container_state_fields() {
  static const FieldTable<ContainerStatus> kFields({{"terminated", inner<ContainerStatus, terminated_fields>}},
                                                   {"waiting", "running"});
  return kFields;
}

void read(DecodeContext& context, const Value& value, ContainerStatus& out) {
  static const FieldTable<ContainerStatus> kFields(
      {{"name", member<&ContainerStatus::name>},
       {"allocatedResources", member<&ContainerStatus::allocated_resources>},
       {"resources", member<&ContainerStatus::resources>},
       {"restartCount", member<&ContainerStatus::restart_count>},
       {"state", inner<ContainerStatus, container_state_fields>}},
      {"lastState", "ready", "image", "imageID", "containerID", "started", "volumeMounts", "user",
       "allocatedResourcesStatus", "stopSignal"});
  kFields.read(context, value, out);
}

template <std::vector<ContainerStatus> PodStatus::* kList>
void read_statuses(DecodeContext& context, const Value& value, PodStatus& out) {
  if (!value.is_array()) return context.wrong_kind(value, "an array");
  for (std::size_t i = 0; i < value.size(); ++i) {
    const DecodeContext::Scope scope(context, i);
    read(context, value.items()[i], (out.*kList).emplace_back());
  }
}

void read_request_mappings(DecodeContext& context, const Value& value, PodExtendedResourceClaimStatus& out) {
  using Mapping = ContainerExtendedResourceRequest;
  static const FieldTable<Mapping> kFields({{"containerName", member<&Mapping::container_name>},
                                            {"resourceName", member<&Mapping::resource_name>},
                                            {"requestName", member<&Mapping::request_name>}},
                                           {});
  if (!value.is_array()) return context.wrong_kind(value, "an array");
  for (std::size_t i = 0; i < value.size(); ++i) {
    const DecodeContext::Scope scope(context, i);
    kFields.read(context, value.items()[i], out.request_mappings.emplace_back());
  }
}

void read_extended_claim(DecodeContext& context, const Value& value, PodStatus& out) {
  using Status = PodExtendedResourceClaimStatus;
  static const FieldTable<Status> kFields(
      {{"resourceClaimName", member<&Status::resource_claim_name>}, {"requestMappings", read_request_mappings}}, {});
  kFields.read(context, value, out.extended_resource_claim_status.emplace());
}

}  // namespace

void read_status(DecodeContext& context, const Value& value, Pod& out) {
  static const FieldTable<PodStatus> kFields(
      {{"phase", member<&PodStatus::phase>},
       {"nominatedNodeName", member<&PodStatus::nominated_node_name>},
       {"startTime", time_member<&PodStatus::start_time>},
       {"conditions", member<&PodStatus::conditions>},
       {"initContainerStatuses", read_statuses<&PodStatus::init_container_statuses>},
       {"containerStatuses", read_statuses<&PodStatus::container_statuses>},
       {"allocatedResources", member<&PodStatus::allocated_resources>},
       {"resources", member<&PodStatus::resources>},
       {"resourceClaimStatuses", member<&PodStatus::resource_claim_statuses>},
       {"extendedResourceClaimStatus", read_extended_claim}},
      {"observedGeneration", "message", "reason", "hostIP", "hostIPs", "podIP", "podIPs", "qosClass",
       "ephemeralContainerStatuses", "resize", "nodeAllocatableResourceClaimStatuses", "volumeHealth"});
  kFields.read(context, value, out.status);
}

}  // namespace berth::api
