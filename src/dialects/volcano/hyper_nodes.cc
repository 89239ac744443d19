#include "dialects/volcano/hyper_nodes.h"

#include <algorithm>
#include <memory>
#include <set>

#include <fmt/format.h>

#include "base/sort_unique.h"
#include "cel/regex.h"

namespace berth::dialects::volcano {
namespace {

using api::volcano::HyperNodeMember;
using api::volcano::MemberType;

constexpr std::string_view kTopologyName = "volcano/hypernodes";

// Which names a member selects.
class Selection {
 public:
  explicit Selection(const HyperNodeMember& member) : member_(member) {
    if (!member.regex_pattern.empty()) pattern_ = cel::compile_pattern(member.regex_pattern);
  }

  [[nodiscard]] bool is_valid() const { return member_.regex_pattern.empty() || pattern_ != nullptr; }
  [[nodiscard]] bool takes(const std::string& name, const api::StringMap& labels) const {
    if (!member_.exact_name.empty()) return name == member_.exact_name;
    // An empty one selects nothing, as in Volcano.
    if (member_.label_match)
      return (!member_.label_match->match_labels.empty() || !member_.label_match->match_expressions.empty()) &&
             api::matches(*member_.label_match, labels);
    return pattern_ != nullptr && cel::matches_part(*pattern_, name);
  }

