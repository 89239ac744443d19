#include "reference/gangs.h"

#include <algorithm>

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

bool search(std::vector<GangNode>& nodes, const std::vector<GangMember>& members, const std::vector<GangGroup>& groups,
            std::vector<std::int32_t>& node_of, std::size_t member) {
  if (member == members.size()) return is_whole(nodes, members, groups, node_of);
  for (std::size_t n = 0; n < nodes.size(); ++n) {
    std::vector<std::int64_t>& free = nodes[n].free;
    const std::vector<std::int64_t>& request = members[member].request;
    bool fits = true;
    for (std::size_t r = 0; r < request.size(); ++r) fits = fits && request[r] <= free[r];
    if (!fits) continue;
    for (std::size_t r = 0; r < request.size(); ++r) free[r] -= request[r];
    node_of[member] = static_cast<std::int32_t>(n);
    const bool found = search(nodes, members, groups, node_of, member + 1);
    for (std::size_t r = 0; r < request.size(); ++r) free[r] += request[r];
    if (found) return true;
  }
  node_of[member] = -1;
  return search(nodes, members, groups, node_of, member + 1);
}

}  // namespace

bool is_whole(const std::vector<GangNode>& nodes, const std::vector<GangMember>& members,
              const std::vector<GangGroup>& groups, const std::vector<std::int32_t>& node_of) {
  if (!is_satisfied(members, groups, node_of, 0)) return false;
  for (std::size_t group = 0; group < groups.size(); ++group) {
    if (!in_one_domain(nodes, members, groups, node_of, group)) return false;
  }
  return true;
}

bool can_start(const std::vector<GangNode>& nodes, const std::vector<GangMember>& members,
               const std::vector<GangGroup>& groups) {
  std::vector<GangNode> rest = nodes;
  std::vector<std::int32_t> node_of(members.size(), -1);
  return search(rest, members, groups, node_of, 0);
}

}  // namespace berth::reference
