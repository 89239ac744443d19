// Admin access (adminAccess: true) is for namespaces with the label resource.kubernetes.io/admin-access: "true".
#pragma once

#include "api/decode_context.h"
#include "api/objects.h"

namespace berth::api {

// Refuses claims and templates that ask for it elsewhere, as the API server does, with an error each. Where the
// namespace is not among the objects its labels are not known, and the object stays. O(claims + templates +
// namespaces).
void refuse_admin_access(ObjectSet& objects, Diagnostics& diagnostics);

}  // namespace berth::api
