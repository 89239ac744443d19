#include "dialects/volcano/numa_nodes.h"

#include <algorithm>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "api/enum_names.h"
#include "api/scheduler_config.h"
#include "api/volcano_keys.h"
#include "api/volcano_names.h"
#include "engine/amounts.h"

namespace berth::dialects::volcano {
namespace {

namespace keys = api::volcano::keys;
using api::volcano::NumaPolicy;
using api::volcano::Numatopology;

constexpr std::int64_t kMilliPerCpu = 1000;
constexpr std::int64_t kMostCpus = 1 << 20U;  // far above any pod, and no sum overflows

bool plugin_is_on(const workloads::Scene& scene) {
  if (scene.configuration == nullptr || !scene.configuration->volcano) return false;
  const api::volcano::SchedulerConf& conf = *scene.configuration->volcano;
  return conf.votes("numaaware", "enablePredicate") || conf.votes("numa-aware", "enablePredicate");
}

std::string_view policy_of(const api::ObjectMeta& metadata) {
  const auto found = metadata.annotations.find(keys::kNumaPolicy);
  return found == metadata.annotations.end() ? std::string_view() : std::string_view(found->second);
}

std::string of_manager(const Numatopology& topology, std::string_view manager) {
  const auto found = topology.policies.find(manager);
  return found == topology.policies.end() ? std::string() : found->second;
}

// CPUs of each NUMA node that nobody holds; NUMA nodes without any are there too.
std::vector<std::int64_t> free_cpus(const Numatopology& topology) {
  std::vector<std::int64_t> result;
  for (const auto& [number, cpu] : topology.cpus)
    result.resize(std::max(result.size(), static_cast<std::size_t>(cpu.numa) + 1), 0);
  if (const auto cpus = topology.resources.find("cpu"); cpus != topology.resources.end()) {
    for (const std::int32_t number : cpus->second.allocatable)
      ++result[static_cast<std::size_t>(topology.cpus.at(number).numa)];
  }
  return result;
}

// Of all CPUs of a NUMA node, whoever holds them: by that "as few as could have them" is judged, and not by what is
// free, or a pod that one NUMA node could have would be split where all are busy (the kubelet's minimum affinity).
std::int64_t largest_numa_node(const Numatopology& topology) {
  std::map<std::int32_t, std::int64_t> cpus;
  for (const auto& [number, cpu] : topology.cpus) ++cpus[cpu.numa];
  std::int64_t largest = 0;
  for (const auto& [numa, count] : cpus) largest = std::max(largest, count);
  return largest;
}

const api::Quantity* amount(const api::ResourceList& list, std::string_view resource) {
  const auto found = list.find(resource);
  return found == list.end() ? nullptr : &found->second;
}

// Every container has limits for both, and asks for what they are.
bool is_guaranteed(const api::PodSpec& spec) {
  const auto is_so = [](const api::Container& container) {
    return std::ranges::all_of(std::initializer_list<std::string_view>{"cpu", "memory"}, [&](std::string_view name) {
      const api::Quantity* limit = amount(container.resources.limits, name);
      const api::Quantity* request = amount(container.resources.requests, name);
      return limit != nullptr && !limit->is_zero() && (request == nullptr || *request == *limit);
    });
  };
  return !spec.containers.empty() && std::ranges::all_of(spec.containers, is_so) &&
         std::ranges::all_of(spec.init_containers, is_so);
}

// Those of containers that ask for whole ones; the others share what is left.
std::int64_t whole_cpus(const api::PodSpec& spec) {
  std::int64_t sum = 0;
  for (const api::Container& container : spec.containers) {
    const std::int64_t milli = amount(container.resources.limits, "cpu")->milli_value();
    if (milli % kMilliPerCpu == 0) sum = std::min(sum + milli / kMilliPerCpu, kMostCpus);
  }
  return sum;
}

}  // namespace

void NumaNodes::read(const workloads::Scene& scene, workloads::Reading& out) {
  nodes_.clear();
  largest_ = 0;
  active_ = plugin_is_on(scene);
  if (!active_) return;
  for (const auto& read : scene.objects.numatopologies) {
    const Numatopology& topology = read.object;
    if (of_manager(topology, "CPUManagerPolicy") != "static") continue;
    Known known{of_manager(topology, "TopologyManagerPolicy"), free_cpus(topology)};
    largest_ = std::max(largest_, largest_numa_node(topology));
    nodes_.try_emplace(topology.metadata.name, std::move(known));
  }
  for (const auto& read : scene.objects.pods) {
    const std::string_view policy = policy_of(read.object.metadata);
    if (policy.empty() || api::enum_value<NumaPolicy>(policy)) continue;
    out.remark(ErrorCode::kInvalid, read.place, fmt::format("metadata.annotations[{}]", keys::kNumaPolicy),
               fmt::format("\"{}\" is no policy for NUMA nodes, so the pod may go to any; write {}.",
                           policy.substr(0, 40), api::enum_choices<NumaPolicy>()));
  }
}

void NumaNodes::amend(const api::Node& node, engine::NodeInput& input) const {
  if (!active_) return;
  const auto found = nodes_.find(node.metadata.name);
  if (found == nodes_.end()) return;
  const engine::Label label{names_.label_keys.intern(keys::kNumaPolicy), names_.label_value(found->second.policy)};
  const auto place = std::ranges::lower_bound(input.labels, label.key, {}, &engine::Label::key);
  if (place != input.labels.end() && place->key == label.key) {
    *place = label;
  } else {
    input.labels.insert(place, label);
  }
  const std::vector<std::int64_t>& free = found->second.free_cpus;
  if (free.empty()) return;
  engine::NodeInput::CardGroup group;
  group.resource = names_.resources.intern(keys::kNumaNode);
  group.memory_bytes = *std::ranges::max_element(free);
  group.packed = false;
  for (const std::int64_t cpus : free) group.lacking.push_back(group.memory_bytes - cpus);
  engine::add_amount(input.allocatable,
                     {group.resource, static_cast<engine::Amount>(free.size()) * engine::kMilliPerCard});
  input.cards.push_back(std::move(group));
  std::ranges::sort(input.cards);
}

void NumaNodes::amend(const api::Pod& pod, engine::ShapeInput& shape) const {
  if (!active_ || pod.spec.scheduler_name != api::volcano::kSchedulerName) return;
  const std::optional<NumaPolicy> policy = api::enum_value<NumaPolicy>(policy_of(pod.metadata));
  if (!policy || *policy == NumaPolicy::kNone || !is_guaranteed(pod.spec)) return;
  engine::Requirement same;
  same.key = names_.label_keys.intern(keys::kNumaPolicy);
  same.values = {names_.label_value(api::enum_name(*policy))};
  engine::NodeTerm term;
  term.labels.push_back(std::move(same));
  engine::NodeSelector selector{{std::move(term)}};
  if (std::ranges::find(shape.node_selectors, selector) == shape.node_selectors.end())
    shape.node_selectors.push_back(std::move(selector));
  const std::int64_t cpus = whole_cpus(pod.spec);
  const bool counted = !pod.spec.node_name.empty() && pod.metadata.annotations.contains(keys::kNumaDecision);
  if (*policy == NumaPolicy::kBestEffort || cpus == 0 || counted) return;
  engine::CardRequest request;
  request.resource = names_.resources.intern(keys::kNumaNode);
  request.milli = 0;
  request.packed = false;
  const bool several = *policy == NumaPolicy::kRestricted && largest_ > 0 && cpus > largest_;
  request.count = several ? static_cast<std::int32_t>((cpus + largest_ - 1) / largest_) : 1;
  request.memory_bytes = (cpus + request.count - 1) / request.count;
  if (std::ranges::find(shape.cards, request.resource, &engine::CardRequest::resource) == shape.cards.end())
    shape.cards.push_back(std::move(request));
}

}  // namespace berth::dialects::volcano
