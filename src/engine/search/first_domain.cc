#include "engine/search/first_domain.h"

#include <algorithm>
#include <cstdint>

#include "base/mutant.h"
#include "engine/fit/filters.h"

namespace berth::engine {
namespace {

// Nobody is there to follow yet, and it may be the first.
bool may_begin(const Question& question) {
  const Profile& profile = *question.shape.profile;
  return !mutant("Search.FirstDomain") && !question.shape.input.claims.empty() && !question.plan.affinity.empty() &&
         question.plan.matches_itself && profile.placement_policy != nullptr &&
         std::ranges::find(profile.filters, Filter::kInterPodAffinity) != profile.filters.end() &&
         !question.world.topology().affinity_found(question.plan);
}

}  // namespace

std::optional<Bitmap> first_domains(const Question& question, const Bitmap& feasible, std::span<const Mask> masks) {
  if (!may_begin(question)) return std::nullopt;
  Bitmap allowed = feasible;
  for (const Mask& mask : masks) allowed.keep(mask.words, mask.keep);
  const World& world = question.world;
  const DomainTable& table = world.topology().counter(question.plan.affinity.front()).table();
  std::vector<std::uint32_t> nodes(table.domains.size());
  allowed.for_each([&](std::size_t rank) {
    const std::uint32_t domain = table.domain(world.at_rank(static_cast<std::uint32_t>(rank)));
    if (domain != DomainTable::kNone) ++nodes[domain];
  });
  const std::uint32_t wanted = std::max<std::uint32_t>(question.shape.users - question.shape.placed, 1);
  std::uint32_t best = 0;
  for (const std::uint32_t count : nodes) {
    const bool better = best >= wanted ? count >= wanted && count < best : count > best;
    if (better) best = count;
  }
  if (best == 0) return std::nullopt;
  Bitmap result(world.rank_count());
  for (std::uint32_t domain = 0; domain < nodes.size(); ++domain) {
    if (nodes[domain] == best) table.assign(result, domain, true);
  }
  return result;
}

std::vector<NodeId> in_first_domains(const Question& question, std::vector<NodeId> feasible) {
  if (!may_begin(question)) return feasible;
  Bitmap ranks(question.world.rank_count());
  for (const NodeId node : feasible) ranks.set(question.world.node(node).rank);
  const auto domains = first_domains(question, ranks, {});
  if (domains) std::erase_if(feasible, [&](NodeId node) { return !domains->test(question.world.node(node).rank); });
  return feasible;
}

}  // namespace berth::engine
