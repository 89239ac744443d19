#include "sim/case/expectations.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "base/digits.h"
#include "base/lower_case.h"
#include "engine/world/world.h"
#include "report/reasons.h"
#include "sim/surroundings.h"

namespace berth::sim {
namespace {

using State = PodRecord::State;

// One expectation with the pods it is about.
class ExpectationCheck {
 public:
  ExpectationCheck(const Expectation& expectation, Simulation& simulation)
      : expected_(expectation), simulation_(simulation) {
    for (const PodRecord& record : simulation.records())
      if (belongs_to(record, expectation.ref)) pods_.push_back(&record);
  }

  CheckResult run() {
    counts();
    places();
    starts();
    devices();
    reasons();
    standing();
    conditions();
    if (!result_.failures.empty()) explain_pending();
    return std::move(result_);
  }

 private:
  template <class... T>
  void fail(fmt::format_string<T...> text, T&&... values) {
    result_.failures.push_back(expected_.ref + ": " + fmt::format(text, std::forward<T>(values)...));
  }

  [[nodiscard]] std::int64_t count(State state) const {
    return std::ranges::count(pods_, state, [](const PodRecord* pod) { return pod->state; });
  }

  void counts() {
    const auto compare = [&](const std::optional<std::int64_t>& expected, State state, std::string_view what) {
      if (expected && *expected != count(state)) fail("expected {} {}, got {}", what, *expected, count(state));
    };
    compare(expected_.running, State::kRunning, "running");
    const std::int64_t pending = count(State::kPending) + count(State::kBinding);
    if (expected_.pending && *expected_.pending != pending)
      fail("expected {} pending, got {}", *expected_.pending, pending);
    compare(expected_.succeeded, State::kSucceeded, "succeeded");
    compare(expected_.evicted, State::kEvicted, "evicted");
  }

  [[nodiscard]] std::string label_of(const std::string& node, const std::string& label) const {
    for (const auto& read : simulation_.cluster().objects().nodes) {
      if (read.object.metadata.name != node) continue;
      const auto found = read.object.metadata.labels.find(label);
      return found == read.object.metadata.labels.end() ? std::string() : found->second;
    }
    return "";
  }

  // Label values of the nodes on which the pods run.
  [[nodiscard]] std::map<std::string, std::int64_t> spread_over(const std::string& label) const {
    std::map<std::string, std::int64_t> values;
    for (const PodRecord* pod : pods_)
      if (pod->running()) ++values[label_of(pod->node, label)];
    return values;
  }

  static std::string shown(const std::map<std::string, std::int64_t>& values) {
    std::vector<std::string> parts;
    for (const auto& [value, pods] : values)
      parts.push_back(fmt::format("{}: {}", value.empty() ? "(none)" : value, pods));
    return fmt::format("{{{}}}", fmt::join(parts, ", "));
  }

  void places() {
    if ((expected_.on || !expected_.same.empty() || !expected_.different.empty()) &&
        std::ranges::none_of(pods_, [](const PodRecord* pod) { return pod->started.has_value(); }))
      fail("expected pods in certain places, and none ran");
    if (expected_.on) {
      for (const PodRecord* pod : pods_)
        if (pod->running() && std::ranges::find(*expected_.on, pod->node) == expected_.on->end())
          fail("expected on {}, {} runs on {}", fmt::join(*expected_.on, ", "), pod->name, pod->node);
    }
    if (!expected_.same.empty()) {
      const auto values = spread_over(expected_.same);
      if (values.contains("")) fail("expected one value of {}, and a node has no such label", expected_.same);
      if (values.size() > 1) fail("expected one value of {}, got {}", expected_.same, shown(values));
    }
    if (!expected_.different.empty()) {
      const auto values = spread_over(expected_.different);
      if (std::ranges::any_of(values, [](const auto& value) { return value.second > 1; }))
        fail("expected different values of {}, got {}", expected_.different, shown(values));
    }
    for (const auto& [label, wanted] : expected_.per) {
      if (label == "gpu-index") {
        cards(wanted);
        continue;
      }
      const auto values = spread_over(label);
      if (values != wanted) fail("expected per {} {}, got {}", label, shown(wanted), shown(values));
    }
  }

