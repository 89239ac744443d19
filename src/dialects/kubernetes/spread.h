// Topology spread constraints of a pod: its own, or the defaults of its profile.
//
// Defaults apply to pods without constraints of their own and select the pod's siblings: the pods of its Services and
// of the ReplicationController, ReplicaSet or StatefulSet that owns it. Without any of these there is nothing to
// spread.
#pragma once

#include "api/scheduler_config.h"
#include "dialects/kubernetes/context.h"
#include "engine/input.h"
#include "engine/names.h"

namespace berth::dialects::kubernetes {

// Fills shape.spread and shape.default_spread; shape.cards must be there already.
void add_spread(engine::ShapeInput& shape, const api::Pod& pod, const api::SchedulerProfile& profile,
                const Context& context, engine::Names& names);

// Would the profile's System defaults spread the pod if the ReplicaSet, StatefulSet or ReplicationController that owns
// it were in the input? Then its score is not what kube-scheduler's would be. `asks_cards`: for GPUs.
[[nodiscard]] bool lacks_default_spread(const api::Pod& pod, bool asks_cards, const api::SchedulerProfile& profile,
                                        const Context& context);

}  // namespace berth::dialects::kubernetes
