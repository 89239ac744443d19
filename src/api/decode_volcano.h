// What the decoders of Volcano's objects share, and the ones of whole objects.
#pragma once

#include "api/decode_fields.h"
#include "api/volcano.h"
#include "api/volcano_names.h"

namespace berth::api {

// spec of a PersistentVolumeClaim.
void read_spec(DecodeContext& context, const Value& value, PersistentVolumeClaim& out);

namespace volcano {

void read(DecodeContext& context, const Value& value, NetworkTopology& out);
void read(DecodeContext& context, const Value& value, LifecyclePolicy& out);
void read(DecodeContext& context, const Value& value, TaskDependency& out);
void read(DecodeContext& context, const Value& value, PartitionPolicy& out);
void read(DecodeContext& context, const Value& value, Task& out);
void read(DecodeContext& context, const Value& value, JobVolume& out);
void read(DecodeContext& context, const Value& value, Flow& out);
void read(DecodeContext& context, const Value& value, JobSpec& out);

void read(DecodeContext& context, const Value& value, PodGroup& out);
void read(DecodeContext& context, const Value& value, Queue& out);
void read(DecodeContext& context, const Value& value, Job& out);
void read(DecodeContext& context, const Value& value, CronJob& out);
void read(DecodeContext& context, const Value& value, Command& out);
void read(DecodeContext& context, const Value& value, JobTemplate& out);
void read(DecodeContext& context, const Value& value, JobFlow& out);
void read(DecodeContext& context, const Value& value, HyperNode& out);
void read(DecodeContext& context, const Value& value, Numatopology& out);

// An error if the count is below `least`.
void check_least(DecodeContext& context, const Value& value, std::int64_t count, std::int64_t least,
                 std::string_view field);

}  // namespace volcano
}  // namespace berth::api
