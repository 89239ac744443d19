// NodePorts: a host port of an address and protocol belongs to one pod per node; 0.0.0.0 is every address.
#include <algorithm>

#include "reference/filters.h"

namespace berth::reference {
namespace {

struct Claimed {
  std::string address;
  api::Protocol protocol;
  std::int32_t port;
};

std::vector<Claimed> host_ports(const api::Pod& pod) {
  std::vector<Claimed> ports;
  const auto collect = [&](const api::Container& container) {
    for (const api::ContainerPort& port : container.ports) {
      if (port.host_port <= 0) continue;
      ports.push_back({port.host_ip.empty() ? "0.0.0.0" : port.host_ip, port.protocol, port.host_port});
    }
  };
  for (const auto& container : pod.spec.containers) collect(container);
  for (const auto& container : pod.spec.init_containers) {
    if (container.restart_always) collect(container);
  }
  return ports;
}

bool collide(const Claimed& one, const Claimed& other) {
  if (one.port != other.port || one.protocol != other.protocol) return false;
  return one.address == other.address || one.address == "0.0.0.0" || other.address == "0.0.0.0";
}

}  // namespace

Verdict filter_node_ports(const Question& question, std::size_t node) {
  const std::vector<Claimed> wanted = host_ports(question.pod);
  for (const PlacedPod& placed : question.snapshot.nodes[node].pods) {
    for (const Claimed& taken : host_ports(*placed.pod)) {
      if (std::ranges::any_of(wanted, [&](const Claimed& port) { return collide(port, taken); })) {
        return {Cause::kHostPort, false};
      }
    }
  }
  return {};
}

}  // namespace berth::reference
