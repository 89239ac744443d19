// Worlds in words, for the message of a test that failed. Only what differs from the default is told.
#include <fmt/format.h>

#include "reference/requests.h"
#include "support/generate.h"

namespace berth::support {
namespace {

std::string amount(const std::string& name, const api::Quantity& quantity) {
  return fmt::format(" {}={}", name, reference::scheduler_units(name, quantity.nanos()));
}

std::string list(const api::ResourceList& resources) {
  std::string text;
  for (const auto& [name, quantity] : resources) text += amount(name, quantity);
  return text;
}

std::string map(const api::StringMap& labels) {
  std::string text;
  for (const auto& [key, value] : labels) text += fmt::format("{}{}={}", text.empty() ? "" : ",", key, value);
  return text;
}

std::string requirement(const api::SelectorRequirement& each) {
  static constexpr const char* kOperators[] = {"in", "notin", "exists", "absent", ">", "<"};
  std::string text = fmt::format("{} {}", each.key, kOperators[static_cast<std::size_t>(each.op)]);
  for (const auto& value : each.values) text += " " + value;
  return text;
}

std::string selector(const std::optional<api::LabelSelector>& selector) {
  if (!selector) return "nobody";
  std::string text = "{" + map(selector->match_labels);
  for (const auto& each : selector->match_expressions) text += "; " + requirement(each);
  return text + "}";
}

std::string node_term(const api::NodeSelectorTerm& term) {
  std::string text = "[";
  for (const auto& each : term.match_expressions) text += requirement(each) + "; ";
  for (const auto& each : term.match_fields) text += "field " + requirement(each) + "; ";
  return text + "]";
}

std::string affinity(const api::PodAffinityTerm& term) {
  std::string text = fmt::format("{}@{}", selector(term.label_selector), term.topology_key);
  for (const auto& name : term.namespaces) text += " ns:" + name;
  if (term.namespace_selector) text += " nsSelector:" + selector(term.namespace_selector);
  for (const auto& key : term.match_label_keys) text += " match:" + key;
  for (const auto& key : term.mismatch_label_keys) text += " mismatch:" + key;
  return text;
}

std::string rules_of(const api::PodSpec& spec) {
  std::string text;
  if (!spec.node_selector.empty()) text += "\n      selector " + map(spec.node_selector);
  if (const auto& node = spec.affinity.node) {
    if (node->required) {
      text += "\n      node";
      for (const auto& term : node->required->terms) text += " " + node_term(term);
    }
    for (const auto& each : node->preferred) {
      text += fmt::format("\n      prefers {} {}", each.weight, node_term(each.preference));
    }
  }
  const auto pods = [&](const std::optional<api::PodAffinity>& terms, const char* word) {
    if (!terms) return;
    for (const auto& term : terms->required) text += fmt::format("\n      {} {}", word, affinity(term));
    for (const auto& each : terms->preferred) {
      text += fmt::format("\n      soft {} {} {}", word, each.weight, affinity(each.term));
    }
  };
  pods(spec.affinity.pod, "near");
  pods(spec.affinity.pod_anti, "apart");
  for (const auto& each : spec.topology_spread_constraints) {
    text += fmt::format("\n      spread {} {} skew {} {} minDomains {} affinity {} taints {} keys {}",
                        each.when_unsatisfiable == api::UnsatisfiableAction::kDoNotSchedule ? "hard" : "soft",
                        each.topology_key, each.max_skew, selector(each.label_selector), each.min_domains.value_or(0),
                        each.node_affinity_policy == api::InclusionPolicy::kHonor ? "honor" : "ignore",
                        each.node_taints_policy == api::InclusionPolicy::kHonor ? "honor" : "ignore",
                        each.match_label_keys.size());
  }
  for (const auto& each : spec.tolerations) {
    text += fmt::format("\n      tolerates {} {} '{}' effect {}", each.key,
                        each.op == api::TolerationOperator::kExists ? "exists" : "=", each.value,
                        each.effect ? std::to_string(static_cast<int>(*each.effect)) : "any");
  }
  for (const auto& volume : spec.volumes) text += " claim " + volume.persistent_volume_claim;
  for (const auto& gate : spec.scheduling_gates) text += " gate " + gate;
  return text;
}

std::string containers(const api::PodSpec& spec) {
  std::string text;
  for (const auto& each : spec.init_containers) {
    text += fmt::format(" {}{{{} }}", each.restart_always ? "sidecar" : "init", list(each.resources.requests));
  }
  for (const auto& each : spec.containers) {
    text += fmt::format(" {}{{{} }}", each.image, list(each.resources.requests));
    for (const auto& port : each.ports) {
      text += fmt::format(" port {}:{}/{}", port.host_ip, port.host_port, static_cast<int>(port.protocol));
    }
  }
  if (!spec.overhead.empty()) text += fmt::format(" overhead{{{} }}", list(spec.overhead));
  if (spec.resources) text += fmt::format(" pod{{{} }}", list(spec.resources->requests));
  return text;
}

std::string describe_node(const api::Node& node) {
  std::string text =
      fmt::format("  node {} [{}]{}", node.metadata.name, map(node.metadata.labels), list(node.allocatable));
  if (node.unschedulable) text += " cordoned";
  for (const auto& condition : node.conditions) {
    if (condition.status != "True") text += " not ready";
  }
  for (const auto& taint : node.taints) {
    text += fmt::format(" taint {}={}:{}", taint.key, taint.value, static_cast<int>(taint.effect));
  }
  return text + "\n";
}

std::string describe_pod(const api::Pod& pod) {
  std::string text =
      fmt::format("  pod {}/{} [{}] priority {} created {}", pod.metadata.namespace_, pod.metadata.name,
                  map(pod.metadata.labels), pod.spec.priority.value_or(0), pod.metadata.creation_timestamp.value_or(0));
  if (!pod.spec.node_name.empty()) text += " on " + pod.spec.node_name;
  if (pod.status.start_time) text += fmt::format(" started {}", *pod.status.start_time);
  if (!pod.status.nominated_node_name.empty()) text += " promised " + pod.status.nominated_node_name;
  if (pod.metadata.deletion_timestamp) text += " terminating";
  if (pod.status.phase == api::PodPhase::kSucceeded) text += " finished";
  if (pod.spec.preemption_policy == api::PreemptionPolicy::kNever) text += " never preempts";
  if (!pod.metadata.annotations.empty()) text += " annotations " + map(pod.metadata.annotations);
  for (const auto& owner : pod.metadata.owner_references) text += fmt::format(" of {}/{}", owner.kind, owner.name);
  for (const auto& status : pod.status.container_statuses) {
    text += " allocated{" + list(status.allocated_resources) + " }";
    if (status.resources) text += " actual{" + list(status.resources->requests) + " }";
  }
  return text + containers(pod.spec) + rules_of(pod.spec) + "\n";
}

}  // namespace

std::string describe(const reference::Objects& world) {
  std::string text;
  for (const auto& node : world.nodes) text += describe_node(node);
  for (const auto& pod : world.pods) text += describe_pod(pod);
  for (const auto& space : world.namespaces) {
    text += fmt::format("  namespace {} [{}]\n", space.metadata.name, map(space.metadata.labels));
  }
  for (const auto& service : world.services) text += fmt::format("  service [{}]\n", map(service.selector));
  for (const auto& budget : world.budgets) {
    text += fmt::format("  budget {}/{} {} allows {}\n", budget.metadata.namespace_, budget.metadata.name,
                        selector(budget.selector), budget.disruptions_allowed.value_or(0));
    for (const std::string& pod : budget.disrupted_pods) text += fmt::format("    {} is counted already\n", pod);
  }
  return text;
}

std::string describe(const api::SchedulerProfile& profile) {
  std::string text = "  profile filters";
  for (const auto plugin : profile.filters) text += fmt::format(" {}", static_cast<int>(plugin));
  text += " scores";
  for (const auto& score : profile.scores) text += fmt::format(" {}*{}", static_cast<int>(score.plugin), score.weight);
  const auto& fit = profile.node_resources_fit;
  text += fmt::format(" strategy {}", static_cast<int>(fit.strategy));
  for (const auto& resource : fit.resources) text += fmt::format(" {}*{}", resource.name, resource.weight);
  for (const auto& name : fit.ignored_resources) text += " ignores " + name;
  for (const auto& name : fit.ignored_resource_groups) text += " ignores group " + name;
  text += fmt::format(" spread {}", profile.pod_topology_spread.default_constraints.size());
  text += fmt::format(" hard affinity {} ignore preferred {}", profile.inter_pod_affinity.hard_pod_affinity_weight,
                      profile.inter_pod_affinity.ignore_preferred_terms_of_existing_pods);
  text += fmt::format(" added affinity {} preemption {}\n", profile.added_affinity.has_value(), profile.preemption);
  return text;
}

}  // namespace berth::support
