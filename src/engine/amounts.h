// Lists of amounts that are ascending by resource.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "engine/amount.h"

namespace berth::engine {

// The amount of a resource in such a list; 0 if it is not there.
[[nodiscard]] inline Amount amount_in(std::span<const ResourceAmount> list, ResourceId resource) {
  const auto place = std::ranges::lower_bound(list, resource, {}, &ResourceAmount::resource);
  return place != list.end() && place->resource == resource ? place->amount : 0;
}

// Adds to such a list, which stays ascending.
inline void add_amount(std::vector<ResourceAmount>& list, ResourceAmount more) {
  const auto place = std::ranges::lower_bound(list, more.resource, {}, &ResourceAmount::resource);
  if (place != list.end() && place->resource == more.resource) {
    place->amount += more.amount;
  } else {
    list.insert(place, more);
  }
}

}  // namespace berth::engine
