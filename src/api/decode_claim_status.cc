// ResourceClaim.status: allocation, consumers, what drivers say about the devices.
#include <functional>

#include "api/decode_resource.h"
#include "api/selector.h"

namespace berth::api {
namespace {

constexpr std::size_t kMostAllocatedConfigs = 64;
constexpr std::size_t kMostBindingConditions = 4;
constexpr std::size_t kMostConditions = 8;
constexpr std::size_t kMostAddresses = 16;
constexpr std::size_t kLongestInterface = 256;
constexpr std::size_t kLongestHardwareAddress = 128;

std::optional<std::string> uuid_fault(std::string_view text) {
  if (is_uuid(text)) return std::nullopt;
  return "\"" + std::string(text.substr(0, 100)) + "\" is no UUID; write it in lower case with its four dashes.";
}

template <std::vector<std::string> DeviceAllocationResult::* kList>
void read_conditions(DecodeContext& context, const Value& value, DeviceAllocationResult& out) {
  read_at_most(context, value, kMostBindingConditions, "types of conditions", out.*kList);
}

void read_skipped(DecodeContext& context, const Value& value, DeviceAllocationResult& out) {
  read(context, value, out.skip_node_operations);
  check_skipped_operations(context, value, out.skip_node_operations);
}

void read_consumed(DecodeContext& context, const Value& value, DeviceAllocationResult& out) {
  read_amounts(context, value, out.consumed_capacity);
}

}  // namespace

void read(DecodeContext& context, const Value& value, DeviceAllocationResult& out) {
  using Result = DeviceAllocationResult;
  constexpr Gate kShares = Gate::kConsumableCapacity;
  constexpr Gate kBinding = Gate::kDeviceBindingConditions;
  static const FieldTable<Result> kFields(
      {{"request", member<&Result::request>},
       {"driver", name_member<&Result::driver, driver_name_fault>},
       {"pool", name_member<&Result::pool, pool_name_fault>},
       {"device", name_member<&Result::device, dns_label_fault>},
       {"adminAccess", gated<Gate::kAdminAccess, member<&Result::admin_access>, Result>},
       {"tolerations", member<&Result::tolerations>},
       {"bindingConditions", gated<kBinding, read_conditions<&Result::binding_conditions>, Result>},
       {"bindingFailureConditions", gated<kBinding, read_conditions<&Result::binding_failure_conditions>, Result>},
       {"shareID", gated<kShares, name_member<&Result::share_id, uuid_fault>, Result>},
       {"consumedCapacity", gated<kShares, read_consumed, Result>},
       {"skipNodeOperations", gated<Gate::kOptionalNodeOperations, read_skipped, Result>}},
      {});
  kFields.read(context, value, out);
  for (const std::string_view field : {"request", "driver", "pool", "device"})
    require(context, value, field, "an allocated device has it.");
  check_binding_conditions(context, value, out.binding_conditions, out.binding_failure_conditions);
}

void read(DecodeContext& context, const Value& value, DeviceAllocationConfig& out) {
  static const FieldTable<DeviceAllocationConfig> kFields(
      {{"source", member<&DeviceAllocationConfig::source>},
       {"requests", request_names_member<&DeviceAllocationConfig::requests>},
       {"opaque", member<&DeviceAllocationConfig::opaque>}},
      {});
  kFields.read(context, value, out);
  require(context, value, "source", "write FromClass or FromClaim.");
  require(context, value, "opaque", "write opaque with a driver and its parameters.");
}

namespace {

const FieldTable<AllocationResult>& allocated_devices_fields() {
  static const FieldTable<AllocationResult> kFields(
      {{"results",
        [](DecodeContext& inside, const Value& list, AllocationResult& allocation) {
          read_at_most(inside, list, kMaxAllocationResults, "allocated devices", allocation.results);
        }},
       {"config",
        [](DecodeContext& inside, const Value& list, AllocationResult& allocation) {
          read_at_most(inside, list, kMostAllocatedConfigs, "configurations", allocation.config);
        }}},
      {});
  return kFields;
}

void read(DecodeContext& context, const Value& value, AllocationResult& out) {
  static const FieldTable<AllocationResult> kFields(
      {{"devices", inner<AllocationResult, allocated_devices_fields>},
       {"nodeSelector", member<&AllocationResult::node_selector>},
       {"allocationTimestamp", time_member<&AllocationResult::allocation_timestamp>}},
      {"controller"});
  kFields.read(context, value, out);
}

}  // namespace

void read(DecodeContext& context, const Value& value, ClaimConsumer& out) {
  static const FieldTable<ClaimConsumer> kFields({{"apiGroup", member<&ClaimConsumer::api_group>},
                                                  {"resource", member<&ClaimConsumer::resource>},
                                                  {"name", member<&ClaimConsumer::name>},
                                                  {"uid", member<&ClaimConsumer::uid>}},
                                                 {});
  kFields.read(context, value, out);
  for (const std::string_view field : {"resource", "name", "uid"})
    require(context, value, field, "a consumer of a claim has it.");
}

namespace {

void read(DecodeContext& context, const Value& value, NetworkDeviceData& out) {
  static const FieldTable<NetworkDeviceData> kFields(
      {{"interfaceName", member<&NetworkDeviceData::interface_name>},
       {"ips", [](DecodeContext& inside, const Value& list,
                  NetworkDeviceData& data) { read_at_most(inside, list, kMostAddresses, "addresses", data.ips); }},
       {"hardwareAddress", member<&NetworkDeviceData::hardware_address>}},
      {});
  kFields.read(context, value, out);
  if (out.interface_name.size() > kLongestInterface || out.hardware_address.size() > kLongestHardwareAddress)
    context.error(value, "The interfaceName has at most 256 bytes and the hardwareAddress 128; shorten them.",
                  ErrorCode::kLimit);
}

}  // namespace

void read(DecodeContext& context, const Value& value, AllocatedDeviceStatus& out) {
  using Status = AllocatedDeviceStatus;
  static const FieldTable<Status> kFields(
      {{"driver", name_member<&Status::driver, driver_name_fault>},
       {"pool", name_member<&Status::pool, pool_name_fault>},
       {"device", name_member<&Status::device, dns_label_fault>},
       {"shareID", gated<Gate::kConsumableCapacity, name_member<&Status::share_id, uuid_fault>, Status>},
       {"conditions",
        [](DecodeContext& inside, const Value& list, Status& device) {
          read_at_most(inside, list, kMostConditions, "conditions", device.conditions);
        }},
       {"data",
        [](DecodeContext& inside, const Value& data, Status& device) { read_raw_object(inside, data, device.data); }},
       {"networkData", [](DecodeContext& inside, const Value& data,
                          Status& device) { read(inside, data, device.network_data.emplace()); }}},
      {});
  kFields.read(context, value, out);
  for (const std::string_view field : {"driver", "pool", "device"})
    require(context, value, field, "the status of a device has it.");
}

namespace {

void read_allocation(DecodeContext& context, const Value& value, ResourceClaimStatus& out) {
  read(context, value, out.allocation.emplace());
}

void read_consumers(DecodeContext& context, const Value& value, ResourceClaimStatus& out) {
  read_at_most(context, value, kMaxReservedFor, "consumers", out.reserved_for);
  require_distinct(context, value, out.reserved_for, &ClaimConsumer::uid);
}

void read_device_statuses(DecodeContext& context, const Value& value, ResourceClaimStatus& out) {
  read(context, value, out.devices);
  std::vector<std::string> names;
  for (const AllocatedDeviceStatus& device : out.devices) {
    std::string& name = names.emplace_back(device.driver + "/" + device.pool + "/" + device.device);
    if (!device.share_id.empty()) name += "/" + device.share_id;
  }
  require_distinct(context, value, names, std::identity());
}

bool has_request(const ResourceClaimSpec& spec, std::string_view name) {
  const std::size_t slash = name.find('/');
  const std::string_view main = name.substr(0, slash);
  const auto request = std::ranges::find(spec.requests, main, &DeviceRequest::name);
  if (request == spec.requests.end()) return false;
  if (slash == std::string_view::npos) return true;
  const auto& alternatives = request->first_available;
  return std::ranges::find(alternatives, name.substr(slash + 1), &DeviceSubRequest::name) != alternatives.end();
}

void check_results(DecodeContext& context, const Value& list, const ResourceClaim& claim) {
  const std::vector<DeviceAllocationResult>& results = claim.status.allocation->results;
  if (list.size() != results.size()) return;
  const DecodeContext::Scope scope(context, "results");
  for (std::size_t i = 0; i < results.size(); ++i) {
    const DecodeContext::Scope index(context, i);
    check_request_names(context, list.items()[i], {results[i].request}, claim.spec);
  }
}

}  // namespace

void check_request_names(DecodeContext& context, const Value& at, const std::vector<std::string>& names,
                         const ResourceClaimSpec& spec) {
  for (std::size_t i = 0; i < names.size(); ++i) {
    const std::string shown = "\"" + names[i].substr(0, 130) + "\"";
    if (!has_request(spec, names[i]))
      context.error(at, "The claim has no request " + shown + "; name one of its requests, or REQUEST/ALTERNATIVE.");
    if (std::find(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(i), names[i]) !=
        names.begin() + static_cast<std::ptrdiff_t>(i))
      context.error(at, "The request " + shown + " is named twice; name it once.");
  }
}

void read(DecodeContext& context, const Value& value, ResourceClaimStatus& out) {
  static const FieldTable<ResourceClaimStatus> kFields(
      {{"allocation", read_allocation},
       {"reservedFor", read_consumers},
       {"devices", gated<Gate::kDeviceStatus, read_device_statuses, ResourceClaimStatus>}},
      {"deallocationRequested"});
  kFields.read(context, value, out);
}

void check_status(DecodeContext& context, const Value& status, const ResourceClaim& claim) {
  const std::optional<AllocationResult>& allocation = claim.status.allocation;
  if (!allocation) {
    if (!claim.status.reserved_for.empty())
      context.error(status, "reservedFor is set, but the claim is not allocated; add the allocation or remove it.");
    return;
  }
  const Value* outer = status.find("allocation");
  const Value* devices = outer == nullptr ? nullptr : outer->find("devices");
  const Value* results = devices == nullptr ? nullptr : devices->find("results");
  if (results == nullptr) return;
  const DecodeContext::Scope scope(context, "allocation");
  const DecodeContext::Scope inner_scope(context, "devices");
  check_results(context, *results, claim);
}

}  // namespace berth::api
