// The twin's answers in words.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "reference/scores.h"
#include "support/compare.h"

namespace berth::support {
namespace {

std::string cause_name(reference::Cause cause) {
  static constexpr const char* kNames[] = {
      "fits",           "NotReady",          "Unschedulable",        "NodeName", "Taint",
      "NodeAffinity",   "HostPort",          "TooManyPods",          "TooLarge", "Insufficient",
      "CardFragmented", "VolumeRestriction", "VolumeBinding",        "Feature",  "TopologySpread",
      "PodAffinity",    "PodAntiAffinity",   "ExistingAntiAffinity", "Reserved"};
  return kNames[static_cast<std::size_t>(cause)];
}

std::string line_of(const reference::Decision& decision, const reference::Objects& world, bool after_eviction) {
  const std::string& node = world.nodes[decision.node].metadata.name;
  if (decision.kind == reference::Decision::Kind::kEvict) {
    return fmt::format("evict {} from {} for {}", full_name(*decision.pod), node, full_name(*decision.beneficiary));
  }
  // A pod that others made room for has no choice among nodes, and so no score.
  const std::string score = after_eviction ? "none" : std::to_string(decision.score);
  return fmt::format("place {} on {} score {} cards {}", full_name(*decision.pod), node, score,
                     fmt::join(decision.cards, " "));
}

// The dialect answers VolumeZone together with VolumeBinding.
bool passes(const reference::Question& question, std::size_t node, api::Plugin plugin) {
  if (!reference::filter(question, node, plugin).passes()) return false;
  return plugin != api::Plugin::kVolumeBinding || reference::filter(question, node, api::Plugin::kVolumeZone).passes();
}

bool is_filter_of_engine(api::Plugin plugin) {
  return plugin != api::Plugin::kNodeVolumeLimits && plugin != api::Plugin::kVolumeZone &&
         plugin != api::Plugin::kDynamicResources;
}

}  // namespace

Lines tell(const reference::Objects& world, const reference::Outcome& outcome, const reference::Settings& settings) {
  Lines lines;
  bool after_eviction = false;
  for (const auto& decision : outcome.decisions) {
    lines.push_back(line_of(decision, world, after_eviction));
    after_eviction = decision.kind == reference::Decision::Kind::kEvict;
  }
  for (const api::Pod* pod : outcome.pending) {
    const auto* profile = reference::profile_of(settings, *pod);
    const reference::Question question{outcome.end, *pod, *profile, settings.exclude_not_ready};
    lines.push_back(fmt::format("pending {} {}", full_name(*pod), name_of(reference::classify(question))));
  }
  return lines;
}

Lines twin_decides(const reference::Objects& world, const reference::Settings& settings) {
  return tell(world, reference::schedule(world, settings), settings);
}

Lines twin_causes(const reference::Question& question) {
  Lines lines;
  for (std::size_t i = 0; i < question.snapshot.nodes.size(); ++i) {
    lines.push_back(fmt::format("{}: {}", question.snapshot.nodes[i].node->metadata.name,
                                cause_name(reference::first_failure(question, i).cause)));
  }
  return lines;
}

Lines twin_filters(const reference::Question& question) {
  Lines lines;
  for (const api::Plugin plugin : question.profile.filters) {
    if (!is_filter_of_engine(plugin)) continue;
    std::string line = "filter:";
    for (std::size_t i = 0; i < question.snapshot.nodes.size(); ++i) {
      if (passes(question, i, plugin)) line += " " + question.snapshot.nodes[i].node->metadata.name;
    }
    lines.push_back(std::move(line));
  }
  return lines;
}

Lines twin_scores(const reference::Question& question) {
  const reference::ScoreTable table = reference::score_table(question);
  Lines lines;
  for (std::size_t i = 0; i < table.nodes.size(); ++i) {
    std::string line = question.snapshot.nodes[table.nodes[i]].node->metadata.name + ":";
    for (const auto& column : table.columns) {
      // A score that is skipped adds nothing; the engine says so with zeros.
      line += column.skipped ? " 0/0" : fmt::format(" {}/{}", column.raw[i], column.normalized[i]);
    }
    lines.push_back(fmt::format("{} total {}", line, table.total[i]));
  }
  return lines;
}

reference::Objects carried_out(reference::Objects world, const reference::Outcome& outcome) {
  // The decisions point into the world that was asked about; the copy is found by name.
  const auto find = [&](const api::Pod& pod) {
    return std::ranges::find_if(world.pods, [&](const api::Pod& each) { return full_name(each) == full_name(pod); });
  };
  for (const auto& decision : outcome.decisions) {
    const auto found = find(*decision.pod);
    if (found == world.pods.end()) continue;
    if (decision.kind == reference::Decision::Kind::kEvict) {
      world.pods.erase(found);
      continue;
    }
    found->spec.node_name = world.nodes[decision.node].metadata.name;
    found->status.phase = api::PodPhase::kRunning;
    found->status.nominated_node_name.clear();
  }
  for (const api::Pod* pod : outcome.end.withdrawn) {
    if (const auto found = find(*pod); found != world.pods.end()) found->status.nominated_node_name.clear();
  }
  return world;
}

}  // namespace berth::support
