// owner_key(): the controller of an object as the key of a map. Kinds of Volcano that are named like Kubernetes' own
// have other keys.
#pragma once

#include <string>
#include <string_view>

namespace berth::controllers {

[[nodiscard]] bool is_volcanos(std::string_view api_version);

// "Kind/namespace/name", with a word in front for Volcano's.
[[nodiscard]] std::string owner_key(std::string_view api_version, std::string_view kind, std::string_view namespace_,
                                    std::string_view name);

}  // namespace berth::controllers
