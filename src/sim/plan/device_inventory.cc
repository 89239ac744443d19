#include "sim/plan/device_inventory.h"

#include <algorithm>
#include <cstdint>
#include <string>

#include <boost/unordered/unordered_flat_set.hpp>

#include "engine/devices/catalogue.h"
#include "engine/devices/holdings.h"
#include "engine/world/world.h"
#include "sim/plan/sharing.h"

namespace berth::sim {
namespace {

using engine::Amount;
using engine::kMilliPerCard;
namespace devices = engine::devices;

// used / total in thousandths, rounded up, so that a card of which something is used is never shown as free.
Amount thousandths(devices::Quantity used, devices::Quantity total) {
  if (used <= 0) return 0;
  if (total <= 0 || used >= total) return kMilliPerCard;
  return static_cast<Amount>((used * kMilliPerCard + total - 1) / total);
}

class Count {
 public:
  explicit Count(const Cluster& cluster)
      : world_(cluster.engine().world()),
        holdings_(world_.holdings()),
        catalogue_(cluster.names().devices()),
        names_(cluster.names()) {}

  std::vector<PublishedCard> run() {
    for (std::size_t i = 0; i < world_.node_slots(); ++i) {
      const engine::NodeId id{i};
      const engine::Node& node = world_.node(id);
      if (node.alive) add_cards_of(id, holdings_.on(id, node.input));
    }
    return std::move(cards_);
  }

 private:
  void add_cards_of(engine::NodeId id, const devices::NodeDevices& node) {
    for (const devices::DeviceComponent& component : node.components) {
      const devices::NodePool& pool = node.pools[component.pool];
      const std::string_view driver = names_.names.text(pool.driver);
      if (!names_gpus(driver) || !is_new(node, component)) continue;
      const devices::KindId kind = node.devices[component.members.front()].kind;
      cards_.push_back({id, driver, product(driver, kind), allocated(node, pool, component)});
    }
  }

  // Not seen from another node, usable here, and in no device plugin's count.
  bool is_new(const devices::NodeDevices& node, const devices::DeviceComponent& component) {
    bool usable = false;
    for (const std::uint32_t member : component.members) {
      const devices::PlacedDevice& device = node.devices[member];
      if (!seen_.insert(device.id.value()).second || holdings_.counted_by_plugin(device.id)) return false;
      usable = usable || device.on_node;
    }
    return usable;
  }

  [[nodiscard]] std::string_view product(std::string_view driver, devices::KindId kind) const {
    const devices::AttributeId name = catalogue_.attributes.find(std::string(driver) + "/productName");
    const devices::ValueId value = name.is_none() ? devices::ValueId() : catalogue_.attribute(kind, name);
    if (value.is_none()) return {};
    return catalogue_.text(catalogue_.values.content(value).atoms.front());
  }

  [[nodiscard]] Amount allocated(const devices::NodeDevices& node, const devices::NodePool& pool,
                                 const devices::DeviceComponent& component) const {
    Amount most = 0;
    std::vector<devices::Quantity> used(component.counters.size(), 0);
    const auto consume = [&](devices::DeviceId id, const std::vector<devices::CounterUse>* counters) {
      if (!holdings_.usage().in_use(id) || counters == nullptr) return;
      for (const devices::CounterUse& use : *counters) {
        const auto at = std::ranges::lower_bound(component.counters, use.counter);
        if (at != component.counters.end() && *at == use.counter)
          used[static_cast<std::size_t>(at - component.counters.begin())] += use.amount;
      }
    };
    for (const std::uint32_t member : component.members) {
      const devices::PlacedDevice& device = node.devices[member];
      consume(device.id, device.counters);
      if (device.counters == nullptr) most = std::max(most, allocated(device));
    }
    for (const devices::ElsewhereDevice& device : pool.elsewhere) consume(device.id, device.counters);
    for (std::size_t i = 0; i < used.size(); ++i)
      most = std::max(most, thousandths(used[i], (*pool.counters)[component.counters[i]]));
    return most;
  }

  [[nodiscard]] Amount allocated(const devices::PlacedDevice& device) const {
    const devices::Usage& usage = holdings_.usage();
    if (usage.held(device.id)) return kMilliPerCard;
    Amount most = 0;
    for (const devices::Capacity& capacity : catalogue_.kinds.content(device.kind).capacities) {
      const auto& consumed = usage.consumed(device.id);
      const auto found = std::ranges::find(consumed, capacity.name, &devices::CapacityRequest::name);
      if (found != consumed.end()) most = std::max(most, thousandths(found->amount, capacity.value));
    }
    return most;
  }

  const engine::World& world_;
  const devices::Holdings& holdings_;
  const devices::Catalogue& catalogue_;
  const engine::Names& names_;
  boost::unordered_flat_set<std::uint32_t> seen_;
  std::vector<PublishedCard> cards_;
};

}  // namespace

std::vector<PublishedCard> published_cards(const Cluster& cluster) { return Count(cluster).run(); }

}  // namespace berth::sim
