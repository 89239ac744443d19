// VolumeZone: a volume labelled with a zone or region is used from nodes of that zone or region.
#include <algorithm>
#include <array>

#include "reference/filters.h"
#include "reference/volumes.h"

namespace berth::reference {
namespace {

struct ZoneLabel {
  std::string_view key;
  std::string_view also_known_as;  // what a node may carry instead
};
constexpr std::array<ZoneLabel, 4> kZoneLabels = {{
    {"failure-domain.beta.kubernetes.io/zone", "topology.kubernetes.io/zone"},
    {"failure-domain.beta.kubernetes.io/region", "topology.kubernetes.io/region"},
    {"topology.kubernetes.io/zone", ""},
    {"topology.kubernetes.io/region", ""},
}};

// "a__b" is the set of zones a and b. A set with an empty part is unreadable and says nothing.
std::vector<std::string> zones_of(std::string_view text) {
  std::vector<std::string> zones;
  while (true) {
    const std::size_t end = text.find("__");
    std::string_view part = text.substr(0, end);
    while (part.starts_with(' ')) part.remove_prefix(1);
    while (part.ends_with(' ')) part.remove_suffix(1);
    if (part.empty()) return {};
    zones.emplace_back(part);
    if (end == std::string_view::npos) return zones;
    text.remove_prefix(end + 2);
  }
}

bool in_zone_of(const api::PersistentVolume& volume, const api::Node& node) {
  const auto& labels = node.metadata.labels;
  for (const ZoneLabel& label : kZoneLabels) {
    const auto text = volume.metadata.labels.find(label.key);
    if (text == volume.metadata.labels.end()) continue;
    const std::vector<std::string> zones = zones_of(text->second);
    if (zones.empty()) continue;
    auto own = labels.find(label.key);
    if (own == labels.end()) own = labels.find(label.also_known_as);
    if (own == labels.end() || std::ranges::find(zones, own->second) == zones.end()) return false;
  }
  return true;
}

}  // namespace

Verdict filter_volume_zone(const Question& question, std::size_t node) {
  constexpr Verdict kRefused{Cause::kVolumeBinding, true};
  const Objects& objects = *question.snapshot.objects;
  const api::Node& candidate = *question.snapshot.nodes[node].node;
  const bool in_some_zone = std::ranges::any_of(
      kZoneLabels, [&](const ZoneLabel& label) { return candidate.metadata.labels.contains(label.key); });
  for (const std::string& name : named_claims(question.pod)) {
    const auto* claim = find_claim(objects, question.pod.metadata.namespace_, name);
    if (claim == nullptr) return kRefused;
    if (claim->volume_name.empty()) {
      if (!waits_for_consumer(objects, *claim)) return kRefused;
      continue;
    }
    const auto* volume = find_volume(objects, claim->volume_name);
    if (volume == nullptr || (in_some_zone && !in_zone_of(*volume, candidate))) return kRefused;
  }
  return {};
}

}  // namespace berth::reference
