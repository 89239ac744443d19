// Age: who was there first. The last part of every order of pods and of workloads, so that no two are equal.
#pragma once

#include <cstdint>

#include "base/mutant.h"
#include "engine/ids.h"
#include "engine/input.h"
#include "engine/names.h"

namespace berth::engine {

// Among those of one age: by the seed's permutation, then by name. Both have `tie` and `name`.
template <class A, class B>
bool comes_first_by_tie(const A& a, const B& b, const Names& names) {
  if (a.tie != b.tie) return a.tie < b.tie;
  return a.name != b.name && names.names.text(a.name) < names.names.text(b.name);
}

// Both have `created`, too.
template <class A, class B>
bool is_older(const A& a, const B& b, const Names& names) {
  return a.created != b.created ? a.created < b.created : comes_first_by_tie(a, b, names);
}

// What decides when a pod's turn is.
struct PodTurn {
  std::int32_t priority = 0;
  Time created = 0;
  std::uint64_t tie = 0;
  NameId name;
};

// Higher priority, then older.
inline bool runs_first(const PodTurn& a, const PodTurn& b, const Names& names) {
  if (a.priority != b.priority && !mutant("Rule.PriorityOrder")) return a.priority > b.priority;
  return mutant("Rule.AgeOrder") ? comes_first_by_tie(a, b, names) : is_older(a, b, names);
}

}  // namespace berth::engine
