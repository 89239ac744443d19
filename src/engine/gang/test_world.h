// A world in a few lines, for tests of workloads: nodes with labels and cards, pods, workloads, queues.
#pragma once

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "engine/engine.h"
#include "engine/world/world.h"

namespace berth::engine {

class GangWorld {
 protected:
  Names names;
  const ResourceId gpu = names.resources.intern("nvidia.com/gpu");
  const ProfileId profile_id = names.profiles.intern("default-scheduler");
  const NamespaceId space = names.namespaces.intern("default");
  Engine engine{config(), names};
  Time clock = 0;

  Config config() {
    Profile profile;
    profile.id = profile_id;
    for (std::size_t i = 0; i < kFilterCount; ++i) profile.filters.push_back(static_cast<Filter>(i));
    profile.scores = {{Score::kNodeResourcesFit, 1}, {Score::kBalancedAllocation, 1}};
    profile.fit_resources = {{kCpu, 1}, {kMemory, 1}};
    profile.balanced_resources = {{kCpu, 1}, {kMemory, 1}};
    return Config{.profiles = {profile}};
  }

  NameId name(const std::string& text) { return names.names.intern(text); }
  LabelKeyId key(const std::string& text) { return names.label_keys.intern(text); }

  // 64 cores, 110 pods.
  Event node(const std::string& text, Amount cards, const std::vector<std::pair<std::string, std::string>>& labels = {},
             bool cordoned = false) {
    NodeInput input;
    input.name = name(text);
    for (const auto& [label, value] : labels) input.labels.push_back({key(label), names.label_value(value)});
    std::ranges::sort(input.labels);
    input.unschedulable = cordoned;
    input.allocatable = {{kCpu, 64000}, {kMemory, Amount{256} << 30U}, {kPods, 110}, {gpu, cards * kMilliPerCard}};
    input.cards = {{gpu, ProductId::none(), 0}};
    return NodeChanged{input};
  }
  PodInput pod(const std::string& text, std::int32_t cards, const std::string& workload = "",
               const std::string& group = "") {
    PodInput input;
    input.name = name(text);
    input.shape.profile = profile_id;
    input.shape.namespace_ = space;
    input.shape.requests = {{kCpu, 1000}};
    input.shape.nonzero_cpu = 1000;
    input.shape.nonzero_memory = Amount{200} << 20U;
    if (cards > 0) input.shape.cards = {{gpu, cards, kMilliPerCard, {}}};
    if (!workload.empty()) input.workload = name(workload);
    if (!group.empty()) input.group = name(group);
    input.created = created_++;
    return input;
  }
  // A workload of one group.
  WorkloadInput workload(const std::string& text, std::int32_t minimum, const std::string& queue = "") {
    WorkloadInput input;
    input.name = name(text);
    input.groups = {GroupInput{.minimum_pods = minimum}};
    if (!queue.empty()) input.queues = {name(queue)};
    input.created = created_++;
    return input;
  }
  GroupInput group(const std::string& text, std::int32_t minimum, std::uint32_t parent = 0) {
    return {.name = name(text), .parent = parent, .minimum_pods = minimum};
  }
  QueueInput queue(const std::string& text, const std::string& parent = "") {
    QueueInput input;
    input.name = name(text);
    if (!parent.empty()) input.parent = name(parent);
    return input;
  }
  // `count` pods text-0, text-1, ... of a workload.
  void add_pods(std::vector<Event>& events, const std::string& text, std::int32_t count, std::int32_t cards,
                const std::string& workload = "", const std::string& group = "") {
    for (std::int32_t i = 0; i < count; ++i) {
      events.emplace_back(PodChanged{pod(text + "-" + std::to_string(i), cards, workload, group)});
    }
  }

  StepResult step(const std::vector<Event>& events = {}) { return engine.step(events, clock++); }

  [[nodiscard]] std::int32_t running(const std::string& workload) {
    const WorkloadId id = engine.world().workloads().find(name(workload));
    return id.is_none() ? 0 : engine.world().workloads()[id].placed();
  }
  [[nodiscard]] std::string node_of(const std::string& text) {
    const NodeId id = engine.world().pod(engine.find_pod(name(text))).node;
    return id.is_none() ? "" : std::string(names.names.text(engine.world().node(id).input.name));
  }
  [[nodiscard]] Reason why(const std::string& text) { return engine.explain(engine.find_pod(name(text))); }
  [[nodiscard]] static std::size_t count(const StepResult& result, Decision::Kind kind) {
    return static_cast<std::size_t>(std::ranges::count(result.decisions, kind, &Decision::kind));
  }

 private:
  Time created_ = 0;
};

}  // namespace berth::engine
