#include "dialects/kubernetes/pins.h"

#include <optional>
#include <string_view>
#include <utility>

#include "base/sort_unique.h"
#include "dialects/kubernetes/selectors.h"
#include "engine/world/shape.h"

namespace berth::dialects::kubernetes {
namespace {

// None where they are too many for a search to look at each.
std::optional<engine::NameRequirement> nodes_of(const engine::Requirement& hosts, const Context& context,
                                                engine::Names& names) {
  constexpr std::size_t kMost = engine::Shape::kMostNarrowed;
  engine::NameRequirement result;
  if (hosts.values.size() > kMost) return std::nullopt;
  for (const engine::LabelValueId value : hosts.values) {
    for (const api::Node* node : context.nodes_of_host(names.text(value))) {
      if (result.names.size() >= kMost) return std::nullopt;
      result.names.push_back(names.names.intern(node->metadata.name));
    }
  }
  sort_unique(result.names);
  return result;
}

}  // namespace

void add_names_of_hosts(std::vector<engine::NodeSelector>& selectors, const Context& context, engine::Names& names) {
  if (selectors.empty()) return;
  const engine::LabelKeyId host = names.label_keys.find(Context::kHostLabel);
  if (host.is_none()) return;
  for (engine::NodeSelector& selector : selectors) {
    for (engine::NodeTerm& term : selector.terms) {
      for (const engine::Requirement& requirement : term.labels) {
        if (requirement.key != host || requirement.op != engine::Operator::kIn) continue;
        if (auto found = nodes_of(requirement, context, names)) term.names.push_back(*std::move(found));
      }
    }
  }
}

}  // namespace berth::dialects::kubernetes