  // Pods per card, over the nodes on which they run: "each" is every card, a number the card of that index.
  void cards(const std::map<std::string, std::int64_t>& wanted) {
    const engine::World& world = simulation_.cluster().engine().world();
    std::map<std::pair<std::string, std::size_t>, std::int64_t> pods;
    for (const PodRecord* pod : pods_) {
      if (!pod->running()) continue;
      const engine::Names& names = simulation_.cluster().names();
      const engine::PodId id =
          simulation_.cluster().engine().find_pod(names.names.find(pod->namespace_ + '/' + pod->name));
      if (id.is_none()) continue;
      for (const engine::CardGroup& group : world.node(world.pod(id).node).cards) {
        for (std::size_t card = 0; card < group.free.size(); ++card) pods.try_emplace({pod->node, card}, 0);
      }
      for (const engine::CardAssignment& held : world.pod(id).cards) {
        for (const std::uint16_t card : held.cards) ++pods[{pod->node, card}];
      }
    }
    for (const auto& [which, count] : wanted) {
      bool any = false;
      for (const auto& [card, got] : pods) {
        if (which != "each" && which != std::to_string(card.second)) continue;
        any = true;
        if (got != count) fail("expected {} pods on GPU {} of {}, got {}", count, card.second, card.first, got);
      }
      if (!any) fail("expected {} pods per GPU, and there is no GPU {}", count, which);
    }
  }

  void starts() {
    static constexpr std::int64_t kTolerance = 5;
    if (!expected_.start) return;
    bool any = false;
    for (const PodRecord* pod : pods_) {
      if (!pod->started) continue;
      any = true;
      if (std::abs(*pod->started - *expected_.start) > kTolerance)
        fail("expected start at {}, {} started at {}", *expected_.start, pod->name, *pod->started);
    }
    if (!any) fail("expected start at {}, nothing started", *expected_.start);
  }

  // Every device that the claims have is one of those listed.
  void devices() {
    if (expected_.devices.empty()) return;
    bool any = false;
    for (const auto& read : simulation_.cluster().objects().resource_claims) {
      const api::ResourceClaim& claim = read.object;
      if (!refers_to(expected_.ref, "ResourceClaim", claim.metadata.name)) continue;
      any = true;
      if (!claim.status.allocation) {
        fail("expected one of {}, {} has no devices", fmt::join(expected_.devices, ", "), claim.metadata.name);
        continue;
      }
      for (const api::DeviceAllocationResult& result : claim.status.allocation->results) {
        if (std::ranges::find(expected_.devices, result.device) == expected_.devices.end())
          fail("expected one of {}, {} has {}", fmt::join(expected_.devices, ", "), claim.metadata.name, result.device);
      }
    }
    if (!any) fail("expected devices, and there is no such claim");
  }

  struct Told {
    std::string reason_class;
    std::string text;
  };
  Told tell(const PodRecord& pod) {
    if (pod.state == State::kBinding) return {"NotReady", simulation_.binding_of(pod)};
    Cluster& cluster = simulation_.cluster();
    const engine::PodId id = cluster.engine().find_pod(cluster.names().names.find(pod.namespace_ + '/' + pod.name));
    if (id.is_none()) return {"", pod.name + " is not known to the scheduler"};
    const engine::Reason reason = cluster.engine().explain(id);
    const EngineSurroundings around(cluster, id);
    return {std::string(report::name_of(reason.reason_class)), report::whole_text(reason, around)};
  }

  void reasons() {
    if (expected_.reason.empty() && expected_.mention.empty()) return;
    bool any = false;
    for (const PodRecord* pod : pods_) {
      if (!pod->pending()) continue;
      any = true;
      const Told told = tell(*pod);
      if (!expected_.reason.empty() && std::ranges::find(expected_.reason, told.reason_class) == expected_.reason.end())
        fail("expected reason {}, {} has {}", fmt::join(expected_.reason, " or "), pod->name, told.reason_class);
      for (const std::string& literal : expected_.mention)
        if (!mentions(told.text, literal)) fail("the explanation of {} does not mention '{}'", pod->name, literal);
    }
    if (!any) fail("expected a reason, and nothing is pending");
  }

  // The workloads of the pods, and those of the objects that the reference names, which may have no pods.
  [[nodiscard]] std::set<engine::WorkloadId> workloads() const {
    const Cluster& cluster = simulation_.cluster();
    std::set<engine::WorkloadId> result;
    const auto add = [&](engine::WorkloadId id) {
      if (!id.is_none()) result.insert(id);
    };
    for (const PodRecord* pod : pods_) {
      const engine::PodId id = cluster.engine().find_pod(cluster.names().names.find(pod->namespace_ + '/' + pod->name));
      if (!id.is_none()) add(cluster.engine().world().pod(id).workload);
    }
    for (const auto& group : cluster.translator().workloads().objects()) {
      const std::size_t slash = group.reference.find('/');
      if (refers_to(expected_.ref, std::string_view(group.reference).substr(0, slash),
                    group.reference.substr(slash + 1)))
        add(cluster.engine().world().workloads().find(group.workload));
    }
    return result;
  }

