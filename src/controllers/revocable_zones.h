// Who has to leave because the revocable zone of its node is closed (api/revocable_zones.h): pods of Volcano's
// scheduler that may be revoked. They leave from the moment of closing on, once per period so many of each group as its
// budget lets go: volcano.sh/jdb-max-unavailable less those that are not running, or those above
// volcano.sh/jdb-min-available, or one. The annotations are those of the group, numbers or percentages of its pods,
// rounded up. Source: Volcano's plugin tdm with the action shuffle.
#pragma once

#include <vector>

#include "api/objects.h"
#include "api/revocable_zones.h"

namespace berth::controllers {

struct Revocation {
  const api::Pod* pod = nullptr;
  api::Time at = 0;  // `now`, or the begin of a later period
};

// In the order of the pods. Whom the budget keeps for now leaves in later periods at the earliest, and is not named.
[[nodiscard]] std::vector<Revocation> revocations(const api::ObjectSet& objects,
                                                  const api::volcano::RevocableZones& zones, api::Time now);

}  // namespace berth::controllers
