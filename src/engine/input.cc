#include "engine/input.h"

#include <algorithm>

namespace berth::engine {

Amount ShapeInput::asks(ResourceId resource) const {
  for (const ResourceAmount& request : requests) {
    if (request.resource == resource) return request.amount;
  }
  for (const CardRequest& request : cards) {
    if (request.resource == resource) return request.total();
  }
  return 0;
}

bool ShapeInput::ignores(ResourceId resource) const {
  return std::ranges::find(ignored_resources, resource) != ignored_resources.end();
}

}  // namespace berth::engine
