// The runs of a study on several threads; the result does not depend on their number.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "base/result.h"
#include "sim/openb/study.h"
#include "sim/parallel.h"

namespace berth::sim::openb {

// one(workload, policy, seed) -> Result<T> for each workload, then policy, then seed. `progress` is called with the
// number of runs done, from one thread at a time; it may be empty.
template <class T, class One>
Result<std::vector<T>> run_each(const Study& study, unsigned threads, const std::function<void(std::size_t)>& progress,
                                const One& one) {
  struct Task {
    const Workload* workload;
    Policy policy;
    std::uint64_t seed;
  };
  std::vector<Task> tasks;
  for (const Workload& workload : study.workloads) {
    for (const Policy policy : study.policies) {
      for (const std::uint64_t seed : study.seeds) tasks.push_back({&workload, policy, seed});
    }
  }
  // Each task writes its own slot, so the result does not depend on which thread takes it.
  std::vector<std::optional<Result<T>>> results(tasks.size());
  DoneCounter done(progress);
  run_parallel(tasks.size(), threads, [&](std::size_t i) {
    results[i] = one(*tasks[i].workload, tasks[i].policy, tasks[i].seed);
    done.add_one();
  });
  std::vector<T> runs;
  runs.reserve(tasks.size());
  for (auto& result : results) {
    BERTH_TRY(T run, std::move(*result));
    runs.push_back(std::move(run));
  }
  return runs;
}

}  // namespace berth::sim::openb
