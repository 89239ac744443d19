#include "oracle/loaded_world.h"

#include <algorithm>
#include <utility>

#include "api/load.h"

namespace berth::oracle {
namespace {

Result<api::ObjectSet> load_list(const std::string& list, const std::string& name) {
  api::Loaded loaded = api::load_text(list, name);
  if (!loaded.errors.empty()) return std::unexpected(loaded.errors.front());
  // A field that is not known here could decide something upstream.
  if (!loaded.remarks.empty()) return std::unexpected(loaded.remarks.front());
  if (!loaded.skipped.empty()) {
    return fail(ErrorCode::kUnsupported, "Objects of kind " + loaded.skipped.front().kind + " are not read.");
  }
  return std::move(loaded.objects);
}

}  // namespace

Result<LoadedWorld> load_world(const World& world) {
  LoadedWorld loaded;
  BERTH_TRY(loaded.objects, load_list(world.objects, world.name));
  BERTH_TRY(api::ObjectSet pending, load_list(world.pods, world.name));
  for (auto& read : pending.pods) loaded.pending.push_back(std::move(read.object));
  if (loaded.pending.size() != world.answers.size()) {
    return fail(ErrorCode::kInvalid, "There are more or fewer pods than answers; write the data file again.");
  }
  if (world.config.empty()) {
    loaded.configuration.profiles.push_back(api::kube_default_profile());
  } else {
    BERTH_TRY(loaded.configuration, api::parse_scheduler_configuration(world.config, world.name));
  }
  return loaded;
}

const api::SchedulerProfile* profile_of(const LoadedWorld& loaded, const api::Pod& pod) {
  const auto named = [&](const api::SchedulerProfile& profile) {
    return profile.scheduler_name == pod.spec.scheduler_name;
  };
  const auto found = std::ranges::find_if(loaded.configuration.profiles, named);
  return found == loaded.configuration.profiles.end() ? nullptr : &*found;
}

bool upstream_miscounts(const LoadedWorld& loaded, const api::Pod& pod, const api::SchedulerProfile& profile) {
  const auto& own = pod.spec.topology_spread_constraints;
  const auto& constraints = own.empty() ? profile.pod_topology_spread.default_constraints : own;
  const bool spreads = std::ranges::any_of(constraints, [](const api::TopologySpreadConstraint& constraint) {
    return constraint.when_unsatisfiable == api::UnsatisfiableAction::kDoNotSchedule;
  });
  return spreads && std::ranges::any_of(loaded.objects.pods, [&](const api::Read<api::Pod>& other) {
           return other.object.metadata.namespace_ == pod.metadata.namespace_ &&
                  other.object.metadata.deletion_timestamp.has_value();
         });
}

}  // namespace berth::oracle
