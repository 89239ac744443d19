#include "dialects/kubernetes/features.h"

#include <algorithm>
#include <string_view>

#include "base/sort_unique.h"
#include "dialects/kubernetes/selectors.h"

namespace berth::dialects::kubernetes {
namespace {

constexpr std::string_view kRestartAll = "RestartAllContainersOnContainerExits";
constexpr std::string_view kHostNetworkUsers = "UserNamespacesHostNetworkSupport";

}  // namespace

std::vector<engine::NameId> needed_features(const api::PodSpec& spec, engine::Names& names) {
  std::vector<engine::NameId> needed;
  if (std::ranges::any_of(spec.containers, &api::Container::restarts_all) ||
      std::ranges::any_of(spec.init_containers, &api::Container::restarts_all))
    needed.push_back(names.names.intern(kRestartAll));
  if (spec.host_network && !spec.host_users) needed.push_back(names.names.intern(kHostNetworkUsers));
  std::ranges::sort(needed);
  return needed;
}

std::vector<engine::NameId> declared_features(const api::Node& node, engine::Names& names) {
  std::vector<engine::NameId> declared;
  for (const std::string& feature : node.declared_features) {
    if (feature == kRestartAll || feature == kHostNetworkUsers) declared.push_back(names.names.intern(feature));
  }
  sort_unique(declared);
  return declared;
}

}  // namespace berth::dialects::kubernetes
