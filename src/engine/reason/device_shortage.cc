#include "engine/reason/device_shortage.h"

#include <algorithm>
#include <optional>
#include <span>
#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>

#include "engine/devices/holdings.h"
#include "engine/fit/filters.h"

namespace berth::engine {
namespace {

using devices::Holdings;
using devices::NodeDevices;
using devices::PlacedDevice;
using devices::SelectorAnswer;

bool has_filter(const Question& question) {
  const std::vector<Filter>& filters = question.shape.profile->filters;
  return std::ranges::find(filters, Filter::kDynamicResources) != filters.end();
}

bool would_do_without(Question question, NodeId node) {
  question.without_devices = true;
  return check_all(question, node).fits();
}

const NodeDevices& devices_on(const World& world, NodeId node) {
  return world.holdings().on(node, world.node(node).input);
}

// What devices say about the nodes that would do otherwise.
struct Causes {
  bool asked = false;
  bool busy = false;
  bool none = false;      // a node whose devices were judged, and are not the right ones
  bool selector = false;  // a node whose devices could not be judged
  bool elsewhere = false;
};

Causes causes_of(const Question& question) {
  Causes causes;
  const World& world = question.world;
  for (const NodeId node : world.by_rank()) {
    if (!would_do_without(question, node)) continue;
    causes.asked = true;
    switch (check_filter(Filter::kDynamicResources, question, node).cause) {
      case NodeCause::kDeviceBusy:
      case NodeCause::kDeviceSearch:
        causes.busy = true;
        break;
      case NodeCause::kDeviceSelector:
        causes.selector = true;
        break;
      case NodeCause::kClaimElsewhere:
        causes.elsewhere = true;
        break;
      default:
        causes.none = causes.none || !devices_on(world, node).devices.empty();
        break;
    }
  }
  return causes;
}

SelectorAnswer judge(const Holdings& holdings, const devices::Alternative& alternative, const PlacedDevice& device,
                     devices::SelectorId& failed) {
  for (const devices::SelectorId selector : alternative.selectors) {
    const SelectorAnswer answer = holdings.selectors().answer(selector, device.kind);
    if (answer.kind == SelectorAnswer::Kind::kYes) continue;
    failed = selector;
    return answer;
  }
  return {SelectorAnswer::Kind::kYes, {}};
}

// Is the device, or one that shares its counters, in use?
bool taken(const Holdings& holdings, const NodeDevices& node, const PlacedDevice& device) {
  if (holdings.usage().in_use(device.id)) return true;
  const devices::DeviceComponent& component = node.components[device.component];
  return std::ranges::any_of(component.members, [&](std::uint32_t member) {
    const PlacedDevice& other = node.devices[member];
    if (!holdings.usage().in_use(other.id) || device.counters == nullptr || other.counters == nullptr) return false;
    return std::ranges::any_of(*device.counters, [&](const devices::CounterUse& use) {
      return std::ranges::find(*other.counters, use.counter, &devices::CounterUse::counter) != other.counters->end();
    });
  });
}

NameId taint_against(const devices::Catalogue& catalogue, const devices::Alternative& alternative,
                     const PlacedDevice& device);

// The first capacity that the request names on a device that is shared.
struct CapacityLeft {
  devices::CapacityId capacity;
  devices::Quantity asked = 0;
  devices::Quantity left = 0;
  devices::Quantity total = 0;
};

CapacityLeft capacity_left(const World& world, const devices::Alternative& alternative, const PlacedDevice& device) {
  const devices::Kind& kind = world.names().devices().kinds.content(device.kind);
  if (!kind.allow_multiple || !alternative.capacities || alternative.capacities->empty()) return {};
  const devices::CapacityRequest& asked = alternative.capacities->front();
  const auto offered = std::ranges::find(kind.capacities, asked.name, &devices::Capacity::name);
  if (offered == kind.capacities.end()) return {};
  const auto& consumed = world.holdings().usage().consumed(device.id);
  const auto used = std::ranges::find(consumed, asked.name, &devices::CapacityRequest::name);
  const devices::Quantity left = offered->value - (used == consumed.end() ? 0 : used->amount);
  return {.capacity = asked.name, .asked = asked.amount, .left = left, .total = offered->value};
}

// One alternative, judged on all nodes.
DeviceShortage judge_everywhere(const Question& question, ClaimSpecId claim, std::uint32_t request,
                                std::uint32_t number) {
  const World& world = question.world;
  const Holdings& holdings = world.holdings();
  const devices::Alternative& alternative =
      world.names().devices().claims.content(claim).requests[request].alternatives[number];
  DeviceShortage result;
  result.claim = claim;
  result.request = request;
  result.alternative = number;
  result.needed = alternative.mode == devices::Alternative::Mode::kAll ? 1 : alternative.count;
  for (const NodeId node : world.by_rank()) {
    const NodeDevices& here = devices_on(world, node);
    if (here.devices.empty() || !would_do_without(question, node)) continue;
    std::int64_t matching = 0;
    std::int64_t in_use = 0;
    std::int64_t tainted = 0;
    NameId taint;
    bool failed = false;
    CapacityLeft best;
    for (const PlacedDevice& device : here.devices) {
      if (here.pools[device.pool].disputed) continue;  // nobody knows whether it is there
      devices::SelectorId selector;
      const SelectorAnswer answer = judge(holdings, alternative, device, selector);
      if (answer.kind == SelectorAnswer::Kind::kYes && device.on_node) {
        ++matching;
        if (taken(holdings, here, device)) ++in_use;
        if (const CapacityLeft share = capacity_left(world, alternative, device);
            !share.capacity.is_none() && (best.capacity.is_none() || share.left > best.left)) {
          best = share;
        }
        if (const NameId key = taint_against(world.names().devices(), alternative, device); !key.is_none()) {
          ++tainted;
          taint = key;
        }
      } else if (answer.kind == SelectorAnswer::Kind::kError) {
        failed = true;
        if (result.error.is_none()) {
          result.selector = selector;
          result.error = answer.error;
          result.error_node = node;
        }
      }
    }
    if (failed) ++result.error_nodes;
    if (result.node.is_none() || matching > result.matching ||
        (matching == result.matching && in_use < result.in_use)) {
      result.node = node;
      result.matching = matching;
      result.in_use = in_use;
      result.tainted = tainted;
      result.taint = taint;
      result.capacity = best.capacity;
      result.capacity_asked = best.asked;
      result.capacity_left = best.left;
      result.capacity_total = best.total;
    }
  }
  return result;
}

// By claim: the pods that use it, on whatever node, by name.
using Users = boost::unordered_flat_map<NameId, std::vector<PodId>>;

// Fills in the pods of the claims that are there. O(pods).
void find_users(const World& world, Users& users) {
  for (std::size_t i = 0; i < world.pod_slots(); ++i) {
    const Pod& pod = world.pod(PodId{i});
    if (pod.state != PodState::kPlaced) continue;
    for (const NameId claim : pod.claims) {
      const auto found = users.find(claim);
      if (found == users.end()) continue;
      if (found->second.empty() || found->second.back() != PodId{i}) found->second.push_back(PodId{i});
    }
  }
  for (auto& [claim, pods] : users) {
    std::ranges::sort(pods, {}, [&](PodId pod) { return world.names().names.text(world.pod(pod).name); });
  }
}

// Would it matter to the request if the device were free? It is one of those asked for, or cuts one of them.
bool concerns(const Question& question, const DeviceShortage& shortage, const NodeDevices& here,
              const PlacedDevice& device) {
  const World& world = question.world;
  const devices::Alternative& alternative = world.names()
                                                .devices()
                                                .claims.content(shortage.claim)
                                                .requests[shortage.request]
                                                .alternatives[shortage.alternative];
  return std::ranges::any_of(here.components[device.component].members, [&](std::uint32_t member) {
    devices::SelectorId failed;
    return judge(world.holdings(), alternative, here.devices[member], failed).kind == SelectorAnswer::Kind::kYes;
  });
}

void add_holders(const Question& question, DeviceShortage& shortage) {
  constexpr std::size_t kMost = 8;
  const World& world = question.world;
  const Holdings& holdings = world.holdings();
  const NodeDevices& here = devices_on(world, shortage.node);
  const auto add = [&](const DeviceHolder& holder) {
    if (shortage.holders.size() < kMost) {
      shortage.holders.push_back(holder);
    } else {
      ++shortage.more_holders;
    }
  };
  std::vector<const PlacedDevice*> wanted;
  std::vector<devices::DeviceId> ids;
  for (const PlacedDevice& device : here.devices) {
    if (!holdings.usage().in_use(device.id) || !concerns(question, shortage, here, device)) continue;
    wanted.push_back(&device);
    ids.push_back(device.id);
  }
  const std::vector<std::vector<NameId>> claims = holdings.holders(ids);
  Users users;
  for (const std::vector<NameId>& of_device : claims) {
    for (const NameId claim : of_device) users[claim];
  }
  find_users(world, users);
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    const PlacedDevice& device = *wanted[i];
    DeviceHolder holder;
    holder.device = holdings.inventory().key(device.id).device;
    if (holdings.taken_by_count(device.id)) {
      holder.card_resource = world.names().devices().card_resource(device.kind);
      for (const PodId pod : world.node(shortage.node).pods) {
        for (const CardAssignment& cards : world.pod(pod).cards) {
          if (!holdings.counted_in(device.id, cards.resource)) continue;
          holder.card_resource = cards.resource;
          holder.pod = pod;
        }
      }
      add(holder);
      continue;
    }
    for (const NameId claim : claims[i]) {
      holder.claim = claim;
      holder.pod = PodId::none();
      const std::vector<PodId>& of_claim = users.find(claim)->second;
      if (of_claim.empty()) add(holder);
      for (const PodId user : of_claim) {
        holder.pod = user;
        add(holder);
      }
    }
  }
}

// The worse of two shortages decides: fewer devices for what is needed, first those there are, then those that are
// free.
std::pair<std::int64_t, std::int64_t> missing(const DeviceShortage& shortage) {
  return {std::max<std::int64_t>(shortage.needed - shortage.matching, 0),
          shortage.needed - (shortage.matching - shortage.in_use)};
}

// Does a taint of the device keep the request off? Its key, or none.
NameId taint_against(const devices::Catalogue& catalogue, const devices::Alternative& alternative,
                     const PlacedDevice& device) {
  if (device.taints.is_none()) return NameId::none();
  for (const devices::DeviceTaint& taint : catalogue.taints.content(device.taints)) {
    if (taint.effect == devices::DeviceEffect::kNone) continue;
    const auto tolerates = [&](const devices::DeviceToleration& toleration) {
      if (toleration.effect && *toleration.effect != taint.effect) return false;
      if (!toleration.key.is_none() && toleration.key != taint.key) return false;
      return toleration.match == devices::DeviceToleration::Match::kExists ||
             (toleration.match == devices::DeviceToleration::Match::kEqual && toleration.value == taint.value);
    };
    if (std::ranges::none_of(alternative.tolerations, tolerates)) return taint.key;
  }
  return NameId::none();
}

// Devices that a device plugin would count in this resource, on the node.
std::int64_t counted_devices(const World& world, NodeId node, ResourceId resource,
                             std::vector<devices::KindId>& kinds) {
  std::int64_t result = 0;
  for (const PlacedDevice& device : devices_on(world, node).devices) {
    if (world.names().devices().card_resource(device.kind) != resource) continue;
    ++result;
    if (std::ranges::find(kinds, device.kind) == kinds.end()) kinds.push_back(device.kind);
  }
  return result;
}

DeviceShortage unserved_shortage(const Question& question, ResourceId resource) {
  const World& world = question.world;
  DeviceShortage result;
  result.resource = resource;
  for (const CardRequest& request : question.shape.input.cards) {
    if (request.resource == resource) result.needed = request.count;
  }
  std::vector<devices::KindId> kinds;
  for (const NodeId node : world.by_rank()) {
    const std::int64_t count = counted_devices(world, node, resource, kinds);
    if (count <= result.matching) continue;
    result.matching = count;
    result.node = node;
  }
  for (const devices::Catalogue::ClassEntry& entry : world.names().devices().classes) {
    const auto accepts = [&](devices::KindId kind) {
      return std::ranges::all_of(entry.selectors, [&](devices::SelectorId selector) {
        return world.holdings().selectors().answer(selector, kind).kind == SelectorAnswer::Kind::kYes;
      });
    };
    if (std::ranges::any_of(kinds, accepts)) result.classes.push_back(entry.name);
  }
  return result;
}

}  // namespace

