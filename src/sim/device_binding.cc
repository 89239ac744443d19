#include "sim/device_binding.h"

#include <fnmatch.h>

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "api/claim_names.h"
#include "base/mutant.h"

namespace berth::sim {
namespace {

bool is_for(const api::Pod& pod, const api::ResourceClaim& claim) {
  return claim.metadata.namespace_ == pod.metadata.namespace_ && api::is_reserved_for(pod, claim);
}

bool is_of(const api::AllocatedDeviceStatus& status, const api::DeviceAllocationResult& result) {
  return status.driver == result.driver && status.pool == result.pool && status.device == result.device &&
         status.share_id == result.share_id;
}

bool is_true(const api::ResourceClaim& claim, const api::DeviceAllocationResult& result, const std::string& type) {
  return std::ranges::any_of(claim.status.devices, [&](const api::AllocatedDeviceStatus& status) {
    return is_of(status, result) && std::ranges::any_of(status.conditions, [&](const api::Condition& condition) {
             return condition.type == type && condition.status == "True";
           });
  });
}

// A failure says more than what is missing.
DeviceBinding standing_of(const api::ResourceClaim& claim) {
  DeviceBinding standing;
  for (const api::DeviceAllocationResult& result : claim.status.allocation->results) {
    if (result.binding_conditions.empty() || mutant("Rule.BindingConditions")) continue;
    for (const std::string& type : result.binding_failure_conditions) {
      if (is_true(claim, result, type))
        return {DeviceBinding::State::kFailed, std::nullopt,
                fmt::format("{} has the condition {}", result.device, type)};
    }
    for (const std::string& type : result.binding_conditions) {
      if (standing.state == DeviceBinding::State::kReady && !is_true(claim, result, type))
        standing = {DeviceBinding::State::kWaits, std::nullopt,
                    fmt::format("{} has the condition {}", result.device, type)};
    }
  }
  return standing;
}

}  // namespace

std::vector<const api::ResourceClaim*> claims_of(const api::Pod& pod, const api::ObjectSet& objects) {
  std::vector<const api::ResourceClaim*> result;
  for (const auto& read : objects.resource_claims)
    if (is_for(pod, read.object)) result.push_back(&read.object);
  return result;
}

DeviceBinding device_binding(std::span<const api::ResourceClaim* const> claims, std::int64_t seconds, api::Time now) {
  DeviceBinding whole;
  for (const api::ResourceClaim* claim : claims) {
    if (!claim->status.allocation) continue;
    DeviceBinding one = standing_of(*claim);
    if (one.state == DeviceBinding::State::kFailed) return one;
    if (one.state != DeviceBinding::State::kWaits) continue;
    one.until = claim->status.allocation->allocation_timestamp.value_or(now) + seconds;
    if (*one.until <= now) {
      one.state = DeviceBinding::State::kTimedOut;
      return one;
    }
    if (whole.state == DeviceBinding::State::kReady || *one.until < *whole.until) whole = std::move(one);
  }
  return whole;
}

void unbind(api::Pod& pod, api::ObjectSet& objects) {
  pod.spec.node_name.clear();
  pod.status.start_time.reset();
  pod.status.phase = api::PodPhase::kPending;
  for (auto& read : objects.resource_claims) {
    if (!is_for(pod, read.object)) continue;
    api::ResourceClaimStatus& status = read.object.status;
    std::erase_if(status.reserved_for, [&](const api::ClaimConsumer& consumer) {
      return consumer.resource == "pods" && consumer.name == pod.metadata.name;
    });
    if (!status.reserved_for.empty()) continue;
    status.allocation.reset();
    status.devices.clear();
  }
  if (!pod.status.extended_resource_claim_status) return;
  std::erase_if(objects.resource_claims, [&](const auto& read) {
    return read.object.metadata.namespace_ == pod.metadata.namespace_ &&
           read.object.metadata.name == pod.status.extended_resource_claim_status->resource_claim_name;
  });
  pod.status.extended_resource_claim_status.reset();
}

void set_device_condition(api::ObjectSet& objects, const std::string& claim, const std::string& device,
                          const api::Condition& condition) {
  for (auto& read : objects.resource_claims) {
    api::ResourceClaimStatus& status = read.object.status;
    if (!status.allocation || fnmatch(claim.c_str(), read.object.metadata.name.c_str(), 0) != 0) continue;
    for (const api::DeviceAllocationResult& result : status.allocation->results) {
      if (fnmatch(device.c_str(), result.device.c_str(), 0) != 0) continue;
      auto its = std::ranges::find_if(status.devices, [&](const auto& one) { return is_of(one, result); });
      if (its == status.devices.end()) {
        status.devices.push_back({result.driver, result.pool, result.device, result.share_id, {}, {}, {}});
        its = status.devices.end() - 1;
      }
      std::erase_if(its->conditions, [&](const api::Condition& one) { return one.type == condition.type; });
      its->conditions.push_back(condition);
    }
  }
}

}  // namespace berth::sim
