#include "report/reasons.h"

#include <algorithm>
#include <array>

#include "report/amounts.h"
#include "report/device_reasons.h"
#include "report/layout.h"
#include "report/workload_reasons.h"

namespace berth::report {
namespace {

using engine::Amount;
using engine::HoldCause;
using engine::NodeCause;
using engine::Reason;
using engine::ReasonClass;

std::uint32_t count(const Reason& reason, NodeCause cause) { return reason.nodes[static_cast<std::size_t>(cause)]; }

bool has(const Reason& reason, NodeCause cause) { return count(reason, cause) > 0; }

// Shares of cards by memory are told in MiB, as they are asked.
std::string memory_text(Amount bytes, Rounding rounding) {
  constexpr Amount kMebibyte = Amount{1} << 20U;
  return std::to_string((bytes + (rounding == Rounding::kUp ? kMebibyte - 1 : 0)) / kMebibyte);
}

// A NUMA node is handed out like a card whose memory are its CPUs.
bool is_numa(const Reason& reason, const Surroundings& around) {
  return reason.card_memory && !around.is_card(reason.resource);
}

std::string asked(const Reason& reason, const Surroundings& around) {
  if (is_numa(reason, around)) return counted(static_cast<std::uint64_t>(reason.needed), "CPU") + " of one NUMA node";
  if (reason.card_memory) return memory_text(reason.needed, Rounding::kUp) + " MiB of one GPU's memory";
  return amount_text(around.names(), reason.resource, around.is_card(reason.resource), reason.needed, Rounding::kUp);
}

std::string there_is(const Reason& reason, const Surroundings& around, Amount amount) {
  if (is_numa(reason, around)) return std::to_string(amount);
  if (reason.card_memory) return memory_text(amount, Rounding::kDown) + " MiB";
  return number_text(around.names(), reason.resource, around.is_card(reason.resource), amount, Rounding::kDown);
}

// Adds the resource's own name where the unit hides it: "8 GPUs (nvidia.com/gpu)".
std::string asked_in_full(const Reason& reason, const Surroundings& around) {
  std::string text = asked(reason, around);
  const std::string name(around.names().resources.text(reason.resource));
  if (around.is_card(reason.resource) && text.find(name) == std::string::npos) text += " (" + name + ")";
  return text;
}

// "gpu-1, gpu-2 and 3 more", or "5 nodes" where the names are not known.
std::string nodes_text(const Reason& reason, const Surroundings& around, NodeCause cause, std::size_t limit = 4) {
  std::vector<std::string> nodes = around.nodes_with(cause);
  if (nodes.empty()) return counted(count(reason, cause), "node");
  return name_list(std::move(nodes), limit);
}

std::string taint_text(const engine::Taint& taint, const engine::Names& names) {
  std::string out(names.label_keys.text(taint.key));
  if (!taint.value.is_none() && !names.text(taint.value).empty()) out += "=" + std::string(names.text(taint.value));
  switch (taint.effect) {
    case engine::Effect::kNoSchedule:
      return out + ":NoSchedule";
    case engine::Effect::kPreferNoSchedule:
      return out + ":PreferNoSchedule";
    case engine::Effect::kNoExecute:
      return out + ":NoExecute";
  }
  return out;
}

// "maintenance:NoSchedule and gpu=true:NoExecute": the taints that keep the pod off, or the record's own.
std::string taints_text(const Reason& reason, const Surroundings& around) {
  std::vector<std::string> texts;
  for (const engine::Taint& taint : around.taints()) texts.push_back(taint_text(taint, around.names()));
  if (texts.empty() && !reason.taint.key.is_none()) texts.push_back(taint_text(reason.taint, around.names()));
  return enumerate(texts, 2);
}

// The causes that excluded nodes, largest first, in words: "5 too little free, 2 cordoned and 1 tainted".
std::vector<std::string> cause_counts(const Reason& reason) {
  std::vector<std::pair<std::uint32_t, NodeCause>> causes;
  for (std::size_t i = 0; i < engine::kNodeCauseCount; ++i)
    if (reason.nodes[i] > 0) causes.emplace_back(reason.nodes[i], static_cast<NodeCause>(i));
  std::ranges::stable_sort(causes, [](const auto& a, const auto& b) { return a.first > b.first; });
  std::vector<std::string> out;
  for (const auto& [nodes, cause] : causes) out.push_back(grouped(nodes) + " " + std::string(phrase_of(cause)));
  return out;
}

// What alternatives a pod names may be very many.
std::string shortened(std::string text) {
  constexpr std::size_t kMost = 200;
  if (text.size() <= kMost) return text;
  return text.substr(0, text.rfind(' ', kMost)) + " ...";
}

std::string never_fits(const Reason& reason, const Surroundings& around) {
  if (std::string text = workload_never_fits(reason, around); !text.empty()) return text;
  if (reason.total_nodes == 0) return "there is no node in the input";
  if (has(reason, NodeCause::kNodeAffinity) && reason.best_found <= 0) {
    const std::vector<std::string> unanswered = around.unanswered();
    if (!unanswered.empty()) return enumerate(unanswered, 2);
    if (count(reason, NodeCause::kNodeAffinity) == reason.total_nodes)
      return "of " + counted(reason.total_nodes, "node") + " it selects none: it asks for " +
             shortened(around.selection());
  }
  if (reason.best_node.is_none() && has(reason, NodeCause::kVolumeBinding) && !has(reason, NodeCause::kTooLarge))
    return "no node reaches a volume that its claims may take: of " + counted(reason.total_nodes, "node") + " " +
           enumerate(cause_counts(reason), 4);
  if (!reason.resource.is_none() && reason.needed > 0) {
    std::string text = "needs " + asked_in_full(reason, around) + " on one node; ";
    if (reason.best_found <= 0 || reason.best_node.is_none()) {
      text += has(reason, NodeCause::kNodeAffinity) ? "no node that it selects has any" : "no node has any";
      // A misspelt resource asks for something else than cards.
      if (around.names().resources.text(reason.resource).find('/') != std::string_view::npos) {
        const std::vector<std::string> others = around.other_card_resources(reason.resource);
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

// True where amounts are what keeps the pod off some node; else the numbers would only distract.
bool is_about_amounts(const Reason& reason) {
  return !reason.resource.is_none() && reason.needed > 0 &&
         (has(reason, NodeCause::kInsufficient) || has(reason, NodeCause::kCardFragmented) ||
          has(reason, NodeCause::kTooManyPods));
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

// "h100-03 tainted maintenance:NoSchedule": the nodes that would do but for this cause. Nothing if there are none.
std::string closed_text(const Reason& reason, const Surroundings& around, NodeCause cause) {
  std::vector<std::string> names;
  std::vector<std::string> taints;
  for (const auto& [node, own] : reason.would_do) {
    if (own != cause) continue;
    names.emplace_back(around.node_name(node));
    const auto taint = cause == NodeCause::kTaint ? around.taint_on(node) : std::nullopt;
    if (!taint) continue;
    std::string text = taint_text(*taint, around.names());
    if (std::ranges::find(taints, text) == taints.end()) taints.push_back(std::move(text));
  }
  if (names.empty()) return "";
  constexpr std::size_t kMost = 4;
  const std::size_t all = reason.would_do_counts[static_cast<std::size_t>(cause)];
  std::ranges::sort(names, natural_less);
  if (all > kMost) {
    names.resize(kMost);
    names.push_back(grouped(all - kMost) + " more");
  }
  std::string text = enumerate(names, names.size()) + ' ' + std::string(phrase_of(cause));
  if (!taints.empty()) text += ' ' + enumerate(taints, 2);
  return text;
}

std::string node_excluded(const Reason& reason, const Surroundings& around) {
  std::vector<std::string> parts;
  for (const NodeCause cause : {NodeCause::kUnschedulable, NodeCause::kTaint, NodeCause::kNotReady}) {
    std::string text = closed_text(reason, around, cause);
    // Of a group of pods it is not known which nodes would do.
    if (reason.would_do.empty() && has(reason, cause)) {
      text = nodes_text(reason, around, cause) + ' ' + std::string(phrase_of(cause));
      if (cause == NodeCause::kTaint) text += ' ' + taints_text(reason, around);
    }
    if (!text.empty()) parts.push_back(std::move(text));
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
    parts.push_back(nodes_text(reason, around, NodeCause::kVolumeBinding) + " without access to its volume");
  std::string text = reason.excluded_are_full
                         ? "only nodes that it may not use are large enough, and these are in use: "
                         : "capacity exists, but on nodes it may not use: ";
  text += parts.empty() ? enumerate(cause_counts(reason), 4) : enumerate(parts, 5);
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
  if (is_about_amounts(reason))
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
      return "PersistentVolumeClaim " + subject + " does not exist in the input";
    case HoldCause::kMissingStorageClass:
      return "StorageClass " + subject +
             " of its claim does not exist in the input, so nobody knows where its volume can be";
    case HoldCause::kUnboundImmediateClaim:
      return "PersistentVolumeClaim " + subject + " is not bound yet and its class binds at once";
    case HoldCause::kLostVolumeClaim:
      return "PersistentVolumeClaim " + subject + " has lost its volume";
    case HoldCause::kMissingResourceClaim:
      return "ResourceClaim " + subject + " does not exist in the input";
    case HoldCause::kMissingClaimTemplate:
      return "ResourceClaimTemplate " + subject + " does not exist in the input";
    case HoldCause::kBadShare:
      return "it asks for a share of a card in a way that has no meaning: " + subject;
    case HoldCause::kForeignClaim:
      return "ResourceClaim " + subject + ", which its status names, was made for another pod; delete that claim";
    case HoldCause::kMissingWorkload:
      return subject + ", which it names, does not exist in the input";
    case HoldCause::kMissingGroup:
      return "its workload has no group " + subject;
    case HoldCause::kUnknownProfile:
      return "its schedulerName " + subject + " is no profile of the scheduler's configuration";
  }
  return "not ready to be scheduled";
}

std::optional<Fact> preemption_fact(const Reason& reason) {
  switch (reason.preemption) {
    case Reason::Preemption::kNotTried:
      return std::nullopt;
    case Reason::Preemption::kNoVictims:
      return Fact{"Preemption", "no running pod has a lower priority"};
    case Reason::Preemption::kNever:
      return Fact{"Preemption", "its preemptionPolicy is Never"};
    case Reason::Preemption::kWouldNotHelp:
      return Fact{"Preemption", "evicting every pod of lower priority would not make room on any node"};
    case Reason::Preemption::kVictimsLeaving:
      return Fact{"Preemption", "the pods evicted for it are still leaving the node it was promised"};
  }
  return std::nullopt;
}

std::optional<Fact> not_the_cause(const Reason& reason) {
  // What people suspect first. Causes that excluded no node are named; the others had their share.
  static constexpr std::array<std::pair<NodeCause, std::string_view>, 8> kSuspects = {{
      {NodeCause::kUnschedulable, "cordons"},
      {NodeCause::kTaint, "taints"},
      {NodeCause::kNodeAffinity, "node selector and affinity"},
      {NodeCause::kHostPort, "host ports"},
      {NodeCause::kVolumeBinding, "volumes"},
      {NodeCause::kTopologySpread, "spread rules"},
      {NodeCause::kPodAffinity, "pod affinity"},
      {NodeCause::kTooManyPods, "pod slots"},
  }};
  if (reason.total_nodes == 0) return std::nullopt;
  std::vector<std::string> innocent;
  for (const auto& [cause, name] : kSuspects) {
    const auto bit = std::uint32_t{1} << static_cast<unsigned>(cause);
    if ((reason.not_causes & bit) != 0) innocent.emplace_back(name);
  }
  if (innocent.empty()) return std::nullopt;
  return Fact{"Not it", enumerate(innocent, innocent.size())};
}

std::string change_text(const engine::Change& change, const Surroundings& around) {
  switch (change.kind) {
    case engine::Change::Kind::kUncordon:
      return "uncordon " + std::string(around.node_name(change.node));
    case engine::Change::Kind::kTolerate:
      return "tolerate the taints of " + std::string(around.node_name(change.node));
    case engine::Change::Kind::kEvict:
      return "evict " + std::string(around.pod_name(change.pod));
    case engine::Change::Kind::kAddNode:
      return "add a node like " + std::string(around.node_name(change.node));
    case engine::Change::Kind::kLowerRequest:
      return "ask for " + amount_text(around.names(), change.resource, around.is_card(change.resource), change.amount,
                                      Rounding::kDown);
  }
  return "";
}

}  // namespace

std::string_view name_of(ReasonClass reason_class) {
  switch (reason_class) {
    case ReasonClass::kNone:
      return "Runs";
    case ReasonClass::kNeverFits:
      return "NeverFits";
    case ReasonClass::kBusy:
      return "Busy";
    case ReasonClass::kFragmented:
      return "Fragmented";
    case ReasonClass::kGangIncomplete:
      return "GangIncomplete";
    case ReasonClass::kQuotaExceeded:
      return "QuotaExceeded";
    case ReasonClass::kQueueDenied:
      return "QueueDenied";
    case ReasonClass::kTopologyNoFit:
      return "TopologyNoFit";
    case ReasonClass::kNodeExcluded:
      return "NodeExcluded";
    case ReasonClass::kNoDevice:
      return "NoDevice";
    case ReasonClass::kDeviceBusy:
      return "DeviceBusy";
    case ReasonClass::kSelectorError:
      return "SelectorError";
    case ReasonClass::kReserved:
      return "Reserved";
    case ReasonClass::kScaleLimit:
      return "ScaleLimit";
    case ReasonClass::kNotReady:
      return "NotReady";
  }
  return "";
}

std::vector<std::string> reason_class_names() {
  std::vector<std::string> names;
  for (int i = static_cast<int>(ReasonClass::kNone) + 1; i <= static_cast<int>(ReasonClass::kNotReady); ++i)
    names.emplace_back(name_of(static_cast<ReasonClass>(i)));
  return names;
}

std::string_view name_of(NodeCause cause) {
  switch (cause) {
    case NodeCause::kFits:
      return "Fits";
    case NodeCause::kNotReady:
      return "NodeNotReady";
    case NodeCause::kUnschedulable:
      return "NodeUnschedulable";
    case NodeCause::kNodeName:
      return "NodeName";
    case NodeCause::kTaint:
      return "Taint";
    case NodeCause::kNodeAffinity:
      return "NodeAffinity";
    case NodeCause::kHostPort:
      return "HostPort";
    case NodeCause::kTooLarge:
      return "TooLarge";
    case NodeCause::kInsufficient:
      return "Insufficient";
    case NodeCause::kTooManyPods:
      return "TooManyPods";
    case NodeCause::kCardProduct:
      return "CardProduct";
    case NodeCause::kCardFragmented:
      return "CardFragmented";
    case NodeCause::kVolumeRestriction:
      return "VolumeRestriction";
    case NodeCause::kVolumeBinding:
      return "VolumeBinding";
    case NodeCause::kTopologySpread:
      return "TopologySpread";
    case NodeCause::kPodAffinity:
      return "PodAffinity";
    case NodeCause::kPodAntiAffinity:
      return "PodAntiAffinity";
    case NodeCause::kExistingAntiAffinity:
      return "ExistingAntiAffinity";
    case NodeCause::kClaimElsewhere:
      return "ClaimElsewhere";
    case NodeCause::kNoDevice:
      return "NoDevice";
    case NodeCause::kDeviceBusy:
      return "DeviceBusy";
    case NodeCause::kDeviceSelector:
      return "DeviceSelector";
    case NodeCause::kDevicePool:
      return "DevicePool";
    case NodeCause::kInvalidClaim:
      return "InvalidClaim";
    case NodeCause::kDeviceSearch:
      return "DeviceSearch";
    case NodeCause::kReserved:
      return "Reserved";
  }
  return "";
}

std::string_view phrase_of(NodeCause cause) {
  switch (cause) {
    case NodeCause::kFits:
      return "would take it";
    case NodeCause::kNotReady:
      return "not Ready";
    case NodeCause::kUnschedulable:
      return "cordoned";
    case NodeCause::kNodeName:
      return "not the node it names";
    case NodeCause::kTaint:
      return "tainted";
    case NodeCause::kNodeAffinity:
      return "not selected";
    case NodeCause::kHostPort:
      return "host port in use";
    case NodeCause::kTooLarge:
      return "too small even when empty";
    case NodeCause::kInsufficient:
      return "too little free";
    case NodeCause::kTooManyPods:
      return "no pod slot free";
    case NodeCause::kCardProduct:
      return "other GPU product";
    case NodeCause::kCardFragmented:
      return "free GPU share in pieces";
    case NodeCause::kVolumeRestriction:
      return "volume in use";
    case NodeCause::kVolumeBinding:
      return "volume out of reach";
    case NodeCause::kTopologySpread:
      return "would break the spread";
    case NodeCause::kPodAffinity:
      return "not near the pods it follows";
    case NodeCause::kPodAntiAffinity:
      return "has a pod it avoids";
    case NodeCause::kExistingAntiAffinity:
      return "has a pod that avoids it";
    case NodeCause::kClaimElsewhere:
      return "its claim's devices are elsewhere";
    case NodeCause::kNoDevice:
      return "without such devices";
    case NodeCause::kDeviceBusy:
      return "with such devices in use";
    case NodeCause::kDeviceSelector:
      return "with devices that a selector fails on";
    case NodeCause::kDevicePool:
      return "with a device pool that is incomplete or contradictory";
    case NodeCause::kInvalidClaim:
      return "no node can meet its claim";
    case NodeCause::kDeviceSearch:
      return "where the search for devices gave up";
    case NodeCause::kReserved:
      return "room promised to other pods";
  }
  return "";
}

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

std::vector<Fact> facts(const Reason& reason, const Surroundings& around) {
  std::vector<Fact> out;
  out.push_back({"Blocker", sentence(reason, around)});
  for (Fact& fact : workload_facts(reason, around)) out.push_back(std::move(fact));
  if (reason.total_nodes > 0) {
    bool first = true;
    for (std::size_t i = 0; i < engine::kNodeCauseCount; ++i) {
      if (reason.nodes[i] == 0) continue;
      const auto cause = static_cast<NodeCause>(i);
      std::string text = grouped(reason.nodes[i]) + " " + std::string(phrase_of(cause));
      if (cause == NodeCause::kTaint)
        if (const std::string taints = taints_text(reason, around); !taints.empty()) text += " " + taints;
      std::vector<std::string> nodes = around.nodes_with(cause);
      if (!nodes.empty()) text += ": " + name_list(std::move(nodes), 6);
      out.push_back({first ? counted(reason.total_nodes, "node") : "", std::move(text)});
      first = false;
    }
  }
  if (has(reason, NodeCause::kNodeAffinity)) {
    if (std::string selection = around.selection(); !selection.empty())
      out.push_back({"Selects", std::move(selection)});
  }
  for (Fact& fact : device_facts(reason, around)) out.push_back(std::move(fact));
  bool first = true;
  for (const engine::Holder& holder : reason.holders) {
    std::string text(around.pod_name(holder.pod));
    text += " (" + (reason.card_memory ? there_is(reason, around, holder.amount)
                                       : amount_text(around.names(), reason.resource, around.is_card(reason.resource),
                                                     holder.amount, Rounding::kDown));
    if (const std::string_view node = around.pod_node_name(holder.pod); !node.empty())
      text += " on " + std::string(node);
    out.push_back({first ? "Held by" : "", text + ")"});
    first = false;
  }
  if (auto fact = preemption_fact(reason)) out.push_back(*std::move(fact));
  if (auto fact = not_the_cause(reason)) out.push_back(*std::move(fact));
  for (const engine::Change& change : reason.changes) out.push_back({"Would run if", change_text(change, around)});
  return out;
}

std::string whole_text(const Reason& reason, const Surroundings& around) {
  std::string out(name_of(reason.reason_class));
  for (const Fact& fact : facts(reason, around)) {
    out += '\n';
    if (!fact.label.empty()) out += fact.label + ": ";
    out += fact.text;
  }
  return out;
}

}  // namespace berth::report
