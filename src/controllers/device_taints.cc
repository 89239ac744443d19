#include "controllers/device_taints.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>

#include "api/claim_names.h"
#include "api/full_name.h"
#include "controllers/workshop.h"

namespace berth::controllers {
namespace {

struct Taint {
  const api::DeviceTaint* taint = nullptr;
  api::Time added = 0;
};

// Only those that name NoExecute count here, though one without an effect lets a pod be given the device.
bool tolerates(const api::DeviceToleration& toleration, const api::DeviceTaint& taint) {
  if (toleration.effect != api::DeviceTaintEffect::kNoExecute) return false;
  if (!toleration.key.empty() && toleration.key != taint.key) return false;
  return toleration.op == api::DeviceTolerationOperator::kExists || toleration.value == taint.value;
}

// When the taint drives out who has these tolerations; none: never.
std::optional<api::Time> leaves_at(const Taint& taint, const std::vector<api::DeviceToleration>& tolerations) {
  std::optional<std::int64_t> patience;
  for (const api::DeviceToleration& toleration : tolerations) {
    if (!tolerates(toleration, *taint.taint)) continue;
    if (!toleration.toleration_seconds) return std::nullopt;
    const std::int64_t seconds = std::max<std::int64_t>(*toleration.toleration_seconds, 0);
    patience = patience ? std::min(*patience, seconds) : seconds;
  }
  return taint.added + patience.value_or(0);
}

class Taints {
 public:
  explicit Taints(const api::ObjectSet& objects) : objects_(objects) {
    for (const auto& read : objects.resource_slices) {
      std::int64_t& newest = generations_[{read.object.driver, read.object.pool.name}];
      newest = std::max(newest, read.object.pool.generation);
    }
    for (const auto& read : objects.resource_slices) add(read.object);
  }

  [[nodiscard]] bool any() const {
    const auto drives_out = [](const auto& read) {
      return read.object.taint.effect == api::DeviceTaintEffect::kNoExecute;
    };
    return !taints_.empty() || std::ranges::any_of(objects_.device_taint_rules, drives_out);
  }

  // Of the device, in its slice and by rules.
  [[nodiscard]] std::vector<Taint> of(const api::DeviceAllocationResult& device) const {
    std::vector<Taint> result;
    if (const auto found = taints_.find({device.driver, device.pool, device.device}); found != taints_.end())
      result = found->second;
    for (const auto& read : objects_.device_taint_rules) {
      const api::DeviceTaintRule& rule = read.object;
      if (rule.taint.effect == api::DeviceTaintEffect::kNoExecute && selects(rule, device))
        result.push_back({&rule.taint, rule.taint.time_added.value_or(rule.metadata.creation_timestamp.value_or(0))});
    }
    return result;
  }

 private:
  void add(const api::ResourceSlice& slice) {
    if (slice.pool.generation != generations_.at({slice.driver, slice.pool.name})) return;
    for (const api::Device& device : slice.devices) {
      for (const api::DeviceTaint& taint : *device.taints) {
        if (taint.effect != api::DeviceTaintEffect::kNoExecute) continue;
        taints_[{slice.driver, slice.pool.name, device.name}].push_back(
            {&taint, taint.time_added.value_or(slice.metadata.creation_timestamp.value_or(0))});
      }
    }
  }

  static bool selects(const api::DeviceTaintRule& rule, const api::DeviceAllocationResult& device) {
    if (!rule.device_selector) return false;
    const auto agrees = [](const std::optional<std::string>& wanted, const std::string& found) {
      return !wanted || *wanted == found;
    };
    return agrees(rule.device_selector->driver, device.driver) && agrees(rule.device_selector->pool, device.pool) &&
           agrees(rule.device_selector->device, device.device);
  }

  const api::ObjectSet& objects_;
  std::map<std::pair<std::string, std::string>, std::int64_t> generations_;  // by driver and pool
  std::map<std::tuple<std::string, std::string, std::string>, std::vector<Taint>> taints_;
};

}  // namespace

std::vector<DeviceEviction> device_evictions(const api::ObjectSet& objects) {
  std::vector<DeviceEviction> result;
  if (objects.resource_claims.empty()) return result;
  const Taints taints(objects);
  if (!taints.any()) return result;
  struct Leaving {
    const api::ResourceClaim* claim = nullptr;
    api::Time at = 0;
  };
  std::map<std::string, Leaving> leaving;  // by "namespace/name" of the claim
  for (const auto& read : objects.resource_claims) {
    const api::ResourceClaim& claim = read.object;
    if (!claim.status.allocation) continue;
    std::optional<api::Time> at;
    for (const api::DeviceAllocationResult& device : claim.status.allocation->results) {
      for (const Taint& taint : taints.of(device)) {
        const std::optional<api::Time> one = leaves_at(taint, device.tolerations);
        if (one && (!at || *one < *at)) at = one;
      }
    }
    if (at) leaving.try_emplace(api::full_name(claim.metadata), Leaving{&claim, *at});
  }
  if (leaving.empty()) return result;
  for (const auto& read : objects.pods) {
    const api::Pod& pod = read.object;
    if (!is_on_a_node(pod)) continue;
    std::optional<api::Time> at;
    const auto consider = [&](std::string_view name, bool must_own) {
      const auto found = leaving.find(api::full_name(pod.metadata.namespace_, name));
      if (found == leaving.end()) return;
      const api::ResourceClaim& claim = *found->second.claim;
      if (must_own && !api::is_for_pod(pod, claim) && !api::is_for_group(pod, claim)) return;
      if (api::is_reserved_for(pod, claim) && (!at || found->second.at < *at)) at = found->second.at;
    };
    for (const api::PodResourceClaim& entry : pod.spec.resource_claims) {
      const api::ClaimName name = api::claim_name(pod, entry);
      if (name.state == api::ClaimName::State::kNamed) consider(name.name, name.must_own);
    }
    if (pod.status.extended_resource_claim_status)
      consider(pod.status.extended_resource_claim_status->resource_claim_name, true);
    if (at) result.push_back({&pod, *at});
  }
  return result;
}

}  // namespace berth::controllers
