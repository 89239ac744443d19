#include "engine/devices/nearness.h"

#include <algorithm>

namespace berth::engine::devices {
namespace {

constexpr std::size_t kMost = 6;  // more do not fit into a cost (preference.cc)

}  // namespace

std::vector<AttributeId> nearness(const Catalogue& catalogue, std::span<const Claim* const> claims) {
  std::vector<AttributeId> result;
  const auto add = [&](AttributeId attribute) {
    if (result.size() < kMost && !attribute.is_none() && std::ranges::find(result, attribute) == result.end())
      result.push_back(attribute);
  };
  for (const Claim* claim : claims) {
    for (const Constraint& constraint : claim->constraints) {
      if (constraint.kind == Constraint::Kind::kMatch) add(constraint.attribute);
    }
  }
  add(catalogue.attributes.find("resource.kubernetes.io/pcieRoot"));
  add(catalogue.attributes.find("resource.kubernetes.io/numaNode"));
  return result;
}

}  // namespace berth::engine::devices
