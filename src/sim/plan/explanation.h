// Explanation: what is known about one pod, or about every pod of one controller, after a step of the engine.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "engine/decision.h"
#include "engine/reason/reason.h"
#include "sim/cluster.h"
#include "sim/plan/outcome.h"

namespace berth::sim {

struct PodAnswer {
  enum class State : std::uint8_t {
    kRuns,            // already has its node
    kWouldStart,      // gets one
    kWaits,           // one of the thirteen classes
    kNotReady,        // held
    kWouldBeEvicted,  // its node goes to another pod
    kFinished,        // Succeeded or Failed
    kLeftOut,         // on a node that is not in the input, a double, or being deleted without a node
  };
  State state = State::kRuns;
  engine::PodId id;  // none for kFinished and kLeftOut
  std::string namespace_;
  std::string name;
  std::string node;
  std::string asks;
  std::int32_t priority = 0;
  std::string note;                          // for kLeftOut and kFinished: why; for kWouldBeEvicted: for whom
  std::string replacement;                   // for kWouldBeEvicted: the pod that its controller would make instead
  std::vector<BrokenBudget> broken_budgets;  // for kWouldBeEvicted
  std::vector<Eviction> evictions;           // for kWouldStart: who would have to leave for it
  std::vector<engine::CardAssignment> cards;
  Sharing sharing = Sharing::kNone;
  engine::Reason reason;           // kWaits and kNotReady
  engine::PodId alike;             // kWaits and kNotReady: the first of the answers whose pod has this reason
  std::vector<std::string> hints;  // kWaits: what of its claims is probably misspelt
};

struct Explanation {
  std::string kind;  // as Kubernetes spells it
  std::string namespace_;
  std::string name;
  std::vector<PodAnswer> pods;      // in natural order of names
  std::set<engine::PodId> planned;  // of all pods, those that the plan starts
  std::vector<std::string> weaker;  // as in a plan
};

[[nodiscard]] std::string_view name_of(PodAnswer::State state);  // "WouldStart", for JSON
// "runs" of one pod, "run" of several; "would start" of any number.
[[nodiscard]] std::string_view phrase_of(PodAnswer::State state, bool several = false);

// "pod", "po", "pods" and "deployment.apps" as kubectl reads and writes them, "vcjob" as vcctl does; none for a kind
// that makes no pods.
[[nodiscard]] std::optional<std::string> canonical_kind(std::string_view kind);

// Finds KIND/NAME (a bare NAME is a pod) in the namespace, or in all of them where it is empty, and explains it. The
// cluster has been decided about with this outcome. Errors: kUsage for a kind that is not explained, kNotFound with
// near names, kInvalid where the name is in several namespaces. `weaker` is left empty.
[[nodiscard]] Result<Explanation> explain(Cluster& cluster, const Outcome& outcome, std::string_view reference,
                                          std::string_view namespace_);

}  // namespace berth::sim
