// Label and node selectors: validation as the API server does it. Matching is declared in api/meta.h.
// Source: k8s.io/apimachinery pkg/labels and pkg/util/validation.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "api/core.h"
#include "api/meta.h"

namespace berth::api {

// What is wrong, as a sentence, or none. A qualified name is [PREFIX/]NAME: NAME up to 63 of letters, digits, - _ .
// with a letter or digit at both ends, PREFIX a DNS subdomain up to 253.
[[nodiscard]] std::optional<std::string> label_key_fault(std::string_view key);
// A value is empty or like NAME above.
[[nodiscard]] std::optional<std::string> label_value_fault(std::string_view value);
// Lower-case DNS subdomain: what most objects must be named like.
[[nodiscard]] std::optional<std::string> object_name_fault(std::string_view name);
// Lower-case DNS label: shorter and without dots, for it is a label value, too.
[[nodiscard]] std::optional<std::string> namespace_fault(std::string_view name);

enum class SelectorScope : std::uint8_t { kLabels, kNodes, kNodeFields };
// Keys, operators and numbers of values; Gt and Lt are for nodes only and need one integer. The only field of a node is
// metadata.name, which In or NotIn compares with one name.
[[nodiscard]] std::optional<std::string> requirement_fault(const SelectorRequirement& requirement, SelectorScope scope);

// "In", "NotIn", "Exists", "DoesNotExist", "Gt", "Lt".
[[nodiscard]] std::string_view name_of(SelectorOperator op);

}  // namespace berth::api
