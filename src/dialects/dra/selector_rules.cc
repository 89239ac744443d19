#include "dialects/dra/selector_rules.h"

#include <algorithm>
#include <limits>

#include "cel/lib/libraries.h"
#include "cel/lib/quantity.h"
#include "cel/standard.h"

namespace berth::dialects::dra {

namespace {

constexpr std::string_view kDeviceType = "kubernetes.DRADevice";
// Limits of resource.k8s.io/v1 in code points and elements.
constexpr std::int64_t kMaxDomain = 63;
constexpr std::int64_t kMaxIdentifier = 32;
constexpr std::int64_t kMaxDriver = 63;
constexpr std::int64_t kMaxAttributeText = 64;
constexpr std::int64_t kMaxNames = 32;  // attributes and capacities of a device

// Before 1.35 no new expression may use what 1.34 brought.
bool knows(const SelectorRules& rules, api::KubernetesVersion since) {
  return rules.stored ? rules.version >= since : rules.version > since;
}

}  // namespace

SelectorRules SelectorRules::of(api::KubernetesVersion version, const api::FeatureGates& gates, bool stored) {
  return {version, gates.on(api::Gate::kConsumableCapacity), gates.on(api::Gate::kListTypeAttributes), stored};
}

std::shared_ptr<const cel::Environment> selector_environment(const SelectorRules& rules) {
  using api::KubernetesVersion;
  cel::EnvironmentBuilder builder;
  cel::add_standard(builder);
  cel::add_optionals(builder);
  cel::add_total_milliseconds(builder);
  cel::add_bindings(builder);
  cel::add_two_variable_comprehensions(builder);
  cel::add_strings(builder);
  cel::add_first_format(builder);
  cel::add_sets(builder);
  cel::add_regex_find(builder);
  cel::add_urls(builder);
  cel::add_networks(builder);
  cel::add_formats(builder);
  cel::add_quantities(builder);
  cel::add_semvers(builder);
  if (knows(rules, KubernetesVersion::k134)) cel::add_lists(builder);
  const bool lists_known = rules.version >= KubernetesVersion::k136;
  cel::add_list_statistics(builder, lists_known && (rules.stored || rules.list_attributes));
  builder.set_homogeneous_literals(true);
  builder.set_any_map_keys(true);
  builder.set_literal_validation(true);

  cel::TypePool& pool = builder.types();
  const bool lists = lists_known && (rules.stored || rules.list_attributes);
  const auto text = [&](std::int64_t size) { return pool.sized(&cel::types::kString, size); };
  const auto names = [&](cel::TypeRef value) {
    const cel::TypeRef inner = pool.sized(pool.map(text(kMaxIdentifier), value), kMaxNames);
    return pool.sized(pool.map(text(kMaxDomain), inner), kMaxNames);
  };
  // A list is only known to be one when the selector runs, so what may be one may be iterated.
  const cel::TypeRef attribute = pool.sized(lists ? &cel::types::kDyn : &cel::types::kAny, kMaxAttributeText);
  const cel::TypeRef device = pool.structure(kDeviceType);
  cel::StructType type{
      device,
      {{"driver", text(kMaxDriver)}, {"attributes", names(attribute)}, {"capacity", names(cel::quantity_type())}}};
  if (rules.stored || rules.consumable_capacity) {
    type.fields.push_back({"allowMultipleAllocations", pool.sized(&cel::types::kBool, 1)});
  }
  builder.add_struct(std::move(type));
  builder.add_variable("device", device);
  return builder.build();
}

bool is_selector_type(cel::TypeRef type, const SelectorRules& rules) {
  if (type->kind == cel::TypeKind::kBool) return true;
  const bool lists = rules.version >= api::KubernetesVersion::k136 && (rules.stored || rules.list_attributes);
  return type->kind == (lists ? cel::TypeKind::kDyn : cel::TypeKind::kAny);
}

DeviceSizes::DeviceSizes(const cel::Environment& environment)
    : device_(environment.find_struct(kDeviceType)), device_type_(environment.find_variable("device")->type) {
  const auto attributes = std::ranges::find(device_->fields, std::string_view("attributes"), &cel::Field::name);
  attribute_ = attributes->type->parameters.back()->parameters.back();
}

std::optional<cel::Range> DeviceSizes::size(const cel::CostNode& node) const {
  if (node.path.empty() || node.path.front() != "device") return std::nullopt;
  cel::TypeRef type = device_type_;
  for (std::size_t i = 1; i < node.path.size(); ++i) {
    const std::string& step = node.path[i];
    if (step == "@items" || step == "@values") {
      if (type->kind != cel::TypeKind::kMap) return std::nullopt;
      type = type->parameters.back();
    } else if (step == "@keys") {
      if (type->kind != cel::TypeKind::kMap) return std::nullopt;
      type = type->parameters.front();
    } else if (type == device_type_) {
      const auto field = std::ranges::find(device_->fields, step, &cel::Field::name);
      if (field == device_->fields.end()) return std::nullopt;
      type = field->type;
    } else if (type->kind == cel::TypeKind::kMap && type->parameters.back() == attribute_) {
      type = attribute_;
    } else {
      return std::nullopt;
    }
  }
  if (type == device_type_) return cel::Range{};
  constexpr std::int64_t kAnySize = std::numeric_limits<std::int64_t>::max();
  return cel::Range{0, static_cast<std::uint64_t>(type->max_size < 0 ? kAnySize : type->max_size)};
}

}  // namespace berth::dialects::dra
