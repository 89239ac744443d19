// Nodes of revocable zones (api/revocable_zones.h) in the engine's terms: which nodes a pod of Volcano's groups may go
// to, as a selector over the label that names the zone. Pods of other schedulers are not Volcano's to keep away.
#pragma once

#include <map>
#include <utility>

#include "api/revocable_zones.h"
#include "dialects/workloads/ecosystem.h"

namespace berth::dialects::volcano {

class RevocableNodes {
 public:
  explicit RevocableNodes(engine::Names& names) : names_(names) {}

  void read(const workloads::Scene& scene);
  // Where pods may go that may be revoked, or those that may not, beside what `also` says (null: nothing). Valid until
  // the next read(); null: anywhere.
  [[nodiscard]] const engine::NodeSelector* selector(const engine::NodeSelector* also, bool may_be_revoked);

 private:
  engine::Names& names_;
  api::volcano::RevocableZones zones_;
  api::Time now_ = 0;
  std::map<std::pair<const engine::NodeSelector*, bool>, engine::NodeSelector> made_;
};

}  // namespace berth::dialects::volcano
