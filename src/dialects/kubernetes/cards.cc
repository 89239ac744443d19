#include "dialects/kubernetes/cards.h"

#include <algorithm>
#include <array>
#include <limits>
#include <optional>

#include "api/quantity.h"
#include "base/whole_number.h"
#include "dialects/kubernetes/selectors.h"

namespace berth::dialects::kubernetes {
namespace {

struct CardName {
  std::string_view name;
  enum class Match : std::uint8_t { kExact, kPrefix } match = Match::kExact;
};

// Besides these, every vendor's "DOMAIN/gpu" counts cards.
constexpr std::array kCardNames = std::to_array<CardName>({
    {"nvidia.com/gpu.shared"},
    {"nvidia.com/mig-", CardName::Match::kPrefix},
    {"gpu.intel.com/i915"},
    {"gpu.intel.com/xe"},
    {"habana.ai/gaudi"},
    {"huawei.com/Ascend", CardName::Match::kPrefix},
    {"google.com/tpu"},
    {"aws.amazon.com/neuron"},
    {"aws.amazon.com/neurondevice"},
    {"volcano.sh/vgpu-number"},
    {kStudyCardResource},
});

// Where a labeller writes the product and the memory of a resource's cards. The first label present wins.
struct CardLabels {
  std::string_view resource;
  std::array<std::string_view, 2> product;
  std::array<std::string_view, 2> memory;
  std::int64_t memory_unit = 1;  // bytes per unit where the label is a bare number
};

constexpr std::array kCardLabels = std::to_array<CardLabels>({
    {"nvidia.com/gpu", {"nvidia.com/gpu.product", ""}, {"nvidia.com/gpu.memory", ""}, kMebibyte},
    {"nvidia.com/gpu.shared", {"nvidia.com/gpu.product", ""}, {"nvidia.com/gpu.memory", ""}, kMebibyte},
    {"amd.com/gpu",
     {"amd.com/gpu.product-name", "beta.amd.com/gpu.product-name"},
     {"amd.com/gpu.vram", "beta.amd.com/gpu.vram"},
     1},
    {"gpu.intel.com/i915", {"gpu.intel.com/product", ""}, {"gpu.intel.com/memory.max", ""}, 1},
    {"gpu.intel.com/xe", {"gpu.intel.com/product", ""}, {"gpu.intel.com/memory.max", ""}, 1},
    {kStudyCardResource, {kStudyModelLabel, ""}, {"", ""}, 1},
});

std::string_view first_label(const api::StringMap& labels, const std::array<std::string_view, 2>& keys) {
  for (const std::string_view key : keys) {
    if (key.empty()) continue;
    if (const auto found = labels.find(key); found != labels.end()) return found->second;
  }
  return {};
}

// "81920" in the labeller's unit, or "64G" as AMD writes it, which means binary gigabytes. A label that spells no
// amount says nothing; a memory size that is not known is 0.
std::int64_t memory_bytes(std::string_view text, std::int64_t unit) {
  if (const auto number = whole_number<std::int64_t>(text, 0)) {
    return *number > std::numeric_limits<std::int64_t>::max() / unit ? 0 : *number * unit;
  }
  std::string quantity(text);
  if (quantity.ends_with('G') || quantity.ends_with('M')) quantity += 'i';
  const auto parsed = api::Quantity::parse(quantity);
  return parsed && !parsed->is_negative() ? parsed->value() : 0;
}

// GPU feature discovery describes each MIG profile of a node under its own prefix.
engine::NodeInput::CardGroup mig_group(std::string_view resource, const api::StringMap& labels, engine::Names& names) {
  engine::NodeInput::CardGroup group;
  group.resource = names.resources.intern(resource);
  const std::string prefix(resource);
  if (const auto product = labels.find(prefix + ".product"); product != labels.end()) {
    group.product = names.products.intern(product->second);
  }
  if (const auto memory = labels.find(prefix + ".memory"); memory != labels.end()) {
    group.memory_bytes = memory_bytes(memory->second, kMebibyte);
  }
  return group;
}

}  // namespace

bool is_card_resource(std::string_view name) {
  const std::size_t slash = name.find('/');
  if (slash == std::string_view::npos || name.starts_with("requests.")) return false;
  if (name.substr(slash + 1) == "gpu") return true;
  return std::ranges::any_of(kCardNames, [name](const CardName& card) {
    return card.match == CardName::Match::kPrefix ? name.starts_with(card.name) : name == card.name;
  });
}

engine::NodeInput::CardGroup card_group(std::string_view resource, const api::StringMap& labels, engine::Names& names) {
  if (resource.starts_with("nvidia.com/mig-")) return mig_group(resource, labels, names);
  engine::NodeInput::CardGroup group;
  group.resource = names.resources.intern(resource);
  const auto* const known = std::ranges::find(kCardLabels, resource, &CardLabels::resource);
  if (known == kCardLabels.end()) return group;
  if (const std::string_view product = first_label(labels, known->product); !product.empty()) {
    group.product = names.products.intern(product);
  }
  if (const std::string_view memory = first_label(labels, known->memory); !memory.empty()) {
    group.memory_bytes = memory_bytes(memory, known->memory_unit);
  }
  return group;
}

}  // namespace berth::dialects::kubernetes
