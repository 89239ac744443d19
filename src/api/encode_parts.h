// Encoders of the parts that several objects share. For api/encode.cc and its neighbours.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/core.h"
#include "api/enum_names.h"
#include "api/storage.h"
#include "text/writer.h"

namespace berth::api::encoding {

using text::Writer;

// Members that are written only where they hold something.
void text_member(Writer& out, std::string_view name, const std::string& value);
void time_member(Writer& out, std::string_view name, const std::optional<Time>& value);
void map_member(Writer& out, std::string_view name, const StringMap& map);
void resources_member(Writer& out, std::string_view name, const ResourceList& list);
void texts_member(Writer& out, std::string_view name, const std::vector<std::string>& texts);

template <class Enum>
void enum_member(Writer& out, std::string_view name, Enum value) {
  out.member(name, enum_name(value));
}

// An array of what `write_one` writes, left out where it is empty.
template <class T, class WriteOne>
void array_member(Writer& out, std::string_view name, const std::vector<T>& items, WriteOne write_one) {
  if (items.empty()) return;
  out.key(name);
  out.begin_array();
  for (const T& item : items) write_one(out, item);
  out.end_array();
}

template <class WriteMembers>
void object_member(Writer& out, std::string_view name, WriteMembers write_members) {
  out.key(name);
  out.begin_object();
  write_members();
  out.end_object();
}

// Of nodes' taints or of devices'.
template <class Toleration>
void write_toleration(Writer& out, const Toleration& toleration) {
  out.begin_object();
  text_member(out, "key", toleration.key);
  enum_member(out, "operator", toleration.op);
  text_member(out, "value", toleration.value);
  if (toleration.effect) enum_member(out, "effect", *toleration.effect);
  if (toleration.toleration_seconds) out.member("tolerationSeconds", *toleration.toleration_seconds);
  out.end_object();
}

// apiVersion, kind and metadata; the object stays open.
void begin(Writer& out, std::string_view api_version, std::string_view kind, const ObjectMeta& metadata);
void write_selector(Writer& out, const LabelSelector& selector);
void write_node_selector(Writer& out, const NodeSelector& selector);
void write_term(Writer& out, const NodeSelectorTerm& term);
void write_condition(Writer& out, const Condition& condition);
void write_taint(Writer& out, const Taint& taint);
// An entry of resourceClaims of pods and groups, and which claim serves it.
void write_claim(Writer& out, const PodResourceClaim& claim);
void write_claim_status(Writer& out, const PodResourceClaimStatus& status);
void affinity_member(Writer& out, const Affinity& affinity);
// Labels, annotations and spec of the pods that a workload makes.
void write_pod_template(Writer& out, const PodTemplate& from);
// What spec of a PersistentVolumeClaim holds.
void claim_spec_members(Writer& out, const PersistentVolumeClaim& claim);

}  // namespace berth::api::encoding
