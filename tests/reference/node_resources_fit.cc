// NodeResourcesFit, the filter: the pod count and every resource the scheduler counts must be free on the node.
#include <algorithm>

#include "reference/cards.h"
#include "reference/filters.h"
#include "reference/requests.h"

namespace berth::reference {
namespace {

bool is_ignored(const api::NodeResourcesFitArgs& args, const std::string& resource) {
  if (!is_extended(resource)) return false;
  if (std::ranges::find(args.ignored_resources, resource) != args.ignored_resources.end()) return true;
  const std::string group = resource.substr(0, resource.find('/'));
  return std::ranges::find(args.ignored_resource_groups, group) != args.ignored_resource_groups.end();
}

}  // namespace

Verdict filter_node_resources_fit(const Question& question, std::size_t node) {
  const NodeState& state = question.snapshot.nodes[node];
  const auto& args = question.profile.node_resources_fit;
  const bool too_many = static_cast<std::int64_t>(state.pods.size()) + 1 > allocatable(*state.node, "pods");
  bool too_large = false;
  bool insufficient = false;
  bool cards_insufficient = false;
  for (const auto& [resource, request] : held_requests(question.pod)) {
    if (request <= 0 || is_ignored(args, resource)) continue;
    const std::int64_t room = allocatable(*state.node, resource);
    if (request > room) too_large = true;
    if (request > room - state.used(resource)) insufficient = true;
    if (resource == kCardResource && !cards_fit(state, question.pod)) cards_insufficient = true;
  }
  // One resource that no eviction can supply makes the node hopeless, whatever else is short.
  if (too_many) return {Cause::kTooManyPods, too_large};
  if (too_large) return {Cause::kTooLarge, true};
  if (insufficient) return {Cause::kInsufficient, false};
  if (cards_insufficient) return {Cause::kCardFragmented, false};
  return {};
}

}  // namespace berth::reference
