// Shrinks a world on which a check fails by leaving objects and parts of pods out while it still fails.
#pragma once

#include <functional>

#include "reference/objects.h"

namespace berth::support {

[[nodiscard]] reference::Objects shrink(reference::Objects world,
                                        const std::function<bool(const reference::Objects&)>& still_fails);

}  // namespace berth::support
