// NodePorts: a host port can be had once per node, protocol and address. All addresses (0.0.0.0) conflicts with each
// address; a pod's own ports never conflict with each other.
//
// Source: core/v1 ContainerPort.hostPort, hostIP and protocol; kube-scheduler's plugin NodePorts (HostPortInfo).
// O(ports wanted * ports in use on the node).
#pragma once

#include "engine/fit/question.h"

namespace berth::engine {

[[nodiscard]] Verdict check_node_ports(const Question& question, NodeId node);

}  // namespace berth::engine
