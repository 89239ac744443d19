#include "controllers/template_size.h"

#include <map>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace berth::controllers {
namespace {

constexpr std::size_t kMapNode = 48;        // what a map's entry needs beside its content
constexpr std::size_t kInsideAString = 15;  // so many characters cost nothing beside the string itself

// What a value points to: a function for each kind of value. Members, as each may call any other.
struct Sizes {
  static std::size_t beside(std::int32_t) { return 0; }
  static std::size_t beside(const api::Quantity&) { return 0; }
  static std::size_t beside(const std::string& text) { return text.size() > kInsideAString ? text.size() + 1 : 0; }

  template <class T>
  static std::size_t beside(const std::optional<T>& maybe) {
    return maybe ? beside(*maybe) : 0;
  }
  template <class K, class V, class L>
  static std::size_t beside(const std::map<K, V, L>& map) {
    std::size_t sum = 0;
    for (const auto& [key, value] : map) sum += kMapNode + sizeof(std::pair<const K, V>) + beside(key) + beside(value);
    return sum;
  }

  template <class... Parts>
  static std::size_t all(const Parts&... parts) {
    return (beside(parts) + ...);
  }

  static std::size_t beside(const api::SelectorRequirement& each) { return all(each.key, each.values); }
  static std::size_t beside(const api::LabelSelector& each) { return all(each.match_labels, each.match_expressions); }
  static std::size_t beside(const api::NodeSelectorTerm& each) {
    return all(each.match_expressions, each.match_fields);
  }
  static std::size_t beside(const api::NodeSelector& each) { return all(each.terms); }
  static std::size_t beside(const api::PreferredSchedulingTerm& each) { return all(each.preference); }
  static std::size_t beside(const api::NodeAffinity& each) { return all(each.required, each.preferred); }
  static std::size_t beside(const api::PodAffinityTerm& each) {
    return all(each.label_selector, each.namespaces, each.namespace_selector, each.topology_key, each.match_label_keys,
               each.mismatch_label_keys);
  }
  static std::size_t beside(const api::WeightedPodAffinityTerm& each) { return all(each.term); }
  static std::size_t beside(const api::PodAffinity& each) { return all(each.required, each.preferred); }
  static std::size_t beside(const api::Affinity& each) { return all(each.node, each.pod, each.pod_anti); }
  static std::size_t beside(const api::Toleration& each) { return all(each.key, each.value); }
  static std::size_t beside(const api::TopologySpreadConstraint& each) {
    return all(each.topology_key, each.label_selector, each.match_label_keys);
  }
  static std::size_t beside(const api::ContainerPort& each) { return all(each.host_ip); }
  static std::size_t beside(const api::ResourceClaimReference& each) { return all(each.name, each.request); }
  static std::size_t beside(const api::ResourceRequirements& each) {
    return all(each.requests, each.limits, each.claims);
  }
  static std::size_t beside(const api::Container& each) {
    return all(each.name, each.image, each.resources, each.ports);
  }
  static std::size_t beside(const api::Volume& each) {
    return all(each.name, each.persistent_volume_claim, each.image);
  }
  static std::size_t beside(const api::PodResourceClaim& each) {
    return all(each.name, each.resource_claim_name, each.resource_claim_template_name);
  }
  static std::size_t beside(const api::OwnerReference& each) {
    return all(each.api_version, each.kind, each.name, each.uid);
  }
  static std::size_t beside(const api::ObjectMeta& each) {
    return all(each.name, each.generate_name, each.namespace_, each.uid, each.labels, each.annotations,
               each.owner_references);
  }
  static std::size_t beside(const api::PodSpec& each) {
    return all(each.init_containers, each.containers, each.overhead, each.resources, each.node_name, each.node_selector,
               each.affinity, each.tolerations, each.topology_spread_constraints, each.scheduling_gates, each.volumes,
               each.resource_claims, each.scheduler_name, each.runtime_class_name, each.priority_class_name);
  }

  template <class T>
  static std::size_t beside(const std::vector<T>& list) {
    std::size_t sum = list.size() * sizeof(T);
    if constexpr (!std::is_enum_v<T>)
      for (const T& each : list) sum += beside(each);
    return sum;
  }
};

}  // namespace

std::int64_t bytes_of_a_pod(const api::PodTemplate& from) {
  return static_cast<std::int64_t>(sizeof(api::Read<api::Pod>) + Sizes::all(from.metadata, from.spec));
}

std::int64_t bytes_of_a_claim(const api::PersistentVolumeClaim& from) {
  return static_cast<std::int64_t>(sizeof(api::Read<api::PersistentVolumeClaim>) +
                                   Sizes::all(from.metadata, from.access_modes, from.requests, from.storage_class_name,
                                              from.volume_name, from.selector, from.phase, from.volume_mode,
                                              from.volume_attributes_class_name));
}

}  // namespace berth::controllers
