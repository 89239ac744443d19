#include "dialects/volcano/revocable_nodes.h"

#include <algorithm>

#include "api/scheduler_config.h"

namespace berth::dialects::volcano {

void RevocableNodes::read(const workloads::Scene& scene) {
  made_.clear();
  now_ = scene.now;
  zones_ = scene.configuration != nullptr && scene.configuration->volcano
               ? api::volcano::RevocableZones::of(*scene.configuration->volcano)
               : api::volcano::RevocableZones();
}

const engine::NodeSelector* RevocableNodes::selector(const engine::NodeSelector* also, bool may_be_revoked) {
  if (zones_.empty()) return also;
  const auto [entry, added] = made_.try_emplace({also, may_be_revoked});
  if (!added) return &entry->second;
  engine::Requirement outside;
  outside.key = names_.label_keys.intern(api::volcano::keys::kRevocableZone);
  outside.op = engine::Operator::kDoesNotExist;
  engine::Requirement open;
  open.key = outside.key;
  for (const auto& [zone, window] : zones_.windows())
    if (zones_.is_open(zone, now_)) open.values.push_back(names_.label_value(zone));
  std::ranges::sort(open.values);
  const std::vector<engine::NodeTerm> terms = also == nullptr ? std::vector<engine::NodeTerm>(1) : also->terms;
  for (engine::NodeTerm term : terms) {
    term.labels.push_back(outside);
    entry->second.terms.push_back(term);
    if (!may_be_revoked || open.values.empty()) continue;
    term.labels.back() = open;
    entry->second.terms.push_back(std::move(term));
  }
  return &entry->second;
}

}  // namespace berth::dialects::volcano
