// The FGD study by definition: every node scored for every pod, every score from scratch. The slow twin of
// src/sim/openb and of the policies in src/engine/score/policies. One run of the default workload takes seconds.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace berth::reference {

struct StudyNode {
  std::string name;
  std::int64_t cpu = 0;     // milli
  std::int64_t memory = 0;  // MiB
  int cards = 0;
  std::string model;
};

struct StudyPod {
  std::int64_t cpu = 0;
  std::int64_t memory = 0;
  int cards = 0;
  int milli = 0;                    // per card
  std::vector<std::string> models;  // empty: any
};

struct TypicalPod {
  StudyPod pod;
  std::int64_t count = 0;
};

enum class StudyPolicy { kDotProduct, kClustering, kPacking, kBestFit, kFragmentationGradient, kBerth };

struct StudyPlacement {
  int node = -1;  // -1: did not fit
  std::vector<int> cards;
  bool operator==(const StudyPlacement&) const = default;
};

struct StudyStep {
  std::int64_t arrived_milli = 0;
  std::int64_t used_milli = 0;
  double fragmented_milli = 0;
};

struct StudyRun {
  std::vector<StudyPlacement> placements;  // per pod
  std::vector<StudyStep> steps;            // after each pod
};

// Places the pods one by one; equal scores go to the lowest tie_rank(seed, node name). FGD and what
// is measured go by `target`, Berth's policy by `expected`.
StudyRun run_study(const std::vector<StudyNode>& nodes, const std::vector<StudyPod>& pods,
                   const std::vector<TypicalPod>& target, const std::vector<TypicalPod>& expected, StudyPolicy policy,
                   std::uint64_t seed);

}  // namespace berth::reference
