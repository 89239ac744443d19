// Numbers as Go writes them.
#pragma once

#include <string>

namespace berth::text {

// encoding/json's form of a finite float64: shortest digits that read back; exponents from 1e21 and below 1e-6.
[[nodiscard]] std::string json_double(double value);

// strconv.FormatFloat(value, 'g', -1, 32): shortest digits that read back as a float32; exponents below 1e-4 and from
// 1e21 on. What the YAML bridge of Kubernetes makes of a key that is a float.
[[nodiscard]] std::string go_float32_key(double value);

}  // namespace berth::text
