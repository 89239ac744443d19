#include "api/encode_parts.h"

#include "api/time.h"

namespace berth::api::encoding {

void text_member(Writer& out, std::string_view name, const std::string& value) {
  if (!value.empty()) out.member(name, value);
}

void time_member(Writer& out, std::string_view name, const std::optional<Time>& value) {
  if (value) out.member(name, format_time(*value));
}

void map_member(Writer& out, std::string_view name, const StringMap& map) {
  if (map.empty()) return;
  object_member(out, name, [&] {
    for (const auto& [key, value] : map) out.member(key, value);
  });
}

void resources_member(Writer& out, std::string_view name, const ResourceList& list) {
  if (list.empty()) return;
  object_member(out, name, [&] {
    for (const auto& [resource, amount] : list) out.member(resource, amount.to_string());
  });
}

void texts_member(Writer& out, std::string_view name, const std::vector<std::string>& texts) {
  array_member(out, name, texts, [](Writer& writer, const std::string& item) { writer.string(item); });
}

void begin(Writer& out, std::string_view api_version, std::string_view kind, const ObjectMeta& metadata) {
  out.begin_object();
  out.member("apiVersion", api_version);
  out.member("kind", kind);
  object_member(out, "metadata", [&] {
    text_member(out, "name", metadata.name);
    text_member(out, "generateName", metadata.generate_name);
    text_member(out, "namespace", metadata.namespace_);
    text_member(out, "uid", metadata.uid);
    map_member(out, "labels", metadata.labels);
    map_member(out, "annotations", metadata.annotations);
    time_member(out, "creationTimestamp", metadata.creation_timestamp);
    time_member(out, "deletionTimestamp", metadata.deletion_timestamp);
    array_member(out, "ownerReferences", metadata.owner_references, [](Writer& writer, const OwnerReference& owner) {
      writer.begin_object();
      writer.member("apiVersion", owner.api_version);
      writer.member("kind", owner.kind);
      writer.member("name", owner.name);
      writer.member("uid", owner.uid);
      if (owner.controller) writer.flag("controller", true);
      writer.end_object();
    });
  });
}

namespace {

void write_requirement(Writer& out, const SelectorRequirement& requirement) {
  out.begin_object();
  out.member("key", requirement.key);
  enum_member(out, "operator", requirement.op);
  texts_member(out, "values", requirement.values);
  out.end_object();
}

void write_affinity_term(Writer& out, const PodAffinityTerm& term) {
  out.begin_object();
  if (term.label_selector) {
    out.key("labelSelector");
    write_selector(out, *term.label_selector);
  }
  texts_member(out, "namespaces", term.namespaces);
  if (term.namespace_selector) {
    out.key("namespaceSelector");
    write_selector(out, *term.namespace_selector);
  }
  out.member("topologyKey", term.topology_key);
  texts_member(out, "matchLabelKeys", term.match_label_keys);
  texts_member(out, "mismatchLabelKeys", term.mismatch_label_keys);
  out.end_object();
}

constexpr std::string_view kRequired = "requiredDuringSchedulingIgnoredDuringExecution";
constexpr std::string_view kPreferred = "preferredDuringSchedulingIgnoredDuringExecution";

void pod_affinity_member(Writer& out, std::string_view name, const std::optional<PodAffinity>& affinity) {
  if (!affinity) return;
  object_member(out, name, [&] {
    array_member(out, kRequired, affinity->required, write_affinity_term);
    array_member(out, kPreferred, affinity->preferred, [](Writer& writer, const WeightedPodAffinityTerm& weighted) {
      writer.begin_object();
      writer.member("weight", weighted.weight);
      writer.key("podAffinityTerm");
      write_affinity_term(writer, weighted.term);
      writer.end_object();
    });
  });
}

void node_affinity_member(Writer& out, const NodeAffinity& affinity) {
  object_member(out, "nodeAffinity", [&] {
    if (affinity.required) {
      out.key(kRequired);
      write_node_selector(out, *affinity.required);
    }
    array_member(out, kPreferred, affinity.preferred, [](Writer& writer, const PreferredSchedulingTerm& preferred) {
      writer.begin_object();
      writer.member("weight", preferred.weight);
      writer.key("preference");
      write_term(writer, preferred.preference);
      writer.end_object();
    });
  });
}

}  // namespace

void write_selector(Writer& out, const LabelSelector& selector) {
  out.begin_object();
  map_member(out, "matchLabels", selector.match_labels);
  array_member(out, "matchExpressions", selector.match_expressions, write_requirement);
  out.end_object();
}

void write_term(Writer& out, const NodeSelectorTerm& term) {
  out.begin_object();
  array_member(out, "matchExpressions", term.match_expressions, write_requirement);
  array_member(out, "matchFields", term.match_fields, write_requirement);
  out.end_object();
}

void write_node_selector(Writer& out, const NodeSelector& selector) {
  out.begin_object();
  array_member(out, "nodeSelectorTerms", selector.terms, write_term);
  out.end_object();
}

void write_condition(Writer& out, const Condition& condition) {
  out.begin_object();
  out.member("type", condition.type);
  out.member("status", condition.status);
  text_member(out, "reason", condition.reason);
  text_member(out, "message", condition.message);
  time_member(out, "lastTransitionTime", condition.last_transition_time);
  out.end_object();
}

void write_taint(Writer& out, const Taint& taint) {
  out.begin_object();
  out.member("key", taint.key);
  text_member(out, "value", taint.value);
  enum_member(out, "effect", taint.effect);
  out.end_object();
}

void write_claim(Writer& out, const PodResourceClaim& claim) {
  out.begin_object();
  out.member("name", claim.name);
  text_member(out, "resourceClaimName", claim.resource_claim_name);
  text_member(out, "resourceClaimTemplateName", claim.resource_claim_template_name);
  out.end_object();
}

void write_claim_status(Writer& out, const PodResourceClaimStatus& status) {
  out.begin_object();
  out.member("name", status.name);
  if (status.resource_claim_name) out.member("resourceClaimName", *status.resource_claim_name);
  out.end_object();
}

void affinity_member(Writer& out, const Affinity& affinity) {
  if (affinity == Affinity{}) return;
  object_member(out, "affinity", [&] {
    if (affinity.node) node_affinity_member(out, *affinity.node);
    pod_affinity_member(out, "podAffinity", affinity.pod);
    pod_affinity_member(out, "podAntiAffinity", affinity.pod_anti);
  });
}

}  // namespace berth::api::encoding
