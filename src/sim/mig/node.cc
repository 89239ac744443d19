#include "sim/mig/node.h"

#include <algorithm>
#include <utility>

namespace berth::sim::mig {

namespace devices = engine::devices;

Node::Node(Card card, int cards) : taken_(static_cast<std::size_t>(cards)) {
  const auto name = [this](const std::string& text) { return names_.names.intern(text); };
  const auto units = [](int amount) { return static_cast<devices::Quantity>(amount) * devices::kNanoPerUnit; };
  const devices::CounterId processors = catalogue_.counters.intern("multiprocessors");
  const auto slice_counter = [this](int slice) {
    return catalogue_.counters.intern("memory-slice-" + std::to_string(slice));
  };

  devices::SliceInput sets;
  sets.driver = name("gpu.nvidia.com");
  sets.pool = name("node");
  sets.slice_count = 2;
  sets.target = {.kind = devices::NodeTarget::Kind::kNode, .node = name("node"), .selector = {}};
  devices::SliceInput content = sets;
  sets.name = name("counters");
  content.name = name("devices");
  std::vector<std::pair<std::string, Partition>> named;
  for (int c = 0; c < cards; ++c) {
    devices::CounterSet& set = sets.counter_sets.emplace_back();
    set.name = catalogue_.counter_sets.intern("gpu-" + std::to_string(c));
    set.counters.push_back({.name = processors, .amount = units(multiprocessors(card))});
    for (int s = 0; s < kSlices; ++s) set.counters.push_back({.name = slice_counter(s), .amount = units(1)});
    std::ranges::sort(set.counters, {}, &devices::Counter::name);
    for (std::size_t p = 0; p < kProfiles; ++p) {
      for (const int start : profiles()[p].starts) {
        named.emplace_back(
            "gpu-" + std::to_string(c) + "-mig-" + std::string(profiles()[p].name) + "-" + std::to_string(start),
            Partition{.profile = p, .card = c, .start = start});
      }
    }
  }
  std::ranges::sort(named, {}, [](const auto& entry) { return entry.first; });  // as the driver publishes them

  std::array<devices::KindId, kProfiles> kinds;
  const devices::AttributeId attribute = catalogue_.attributes.intern("gpu.nvidia.com/profile");
  for (std::size_t p = 0; p < kProfiles; ++p) {
    const devices::ValueId value = catalogue_.scalar(devices::AtomType::kString, profiles()[p].name);
    kinds[p] =
        catalogue_.kinds.intern({.driver = content.driver, .attributes = {{attribute, value}}, .capacities = {}});
    const devices::SelectorId selector{p};
    answers_.set(selector, kinds[p], {.kind = devices::SelectorAnswer::Kind::kYes, .error = {}});
    devices::Alternative exactly;
    exactly.selectors = {selector};
    claims_[p].requests.push_back({.prioritized = false, .alternatives = {std::move(exactly)}});
  }
  for (const auto& [text, partition] : named) {
    const Profile& profile = profiles()[partition.profile];
    devices::CounterSet used{.name = catalogue_.counter_sets.intern("gpu-" + std::to_string(partition.card)),
                             .counters = {}};
    used.counters.push_back(
        {.name = processors, .amount = units(profile.multiprocessors[static_cast<std::size_t>(card)])});
    for (int s = partition.start; s < partition.start + profile.slices; ++s) {
      used.counters.push_back({.name = slice_counter(s), .amount = units(1)});
    }
    std::ranges::sort(used.counters, {}, &devices::Counter::name);
    devices::DeviceInput device;
    device.name = name(text);
    device.kind = kinds[partition.profile];
    device.consumption = catalogue_.consumptions.intern({std::move(used)});
    content.devices.push_back(device);
    partitions_.push_back(partition);
  }
  inventory_.set(std::move(sets));
  inventory_.set(std::move(content));
  engine::NodeInput node;
  node.name = name("node");
  devices_ = inventory_.on(node, {});
}

std::optional<Partition> Node::ask(std::size_t profile, devices::Mode mode) const {
  const std::array<const devices::Claim*, 1> claims = {&claims_[profile]};
  const devices::Answer answer = devices::allocate({.catalogue = &catalogue_,
                                                    .node = &devices_,
                                                    .claims = claims,
                                                    .usage = &usage_,
                                                    .selectors = &answers_,
                                                    .features = {},
                                                    .mode = mode});
  if (answer.outcome != devices::Outcome::kAllocated) return std::nullopt;
  return partitions_[answer.claims.front().devices.front().placed];
}

void Node::take(const Partition& partition) {
  const auto same = [&](const Partition& one) {
    return one.profile == partition.profile && one.card == partition.card && one.start == partition.start;
  };
  const auto found = std::ranges::find_if(partitions_, same);
  usage_.hold(devices_.devices[static_cast<std::size_t>(found - partitions_.begin())].id);
  taken_[static_cast<std::size_t>(partition.card)] |= profiles()[partition.profile].mask(partition.start);
}

void Node::give_back(const Partition& partition) {
  const auto same = [&](const Partition& one) {
    return one.profile == partition.profile && one.card == partition.card && one.start == partition.start;
  };
  const auto found = std::ranges::find_if(partitions_, same);
  usage_.release(devices_.devices[static_cast<std::size_t>(found - partitions_.begin())].id);
  taken_[static_cast<std::size_t>(partition.card)] &=
      static_cast<Mask>(~profiles()[partition.profile].mask(partition.start));
}

}  // namespace berth::sim::mig
