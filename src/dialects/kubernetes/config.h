// Scheduler profiles as the engine's configuration.
#pragma once

#include "api/scheduler_config.h"
#include "engine/config.h"
#include "engine/names.h"

namespace berth::dialects::kubernetes {

// Plugins that decide nothing here (PrioritySort, DefaultBinder, NodeVolumeLimits, DynamicResources) have no part in
// the engine and are left out. Ignored resource groups cover the resources that `names` knows, so translate first.
[[nodiscard]] engine::Config engine_config(const api::SchedulerConfiguration& configuration, engine::Names& names);

}  // namespace berth::dialects::kubernetes
