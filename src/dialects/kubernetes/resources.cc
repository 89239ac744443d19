#include "dialects/kubernetes/resources.h"

#include <algorithm>
#include <limits>
#include <map>

#include <fmt/format.h>

#include "base/mutant.h"
#include "dialects/kubernetes/card_shares.h"
#include "dialects/kubernetes/cards.h"

namespace berth::dialects::kubernetes {
namespace {

using Wide = api::Quantity::Wide;
using Amounts = std::map<std::string_view, Wide, std::less<>>;  // in thousand-millionths of a unit

constexpr Wide kNanosPerUnit = 1'000'000'000;
constexpr Wide kNanosPerMilli = 1'000'000;
constexpr Wide kDefaultCpu = 100 * kNanosPerMilli;                        // 100m
constexpr Wide kDefaultMemory = Wide{200} * 1024 * 1024 * kNanosPerUnit;  // 200Mi

std::int64_t round_up(Wide nanos, Wide unit) {
  const Wide whole = nanos >= 0 ? (nanos + unit - 1) / unit : -(-nanos / unit);
  // 8 PiB of memory, or as many cores: far above any machine, and low enough that a hundred times the amount, and the
  // sum over a thousand such pods, still fit the engine's 64 bits.
  constexpr Wide kMax = Wide{1} << 53U;
  return static_cast<std::int64_t>(std::clamp(whole, -kMax, kMax));
}

std::int64_t whole_amount(std::string_view name, Wide nanos) {
  return round_up(nanos, name == "cpu" ? kNanosPerMilli : kNanosPerUnit);
}

void add(Amounts& sum, const Amounts& more) {
  for (const auto& [name, nanos] : more) sum[name] += nanos;
}

void raise(Amounts& most, const Amounts& other) {
  for (const auto& [name, nanos] : other) {
    const auto [found, fresh] = most.try_emplace(name, nanos);
    if (!fresh) found->second = std::max(found->second, nanos);
  }
}

Amounts amounts_of(const api::ResourceList& list) {
  Amounts amounts;
  for (const auto& [name, quantity] : list) amounts.emplace_hint(amounts.end(), name, quantity.nanos());
  return amounts;
}

// What counts for a container that has no entry for cpu or memory.
struct Defaults {
  bool cpu = false;
  bool memory = false;
};

// Whose word counts for a container's requests while a pod is resized in place.
enum class Source : std::uint8_t { kSpec, kAllocated, kActuated };

const api::ContainerStatus* find_status(const api::Pod& pod, std::string_view container) {
  for (const auto* list : {&pod.status.container_statuses, &pod.status.init_container_statuses}) {
    const auto found = std::ranges::find(*list, container, &api::ContainerStatus::name);
    if (found != list->end()) return &*found;
  }
  return nullptr;
}

bool resize_is_infeasible(const api::Pod& pod) {
  const auto found = std::ranges::find(pod.status.conditions, "PodResizePending", &api::Condition::type);
  return found != pod.status.conditions.end() && found->reason == "Infeasible";
}

Amounts container_amounts(const api::Pod& pod, const api::Container& container, Source source, Defaults defaults) {
  const api::ResourceList* list = &container.resources.requests;
  if (source != Source::kSpec) {
    const api::ContainerStatus* status = find_status(pod, container.name);
    if (source == Source::kActuated && status != nullptr && status->resources && !status->resources->requests.empty()) {
      list = &status->resources->requests;
    } else if (status != nullptr && !status->allocated_resources.empty()) {
      list = &status->allocated_resources;
    } else if (resize_is_infeasible(pod)) {
      list = nullptr;
    }
  }
  Amounts amounts = list == nullptr ? Amounts() : amounts_of(*list);
  if (defaults.cpu) amounts.try_emplace("cpu", kDefaultCpu);
  if (defaults.memory) amounts.try_emplace("memory", kDefaultMemory);
  return amounts;
}

Amounts container_sum(const api::Pod& pod, Source source, Defaults defaults) {
  Amounts sum;
  for (const auto& container : pod.spec.containers) add(sum, container_amounts(pod, container, source, defaults));
  Amounts sidecars;
  Amounts most;
  for (const auto& container : pod.spec.init_containers) {
    Amounts amounts = container_amounts(pod, container, source, defaults);
    if (container.restart_always && !mutant("Rule.Sidecars")) {
      add(sum, amounts);
      add(sidecars, amounts);
      raise(most, sidecars);
    } else {
      add(amounts, sidecars);
      raise(most, amounts);
    }
  }
  if (!mutant("Rule.InitContainers")) raise(sum, most);
  return sum;
}

bool has_status_resources(const api::Pod& pod) {
  const auto says = [](const api::ContainerStatus& status) {
    return !status.allocated_resources.empty() || (status.resources && !status.resources->requests.empty());
  };
  return std::ranges::any_of(pod.status.container_statuses, says) ||
         std::ranges::any_of(pod.status.init_container_statuses, says);
}

bool is_pod_level_resource(std::string_view name) {
  return name == "cpu" || name == "memory" || name.starts_with("hugepages-");
}

// Pod-level requests, the largest of what is asked, granted and in force while the pod is resized, with what the API
// server fills in: a limit stands in where neither the pod nor a container asks.
Amounts pod_level(const api::Pod& pod, const Amounts& containers) {
  Amounts level;
  if (!pod.spec.resources || mutant("Rule.PodLevelResources")) return level;
  const auto count = [&level](const api::ResourceList& list) {
    for (const auto& [name, quantity] : list) {
      if (is_pod_level_resource(name)) raise(level, {{name, quantity.nanos()}});
    }
  };
  const bool is_resized = !pod.spec.resources->requests.empty() && pod.status.resources.has_value();
  if (!is_resized || !resize_is_infeasible(pod)) count(pod.spec.resources->requests);
  if (is_resized && !mutant("Rule.ResizeInPlace")) {
    count(pod.status.resources->requests);
    count(pod.status.allocated_resources);
  }
  for (const auto& [name, quantity] : pod.spec.resources->limits) {
    if (is_pod_level_resource(name) && !containers.contains(name)) level.try_emplace(name, quantity.nanos());
  }
  return level;
}

Amounts aggregate(const api::Pod& pod, Defaults defaults) {
  // A resize that the node refused leaves only what the kubelet reports, be it nothing.
  const bool in_place = has_status_resources(pod) || resize_is_infeasible(pod);
  if (!in_place || mutant("Rule.ResizeInPlace")) return container_sum(pod, Source::kSpec, defaults);
  Amounts most = container_sum(pod, Source::kAllocated, defaults);
  raise(most, container_sum(pod, Source::kActuated, defaults));
  if (!resize_is_infeasible(pod)) raise(most, container_sum(pod, Source::kSpec, defaults));
  return most;
}

Amounts with_pod_level(Amounts amounts, const Amounts& level, const Amounts& overhead) {
  for (const auto& [name, nanos] : level) amounts[name] = nanos;
  if (!mutant("Rule.Overhead")) add(amounts, overhead);
  return amounts;
}

std::int64_t amount_of(const Amounts& amounts, std::string_view name) {
  const auto found = amounts.find(name);
  return found == amounts.end() ? 0 : whole_amount(name, found->second);
}

void split_cards(const Amounts& amounts, PodResources& result, engine::Names& names) {
  std::int64_t share = 0;
  const bool asks_volcano_cards = amount_of(amounts, kVolcanoGpuNumber) > 0;
  for (const auto& [name, nanos] : amounts) {
    const std::int64_t amount = whole_amount(name, nanos);
    if (amount <= 0 || !is_counted_resource(name) || name == "pods") continue;
    // volcano_share() reads these; without a number of cards they are resources like others, and nodes may lack them.
    if (name.starts_with(kVolcanoGpuPrefix) && (asks_volcano_cards || name == kVolcanoGpuNumber)) continue;
    if (name == kStudyMilliResource) {
      share = amount;
    } else if (is_card_resource(name)) {
      engine::CardRequest request;
      request.resource = names.resources.intern(name);
      constexpr std::int64_t kMost = std::numeric_limits<std::int32_t>::max();
      if (amount > kMost)
        result.share_problem =
            fmt::format("{}: the pod's containers ask for {} together, more than any cluster has; ask for {} or less",
                        name, amount, kMost);
      request.count = static_cast<std::int32_t>(std::min(amount, kMost));
      result.cards.push_back(request);
    } else {
      result.requests.push_back({names.resources.intern(name), amount});
    }
  }
  if (share == 0) return;
  // Thousandths asked as a resource: a share of one card below a full one, whole cards from there on.
  const engine::ResourceId study = names.resources.intern(kStudyCardResource);
  auto cards = std::ranges::find(result.cards, study, &engine::CardRequest::resource);
  if (cards == result.cards.end()) {
    const std::int64_t whole = (share + engine::kMilliPerCard - 1) / engine::kMilliPerCard;
    constexpr std::int64_t kMost = std::numeric_limits<std::int32_t>::max();
    cards = result.cards.insert(
        cards, engine::CardRequest{
                   .resource = study, .count = static_cast<std::int32_t>(std::min(whole, kMost)), .products = {}});
  }
  if (cards->count == 1 && share < engine::kMilliPerCard) cards->milli = static_cast<std::int32_t>(share);
}

}  // namespace

engine::Amount scheduler_amount(std::string_view name, const api::Quantity& quantity) {
  return whole_amount(name, quantity.nanos());
}

bool is_counted_resource(std::string_view name) {
  return name == "cpu" || name == "memory" || name == "ephemeral-storage" || name == "pods" ||
         name.find('/') != std::string_view::npos || name.starts_with("hugepages-") ||
         name.starts_with("attachable-volumes-");
}

PodResources pod_resources(const api::Pod& pod, engine::Names& names) {
  const Amounts overhead = amounts_of(pod.spec.overhead);
  const Amounts containers = aggregate(pod, {});
  const Amounts level = pod_level(pod, containers);
  const Amounts total = with_pod_level(containers, level, overhead);

  // On its node a container that asks nothing counts 100m and 200Mi, unless the pod as a whole says how much.
  Defaults placed{!mutant("Rule.NonzeroDefaults"), !mutant("Rule.NonzeroDefaults")};
  if (!level.empty()) placed = {!total.contains("cpu"), !total.contains("memory")};
  const Amounts nonzero = with_pod_level(aggregate(pod, placed), level, overhead);
  const Amounts scored = with_pod_level(aggregate(pod, {true, true}), {}, overhead);

  PodResources result;
  split_cards(total, result, names);
  for (const auto& read : {kai_share, volcano_share, study_share}) {
    CardShare share = read(pod, names);
    if (share.request) {
      std::erase_if(result.cards,
                    [&](const engine::CardRequest& card) { return card.resource == share.request->resource; });
      result.cards.push_back(*std::move(share.request));
    }
    result.counted.insert(result.counted.end(), share.counted.begin(), share.counted.end());
    if (!share.problem.empty()) result.share_problem = std::move(share.problem);
  }
  std::ranges::sort(result.requests);
  std::ranges::sort(result.counted);
  // By name, not by id: which kind of card comes first must not depend on what else was read before.
  std::ranges::sort(result.cards, {},
                    [&names](const engine::CardRequest& card) { return names.resources.text(card.resource); });
  result.nonzero_cpu = amount_of(nonzero, "cpu");
  result.nonzero_memory = amount_of(nonzero, "memory");
  if (const auto cpu = amount_of(scored, "cpu"); cpu != result.nonzero_cpu) result.fit_score_cpu = cpu;
  if (const auto memory = amount_of(scored, "memory"); memory != result.nonzero_memory)
    result.fit_score_memory = memory;
  result.best_effort = result.requests.empty() && result.cards.empty();
  return result;
}

std::optional<engine::ResourceAmount> quota_amount(std::string_view key, const api::Quantity& quantity,
                                                   engine::Names& names) {
  constexpr std::string_view kRequests = "requests.";
  if (key == "count/pods") key = "pods";
  if (key.starts_with(kRequests)) key.remove_prefix(kRequests.size());
  if (key.starts_with("limits.") || key.starts_with("count/") || !is_counted_resource(key)) return std::nullopt;
  const engine::Amount units = scheduler_amount(key, quantity);
  return engine::ResourceAmount{names.resources.intern(key),
                                is_card_resource(key) ? units * engine::kMilliPerCard : units};
}

std::vector<engine::ResourceAmount> node_amounts(const api::ResourceList& list, engine::Names& names) {
  std::vector<engine::ResourceAmount> amounts;
  for (const auto& [name, quantity] : list) {
    if (!is_counted_resource(name) || name == kStudyMilliResource) continue;
    std::int64_t amount = whole_amount(name, quantity.nanos());
    if (is_card_resource(name)) {
      amount = std::clamp<std::int64_t>(amount, 0, kMaxCardsPerNode) * engine::kMilliPerCard;
    }
    amounts.push_back({names.resources.intern(name), amount});
  }
  std::ranges::sort(amounts);
  return amounts;
}

}  // namespace berth::dialects::kubernetes
