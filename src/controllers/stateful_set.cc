#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>

#include "base/mutant.h"
#include "base/whole_number.h"
#include "controllers/template_hash.h"
#include "controllers/template_size.h"
#include "controllers/workshop.h"

namespace berth::controllers {
namespace {

std::string pod_name(const api::StatefulSet& set, std::int64_t ordinal) {
  return set.metadata.name + "-" + std::to_string(ordinal);
}

// "web-3" is pod 3 of the set web. None: a name of another form, as "web-03", which the set would never make.
std::optional<std::int64_t> ordinal_of(const api::StatefulSet& set, std::string_view name) {
  const std::size_t prefix = set.metadata.name.size() + 1;
  const auto ordinal = whole_number<std::int64_t>(name.substr(std::min(prefix, name.size())), 0,
                                                  std::numeric_limits<std::int64_t>::max());
  return ordinal && pod_name(set, *ordinal) == name ? ordinal : std::nullopt;
}

std::string claim_name(const api::PersistentVolumeClaim& from, const std::string& pod) {
  return from.metadata.name + "-" + pod;
}

// Each claim template becomes a claim of the pod's own and a volume of the template's name.
void add_claims(Workshop& workshop, const api::StatefulSet& set, api::Pod& pod, const Place& place) {
  for (const auto& from : set.volume_claim_templates) {
    std::erase_if(pod.spec.volumes, [&from](const api::Volume& volume) { return volume.name == from.metadata.name; });
    api::Volume volume;
    volume.name = from.metadata.name;
    volume.persistent_volume_claim = claim_name(from, pod.metadata.name);
    if (!workshop.has_claim(set.metadata.namespace_, volume.persistent_volume_claim)) {
      api::PersistentVolumeClaim claim = from;
      claim.metadata.name = volume.persistent_volume_claim;
      claim.metadata.namespace_ = set.metadata.namespace_;
      for (const auto& [key, value] : set.selector.match_labels) claim.metadata.labels.insert_or_assign(key, value);
      workshop.make_claim(std::move(claim), place);
    }
    pod.spec.volumes.push_back(std::move(volume));
  }
}

// With its claims.
std::int64_t bytes_of_a_member(const api::StatefulSet& set) {
  std::int64_t sum = bytes_of_a_pod(set.pod_template);
  for (const auto& from : set.volume_claim_templates)
    sum += bytes_of_a_claim(from) + static_cast<std::int64_t>(sizeof(api::Volume));
  return sum;
}

api::Pod make_member(Workshop& workshop, const api::Read<api::StatefulSet>& read, const Owner& owner,
                     const std::string& revision, std::int64_t ordinal) {
  const api::StatefulSet& set = read.object;
  api::Pod pod = workshop.pod_from(set.pod_template, owner);
  pod.metadata.name = pod_name(set, ordinal);
  pod.metadata.labels.insert_or_assign("statefulset.kubernetes.io/pod-name", pod.metadata.name);
  pod.metadata.labels.insert_or_assign("apps.kubernetes.io/pod-index", std::to_string(ordinal));
  pod.metadata.labels.insert_or_assign(kRevisionLabel, revision);
  add_claims(workshop, set, pod, read.place);
  return pod;
}

}  // namespace

void reconcile_stateful_set(Workshop& workshop, const api::Read<api::StatefulSet>& read) {
  const api::StatefulSet& set = read.object;
  const Owner owner{"apps/v1", "StatefulSet", &set.metadata};
  if (set.metadata.deletion_timestamp) return;
  boost::unordered_flat_map<std::string, const api::Pod*> members;
  const auto is_member = [&set](const api::Pod& pod) { return ordinal_of(set, pod.metadata.name).has_value(); };
  const std::vector<const api::Pod*> pods = workshop.claimed(owner, set.selector, is_member);
  for (const api::Pod* pod : pods) members.try_emplace(pod->metadata.name, pod);
  const std::string revision = revision_of(pods, set.pod_template, set.metadata.name + "-");
  const std::int64_t replicas = std::max(set.replicas, 0);
  const std::int64_t first = mutant("Controller.FirstOrdinal") ? 0 : std::int64_t{set.first_ordinal};
  // A finished member is made again under its name; one that is being deleted has to be gone first.
  const auto holds_its_name = [](const api::Pod& member) {
    return !is_finished(member) || member.metadata.deletion_timestamp.has_value();
  };
  const bool ordered = !set.parallel && workshop.options().wait_for_predecessors;
  if (!ordered) {
    // What a set was scaled down from, or a former range of ordinals, is surplus and stands for nobody.
    const std::int64_t there = std::ranges::count_if(members, [&](const auto& member) {
      const auto ordinal = ordinal_of(set, member.first);
      return ordinal && *ordinal >= first && *ordinal - first < replicas && holds_its_name(*member.second);
    });
    if (!workshop.admit(replicas - there, bytes_of_a_member(set), owner, read.place)) return;
  }
  for (std::int64_t ordinal = first; ordinal < first + replicas; ++ordinal) {
    const auto found = members.find(pod_name(set, ordinal));
    const bool missing = found == members.end() || !holds_its_name(*found->second);
    if (missing) {
      api::Pod pod = make_member(workshop, read, owner, revision, ordinal);
      if (found != members.end() || workshop.take_name(pod, read.place)) workshop.make(std::move(pod), read.place);
    }
    if (ordered && !mutant("Controller.OrderedReady") && (missing || !is_ready(*found->second))) return;
  }
}

}  // namespace berth::controllers
