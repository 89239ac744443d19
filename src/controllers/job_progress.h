// How far a Job is: what its status and the pods that are there say in sum, and whether it has ended.
//
// Its controller counts a pod when it takes the finalizer off it; a snapshot shows neither when. So of the two counts,
// the status' and that of the pods that are there, the larger one is believed.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "api/workloads.h"
#include "controllers/index_set.h"
#include "controllers/workshop.h"

namespace berth::controllers {

struct JobProgress {
  std::int64_t active = 0;
  std::int64_t terminating = 0;  // being deleted, and not over yet
  std::int64_t succeeded = 0;    // of an Indexed Job: indexes
  std::int64_t failed = 0;       // as backoffLimit counts them
  // Of Indexed Jobs.
  IndexSet succeeded_indexes;
  IndexSet failed_indexes;
  IndexSet taken;  // no pod is to be made for them: succeeded, failed, or with a pod
  struct Failures {
    std::int64_t counted = 0;
    std::int64_t ignored = 0;
  };
  std::map<std::int64_t, Failures> failures_of;  // index, where backoffLimitPerIndex is set and a pod failed

  enum class End : std::uint8_t { kNone, kSucceeded, kFailed };
  End end = End::kNone;
  std::string why;  // a sentence, where the Job has ended and its status does not say so yet
};

[[nodiscard]] JobProgress progress_of(Workshop& workshop, const api::Read<api::Job>& read);

// True if the Job has ended or would be found to have: nothing of it runs, and nothing is made.
[[nodiscard]] bool has_ended(const api::Job& job, const JobProgress& progress);

// The completion index of a pod of an Indexed Job; -1: it has none.
[[nodiscard]] std::int64_t completion_index(const api::Pod& pod);

inline constexpr std::string_view kCompletionIndex = "batch.kubernetes.io/job-completion-index";
inline constexpr std::string_view kIndexFailures = "batch.kubernetes.io/job-index-failure-count";
inline constexpr std::string_view kIndexIgnoredFailures = "batch.kubernetes.io/job-index-ignored-failure-count";

}  // namespace berth::controllers
