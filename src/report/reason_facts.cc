#include <algorithm>
#include <array>

#include "report/amounts.h"
#include "report/device_reasons.h"
#include "report/layout.h"
#include "report/reason_words.h"
#include "report/reasons.h"
#include "report/workload_reasons.h"

namespace berth::report {
namespace {

using engine::NodeCause;
using engine::Reason;

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

// " maintenance:NoSchedule: gpu-1, gpu-2; gpu=true:NoExecute: gpu-7": which node has which.
std::string tainted_text(const Reason& reason, const Surroundings& around) {
  constexpr std::size_t kMost = 3;
  std::vector<TaintedNodes> all = around.taints();
  if (all.empty()) {
    const std::string taints = taints_text(reason, around);
    return taints.empty() ? taints : ' ' + taints;
  }
  std::string out;
  for (std::size_t i = 0; i < std::min(all.size(), kMost); ++i)
    out += (i == 0 ? " " : "; ") + taint_text(all[i].taint, around.names()) + ": " +
           name_list(std::move(all[i].nodes), all.size() == 1 ? 6 : 3);
  if (all.size() > kMost) out += "; and " + counted(all.size() - kMost, "other taint");
  return out;
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
        text += tainted_text(reason, around);
      else if (std::vector<std::string> nodes = around.nodes_with(cause); !nodes.empty())
        text += ": " + name_list(std::move(nodes), 6);
      out.push_back({first ? counted(reason.total_nodes, "node") : "", std::move(text)});
      first = false;
    }
  }
  if (has(reason, NodeCause::kNodeAffinity)) {
    if (std::string selection = around.selection(); !selection.empty())
      out.push_back({"Selects", shortened(std::move(selection))});
  }
  if (has(reason, NodeCause::kFeature))
    out.push_back({"Feature", "its node has to declare " + enumerate(around.needed_features(), 3)});
  for (Fact& fact : device_facts(reason, around)) out.push_back(std::move(fact));
  bool first = true;
  for (const engine::Holder& holder : reason.holders) {
    std::string text(around.pod_name(holder.pod));
    text += " (" + (reason.card_memory ? there_is(reason, around, holder.amount)
                                       : amount_text(around.names(), reason.resource, around.is_card(reason.resource),
                                                     holder.amount, Rounding::kDown));
    if (const std::string_view node = around.pod_node_name(holder.pod); !node.empty())
      text += " on " + std::string(node);
    switch (around.holder_state(holder.pod)) {
      case HolderState::kRuns:
        break;
      case HolderState::kLeaving:
        text += ", being deleted";
        break;
      case HolderState::kPlanned:
        text += " in this plan, not yet";
        break;
    }
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
