// The filters as a table: one entry per Filter, and a profile's filters applied in its order.
//
// To add a filter: an enumerator of Filter (config.h), a NodeCause (reason.h), a file here with one function, a line in
// check_filter(), and a case that only it can decide.
#pragma once

#include "engine/config.h"
#include "engine/fit/question.h"

namespace berth::engine {

// One filter asked alone.
[[nodiscard]] Verdict check_filter(Filter filter, const Question& question, NodeId node);

// A node that is not Ready takes what tolerates the taint of that, if the configuration says so. Not a filter of any
// profile.
[[nodiscard]] Verdict check_ready(const Question& question, NodeId node);

// Does the answer depend on rules among pods? Those filters run after all others here: their answer comes from masks.
[[nodiscard]] constexpr bool is_topology(Filter filter) {
  return filter == Filter::kPodTopologySpread || filter == Filter::kInterPodAffinity;
}

// Could it keep this shape off any node? Most filters look at what few pods ask for.
[[nodiscard]] bool can_refuse(Filter filter, const Question& question);

// The first failure in the profile's order, Ready first, promises last. `with_topology` false leaves out the rules
// among pods.
[[nodiscard]] Verdict check_all(const Question& question, NodeId node, bool with_topology = true);

}  // namespace berth::engine
