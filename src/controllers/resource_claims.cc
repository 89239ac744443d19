// The resource claim controller: claims for pods that name a template, reservations kept true, unused claims let go.
// Source: the behaviour of kube-controller-manager's resource claim controller, v1.37.
#include <algorithm>
#include <string>
#include <utility>

#include <boost/unordered/unordered_flat_map.hpp>

#include "api/claim_names.h"
#include "api/full_name.h"
#include "api/owner.h"
#include "controllers/fresh_names.h"
#include "controllers/reconcile.h"
#include "controllers/workshop.h"

namespace berth::controllers {
namespace {

constexpr std::size_t kLongestPrefix = 57;  // leaves room for five letters and a dash in 63

// Done, or deleted before it ran: it will not use its claims.
bool is_done(const api::Pod& pod) {
  return is_finished(pod) || (pod.metadata.deletion_timestamp.has_value() && pod.spec.node_name.empty());
}

// "POD-CLAIM-"; where that is too long both names are cut in proportion, and no dash follows.
std::string prefix_of(std::string_view pod, std::string_view claim) {
  std::string prefix = std::string(pod) + "-" + std::string(claim) + "-";
  if (prefix.size() <= kLongestPrefix) return prefix;
  const std::size_t whole = prefix.size();
  return std::string(pod.substr(0, pod.size() * kLongestPrefix / whole)) + "-" +
         std::string(claim.substr(0, claim.size() * kLongestPrefix / whole));
}

void record_claim(api::Pod& pod, const std::string& entry, const std::string& claim) {
  auto& statuses = pod.status.resource_claim_statuses;
  const auto found = std::ranges::lower_bound(statuses, entry, {}, &api::PodResourceClaimStatus::name);
  if (found != statuses.end() && found->name == entry) {
    found->resource_claim_name = claim;
  } else {
    statuses.insert(found, {entry, claim});
  }
}

class ClaimController {
 public:
  ClaimController(api::ObjectSet& objects, const ClaimOptions& options) : objects_(objects), options_(options) {
    for (auto& read : objects.pods) pods_.try_emplace(api::full_name(read.object.metadata), &read.object);
    for (auto& read : objects.pod_groups) groups_.try_emplace(api::full_name(read.object.metadata), &read);
    for (const auto& read : objects.resource_claim_templates)
      templates_.try_emplace(api::full_name(read.object.metadata), &read);
  }

  void run() {
    std::erase_if(objects_.resource_claims, [this](auto& read) { return release(read.object); });
    for (std::size_t i = 0; i < objects_.resource_claims.size(); ++i) note(i);
    for (auto& read : objects_.pods)
      if (!is_finished(read.object) && !read.object.metadata.deletion_timestamp) serve(read.object);
  }

 private:
  const api::Pod* find_pod(const std::string& space, const std::string& name) const {
    const auto found = pods_.find(api::full_name(space, name));
    return found == pods_.end() ? nullptr : found->second;
  }

  bool still_uses(const api::ResourceClaim& claim, const api::ClaimConsumer& consumer) const {
    if (consumer.api_group == "scheduling.k8s.io" && consumer.resource == "podgroups")
      return !options_.all_pods_known || groups_.contains(api::full_name(claim.metadata.namespace_, consumer.name));
    if (!consumer.api_group.empty() || consumer.resource != "pods") return true;  // not this controller's to judge
    const api::Pod* pod = find_pod(claim.metadata.namespace_, consumer.name);
    if (pod == nullptr) return !options_.all_pods_known;
    return api::means(consumer, *pod) && !is_done(*pod);
  }

