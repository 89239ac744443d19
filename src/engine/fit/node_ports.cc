#include "engine/fit/node_ports.h"

#include <algorithm>

#include "base/mutant.h"

namespace berth::engine {
namespace {

bool conflict(const HostPort& wanted, const HostPort& used) {
  if (wanted.port != used.port) return false;
  if (wanted.protocol != used.protocol && !mutant("Rule.HostPortProtocol")) return false;
  return wanted.address.is_none() || used.address.is_none() || wanted.address == used.address ||
         mutant("Rule.HostPortAddress");
}

}  // namespace

Verdict check_node_ports(const Question& question, NodeId node) {
  if (question.emptied || question.shape.input.host_ports.empty()) return kPass;
  for (const PortUse& use : question.world.node(node).ports) {
    const auto clashes = [&](const HostPort& wanted) { return conflict(wanted, use.port); };
    if (std::ranges::any_of(question.shape.input.host_ports, clashes)) return {NodeCause::kHostPort, true};
  }
  return kPass;
}

}  // namespace berth::engine
