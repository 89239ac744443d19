#include "dialects/workloads/namespace_quotas.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "api/pod_state.h"
#include "api/volcano_keys.h"
#include "dialects/kubernetes/resources.h"

namespace berth::dialects::workloads {
namespace {

// Groups of other ecosystems take these.
bool is_grouped(const api::Pod& pod) {
  return pod.spec.scheduling_group.address() != nullptr ||
         api::volcano::group_of(pod).membership != api::volcano::Membership::kNone;
}

}  // namespace

std::vector<engine::QuotaInput> NamespaceQuotas::caps(const api::Read<api::ResourceQuota>& read, Reading& out) const {
  const api::ResourceQuota& quota = read.object;
  constexpr ErrorCode kCode = ErrorCode::kUnsupported;
  if (quota.has_scope) {
    out.remark(kCode, read.place, "spec.scopes",
               "A quota that counts some of the pods only is not looked at; give the pods a namespace of "
               "their own.");
    return {};
  }
  std::vector<engine::QuotaInput> result;
  for (const auto& [key, quantity] : quota.hard) {
    const auto amount = kubernetes::quota_amount(key, quantity, names_);
    if (!amount) {
      if (key.starts_with("limits."))
        out.remark(kCode, read.place, "spec.hard",
                   fmt::format("{} is not counted; the scheduler sees requests only.", key));
      continue;
    }
    engine::QuotaInput cap;
    cap.resource = amount->resource;
    cap.cap = amount->amount;
    const auto same = std::ranges::find(result, cap.resource, &engine::QuotaInput::resource);
    if (same == result.end()) {
      result.push_back(cap);
    } else {
      same->cap = std::min(*same->cap, *cap.cap);
    }
  }
  std::ranges::sort(result, {}, &engine::QuotaInput::resource);
  return result;
}

engine::NameId NamespaceQuotas::workload_of(const api::Pod& pod) const {
  return names_.names.intern(fmt::format("Pod {}/{}", pod.metadata.namespace_, pod.metadata.name));
}

void NamespaceQuotas::read(const Scene& scene, Reading& out) {
  queues_.clear();
  for (const auto& read : scene.objects.resource_quotas) {
    engine::QueueInput queue;
    queue.quotas = caps(read, out);
    if (queue.quotas.empty()) continue;
    const api::ObjectMeta& metadata = read.object.metadata;
    queue.name = names_.names.intern(fmt::format("ResourceQuota {}/{}", metadata.namespace_, metadata.name));
    queue.counts_aside = true;
    queue.reserves = false;
    queues_[metadata.namespace_].push_back(queue.name);
    out.queues.push_back(std::move(queue));
  }
  if (queues_.empty()) return;
  boost::unordered_flat_map<engine::NameId, const std::string*, std::hash<engine::NameId>> spaces;
  for (const GroupObject& object : out.objects) spaces.try_emplace(object.workload, &object.namespace_);
  for (engine::WorkloadInput& workload : out.workloads) {
    const auto space = spaces.find(workload.name);
    if (space == spaces.end()) continue;
    if (const auto found = queues_.find(*space->second); found != queues_.end()) workload.counted_in = found->second;
  }
  for (const auto& read : scene.objects.pods) {
    const api::Pod& pod = read.object;
    const auto found = queues_.find(pod.metadata.namespace_);
    if (found == queues_.end() || api::is_finished(pod) || is_grouped(pod)) continue;
    const auto priority = scene.context.priority(pod.spec);
    engine::WorkloadInput workload;
    workload.name = workload_of(pod);
    workload.groups.emplace_back().minimum_pods = 1;
    workload.counted_in = found->second;
    workload.priority = priority.value;
    workload.preempts = priority.preempts;
    workload.created = pod.metadata.creation_timestamp.value_or(scene.now);
    out.workloads.push_back(std::move(workload));
  }
}

std::optional<Member> NamespaceQuotas::member(const api::Pod& pod) const {
  if (queues_.empty() || is_grouped(pod) || !queues_.contains(pod.metadata.namespace_)) return std::nullopt;
  return Member{.workload = workload_of(pod), .group = {}, .priority = std::nullopt};
}

}  // namespace berth::dialects::workloads
