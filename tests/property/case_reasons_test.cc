// Every bare pod that waits at the end of a case file of the core: its class is what changed worlds say, by the slow
// twin.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "api/scheduler_config.h"
#include "engine/world/world.h"
#include "property/broken_promise.h"
#include "sim/case/case_file.h"
#include "sim/case/simulation.h"
#include "support/compare.h"
#include "support/source_directory.h"
#include "text/input.h"

namespace berth::property {
namespace {

// The pods of the file that were asked about.
int check(const sim::CaseFile& file) {
  const api::SchedulerProfile profile =
      file.profile == "kube-default" ? api::kube_default_profile() : api::berth_default_profile();
  sim::Simulation simulation(file, {{profile}}, 1);
  const auto ended = simulation.run([](std::int64_t, const sim::Moment&) {});
  EXPECT_TRUE(ended) << file.file;
  sim::Cluster& cluster = simulation.cluster();
  const reference::Objects world = support::to_reference(cluster.objects());
  const reference::Settings settings{{profile}, 1, true};
  const reference::Snapshot now = reference::take_snapshot(world, settings);
  int asked = 0;
  for (const api::Pod& pod : world.pods) {
    const std::string name = support::full_name(pod);
    const engine::PodId id = cluster.engine().find_pod(cluster.names().names.find(name));
    if (id.is_none() || pod.spec.scheduler_name != profile.scheduler_name) continue;
    const engine::Pod& told = cluster.engine().world().pod(id);
    if (told.state != engine::PodState::kPending || !told.workload.is_none()) continue;
    // Of a file's claims the dialect believes less than an API server writes; the twin wants all of it.
    if (!pod.spec.volumes.empty()) continue;
    const engine::Reason reason = cluster.engine().explain(id);
    // The twin knows nothing of room that is kept for workloads.
    if (!reason.workload.reserved_for.is_none()) continue;
    const reference::Question question{now, pod, profile, settings.exclude_not_ready};
    EXPECT_EQ(broken_promise(question, reason), "") << name << " of " << file.file;
    EXPECT_EQ(std::accumulate(reason.nodes.begin(), reason.nodes.end(), 0U), world.nodes.size());
    ++asked;
  }
  return asked;
}

TEST(Reasons, OfCasesFollowFromChangedWorlds) {
  int asked = 0;
  std::vector<std::filesystem::path> paths;
  for (const auto& entry :
       std::filesystem::directory_iterator(std::filesystem::path(support::source_directory()) / "tests" / "cases"))
    paths.push_back(entry.path());
  std::ranges::sort(paths);
  for (const auto& path : paths) {
    const auto file = sim::parse_case_file(text::read_file(path.string()).value(), path.string());
    ASSERT_TRUE(file) << file.error().to_string();
    if (file->speaks == std::vector<std::string>{"core"} && file->configuration.empty()) asked += check(*file);
  }
  EXPECT_GE(asked, 60);
}

}  // namespace
}  // namespace berth::property
