// The names of resource.k8s.io, validated as the API server does. Each function says what is wrong, as a sentence, or
// nothing.
// Source: pkg/apis/resource/validation of Kubernetes, as documented at the API's fields.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace berth::api {

// A DNS label: at most 63 of a-z, 0-9 and -, with a letter or digit at both ends. Devices, requests, counters.
[[nodiscard]] std::optional<std::string> dns_label_fault(std::string_view name);
// A DNS subdomain in any case, at most 63 characters.
[[nodiscard]] std::optional<std::string> driver_name_fault(std::string_view name);
// DNS subdomains with / between, at most 253 characters.
[[nodiscard]] std::optional<std::string> pool_name_fault(std::string_view name);
// [DOMAIN/]NAME: a driver's name and an identifier of C of at most 32 characters. Attributes and capacities.
[[nodiscard]] std::optional<std::string> qualified_name_fault(std::string_view name);
// The same with the domain.
[[nodiscard]] std::optional<std::string> fully_qualified_name_fault(std::string_view name);
// DOMAIN/NAME outside of kubernetes.io.
[[nodiscard]] std::optional<std::string> extended_resource_name_fault(std::string_view name);
// semver.org 2.0.0.
[[nodiscard]] bool is_semantic_version(std::string_view text);
// xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx in lower case.
[[nodiscard]] bool is_uuid(std::string_view text);

}  // namespace berth::api
