#include "engine/reason/classify.h"

#include <algorithm>
#include <limits>
#include <optional>

#include "base/mutant.h"
#include "engine/cycle/promises.h"
#include "engine/fit/filters.h"
#include "engine/reason/device_shortage.h"
#include "engine/reason/shortage.h"
#include "engine/world/selectors.h"

namespace berth::engine {
namespace {

Question suppose(const Question& question, bool emptied, bool lifted) {
  return Question{question.world, question.shape, question.plan, emptied, lifted, question.without_devices, {}};
}

// What keeps the pod from each node as things are. Other suppositions need only be asked about nodes whose cause they
// take away.
struct NodeAnswer {
  NodeId node;
  NodeCause cause = NodeCause::kFits;
};
using Answers = std::vector<NodeAnswer>;  // in order of rank

Answers ask_all(const Question& question) {
  Answers answers;
  answers.reserve(question.world.rank_count());
  for (const NodeId node : question.world.by_rank()) answers.push_back({node, check_all(question, node).cause});
  return answers;
}

bool is_lifted(NodeCause cause) {
  return cause == NodeCause::kNotReady || cause == NodeCause::kUnschedulable || cause == NodeCause::kTaint;
}

bool is_among_pods(NodeCause cause) {
  return cause == NodeCause::kTopologySpread || cause == NodeCause::kPodAffinity ||
         cause == NodeCause::kPodAntiAffinity || cause == NodeCause::kExistingAntiAffinity;
}

// Holds whatever runs on the node. What is not told here is asked again.
bool is_lasting(NodeCause cause) {
  return is_lifted(cause) || cause == NodeCause::kNodeName || cause == NodeCause::kNodeAffinity ||
         cause == NodeCause::kTooLarge || cause == NodeCause::kVolumeBinding || cause == NodeCause::kFeature;
}

bool any_with(const Answers& answers, NodeCause cause) {
  return std::ranges::find(answers, cause, &NodeAnswer::cause) != answers.end();
}

bool any_when_emptied(const Question& question, const Answers& answers, bool lifted) {
  const Question emptied = suppose(question, true, lifted);
  return std::ranges::any_of(answers, [&](const NodeAnswer& answer) {
    if (is_lasting(answer.cause) && !(lifted && is_lifted(answer.cause))) return false;
    return check_all(emptied, answer.node, false).fits();
  });
}

// The question to those filters alone that can refuse its shape, for who asks about all nodes several times.
class Narrowed {
 public:
  explicit Narrowed(const Question& question) : profile_(*question.shape.profile), shape_(question.shape) {
    std::erase_if(profile_.filters, [&](Filter filter) { return !can_refuse(filter, question); });
    shape_.profile = &profile_;
  }
  Narrowed(const Narrowed&) = delete;
  Narrowed& operator=(const Narrowed&) = delete;

  [[nodiscard]] Question question(const Question& from) const {
    return {from.world, shape_, from.plan, from.emptied, from.lifted, from.without_devices, from.closed};
  }

