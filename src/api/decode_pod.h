// For decode_pod.cc: the decoders of parts of a pod.
#pragma once

#include <string>
#include <string_view>

#include "api/decode_fields.h"

namespace berth::api {

// An error for each request above its limit.
void check_limits(DecodeContext& context, const Value& value, const ResourceRequirements& out);

void read(DecodeContext& context, const Value& value, Container& out);
// Statuses and claims speak of containers by name.
void check_container_names(DecodeContext& context, const Value& value, const PodSpec& spec);
// With hostNetwork every port is a port of the host, of the same number. `list` is the containers' field of the spec.
void default_host_ports(DecodeContext& context, const Value& spec, std::string_view list,
                        std::vector<Container>& containers);

void read_volumes(DecodeContext& context, const Value& value, PodSpec& out);
void read_status(DecodeContext& context, const Value& value, Pod& out);

}  // namespace berth::api