ResourceId unserved_resource(const Question& question) {
  const World& world = question.world;
  if (!world.holdings().any_devices()) return ResourceId::none();
  for (const CardRequest& request : question.shape.input.cards) {
    if (request.count == 0) continue;
    const auto serves = [&](NodeId node) {
      return world.allocatable(node, request.resource) > 0 ||
             world.claims_supply(question.shape.input, node, request.resource);
    };
    if (std::ranges::any_of(world.by_rank(), serves)) continue;
    std::vector<devices::KindId> kinds;
    const auto has = [&](NodeId node) { return counted_devices(world, node, request.resource, kinds) > 0; };
    if (std::ranges::any_of(world.by_rank(), has)) return request.resource;
  }
  return ResourceId::none();
}

ReasonClass classify_devices(const Question& question) {
  if (question.shape.input.claims.empty() || !has_filter(question)) return ReasonClass::kNone;
  Causes causes = causes_of(question);
  if (causes.busy) return ReasonClass::kDeviceBusy;
  if (causes.elsewhere) return ReasonClass::kNone;  // where its devices are something else is in the way
  Question emptied = question;
  emptied.emptied = true;
  // Nodes that have the devices and lack amounts: then that is the cause.
  const auto lacks_amounts_only = [&](NodeId node) {
    return check_ready(emptied, node).fits() &&
           std::ranges::all_of(question.shape.profile->filters, [&](Filter filter) {
             return filter == Filter::kNodeResourcesFit || check_filter(filter, emptied, node).fits();
           });
  };
  if (std::ranges::any_of(question.world.by_rank(), lacks_amounts_only)) return ReasonClass::kNone;
  if (!causes.asked) {
    causes = causes_of(emptied);
    if (!causes.asked) return ReasonClass::kNone;
    if (std::ranges::any_of(question.world.by_rank(), [&](NodeId node) { return check_all(emptied, node).fits(); })) {
      return ReasonClass::kNone;
    }
  }
  return causes.selector && !causes.none ? ReasonClass::kSelectorError : ReasonClass::kNoDevice;
}

