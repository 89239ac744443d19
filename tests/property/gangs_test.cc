// Gangs against exhaustion: the engine starts a gang exactly when some placement would, and what it starts is whole,
// within its rules and within what there is.
#include <fmt/format.h>
#include <fmt/ranges.h>
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
  bool labelled = false;              // every member has a label of its own
  bool balanced = false;              // the root's slices
  std::int32_t preferred_level = -1;  // of the root
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
  for (std::size_t i = made.groups.size() == 1 ? 0 : 1; i < made.groups.size(); ++i) {
    if (!random.chance(1, 3)) continue;
    made.groups[i].slice_size = static_cast<std::int32_t>(random.between(2, 3));
    made.groups[i].slice_level = static_cast<std::int32_t>(random.below(2));
  }
  made.labelled = random.chance(1, 2);
  std::vector<std::vector<std::int64_t>> shapes;
  for (std::int64_t i = random.between(1, 3); i > 0; --i)
    shapes.push_back({random.between(1, 3), random.between(0, 2)});
  for (std::int64_t i = random.between(1, 6); i > 0; --i) {
    const std::size_t leaf = made.groups.size() == 1 ? 0 : 1 + static_cast<std::size_t>(random.below(leaves));
    made.members.push_back({leaf, shapes[static_cast<std::size_t>(random.below(shapes.size()))]});
  }
  return made;
}

// Equal pods of one leaf, all of which are needed: how many domains they touch is defined, and what balance is.
Case random_case_of_equals(Random& random) {
  Case made;
  for (std::int64_t i = random.between(2, 5); i > 0; --i) {
    const auto rack = static_cast<std::int32_t>(random.below(4));
    made.nodes.push_back({{random.between(0, 5), 10}, {rack / 2, rack}});
  }
  const std::int64_t pods = random.between(2, 6);
  made.groups.push_back({0, static_cast<std::int32_t>(pods), 0, -1});
  made.members.assign(static_cast<std::size_t>(pods), {0, {1, 0}});
  made.labelled = random.chance(1, 2);
  if (random.chance(1, 2)) {
    made.preferred_level = 1;
    return made;
  }
  made.groups[0].slice_level = 1;
  made.groups[0].slice_size = static_cast<std::int32_t>(pods % 2 == 0 ? 2 : 1);
  made.balanced = true;
  return made;
}

// Gangs of up to a hundred members on about as many nodes as they need.
Case random_large_case(Random& random) {
  Case made;
  const std::int64_t racks = random.between(1, 6);
  std::vector<std::vector<std::int64_t>> shapes;
  for (std::int64_t i = random.between(1, 5); i > 0; --i)
    shapes.push_back({random.between(1, 4), random.between(0, 8)});
  const auto leaves = static_cast<std::size_t>(random.between(1, 3));
  std::vector<std::int64_t> asked(2, 0);
  made.groups.push_back({0, 0, static_cast<std::int32_t>(leaves), -1});
  for (std::size_t leaf = 1; leaf <= leaves; ++leaf) {
    const auto pods = static_cast<std::int32_t>(random.between(1, 100 / static_cast<std::int64_t>(leaves)));
    made.groups.push_back({0, pods, 0, random.chance(1, 3) ? static_cast<std::int32_t>(random.below(2)) : -1});
    if (random.chance(1, 3)) {
      made.groups[leaf].slice_size = static_cast<std::int32_t>(random.between(2, 8));
      made.groups[leaf].slice_level = 1;
    }
    for (std::int32_t i = 0; i < pods; ++i) {
      made.members.push_back({leaf, shapes[static_cast<std::size_t>(random.below(shapes.size()))]});
      for (std::size_t r = 0; r < 2; ++r) asked[r] += made.members.back().request[r];
    }
  }
  made.labelled = random.chance(1, 4);
  const std::int64_t percent = random.between(80, 130);
  for (std::vector<std::int64_t> left = asked; left[0] * 100 > asked[0] * (100 - percent) && made.nodes.size() < 200;) {
    const auto rack = static_cast<std::int32_t>(random.below(static_cast<std::uint64_t>(racks)));
    made.nodes.push_back({{random.chance(1, 3) ? random.between(1, 8) : 8, 16}, {rack / 2, rack}});
    left[0] -= made.nodes.back().free[0];
  }
  return made;
}

