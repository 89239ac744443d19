#include "sim/plan/weaker.h"

#include <algorithm>
#include <iterator>
#include <set>

#include "api/full_name.h"
#include "api/pod_state.h"
#include "api/volume_binding.h"
#include "dialects/kubernetes/spread.h"
#include "engine/world/world.h"
#include "report/layout.h"
#include "sim/plan/device_doubts.h"

namespace berth::sim {
namespace {

using report::counted;
using report::enumerate;

// "1 pending pod uses", "3 pending pods use".
std::string with_verb(std::int64_t count, std::string_view noun, std::string_view verb) {
  const auto number = static_cast<std::uint64_t>(count);
  return counted(number, noun) + ' ' + std::string(verb) + (count == 1 ? "s" : "");
}

bool selects_namespaces(const api::Affinity& affinity) {
  const auto in = [](const std::optional<api::PodAffinity>& rules) {
    if (!rules) return false;
    const auto required = [](const api::PodAffinityTerm& term) { return term.namespace_selector.has_value(); };
    const auto preferred = [](const api::WeightedPodAffinityTerm& term) {
      return term.term.namespace_selector.has_value();
    };
    return std::ranges::any_of(rules->required, required) || std::ranges::any_of(rules->preferred, preferred);
  };
  return in(affinity.pod) || in(affinity.pod_anti);
}

// What the pods that want a place refer to.
struct References {
  std::set<std::string> classes;          // PriorityClasses named without a resolved priority
  std::set<std::string> runtime_classes;  // named by pods that no API server has seen
  std::int64_t with_volumes = 0;
  std::int64_t with_device_claims = 0;
  std::int64_t with_namespace_selectors = 0;
};

References references(const api::ObjectSet& objects) {
  References out;
  for (const auto& read : objects.pods) {
    const api::PodSpec& spec = read.object.spec;
    if (is_finished(read.object)) continue;
    if (!spec.priority && !spec.priority_class_name.empty()) out.classes.insert(spec.priority_class_name);
    if (selects_namespaces(spec.affinity)) ++out.with_namespace_selectors;
    if (!spec.node_name.empty()) continue;
    if (!spec.runtime_class_name.empty() && read.object.metadata.uid.empty())
      out.runtime_classes.insert(spec.runtime_class_name);
    const auto has_claim = [](const api::Volume& volume) {
      return !volume.persistent_volume_claim.empty() || volume.ephemeral;
    };
    if (std::ranges::any_of(spec.volumes, has_claim)) ++out.with_volumes;
    if (!spec.resource_claims.empty()) ++out.with_device_claims;
  }
  for (const auto& read : objects.priority_classes) out.classes.erase(read.object.metadata.name);
  for (const auto& read : objects.runtime_classes) out.runtime_classes.erase(read.object.metadata.name);
  out.classes.erase("system-node-critical");
  out.classes.erase("system-cluster-critical");
  return out;
}

// Pending pods for whose volumes to be the input does not show whether their drivers have room.
std::int64_t without_known_room(const Cluster& cluster) {
  const api::ObjectSet& objects = cluster.objects();
  const auto& context = cluster.translator().context();
  const auto is_unknown = [&](const api::Pod& pod, const api::Volume& volume) {
    const auto* claim = context.claim(pod.metadata.namespace_, api::claim_behind(pod, volume));
    if (claim == nullptr || !claim->volume_name.empty()) return false;
    const auto* storage_class = context.storage_class(*claim);
    if (storage_class == nullptr || storage_class->provisioner.empty() ||
        storage_class->provisioner.starts_with("kubernetes.io/"))
      return false;
    if (objects.csi_drivers.empty()) return true;
    return objects.csi_storage_capacities.empty() &&
           std::ranges::any_of(objects.csi_drivers, [storage_class](const api::Read<api::CsiDriver>& driver) {
             return driver.object.storage_capacity && driver.object.metadata.name == storage_class->provisioner;
           });
  };
  return std::ranges::count_if(objects.pods, [&](const api::Read<api::Pod>& read) {
    const api::Pod& pod = read.object;
    return !is_finished(pod) && pod.spec.node_name.empty() &&
           std::ranges::any_of(pod.spec.volumes, [&](const api::Volume& volume) { return is_unknown(pod, volume); });
  });
}

// Pending pods whose controllers are not there to say which pods are their siblings.
std::int64_t without_default_spread(const Cluster& cluster) {
  const engine::World& world = cluster.engine().world();
  std::int64_t count = 0;
  for (const auto& read : cluster.objects().pods) {
    const api::Pod& pod = read.object;
    if (is_finished(pod) || !pod.spec.node_name.empty()) continue;
    const engine::PodId id = cluster.engine().find_pod(cluster.names().names.find(api::full_name(pod.metadata)));
    const api::SchedulerProfile* profile = cluster.translator().profile(pod.spec.scheduler_name);
    if (id.is_none() || profile == nullptr) continue;
    const bool asks_cards = !world.shape_of(id).input.cards.empty();
    if (lacks_default_spread(pod, asks_cards, *profile, cluster.translator().context())) ++count;
  }
  return count;
}

// "n1 (nvidia.com/gpu)" for each node whose pods ask for more than it has.
std::vector<std::string> overcommitted(const Cluster& cluster) {
  std::vector<std::string> out;
  const engine::World& world = cluster.engine().world();
  for (std::size_t i = 0; i < world.node_slots(); ++i) {
    const engine::NodeId node(i);
    if (!world.node(node).alive) continue;
    const engine::ResourceId resource = world.overcommitted(node);
    if (resource.is_none()) continue;
    out.push_back(std::string(cluster.node_name(node)) + " (" + std::string(cluster.names().resources.text(resource)) +
                  ")");
  }
  std::ranges::sort(out, report::natural_less);
  return out;
}

}  // namespace

std::vector<std::string> weaker_conclusions(const Cluster& cluster) {
  const api::ObjectSet& objects = cluster.objects();
  std::vector<std::string> out;
  if (objects.nodes.empty()) {
    out.emplace_back(objects.refused_any("Node")
                         ? "No node of the input could be read, so nothing can be placed; correct their errors."
                         : "The input has no nodes, so nothing can be placed; add the output of `kubectl get nodes -o "
                           "json`.");
  } else if (std::ranges::none_of(objects.pods, [](const auto& read) { return is_on_a_node(read.object); })) {
    out.emplace_back("No running pod was read, so every node is taken to be empty.");
  }
  std::int64_t elsewhere = 0;
  for (const auto& left : cluster.translator().left_out())
    if (left.cause == dialects::kubernetes::LeftOut::Cause::kUnknownNode) ++elsewhere;
  if (elsewhere > 0)
    out.push_back(with_verb(elsewhere, "pod", "run") + " on a node that is not in the input; left out.");

  if (const auto full = overcommitted(cluster); !full.empty())
    out.push_back("The pods on " + enumerate(full, 3) + " ask for more than " +
                  (full.size() == 1 ? "it offers" : "they offer") +
                  "; nothing more is placed there, and such pods may really run with less.");

  std::ranges::move(device_doubts(cluster), std::back_inserter(out));

  const References refers = references(objects);
  if (!refers.classes.empty()) {
    const std::vector<std::string> names(refers.classes.begin(), refers.classes.end());
    out.push_back("PriorityClass " + enumerate(names, 3) + (names.size() == 1 ? " is" : " are") +
                  " not in the input; the pods that name " + (names.size() == 1 ? "it" : "them") +
                  " count with priority 0.");
  }
  if (!refers.runtime_classes.empty()) {
    const std::vector<std::string> names(refers.runtime_classes.begin(), refers.runtime_classes.end());
    out.push_back("RuntimeClass " + enumerate(names, 3) + (names.size() == 1 ? " is" : " are") +
                  " not in the input; the pods that name " + (names.size() == 1 ? "it" : "them") +
                  " count without the overhead and the nodes that " + (names.size() == 1 ? "it asks" : "they ask") +
                  " for.");
  }
  if (refers.with_volumes > 0 && objects.persistent_volume_claims.empty())
    out.push_back(with_verb(refers.with_volumes, "pending pod", "use") +
                  " PersistentVolumeClaims and the input has none; " +
                  "add the output of `kubectl get pvc,pv,sc -A -o json`.");
  if (const std::int64_t count = without_known_room(cluster); count > 0)
    out.push_back(with_verb(count, "pending pod", "wait") +
                  " for volumes that are yet to be made, and the input does not say whether their drivers have room; "
                  "add the output of `kubectl get csidrivers,csistoragecapacities -A -o json`.");
  if (refers.with_device_claims > 0 && objects.resource_slices.empty())
    out.push_back(with_verb(refers.with_device_claims, "pending pod", "use") +
                  " ResourceClaims and the input has no ResourceSlices, so no device is known; " +
                  "add the output of `kubectl get resourceslices,deviceclasses -o json`.");
  if (const std::int64_t count = without_default_spread(cluster); count > 0)
    out.push_back("The controller of " + counted(static_cast<std::uint64_t>(count), "pending pod") +
                  " is not in the input, so nodes are not scored by how they spread; add the output of "
                  "`kubectl get rs,sts,rc,svc -A -o json`.");
  if (refers.with_namespace_selectors > 0 && objects.namespaces.empty())
    out.emplace_back("Affinity rules select namespaces by label and the input has no namespaces; they see none.");
  return out;
}

}  // namespace berth::sim
