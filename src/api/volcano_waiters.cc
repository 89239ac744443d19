// Who waits for whom: names that exist, and no circle.
#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>

#include "api/decode_volcano_job.h"

namespace berth::api::volcano {

namespace {

// A waiter on a circle, if there is one: those that wait for nobody leave until nobody can. O(waiters + names).
std::optional<std::size_t> on_circle(const std::vector<std::vector<std::size_t>>& waits_for) {
  std::vector<std::vector<std::size_t>> waited_by(waits_for.size());
  std::vector<std::size_t> open(waits_for.size());
  std::vector<std::size_t> free;
  for (std::size_t i = 0; i < waits_for.size(); ++i) {
    for (const std::size_t other : waits_for[i]) waited_by[other].push_back(i);
    open[i] = waits_for[i].size();
    if (open[i] == 0) free.push_back(i);
  }
  for (std::size_t next = 0; next < free.size(); ++next)
    for (const std::size_t behind : waited_by[free[next]])
      if (--open[behind] == 0) free.push_back(behind);
  const auto stuck = std::ranges::find_if(open, [](std::size_t count) { return count > 0; });
  if (stuck == open.end()) return std::nullopt;
  // Whoever is left waits for somebody who is left; following them ends on the circle.
  auto at = static_cast<std::size_t>(stuck - open.begin());
  for (std::size_t step = 0; step < open.size(); ++step)
    at = *std::ranges::find_if(waits_for[at], [&open](std::size_t other) { return open[other] > 0; });
  return at;
}

}  // namespace

void check_waiters(DecodeContext& context, const Value& value, const std::vector<Waiter>& waiters,
                   const std::string& what) {
  boost::unordered_flat_map<std::string_view, std::size_t> by_name;
  for (std::size_t i = 0; i < waiters.size(); ++i)
    if (!by_name.try_emplace(*waiters[i].name, i).second)
      context.error(value, "Two " + what + "s are named " + *waiters[i].name + "; give each its own name.");
  std::vector<std::vector<std::size_t>> waits_for(waiters.size());
  for (std::size_t i = 0; i < waiters.size(); ++i) {
    for (const std::string& name : *waiters[i].waits_for) {
      const auto found = by_name.find(name);
      if (found != by_name.end()) {
        waits_for[i].push_back(found->second);
      } else {
        context.error(value, "The " + what + " " + *waiters[i].name + " depends on " + quoted(name) + ", which is no " +
                                 what + " of it; correct the name or remove it.");
      }
    }
  }
  if (const auto at = on_circle(waits_for))
    context.error(value, "The dependsOn of the " + what + "s form a circle through " + *waiters[*at].name +
                             "; remove one of them.");
}

}  // namespace berth::api::volcano