void describe_device_shortage(const Question& question, Reason& reason) {
  switch (reason.reason_class) {
    case ReasonClass::kNoDevice:
    case ReasonClass::kDeviceBusy:
    case ReasonClass::kSelectorError:
      break;
    default:
      return;
  }
  if (const ResourceId unserved = unserved_resource(question); !unserved.is_none()) {
    reason.device_shortage = unserved_shortage(question, unserved);
    return;
  }
  Question asked = question;
  if (std::ranges::none_of(question.world.by_rank(), [&](NodeId node) { return would_do_without(question, node); })) {
    asked.emptied = true;
  }
  std::optional<DeviceShortage> worst;
  const auto is_needed = [&](const ClaimUse& use) {
    return use.resource.is_none() || std::ranges::any_of(question.world.by_rank(), [&](NodeId node) {
             return question.world.allocatable(node, use.resource) <= 0;
           });
  };
  for (const ClaimUse& use : question.shape.input.claims) {
    if (!is_needed(use)) continue;
    if (!use.shared.is_none() && question.world.holdings().grant(use.shared) != nullptr) continue;
    const devices::Claim& claim = question.world.names().devices().claims.content(use.spec);
    for (std::uint32_t request = 0; request < claim.requests.size(); ++request) {
      // Of alternatives the nearest to success speaks for all.
      std::optional<DeviceShortage> nearest;
      for (std::uint32_t number = 0; number < claim.requests[request].alternatives.size(); ++number) {
        DeviceShortage shortage = judge_everywhere(asked, use.spec, request, number);
        if (!nearest || missing(shortage) < missing(*nearest)) nearest = std::move(shortage);
      }
      if (nearest && (!worst || missing(*nearest) > missing(*worst))) worst = std::move(nearest);
    }
  }
  if (!worst) return;
  if (!worst->node.is_none() && !asked.emptied) add_holders(question, *worst);
  reason.device_shortage = std::move(*worst);
}

}  // namespace berth::engine
