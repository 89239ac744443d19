// Checks of opaque configuration while a claim is read, with places in the user's text.
#pragma once

#include "api/decode_context.h"
#include "api/nvidia.h"

namespace berth::api {

// `parameters` is the object that the configuration has, at the context's present path. Parameters for other drivers
// are not looked at.
void check_nvidia_parameters(DecodeContext& context, const text::Value& parameters, std::string_view driver);

void read(DecodeContext& context, const text::Value& value, ComputeDomain& out);

}  // namespace berth::api
