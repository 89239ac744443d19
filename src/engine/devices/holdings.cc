#include "engine/devices/holdings.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "engine/devices/amount_words.h"
#include "engine/devices/arrangement.h"
#include "engine/world/selectors.h"

namespace berth::engine::devices {
namespace {

const AnswerTable kNoAnswers;

// Forgetting all answers now and then bounds the memory; they are soon there again.
constexpr std::size_t kMostAnswers = std::size_t{1} << 16U;
constexpr std::size_t kMostSights = 32;  // per node
constexpr std::size_t kMostStates = std::size_t{1} << 18U;
constexpr std::uint32_t kLeftOut = ~std::uint32_t{0};    // no state of use
constexpr std::uint32_t kElsewhere = ~std::uint32_t{0};  // no component
constexpr std::size_t kMostChanges = 4096;

// A claim for an extended resource is no matter of nodes that offer the resource themselves.
bool is_offered(const ClaimUse& use, const NodeInput& node) {
  if (use.resource.is_none()) return false;
  const auto offered = std::ranges::find(node.allocatable, use.resource, &ResourceAmount::resource);
  return offered != node.allocatable.end() && offered->amount > 0;
}

}  // namespace

Holdings::Holdings(const Config& config, const Names& names)
    : config_(config), names_(names), inventory_(names, names.devices()), sights_(names.devices()) {}
Holdings::~Holdings() = default;

const SelectorAnswers& Holdings::selectors() const {
  return config_.selectors != nullptr ? *config_.selectors : kNoAnswers;
}

// --- What a node has ------------------------------------------------------------------------------------------------

Holdings::View& Holdings::view(NodeId node, const NodeInput& input) const {
  if (views_.size() <= node.index()) views_.resize(node.index() + 1);
  std::unique_ptr<View>& entry = views_[node.index()];
  if (!entry) entry = std::make_unique<View>();
  if (!entry->gathered) {
    entry->devices = inventory_.on(input, config_.device_features);
    entry->layout = layout_of(entry->devices);
    entry->seen.clear();
    entry->look = {};
    entry->use.clear();
    entry->stale.clear();
    entry->gathered = true;
    find_far(*entry, node);
  }
  return *entry;
}

// Notes who has to hear of which device.
void Holdings::find_far(View& view, NodeId node) const {
  const NodeDevices& devices = view.devices;
  view.far.clear();
  view.elsewhere.clear();
  spots_.resize(inventory_.device_count());
  far_.resize(inventory_.device_count());
  for (const PlacedDevice& device : devices.devices) {
    if (devices.slices[device.slice].target.kind == NodeTarget::Kind::kNode) {
      spots_[device.id.index()] = {node, device.component};
    } else {
      view.far.emplace_back(device.id, device.component);
    }
  }
  std::vector<bool> counts;  // by counter: a device of this node consumes it
  for (std::uint32_t pool = 0; pool < devices.pools.size(); ++pool) {
    if (devices.pools[pool].elsewhere.empty()) continue;
    counts.assign(devices.pools[pool].counters->size(), config_.strict_devices);
    for (const DeviceComponent& component : devices.components) {
      if (component.pool != pool) continue;
      for (const std::uint32_t counter : component.counters) counts[counter] = true;
    }
    for (const ElsewhereDevice& device : devices.pools[pool].elsewhere) {
      if (std::ranges::any_of(*device.counters, [&](const CounterUse& use) { return counts[use.counter]; }))
        view.far.emplace_back(device.id, kElsewhere);
    }
  }
  for (const auto& [device, component] : view.far) far_[device.index()] = true;
  std::ranges::sort(view.far);
}

Touched Holdings::remove_slice(NameId name) {
  const Touched touched = inventory_.remove(name);
  return follow_limit() ? Touched::every_node() : touched;
}

Touched Holdings::set_slice(const SliceInput& slice) {
  Touched touched = inventory_.forget_unlisted(slice.driver, slice.pool, usage_);
  touched.add(inventory_.set(slice));
  return follow_limit() ? Touched::every_node() : touched;
}

const NodeDevices& Holdings::on(NodeId node, const NodeInput& input) const { return view(node, input).devices; }

// Nodes of one layout of which claims see the same get equal answers for equal use, position by position.
Holdings::LayoutId Holdings::layout_of(const NodeDevices& devices) const {
  Key key = {static_cast<std::uint32_t>(devices.pools.size()), static_cast<std::uint32_t>(devices.slices.size())};
  for (const NodePool& pool : devices.pools) {
    key.insert(key.end(), {pool.driver.value(), static_cast<std::uint32_t>(pool.state), pool.disputed ? 1U : 0U,
                           pool.device_count});
    key.push_back(static_cast<std::uint32_t>(pool.kinds.size()));
    key.push_back(static_cast<std::uint32_t>(pool.counters == nullptr ? 0 : pool.counters->size()));
    if (pool.counters == nullptr) continue;
    for (const Quantity amount : *pool.counters) add_amount(key, amount);
    key.insert(key.end(), pool.counter_scopes->begin(), pool.counter_scopes->end());
  }
  for (const NodeSlice& slice : devices.slices) {
    key.push_back(slice.skips_node_operations ? 1U : 0U);
  }
  for (const PlacedDevice& device : devices.devices) {
    key.insert(key.end(),
               {device.consumption.value(), device.taints.value(), device.binding.value(), device.slice, device.pool,
                device.component, device.reach, (device.on_node ? 2U : 0U) + (device.binds_to_node ? 1U : 0U)});
  }
  return layouts_.try_emplace(std::move(key), LayoutId{layouts_.size()}).first->second;
}

SightId Holdings::sight_of(std::span<const ClaimSpecId> specs, View& view) const {
  const auto known =
      std::ranges::find_if(view.seen, [&](const View::Seen& seen) { return std::ranges::equal(seen.by, specs); });
  if (known != view.seen.end()) return known->sight;
  if (view.seen.size() >= kMostSights) view.seen.erase(view.seen.begin());
  const SightId sight = sights_.of(specs, view.layout.value(), view.devices, selectors(), view.look);
  view.seen.push_back({{specs.begin(), specs.end()}, sight});
  return sight;
}

bool Holdings::reset_node(NodeId node, const NodeInput& input) {
  if (present_.size() <= node.index()) present_.resize(node.index() + 1);
  nodes_ -= present_[node.index()] ? 1 : 0;
  present_[node.index()] = !input.name.is_none();
  nodes_ += present_[node.index()] ? 1 : 0;
  if (node.index() < views_.size() && views_[node.index()]) views_[node.index()]->gathered = false;
  unlink(node);
  if (any_devices() && !input.cards.empty()) link(node, input);
  return follow_limit();
}

void Holdings::unlink(NodeId node) {
  if (node.index() >= cards_.size()) return;
  for (const Card& card : cards_[node.index()]) {
    for (const DeviceId device : card.devices) {
      if (card.counted > 0) {
        usage_.release(device);
        touch(device);
      }
      links_[device.index()] = Link{};
    }
  }
  cards_[node.index()].clear();
}

// --- How long a node is searched ------------------------------------------------------------------------------------

void Holdings::limit_steps(const StepLimits& limits) {
  limits_ = limits;
  follow_limit();
}

// Nodes that slices name may all be unlike, and all nodes where slices look at labels. Rounded, so that it seldom
// changes.
std::uint64_t Holdings::limit_of_one_search() const {
  const std::size_t unlike =
      inventory_.looks_at_labels() ? std::max(nodes_, inventory_.named_nodes()) : inventory_.named_nodes() + 1;
  return std::clamp(limits_.question / std::bit_floor(unlike), std::min(limits_.least, limits_.search), limits_.search);
}

// True if some answers are not what a search would say now, with another limit.
bool Holdings::follow_limit() {
  const std::uint64_t limit = limit_of_one_search();
  if (std::exchange(limit_, limit) == limit || !std::exchange(dear_, false)) return false;
  memo_.clear();
  return true;
}

void Holdings::link(NodeId node, const NodeInput& input) {
  const NodeDevices& devices = on(node, input);
  std::vector<Card> cards;
  for (const NodeInput::CardGroup& group : input.cards) {
    for (PairedCard& paired : paired_cards(devices, input, group.resource).cards) {
      if (paired.units.empty()) continue;
      // One that is counted in several resources is one card.
      auto card = std::ranges::find_if(
          cards, [&](const Card& other) { return other.devices.front() == paired.devices.front(); });
      if (card == cards.end()) {
        cards.push_back({.units = {}, .devices = std::move(paired.devices)});
        card = cards.end() - 1;
      }
      for (const std::uint16_t unit : paired.units) card->units.push_back({group.resource, unit});
    }
  }
  if (cards.empty()) return;
  for (std::uint32_t number = 0; number < cards.size(); ++number) {
    for (const DeviceId device : cards[number].devices) {
      if (links_.size() <= device.index()) links_.resize(device.index() + 1);
      links_[device.index()] = {node, number};
      if (usage_.in_use(device)) ++cards[number].claimed;
    }
    if (cards[number].claimed > 0) note_change(node, cards[number]);
  }
  if (cards_.size() <= node.index()) cards_.resize(node.index() + 1);
  cards_[node.index()] = std::move(cards);
}

CardPairing Holdings::paired_cards(const NodeDevices& devices, const NodeInput& input, ResourceId resource) const {
  return pair_units(inventory_, names_, devices, input, resource);
}

void Holdings::note_change(NodeId node, const Card& card) {
  for (const Card::Unit& unit : card.units)
    card_changes_.push_back({node, unit.resource, unit.number, card.claimed > 0});
}

void Holdings::count_card(NodeId node, ResourceId resource, std::uint16_t number, bool taken) {
  if (node.index() >= cards_.size()) return;
  for (Card& card : cards_[node.index()]) {
    const bool has = std::ranges::any_of(
        card.units, [&](const Card::Unit& unit) { return unit.resource == resource && unit.number == number; });
    if (!has) continue;
    const bool was = card.counted > 0;
    taken ? ++card.counted : --card.counted;
    if (was == (card.counted > 0)) return;
    for (const DeviceId device : card.devices) {
      taken ? usage_.hold(device) : usage_.release(device);
      touch(device);
    }
    return;
  }
}

std::vector<CardChange> Holdings::card_changes() { return std::exchange(card_changes_, {}); }

bool Holdings::taken_by_count(DeviceId device) const {
  if (!counted_by_plugin(device)) return false;
  const Link& link = links_[device.index()];
  return cards_[link.node.index()][link.card].counted > 0;
}

bool Holdings::counted_in(DeviceId device, ResourceId resource) const {
  if (!counted_by_plugin(device)) return false;
  const Link& link = links_[device.index()];
  const std::vector<Card::Unit>& units = cards_[link.node.index()][link.card].units;
  return std::ranges::find(units, resource, &Card::Unit::resource) != units.end();
}

std::vector<std::vector<NameId>> Holdings::holders(std::span<const DeviceId> devices) const {
  boost::unordered_flat_map<DeviceId, std::size_t> places;
  for (std::size_t i = 0; i < devices.size(); ++i) places.emplace(devices[i], i);
  std::vector<std::vector<NameId>> result(devices.size());
  for (const auto& [name, state] : claims_) {
    if (!state.grant) continue;
    for (const DeviceAllocation& one : state.grant->devices) {
      const auto place = places.find(one.device);
      if (place == places.end() || one.admin_access) continue;
      std::vector<NameId>& of_device = result[place->second];
      if (of_device.empty() || of_device.back() != name) of_device.push_back(name);
    }
  }
  for (std::vector<NameId>& names : result) {
    std::ranges::sort(names, {}, [this](NameId name) { return names_.names.text(name); });
  }
  return result;
}

std::vector<NameId> Holdings::far_reaching() const {
  std::vector<NameId> result;
  for (const auto& [name, state] : claims_) {
    if (state.grant && !state.grant->devices.empty() && only_node(*state.grant).is_none()) result.push_back(name);
  }
  std::ranges::sort(result, {}, [this](NameId name) { return names_.names.text(name); });
  return result;
}

std::int64_t Holdings::cards_of(NameId claim, NodeId node, ResourceId resource) const {
  const Grant* has = grant(claim);
  if (has == nullptr) return 0;
  std::vector<std::uint32_t> cards;
  for (const DeviceAllocation& device : has->devices) {
    if (device.admin_access || device.device.index() >= links_.size()) continue;
    const Link& link = links_[device.device.index()];
    if (link.node == node && std::ranges::find(cards, link.card) == cards.end()) cards.push_back(link.card);
  }
  std::int64_t units = 0;
  for (const std::uint32_t card : cards)
    units += std::ranges::count(cards_[node.index()][card].units, resource, &Card::Unit::resource);
  return units;
}

bool Holdings::is_unused(NameId claim) const {
  const auto found = claims_.find(claim);
  return found != claims_.end() && found->second.grant && found->second.users == 0 && found->second.reserved == 0;
}

bool Holdings::give_up(NameId claim, ReleasedGrant& released) {
  State& state = claims_[claim];
  apply_grant(*state.grant, -1);
  const bool everywhere = matters_elsewhere(state, *state.grant);
  released = {claim, std::move(*state.grant)};
  state.grant.reset();
  return everywhere;
}

bool Holdings::restore(const ReleasedGrant& released) {
  State& state = claims_[released.claim];
  apply_grant(released.grant, 1);
  state.grant = released.grant;
  return matters_elsewhere(state, *state.grant);
}

// --- Who has what ---------------------------------------------------------------------------------------------------

void Holdings::hold(const DeviceAllocation& device, int sign) {
  if (device.admin_access) return;
  if (device.shared) {
    sign > 0 ? usage_.add_share(device.device, device.consumed) : usage_.remove_share(device.device, device.consumed);
  } else {
    sign > 0 ? usage_.hold(device.device) : usage_.release(device.device);
  }
  touch(device.device);
  if (device.device.index() >= links_.size()) return;
  const Link& link = links_[device.device.index()];
  if (link.node.is_none()) return;
  Card& card = cards_[link.node.index()][link.card];
  const bool was = card.claimed > 0;
  sign > 0 ? ++card.claimed : --card.claimed;
  if (was != (card.claimed > 0)) note_change(link.node, card);
}

// What of its card is in use has changed.
void Holdings::touch(DeviceId device) {
  if (device.index() < far_.size() && far_[device.index()]) {
    if (changes_.size() == kMostChanges) {
      older_changes_ += changes_.size();
      changes_.clear();
    }
    changes_.push_back(device);
  }
  if (device.index() >= spots_.size() || spots_[device.index()].node.is_none()) return;
  const Spot& spot = spots_[device.index()];
  View& its = *views_[spot.node.index()];
  if (spot.component >= its.use.size()) return;  // not known, or of a device that is gone
  its.stale.push_back(spot.component);
  if (its.stale.size() > its.use.size()) its.use.clear();
}

void Holdings::apply_grant(const Grant& grant, int sign) {
  for (const DeviceAllocation& device : grant.devices) hold(device, sign);
}

NameId Holdings::only_node(const Grant& grant) {
  if (!grant.reach || grant.reach->terms.size() != 1) return NameId::none();
  const NodeTerm& term = grant.reach->terms.front();
  if (!term.labels.empty() || term.names.size() != 1) return NameId::none();
  const NameRequirement& requirement = term.names.front();
  return requirement.in && requirement.names.size() == 1 ? requirement.names.front() : NameId::none();
}

Touched Holdings::touched_by(const State& state, const Grant& grant) {
  const NameId node = only_node(grant);
  if (node.is_none() || matters_elsewhere(state, grant)) return Touched::every_node();
  return {.everywhere = false, .nodes = {node}};
}

bool Holdings::is_reachable(const Grant& grant, const NodeInput& input) const {
  return !grant.reach || matches(*grant.reach, input, names_);
}

Touched Holdings::set_claim(const ClaimInput& input) {
  State& state = claims_[input.name];
  state.spec = input.spec;
  state.told = true;
  const bool was_full = state.full();
  state.reserved = input.reserved;
  if (!input.allocated) {
    // What this engine decided may not be written yet.
    if (!state.grant || (!state.grant->given && state.users > 0)) return {};
    const Touched touched = touched_by(state, *state.grant);
    apply_grant(*state.grant, -1);
    state.grant.reset();
    return touched;
  }
  Grant grant{.devices = {}, .chosen = {}, .reach = input.reach, .given = true};
  for (const HeldDevice& held : input.devices) {
    DeviceAllocation device;
    device.device = inventory_.device(held.driver, held.pool, held.device);
    device.admin_access = held.admin_access;
    device.shared = held.shared;
    device.consumed = held.consumed;
    grant.devices.push_back(std::move(device));
  }
  const auto same = [](const DeviceAllocation& a, const DeviceAllocation& b) {
    return a.device == b.device && a.admin_access == b.admin_access && a.shared == b.shared && a.consumed == b.consumed;
  };
  if (state.grant && std::ranges::equal(state.grant->devices, grant.devices, same)) {
    state.grant->given = true;
    return state.full() == was_full ? Touched{} : Touched::every_node();
  }
  const bool had = state.grant.has_value();
  if (had) apply_grant(*state.grant, -1);
  apply_grant(grant, 1);
  const Touched touched = had ? Touched::every_node() : touched_by(state, grant);
  state.grant = std::move(grant);
  return touched;
}

Touched Holdings::remove_claim(NameId name) {
  Touched touched;
  const auto found = claims_.find(name);
  if (found == claims_.end()) return touched;
  State& state = found->second;
  state.told = false;
  if (state.grant) state.grant->given = false;
  if (state.users > 0) return touched;
  if (state.grant) {
    touched = touched_by(state, *state.grant);
    apply_grant(*state.grant, -1);
  }
  if (state.watched) {
    state.grant.reset();
  } else {
    claims_.erase(found);
  }
  return touched;
}

const Grant* Holdings::grant(NameId claim) const {
  const auto found = claims_.find(claim);
  return found == claims_.end() || !found->second.grant ? nullptr : &*found->second.grant;
}

bool Holdings::is_full(NameId claim) const {
  const auto found = claims_.find(claim);
  return found != claims_.end() && found->second.full();
}

std::vector<std::uint16_t> Holdings::cards_in_claims(NodeId node, ResourceId resource) const {
  std::vector<std::uint16_t> result;
  if (node.index() >= cards_.size()) return result;
  for (const Card& card : cards_[node.index()]) {
    for (const Card::Unit& unit : card.units)
      if (unit.resource == resource && card.claimed > 0) result.push_back(unit.number);
  }
  return result;
}

bool Holdings::enter(std::span<const ClaimUse> uses, std::span<const NameId> claims, NodeId node,
                     const NodeInput& input, bool allocate, std::span<const ReleasedGrant> restored,
                     std::vector<NameId>& granted) {
  bool everywhere = false;
  std::vector<std::size_t> open;
  for (std::size_t i = 0; i < claims.size() && i < uses.size(); ++i) {
    State& state = claims_[claims[i]];
    if (state.spec.is_none()) state.spec = uses[i].spec;
    ++state.users;
    if (state.full()) everywhere = true;
    if (state.grant || is_offered(uses[i], input) ||
        std::ranges::find(open, claims[i], [&](std::size_t other) { return claims[other]; }) != open.end())
      continue;
    const auto old = std::ranges::find(restored, claims[i], &ReleasedGrant::claim);
    if (old != restored.end()) {
      apply_grant(old->grant, 1);
      state.grant = old->grant;
      granted.push_back(claims[i]);
      everywhere = everywhere || matters_elsewhere(state, *state.grant);
    } else if (allocate) {
      open.push_back(i);
    }
  }
  if (open.empty()) return everywhere;
  std::vector<ClaimSpecId> specs;
  for (const std::size_t i : open) specs.push_back(uses[i].spec);
  std::vector<Grant> found = grants(specs, node, input);  // none: placed although it does not fit, which is a fact
  for (std::size_t k = 0; k < found.size(); ++k) {
    apply_grant(found[k], 1);
    State& state = claims_[claims[open[k]]];
    everywhere = everywhere || matters_elsewhere(state, found[k]);
    state.grant = std::move(found[k]);
    granted.push_back(claims[open[k]]);
  }
  return everywhere;
}

std::vector<Grant> Holdings::grants(std::span<const ClaimSpecId> specs, NodeId node, const NodeInput& input) const {
  std::vector<Grant> result;
  const View& here = view(node, input);
  const Answer& found = answer(specs, node, input, false);
  if (found.outcome != Outcome::kAllocated) return result;
  for (const ClaimAllocation& allocation : carried_over(found.claims, here.devices, arrangement_)) {
    Grant grant{.devices = allocation.devices, .chosen = allocation.chosen, .reach = std::nullopt, .given = false};
    if (allocation.reach.kind == Reach::Kind::kThisNode) {
      NodeTerm term;
      term.names.push_back({.in = true, .names = {here.devices.node}});
      grant.reach = NodeSelector{{std::move(term)}};
    } else if (allocation.reach.kind == Reach::Kind::kSelector) {
      grant.reach = NodeSelector{{allocation.reach.term}};
    }
    result.push_back(std::move(grant));
  }
  return result;
}

bool Holdings::reserve(const Grant& grant, int sign) {
  apply_grant(grant, sign);
  return only_node(grant).is_none() && !grant.devices.empty();
}

bool Holdings::leave(std::span<const NameId> claims, Leaving leaving, std::span<const NameId> granted,
                     std::vector<ReleasedGrant>& released) {
  bool everywhere = false;
  for (const NameId name : claims) {
    const auto found = claims_.find(name);
    if (found == claims_.end()) continue;
    State& state = found->second;
    if (state.full()) everywhere = true;
    if (state.users > 0) --state.users;
    if (state.users > 0 || leaving == Leaving::kKeep || !state.grant) continue;
    const bool since_now = std::ranges::find(granted, name) != granted.end();
    if (leaving == Leaving::kUndo && state.grant->given && !since_now) continue;
    apply_grant(*state.grant, -1);
    everywhere = everywhere || matters_elsewhere(state, *state.grant);
    released.push_back({name, std::move(*state.grant)});
    state.grant.reset();
  }
  return everywhere;
}

bool Holdings::settle(std::span<const NameId> claims) {
  bool everywhere = false;
  for (const NameId name : claims) {
    const auto found = claims_.find(name);
    if (found == claims_.end() || found->second.users > 0) continue;
    State& state = found->second;
    if (state.grant && !state.grant->given) {
      apply_grant(*state.grant, -1);
      everywhere = everywhere || matters_elsewhere(state, *state.grant);
      state.grant.reset();
    }
    if (!state.told && !state.watched && !state.grant) claims_.erase(found);
  }
  return everywhere;
}

// --- Questions ------------------------------------------------------------------------------------------------------

std::vector<ClaimSpecId> Holdings::open_specs(std::span<const ClaimUse> uses, const NodeInput& input,
                                              bool emptied) const {
  std::vector<ClaimSpecId> specs;
  std::vector<NameId> seen;
  for (const ClaimUse& use : uses) {
    if (is_offered(use, input)) continue;
    if (!use.shared.is_none()) {
      if (!emptied && grant(use.shared) != nullptr) continue;
      if (std::ranges::find(seen, use.shared) != seen.end()) continue;
      seen.push_back(use.shared);
    }
    specs.push_back(use.spec);
  }
  return specs;
}

Question Holdings::question(std::span<const Claim* const> claims, const NodeDevices& node, bool emptied) const {
  Question result;
  result.catalogue = &names_.devices();
  result.node = &node;
  result.claims = claims;
  result.usage = emptied ? &empty_ : &usage_;
  result.selectors = &selectors();
  result.features = config_.device_features;
  result.mode = config_.strict_devices ? Mode::kStrict : Mode::kBest;
  return result;
}

std::vector<const Claim*> Holdings::contents(std::span<const ClaimSpecId> specs) const {
  std::vector<const Claim*> result;
  for (const ClaimSpecId spec : specs) result.push_back(&names_.devices().claims.content(spec));
  return result;
}

Answer Holdings::search(std::span<const ClaimSpecId> specs, const NodeDevices& node, bool emptied) const {
  ++searches_;
  const std::vector<const Claim*> claims = contents(specs);
  Question asked = question(claims, node, emptied);
  asked.step_limit = limit_;
  Answer found = allocate(asked);
  steps_ += found.steps;
  // Searches look no further ahead than half of their limit (strict.cc). All limits are `least` or more.
  dear_ = dear_ || found.steps > limits_.least / 2;
  return found;
}

// The states of the node's cards, and of all nodes anew where there are too many different ones to keep.
void Holdings::catch_up(View& view) const {
  if (states_.size() >= kMostStates) {
    states_.clear();
    memo_.clear();
    fullness_.clear();
    for (const std::unique_ptr<View>& other : views_) {
      if (other) other->use.clear();
    }
  }
  follow_far(view);
  if (view.use.empty()) {
    states_.describe(view.devices, usage_, view.use);
    view.elsewhere.clear();
    for (const NodePool& pool : view.devices.pools)
      if (config_.strict_devices && !pool.elsewhere.empty())
        view.elsewhere.push_back(states_.describe_elsewhere(pool, usage_));
  } else {
    for (const std::uint32_t component : view.stale)
      view.use[component] = states_.describe(view.devices, view.devices.components[component], usage_);
  }
  view.stale.clear();
}

// What changed of devices that other nodes see as well, since this one looked last.
void Holdings::follow_far(View& view) const {
  if (view.far.empty()) return;
  const std::uint64_t now = older_changes_ + changes_.size();
  if (view.seen_changes < older_changes_) view.use.clear();
  for (std::uint64_t change = view.seen_changes; change < now && !view.use.empty(); ++change) {
    const DeviceId device = changes_[change - older_changes_];
    auto place = std::ranges::lower_bound(view.far, device, {}, &std::pair<DeviceId, std::uint32_t>::first);
    for (; place != view.far.end() && place->first == device; ++place) {
      if (place->second == kElsewhere) {
        view.use.clear();
      } else {
        view.stale.push_back(place->second);
      }
    }
  }
  if (view.stale.size() > view.use.size()) view.use.clear();
  view.seen_changes = now;
}

const Answer& Holdings::answer(std::span<const ClaimSpecId> specs, NodeId node, const NodeInput& input,
                               bool emptied) const {
  View& here = view(node, input);
  arrangement_.clear();
  const SightId sight = sight_of(specs, here);
  key_.assign({sight.value(), emptied ? 1U : 0U});
  if (!emptied) {
    catch_up(here);
    if (!config_.strict_devices)
      arrange(sights_.equals(sight), here.use, states_, most_devices(contents(specs)), arrangement_);
    key_.insert(key_.end(), here.use.begin(), here.use.end());
    for (std::size_t place = 0; place < arrangement_.component.size(); ++place)
      key_[place + 2] = here.use[arrangement_.component[place]];
    for (std::size_t place = 0; place < arrangement_.left_out.size(); ++place)
      if (arrangement_.left_out[place]) key_[place + 2] = kLeftOut;
    key_.insert(key_.end(), here.elsewhere.begin(), here.elsewhere.end());
  }
  if (const auto found = memo_.find(key_); found != memo_.end()) return found->second;
  if (memo_.size() >= kMostAnswers) memo_.clear();
  Answer& known = memo_[key_];
  if (arrangement_.as_it_is()) return known = search(specs, here.devices, emptied);
  known = search(specs, arranged(here.devices, arrangement_, places_), emptied);
  for (ClaimAllocation& claim : known.claims)
    for (DeviceAllocation& device : claim.devices) device.placed = places_[device.placed];
  return known;
}

bool Holdings::fits(std::span<const ClaimUse> uses, NodeId node, const NodeInput& input, bool emptied) const {
  if (!emptied) {
    for (const ClaimUse& use : uses) {
      const Grant* has = use.shared.is_none() ? nullptr : grant(use.shared);
      if (has != nullptr && !is_reachable(*has, input)) return false;
      if (!use.shared.is_none() && is_full(use.shared)) return false;
    }
  }
  const std::vector<ClaimSpecId> specs = open_specs(uses, input, emptied);
  if (specs.empty() || answer(specs, node, input, emptied).outcome == Outcome::kAllocated) return true;
  // An allocation is taken as it is, also where it lacks what the claim asks for and the node never had.
  return emptied && any_granted(uses) && fits(uses, node, input, false);
}

bool Holdings::any_granted(std::span<const ClaimUse> uses) const {
  return std::ranges::any_of(
      uses, [this](const ClaimUse& use) { return !use.shared.is_none() && grant(use.shared) != nullptr; });
}

std::vector<Grant> Holdings::preview(std::span<const ClaimUse> uses, NodeId node, const NodeInput& input) const {
  const std::vector<ClaimSpecId> specs = open_specs(uses, input, false);
  return specs.empty() ? std::vector<Grant>{} : grants(specs, node, input);
}

AllocationValue Holdings::value(std::span<const ClaimUse> uses, NodeId node, const NodeInput& input) const {
  const std::vector<ClaimSpecId> specs = open_specs(uses, input, false);
  if (specs.empty()) return {};
  const Answer& found = answer(specs, node, input, false);
  if (found.outcome != Outcome::kAllocated) return {};
  const View& here = view(node, input);
  const std::vector<const Claim*> claims = contents(specs);
  return value_of(question(claims, here.devices, false), carried_over(found.claims, here.devices, arrangement_),
                  here.use, fullness_);
}

DeviceCause Holdings::cause(std::span<const ClaimUse> uses, NodeId node, const NodeInput& input, bool emptied) const {
  if (!emptied) {
    for (const ClaimUse& use : uses) {
      const Grant* has = use.shared.is_none() ? nullptr : grant(use.shared);
      if (has != nullptr && !is_reachable(*has, input)) return DeviceCause::kElsewhere;
      if (!use.shared.is_none() && is_full(use.shared)) return DeviceCause::kBusy;
    }
  }
  const std::vector<ClaimSpecId> specs = open_specs(uses, input, emptied);
  if (specs.empty()) return DeviceCause::kFits;
  if (!emptied) {
    const Outcome now = answer(specs, node, input, false).outcome;
    if (now == Outcome::kAllocated) return DeviceCause::kFits;
    if (now == Outcome::kSearchLimit) return DeviceCause::kUndecided;
    if (answer(specs, node, input, true).outcome == Outcome::kAllocated) return DeviceCause::kBusy;
  }
  const Answer& alone = answer(specs, node, input, true);
  switch (alone.outcome) {
    case Outcome::kAllocated:
      return DeviceCause::kFits;
    case Outcome::kInvalidPools:
      return DeviceCause::kPool;
    case Outcome::kError:
      if (alone.failure.problem == Problem::kSelectorError) return DeviceCause::kSelectorError;
      if (alone.failure.problem == Problem::kAllWithIncompletePool ||
          alone.failure.problem == Problem::kAllWithInvalidPool) {
        return DeviceCause::kPool;
      }
      return alone.failure.problem == Problem::kAllBreaksConstraint ? DeviceCause::kNoDevice
                                                                    : DeviceCause::kInvalidClaim;
    case Outcome::kSearchLimit:
      return DeviceCause::kUndecided;
    case Outcome::kDoesNotFit:
      break;
  }
  const bool failed =
      std::ranges::any_of(alone.faults, [](const Failure& fault) { return fault.problem == Problem::kSelectorError; });
  if (failed) return DeviceCause::kSelectorError;
  const bool incomplete = std::ranges::any_of(
      on(node, input).pools, [](const NodePool& pool) { return pool.state != PoolState::kUsable || pool.disputed; });
  return incomplete ? DeviceCause::kPool : DeviceCause::kNoDevice;
}

}  // namespace berth::engine::devices
