// The decoders of whole objects. Each reads the object's own fields, sets the defaults the API server sets, and reports
// what is wrong; names, namespaces and api versions are the caller's (api/load.h).
#pragma once

#include "api/decode_context.h"
#include "api/objects.h"
#include "text/value.h"

namespace berth::api {

void read(DecodeContext& context, const text::Value& value, Pod& out);
void read(DecodeContext& context, const text::Value& value, Node& out);
void read(DecodeContext& context, const text::Value& value, Namespace& out);
void read(DecodeContext& context, const text::Value& value, Service& out);
void read(DecodeContext& context, const text::Value& value, PersistentVolume& out);
void read(DecodeContext& context, const text::Value& value, PersistentVolumeClaim& out);
void read(DecodeContext& context, const text::Value& value, StorageClass& out);
void read(DecodeContext& context, const text::Value& value, CsiDriver& out);
void read(DecodeContext& context, const text::Value& value, CsiStorageCapacity& out);
void read(DecodeContext& context, const text::Value& value, RuntimeClass& out);
void read(DecodeContext& context, const text::Value& value, LimitRange& out);
void read(DecodeContext& context, const text::Value& value, Deployment& out);
void read(DecodeContext& context, const text::Value& value, ReplicaSet& out);
void read(DecodeContext& context, const text::Value& value, ReplicationController& out);
void read(DecodeContext& context, const text::Value& value, StatefulSet& out);
void read(DecodeContext& context, const text::Value& value, DaemonSet& out);
void read(DecodeContext& context, const text::Value& value, Job& out);
void read(DecodeContext& context, const text::Value& value, CronJob& out);
void read(DecodeContext& context, const text::Value& value, PodDisruptionBudget& out);
void read(DecodeContext& context, const text::Value& value, ResourceQuota& out);
void read(DecodeContext& context, const text::Value& value, PriorityClass& out);
void read(DecodeContext& context, const text::Value& value, Workload& out);
void read(DecodeContext& context, const text::Value& value, PodGroup& out);
void read(DecodeContext& context, const text::Value& value, CompositePodGroup& out);
void read(DecodeContext& context, const text::Value& value, ResourceSlice& out);
void read(DecodeContext& context, const text::Value& value, DeviceClass& out);
void read(DecodeContext& context, const text::Value& value, ResourceClaim& out);
void read(DecodeContext& context, const text::Value& value, ResourceClaimTemplate& out);
void read(DecodeContext& context, const text::Value& value, DeviceTaintRule& out);

}  // namespace berth::api
