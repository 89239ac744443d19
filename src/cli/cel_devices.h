// `berth cel EXPR -f slices.yaml`: what a device selector says of every device.
#pragma once

#include <span>
#include <string>

#include "cli/command.h"
#include "cli/input.h"

namespace berth::cli {

[[nodiscard]] int run_cel_on_devices(const std::string& expression, std::span<const std::string> paths,
                                     const Kubernetes& kubernetes, bool as_json, Console& console);

}  // namespace berth::cli
