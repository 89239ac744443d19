#include "engine/gang/balance.h"

#include <algorithm>
#include <utility>

#include "base/mutant.h"

namespace berth::engine {

std::vector<DomainPart> balanced_parts(const std::vector<std::int64_t>& room, std::int64_t slices) {
  std::vector<DomainPart> domains;  // with all that they could take, the largest first
  for (std::uint32_t i = 0; i < room.size(); ++i)
    if (room[i] > 0) domains.push_back({i, room[i]});
  std::ranges::sort(domains, std::ranges::greater{},
                    [](const DomainPart& each) { return std::pair(each.slices, each.domain); });
  std::size_t count = 0;
  for (std::int64_t sum = 0; sum < slices; ++count) {
    if (count == domains.size()) return {};
    sum += domains[count].slices;
  }
  // Whoever has less room than its share takes all that it can; the others share the rest.
  std::int64_t left = slices;
  std::size_t sharing = count;
  while (sharing > 1 && domains[sharing - 1].slices * static_cast<std::int64_t>(sharing) < left)
    left -= domains[--sharing].slices;
  const auto sharers = static_cast<std::int64_t>(sharing);
  std::vector<std::int64_t> parts;  // descending
  for (std::int64_t i = 0; i < sharers; ++i) parts.push_back(left / sharers + (i < left % sharers ? 1 : 0));
  for (std::size_t i = sharing; i < count; ++i) parts.push_back(domains[i].slices);
  // Each goes to the tightest domain that can take it and is free; what could take a larger part can take a smaller.
  std::vector<DomainPart> able;
  std::vector<DomainPart> result;
  auto next = domains.begin();
  for (const std::int64_t part : parts) {
    while (next != domains.end() && next->slices >= part) able.push_back(*next++);
    const auto chosen = mutant("Rule.TightestForBalance") ? able.begin() : able.end() - 1;
    result.push_back({chosen->domain, part});
    able.erase(chosen);
  }
  return result;
}

}  // namespace berth::engine
