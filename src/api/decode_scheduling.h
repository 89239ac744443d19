// The decoders of parts of scheduling.k8s.io, and of what a Job says of its group.
#pragma once

#include "api/decode_context.h"
#include "api/scheduling.h"
#include "text/value.h"

namespace berth::api {

void read(DecodeContext& context, const text::Value& value, PodGroupTemplate& out);
void read(DecodeContext& context, const text::Value& value, CompositePodGroupTemplate& out);
void read(DecodeContext& context, const text::Value& value, TypedReference& out);
void read(DecodeContext& context, const text::Value& value, JobScheduling& out);

}  // namespace berth::api
