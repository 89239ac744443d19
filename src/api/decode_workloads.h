// What the decoders of workloads share.
#pragma once

#include <cstdint>
#include <string>

#include "api/decode_context.h"
#include "api/workloads.h"
#include "text/value.h"

namespace berth::api {

// An error if the count is negative.
void check_count(DecodeContext& context, const text::Value& value, std::int32_t count, const std::string& field);

void read(DecodeContext& context, const text::Value& value, PodFailureExitCodes& out);
void read(DecodeContext& context, const text::Value& value, PodFailureCondition& out);
void read(DecodeContext& context, const text::Value& value, PodFailureRule& out);
void read(DecodeContext& context, const text::Value& value, SuccessRule& out);

}  // namespace berth::api
