// Wishes: what the annotations of a group object add to what its API can say. They are the same for every ecosystem:
//
//   berth/queue                the queue that is charged: "volcano/research", or its last part where that is unique
//   berth/preferred-topology   label key: all pods in one domain of it if there is one that will do, else of the
//   nearest
//                              level above, up to the required one
//   berth/topology-levels      label keys from the outermost to the innermost, with commas: what "above" means
//   berth/slice-topology       label key, with
//   berth/slice-size           so many pods at a time in one domain of it
//   berth/runs-for             seconds that the whole runs, from its start
#pragma once

#include <string_view>

#include "api/meta.h"
#include "base/result.h"
#include "dialects/workloads/ecosystem.h"

namespace berth::dialects::workloads {

inline constexpr std::string_view kQueueAnnotation = "berth/queue";
inline constexpr std::string_view kPreferredTopologyAnnotation = "berth/preferred-topology";
inline constexpr std::string_view kTopologyLevelsAnnotation = "berth/topology-levels";
inline constexpr std::string_view kSliceTopologyAnnotation = "berth/slice-topology";
inline constexpr std::string_view kSliceSizeAnnotation = "berth/slice-size";
inline constexpr std::string_view kSliceBalanceAnnotation = "berth/slice-balance";  // "true" or "false"

// The topology part goes to `group`, a group of the workload; queue and run time to the whole workload. What cannot be
// read is remarked on and left out.
void add_wishes(const api::ObjectMeta& metadata, const Place& place, engine::WorkloadInput& workload,
                engine::GroupInput& group, engine::Names& names, Reading& out);

// Slices are of leaves. What a group above them wishes holds for each leaf below it that has no slices of its own: of a
// PodGroup with roles for each role, of a CompositePodGroup for each group.
void hand_down_slices(engine::WorkloadInput& workload);

}  // namespace berth::dialects::workloads
