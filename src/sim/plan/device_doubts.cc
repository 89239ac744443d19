#include "sim/plan/device_doubts.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>
#include <variant>

#include <boost/unordered/unordered_flat_map.hpp>
#include <boost/unordered/unordered_flat_set.hpp>

#include "api/claim_names.h"
#include "api/compute_domain.h"
#include "api/full_name.h"
#include "api/nvidia.h"
#include "api/pod_state.h"
#include "base/sort_unique.h"
#include "engine/devices/holdings.h"
#include "engine/world/world.h"
#include "report/layout.h"

namespace berth::sim {
namespace {

using report::counted;
using report::enumerate;

// Nodes whose device plugin and slices do not offer as many cards, as "n1 (4 nvidia.com/gpu and 8 cards in slices)",
// those whose cards could not all be matched by their numbers, and those that count partitions of nobody knows which.
struct TwoBooks {
  std::vector<std::string> different;
  std::vector<std::string> by_order;
  std::vector<std::string> partitions;
};
TwoBooks two_books(const Cluster& cluster) {
  TwoBooks out;
  const engine::World& world = cluster.engine().world();
  if (!world.holdings().any_devices()) return out;
  const auto counts_partitions = [&](const engine::Node& node) {
    return std::ranges::any_of(node.cards, [&](const engine::CardGroup& group) {
      return !group.free.empty() && cluster.names().devices().counting(group.resource).partitions;
    });
  };
  for (std::size_t i = 0; i < world.node_slots(); ++i) {
    const engine::NodeId id(i);
    const engine::Node& node = world.node(id);
    if (!node.alive) continue;
    for (const engine::CardGroup& group : node.cards) {
      const engine::devices::CardPairing pairing =
          world.holdings().paired_cards(world.holdings().on(id, node.input), node.input, group.resource);
      const std::string resource(cluster.names().resources.text(group.resource));
      if (group.free.empty() && node.cards.size() > 1) continue;  // what it calls otherwise is counted there
      if (pairing.partitions) {
        if (!pairing.cards.empty())
          out.partitions.push_back(std::string(cluster.node_name(id)) + " (" + resource + ")");
      } else if (pairing.published != 0 && pairing.published != pairing.counted && !counts_partitions(node)) {
        out.different.push_back(std::string(cluster.node_name(id)) + " (" + std::to_string(pairing.counted) + ' ' +
                                resource + " and " + counted(static_cast<std::uint64_t>(pairing.published), "card") +
                                " in slices)");
      } else if (pairing.without_number > 0) {
        out.by_order.push_back(std::string(cluster.node_name(id)) + " (" + resource + ")");
      }
    }
  }
  std::ranges::sort(out.different, report::natural_less);
  std::ranges::sort(out.by_order, report::natural_less);
  std::ranges::sort(out.partitions, report::natural_less);
  return out;
}

// "GPU-1 (a and b)" for each UUID that slices of two nodes have.
std::vector<std::string> cards_of_two_nodes(const api::ObjectSet& objects) {
  boost::unordered_flat_map<std::string_view, std::string_view> nodes;  // by UUID
  std::vector<std::string> out;
  for (const auto& read : objects.resource_slices) {
    if (read.object.node_name.empty()) continue;
    for (const api::Device& device : read.object.devices) {
      for (const api::DeviceAttribute& attribute : *device.attributes) {
        const auto* uuid = std::get_if<std::string>(&attribute.value);
        if (uuid == nullptr || attribute.name.substr(attribute.name.find('/') + 1) != "uuid") continue;
        const auto [entry, added] = nodes.try_emplace(*uuid, read.object.node_name);
        if (added || entry->second == read.object.node_name) continue;
        out.push_back(*uuid + " (" + std::string(entry->second) + " and " + read.object.node_name + ")");
      }
    }
  }
  sort_unique(out, report::natural_less);
  return out;
}

// What claims say they have, against slices and each other.
struct ClaimDoubts {
  std::vector<std::string> shared;       // "gpu-0 of pool n1 (team-a/x and team-b/y)"
  std::vector<std::string> unpublished;  // "gpu-9 of pool n1 (team-a/x)"
};
ClaimDoubts claim_doubts(const api::ObjectSet& objects) {
  using Device = std::array<std::string_view, 3>;
  boost::unordered_flat_set<Device> published;
  for (const auto& read : objects.resource_slices) {
    for (const api::Device& device : read.object.devices)
      published.insert({read.object.driver, read.object.pool.name, device.name});
  }
  ClaimDoubts out;
  struct Holder {
    const api::ResourceClaim* claim = nullptr;
    bool share = false;
  };
  boost::unordered_flat_map<Device, Holder> holders;
  for (const auto& read : objects.resource_claims) {
    const api::ResourceClaim& claim = read.object;
    if (!claim.status.allocation) continue;
    for (const api::DeviceAllocationResult& result : claim.status.allocation->results) {
      const Device device = {result.driver, result.pool, result.device};
      const std::string name = result.device + " of pool " + result.pool;
      if (!published.empty() && !published.contains(device))
        out.unpublished.push_back(name + " (" + api::full_name(claim.metadata) + ")");
      if (result.admin_access) continue;
      const bool share = !result.share_id.empty();
      const auto [entry, added] = holders.try_emplace(device, Holder{&claim, share});
      if (!added && entry->second.claim != &claim && !(share && entry->second.share))
        out.shared.push_back(name + " (" + api::full_name(entry->second.claim->metadata) + " and " +
                             api::full_name(claim.metadata) + ")");
    }
  }
  std::ranges::sort(out.shared, report::natural_less);
  std::ranges::sort(out.unpublished, report::natural_less);
  return out;
}

// Pods on a node with a claim that has no devices, as "team-a/x (claim gpu)".
std::vector<std::string> pods_without_devices(const api::ObjectSet& objects) {
  boost::unordered_flat_map<std::string, const api::ResourceClaim*> claims;
  for (const auto& read : objects.resource_claims) claims.emplace(api::full_name(read.object.metadata), &read.object);
  std::vector<std::string> out;
  for (const auto& read : objects.pods) {
    const api::Pod& pod = read.object;
    if (pod.spec.resource_claims.empty() || !api::is_on_a_node(pod) || api::is_finished(pod)) continue;
    for (const api::PodResourceClaim& entry : pod.spec.resource_claims) {
      const api::ClaimName named = api::claim_name(pod, entry);
      if (named.state != api::ClaimName::State::kNamed) continue;
      const auto claim = claims.find(pod.metadata.namespace_ + "/" + std::string(named.name));
      if (claim == claims.end() || claim->second->status.allocation) continue;
      out.push_back(api::full_name(pod.metadata) + " (claim " + std::string(named.name) + ")");
    }
  }
  std::ranges::sort(out, report::natural_less);
  return out;
}

// "default/cd (template default/x)": a template that was there before has its name, and asks for no channel of it.
std::vector<std::string> domains_without_channel(const api::ObjectSet& objects) {
  std::vector<std::string> out;
  for (const auto& domain : objects.compute_domains) {
    const std::string& space = domain.object.metadata.namespace_;
    for (const auto& read : objects.resource_claim_templates) {
      const api::ResourceClaimTemplate& its = read.object;
      if (its.metadata.namespace_ != space || its.metadata.name != domain.object.claim_template_name) continue;
      const bool asks = std::ranges::any_of(its.spec.config, [&](const api::DeviceClaimConfig& config) {
        if (config.opaque.driver != api::kNvidiaComputeDomainDriver) return false;
        const auto parsed = api::parse_nvidia_config(config.opaque);
        const auto* channel = parsed ? std::get_if<api::ComputeDomainChannelConfig>(&*parsed) : nullptr;
        return channel != nullptr && channel->domain_id == api::domain_id(domain.object);
      });
      if (!asks) out.push_back(api::full_name(domain.object.metadata) + " (template " + its.metadata.name + ")");
    }
  }
  std::ranges::sort(out, report::natural_less);
  return out;
}

}  // namespace

std::vector<std::string> device_doubts(const Cluster& cluster) {
  const api::ObjectSet& objects = cluster.objects();
  std::vector<std::string> out;
  const TwoBooks books = two_books(cluster);
  if (!books.different.empty())
    out.push_back("The device plugin and the slices of " + enumerate(books.different, 3) +
                  " do not offer the same cards; those without a counterpart count on their own.");
  if (!books.by_order.empty())
    out.push_back("Not all cards in the slices of " + enumerate(books.by_order, 3) +
                  " could be matched by their numbers with those of the device plugin; they are matched in order.");
  if (!books.partitions.empty())
    out.push_back("Nothing tells which cards the partitions of " + enumerate(books.partitions, 3) +
                  " are on, and slices have these cards, too: they are spread over the cards in order, and a card is "
                  "in use by who came first.");
  if (const auto twice = cards_of_two_nodes(objects); !twice.empty())
    out.push_back("The slices of two nodes have the same card: " + enumerate(twice, 3) +
                  "; it counts on both. Remove the slice of the node that it left.");

  const ClaimDoubts claims = claim_doubts(objects);
  if (!claims.shared.empty())
    out.push_back("Two claims have " + enumerate(claims.shared, 3) +
                  ", which only one can have: pods of both use it, and it counts once.");
  if (!claims.unpublished.empty())
    out.push_back("No slice has " + enumerate(claims.unpublished, 3) + "; it counts as in use, and its pods may fail.");
  if (const auto pods = pods_without_devices(objects); !pods.empty())
    out.push_back("Pods run although their claims have no devices: " + enumerate(pods, 3) +
                  ". What they use in truth looks free; add the claims with their status.");
  if (const auto domains = domains_without_channel(objects); !domains.empty())
    out.push_back("A ResourceClaimTemplate that was there before stands in the way of ComputeDomain " +
                  enumerate(domains, 3) + ": its pods get no channel. Name another template in the ComputeDomain.");
  return out;
}

}  // namespace berth::sim
