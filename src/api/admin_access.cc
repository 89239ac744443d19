#include "api/admin_access.h"

#include <algorithm>
#include <string>

#include <boost/unordered/unordered_flat_set.hpp>

namespace berth::api {
namespace {

bool wants_admin_access(const ResourceClaimSpec& spec) {
  return std::ranges::any_of(spec.requests, [](const DeviceRequest& request) {
    return request.exactly && request.exactly->admin_access.value_or(false);
  });
}

}  // namespace

void refuse_admin_access(ObjectSet& objects, Diagnostics& diagnostics) {
  boost::unordered_flat_set<std::string> closed;  // namespaces without the label
  for (const auto& read : objects.namespaces) {
    const StringMap& labels = read.object.metadata.labels;
    const auto label = labels.find(kAdminAccessLabel);
    if (label == labels.end() || label->second != "true") closed.insert(read.object.metadata.name);
  }
  const auto refuse = [&](auto& list) {
    std::erase_if(list, [&](const auto& read) {
      const std::string& space = read.object.metadata.namespace_;
      if (!wants_admin_access(read.object.spec) || !closed.contains(space)) return false;
      diagnostics.error({ErrorCode::kInvalid,
                         "adminAccess needs the label " + std::string(kAdminAccessLabel) +
                             ": \"true\" at the namespace " + space + "; add it or remove adminAccess.",
                         read.place});
      return true;
    });
  };
  refuse(objects.resource_claims);
  refuse(objects.resource_claim_templates);
}

}  // namespace berth::api