  // Takes reservations back that nobody holds; true if the claim itself is to go.
  bool release(api::ResourceClaim& claim) const {
    auto& consumers = claim.status.reserved_for;
    const auto gone =
        std::erase_if(consumers, [&](const api::ClaimConsumer& consumer) { return !still_uses(claim, consumer); });
    if (!consumers.empty()) return false;
    // Unused since now; one that was never used keeps its allocation.
    if (gone != 0) claim.status = {};
    if (claim.metadata.deletion_timestamp) return true;
    const api::OwnerReference* owner = api::controller_of(claim.metadata);
    if (owner != nullptr && owner->kind == "PodGroup" && owner->api_version.starts_with("scheduling.k8s.io/"))
      return options_.all_pods_known && !groups_.contains(api::full_name(claim.metadata.namespace_, owner->name));
    if (owner == nullptr || owner->kind != "Pod") return false;
    const api::Pod* pod = find_pod(claim.metadata.namespace_, owner->name);
    if (pod == nullptr) return options_.all_pods_known;
    return !api::is_for_pod(*pod, claim) || is_done(*pod);
  }

  void note(std::size_t index) {
    const api::ResourceClaim& claim = objects_.resource_claims[index].object;
    claims_.insert_or_assign(api::full_name(claim.metadata), index);
    names_.reserve(api::full_name(claim.metadata));
    const api::OwnerReference* owner = api::controller_of(claim.metadata);
    const auto entry = claim.metadata.annotations.find(api::kPodClaimNameAnnotation);
    if (owner == nullptr || owner->kind != "Pod" || entry == claim.metadata.annotations.end()) return;
    made_.try_emplace(entry_key(claim.metadata.namespace_, owner->name, entry->second), index);
  }

  static std::string entry_key(const std::string& space, const std::string& pod, const std::string& entry) {
    return api::full_name(space, pod) + "/" + entry;
  }

  api::ResourceClaim* find_claim(const api::Pod& pod, const api::ClaimName& name) {
    const auto found = claims_.find(api::full_name(pod.metadata.namespace_, name.name));
    if (found == claims_.end()) return nullptr;
    api::ResourceClaim& claim = objects_.resource_claims[found->second].object;
    return name.must_own && !api::is_for_pod(pod, claim) && !api::is_for_group(pod, claim) ? nullptr : &claim;
  }

  void serve(api::Pod& pod) {
    for (const api::PodResourceClaim& entry : pod.spec.resource_claims) {
      const api::ClaimName name = api::claim_name(pod, entry);
      if (name.state == api::ClaimName::State::kNotNeeded) continue;
      // The claim in the pod's status may be gone, or belong to somebody else by now: then the pod gets a new one.
      const bool there = name.state == api::ClaimName::State::kNamed && find_claim(pod, name) != nullptr;
      if (there || entry.resource_claim_template_name.empty()) continue;
      if (api::Read<api::PodGroup>* group = group_with(pod, entry)) {
        make_for_group(group->object, pod, entry);
      } else {
        make(pod, entry);
      }
    }
    if (!pod.spec.node_name.empty()) reserve(pod);
  }

  // The group of the pod, if it lists this claim.
  api::Read<api::PodGroup>* group_with(const api::Pod& pod, const api::PodResourceClaim& entry) const {
    const std::string& name = pod.spec.scheduling_group->pod_group_name;
    if (name.empty()) return nullptr;
    const auto found = groups_.find(api::full_name(pod.metadata.namespace_, name));
    return found == groups_.end() || !api::is_of_group(found->second->object, entry) ? nullptr : found->second;
  }

  bool is_groups(const api::Pod& pod, const std::string& claim) const {
    const auto found = claims_.find(api::full_name(pod.metadata.namespace_, claim));
    return found != claims_.end() && api::is_for_group(pod, objects_.resource_claims[found->second].object);
  }

  // One claim for all pods of the group, which it goes with.
  void make_for_group(api::PodGroup& group, api::Pod& pod, const api::PodResourceClaim& entry) {
    auto& statuses = group.resource_claim_statuses;
    const auto known = std::ranges::find(statuses, entry.name, &api::PodResourceClaimStatus::name);
    if (known != statuses.end() && known->resource_claim_name && is_groups(pod, *known->resource_claim_name))
      return record_claim(pod, entry.name, *known->resource_claim_name);
    api::ResourceClaim claim;
    const api::OwnerReference owner{std::string(api::api_version_of(group.version)), "PodGroup", group.metadata.name,
                                    group.metadata.uid, true};
    if (!start_claim(group.metadata, entry, owner, claim)) return;  // the pods wait for its template
    if (known != statuses.end()) {
      known->resource_claim_name = claim.metadata.name;
    } else {
      statuses.push_back({entry.name, claim.metadata.name});
    }
    record_claim(pod, entry.name, claim.metadata.name);
    keep(std::move(claim));
  }

