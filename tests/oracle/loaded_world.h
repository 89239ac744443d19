// A generated world read with Berth's own readers, and what its schedulers find in it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "api/objects.h"
#include "api/scheduler_config.h"
#include "base/result.h"
#include "oracle/answers.h"
#include "oracle/comparison.h"

namespace berth::oracle {

struct LoadedWorld {
  api::ObjectSet objects;         // nodes, bound pods and the rest; none that wait
  std::vector<api::Pod> pending;  // in the order of the answers
  api::SchedulerConfiguration configuration;
};

// Anything that cannot be read is an error: what is compared must be what upstream saw.
[[nodiscard]] Result<LoadedWorld> load_world(const World& world);

// The profile that the pod names, or none.
[[nodiscard]] const api::SchedulerProfile* profile_of(const LoadedWorld& loaded, const api::Pod& pod);

// Whether upstream's dry run of preemption counts wrongly for this pod: it has required spread constraints, its own or
// the profile's, and a pod of its namespace is terminating.
[[nodiscard]] bool upstream_miscounts(const LoadedWorld& loaded, const api::Pod& pod,
                                      const api::SchedulerProfile& profile);

// Compares the slow twin, or the engine, with upstream for every pending pod of the world.
void compare_twin(const World& world, const LoadedWorld& loaded, Comparison& comparison);
void compare_engine(const World& world, const LoadedWorld& loaded, Comparison& comparison);

}  // namespace berth::oracle