  void standing() {
    if (!expected_.admitted && !expected_.charged) return;
    const engine::Workloads& table = simulation_.cluster().engine().world().workloads();
    const std::set<engine::WorkloadId> ids = workloads();
    const auto compare = [&](const std::optional<bool>& expected, std::string_view what, auto is_so) {
      if (!expected) return;
      if (ids.empty()) fail("expected {} {}, and it is no workload", what, *expected);
      for (const engine::WorkloadId id : ids) {
        if (is_so(table[id]) != *expected)
          fail("expected {} {}, {} is {}{}", what, *expected,
               simulation_.cluster().names().names.text(table[id].input.name), *expected ? "not " : "", what);
      }
    };
    compare(expected_.admitted, "admitted", [](const engine::Workload& workload) {
      const bool begun = workload.placed() > 0 || (!workload.groups.empty() && workload.groups.front().succeeded > 0);
      return begun && engine::is_satisfied(workload);
    });
    compare(expected_.charged, "charged",
            [](const engine::Workload& workload) { return workload.placed() > 0 && !workload.queues.empty(); });
  }

  void conditions() {
    if (expected_.conditions.empty()) return;
    std::map<std::string, std::vector<api::Condition>> by_object;
    for (const auto& each :
         simulation_.cluster().translator().workloads().conditions(simulation_.cluster().objects())) {
      const std::size_t slash = each.reference.find('/');
      if (refers_to(expected_.ref, std::string_view(each.reference).substr(0, slash), each.reference.substr(slash + 1)))
        by_object[each.reference].push_back(each.condition);
    }
    if (by_object.empty()) by_object[expected_.ref];
    for (const std::string& wanted : expected_.conditions) {
      const std::size_t equals = wanted.find('=');
      const std::string type = wanted.substr(0, equals);
      const std::string status = equals == std::string::npos ? "True" : wanted.substr(equals + 1);
      for (const auto& [object, conditions] : by_object) {
        const auto found = std::ranges::find(conditions, type, &api::Condition::type);
        const std::string has = found == conditions.end() ? ""
                                : status.find(':') == std::string::npos
                                    ? found->status
                                    : fmt::format("{}:{}", found->status, found->reason);
        if (has != status) fail("expected condition {}, {} has {}={}", wanted, object, type, has);
      }
    }
  }

  void explain_pending() {
    static constexpr std::size_t kMost = 3;
    for (const PodRecord* pod : pods_)
      if (pod->pending() && result_.explanations.size() < kMost)
        result_.explanations.push_back(fmt::format("{}: {}", pod->name, tell(*pod).text));
    for (const PodRecord* pod : pods_)
      if (pod->running() && result_.explanations.size() < 2 * kMost)
        result_.explanations.push_back(fmt::format("{} runs on {} since {}", pod->name, pod->node, *pod->started));
  }

  const Expectation& expected_;
  Simulation& simulation_;
  std::vector<const PodRecord*> pods_;
  CheckResult result_;
};

}  // namespace

bool mentions(std::string_view text, std::string_view literal) {
  const std::string in = lowered(text);
  const std::string wanted = lowered(literal);
  if (wanted.empty()) return true;
  for (std::size_t at = in.find(wanted); at != std::string::npos; at = in.find(wanted, at + 1)) {
    const std::size_t end = at + wanted.size();
    // A decimal point inside a number continues it.
    const bool cut_before = is_digit(wanted.front()) && at > 0 &&
                            (is_digit(in[at - 1]) || (in[at - 1] == '.' && at > 1 && is_digit(in[at - 2])));
    const bool cut_after = is_digit(wanted.back()) && end < in.size() &&
                           (is_digit(in[end]) || (in[end] == '.' && end + 1 < in.size() && is_digit(in[end + 1])));
    if (!cut_before && !cut_after) return true;
  }
  return false;
}

CheckResult check_expectation(const Expectation& expectation, Simulation& simulation) {
  return ExpectationCheck(expectation, simulation).run();
}

}  // namespace berth::sim
