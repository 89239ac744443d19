// What the engine decides, as complete plans in the order in which they must be carried out.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/ids.h"
#include "engine/reason/reason.h"

namespace berth::engine {

// A PodDisruptionBudget that an eviction breaks, as a last resort: more of its pods go than may.
struct BrokenBudget {
  NameId name;
  std::int32_t allowed = 0;  // disruptions
  std::int32_t needed = 0;   // pods that go together and count against it
  auto operator<=>(const BrokenBudget&) const = default;
};

struct Decision {
  enum class Kind : std::uint8_t {
    kPlace,  // bind `pod` to `node`
    kEvict,  // `pod` on `node` must go, so that `beneficiary` and the rest of its workload can be placed; the kPlace
             // decisions that need it follow. Where a gang would be broken, all of it goes, also from other nodes;
             // so does who holds a device there that the beneficiary's node reaches
  };
  Kind kind = Kind::kPlace;
  PodId pod;
  NodeId node;
  PodId beneficiary;    // kEvict only: the first pod that is placed for it
  WorkloadId workload;  // the workload that is placed, or for which is evicted; none: a bare pod
  std::int64_t score = 0;
  std::vector<CardAssignment> cards;
  // kPlace only: claims of the pod that had devices, used by nobody and out of its reach. They gave them up and have
  // others now.
  std::vector<NameId> reallocated = {};
  std::vector<BrokenBudget> broken_budgets = {};  // kEvict only: those of `pod`
};

struct Pending {
  PodId pod;
  ReasonClass reason_class = ReasonClass::kNone;  // the full record is Engine::explain(pod)
};

struct StepResult {
  std::vector<Decision> decisions;
  std::vector<Pending> pending;  // pods that were tried in this step and do not run, in queue order
  // Pods that lost the node that was promised to them: whoever carries the step out clears status.nominatedNodeName.
  std::vector<PodId> withdrawn;
};

}  // namespace berth::engine
