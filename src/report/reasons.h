// Reasons in words: the one place where an engine::Reason becomes sentences. `berth plan`, `berth explain`, the
// `mention` checks of case files and, later, conditions and events say the same because they all ask here.
//
// The engine has no text, so the renderer asks its Surroundings for names and for amounts that the record leaves out.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/ids.h"
#include "engine/names.h"
#include "engine/reason/reason.h"

namespace berth::report {

struct TaintedNodes {
  engine::Taint taint;
  std::vector<std::string> nodes;
};

// What is to be said of a pod that holds what another one needs.
enum class HolderState : std::uint8_t {
  kRuns,
  kLeaving,  // it is being deleted
  kPlanned,  // it does not run yet: the plan starts it
};

class Surroundings {
 public:
  virtual ~Surroundings() = default;
  [[nodiscard]] virtual const engine::Names& names() const = 0;
  [[nodiscard]] virtual std::string_view node_name(engine::NodeId node) const = 0;
  [[nodiscard]] virtual std::string_view pod_name(engine::PodId pod) const = 0;       // "namespace/name"
  [[nodiscard]] virtual std::string_view pod_node_name(engine::PodId pod) const = 0;  // empty: on none
  [[nodiscard]] virtual HolderState holder_state(engine::PodId pod) const = 0;
  [[nodiscard]] virtual bool is_card(engine::ResourceId resource) const = 0;
  [[nodiscard]] virtual engine::Amount allocatable(engine::NodeId node, engine::ResourceId resource) const = 0;
  // What a wrong name may have meant: resources of near names that some node offers, or else its cards, most first.
  [[nodiscard]] virtual std::vector<std::string> likely_resources(engine::ResourceId resource) const = 0;
  // Nodes excluded first by this cause for the pod the reason is about; empty where it is not known.
  [[nodiscard]] virtual std::vector<std::string> nodes_with(engine::NodeCause cause) const = 0;
  // Taints that the pod does not tolerate, each with the nodes that it excludes first, those of most nodes first.
  [[nodiscard]] virtual std::vector<TaintedNodes> taints() const = 0;
  // The first taint of the node that the pod does not tolerate.
  [[nodiscard]] virtual std::optional<engine::Taint> taint_on(engine::NodeId node) const = 0;
  // What the pod asks of its node's labels: "nvidia.com/gpu.product=NVIDIA-L40S"; empty if it asks nothing.
  [[nodiscard]] virtual std::string selection() const = 0;
  // The features that its node has to declare; empty if it needs none.
  [[nodiscard]] virtual std::vector<std::string> needed_features() const = 0;
  // Was an object of this kind and name among the input, but not to be read? In the pod's namespace if it has one; of
  // any name where none is given.
  [[nodiscard]] virtual bool was_refused(std::string_view kind, std::string_view name) const = 0;
  // Does any node have the label?
  [[nodiscard]] virtual bool is_on_a_node(engine::LabelKeyId key) const = 0;
  // The parts of it that no node answers, with what the nodes have instead: a misspelt product, a missing label.
  [[nodiscard]] virtual std::vector<std::string> unanswered() const = 0;
};

// "NeverFits", "Busy", ...; "NotReady" and, for kNone, "Runs".
[[nodiscard]] std::string_view name_of(engine::ReasonClass reason_class);
// All of them but "Runs".
[[nodiscard]] std::vector<std::string> reason_class_names();
// "NodeUnschedulable", ...: the stable names of JSON output.
[[nodiscard]] std::string_view name_of(engine::NodeCause cause);
// "cordoned", "too little free", ...: what a person reads.
[[nodiscard]] std::string_view phrase_of(engine::NodeCause cause);

// One sentence without the class: "needs 8 GPUs on one node; best is gpu-3 with 5 free of 8; 3 missing".
[[nodiscard]] std::string sentence(const engine::Reason& reason, const Surroundings& around);

// A labelled line of a full explanation: {"Held by", "team-a/train-0 (4 GPUs on gpu-3)"}.
struct Fact {
  std::string label;
  std::string text;
};
// Blocker, nodes by cause (the counts add up to all nodes), holders, preemption, what is not the cause, changes.
[[nodiscard]] std::vector<Fact> facts(const engine::Reason& reason, const Surroundings& around);

// Class, sentence and facts on one line each: what `mention` of a case file searches.
[[nodiscard]] std::string whole_text(const engine::Reason& reason, const Surroundings& around);

}  // namespace berth::report
