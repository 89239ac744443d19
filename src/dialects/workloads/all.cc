#include "dialects/upstream/pod_groups.h"
#include "dialects/volcano/volcano.h"
#include "dialects/workloads/ecosystem.h"
#include "dialects/workloads/namespace_quotas.h"

namespace berth::dialects::workloads {

std::vector<std::unique_ptr<Ecosystem>> all_ecosystems(engine::Names& names) {
  std::vector<std::unique_ptr<Ecosystem>> result;
  result.push_back(std::make_unique<upstream::PodGroups>(names));
  result.push_back(std::make_unique<volcano::Volcano>(names));
  result.push_back(std::make_unique<NamespaceQuotas>(names));
  return result;
}

}  // namespace berth::dialects::workloads
