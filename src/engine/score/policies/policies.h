// The six published placement policies of the FGD study, as PlacementPolicy objects. One file each beside this header.
//
// All amounts are exact integers: CPU in milli against the study's largest node of 128 cores, GPU in milli-cards
// against 8 cards. Scores are whole numbers, as in the published study, because their ties matter (docs/policies.md).
//
// Source: Weng et al., "Beware of Fragmentation: Scheduling GPU-Sharing Workloads with Fragmentation Gradient Descent",
// USENIX ATC 2023, and the published results of its artifact.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "engine/score/fragmentation.h"
#include "engine/score/placement_policy.h"

namespace berth::engine {

// Any feasible node, any feasible card, drawn uniformly.
std::unique_ptr<PlacementPolicy> make_random_policy();

// Tetris' alignment (Grandl et al., SIGCOMM 2014), with a low dot product of free room and request preferred:
//   100 * (1 - (cpu_free/128 * cpu/128 + gpu_free/8 * gpu/8) / 2). The tightest sufficient card.
std::unique_ptr<PlacementPolicy> make_dot_product_policy();

// Keeps pods of one kind (share, 1, 2, 4, 8 GPUs) together: 75-100 on nodes with this kind only, 50-75 with others
// beside it, 25-50 idle nodes, 0-25 nodes with other kinds only; within a band the fuller the better. The tightest
// sufficient card.
std::unique_ptr<PlacementPolicy> make_gpu_clustering_policy();

// Opens as little as possible: shared cards in use first (100 minus a tenth of their free percent), then free cards of
// a node in use (50 minus their number), then an idle node (33 minus its cards). The tightest sufficient card.
std::unique_ptr<PlacementPolicy> make_gpu_packing_policy();

// The least room left over: 100 * (1 - ((cpu_free - cpu)/128 + (gpu_free - gpu)/8) / 2). The tightest sufficient card.
// (The study stretches the scores to 0..100 over the feasible nodes, which keeps their order and so every decision.)
std::unique_ptr<PlacementPolicy> make_best_fit_policy();

// FGD: the placement that lowers the expected fragmentation most, floor(100 / (1 + e^(-d/1000))) with d in milli-GPU. A
// share looks at every card and takes the first of the best score.
std::unique_ptr<PlacementPolicy> make_fragmentation_gradient_policy(TargetWorkload target);

}  // namespace berth::engine
