#include "sim/volume_binder.h"

#include <algorithm>
#include <functional>

#include "api/volume_binding.h"
#include "dialects/kubernetes/volumes.h"

namespace berth::sim {
namespace {

bool binds_volumes(const Cluster& cluster, const api::Pod& pod) {
  const api::SchedulerProfile* profile = cluster.translator().profile(pod.spec.scheduler_name);
  return profile != nullptr &&
         std::ranges::find(profile->filters, api::Plugin::kVolumeBinding) != profile->filters.end();
}

// The object behind the pointer, which is one of the list's.
template <class T>
T& changeable(std::vector<api::Read<T>>& list, const T* object) {
  const auto address = [](const api::Read<T>& read) { return &read.object; };
  return std::ranges::lower_bound(list, object, std::less<const T*>(), address)->object;
}

}  // namespace

std::optional<std::size_t> bind_volumes(Cluster& cluster, const api::Pod& pod, std::string_view node) {
  const auto claims = [](const api::Volume& volume) {
    return volume.ephemeral || !volume.persistent_volume_claim.empty();
  };
  if (std::ranges::none_of(pod.spec.volumes, claims) || !binds_volumes(cluster, pod)) return 0;
  const auto* on = cluster.translator().node(cluster.names().names.find(node));
  if (on == nullptr) return 0;
  const auto chosen = dialects::kubernetes::choose_volumes(pod, cluster.translator().context(), on->object);
  if (!chosen) return std::nullopt;
  api::ObjectSet& objects = cluster.objects();
  for (const auto& [claim, volume] : chosen->taken)
    api::bind(changeable(objects.persistent_volume_claims, claim), changeable(objects.persistent_volumes, volume));
  for (const auto* claim : chosen->made)
    dialects::kubernetes::select_node(changeable(objects.persistent_volume_claims, claim), node);
  return chosen->taken.size() + chosen->made.size();
}

std::vector<bool> refused_for_volumes(Cluster& cluster, const engine::StepResult& result) {
  std::vector<bool> refused(result.decisions.size(), false);
  std::size_t taken = 0;
  for (std::size_t first = 0; first < refused.size();) {
    std::size_t last = first + 1;
    const engine::WorkloadId workload = result.decisions[first].workload;
    while (!workload.is_none() && last < refused.size() && result.decisions[last].workload == workload) ++last;
    bool whole = true;
    for (std::size_t i = first; i < last && whole; ++i) {
      const engine::Decision& decision = result.decisions[i];
      const api::Pod* pod = cluster.pod(decision.pod);
      if (decision.kind != engine::Decision::Kind::kPlace || pod == nullptr) continue;
      const auto bound = bind_volumes(cluster, *pod, cluster.node_name(decision.node));
      taken += bound.value_or(0);
      // Where no claim got a volume or a node in this step the engine knew as much.
      whole = bound.has_value() || taken == 0;
    }
    for (std::size_t i = first; i < last && !whole; ++i) refused[i] = true;
    first = last;
  }
  return refused;
}

}  // namespace berth::sim
