// Pods: every rule with a small probability, so that most pods have two or three and some have none.
#include <utility>

#include "support/builders.h"
#include "support/generate.h"
#include "support/pick.h"

namespace berth::support {
namespace {

using api::SelectorOperator;

api::LabelSelector random_selector(Random& random) {
  api::LabelSelector result;
  if (random.chance(3, 4)) result.match_labels["app"] = pick(random, {"web", "db", "job"});
  if (random.chance(1, 6)) {
    const auto op = pick(random, {SelectorOperator::kIn, SelectorOperator::kNotIn, SelectorOperator::kExists,
                                  SelectorOperator::kDoesNotExist});
    std::vector<std::string> values;
    if (op == SelectorOperator::kIn || op == SelectorOperator::kNotIn) values = {"1", pick(random, {"2", "3"})};
    result.match_expressions.push_back({"rev", op, values});
  }
  return result;
}

std::optional<api::LabelSelector> random_selector_or_none(Random& random) {
  if (random.chance(1, 15)) return std::nullopt;
  return random_selector(random);
}

api::NodeSelectorTerm random_node_term(Random& random) {
  if (random.chance(1, 12)) return {};
  if (random.chance(1, 8)) {
    const auto op = random.chance(2, 3) ? SelectorOperator::kIn : SelectorOperator::kNotIn;
    return {{}, {{"metadata.name", op, {numbered("n", random.below(4))}}}};
  }
  api::NodeSelectorTerm term;
  const std::uint64_t count = 1 + random.below(2);
  for (std::uint64_t i = 0; i < count; ++i) {
    switch (random.below(6)) {
      case 0:
        term.match_expressions.push_back({"disk", SelectorOperator::kIn, {pick(random, {"ssd", "hdd"})}});
        break;
      case 1:
        term.match_expressions.push_back({kZoneKey, SelectorOperator::kNotIn, {numbered("z", random.below(3))}});
        break;
      case 2:
        term.match_expressions.push_back({"gen", SelectorOperator::kGreaterThan, {pick(random, {"0", "1", "9"})}});
        break;
      case 3:
        term.match_expressions.push_back({"gen", SelectorOperator::kLessThan, {pick(random, {"2", "11", "-1"})}});
        break;
      case 4:
        term.match_expressions.push_back({"rack", SelectorOperator::kExists, {}});
        break;
      default:
        term.match_expressions.push_back({"rack", SelectorOperator::kDoesNotExist, {}});
        break;
    }
  }
  return term;
}

api::PodAffinityTerm random_affinity_term(Random& random) {
  api::PodAffinityTerm result = term(random_topology_key(random), random_selector_or_none(random));
  if (random.chance(1, 6)) result.namespaces.push_back(random_namespace(random));
  if (random.chance(1, 6)) {
    result.namespace_selector.emplace();
    if (random.chance(2, 3)) {
      result.namespace_selector->match_expressions.push_back(
          {"stage", pick(random, {SelectorOperator::kExists, SelectorOperator::kDoesNotExist}), {}});
    }
  }
  if (random.chance(1, 8)) result.match_label_keys.push_back("rev");
  if (random.chance(1, 8)) result.mismatch_label_keys.push_back("tier");
  return result;
}

api::TopologySpreadConstraint random_constraint(Random& random) {
  api::TopologySpreadConstraint constraint;
  constraint.max_skew = static_cast<std::int32_t>(1 + random.below(3));
  constraint.topology_key = random_topology_key(random);
  const bool hard = random.chance(1, 2);
  constraint.when_unsatisfiable =
      hard ? api::UnsatisfiableAction::kDoNotSchedule : api::UnsatisfiableAction::kScheduleAnyway;
  constraint.label_selector = random_selector_or_none(random);
  if (hard && random.chance(1, 4)) constraint.min_domains = static_cast<std::int32_t>(1 + random.below(4));
  if (random.chance(1, 4)) constraint.node_affinity_policy = api::InclusionPolicy::kIgnore;
  if (random.chance(1, 4)) constraint.node_taints_policy = api::InclusionPolicy::kHonor;
  if (random.chance(1, 5)) constraint.match_label_keys.push_back("rev");
  return constraint;
}

void add_requests(Random& random, PodBuilder& pod, const WorldRules& rules) {
  if (rules.cards_only) {
    pod.cpu(100);
    if (random.chance(7, 8)) pod.card_share(pick(random, {300, 500, 600, 600, 700}));
    return;
  }
  if (random.chance(5, 6)) pod.cpu(pick(random, {0, 1, 250, 500, 500, 1000, 1500}));
  if (random.chance(2, 3)) pod.memory_mi(pick(random, {0, 100, 512, 1024, 1500}));
  if (random.chance(1, 4)) pod.gpus(pick(random, {0, 1, 1, 2, 4}));
  if (random.chance(1, 20)) pod.amount("example.com/nic", pick(random, {0, 1, 2}));
  if (random.chance(1, 25)) pod.amount("hugepages-2Mi", 2 << 20);
  if (random.chance(1, 25)) pod.amount("unprefixed", 5);
  if (rules.shared_cards && random.chance(1, 2)) {
    if (random.chance(2, 3)) {
      pod.card_share(pick(random, {100, 250, 500, 600, 600, 700, 999}));
    } else {
      pod.cards(pick(random, {1, 1, 2}));
    }
  }
}

void add_odd_requests(Random& random, api::Pod& pod) {
  if (random.chance(1, 8)) pod.spec.init_containers.push_back(container("first", pick(random, {-1, 700, 1500}), 300));
  if (random.chance(1, 8))
    pod.spec.init_containers.push_back(container("sidecar", pick(random, {-1, 200, 400}), -1, true));
  if (random.chance(1, 10)) pod.spec.init_containers.push_back(container("last", 600, pick(random, {-1, 900})));
  if (random.chance(1, 10)) pod.spec.containers.push_back(container("second", 300, -1));
  if (random.chance(1, 12)) pod.spec.overhead["cpu"] = api::Quantity::from_milli(pick(random, {100, 250}));
  if (random.chance(1, 12)) {
    auto& level = pod.spec.resources.emplace().requests;
    level["cpu"] = api::Quantity::from_milli(pick(random, {0, 300, 800}));
    if (random.chance(1, 2)) level["memory"] = api::Quantity::from_units(256LL << 20);
  }
  if (random.chance(1, 15)) {
    api::ContainerStatus status;
    status.name = "main";
    status.allocated_resources["cpu"] = api::Quantity::from_milli(pick(random, {300, 1200}));
    if (random.chance(1, 2)) status.resources.emplace().requests["cpu"] = api::Quantity::from_milli(900);
    pod.status.container_statuses.push_back(status);
    if (random.chance(1, 3)) pod.status.conditions.push_back({"PodResizePending", "True", "Infeasible", "", {}});
  }
}

void add_tolerations(Random& random, PodBuilder& pod) {
  using api::TolerationOperator;
  using Effect = std::optional<api::TaintEffect>;
  if (!random.chance(1, 3)) return;
  api::Toleration toleration;
  toleration.key = pick(random, {"team", "flaky", "", "node.kubernetes.io/unschedulable"});
  toleration.op =
      toleration.key.empty() || random.chance(1, 2) ? TolerationOperator::kExists : TolerationOperator::kEqual;
  if (toleration.op == TolerationOperator::kEqual) toleration.value = pick(random, {"a", "b", ""});
  toleration.effect = pick(random, {Effect{}, Effect{api::TaintEffect::kNoSchedule}, Effect{},
                                    Effect{api::TaintEffect::kPreferNoSchedule}, Effect{api::TaintEffect::kNoExecute}});
  pod.tolerate(toleration);
}

// The last but one serves one pod only; the last is missing.
std::string random_claim(Random& random) {
  if (random.chance(1, 3)) return pick(random, {"c1", "c1", "c2"});
  return random.chance(1, 3) ? "c4" : numbered("c", random.below(random.chance(1, 4) ? 6 : 5));
}

void add_rules(Random& random, PodBuilder& pod, const WorldRules& rules) {
  if (rules.taints) add_tolerations(random, pod);
  if (rules.node_affinity) {
    if (random.chance(1, 10)) pod.select("disk", pick(random, {"ssd", "hdd"}));
    for (std::uint64_t i = random.chance(1, 7) ? 1 + random.below(2) : 0; i > 0; --i) {
      pod.require_node(random_node_term(random));
    }
    for (std::uint64_t i = random.chance(1, 3) ? 1 + random.below(2) : 0; i > 0; --i) {
      pod.prefer_node(static_cast<std::int32_t>(1 + random.below(100)), random_node_term(random));
    }
  }
  if (rules.host_ports && random.chance(1, 4)) {
    pod.host_port(pick(random, {80, 80, 443}), pick(random, {"", "", "0.0.0.0", "10.0.0.1", "::"}),
                  pick(random, {api::Protocol::kTcp, api::Protocol::kTcp, api::Protocol::kUdp}));
  }
  if (rules.spread) {
    for (std::uint64_t i = random.chance(1, 3) ? 1 + random.below(2) : 0; i > 0; --i) {
      pod.spread(random_constraint(random));
    }
  }
  if (rules.pod_affinity) {
    if (random.chance(1, 10)) pod.near(random_affinity_term(random));
    if (random.chance(1, 30)) pod.near(random_affinity_term(random));
    if (random.chance(1, 8)) pod.apart(random_affinity_term(random));
    if (random.chance(1, 4)) pod.like(static_cast<std::int32_t>(1 + random.below(100)), random_affinity_term(random));
    if (random.chance(1, 8))
      pod.dislike(static_cast<std::int32_t>(1 + random.below(100)), random_affinity_term(random));
  }
  if (rules.volumes && random.chance(1, 3)) pod.claim(random_claim(random));
  if (rules.volumes && random.chance(1, 25)) pod.claim(random_claim(random));
  if (rules.gates && random.chance(1, 25)) pod.gate("wait");
}

}  // namespace

api::Pod random_pod(Random& random, std::string name, const WorldRules& rules) {
  PodBuilder built(std::move(name));
  built.in(random_namespace(random)).created(static_cast<api::Time>(random.below(4)));
  if (random.chance(5, 6)) built.label("app", pick(random, {"web", "db", "job"}));
  if (random.chance(1, 3)) built.label("rev", pick(random, {"1", "2"}));
  if (random.chance(1, 4)) built.label("tier", pick(random, {"x", "y"}));
  if (rules.priorities) built.priority(pick(random, {0, 0, 0, 5, 5, 10, -10, 1000000}));
  if (rules.priorities && random.chance(1, 15)) built.never_preempts();
  if (rules.images) {
    built.image(pick(random, {"big", "huge:1", "registry.example:5000/tiny", "absent:2", "registry.example/app:1"}));
  }
  add_requests(random, built, rules);
  add_rules(random, built, rules);
  api::Pod pod = built;
  if (rules.odd_requests) add_odd_requests(random, pod);
  if (rules.features && random.chance(1, 16)) {
    auto& containers = pod.spec.init_containers.empty() ? pod.spec.containers : pod.spec.init_containers;
    containers.front().restarts_all = random.chance(2, 3);
    pod.spec.host_network = random.chance(1, 2);
    pod.spec.host_users = random.chance(1, 3);
  }
  return pod;
}

}  // namespace berth::support
