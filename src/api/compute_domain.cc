#include "api/compute_domain.h"

namespace berth::api {

std::string domain_id(const ComputeDomain& domain) {
  if (!domain.metadata.uid.empty()) return domain.metadata.uid;
  constexpr std::size_t kLongestLabel = 63;
  std::string id = (domain.metadata.namespace_ + "." + domain.metadata.name).substr(0, kLongestLabel);
  while (id.ends_with('.') || id.ends_with('-')) id.pop_back();
  return id;
}

}  // namespace berth::api
