#include "sim/mixed/study.h"

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <utility>

#include "sim/mixed/optimum.h"
#include "sim/parallel.h"

namespace berth::sim::mixed {
namespace {

void count(std::array<Count, kKinds.size()>& counts, const Ask& ask) {
  Count& its = counts[static_cast<std::size_t>(ask.kind)];
  ++its.pods;
  its.size += ask.size();
}

// The GPU that the asks get, one after the other.
std::int64_t fill(const Layout& layout, Policy policy, const std::vector<std::size_t>& batch, std::uint64_t seed) {
  Cards cards(layout);
  const std::unique_ptr<Chooser> chooser = make_chooser(policy, layout, seed);
  std::int64_t got = 0;
  for (std::size_t i = 0; i < batch.size(); ++i) {
    const Ask& ask = asks()[batch[i]];
    const std::optional<Placement> placement = chooser->place(static_cast<int>(i), batch[i], cards);
    if (placement && cards.take(ask, *placement)) got += ask.size();
  }
  return got;
}

}  // namespace

Run run(const Load& load, Policy policy, std::uint64_t seed) {
  // One pod arrives per moment; so many moments does it stay on average that the load is as asked.
  const std::int64_t stay = std::max<std::int64_t>(
      1, std::int64_t{load.percent} * load.layout.cards() * kMilli * total_often() / (100 * total_size()));
  Random random(seed);
  Cards cards(load.layout);
  const std::unique_ptr<Chooser> chooser = make_chooser(policy, load.layout, seed);
  struct Staying {
    int pod = 0;
    std::size_t ask = 0;
    Placement placement;
  };
  std::multimap<std::int64_t, Staying> staying;  // by the moment of leaving
  Run result;
  for (int now = 0; now < load.arrivals; ++now) {
    while (!staying.empty() && staying.begin()->first <= now) {
      const Staying& one = staying.begin()->second;
      chooser->leave(one.pod);
      cards.give_back(asks()[one.ask], one.placement);
      staying.erase(staying.begin());
      ++result.left;
    }
    const std::size_t number = draw(random);
    const Ask& ask = asks()[number];
    const std::int64_t leaves = now + random.between(1, 2 * stay - 1);
    const bool settled = now >= 2 * stay;
    if (settled) {
      count(result.asked, ask);
      ++result.moments;
      result.free += cards.free();
      result.useless += cards.useless();
      result.whole += cards.whole();
    }
    std::optional<Placement> placement = chooser->place(now, number, cards);
    if (!placement) continue;
    if (!cards.take(ask, *placement)) {
      ++result.overdrawn;
      chooser->leave(now);
      continue;
    }
    ++result.placed;
    if (settled) count(result.accepted, ask);
    staying.emplace(leaves, Staying{.pod = now, .ask = number, .placement = *std::move(placement)});
  }
  result.held = std::ssize(staying);
  return result;
}

SmallWorld play(const SmallWorlds& small, std::uint64_t seed) {
  const Layout layout{.a100_nodes = 1, .h100_nodes = 1, .per_node = small.per_node};
  Random random(seed);
  std::vector<std::size_t> batch;
  SmallWorld result;
  for (int i = 0; i < small.pods; ++i) {
    batch.push_back(draw(random));
    result.asked += asks()[batch.back()].size();
  }
  std::vector<std::size_t> sorted = batch;
  std::ranges::stable_sort(sorted, std::ranges::greater{}, [](std::size_t ask) { return asks()[ask].size(); });
  for (std::size_t p = 0; p < kPolicies.size(); ++p) {
    result.in_order[p] = fill(layout, kPolicies[p], batch, seed);
    result.largest_first[p] = fill(layout, kPolicies[p], sorted, seed);
  }
  result.optimum = most(layout, batch);
  return result;
}

std::size_t parts(const Study& study) {
  return study.percents.size() * kPolicies.size() * static_cast<std::size_t>(study.seeds) +
         static_cast<std::size_t>(study.small.worlds);
}

Results run_all(const Study& study, unsigned threads, const std::function<void(std::size_t)>& progress) {
  const auto seeds = static_cast<std::size_t>(study.seeds);
  const std::size_t runs = study.percents.size() * kPolicies.size() * seeds;
  Results results;
  results.runs.resize(study.percents.size());
  for (auto& policies : results.runs) policies.fill(std::vector<Run>(seeds));
  results.small.resize(static_cast<std::size_t>(study.small.worlds));
  DoneCounter done(progress);
  // Each part has its own seed and its own place.
  run_parallel(parts(study), threads, [&](std::size_t part) {
    if (part < runs) {
      const std::size_t percent = part / (kPolicies.size() * seeds);
      const std::size_t policy = part / seeds % kPolicies.size();
      const std::size_t seed = part % seeds;
      Load load = study.load;
      load.percent = study.percents[percent];
      results.runs[percent][policy][seed] = run(load, kPolicies[policy], seed + 1);
    } else {
      results.small[part - runs] = play(study.small, part - runs + 1);
    }
    done.add_one();
  });
  return results;
}

}  // namespace berth::sim::mixed