 private:
  Profile profile_;
  Shape shape_;
};

bool fits_when_lifted(World& world, const Question& question, PodId pod, const Answers& answers) {
  Question lifted = suppose(question, false, true);
  const std::vector<NodeId> closed = closed_nodes(world, lifted, pod);
  lifted.closed = closed;
  return std::ranges::any_of(answers, [&](const NodeAnswer& answer) {
    return is_lifted(answer.cause) && check_all(lifted, answer.node).fits();
  });
}

bool fits_without_rules_among_pods(World& world, const Question& question, PodId pod, const Answers& answers) {
  Question open = suppose(question, false, false);
  const std::vector<NodeId> closed = closed_nodes(world, open, pod, false);
  open.closed = closed;
  return std::ranges::any_of(answers, [&](const NodeAnswer& answer) {
    return is_among_pods(answer.cause) && check_all(open, answer.node, false).fits();
  });
}

// Of the answers as things are, the nodes that would take the pod if cordons, taints and unreadiness were lifted, as
// they are or, `emptied`, without the pods that are on them.
Answers nodes_when_lifted(World& world, const Question& question, PodId pod, Answers answers, bool emptied) {
  Question lifted = suppose(question, emptied, true);
  const std::vector<NodeId> closed = emptied ? std::vector<NodeId>{} : closed_nodes(world, lifted, pod);
  lifted.closed = closed;
  if (emptied) {
    const Question open = suppose(question, true, false);
    for (auto& [node, cause] : answers) cause = check_all(open, node, false).cause;
  }
  std::erase_if(answers, [&](const NodeAnswer& answer) {
    return !is_lifted(answer.cause) || !check_all(lifted, answer.node, !emptied).fits();
  });
  return answers;
}

// At most so many of each cause, by name.
void describe_closed(const World& world, Answers answers, Reason& reason) {
  constexpr std::uint32_t kMost = 8;
  std::ranges::sort(answers, {}, [&](const NodeAnswer& answer) {
    return world.names().names.text(world.node(answer.node).input.name);
  });
  for (const auto& [node, cause] : answers) {
    if (++reason.would_do_counts[static_cast<std::size_t>(cause)] <= kMost) reason.would_do.push_back({node, cause});
  }
}

// The taint that excludes most nodes, or the cordon as a taint.
Taint leading_exclusion(const Question& question, const Answers& answers) {
  const World& world = question.world;
  const Taint cordon{world.names().label_keys.find("node.kubernetes.io/unschedulable"), LabelValueId::none(),
                     Effect::kNoSchedule};
  std::vector<std::pair<Taint, std::uint32_t>> counts;
  for (const auto& [node, cause] : answers) {
    Taint taint = cordon;
    if (cause == NodeCause::kTaint) {
      taint = *untolerated(question.shape.input.tolerations, world.node(node).input.taints);
    } else if (cause != NodeCause::kUnschedulable) {
      continue;
    }
    const auto found = std::ranges::find(counts, taint, &std::pair<Taint, std::uint32_t>::first);
    if (found == counts.end()) {
      counts.emplace_back(taint, 1);
    } else {
      ++found->second;
    }
  }
  const auto most = std::ranges::max_element(counts, {}, &std::pair<Taint, std::uint32_t>::second);
  return most == counts.end() ? Taint{} : most->first;
}

// The topology key of the first rule that keeps the pod from a node that would do otherwise.
LabelKeyId blocking_key(const Question& question, const Answers& answers) {
  const Topology& topology = question.world.topology();
  const TopologyPlan& plan = question.plan;
  for (const auto& [node, cause] : answers) {
    if (!is_among_pods(cause) || !check_all(question, node, false).fits()) continue;
    switch (cause) {
      case NodeCause::kTopologySpread:
        for (const auto& rule : plan.hard_spread) {
          const Counter& counter = topology.counter(rule.counter);
          const std::uint32_t domain = counter.table().domain(node);
          if (domain == DomainTable::kNone) return counter.table().key;
          const std::int64_t after = counter.count_in(domain) + (rule.self ? 1 : 0);
          if (after - counter.minimum(rule.min_domains) > rule.max_skew) return counter.table().key;
        }
        break;
      case NodeCause::kPodAffinity:
        for (const CounterId id : plan.affinity) {
          if (topology.counter(id).count(node) == 0) return topology.counter(id).table().key;
        }
        break;
      case NodeCause::kPodAntiAffinity:
        for (const CounterId id : plan.anti_affinity) {
          if (topology.counter(id).count(node) > 0) return topology.counter(id).table().key;
        }
        break;
      case NodeCause::kExistingAntiAffinity:
        for (const CounterId id : plan.existing_anti_affinity) {
          if (topology.counter(id).count(node) > 0) return topology.counter(id).table().key;
        }
        break;
      default:
        break;
    }
  }
  return LabelKeyId::none();
}

struct Classified {
  ReasonClass reason_class = ReasonClass::kNone;
  bool excluded_are_full = false;  // see Reason
};

Classified classify(World& world, const Question& question, PodId pod, const Answers& answers) {
  if (any_with(answers, NodeCause::kFits)) return {ReasonClass::kNone};
  if (any_with(answers, NodeCause::kReserved) && !mutant("Reason.Reserved")) return {ReasonClass::kReserved};
  if (!mutant("Reason.NodeExcluded") && fits_when_lifted(world, question, pod, answers))
    return {ReasonClass::kNodeExcluded};
  if (!mutant("Reason.TopologyNoFit") && fits_without_rules_among_pods(world, question, pod, answers))
    return {ReasonClass::kTopologyNoFit};
  if (const ReasonClass devices = classify_devices(question); devices != ReasonClass::kNone) return {devices};
  if (any_when_emptied(question, answers, false) && !mutant("Reason.Busy")) {
    return {enough_in_sum(question) && !mutant("Reason.Fragmented") ? ReasonClass::kFragmented : ReasonClass::kBusy};
  }
  if (!mutant("Reason.FullAndExcluded") && any_when_emptied(question, answers, true))
    return {ReasonClass::kNodeExcluded, true};
  return {unserved_resource(question).is_none() || mutant("Reason.NoDevice") ? ReasonClass::kNeverFits
                                                                             : ReasonClass::kNoDevice};
}

}  // namespace

ReasonClass classify(World& world, const Question& asked, PodId pod) {
  const Narrowed narrowed(asked);
  const Question question = narrowed.question(asked);
  return classify(world, question, pod, ask_all(question)).reason_class;
}

Reason explain_pod(World& world, const Question& asked, PodId pod) {
  const Narrowed narrowed(asked);
  const Question question = narrowed.question(asked);
  Reason reason;
  const Answers answers = ask_all(question);
  const Classified classified = classify(world, question, pod, answers);
  reason.reason_class = classified.reason_class;
  reason.excluded_are_full = classified.excluded_are_full;
  reason.total_nodes = static_cast<std::uint32_t>(answers.size());
  for (const NodeAnswer& answer : answers) ++reason.nodes[static_cast<std::size_t>(answer.cause)];
  for (std::size_t cause = 1; cause < kNodeCauseCount; ++cause) {
    if (reason.nodes[cause] == 0) reason.not_causes |= std::uint32_t{1} << cause;
  }
  if (reason.reason_class == ReasonClass::kNone) return reason;
  std::vector<NodeId> would_do;
  if (reason.reason_class == ReasonClass::kNodeExcluded) {
    const Answers closed = nodes_when_lifted(world, question, pod, answers, reason.excluded_are_full);
    for (const NodeAnswer& answer : closed) would_do.push_back(answer.node);
    reason.taint = leading_exclusion(question, closed);
    describe_closed(world, closed, reason);
  }
  if (reason.reason_class == ReasonClass::kTopologyNoFit) reason.topology_key = blocking_key(question, answers);
  describe_device_shortage(question, reason);
  describe_shortage(question, would_do, reason);
  return reason;
}

}  // namespace berth::engine
