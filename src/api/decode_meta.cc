#include "api/decode_fields.h"
#include "api/selector.h"

namespace berth::api {
namespace {

void read_owners(DecodeContext& context, const Value& value, ObjectMeta& out) {
  if (!value.is_array()) return context.wrong_kind(value, "an array");
  for (std::size_t i = 0; i < value.size(); ++i) {
    const DecodeContext::Scope scope(context, i);
    read(context, value.items()[i], out.owner_references.emplace_back());
  }
}

void read_labels(DecodeContext& context, const Value& value, ObjectMeta& out) {
  read(context, value, out.labels);
  for (const text::Member& label : value.members()) {
    const DecodeContext::Scope scope(context, label.name(), DecodeContext::Scope::kMapKey);
    if (auto fault = label_key_fault(label.name())) {
      context.error(label.key, *std::move(fault));
    } else if (auto wrong = label_value_fault(label.value.text())) {
      context.error(label.value, *std::move(wrong));
    }
  }
}

// The API server takes no more, of all annotations together.
void read_annotations(DecodeContext& context, const Value& value, ObjectMeta& out) {
  constexpr std::size_t kMostBytes = 256U << 10U;
  read(context, value, out.annotations);
  std::size_t bytes = 0;
  for (const auto& [key, text] : out.annotations) bytes += key.size() + text.size();
  if (bytes <= kMostBytes) return;
  out.annotations.clear();
  context.error(value, "The annotations have " + std::to_string(bytes) +
                           " bytes, but at most 262144 are allowed in "
                           "all; shorten or remove some.");
}

void read_requirement(DecodeContext& context, const Value& value, SelectorRequirement& out, SelectorScope scope) {
  static const FieldTable<SelectorRequirement> kFields({{"key", member<&SelectorRequirement::key>},
                                                        {"operator", member<&SelectorRequirement::op>},
                                                        {"values", member<&SelectorRequirement::values>}},
                                                       {});
  const std::int32_t before = context.errors();
  kFields.read(context, value, out);
  if (context.errors() != before) return;
  if (!is_given(value, "operator")) {
    context.error(value, "The operator is missing; write " + enum_choices<SelectorOperator>() + ".");
  } else if (auto fault = requirement_fault(out, scope)) {
    context.error(value, *std::move(fault));
  }
}

void read_requirements(DecodeContext& context, const Value& value, std::vector<SelectorRequirement>& out,
                       SelectorScope scope) {
  if (!value.is_array()) return context.wrong_kind(value, "an array");
  for (std::size_t i = 0; i < value.size(); ++i) {
    const DecodeContext::Scope index(context, i);
    read_requirement(context, value.items()[i], out.emplace_back(), scope);
  }
}

}  // namespace

void read(DecodeContext& context, const Value& value, OwnerReference& out) {
  static const FieldTable<OwnerReference> kFields({{"apiVersion", member<&OwnerReference::api_version>},
                                                   {"kind", member<&OwnerReference::kind>},
                                                   {"name", member<&OwnerReference::name>},
                                                   {"uid", member<&OwnerReference::uid>},
                                                   {"controller", member<&OwnerReference::controller>}},
                                                  {"blockOwnerDeletion"});
  kFields.read(context, value, out);
}

void read(DecodeContext& context, const Value& value, ObjectMeta& out) {
  static const FieldTable<ObjectMeta> kFields(
      {{"name", member<&ObjectMeta::name>},
       {"generateName", member<&ObjectMeta::generate_name>},
       {"namespace", member<&ObjectMeta::namespace_>},
       {"uid", member<&ObjectMeta::uid>},
       {"labels", read_labels},
       {"annotations", read_annotations},
       {"creationTimestamp", time_member<&ObjectMeta::creation_timestamp>},
       {"deletionTimestamp", time_member<&ObjectMeta::deletion_timestamp>},
       {"ownerReferences", read_owners}},
      {"selfLink", "resourceVersion", "generation", "deletionGracePeriodSeconds", "finalizers", "clusterName",
       "managedFields"});
  kFields.read(context, value, out);
}

void read(DecodeContext& context, const Value& value, LabelSelector& out) {
  static const FieldTable<LabelSelector> kFields(
      {{"matchLabels", member<&LabelSelector::match_labels>},
       {"matchExpressions",
        [](DecodeContext& inside, const Value& list, LabelSelector& selector) {
          read_requirements(inside, list, selector.match_expressions, SelectorScope::kLabels);
        }}},
      {});
  kFields.read(context, value, out);
}

void read(DecodeContext& context, const Value& value, NodeSelectorTerm& out) {
  static const FieldTable<NodeSelectorTerm> kFields(
      {{"matchExpressions",
        [](DecodeContext& inside, const Value& list, NodeSelectorTerm& term) {
          read_requirements(inside, list, term.match_expressions, SelectorScope::kNodes);
        }},
       {"matchFields",
        [](DecodeContext& inside, const Value& list, NodeSelectorTerm& term) {
          read_requirements(inside, list, term.match_fields, SelectorScope::kNodeFields);
        }}},
      {});
  kFields.read(context, value, out);
}

void read(DecodeContext& context, const Value& value, NodeSelector& out) {
  static const FieldTable<NodeSelector> kFields({{"nodeSelectorTerms", member<&NodeSelector::terms>}}, {});
  kFields.read(context, value, out);
  if (value.is_object() && out.terms.empty())
    context.error(value, "nodeSelectorTerms is empty, which no node can match; add a term or remove the selector.");
}

void read(DecodeContext& context, const Value& value, Condition& out) {
  static const FieldTable<Condition> kFields(
      {{"type", member<&Condition::type>},
       {"status", member<&Condition::status>},
       {"reason", member<&Condition::reason>},
       {"message", member<&Condition::message>},
       {"lastTransitionTime", time_member<&Condition::last_transition_time>}},
      // transitionID: the scheduling session of Volcano that wrote it.
      {"observedGeneration", "lastProbeTime", "lastHeartbeatTime", "lastUpdateTime", "transitionID"});
  kFields.read(context, value, out);
}

}  // namespace berth::api
