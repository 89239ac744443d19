#include "sim/deadlock/study.h"

#include <algorithm>

#include "base/random.h"
#include "sim/parallel.h"

namespace berth::sim::deadlock {

std::string_view name_of(Asking way) { return way == Asking::kPods ? "kube-default" : "berth"; }

std::int32_t Load::gangs(std::int32_t percent) const {
  const std::int64_t gang = std::int64_t{pods} * cards * 100;
  return static_cast<std::int32_t>((capacity() * percent + gang - 1) / gang);
}

Interleaving random_interleaving(std::int32_t gangs, std::int32_t pods, std::uint64_t seed) {
  Interleaving result;
  for (std::int32_t gang = 0; gang < gangs; ++gang) {
    result.insert(result.end(), static_cast<std::size_t>(pods), static_cast<std::uint32_t>(gang));
  }
  Random random(seed);
  random.shuffle(result);
  return result;
}

Trial run_trial(const Load& load, const Interleaving& arrivals) {
  std::vector<jobs::Job> gangs;
  Seconds now = 0;
  for (const std::uint32_t gang : arrivals) {
    if (gangs.size() <= gang) gangs.resize(gang + 1, {.runs_for = load.runs_for});
    gangs[gang].pods.push_back({.arrives = now, .cards = load.cards});
    now += load.between_arrivals;
  }
  std::array<jobs::Result, kWays.size()> results;
  Seconds horizon = 0;
  for (std::size_t i = 0; i < kWays.size(); ++i) {
    results[i] = jobs::replay({.nodes = load.nodes, .cards_per_node = load.cards_per_node, .asking = kWays[i]}, gangs);
    if (kWays[i] == Asking::kWhole) horizon = results[i].ended;
  }
  Trial trial;
  for (std::size_t i = 0; i < kWays.size(); ++i) {
    Trial::Way& way = trial.ways[i];
    way.stuck = results[i].stuck;
    way.makespan = results[i].ended;
    for (const jobs::Outcome& outcome : results[i].jobs) way.held += outcome.idle;
    way.held += results[i].holding * std::max<Seconds>(horizon - results[i].ended, 0);
  }
  return trial;
}

std::vector<Level> run_all(const Study& study, unsigned threads, const std::function<void(std::size_t)>& progress) {
  const auto trials = static_cast<std::size_t>(study.trials);
  // Each trial has its own seed and slot, so the result does not depend on which thread takes it.
  std::vector<Trial> results(study.percents.size() * trials);
  DoneCounter done(progress);
  run_parallel(results.size(), threads, [&](std::size_t i) {
    const std::int32_t gangs = study.load.gangs(study.percents[i / trials]);
    const std::uint64_t seed = split_mix(study.seed ^ split_mix(i % trials));
    results[i] = run_trial(study.load, random_interleaving(gangs, study.load.pods, seed));
    done.add_one();
  });
  std::vector<Level> levels;
  for (std::size_t i = 0; i < study.percents.size(); ++i) {
    Level level{.percent = study.percents[i], .gangs = study.load.gangs(study.percents[i]), .trials = study.trials};
    for (std::size_t trial = i * trials; trial < (i + 1) * trials; ++trial) {
      for (std::size_t k = 0; k < kWays.size(); ++k) {
        const Trial::Way& way = results[trial].ways[k];
        level.ways[k].held += way.held;
        if (way.stuck > 0) {
          ++level.ways[k].deadlocked;
        } else {
          level.ways[k].makespan += way.makespan;
        }
      }
    }
    levels.push_back(level);
  }
  return levels;
}

}  // namespace berth::sim::deadlock
