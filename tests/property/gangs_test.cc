// Gangs against exhaustion: the engine starts a gang exactly when some placement would, and what it starts is whole,
// within its rules and within what there is.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/random.h"
#include "engine/engine.h"
#include "engine/world/world.h"
#include "reference/gangs.h"
#include "support/long_run.h"

namespace berth::property {
namespace {

using namespace engine;  // NOLINT(google-build-using-namespace): every name here is the engine's

struct Case {
  std::vector<reference::GangNode> nodes;
  std::vector<reference::GangMember> members;
  std::vector<reference::GangGroup> groups;
};

Case random_case(Random& random) {
  Case made;
  const std::int64_t racks = random.between(1, 3);
  for (std::int64_t i = random.between(1, 4); i > 0; --i) {
    const auto rack = static_cast<std::int32_t>(random.below(static_cast<std::uint64_t>(racks)));
    made.nodes.push_back({{random.between(0, 6), random.between(0, 4)},
                          {random.chance(1, 8) ? -1 : rack / 2, random.chance(1, 8) ? -1 : rack}});
    // Who has no outer label is in no inner domain either.
    if (made.nodes.back().domains[0] < 0) made.nodes.back().domains[1] = -1;
  }
  const auto level = [&] { return random.chance(1, 3) ? static_cast<std::int32_t>(random.below(2)) : -1; };
  const auto leaves = static_cast<std::size_t>(random.between(1, 3));
  made.groups.push_back({0, 0, 0, level()});
  if (leaves == 1 && random.chance(1, 2)) {
    made.groups[0].minimum_pods = static_cast<std::int32_t>(random.between(1, 5));
  } else {
    for (std::size_t i = 0; i < leaves; ++i) {
      made.groups.push_back({0, static_cast<std::int32_t>(random.between(0, 3)), 0, level()});
    }
    made.groups[0].minimum_children =
        random.chance(2, 3) ? static_cast<std::int32_t>(leaves)
                            : static_cast<std::int32_t>(random.between(1, static_cast<std::int64_t>(leaves)));
    if (random.chance(1, 3)) made.groups[0].minimum_pods = static_cast<std::int32_t>(random.between(1, 5));
  }
  std::vector<std::vector<std::int64_t>> shapes;
  for (std::int64_t i = random.between(1, 3); i > 0; --i)
    shapes.push_back({random.between(1, 3), random.between(0, 2)});
  for (std::int64_t i = random.between(1, 6); i > 0; --i) {
    const std::size_t leaf = made.groups.size() == 1 ? 0 : 1 + static_cast<std::size_t>(random.below(leaves));
    made.members.push_back({leaf, shapes[static_cast<std::size_t>(random.below(shapes.size()))]});
  }
  return made;
}

class Trial {
 public:
  explicit Trial(const Case& given) : case_(given), engine_(config(), names_) {
    std::vector<Event> events;
    for (std::size_t i = 0; i < given.nodes.size(); ++i) events.push_back(node(i));
    WorkloadInput workload;
    workload.name = names_.names.intern("w");
    for (std::size_t i = 0; i < given.groups.size(); ++i) {
      const reference::GangGroup& group = given.groups[i];
      GroupInput input;
      input.name = names_.names.intern("g" + std::to_string(i));
      input.parent = static_cast<std::uint32_t>(group.parent);
      input.minimum_pods = group.minimum_pods;
      input.minimum_children = group.minimum_children;
      input.topology.topology = topology_;
      if (group.required_level >= 0) input.topology.required = levels_[static_cast<std::size_t>(group.required_level)];
      workload.groups.push_back(input);
    }
    events.emplace_back(TopologyChanged{{topology_, levels_}});
    events.emplace_back(WorkloadChanged{workload});
    for (std::size_t i = 0; i < given.members.size(); ++i) events.push_back(pod(i));
    result_ = engine_.step(events, 0);
  }