 private:
  const HyperNodeMember& member_;
  std::shared_ptr<const re2::RE2> pattern_;
};

}  // namespace

void HyperNodes::find_members(const api::ObjectSet& objects) {
  for (auto& [name, inside] : inside_) {
    for (const HyperNodeMember& member : inside.read->object.members) {
      const Selection selection(member);
      if (!selection.is_valid()) continue;
      if (member.type == MemberType::kNode) {
        for (const auto& node : objects.nodes)
          if (selection.takes(node.object.metadata.name, node.object.metadata.labels))
            inside.nodes.push_back(node.object.metadata.name);
      } else {
        for (auto& [other, child] : inside_) {
          if (other == name || !selection.takes(other, {})) continue;
          inside.children.push_back(other);
          child.parents.push_back(name);
        }
      }
    }
  }
}

void HyperNodes::read(const workloads::Scene& scene, workloads::Reading& out) {
  inside_.clear();
  tiers_.clear();
  tier_names_.clear();
  of_node_.clear();
  if (scene.objects.hyper_nodes.empty()) return;
  for (const auto& read : scene.objects.hyper_nodes) {
    inside_.try_emplace(read.object.metadata.name, Inside{.read = &read});
    for (std::size_t i = 0; i < read.object.members.size(); ++i) {
      if (Selection(read.object.members[i]).is_valid()) continue;
      out.remark(ErrorCode::kInvalid, read.place, fmt::format("spec.members[{}].selector.regexMatch.pattern", i),
                 "The pattern is no regular expression of RE2, so it selects nothing; correct it.");
    }
  }
  find_members(scene.objects);
  for (auto& [name, inside] : inside_) {
    sort_unique(inside.parents);
    if (inside.parents.size() > 1) {
      out.remark(
          ErrorCode::kInvalid, inside.read->place, "metadata.name",
          fmt::format("HyperNode {} is in {}, and one HyperNode can be in one only; it counts in the first. Take it "
                      "out of the others.",
                      name, fmt::join(inside.parents, " and in ")));
      inside.parents.resize(1);
    }
    // A child that is not tighter is a circle, or would be one domain in another of its own level.
    if (!inside.parents.empty() && inside_.at(inside.parents.front()).read->object.tier <= inside.read->object.tier) {
      out.remark(
          ErrorCode::kInvalid, inside.read->place, "spec.tier",
          fmt::format("HyperNode {} of tier {} is in {} of tier {}, which has to be wider; it stands alone. Give the "
                      "outer one a higher tier.",
                      name, inside.read->object.tier, inside.parents.front(),
                      inside_.at(inside.parents.front()).read->object.tier));
      inside.parents.clear();
    }
    tiers_.push_back(inside.read->object.tier);
    if (!inside.read->object.tier_name.empty())
      tier_names_.emplace(inside.read->object.tier_name, inside.read->object.tier);
  }
  sort_unique(tiers_);
  for (const auto& [name, inside] : inside_) label_nodes(name, name, out);
  engine::TopologyInput topology;
  topology.name = names_.names.intern(kTopologyName);
  for (auto tier = tiers_.rbegin(); tier != tiers_.rend(); ++tier) topology.levels.push_back(level(*tier));
  out.topologies.push_back(std::move(topology));
}

// The nodes of `from` are in `hyper_node` and in everything above it.
void HyperNodes::label_nodes(const std::string& hyper_node, const std::string& from, workloads::Reading& out) {
  const api::Read<api::volcano::HyperNode>& read = *inside_.at(hyper_node).read;
  std::set<std::string> others;
  for (const std::string& node : inside_.at(from).nodes) {
    const auto [entry, added] = of_node_[node].try_emplace(read.object.tier, hyper_node);
    if (added || entry->second == hyper_node || !others.insert(entry->second).second) continue;
    out.remark(ErrorCode::kInvalid, read.place, "spec.members",
               fmt::format("Node {} is in HyperNodes {} and {}, which have one tier, {}. Volcano counts its room in "
                           "both; here it counts in {} alone, so that {} may be too small for a group. Take the node "
                           "out of one of them.",
                           node, entry->second, hyper_node, read.object.tier, entry->second, hyper_node));
  }
  const std::vector<std::string>& parents = inside_.at(hyper_node).parents;
  // Tiers rise on the way, so it ends.
  if (!parents.empty()) label_nodes(parents.front(), from, out);
}

engine::LabelKeyId HyperNodes::level(std::int32_t tier) const {
  return names_.label_keys.intern(fmt::format("hypernode.volcano.sh/tier-{}", tier));
}

void HyperNodes::add_labels(const std::string& node, engine::Labels& labels) const {
  const auto found = of_node_.find(node);
  if (found == of_node_.end()) return;
  // A tier that the node is in no HyperNode of is one of its own: the chain of domains has no holes.
  const std::int32_t widest = found->second.rbegin()->first;
  for (const std::int32_t tier : tiers_) {
    const auto at = found->second.lower_bound(tier);
    if (tier > widest) break;
    const std::string value = at->first == tier ? at->second : fmt::format("{} alone", node);
    labels.push_back({level(tier), names_.label_value(value)});
  }
  std::ranges::sort(labels);
}

engine::TopologyRule HyperNodes::rule(const api::volcano::NetworkTopology& topology, const Place& place,
                                      workloads::Reading& out) const {
  engine::TopologyRule rule;
  if (tiers_.empty()) {
    out.remark(ErrorCode::kInvalid, place, "spec.networkTopology",
               "There are no HyperNodes among the objects, so the pods may be anywhere. Add the "
               "HyperNodes to the input.");
    return rule;
  }
  rule.topology = names_.names.intern(kTopologyName);
  rule.preferred = level(tiers_.front());
  if (topology.mode == api::volcano::TopologyMode::kSoft) return rule;
  std::optional<std::int32_t> highest = topology.highest_tier_allowed;
  if (!topology.highest_tier_name.empty()) {
    const auto named = tier_names_.find(topology.highest_tier_name);
    if (named == tier_names_.end()) {
      out.remark(ErrorCode::kInvalid, place, "spec.networkTopology.highestTierName",
                 fmt::format("No HyperNode has the tier name {}, so any tier will do; correct it.",
                             topology.highest_tier_name));
      return rule;
    }
    highest = named->second;
  }
  if (!highest) return rule;
  const auto above = std::ranges::upper_bound(tiers_, *highest);
  // Below every tier there is nothing but single nodes.
  rule.required = above == tiers_.begin() ? names_.label_keys.intern("kubernetes.io/hostname") : level(*(above - 1));
  if (above == tiers_.begin()) rule.preferred = {};
  return rule;
}

}  // namespace berth::dialects::volcano
