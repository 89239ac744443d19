#include <algorithm>
#include <utility>

#include "report/device_reasons.h"
#include "report/layout.h"
#include "report/reason_words.h"
#include "report/reasons.h"
#include "report/workload_reasons.h"

namespace berth::report {
namespace {

using engine::Amount;
using engine::HoldCause;
using engine::NodeCause;
using engine::Reason;
using engine::ReasonClass;

std::string never_fits(const Reason& reason, const Surroundings& around) {
  if (std::string text = workload_never_fits(reason, around); !text.empty()) return text;
  if (reason.total_nodes == 0)
    return around.was_refused("Node", "") ? "no node of the input could be read; correct their errors"
                                          : "there is no node in the input";
  if (has(reason, NodeCause::kNodeAffinity) && reason.best_found <= 0) {
    const std::vector<std::string> unanswered = around.unanswered();
    if (!unanswered.empty()) return enumerate(unanswered, 2);
    if (count(reason, NodeCause::kNodeAffinity) == reason.total_nodes)
      return "of " + counted(reason.total_nodes, "node") + " it selects none: it asks for " +
             shortened(around.selection());
  }
  if (reason.best_node.is_none() && has(reason, NodeCause::kVolumeBinding) && !has(reason, NodeCause::kTooLarge))
    return "no node reaches, or has room for, a volume that its claims may take: of " +
           counted(reason.total_nodes, "node") + " " + enumerate(cause_counts(reason), 4);
  if (reason.best_node.is_none() && has(reason, NodeCause::kFeature) && !has(reason, NodeCause::kTooLarge))
    return "needs a node that declares " + enumerate(around.needed_features(), 3) + ": of " +
           counted(reason.total_nodes, "node") + " " + enumerate(cause_counts(reason), 4);
  if (!reason.resource.is_none() && reason.needed > 0) {
    std::string text = "needs " + asked_in_full(reason, around) + " on one node; ";
    if (reason.best_found <= 0 || reason.best_node.is_none()) {
      text += has(reason, NodeCause::kNodeAffinity) ? "no node that it selects has any" : "no node has any";
      // A misspelt resource asks for something else than cards.
      if (around.names().resources.text(reason.resource).find('/') != std::string_view::npos) {
        const std::vector<std::string> others = around.likely_resources(reason.resource);
        if (!others.empty()) text += " (the cluster offers " + enumerate(others, 3) + ")";
      }
      return text;
    }
    text += has(reason, NodeCause::kNodeAffinity) ? "the largest node that it selects, " : "the largest node, ";
    return text + std::string(around.node_name(reason.best_node)) + ", has " +
           there_is(reason, around, reason.best_found) + ", even when empty";
  }
  const std::vector<std::string> causes = cause_counts(reason);
  return "no node would take it even if the cluster were empty: of " + counted(reason.total_nodes, "node") + " " +
         enumerate(causes, 4);
}

std::string in_the_way(const Reason& reason, const Surroundings& around) {
  if (has(reason, NodeCause::kHostPort))
    return "the host port it wants is in use on " + nodes_text(reason, around, NodeCause::kHostPort);
  if (has(reason, NodeCause::kVolumeRestriction)) return "its ReadWriteOncePod volume is in use by another pod";
  return "waits for running pods: of " + counted(reason.total_nodes, "node") + " " + enumerate(cause_counts(reason), 4);
}

std::string busy(const Reason& reason, const Surroundings& around) {
  if (!is_about_amounts(reason)) return in_the_way(reason, around);
  std::string text = "needs " + asked(reason, around) + " on one node; ";
  if (reason.best_node.is_none() || reason.best_found <= 0) return text + "no node it may use has any free";
  text += "best is " + std::string(around.node_name(reason.best_node)) + " with " +
          there_is(reason, around, reason.best_found) + " free";
  const Amount whole = around.allocatable(reason.best_node, reason.resource);
  if (whole > 0 && !reason.card_memory) text += " of " + there_is(reason, around, whole);
  if (reason.missing > 0) text += "; " + there_is(reason, around, reason.missing) + " missing";
  return text;
}

std::string fragmented(const Reason& reason, const Surroundings& around) {
  std::string text = busy(reason, around);
  if (reason.sum_free > 0) {
    const std::uint32_t nodes = count(reason, NodeCause::kInsufficient) + count(reason, NodeCause::kCardFragmented);
    text += "; " + there_is(reason, around, reason.sum_free) + " free in sum";
    if (nodes > 0) text += " over " + counted(nodes, "node");
  }
  return text;
}

// "h100-03 tainted maintenance:NoSchedule": the nodes that would do but for this cause, those of one taint together.
std::vector<std::string> closed_texts(const Reason& reason, const Surroundings& around, NodeCause cause) {
  std::vector<std::pair<std::string, std::vector<std::string>>> groups;  // what is said of the nodes, and their names
  for (const auto& [node, own] : reason.would_do) {
    if (own != cause) continue;
    std::string what(phrase_of(cause));
    const auto taint = cause == NodeCause::kTaint ? around.taint_on(node) : std::nullopt;
    if (taint) what += ' ' + taint_text(*taint, around.names());
    auto group = std::ranges::find(groups, what, &decltype(groups)::value_type::first);
    if (group == groups.end()) group = groups.emplace(groups.end(), std::move(what), std::vector<std::string>());
    group->second.emplace_back(around.node_name(node));
  }
  constexpr std::size_t kMost = 4;
  std::size_t room = kMost;
  std::size_t left = reason.would_do_counts[static_cast<std::size_t>(cause)];
  std::vector<std::string> out;
  for (auto& [what, names] : groups) {
    std::ranges::sort(names, natural_less);
    names.resize(std::min(names.size(), room));
    room -= names.size();
    left -= std::min(left, names.size());
    if (left > 0 && groups.size() == 1) names.push_back(grouped(left) + " more");
    if (!names.empty()) out.push_back(enumerate(names, names.size()) + ' ' + what);
  }
  if (left > 0 && groups.size() > 1)
    out.push_back(counted(left, "more node", "more nodes") + ' ' + std::string(phrase_of(cause)));
  return out;
}

std::string node_excluded(const Reason& reason, const Surroundings& around) {
  std::vector<std::string> parts;
  for (const NodeCause cause : {NodeCause::kUnschedulable, NodeCause::kTaint, NodeCause::kNotReady}) {
    for (std::string& text : closed_texts(reason, around, cause)) parts.push_back(std::move(text));
    // Of a group of pods it is not known which nodes would do.
    if (reason.would_do.empty() && has(reason, cause)) {
      std::string text = nodes_text(reason, around, cause) + ' ' + std::string(phrase_of(cause));
      if (cause == NodeCause::kTaint) text += ' ' + taints_text(reason, around);
      parts.push_back(std::move(text));
    }
  }
  // Cordons, taints and nodes that are down can be lifted; what the pod itself rules out comes second.
  if (parts.empty() && has(reason, NodeCause::kNodeAffinity)) {
    const std::vector<std::string> unanswered = around.unanswered();
    parts.push_back(unanswered.empty() ? nodes_text(reason, around, NodeCause::kNodeAffinity) + " not selected"
                                       : enumerate(unanswered, 2));
  }
  if (parts.empty() && has(reason, NodeCause::kNodeName))
    parts.push_back(nodes_text(reason, around, NodeCause::kNodeName) + " not the node it names");
  if (parts.empty() && has(reason, NodeCause::kVolumeBinding))
    parts.push_back(nodes_text(reason, around, NodeCause::kVolumeBinding) +
                    " without access to its volume or room for it");
  std::string text = reason.excluded_are_full
                         ? "only nodes that it may not use are large enough, and these are in use: "
                         : "capacity exists, but on nodes it may not use: ";
  text += parts.empty() ? enumerate(cause_counts(reason), 4) : enumerate(parts, 6);
  if (!reason.resource.is_none() && reason.needed > 0) text += "; it needs " + asked(reason, around);
  return text;
}

std::string topology(const Reason& reason, const Surroundings& around) {
  if (!reason.workload.level.is_none()) return no_domain(reason, around);
  const std::string key =
      reason.topology_key.is_none() ? "" : std::string(around.names().label_keys.text(reason.topology_key));
  const std::string domain = key.empty() ? "domain" : "value of " + key;
  std::vector<std::string> parts;
  if (has(reason, NodeCause::kTopologySpread))
    parts.push_back("on " + nodes_text(reason, around, NodeCause::kTopologySpread) + " it would break its spread rule");
  if (has(reason, NodeCause::kPodAffinity))
    parts.push_back("on " + nodes_text(reason, around, NodeCause::kPodAffinity) +
                    " there is no pod that it has to be with");
  if (has(reason, NodeCause::kPodAntiAffinity))
    parts.push_back("on " + nodes_text(reason, around, NodeCause::kPodAntiAffinity) +
                    " there is a pod that it must not meet");
  if (has(reason, NodeCause::kExistingAntiAffinity))
    parts.push_back("on " + nodes_text(reason, around, NodeCause::kExistingAntiAffinity) +
                    " there is a pod that must not meet it");
  const bool missing = !key.empty() && !around.is_on_a_node(reason.topology_key);
  std::string text =
      missing ? "no node has the label " + key + ", by which its rule counts" : "no " + domain + " will do now";
  if (!parts.empty()) text += ": " + enumerate(parts, 4);
  if (is_about_amounts(reason) && reason.missing > 0)
    text += "; it needs " + asked(reason, around) + ", the best has " + there_is(reason, around, reason.best_found);
  return text;
}

std::string kept_for_others(const Reason& reason, const Surroundings& around) {
  if (!has(reason, NodeCause::kReserved)) return reserved(reason, around);
  return "it would fit on " + nodes_text(reason, around, NodeCause::kReserved) +
         ", where the room is promised to pods of its priority or a higher one";
}

std::string not_ready(const Reason& reason, const Surroundings& around) {
  const std::string subject =
      reason.hold.subject.is_none() ? "?" : std::string(around.names().names.text(reason.hold.subject));
  switch (reason.hold.cause) {
    case HoldCause::kNone:
      return "not ready to be scheduled";
    case HoldCause::kSchedulingGate:
      return "held by its scheduling gate " + subject;
    case HoldCause::kMissingVolumeClaim:
      return absent_text(around, "PersistentVolumeClaim", subject);
    case HoldCause::kMissingStorageClass:
      return absent_text(around, "StorageClass", subject, " of its claim") +
             ", so nobody knows where its volume can be";
    case HoldCause::kUnboundImmediateClaim:
      return "PersistentVolumeClaim " + subject +
             " is not bound yet; only a class with WaitForFirstConsumer binds claims when their pod gets a node";
    case HoldCause::kLostVolumeClaim:
      return "PersistentVolumeClaim " + subject + " has lost its volume";
    case HoldCause::kMissingResourceClaim:
      return absent_text(around, "ResourceClaim", subject);
    case HoldCause::kMissingClaimTemplate:
      return absent_text(around, "ResourceClaimTemplate", subject);
    case HoldCause::kBadShare:
      return "it asks for a share of a card in a way that has no meaning: " + subject;
    case HoldCause::kForeignClaim:
      return "ResourceClaim " + subject + ", which its status names, was made for another pod; delete that claim";
    case HoldCause::kTooManyDevices:
      return "its extended resources ask for " + subject + " devices, and the one claim that is made for them holds 32";
    case HoldCause::kMissingWorkload:
      return absent_text(around, "", subject, ", which it names,");
    case HoldCause::kMissingGroup:
      return "its workload has no group " + subject;
    case HoldCause::kUnknownProfile:
      return "its schedulerName " + subject + " is no profile of the scheduler's configuration";
  }
  return "not ready to be scheduled";
}

}  // namespace

std::string sentence(const Reason& reason, const Surroundings& around) {
  switch (reason.reason_class) {
    case ReasonClass::kNone:
      return "runs, or was never asked";
    case ReasonClass::kNeverFits:
      return never_fits(reason, around);
    case ReasonClass::kBusy:
      return busy(reason, around);
    case ReasonClass::kFragmented:
      return fragmented(reason, around);
    case ReasonClass::kTopologyNoFit:
      return topology(reason, around);
    case ReasonClass::kNodeExcluded:
      return node_excluded(reason, around);
    case ReasonClass::kNotReady:
      return not_ready(reason, around);
    case ReasonClass::kGangIncomplete:
      return gang_incomplete(reason, around);
    case ReasonClass::kQuotaExceeded:
      return quota_exceeded(reason, around);
    case ReasonClass::kQueueDenied:
      return queue_denied(reason, around);
    case ReasonClass::kReserved:
      return kept_for_others(reason, around);
    case ReasonClass::kNoDevice:
    case ReasonClass::kDeviceBusy:
    case ReasonClass::kSelectorError:
      return device_sentence(reason, around);
    case ReasonClass::kScaleLimit:
      return busy(reason, around);
  }
  return "";
}

}  // namespace berth::report
