#include "engine/devices/symmetry.h"

#include <algorithm>
#include <map>
#include <utility>

#include "base/mutant.h"

namespace berth::engine::devices {
namespace {

using Key = std::vector<std::uint64_t>;

class Numbers {
 public:
  std::uint32_t number(Key key) {
    return numbers_.try_emplace(std::move(key), static_cast<std::uint32_t>(numbers_.size())).first->second;
  }

 private:
  std::map<Key, std::uint32_t> numbers_;
};

void add(Key& key, Quantity amount) {
  key.push_back(static_cast<std::uint64_t>(amount));
  key.push_back(static_cast<std::uint64_t>(amount >> 64));
}

// What shares that are in use take of each capacity of the device.
Key consumed(const Question& question, std::uint32_t device) {
  const PlacedDevice& placed = question.node->devices[device];
  const std::vector<CapacityRequest>& taken = question.usage->consumed(placed.id);
  Key key;
  for (const Capacity& capacity : question.catalogue->kinds.content(placed.kind).capacities) {
    const auto found = std::ranges::lower_bound(taken, capacity.name, {}, &CapacityRequest::name);
    add(key, found != taken.end() && found->name == capacity.name ? found->amount : 0);
  }
  return key;
}

}  // namespace

Symmetry::Symmetry(Trial& trial) {
  const Question& question = trial.question();
  const std::size_t count = trial.devices().size();
  eligible_.assign(trial.option_count(), std::vector<bool>(count));
  looks_.resize(count);

  std::vector<const std::vector<Capacity>*> capacities;  // distinct ones
  Numbers looks;
  Numbers shares;
  Key key;
  for (std::uint32_t device = 0; device < count; ++device) {
    const PlacedDevice& placed = trial.devices()[device];
    const Kind& kind = trial.kind(device);
    key.clear();
    for (std::uint32_t option = 0; option < trial.option_count(); ++option) {
      const auto selected = trial.selects(option, device);
      bool eligible = selected && *selected;
      any_failure_ = any_failure_ || !selected;
      if (eligible) {
        const auto suffices = trial.capacity_suffices(option, device);
        any_failure_ = any_failure_ || !suffices;
        eligible = suffices && *suffices && trial.tolerates(option, device);
      }
      eligible_[option][device] = eligible;
      if (option % 64 == 0) key.push_back(0);
      key.back() |= static_cast<std::uint64_t>(eligible) << (option % 64);
    }
    const auto same = std::ranges::find_if(capacities, [&](const auto* other) { return *other == kind.capacities; });
    key.push_back(static_cast<std::uint64_t>(same - capacities.begin()) * 2 + (kind.allow_multiple ? 1 : 0));
    if (same == capacities.end()) capacities.push_back(&kind.capacities);
    key.push_back(question.usage->held(placed.id) ? 1 : 0);
    key.push_back(question.usage->shares(placed.id) > 0 ? shares.number(consumed(question, device)) + 1 : 0);
    key.push_back(placed.consumption.is_none() ? 0 : 1);
    for (std::uint32_t c = 0; c < question.claims.size(); ++c) {
      for (const Constraint& constraint : question.claims[c]->constraints) {
        key.push_back(question.catalogue->attribute(placed.kind, constraint.attribute).value());
      }
    }
    looks_[device] = looks.number(key);
  }

  sort_options(trial);

  Numbers classes;
  for (const DeviceComponent& component : question.node->components) {
    key.clear();
    if (mutant("Device.EqualComponents")) key.push_back(classes_.size());
    key.push_back(component.shape);
    for (const std::uint32_t member : component.members) key.push_back(looks_[member]);
    if (!component.counters.empty()) {
      const std::vector<Quantity>& left = trial.counters_left(component.pool);
      for (const std::uint32_t counter : component.counters) add(key, left[counter]);
      if (question.mode == Mode::kStrict)
        key.push_back(trial.blocked(component.pool, component.counters.front()) ? 1 : 0);
    }
    classes_.push_back(classes.number(key));
  }
}

// Who only looks at devices, or may get a share of one, is alone: one device may serve several of these.
void Symmetry::sort_options(Trial& trial) {
  Numbers classes;
  Key key;
  for (std::uint32_t option = 0; option < trial.option_count(); ++option) {
    const Trial::Option& its = trial.option(option);
    key.assign(1, 0);
    bool alone = its.admin;
    for (std::uint32_t device = 0; device < trial.devices().size(); ++device) {
      if (device % 64 == 0) key.push_back(0);
      key.back() |= static_cast<std::uint64_t>(eligible_[option][device]) << (device % 64);
      alone = alone || (eligible_[option][device] && trial.shareable(device));
    }
    if (alone) key = {option + std::uint64_t{1}};
    const std::vector<ConstraintState>& constraints = trial.constraints(its.claim);
    bool bound = false;
    for (std::uint64_t c = 0; c < constraints.size(); ++c) {
      if (!constraints[c].concerns(its.request, its.index)) continue;
      if (!bound) key.push_back(its.claim);
      bound = true;
      key.push_back(c);
    }
    option_classes_.push_back(classes.number(key));
  }
}

}  // namespace berth::engine::devices
