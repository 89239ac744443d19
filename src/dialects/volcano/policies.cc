#include "dialects/volcano/policies.h"

#include <algorithm>

#include "api/duration.h"

namespace berth::dialects::volcano {

using engine::EvictionRight;
using engine::FairnessPolicy;
using engine::OrderPolicy;

Policies policies_of(const std::optional<api::volcano::SchedulerConf>& conf, const api::ObjectSet& objects) {
  Policies result;
  if (!conf) {
    result.uses_deserved =
        std::ranges::any_of(objects.volcano_queues, [](const auto& read) { return !read.object.deserved.empty(); });
    result.fairness = result.uses_deserved ? FairnessPolicy::kCapacity : FairnessPolicy::kDrf;
    return result;
  }
  const auto has = [&](std::string_view name) { return conf->plugin(name) != nullptr; };
  if (has("capacity")) {
    result.fairness = FairnessPolicy::kCapacity;
    result.uses_deserved = true;
  } else if (has("proportion")) {
    result.fairness = FairnessPolicy::kProportion;
  }
  result.order = conf->votes("priority", "enableJobOrder") ? OrderPolicy::kPriority : OrderPolicy::kAge;
  result.shares_growth = conf->votes("drf", "enableJobOrder");
  result.deadlines = conf->votes("sla", "enableJobOrder");
  if (const auto* sla = conf->plugin("sla"); sla != nullptr && result.deadlines) {
    if (const auto wait = sla->arguments.find("sla-waiting-time"); wait != sla->arguments.end())
      result.waiting_seconds = api::parse_duration_seconds(wait->second);
  }
  const bool preempts = conf->runs("preempt") || conf->runs("gangpreempt");
  const bool reclaims = conf->runs("reclaim") || conf->runs("gangreclaim");
  result.preempts = preempts ? EvictionRight::kLowerPriority : EvictionRight::kNever;
  result.reclaims = reclaims ? EvictionRight::kAny : EvictionRight::kNever;
  result.node_groups = has("nodegroup");
  result.network_topology = has("network-topology-aware");
  result.revocable_stay_back = conf->votes("tdm", "enablePreemptable");
  return result;
}

}  // namespace berth::dialects::volcano