  // A claim as the entry's template has it, without being kept yet. False: there is no such template.
  bool start_claim(const api::ObjectMeta& of, const api::PodResourceClaim& entry, api::OwnerReference owner,
                   api::ResourceClaim& claim) {
    const auto found = templates_.find(api::full_name(of.namespace_, entry.resource_claim_template_name));
    if (found == templates_.end()) return false;
    const api::ResourceClaimTemplate& from = found->second->object;
    claim.metadata.namespace_ = of.namespace_;
    claim.metadata.generate_name = prefix_of(of.name, entry.name);
    claim.metadata.name = names_.make(of.namespace_, claim.metadata.generate_name);
    claim.metadata.labels = from.claim_metadata.labels;
    claim.metadata.annotations = from.claim_metadata.annotations;
    claim.metadata.annotations.insert_or_assign(std::string(api::kPodClaimNameAnnotation), entry.name);
    claim.metadata.creation_timestamp = options_.now;
    claim.metadata.owner_references = {std::move(owner)};
    claim.spec = from.spec;
    place_ = found->second->place;
    return true;
  }
  void keep(api::ResourceClaim claim) {
    objects_.resource_claims.push_back({std::move(claim), place_});
    note(objects_.resource_claims.size() - 1);
  }

  // One that was made before and not yet written into the pod's status is taken first.
  void make(api::Pod& pod, const api::PodResourceClaim& entry) {
    const auto made = made_.find(entry_key(pod.metadata.namespace_, pod.metadata.name, entry.name));
    if (made != made_.end() && api::is_for_pod(pod, objects_.resource_claims[made->second].object))
      return record_claim(pod, entry.name, objects_.resource_claims[made->second].object.metadata.name);
    api::ResourceClaim claim;
    if (!start_claim(pod.metadata, entry, {"v1", "Pod", pod.metadata.name, pod.metadata.uid, true}, claim))
      return;  // the pod waits for its template
    record_claim(pod, entry.name, claim.metadata.name);
    keep(std::move(claim));
  }

  // A pod that runs without the scheduler's doing gets its reservation here.
  void reserve(const api::Pod& pod) {
    for (const api::PodResourceClaim& entry : pod.spec.resource_claims) {
      const api::ClaimName name = api::claim_name(pod, entry);
      if (name.state != api::ClaimName::State::kNamed) continue;
      api::ResourceClaim* claim = find_claim(pod, name);
      if (claim == nullptr || !claim->status.allocation || api::is_reserved_for(pod, *claim)) continue;
      if (claim->status.reserved_for.size() >= api::kMaxReservedFor) continue;
      if (const api::Read<api::PodGroup>* group = group_with(pod, entry)) {
        claim->status.reserved_for.push_back(
            {"scheduling.k8s.io", "podgroups", group->object.metadata.name, group->object.metadata.uid});
      } else {
        claim->status.reserved_for.push_back({"", "pods", pod.metadata.name, pod.metadata.uid});
      }
    }
  }

  api::ObjectSet& objects_;
  const ClaimOptions& options_;
  FreshNames names_;
  boost::unordered_flat_map<std::string, const api::Pod*> pods_;
  boost::unordered_flat_map<std::string, api::Read<api::PodGroup>*> groups_;
  boost::unordered_flat_map<std::string, const api::Read<api::ResourceClaimTemplate>*> templates_;
  Place place_;                                                 // of the template that was used last
  boost::unordered_flat_map<std::string, std::size_t> claims_;  // by full name
  boost::unordered_flat_map<std::string, std::size_t> made_;    // by pod and entry
};

}  // namespace

void settle_resource_claims(api::ObjectSet& objects, const ClaimOptions& options) {
  if (objects.resource_claims.empty() && objects.resource_claim_templates.empty()) return;
  ClaimController(objects, options).run();
}

}  // namespace berth::controllers
