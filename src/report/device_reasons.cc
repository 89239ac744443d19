#include "report/device_reasons.h"

#include "engine/devices/catalogue.h"
#include "report/amounts.h"
#include "report/layout.h"
#include "report/reason_words.h"

namespace berth::report {
namespace {

namespace devices = engine::devices;
using engine::DeviceShortage;

const devices::Alternative& alternative_of(const DeviceShortage& shortage, const devices::Catalogue& catalogue) {
  return catalogue.claims.content(shortage.claim).requests[shortage.request].alternatives[shortage.alternative];
}

// "1 device of class gpu.nvidia.com where EXPRESSION".
std::string asked(const devices::Alternative& alternative, const Surroundings& around) {
  const devices::Catalogue& catalogue = around.names().devices();
  std::string text = alternative.mode == devices::Alternative::Mode::kAll
                         ? std::string("all devices")
                         : counted(static_cast<std::uint64_t>(alternative.count), "device");
  text += " of class " + std::string(around.names().names.text(alternative.device_class));
  // The last selector is the request's own, which says more than the class's.
  if (!alternative.selectors.empty())
    text += " where " + std::string(catalogue.selectors.text(alternative.selectors.back()));
  return text;
}

// All alternatives of the request, one of which would do.
std::string asked(const DeviceShortage& shortage, const Surroundings& around) {
  std::string text;
  for (const devices::Alternative& alternative :
       around.names().devices().claims.content(shortage.claim).requests[shortage.request].alternatives)
    text += (text.empty() ? "" : ", or ") + asked(alternative, around);
  return text;
}

// "8Gi of 80Gi memory are left on one, 20Gi are asked".
std::string share_text(const DeviceShortage& shortage, const Surroundings& around) {
  const auto amount = [](devices::Quantity nanos, Rounding rounding) {
    const auto whole = static_cast<engine::Amount>(nanos / devices::kNanoPerUnit);
    return whole >= 1024 ? bytes_text(whole, rounding) : std::to_string(whole);
  };
  return amount(shortage.capacity_left, Rounding::kDown) + " of " + amount(shortage.capacity_total, Rounding::kDown) +
         " " + std::string(around.names().devices().capacities.text(shortage.capacity)) + " are left on one at most, " +
         amount(shortage.capacity_asked, Rounding::kUp) + " are asked";
}

// An extended resource that devices could give and no class does.
std::string unserved_text(const DeviceShortage& shortage, const Surroundings& around) {
  const engine::Names& names = around.names();
  const std::string resource(names.resources.text(shortage.resource));
  std::string text = "needs " + std::to_string(shortage.needed) + " " + resource + ", which no node offers; " +
                     std::string(around.node_name(shortage.node)) + " has " +
                     counted(static_cast<std::uint64_t>(shortage.matching), "such device") +
                     ", for ResourceClaims alone";
  std::vector<std::string> classes;
  for (const engine::NameId name : shortage.classes) classes.emplace_back(names.names.text(name));
  if (classes.empty())
    return text + ", and no DeviceClass selects them; add one with extendedResourceName: " + resource;
  return text + "; claim them from DeviceClass " + enumerate(classes, 3) +
         ", or give it extendedResourceName: " + resource + " where the gate DRAExtendedResource is on";
}

std::string problem_text(const devices::Alternative& alternative, const Surroundings& around) {
  switch (alternative.problem) {
    case devices::RequestProblem::kNone:
      return "";
    case devices::RequestProblem::kClassMissing: {
      const std::string_view name = around.names().names.text(alternative.device_class);
      return absent_text(around, "DeviceClass", name) +
             (around.was_refused("DeviceClass", name) ? "" : "; add it, or name one that does");
    }
    case devices::RequestProblem::kDerivedAttributes:
      return "a request uses derivedAttributes, which are not supported; remove them";
  }
  return "";
}

std::string failed_text(const DeviceShortage& shortage, const Surroundings& around) {
  const devices::Catalogue& catalogue = around.names().devices();
  std::string text = "on " + std::string(around.node_name(shortage.error_node));
  if (shortage.error_nodes > 1) text += " and " + counted(shortage.error_nodes - 1, "other node");
  return text + " the selector " + std::string(catalogue.selectors.text(shortage.selector)) +
         " failed: " + std::string(catalogue.selector_errors.text(shortage.error));
}

// What is in the way where enough devices match and none is in use.
std::string obstacle(const DeviceShortage& shortage, const devices::Alternative& alternative,
                     const Surroundings& around) {
  const devices::Catalogue& catalogue = around.names().devices();
  const devices::Claim& claim = catalogue.claims.content(shortage.claim);
  if (shortage.matching > devices::kMaxResults && alternative.mode == devices::Alternative::Mode::kAll)
    return "a claim can have " + std::to_string(devices::kMaxResults) + " devices at most";
  std::vector<std::string> reasons;
  for (const devices::Constraint& constraint : claim.constraints) {
    const std::string attribute(catalogue.attributes.text(constraint.attribute));
    reasons.push_back(constraint.kind == devices::Constraint::Kind::kMatch ? "with one value of " + attribute
                                                                           : "with different values of " + attribute);
  }
  if (alternative.capacities) {
    for (const devices::CapacityRequest& capacity : *alternative.capacities)
      reasons.push_back("with the " + std::string(catalogue.capacities.text(capacity.name)) + " it asks for");
  }
  if (claim.requests.size() > 1 || reasons.empty())
    reasons.emplace_back("together with the rest of what its claims ask for");
  return "not " + enumerate(reasons, 4);
}

}  // namespace

std::string device_sentence(const engine::Reason& reason, const Surroundings& around) {
  const std::uint32_t undecided = reason.nodes[static_cast<std::size_t>(engine::NodeCause::kDeviceSearch)];
  const DeviceShortage& shortage = reason.device_shortage;
  if (!shortage.resource.is_none()) return unserved_text(shortage, around);
  if (shortage.claim.is_none()) return "its claims cannot be satisfied on any node it may use";
  const devices::Alternative& alternative = alternative_of(shortage, around.names().devices());
  if (alternative.problem != devices::RequestProblem::kNone) return problem_text(alternative, around);
  std::string text = "needs " + asked(shortage, around) + "; ";
  if (shortage.node.is_none()) {
    text += "no node that it may use has any device";
  } else if (shortage.matching == 0) {
    text += "no node that it may use has one";
  } else {
    text += "best is " + std::string(around.node_name(shortage.node)) + " with " +
            counted(static_cast<std::uint64_t>(shortage.matching), "such device");
    if (shortage.in_use > 0) {
      text += ", " + grouped(static_cast<std::uint64_t>(shortage.in_use)) + " of them in use or cut by what is in use";
    }
    if (shortage.tainted > 0) {
      text += ", " + grouped(static_cast<std::uint64_t>(shortage.tainted)) + " of them tainted " +
              std::string(around.names().names.text(shortage.taint)) + ", which the request does not tolerate";
    } else if (undecided == 0 && shortage.in_use == 0 && shortage.matching >= shortage.needed) {
      text += ", but " + obstacle(shortage, alternative, around);
    }
    if (!shortage.capacity.is_none()) text += "; " + share_text(shortage, around);
  }
  if (!shortage.error.is_none()) text += "; " + failed_text(shortage, around);
  if (const std::uint32_t pools = reason.nodes[static_cast<std::size_t>(engine::NodeCause::kDevicePool)]; pools > 0)
    text += "; " + counted(pools, "node") + " with an incomplete or contradictory device pool";
  if (undecided > 0)
    text += "; on " + counted(undecided, "node") + " the search gave up before it found or excluded them";
  return text;
}

std::vector<Fact> device_facts(const engine::Reason& reason, const Surroundings& around) {
  std::vector<Fact> out;
  const DeviceShortage& shortage = reason.device_shortage;
  const engine::Names& names = around.names();
  for (const engine::DeviceHolder& holder : shortage.holders) {
    std::string text =
        std::string(names.names.text(holder.device)) + " on " + std::string(around.node_name(shortage.node)) + ": ";
    if (!holder.pod.is_none()) text += std::string(around.pod_name(holder.pod));
    if (!holder.card_resource.is_none()) {
      text += std::string(holder.pod.is_none() ? "" : " ") + "through " +
              std::string(names.resources.text(holder.card_resource)) + ", a device plugin's count of the same card";
    } else if (!holder.claim.is_none()) {
      text += std::string(holder.pod.is_none() ? "" : " ") + "by claim " + std::string(names.names.text(holder.claim));
    }
    out.push_back({out.empty() ? "In use" : "", std::move(text)});
  }
  if (shortage.more_holders > 0) out.push_back({"", "and " + counted(shortage.more_holders, "more user")});
  if (!shortage.error.is_none()) {
    out.push_back({"Hint", "guard what not every driver publishes: \"NAME\" in device.attributes[\"DOMAIN\"] && ..."});
  }
  return out;
}

}  // namespace berth::report
