#include "dialects/volcano/annotations.h"

#include <algorithm>
#include <array>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "api/revocable_zones.h"
#include "api/volcano_keys.h"
#include "base/near_names.h"

namespace berth::dialects::volcano {
namespace {

namespace keys = api::volcano::keys;

constexpr std::array kPrefixes = {std::string_view("volcano.sh/"), std::string_view("scheduling.volcano.sh/"),
                                  std::string_view("scheduling.k8s.io/")};

// What Berth reads, and what controllers write on the objects that they make. The one that Volcano does not read has a
// remark of its own.
constexpr std::array kRead = {keys::kGroupName,
                              keys::kPodGroup,
                              keys::kGroupMinMember,
                              keys::kQueueName,
                              keys::kTaskSpec,
                              keys::kJobName,
                              keys::kJobVersion,
                              keys::kPartition,
                              keys::kPreemptable,
                              keys::kTopologyMode,
                              keys::kTopologyTier,
                              keys::kWaitingTime,
                              keys::kNumaPolicy,
                              keys::kNumaDecision,
                              keys::kNodeGroup,
                              keys::kRevocableZone,
                              keys::kBudgetMinAvailable,
                              keys::kBudgetMaxUnavailable,
                              std::string_view("volcano.sh/task-index"),
                              std::string_view("volcano.sh/queue-name"),
                              std::string_view("volcano.sh/job-namespace"),
                              std::string_view("volcano.sh/job-retry-count"),
                              std::string_view("volcano.sh/job-type"),
                              std::string_view("volcano.sh/template-uid"),
                              std::string_view("volcano.sh/created-by-jobtemplate"),
                              std::string_view("volcano.sh/created-by-jobflow"),
                              std::string_view("volcano.sh/closed-by-parent"),
                              std::string_view("volcano.sh/job-allocated-hypernode"),
                              std::string_view("volcano.sh/gpu-index"),
                              std::string_view("volcano.sh/predicate-time"),
                              std::string_view("volcano.sh/bind-phase"),
                              std::string_view("volcano.sh/bind-time")};

constexpr std::array kReadByVolcanoOnly = {std::string_view("volcano.sh/task-priority"),
                                           std::string_view("volcano.sh/cooldown-time"),
                                           std::string_view("volcano.sh/qos-level"),
                                           std::string_view("volcano.sh/hierarchy"),
                                           std::string_view("volcano.sh/hierarchy-weights"),
                                           std::string_view("volcano.sh/task-topology"),
                                           std::string_view("volcano.sh/task-topology-affinity"),
                                           std::string_view("volcano.sh/task-topology-anti-affinity"),
                                           std::string_view("volcano.sh/task-topology-task-order"),
                                           std::string_view("volcano.sh/vgpu-mode"),
                                           std::string_view("scheduling.volcano.sh/queue-allocation-gate"),
                                           std::string_view("scheduling.volcano.sh/group-name")};

class Annotations {
 public:
  explicit Annotations(workloads::Reading& out) : out_(out) {
    // Suggestions are of what does something here.
    for (const std::string_view key : kRead)
      if (key != keys::kPodGroup) known_.emplace_back(key);
  }

  void look_at(const api::StringMap& annotations, const Place& place) {
    for (const auto& [key, value] : annotations) {
      if (std::ranges::none_of(kPrefixes, [&](std::string_view prefix) { return key.starts_with(prefix); })) continue;
      if (std::ranges::find(kRead, key) != kRead.end() || !told_.insert(key).second) continue;
      const std::string field = fmt::format("metadata.annotations[{}]", key);
      if (std::ranges::find(kReadByVolcanoOnly, key) != kReadByVolcanoOnly.end()) {
        out_.remark(ErrorCode::kUnsupported, place, field,
                    "Volcano reads this annotation and Berth does not, so it changes nothing here.");
        continue;
      }
      const std::vector<std::string> near = near_names(key, known_, 1);
      out_.remark(ErrorCode::kUnsupported, place, field,
                  fmt::format("Nobody reads this annotation, Volcano neither, so it does nothing; {}.",
                              near.empty() ? "take it out" : "did you mean " + near.front() + "?"));
    }
  }

 private:
  workloads::Reading& out_;
  std::vector<std::string> known_;
  std::set<std::string, std::less<>> told_;
};

}  // namespace

void remark_annotations(const api::ObjectSet& objects, workloads::Reading& out) {
  Annotations annotations(out);
  const auto all = [&](const auto& list) {
    for (const auto& read : list) annotations.look_at(read.object.metadata.annotations, read.place);
  };
  all(objects.volcano_queues);
  all(objects.volcano_jobs);
  all(objects.volcano_pod_groups);
  all(objects.pods);
}

}  // namespace berth::dialects::volcano
