#include "dialects/kubernetes/card_shares.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>

#include <fmt/format.h>

#include "base/sort_unique.h"
#include "base/whole_number.h"
#include "dialects/kubernetes/cards.h"
#include "dialects/kubernetes/kai_groups.h"
#include "dialects/kubernetes/selectors.h"

namespace berth::dialects::kubernetes {
namespace {

using engine::kMilliPerCard;

constexpr std::string_view kKaiScheduler = "kai-scheduler";
constexpr std::string_view kKaiQueueLabel = "kai.scheduler/queue";
constexpr std::string_view kVolcanoMemory = "volcano.sh/vgpu-memory";
constexpr std::string_view kVolcanoCores = "volcano.sh/vgpu-cores";
constexpr std::int64_t kCoresPerCard = 100;
constexpr std::int64_t kMostMebibytes = std::int64_t{1} << 32U;  // far above any card, and no sum overflows
constexpr std::int64_t kMostCards = 4096;
constexpr std::int64_t kSlotsPerCard = 10;

const std::string* annotation(const api::Pod& pod, std::string_view key) {
  const auto found = pod.metadata.annotations.find(key);
  return found == pod.metadata.annotations.end() ? nullptr : &found->second;
}

// A decimal fraction above 0 and below 1, in billionths, rounded up.
std::optional<std::int64_t> fraction_billionths(std::string_view text) {
  constexpr std::int64_t kWhole = 1'000'000'000;
  constexpr std::size_t kDigits = 9;
  const std::size_t point = text.find('.');
  if (point == std::string_view::npos || text.find_first_not_of("0123456789.") != std::string_view::npos) return {};
  const std::string_view before = text.substr(0, point);
  const std::string_view after = text.substr(point + 1);
  if (before.find_first_not_of('0') != std::string_view::npos || after.find('.') != std::string_view::npos) return {};
  std::int64_t billionths = 0;
  for (std::size_t i = 0; i < kDigits; ++i) billionths = billionths * 10 + (i < after.size() ? after[i] - '0' : 0);
  if (after.size() > kDigits && after.find_first_not_of('0', kDigits) != std::string_view::npos) ++billionths;
  if (billionths < 1) return {};
  return std::min(billionths, kWhole - 1);
}

// A share below a thousandth counts as one.
void ask_for(engine::CardRequest& request, std::int64_t billionths) {
  request.milli = static_cast<std::int32_t>(billionths / engine::kMillionthsPerMilli);
  request.millionths = static_cast<std::int32_t>(billionths % engine::kMillionthsPerMilli);
  if (request.milli > 0) return;
  request.milli = 1;
  request.millionths = 0;
}

CardShare bad(std::string_view key, std::string_view text, std::string_view wanted) {
  return {.problem = fmt::format("{}: \"{}\"; {}", key, text, wanted)};
}

std::int64_t asked(const api::Container& container, std::string_view resource) {
  const auto found = container.resources.requests.find(resource);
  return found == container.resources.requests.end() ? 0 : found->second.value();
}

}  // namespace

CardShare study_share(const api::Pod& pod, engine::Names& names) {
  const std::string* count = annotation(pod, kStudyCardResource);
  const std::string* milli = annotation(pod, kStudyMilliResource);
  const auto is_zero = [](const std::string* text) { return text != nullptr && *text == "0"; };
  if ((count == nullptr && milli == nullptr) || is_zero(count) || is_zero(milli)) return {};
  engine::CardRequest request;
  request.resource = names.resources.intern(kStudyCardResource);
  request.count = 1;
  if (count != nullptr) {
    const auto cards = whole_number<std::int64_t>(*count, 1, kMostCards);
    if (!cards) return bad(kStudyCardResource, *count, "write the number of cards, such as 2");
    request.count = static_cast<std::int32_t>(*cards);
  }
  if (milli != nullptr) {
    const auto share = whole_number<std::int64_t>(*milli, 1, kMilliPerCard);
    if (!share) return bad(kStudyMilliResource, *milli, "write thousandths of a card, 1 to 1000");
    if (request.count == 1) request.milli = static_cast<std::int32_t>(*share);
  }
  if (const std::string* models = annotation(pod, kStudyModelLabel)) {
    std::string_view rest = *models;
    while (!rest.empty()) {
      const std::size_t bar = std::min(rest.find('|'), rest.size());
      if (bar > 0) request.products.push_back(names.products.intern(rest.substr(0, bar)));
      rest.remove_prefix(std::min(bar + 1, rest.size()));
    }
    sort_unique(request.products);
  }
  return {.request = std::move(request)};
}

CardShare kai_share(const api::Pod& pod, engine::Names& names) {
  const bool is_kai =
      pod.spec.scheduler_name == kKaiScheduler || pod.metadata.labels.contains(kKaiQueueLabel) || has_kai_group(pod);
  const std::string* fraction = annotation(pod, "gpu-fraction");
  const std::string* memory = annotation(pod, "gpu-memory");
  const std::string* devices = annotation(pod, "gpu-fraction-num-devices");
  if (!is_kai || (fraction == nullptr && memory == nullptr && devices == nullptr)) return {};
  if (fraction != nullptr && memory != nullptr)
    return bad("gpu-fraction and gpu-memory", *fraction + "\", \"" + *memory, "ask for one of the two");
  engine::CardRequest request;
  request.resource = names.resources.intern(kKaiCards);
  request.count = 1;
  if (fraction != nullptr) {
    const auto billionths = fraction_billionths(*fraction);
    if (!billionths) return bad("gpu-fraction", *fraction, "write a number above 0 and below 1, such as 0.5");
    ask_for(request, *billionths);
  } else if (memory != nullptr) {
    const auto amount = whole_number<std::int64_t>(*memory, 1, kMostMebibytes);
    if (!amount) return bad("gpu-memory", *memory, "write whole MiB, such as 2000");
    request.milli = 0;
    request.memory_bytes = *amount * kMebibyte;
  }
  if (devices != nullptr) {
    if (fraction == nullptr && memory == nullptr)
      return bad("gpu-fraction-num-devices", *devices, "ask for gpu-fraction or gpu-memory of each");
    const auto count = whole_number<std::int64_t>(*devices, 1, kMostCards);
    if (!count) return bad("gpu-fraction-num-devices", *devices, "write the number of cards, such as 2");
    request.count = static_cast<std::int32_t>(*count);
  }
  for (const auto* containers : {&pod.spec.containers, &pod.spec.init_containers}) {
    for (const api::Container& container : *containers) {
      if (asked(container, kKaiCards) > 0)
        return bad(fraction != nullptr ? "gpu-fraction" : "gpu-memory", fraction != nullptr ? *fraction : *memory,
                   "a pod asks for a share or for whole nvidia.com/gpu, not for both");
    }
  }
  return {.request = std::move(request)};
}

CardShare volcano_share(const api::Pod& pod, engine::Names& names) {
  std::int64_t count = 0;
  std::int64_t memory = 0;
  std::int64_t percent = 0;
  std::int64_t cores = 0;
  // Containers that ask for different shares all get the largest, so that none gets too little.
  const auto add = [&](const api::Container& container) {
    const std::int64_t number = asked(container, kVolcanoGpuNumber);
    if (number <= 0) return std::int64_t{0};
    const std::int64_t own_memory = asked(container, kVolcanoMemory);
    const std::int64_t own_percent = asked(container, "volcano.sh/vgpu-memory-percentage");
    memory = std::max(memory, own_memory);
    percent = std::max(percent, own_memory > 0 ? 0 : own_percent > 0 ? own_percent : 100);
    cores = std::max(cores, asked(container, kVolcanoCores));
    return std::min(number, kMostCards);
  };
  std::int64_t sidecars = 0;
  std::int64_t init = 0;
  for (const api::Container& container : pod.spec.init_containers) {
    const std::int64_t number = add(container);
    if (container.restart_always) {
      sidecars += number;
    } else {
      init = std::max(init, sidecars + number);
    }
  }
  for (const api::Container& container : pod.spec.containers) count += add(container);
  count = std::max(count + sidecars, init);
  if (count == 0) return {};
  if (percent > 100) return bad("volcano.sh/vgpu-memory-percentage", std::to_string(percent), "100 is all of a card");
  if (cores > 100) return bad("volcano.sh/vgpu-cores", std::to_string(cores), "100 is all of a card");
  if (memory > kMostMebibytes) return bad("volcano.sh/vgpu-memory", std::to_string(memory), "no card has so many MiB");
  engine::CardRequest request;
  request.resource = names.resources.intern(kVolcanoGpuNumber);
  request.count = static_cast<std::int32_t>(std::min(count, kMostCards));
  request.milli = static_cast<std::int32_t>(std::max(cores, percent) * (kMilliPerCard / 100));
  request.memory_bytes = memory * kMebibyte;
  std::vector<engine::ResourceAmount> counted = {{request.resource, request.count * engine::Amount{kMilliPerCard}}};
  if (memory > 0) counted.push_back({names.resources.intern(kVolcanoMemory), request.count * memory});
  if (cores > 0) counted.push_back({names.resources.intern(kVolcanoCores), request.count * cores});
  std::ranges::sort(counted);
  return {.request = std::move(request), .counted = std::move(counted)};
}

namespace {

// The cards of the annotation: "UUID,SLOTS,MEMORY,TYPE,HEALTH:...", memory in MiB.
VolcanoCards registered(std::string_view rest) {
  VolcanoCards result;
  while (!rest.empty()) {
    const std::string_view entry = rest.substr(0, rest.find(':'));
    rest.remove_prefix(std::min(entry.size() + 1, rest.size()));
    std::array<std::string_view, 5> fields;
    std::string_view left = entry;
    for (std::size_t read = 0; read < fields.size() && !left.empty(); ++read) {
      fields[read] = left.substr(0, left.find(','));
      left.remove_prefix(std::min(fields[read].size() + 1, left.size()));
    }
    const auto mebibytes = whole_number<std::int64_t>(fields[2], 1, kMostMebibytes);
    if (!mebibytes) {
      result.unreadable.emplace_back(entry);
      continue;
    }
    if (fields[4] == "false") continue;
    ++result.count;
    const std::int64_t memory = *mebibytes * kMebibyte;
    result.memory_bytes = result.count == 1 ? memory : std::min(result.memory_bytes, memory);
  }
  return result;
}

}  // namespace

std::optional<VolcanoCards> volcano_cards(const api::Node& node, engine::Names& names) {
  const api::ResourceList& offered = node.allocatable.empty() ? node.capacity : node.allocatable;
  const auto amount = [&offered](std::string_view resource, std::int64_t most) {
    const auto found = offered.find(resource);
    return found == offered.end() ? 0 : std::clamp<std::int64_t>(found->second.value(), 0, most);
  };
  if (!offered.contains(kVolcanoGpuNumber)) return std::nullopt;
  VolcanoCards result;
  if (const auto found = node.metadata.annotations.find(kVolcanoRegisterAnnotation);
      found != node.metadata.annotations.end())
    result = registered(found->second);
  const std::int64_t slots = amount(kVolcanoGpuNumber, kMostCards * kSlotsPerCard);
  const std::int64_t memory = amount(kVolcanoMemory, kMostMebibytes);
  if (result.count == 0) {
    result.count = (slots + kSlotsPerCard - 1) / kSlotsPerCard;
    if (result.count > 0) result.memory_bytes = memory / result.count * kMebibyte;
  }
  result.counted = {
      {names.resources.intern(kVolcanoGpuNumber), slots * kMilliPerCard},
      {names.resources.intern(kVolcanoMemory), memory > 0 ? memory : result.count * (result.memory_bytes / kMebibyte)},
      {names.resources.intern(kVolcanoCores),
       std::max(amount(kVolcanoCores, kMostMebibytes), result.count * kCoresPerCard)}};
  std::ranges::sort(result.counted);
  return result;
}

}  // namespace berth::dialects::kubernetes
