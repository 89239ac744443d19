#include "reference/gangs.h"

#include <algorithm>
#include <functional>
#include <map>
#include <optional>

namespace berth::reference {
namespace {

bool is_below(const std::vector<GangGroup>& groups, std::size_t group, std::size_t above) {
  while (group != above && group != 0) group = groups[group].parent;
  return group == above;
}

bool is_satisfied(const std::vector<GangMember>& members, const std::vector<GangGroup>& groups,
                  const std::vector<std::int32_t>& node_of, std::size_t group) {
  std::int32_t pods = 0;
  for (std::size_t i = 0; i < members.size(); ++i) {
    if (node_of[i] >= 0 && is_below(groups, members[i].group, group)) ++pods;
  }
  if (pods < groups[group].minimum_pods) return false;
  std::int32_t children = 0;
  for (std::size_t i = 1; i < groups.size(); ++i) {
    if (groups[i].parent == group && is_satisfied(members, groups, node_of, i)) ++children;
  }
  return children >= groups[group].minimum_children;
}

bool in_one_domain(const std::vector<GangNode>& nodes, const std::vector<GangMember>& members,
                   const std::vector<GangGroup>& groups, const std::vector<std::int32_t>& node_of, std::size_t group) {
  const std::int32_t level = groups[group].required_level;
  if (level < 0) return true;
  std::int32_t domain = -1;
  for (std::size_t i = 0; i < members.size(); ++i) {
    if (node_of[i] < 0 || !is_below(groups, members[i].group, group)) continue;
    const std::int32_t here = nodes[static_cast<std::size_t>(node_of[i])].domains[static_cast<std::size_t>(level)];
    if (here < 0 || (domain >= 0 && here != domain)) return false;
    domain = here;
  }
  return true;
}

bool in_slices(const std::vector<GangNode>& nodes, const std::vector<GangMember>& members,
               const std::vector<GangGroup>& groups, const std::vector<std::int32_t>& node_of, std::size_t leaf) {
  const GangGroup& group = groups[leaf];
  if (group.slice_size == 0) return true;
  std::map<std::int32_t, std::int32_t> pods;
  std::int32_t all = 0;
  for (std::size_t i = 0; i < members.size(); ++i) {
    if (node_of[i] < 0 || members[i].group != leaf) continue;
    const std::int32_t domain =
        nodes[static_cast<std::size_t>(node_of[i])].domains[static_cast<std::size_t>(group.slice_level)];
    if (domain < 0) return false;
    ++pods[domain];
    ++all;
  }
  std::int32_t whole = 0;
  for (const auto& [domain, here] : pods) whole += here / group.slice_size;
  return whole == all / group.slice_size;
}

// Calls visit for each placement that starts the gang, until it returns true.
bool search(std::vector<GangNode>& nodes, const std::vector<GangMember>& members, const std::vector<GangGroup>& groups,
            std::vector<std::int32_t>& node_of, std::size_t member, const std::function<bool()>& visit) {
  if (member == members.size()) return is_whole(nodes, members, groups, node_of) && visit();
  for (std::size_t n = 0; n < nodes.size(); ++n) {
    std::vector<std::int64_t>& free = nodes[n].free;
    const std::vector<std::int64_t>& request = members[member].request;
    bool fits = true;
    for (std::size_t r = 0; r < request.size(); ++r) fits = fits && request[r] <= free[r];
    if (!fits) continue;
    for (std::size_t r = 0; r < request.size(); ++r) free[r] -= request[r];
    node_of[member] = static_cast<std::int32_t>(n);
    const bool found = search(nodes, members, groups, node_of, member + 1, visit);
    for (std::size_t r = 0; r < request.size(); ++r) free[r] += request[r];
    if (found) return true;
  }
  node_of[member] = -1;
  return search(nodes, members, groups, node_of, member + 1, visit);
}

}  // namespace

bool is_whole(const std::vector<GangNode>& nodes, const std::vector<GangMember>& members,
              const std::vector<GangGroup>& groups, const std::vector<std::int32_t>& node_of) {
  if (!is_satisfied(members, groups, node_of, 0)) return false;
  for (std::size_t group = 0; group < groups.size(); ++group) {
    if (!in_one_domain(nodes, members, groups, node_of, group)) return false;
    if (!in_slices(nodes, members, groups, node_of, group)) return false;
  }
  return true;
}

bool can_start(const std::vector<GangNode>& nodes, const std::vector<GangMember>& members,
               const std::vector<GangGroup>& groups) {
  std::vector<GangNode> rest = nodes;
  std::vector<std::int32_t> node_of(members.size(), -1);
  return search(rest, members, groups, node_of, 0, [] { return true; });
}

GangSpread spread_of(const std::vector<GangNode>& nodes, const std::vector<std::int32_t>& node_of, std::int32_t level) {
  std::map<std::int32_t, std::int32_t> pods;
  GangSpread result;
  for (const std::int32_t node : node_of) {
    if (node < 0) continue;
    const std::int32_t domain = nodes[static_cast<std::size_t>(node)].domains[static_cast<std::size_t>(level)];
    if (domain < 0) {
      ++result.domains;
    } else {
      result.largest = std::max(result.largest, ++pods[domain]);
    }
  }
  result.domains += static_cast<std::int32_t>(pods.size());
  return result;
}

GangSpread best_spread(const std::vector<GangNode>& nodes, const std::vector<GangMember>& members,
                       const std::vector<GangGroup>& groups, std::int32_t level) {
  std::vector<GangNode> rest = nodes;
  std::vector<std::int32_t> node_of(members.size(), -1);
  std::optional<GangSpread> best;
  (void)search(rest, members, groups, node_of, 0, [&] {
    const GangSpread here = spread_of(nodes, node_of, level);
    if (!best || here < *best) best = here;
    return false;
  });
  return best.value_or(GangSpread{});
}

}  // namespace berth::reference
