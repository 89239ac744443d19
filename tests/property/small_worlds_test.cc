#include "property/small_worlds.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "reference/cards.h"
#include "reference/requests.h"
#include "support/builders.h"

namespace berth::property {
namespace {

using support::node;
using support::pod;
using support::selector;
using support::term;

// The order matters: brief worlds are made of the first ones.
std::vector<api::Node> node_kinds() {
  return {node("").cpu(1000).memory_gi(2).zone("z0"),
          node("").cpu(2000).memory_gi(2).gpus(2).zone("z1"),
          node("").cpu(1000).memory_gi(2).taint("team", "a"),
          node("").cpu(2000).memory_gi(1).zone("z0").cordoned(),
          node("").cpu(1500).memory_gi(4).gpus(1).zone("z1").taint("team", "a", api::TaintEffect::kPreferNoSchedule),
          node("").cpu(2000).memory_gi(4).pods(1).cards(1)};
}

std::vector<api::Pod> pod_kinds() {
  api::TopologySpreadConstraint spread;
  spread.topology_key = "topology.kubernetes.io/zone";
  spread.label_selector = selector("app", "web");
  const auto web = selector("app", "web");
  return {pod("").cpu(600).memory_mi(512),
          pod("").cpu(600).gpus(1).priority(5),
          pod("").cpu(100).label("app", "web").spread(spread),
          pod("").cpu(300).label("app", "web").apart(term("kubernetes.io/hostname", web)),
          pod("").cpu(900).priority(5).tolerate({"team", api::TolerationOperator::kExists, "", {}, {}}),
          pod("").memory_mi(1500).like(10, term("topology.kubernetes.io/zone", web)),
          pod("").cpu(200).near(term("topology.kubernetes.io/zone", web)).host_port(80),
          pod("").card_share(600).priority(-1)};
}

class Enumeration {
 public:
  Enumeration(std::size_t node_kinds_used, std::size_t pod_kinds_used, std::size_t most_nodes,
              const std::function<bool(const reference::Objects&)>& visit)
      : nodes_(node_kinds()), pods_(pod_kinds()), most_nodes_(most_nodes), visit_(visit) {
    nodes_.resize(node_kinds_used);
    pods_.resize(pod_kinds_used);
  }

  // False if `visit` was.
  bool run() { return add_node(0); }

 private:
  // Nodes of one kind are alike but for their name, so their kinds come in ascending order.
  bool add_node(std::size_t least_kind) {
    if (!world_.nodes.empty() && !add_pod()) return false;
    if (world_.nodes.size() == most_nodes_) return true;
    for (std::size_t kind = least_kind; kind < nodes_.size(); ++kind) {
      api::Node next = nodes_[kind];
      next.metadata.name = "n" + std::to_string(world_.nodes.size());
      next.metadata.labels["kubernetes.io/hostname"] = next.metadata.name;
      world_.nodes.push_back(next);
      const bool go_on = add_node(kind);
      world_.nodes.pop_back();
      if (!go_on) return false;
    }
    return true;
  }

  bool add_pod() {
    const bool somebody_waits =
        std::ranges::any_of(world_.pods, [](const api::Pod& each) { return each.spec.node_name.empty(); });
    if (somebody_waits && !visit_(world_)) return false;
    if (world_.pods.size() == 3) return true;
    for (const api::Pod& kind : pods_) {
      // place 0: waiting; else running on that node.
      for (std::size_t place = 0; place <= world_.nodes.size(); ++place) {
        // Those who run come first: their order among the waiting ones tells nothing.
        if (place > 0 && somebody_waits) break;
        api::Pod next = kind;
        next.metadata.name = "p" + std::to_string(world_.pods.size());
        next.metadata.creation_timestamp = static_cast<api::Time>(world_.pods.size());
        if (place > 0) {
          next.spec.node_name = world_.nodes[place - 1].metadata.name;
          next.status.phase = api::PodPhase::kRunning;
          next.status.start_time = next.metadata.creation_timestamp;
        }
        world_.pods.push_back(next);
        const bool go_on = add_pod();
        world_.pods.pop_back();
        if (!go_on) return false;
      }
    }
    return true;
  }

  std::vector<api::Node> nodes_;
  std::vector<api::Pod> pods_;
  std::size_t most_nodes_;
  const std::function<bool(const reference::Objects&)>& visit_;
  reference::Objects world_;
};

}  // namespace

void for_each_small_world(bool full, const std::function<bool(const reference::Objects&)>& visit) {
  if (full) {
    Enumeration(6, 8, 3, visit).run();
  } else {
    if (Enumeration(3, 5, 2, visit).run()) Enumeration(6, 8, 1, visit).run();
  }
}

std::string broken_invariant(const reference::NodeState& node, const api::Pod& placed,
                             const api::SchedulerProfile& profile) {
  const bool asks_for_room =
      std::ranges::find(profile.filters, api::Plugin::kNodeResourcesFit) != profile.filters.end();
  if (!asks_for_room) return "";
  if (static_cast<std::int64_t>(node.pods.size()) > reference::allocatable(*node.node, "pods")) return "too many pods";
  for (const auto& [resource, amount] : reference::held_requests(placed)) {
    const auto& ignored = profile.node_resources_fit;
    const bool counts = ignored.ignored_resources.empty() && ignored.ignored_resource_groups.empty();
    if (amount <= 0 || !counts) continue;
    if (node.used(resource) > reference::allocatable(*node.node, resource))
      return "more " + resource + " than there is";
  }
  for (const std::int64_t free : reference::free_cards(node)) {
    if (free < 0) return "a card is held twice";
  }
  return "";
}

TEST(SmallWorlds, AreManyAndDifferent) {
  std::size_t worlds = 0;
  for_each_small_world(false, [&](const reference::Objects& world) {
    EXPECT_FALSE(world.nodes.empty());
    ++worlds;
    return true;
  });
  EXPECT_GE(worlds, 5'000U);
  EXPECT_LE(worlds, 40'000U) << "brief has to stay brief";
}

}  // namespace berth::property
