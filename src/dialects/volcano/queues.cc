#include "dialects/volcano/queues.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>

#include <fmt/format.h>

#include "dialects/kubernetes/resources.h"

namespace berth::dialects::volcano {
namespace {

using api::volcano::Queue;
using api::volcano::QueueState;
using engine::QuotaInput;

// One quota per resource that any of the three lists names.
class Quotas {
 public:
  Quotas(const api::Read<Queue>& read, engine::Names& names, workloads::Reading& out)
      : read_(read), names_(names), out_(out) {}

  std::vector<QuotaInput> of(const Policies& policies) {
    const Queue& queue = read_.object;
    const auto guarantee = amounts(queue.guarantee, "spec.guarantee.resource");
    const auto cap = amounts(queue.capability, "spec.capability");
    auto deserved = guarantee;
    if (policies.uses_deserved) {
      for (const auto& [resource, amount] : amounts(queue.deserved, "spec.deserved")) {
        engine::Amount& cell = deserved[resource];
        cell = std::max(cell, amount);
      }
    }
    std::map<engine::ResourceId, QuotaInput> quotas;
    for (const auto& [resource, amount] : deserved) {
      QuotaInput& quota = quotas[resource];
      quota.resource = resource;
      quota.guarantee = amount;
      // What is guaranteed is kept free for the queue; the rest of what it deserves may be lent.
      const auto kept = guarantee.find(resource);
      quota.lending_limit = amount - (kept == guarantee.end() ? 0 : kept->second);
    }
    for (const auto& [resource, amount] : cap) {
      QuotaInput& quota = quotas[resource];
      quota.resource = resource;
      quota.cap = amount;
      if (quota.guarantee) quota.guarantee = std::min(*quota.guarantee, amount);
    }
    std::vector<QuotaInput> result;
    for (auto& [resource, quota] : quotas) result.push_back(quota);
    return result;
  }

 private:
  std::map<engine::ResourceId, engine::Amount> amounts(const api::ResourceList& list, const std::string& field) {
    std::map<engine::ResourceId, engine::Amount> result;
    for (const auto& [name, quantity] : list) {
      if (name.find("deviceclass/") != std::string::npos) {
        out_.remark(ErrorCode::kUnsupported, read_.place, field,
                    fmt::format("Devices of claims are not counted in queues, so {} limits nothing. Limit the devices' "
                                "extended resource instead.",
                                name));
      } else if (const auto amount = kubernetes::quota_amount(name, quantity, names_)) {
        result.emplace(amount->resource, amount->amount);
      }
    }
    return result;
  }

  const api::Read<Queue>& read_;
  engine::Names& names_;
  workloads::Reading& out_;
};

engine::QueueInput implied(std::string_view name, const Policies& policies, engine::Names& names) {
  engine::QueueInput input;
  input.name = queue_name(names, name);
  if (name != kRootQueue) input.parent = queue_name(names, kRootQueue);
  input.fairness = policies.fairness;
  input.order = policies.order;
  input.shares_growth = policies.shares_growth;
  input.preempts = policies.preempts;
  input.reclaims = policies.reclaims;
  return input;
}

engine::QueueInput queue_input(const api::Read<Queue>& read, const Policies& policies, engine::Names& names,
                               workloads::Reading& out) {
  const Queue& queue = read.object;
  engine::QueueInput input = implied(queue.metadata.name, policies, names);
  if (queue.metadata.name != kRootQueue && !queue.parent.empty()) input.parent = queue_name(names, queue.parent);
  input.quotas = Quotas(read, names, out).of(policies);
  input.weight = queue.weight;
  input.priority = queue.priority;
  input.strict = queue.dequeue_strategy == api::volcano::DequeueStrategy::kFifo;
  input.reclaimable = queue.reclaimable;
  input.open = queue.status.state.value_or(QueueState::kOpen) == QueueState::kOpen;
  input.created = queue.metadata.creation_timestamp.value_or(0);
  return input;
}

}  // namespace

engine::NameId queue_name(engine::Names& names, std::string_view queue) {
  return names.names.intern(fmt::format("volcano/{}", queue));
}

void read_queues(const workloads::Scene& scene, const Policies& policies, engine::Names& names,
                 workloads::Reading& out) {
  const api::ObjectSet& objects = scene.objects;
  if (objects.volcano_queues.empty() && objects.volcano_pod_groups.empty()) return;
  std::set<std::string_view> there;
  std::set<std::string_view> parents;
  for (const auto& read : objects.volcano_queues) {
    there.insert(read.object.metadata.name);
    if (!read.object.parent.empty()) parents.insert(read.object.parent);
    out.queues.push_back(queue_input(read, policies, names, out));
  }
  for (const std::string_view name : {kRootQueue, kDefaultQueue})
    if (!there.contains(name)) out.queues.push_back(implied(name, policies, names));
  for (const auto& read : objects.volcano_pod_groups) {
    const std::string& queue = read.object.queue;
    if (queue != kRootQueue && !parents.contains(queue)) continue;
    out.remark(ErrorCode::kUnsupported, read.place, "spec.queue",
               fmt::format("Queue {} has queues below it, and Volcano lets only the lowest take "
                           "jobs. Berth charges it all the same; name a queue without children.",
                           queue));
  }
}

}  // namespace berth::dialects::volcano
