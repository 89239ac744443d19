// A pod of a workload that asks for CPU alone: what most histories of workloads are made of.
#pragma once

#include "engine/input.h"
#include "engine/names.h"

namespace berth::property {

inline engine::PodInput plain_pod(engine::Names& names, engine::NameId name, engine::NameId workload,
                                  engine::Amount cpu, std::int32_t priority, engine::Time created) {
  engine::PodInput pod;
  pod.name = name;
  pod.shape.profile = names.profiles.intern("default-scheduler");
  pod.shape.priority = priority;
  pod.shape.requests = {{engine::kCpu, cpu}};
  pod.shape.nonzero_cpu = cpu;
  pod.workload = workload;
  pod.created = created;
  return pod;
}

}  // namespace berth::property
