// Objects back to the API's form, for JSON, YAML or a tree (text/writer.h). What was dropped on reading is not there;
// what was defaulted is: decode(encode(x)) == x. Fields that hold nothing are left out, as the API server prints them.
#pragma once

#include <string>

#include "api/objects.h"
#include "text/writer.h"

namespace berth::api {

void write(text::Writer& out, const Pod& pod);
void write(text::Writer& out, const Node& node);
void write(text::Writer& out, const Namespace& name_space);
void write(text::Writer& out, const Service& service);
void write(text::Writer& out, const PersistentVolume& volume);
void write(text::Writer& out, const PersistentVolumeClaim& claim);
void write(text::Writer& out, const StorageClass& storage_class);
void write(text::Writer& out, const CsiDriver& driver);
void write(text::Writer& out, const CsiStorageCapacity& capacity);
void write(text::Writer& out, const RuntimeClass& runtime_class);
void write(text::Writer& out, const LimitRange& limits);
void write(text::Writer& out, const PriorityClass& priority_class);
void write(text::Writer& out, const PodDisruptionBudget& budget);
void write(text::Writer& out, const ResourceQuota& quota);
void write(text::Writer& out, const Workload& workload);
void write(text::Writer& out, const PodGroup& group);
void write(text::Writer& out, const CompositePodGroup& group);
void write(text::Writer& out, const ResourceSlice& slice);
void write(text::Writer& out, const DeviceClass& device_class);
void write(text::Writer& out, const ResourceClaim& claim);
void write(text::Writer& out, const ResourceClaimTemplate& from);
void write(text::Writer& out, const DeviceTaintRule& rule);

namespace volcano {
void write(text::Writer& out, const PodGroup& group);
void write(text::Writer& out, const Queue& queue);
void write(text::Writer& out, const Job& job);
void write(text::Writer& out, const CronJob& cron);
void write(text::Writer& out, const Command& command);
void write(text::Writer& out, const JobTemplate& from);
void write(text::Writer& out, const JobFlow& flow);
void write(text::Writer& out, const HyperNode& node);
void write(text::Writer& out, const Numatopology& topology);
}  // namespace volcano

// Every object of these kinds as a `kind: List`.
void write_list(text::Writer& out, const ObjectSet& objects);

}  // namespace berth::api