  [[nodiscard]] std::vector<std::int32_t> node_of() const {
    std::vector<std::int32_t> result;
    for (std::size_t i = 0; i < case_.members.size(); ++i) {
      const NodeId node = engine_.world().pod(engine_.find_pod(names_.names.find("p" + std::to_string(i)))).node;
      result.push_back(node.is_none() ? -1 : static_cast<std::int32_t>(node.value()));
    }
    return result;
  }
  [[nodiscard]] bool started() const { return !result_.decisions.empty(); }
  [[nodiscard]] bool gave_up() {
    return !result_.pending.empty() && engine_.explain(result_.pending.front().pod).workload.search_limit;
  }
  [[nodiscard]] bool nothing_is_negative() const {
    for (std::size_t i = 0; i < case_.nodes.size(); ++i) {
      for (const ResourceId resource : {kCpu, kMemory, kPods}) {
        if (engine_.world().free(NodeId{i}, resource) < 0) return false;
      }
    }
    return true;
  }

 private:
  Config config() {
    Profile profile;
    profile.id = names_.profiles.intern("default-scheduler");
    profile.filters = {Filter::kNodeUnschedulable, Filter::kTaintToleration, Filter::kNodeAffinity,
                       Filter::kNodeResourcesFit};
    profile.scores = {{Score::kNodeResourcesFit, 1}};
    profile.fit_resources = {{kCpu, 1}, {kMemory, 1}};
    return Config{.profiles = {profile}, .classify_pending = false};
  }
  Event node(std::size_t number) {
    const reference::GangNode& given = case_.nodes[number];
    NodeInput input;
    input.name = names_.names.intern("n" + std::to_string(number));
    for (std::size_t level = 0; level < levels_.size(); ++level) {
      // The reference has inner domains by number alone; equal ones here have equal outer ones.
      if (given.domains[level] >= 0)
        input.labels.push_back({levels_[level], names_.label_value("d" + std::to_string(given.domains[level]))});
    }
    std::ranges::sort(input.labels);
    input.allocatable = {{kCpu, given.free[0]}, {kMemory, given.free[1]}, {kPods, 100}};
    return NodeChanged{input};
  }
  Event pod(std::size_t number) {
    const reference::GangMember& given = case_.members[number];
    PodInput input;
    input.name = names_.names.intern("p" + std::to_string(number));
    input.shape.profile = names_.profiles.intern("default-scheduler");
    for (std::size_t r = 0; r < 2; ++r) {
      if (given.request[r] > 0) input.shape.requests.push_back({r == 0 ? kCpu : kMemory, given.request[r]});
    }
    input.created = static_cast<Time>(number);
    input.workload = names_.names.intern("w");
    input.group = names_.names.intern("g" + std::to_string(given.group));
    return PodChanged{input};
  }

  const Case& case_;
  Names names_;
  NameId topology_ = names_.names.intern("hall");
  std::vector<LabelKeyId> levels_{names_.label_keys.intern("block"), names_.label_keys.intern("rack")};
  Engine engine_;
  StepResult result_;
};

TEST(GangPlacement, StartExactlyWhenSomePlacementWould) {
  Random random(21);
  const int cases = support::count_of_worlds(3000, 100'000);
  int started = 0;
  int refused = 0;
  int gave_up = 0;
  for (int i = 0; i < cases; ++i) {
    const Case made = random_case(random);
    Trial run(made);
    const bool possible = reference::can_start(made.nodes, made.members, made.groups);
    const std::vector<std::int32_t> nothing(made.members.size(), -1);
    // A tree without minimums is whole with nothing, and grows pod by pod.
    if (reference::is_whole(made.nodes, made.members, made.groups, nothing)) continue;
    ASSERT_EQ(run.started(), possible) << "case " << i << (run.gave_up() ? ": gave up" : "");
    ASSERT_TRUE(run.nothing_is_negative()) << "case " << i;
    ++(possible ? started : refused);
    if (!possible && run.gave_up()) ++gave_up;
    if (possible) {
      ASSERT_TRUE(reference::is_whole(made.nodes, made.members, made.groups, run.node_of())) << "case " << i;
    }
  }
  EXPECT_EQ(gave_up, 0);
  EXPECT_GT(started, cases / 10);
  EXPECT_GT(refused, cases / 10);
}

}  // namespace
}  // namespace berth::property
