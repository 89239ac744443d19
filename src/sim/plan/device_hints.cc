#include "sim/plan/device_hints.h"

#include <algorithm>
#include <utility>

#include "dialects/dra/selector_table.h"
#include "engine/devices/catalogue.h"
#include "engine/world/world.h"

namespace berth::sim {

namespace dra = dialects::dra;
namespace devices = engine::devices;

std::vector<std::string> DeviceHints::about(engine::PodId pod, const engine::Reason& reason) {
  std::vector<std::string> out;
  if (reason.reason_class != engine::ReasonClass::kNoDevice &&
      reason.reason_class != engine::ReasonClass::kSelectorError)
    return out;
  if (!published_) {
    published_.emplace();
    for (const auto& read : cluster_.objects().resource_slices) published_->add(read.object);
  }
  const auto add = [&](std::string text) {
    if (!text.empty() && std::ranges::find(out, text) == out.end()) out.push_back(std::move(text));
  };
  const devices::Catalogue& catalogue = cluster_.names().devices();
  for (const engine::ClaimUse& use : cluster_.engine().world().shape_of(pod).input.claims) {
    const devices::Claim& claim = catalogue.claims.content(use.spec);
    for (const devices::Request& request : claim.requests) {
      for (const devices::Alternative& alternative : request.alternatives) {
        for (const devices::SelectorId id : alternative.selectors) {
          const dra::DeviceSelector* selector = cluster_.translator().devices().selectors().selector(id);
          if (selector == nullptr) continue;
          for (dra::SelectorRemark& remark : dra::remarks_about(*selector, *published_)) add(std::move(remark.message));
        }
      }
    }
    for (const devices::Constraint& constraint : claim.constraints)
      add(dra::remark_about(catalogue.attributes.text(constraint.attribute), *published_));
  }
  return out;
}

}  // namespace berth::sim
