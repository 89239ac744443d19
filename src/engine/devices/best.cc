#include "engine/devices/best.h"

#include <algorithm>
#include <tuple>

#include "engine/devices/alternatives.h"
#include "engine/devices/checks.h"
#include "engine/devices/completion.h"
#include "engine/devices/preference.h"
#include "engine/devices/result.h"
#include "engine/devices/symmetry.h"
#include "engine/devices/trial.h"

namespace berth::engine::devices {

Answer allocate_best(const Question& question) {
  Answer answer;
  Trial trial(question);
  const auto needs = check(trial);
  if (!needs) {
    answer.outcome = Outcome::kError;
    answer.failure = needs.error();
    return answer;
  }
  const Symmetry symmetry(trial);
  Preference preference(trial);
  Effort effort{.steps = 0, .limit = question.step_limit};
  Completion probe(trial, symmetry, nullptr, effort);
  Completion final(trial, symmetry, &preference, effort);
  const Completion::End end = Alternatives(trial, symmetry, *needs, probe, final).run({}, 0, 0);
  answer.steps = effort.steps;
  answer.faults = trial.faults();
  switch (end) {
    case Completion::End::kDone:
      answer.outcome = Outcome::kAllocated;
      answer.claims = allocations(trial);
      for (ClaimAllocation& claim : answer.claims) {
        std::ranges::sort(claim.devices, {},
                          [](const DeviceAllocation& one) { return std::tuple(one.request, one.placed); });
      }
      break;
    case Completion::End::kLimit:
      answer.outcome = Outcome::kSearchLimit;
      break;
    case Completion::End::kFailed:
      answer.outcome = no_on(*question.node);
      break;
  }
  return answer;
}

}  // namespace berth::engine::devices
