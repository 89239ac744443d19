// Owner references that lead in a circle: such objects would own themselves.
#pragma once

#include "api/decode_context.h"
#include "api/objects.h"

namespace berth::api {

// Reports each circle once, at one of its objects, and drops that object's owner references, so that following owners
// always ends. O(objects + references).
void break_owner_cycles(ObjectSet& objects, Diagnostics& diagnostics);

}  // namespace berth::api
