// Selectors that the API server would not take: they do not compile, or may cost too much. Told when objects are read,
// with the object and its field, instead of device by device when a pod wants one.
#pragma once

#include <vector>

#include "api/objects.h"
#include "base/result.h"
#include "cel/parser.h"
#include "dialects/dra/device_selector.h"

namespace berth::dialects::dra {

struct BrokenSelector {
  Error error;  // with the object and "spec.selectors[0].cel.expression"
  cel::Source source;
  cel::Position position;  // of what is wrong in the expression, line and column from 1; line 0: it has no place
};

// Of DeviceClasses, ResourceClaims and ResourceClaimTemplates, in this order. Equal expressions are compiled once.
// O(all expressions).
[[nodiscard]] std::vector<BrokenSelector> broken_selectors(const api::ObjectSet& objects, const SelectorRules& rules);

}  // namespace berth::dialects::dra
