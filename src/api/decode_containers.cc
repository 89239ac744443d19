// Containers and what they ask for.
#include <algorithm>
#include <string>
#include <vector>

#include "api/decode_pod.h"
#include "api/resource_rules.h"
#include "base/mutant.h"

namespace berth::api {

void read(DecodeContext& context, const Value& value, ResourceClaimReference& out) {
  static const FieldTable<ResourceClaimReference> kFields(
      {{"name", member<&ResourceClaimReference::name>}, {"request", member<&ResourceClaimReference::request>}}, {});
  kFields.read(context, value, out);
}

void check_limits(DecodeContext& context, const Value& value, const ResourceRequirements& out) {
  for (const auto& [resource, request] : out.requests) {
    const auto limit = out.limits.find(resource);
    if (limit != out.limits.end() && request > limit->second)
      context.error(value, "The request of " + resource + " (" + request.to_string() + ") is above its limit (" +
                               limit->second.to_string() + "); lower the request or raise the limit.");
  }
}

void read(DecodeContext& context, const Value& value, ResourceRequirements& out) {
  static const FieldTable<ResourceRequirements> kFields({{"requests", member<&ResourceRequirements::requests>},
                                                         {"limits", member<&ResourceRequirements::limits>},
                                                         {"claims", member<&ResourceRequirements::claims>}},
                                                        {});
  kFields.read(context, value, out);
  check_limits(context, value, out);
}

namespace {

// Requests that are not given are the limits.
void default_requests(ResourceRequirements& resources) {
  if (mutant("Rule.LimitsAreRequests")) return;
  for (const auto& [resource, limit] : resources.limits) resources.requests.try_emplace(resource, limit);
}

// The API server takes no name without a domain that it does not know: `gpu: 8` would ask for nothing.
void check_resource_names(DecodeContext& context, const Value& value, const ResourceRequirements& out) {
  const auto is_known = [](std::string_view name) {
    return name == "cpu" || name == "memory" || name == "ephemeral-storage" || name.starts_with("hugepages-");
  };
  for (const auto& [name, quantity] : out.requests) {
    if (name.find('/') == std::string::npos && !is_known(name))
      context.error(value, "\"" + name.substr(0, 100) +
                               "\" is no resource of a container; write cpu, memory, ephemeral-storage, hugepages-SIZE "
                               "or DOMAIN/NAME, such as nvidia.com/gpu.");
  }
}

void read(DecodeContext& context, const Value& value, ContainerPort& out) {
  static const FieldTable<ContainerPort> kFields({{"containerPort", member<&ContainerPort::container_port>},
                                                  {"hostPort", member<&ContainerPort::host_port>},
                                                  {"hostIP", member<&ContainerPort::host_ip>},
                                                  {"protocol", member<&ContainerPort::protocol>}},
                                                 {"name"});
  const std::int32_t before = context.errors();
  kFields.read(context, value, out);
  constexpr std::int32_t kHighest = 65535;
  for (const std::int32_t port : {out.container_port, out.host_port})
    if (port < 0 || port > kHighest)
      context.error(value, "The port " + std::to_string(port) + " is outside 1 to 65535; correct it.");
  if (out.container_port == 0 && context.errors() == before)
    context.error(value, "containerPort is missing or 0; write a port from 1 to 65535.");
}

void read_ports(DecodeContext& context, const Value& value, Container& out) {
  if (!value.is_array()) return context.wrong_kind(value, "an array");
  for (std::size_t i = 0; i < value.size(); ++i) {
    const DecodeContext::Scope scope(context, i);
    read(context, value.items()[i], out.ports.emplace_back());
  }
}

// Only whether one has an action that needs a node that can do it; the conditions of the rules decide nothing.
void read_restart_rules(DecodeContext& context, const Value& value, Container& out) {
  if (!value.is_array()) return context.wrong_kind(value, "an array");
  out.restarts_all = std::ranges::any_of(value.items(), [](const Value& rule) {
    const Value* action = rule.is_object() ? rule.find("action") : nullptr;
    return action != nullptr && action->text() == "RestartAllContainers";
  });
  if (!out.restarts_all || context.version() >= KubernetesVersion::k136) return;
  out.restarts_all = false;
  context.remark(
      value, "The action RestartAllContainers is behind a gate that is off before Kubernetes 1.36, and was not read.");
}

void read_container_restart(DecodeContext& context, const Value& value, Container& out) {
  RestartPolicy policy = RestartPolicy::kNever;
  read(context, value, policy);
  out.restart_always = policy == RestartPolicy::kAlways;
}

}  // namespace

void read(DecodeContext& context, const Value& value, Container& out) {
  static const FieldTable<Container> kFields(
      {{"name", member<&Container::name>},
       {"image", member<&Container::image>},
       {"resources", member<&Container::resources>},
       {"ports", read_ports},
       {"restartPolicy", read_container_restart},
       {"restartPolicyRules", read_restart_rules}},
      {"command", "args", "workingDir", "envFrom", "env", "resizePolicy", "volumeMounts", "volumeDevices",
       "livenessProbe", "readinessProbe", "startupProbe", "lifecycle", "terminationMessagePath",
       "terminationMessagePolicy", "imagePullPolicy", "securityContext", "stdin", "stdinOnce", "tty"});
  kFields.read(context, value, out);
  default_requests(out.resources);
  check_resource_names(context, value, out.resources);
  remark_on_resources(context, value, out.resources);
}

void check_container_names(DecodeContext& context, const Value& value, const PodSpec& spec) {
  std::vector<std::string_view> names;
  for (const auto* containers : {&spec.init_containers, &spec.containers})
    for (const Container& container : *containers)
      if (!container.name.empty()) names.push_back(container.name);
  std::ranges::sort(names);
  if (const auto twice = std::ranges::adjacent_find(names); twice != names.end())
    context.error(value, "Two containers are named \"" + std::string(*twice) + "\"; rename one.");
}

void default_host_ports(DecodeContext& context, const Value& spec, std::string_view list,
                        std::vector<Container>& containers) {
  const DecodeContext::Scope scope(context, list);
  for (std::size_t i = 0; i < containers.size(); ++i) {
    const DecodeContext::Scope container(context, i);
    const DecodeContext::Scope field(context, "ports");
    for (std::size_t j = 0; j < containers[i].ports.size(); ++j) {
      ContainerPort& port = containers[i].ports[j];
      if (port.host_port == 0) port.host_port = port.container_port;
      if (port.host_port == port.container_port) continue;
      const DecodeContext::Scope index(context, j);
      context.error(spec.find(list)->items()[i].find("ports")->items()[j],
                    "With hostNetwork the hostPort (" + std::to_string(port.host_port) +
                        ") must be the containerPort (" + std::to_string(port.container_port) +
                        "); make them equal, or remove hostPort.");
    }
  }
}

}  // namespace berth::api