std::string describe(const Case& made) {
  std::string text;
  for (const reference::GangNode& node : made.nodes)
    text += fmt::format("node {} in {}\n", fmt::join(node.free, " "), fmt::join(node.domains, "/"));
  for (const reference::GangGroup& group : made.groups)
    text += fmt::format("group below {}: pods {}, children {}, required {}, slices of {} at {}\n", group.parent,
                        group.minimum_pods, group.minimum_children, group.required_level, group.slice_size,
                        group.slice_level);
  for (const reference::GangMember& member : made.members)
    text += fmt::format("member of {}: {}\n", member.group, fmt::join(member.request, " "));
  return text + (made.labelled ? "labelled\n" : "");
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
      input.topology.slice_size = group.slice_size;
      if (group.slice_size > 0) input.topology.slice_level = levels_[static_cast<std::size_t>(group.slice_level)];
      if (i == 0) {
        input.topology.balanced = given.balanced;
        if (given.preferred_level >= 0)
          input.topology.preferred = levels_[static_cast<std::size_t>(given.preferred_level)];
      }
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
    if (case_.labelled)
      input.shape.labels = {{names_.label_keys.intern("index"), names_.label_value(std::to_string(number))}};
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
    ASSERT_EQ(run.started(), possible) << "case " << i << (run.gave_up() ? ": gave up\n" : "\n") << describe(made);
    ASSERT_TRUE(run.nothing_is_negative()) << "case " << i;
    ++(possible ? started : refused);
    if (!possible && run.gave_up()) ++gave_up;
    if (possible) {
      ASSERT_TRUE(reference::is_whole(made.nodes, made.members, made.groups, run.node_of())) << "case " << i << "\n"
                                                                                             << describe(made);
    }
  }
  EXPECT_EQ(gave_up, 0);
  EXPECT_GT(started, cases / 10);
  EXPECT_GT(refused, cases / 10);
}

// The preferred level, and balance: as few domains as will do, with balance in parts as equal as may be.
TEST(GangPlacement, TouchesAsFewDomainsAsWillDo) {
  Random random(22);
  const int cases = support::count_of_worlds(2000, 100'000);
  int spread = 0;
  for (int i = 0; i < cases; ++i) {
    const Case made = random_case_of_equals(random);
    Trial run(made);
    const bool possible = reference::can_start(made.nodes, made.members, made.groups);
    ASSERT_EQ(run.started(), possible) << "case " << i << "\n" << describe(made);
    if (!possible) continue;
    const reference::GangSpread best = reference::best_spread(made.nodes, made.members, made.groups, 1);
    const reference::GangSpread here = reference::spread_of(made.nodes, run.node_of(), 1);
    ASSERT_EQ(here.domains, best.domains) << "case " << i;
    if (made.balanced) {
      ASSERT_EQ(here.largest, best.largest) << "case " << i;
    }
    spread += here.domains > 1 ? 1 : 0;
  }
  EXPECT_GT(spread, cases / 10);
}

// The nodes hold 0.8 to 1.3 times what is asked of one resource: where packing is hardest. The bound is what is
// measured (1 of 1,500, and that is the 79th), so that it does not grow.
TEST(GangPlacement, OfAHundredMembersAtTheEdgeOfWhatFitsGivesUpSeldom) {
  Random random(23);
  const int cases = support::count_of_worlds(200, 100'000);
  int started = 0;
  int refused = 0;
  int gave_up = 0;
  int gave_up_on_slices = 0;
  int gave_up_on_nodes = 0;
  for (int i = 0; i < cases; ++i) {
    const Case made = random_large_case(random);
    Trial run(made);
    ASSERT_TRUE(run.nothing_is_negative()) << "case " << i;
    if (run.started()) {
      ++started;
      ASSERT_TRUE(reference::is_whole(made.nodes, made.members, made.groups, run.node_of())) << "case " << i << "\n"
                                                                                             << describe(made);
    } else {
      ++refused;
      if (!run.gave_up()) continue;
      ++gave_up;
      const bool slices = std::ranges::any_of(made.groups, [](const auto& group) { return group.slice_size > 0; });
      ++(slices ? gave_up_on_slices : gave_up_on_nodes);
    }
  }
  RecordProperty("gave_up", gave_up);
  EXPECT_LE(gave_up, 1 + cases / 1000) << gave_up_on_slices << " with slices and " << gave_up_on_nodes
                                       << " without, of " << cases << ", " << started << " started, " << refused
                                       << " did not";
  EXPECT_GT(started, cases / 10);
  EXPECT_GT(refused, cases / 10);
}

}  // namespace
}  // namespace berth::property
