#include "api/owner_cycles.h"

#include <string>
#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>

namespace berth::api {
namespace {

// An object that has owners, as a node of the graph.
struct Owned {
  std::string key;
  ObjectMeta* metadata;
  const Place* place;
  std::size_t depth = 0;  // where on the way down, while open
  enum class State : std::uint8_t { kNew, kOpen, kDone } state = State::kNew;
};

std::string key_of(std::string_view kind, std::string_view name_space, std::string_view name) {
  return std::string(kind) + " " + std::string(name_space) + "/" + std::string(name);
}

class Search {
 public:
  template <class T>
  void add(std::vector<Read<T>>& objects, std::string_view kind) {
    for (Read<T>& read : objects) {
      ObjectMeta& metadata = read.object.metadata;
      if (metadata.owner_references.empty()) continue;
      owned_.push_back({key_of(kind, metadata.namespace_, metadata.name), &metadata, &read.place});
    }
  }

  void run(Diagnostics& diagnostics) {
    for (std::size_t i = 0; i < owned_.size(); ++i) by_key_.emplace(owned_[i].key, i);
    for (std::size_t i = 0; i < owned_.size(); ++i)
      if (owned_[i].state == Owned::State::kNew) visit(i, diagnostics);
  }

 private:
  // The owner's position, or npos where it has no owners itself or is not there. Owners share the namespace or have
  // none.
  [[nodiscard]] std::size_t owner(const Owned& owned, const OwnerReference& reference) const {
    for (const std::string& name_space : {owned.metadata->namespace_, std::string()}) {
      const auto found = by_key_.find(key_of(reference.kind, name_space, reference.name));
      if (found != by_key_.end()) return found->second;
    }
    return kNone;
  }

  // Depth first without recursion: chains may be long.
  void visit(std::size_t start, Diagnostics& diagnostics) {
    struct Frame {
      std::size_t at;
      std::size_t next = 0;  // owner reference
    };
    std::vector<Frame> stack{{start}};
    owned_[start].state = Owned::State::kOpen;
    owned_[start].depth = 0;
    while (!stack.empty()) {
      Frame& frame = stack.back();
      Owned& here = owned_[frame.at];
      if (frame.next >= here.metadata->owner_references.size()) {
        here.state = Owned::State::kDone;
        stack.pop_back();
        continue;
      }
      const std::size_t above = owner(here, here.metadata->owner_references[frame.next++]);
      if (above == kNone || owned_[above].state == Owned::State::kDone) continue;
      if (owned_[above].state == Owned::State::kNew) {
        owned_[above].state = Owned::State::kOpen;
        owned_[above].depth = stack.size();
        stack.push_back({above});
        continue;
      }
      // The owners from here on, as many as a sentence bears.
      static constexpr std::size_t kMostNamed = 4;
      const std::size_t first = owned_[above].depth;
      std::string circle;
      for (std::size_t i = first + 1; i < stack.size() && i <= first + kMostNamed; ++i)
        circle += owned_[stack[i].at].key + ", owned by ";
      if (stack.size() - first - 1 > kMostNamed)
        circle += std::to_string(stack.size() - first - 1 - kMostNamed) + " more, the last of them owned by ";
      circle += owned_[above].key;
      Place place = *here.place;
      place.object = here.key;
      place.field = "metadata.ownerReferences";
      diagnostics.error({ErrorCode::kInvalid,
                         "The owners form a circle (" + owned_[above].key + ", owned in the end by " + circle +
                             "); remove one of the ownerReferences. They were not followed.",
                         std::move(place)});
      here.metadata->owner_references.clear();
    }
  }

  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);
  std::vector<Owned> owned_;
  boost::unordered_flat_map<std::string, std::size_t> by_key_;
};

}  // namespace

void break_owner_cycles(ObjectSet& objects, Diagnostics& diagnostics) {
  Search search;
  search.add(objects.nodes, "Node");
  search.add(objects.pods, "Pod");
  search.add(objects.services, "Service");
  search.add(objects.persistent_volumes, "PersistentVolume");
  search.add(objects.persistent_volume_claims, "PersistentVolumeClaim");
  search.add(objects.deployments, "Deployment");
  search.add(objects.replica_sets, "ReplicaSet");
  search.add(objects.replication_controllers, "ReplicationController");
  search.add(objects.stateful_sets, "StatefulSet");
  search.add(objects.daemon_sets, "DaemonSet");
  search.add(objects.jobs, "Job");
  search.add(objects.cron_jobs, "CronJob");
  search.add(objects.pod_disruption_budgets, "PodDisruptionBudget");
  search.add(objects.resource_claims, "ResourceClaim");
  search.add(objects.volcano_pod_groups, "PodGroup");
  search.add(objects.volcano_jobs, "Job");
  search.add(objects.volcano_cron_jobs, "CronJob");
  search.add(objects.job_flows, "JobFlow");
  search.run(diagnostics);
}

}  // namespace berth::api
