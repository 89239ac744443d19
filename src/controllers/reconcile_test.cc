#include "controllers/reconcile.h"

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "controllers/test_objects.h"

namespace berth::controllers {
namespace {

struct Reconcile : testing::Test, TestObjects {};

TEST_F(Reconcile, AReplicaSetFillsUpWhatIsMissing) {
  replica_set(3);
  EXPECT_EQ(made(), 3U);
  pod("a", "ReplicaSet", "web");
  EXPECT_EQ(made(), 2U);
  pod("b", "ReplicaSet", "web").status.phase = api::PodPhase::kFailed;
  pod("c", "ReplicaSet", "web").metadata.deletion_timestamp = 5;
  EXPECT_EQ(made(), 2U);
  objects.replica_sets[0].object.replicas = 0;
  EXPECT_EQ(made(), 0U);
}

TEST_F(Reconcile, NewPodsAreWhatTheApiServerWouldMakeOfThem) {
  replica_set(1).metadata.uid = "u1";
  const Expansion expansion = run();
  ASSERT_EQ(expansion.pods.size(), 1U);
  const api::Pod& made = expansion.pods[0].object;
  EXPECT_TRUE(made.metadata.name.starts_with("web-")) << made.metadata.name;
  EXPECT_EQ(made.metadata.name.size(), 9U);
  EXPECT_EQ(made.metadata.namespace_, "team");
  EXPECT_EQ(made.metadata.creation_timestamp, 1'000'000);
  EXPECT_EQ(made.metadata.owner_references.at(0), (api::OwnerReference{"apps/v1", "ReplicaSet", "web", "u1", true}));
  EXPECT_EQ(made.spec.scheduler_name, "default-scheduler");
  EXPECT_EQ(made.spec.tolerations.size(), 2U);
  EXPECT_EQ(made.status.phase, api::PodPhase::kPending);
  EXPECT_EQ(expansion.pods[0].place.file, "f.yaml");
}

TEST_F(Reconcile, InADryRunOlderObjectsHaveOlderPods) {
  const auto stateful_set = [&](const std::string& name, std::optional<api::Time> created) {
    api::StatefulSet set;
    set.metadata = named(name);
    set.metadata.creation_timestamp = created;
    set.replicas = 2;
    set.pod_template = pod_template(name);
    set.selector.match_labels["app"] = name;
    objects.stateful_sets.emplace_back(set, Place{});
  };
  stateful_set("from-a-file", std::nullopt);
  stateful_set("young", 900);
  replica_set(1).metadata.creation_timestamp = 500;
  stateful_set("old", 100);
  options.one_by_one = true;
  std::vector<std::string> names;
  std::vector<api::Time> ages;
  for (const auto& read : run().pods) {
    names.push_back(read.object.metadata.name);
    ages.push_back(read.object.metadata.creation_timestamp.value_or(0) - options.now);
  }
  ASSERT_EQ(names.size(), 7U);
  EXPECT_TRUE(names[2].starts_with("web-"));
  names.erase(names.begin() + 2);
  EXPECT_EQ(names,
            (std::vector<std::string>{"old-0", "old-1", "young-0", "young-1", "from-a-file-0", "from-a-file-1"}));
  EXPECT_EQ(ages, (std::vector<api::Time>{0, 1, 2, 3, 4, 5, 6}));
}

TEST_F(Reconcile, NamesAreStableAndNeverTwice) {
  replica_set(2000);
  const Expansion first = run();
  std::set<std::string> names;
  for (const auto& read : first.pods) names.insert(read.object.metadata.name);
  EXPECT_EQ(names.size(), 2000U);
  EXPECT_EQ(run().pods[1999].object, first.pods[1999].object);
  // A name that is taken, now or formerly, is left to who has it.
  pod(first.pods[0].object.metadata.name, "ReplicaSet", "other");
  options.former_pods = {"team/" + first.pods[1].object.metadata.name};
  for (const auto& read : run().pods) {
    EXPECT_NE(read.object.metadata.name, first.pods[0].object.metadata.name);
    EXPECT_NE(read.object.metadata.name, first.pods[1].object.metadata.name);
  }
}

TEST_F(Reconcile, LongOwnerNamesAreCutAsTheApiServerCutsThem) {
  replica_set(1).metadata.name = std::string(100, 'x');
  EXPECT_EQ(run().pods.at(0).object.metadata.name.size(), 63U);
}

TEST_F(Reconcile, PodsOfAnotherOwnerOrUidOrSelectorDoNotCount) {
  replica_set(1).metadata.uid = "u1";
  pod("older-namesake", "ReplicaSet", "web", "u0");
  EXPECT_EQ(made(), 1U);
  pod("other-kind", "StatefulSet", "web", "u1");
  EXPECT_EQ(made(), 1U);
  pod("released", "ReplicaSet", "web", "u1").metadata.labels["app"] = "debug";
  EXPECT_EQ(made(), 1U);
  pod("other-namespace", "ReplicaSet", "web", "u1").metadata.namespace_ = "else";
  EXPECT_EQ(made(), 1U);
  pod("mine", "ReplicaSet", "web", "u1");
  EXPECT_EQ(made(), 0U);
}

TEST_F(Reconcile, APodWithoutOwnerIsAdoptedOnce) {
  replica_set(1);
  replica_set(1).metadata.name = "web2";
  pod("stray");
  EXPECT_EQ(made(), 1U);
}

TEST_F(Reconcile, ManyPodsWithoutOwnersBesideManyControllersTakeLinearTime) {
  constexpr int kSets = 20'000;
  for (int i = 0; i < kSets; ++i) {
    const std::string app = "app-" + std::to_string(i);
    api::ReplicaSet& set = replica_set(1);
    set.metadata.name = app;
    set.selector.match_labels["app"] = app;
    set.pod_template = pod_template(app);
    pod("stray-" + std::to_string(i)).metadata.labels["app"] = "app-" + std::to_string(2 * i);
  }
  EXPECT_EQ(made(), kSets / 2U) << "every second set adopts one";
}

TEST_F(Reconcile, ManyEvictedPodsBesideManyReplicaSetsComeBackInLinearTime) {
  constexpr std::size_t kSets = 50'000;
  for (std::size_t i = 0; i < kSets; ++i) {
    const std::string app = "app-" + std::to_string(i);
    replica_set(1).metadata.name = app;
    pod(app + "-x", "ReplicaSet", app).status.phase = api::PodPhase::kFailed;
  }
  std::vector<const api::Pod*> evicted;
  for (const auto& read : objects.pods) evicted.push_back(&read.object);
  EXPECT_EQ(replacements(objects, evicted, options).size(), kSets);
}

TEST_F(Reconcile, AReplicationControllerSelectsByItsTemplateIfItHasNoSelector) {
  api::ReplicationController from;
  from.metadata = named("old");
  from.replicas = 2;
  from.pod_template = pod_template();
  objects.replication_controllers.emplace_back(from, Place{});
  pod("a", "ReplicationController", "old");
  EXPECT_EQ(made(), 1U);
}

TEST_F(Reconcile, AStatefulSetNamesItsPodsAndClaims) {
  api::StatefulSet set;
  set.metadata = named("db");
  set.replicas = 3;
  set.first_ordinal = 5;
  set.selector.match_labels["app"] = "web";
  set.pod_template = pod_template();
  set.volume_claim_templates.emplace_back().metadata.name = "data";
  auto& given = objects.stateful_sets.emplace_back(set, Place{}).object;
  pod("db-6", "StatefulSet", "db");
  pod("db-x", "StatefulSet", "db");
  Expansion expansion = run();
  ASSERT_EQ(expansion.pods.size(), 2U);
  EXPECT_EQ(expansion.pods[0].object.metadata.name, "db-5");
  EXPECT_EQ(expansion.pods[1].object.metadata.name, "db-7");
  EXPECT_EQ(expansion.pods[1].object.metadata.labels.at("apps.kubernetes.io/pod-index"), "7");
  EXPECT_TRUE(expansion.pods[1].object.metadata.labels.at("controller-revision-hash").starts_with("db-"));
  objects.pods[0].object.metadata.labels["controller-revision-hash"] = "db-6596ffb49b";
  EXPECT_EQ(run().pods[1].object.metadata.labels.at("controller-revision-hash"), "db-6596ffb49b");
  ASSERT_EQ(expansion.persistent_volume_claims.size(), 2U);
  EXPECT_EQ(expansion.persistent_volume_claims[0].object.metadata.name, "data-db-5");
  EXPECT_EQ(expansion.pods[0].object.spec.volumes.at(0).persistent_volume_claim, "data-db-5");
  // In order: db-5 first, nothing after it until it runs.
  options.wait_for_predecessors = true;
  EXPECT_EQ(made(), 1U);
  add(run(), objects);
  EXPECT_EQ(made(), 0U);
  given.parallel = true;
  EXPECT_EQ(made(), 1U);
  given.parallel = false;
  for (auto& read : objects.pods) read.object.spec.node_name = "n1";
  ASSERT_EQ(made(), 1U);
  EXPECT_EQ(run().pods[0].object.metadata.name, "db-7");
}

TEST_F(Reconcile, AFinishedStatefulPodIsMadeAgainUnderItsName) {
  api::StatefulSet set;
  set.metadata = named("db");
  set.selector.match_labels["app"] = "web";
  set.pod_template = pod_template();
  objects.stateful_sets.emplace_back(set, Place{});
  auto& old = pod("db-0", "StatefulSet", "db");
  old.metadata.deletion_timestamp = 1;
  EXPECT_EQ(made(), 0U);
  old.metadata.deletion_timestamp.reset();
  old.status.phase = api::PodPhase::kFailed;
  ASSERT_EQ(made(), 1U);
  add(run(), objects);
  ASSERT_EQ(objects.pods.size(), 1U);
  EXPECT_EQ(objects.pods[0].object.status.phase, api::PodPhase::kPending);
}

TEST_F(Reconcile, AStatefulSetThatWasScaledDownDoesNotAbort) {
  api::StatefulSet set;
  set.metadata = named("db");
  set.replicas = 2;
  set.first_ordinal = 3;
  set.selector.match_labels["app"] = "web";
  set.pod_template = pod_template();
  auto& given = objects.stateful_sets.emplace_back(set, Place{}).object;
  for (const char* name : {"db-0", "db-1", "db-2", "db-3", "db-03"}) pod(name, "StatefulSet", "db");
  EXPECT_EQ(made(), 1U);
  options.max_pods = 0;  // pods outside of the range do not count towards what is there
  EXPECT_EQ(made(), 0U);
  EXPECT_EQ(run().errors.size(), 1U);
  options.max_pods = kMaxPods;
  given.replicas = 0;
  EXPECT_EQ(made(), 0U);
}

TEST_F(Reconcile, ADaemonSetHasOnePodPerEligibleNode) {
  api::DaemonSet set;
  set.metadata = named("agent");
  set.selector.match_labels["app"] = "web";
  set.pod_template = pod_template();
  set.pod_template.spec.host_network = true;
  set.pod_template.spec.node_selector["kubernetes.io/os"] = "linux";
  objects.daemon_sets.emplace_back(set, Place{});
  for (const char* name : {"n1", "n2", "n3", "n4"}) {
    node(name);
    objects.nodes.back().object.metadata.labels["kubernetes.io/os"] = "linux";
  }
  node("windows");
  objects.nodes[0].object.unschedulable = true;
  objects.nodes[0].object.taints = {{"node.kubernetes.io/unschedulable", "", api::TaintEffect::kNoSchedule}};
  objects.nodes[1].object.taints = {{"gpu", "", api::TaintEffect::kNoSchedule}};
  objects.nodes[2].object.taints = {{"soft", "", api::TaintEffect::kPreferNoSchedule}};
  pod("here", "DaemonSet", "agent").spec.node_name = "n4";
  const Expansion expansion = run();
  ASSERT_EQ(expansion.pods.size(), 2U);
  const api::PodSpec& spec = expansion.pods[0].object.spec;
  EXPECT_EQ(spec.affinity.node->required->terms.at(0).match_fields.at(0).values.at(0), "n1");
  EXPECT_EQ(spec.tolerations.size(), 7U);
  add(run(), objects);
  EXPECT_EQ(made(), 0U);
  objects.pods[0].object.status.phase = api::PodPhase::kFailed;
  EXPECT_EQ(made(), 1U);
}

TEST_F(Reconcile, ADaemonPodKeepsItsOwnAffinityBesideItsNode) {
  api::DaemonSet set;
  set.metadata = named("agent");
  set.pod_template = pod_template();
  set.pod_template.spec.affinity.node.emplace().required.emplace().terms = {
      {{{"kubernetes.io/hostname", api::SelectorOperator::kIn, {"n2"}}}, {}}};
  objects.daemon_sets.emplace_back(set, Place{});
  node("n1");
  node("n2");
  const Expansion expansion = run();
  ASSERT_EQ(expansion.pods.size(), 1U);
  const auto& term = expansion.pods[0].object.spec.affinity.node->required->terms.at(0);
  EXPECT_EQ(term.match_expressions.size(), 1U);
  EXPECT_EQ(term.match_fields.at(0).values.at(0), "n2");
}

TEST_F(Reconcile, AnAbsurdCountIsRefusedAndTheOthersGoOn) {
  replica_set(2'147'483'647);
  replica_set(2).metadata.name = "modest";
  const Expansion expansion = run();
  EXPECT_EQ(expansion.pods.size(), 2U);
  ASSERT_EQ(expansion.errors.size(), 1U);
  EXPECT_EQ(expansion.errors[0].code, ErrorCode::kLimit);
  EXPECT_NE(expansion.errors[0].message.find("2147483647"), std::string::npos) << expansion.errors[0].message;
  EXPECT_EQ(expansion.errors[0].place.file, "f.yaml");
}

TEST_F(Reconcile, TheLimitIsOnAllPodsTogether) {
  options.max_pods = 5;
  replica_set(3);
  replica_set(3).metadata.name = "web2";
  replica_set(2).metadata.name = "web3";
  EXPECT_EQ(made(), 5U);
  EXPECT_EQ(run().errors.size(), 1U);
}

TEST_F(Reconcile, MoreReplicasThanAnyClusterRunsAreRefusedWithASentence) {
  replica_set(999'999);
  EXPECT_EQ(made(), 0U);
  ASSERT_EQ(run().errors.size(), 1U);
  EXPECT_NE(run().errors[0].message.find("asks for 999999 new pods; at most 300000 can be made at once"),
            std::string::npos)
      << run().errors[0].message;
}

TEST_F(Reconcile, ALargeTemplateIsNotCopiedUntilTheMemoryIsFull) {
  replica_set(100'000).pod_template.metadata.annotations["note"] = std::string(100'000, 'x');
  replica_set(2).metadata.name = "modest";
  const Expansion expansion = run();
  EXPECT_EQ(expansion.pods.size(), 2U);
  ASSERT_EQ(expansion.errors.size(), 1U);
  EXPECT_EQ(expansion.errors[0].code, ErrorCode::kLimit);
  EXPECT_NE(expansion.errors[0].message.find("ReplicaSet web asks for 100000 new pods of 0.2 MB each"),
            std::string::npos)
      << expansion.errors[0].message;
}

TEST_F(Reconcile, TheLimitOfMemoryIsOnAllPodsTogether) {
  options.max_pod_bytes = 250'000;
  for (const char* name : {"a", "b", "c"}) {
    api::ReplicaSet& set = replica_set(1);
    set.metadata.name = name;
    set.pod_template.metadata.annotations["note"] = std::string(100'000, 'x');
  }
  const Expansion expansion = run();
  EXPECT_EQ(expansion.pods.size(), 2U);
  ASSERT_EQ(expansion.errors.size(), 1U);
  EXPECT_NE(expansion.errors[0].message.find("with those of other objects"), std::string::npos)
      << expansion.errors[0].message;
}

TEST_F(Reconcile, AHundredThousandReplicasAreMade) {
  replica_set(100'000);
  EXPECT_EQ(made(), 100'000U);
}

TEST_F(Reconcile, AStatefulPodWhoseNameAnotherPodHasIsNotMade) {
  api::StatefulSet set;
  set.metadata = named("db");
  set.replicas = 2;
  set.selector.match_labels["app"] = "web";
  set.pod_template = pod_template();
  objects.stateful_sets.emplace_back(set, Place{});
  pod("db-0", "ReplicaSet", "other");
  ASSERT_EQ(made(), 1U);
  EXPECT_EQ(run().pods[0].object.metadata.name, "db-1");
  EXPECT_EQ(remark(), "Pod db-0 is not made, as another pod has this name. Rename or remove that one.");
}

TEST_F(Reconcile, DeletedOwnersMakeNothing) {
  replica_set(3).metadata.deletion_timestamp = 5;
  EXPECT_EQ(made(), 0U);
}

TEST_F(Reconcile, AnOwnTolerationTakesThePlaceOfTheDefault) {
  api::Pod from;
  api::Toleration everything;
  everything.op = api::TolerationOperator::kExists;
  from.spec.tolerations = {everything};
  set_defaults(from);
  EXPECT_EQ(from.spec.tolerations.size(), 1U);
  from.spec.tolerations[0].key = "node.kubernetes.io/not-ready";
  set_defaults(from);
  EXPECT_EQ(from.spec.tolerations.size(), 2U);
  set_defaults(from);
  EXPECT_EQ(from.spec.tolerations.size(), 2U);
}

TEST_F(Reconcile, NewPodsGetWhatTheirRuntimeClassAndLimitRangesSay) {
  api::RuntimeClass kata;
  kata.metadata.name = "kata";
  kata.overhead["cpu"] = api::Quantity::from_units(2);
  kata.node_selector["kata"] = "true";
  kata.tolerations = {{.key = "kata", .op = api::TolerationOperator::kExists}};
  objects.runtime_classes.emplace_back(kata, Place{});
  api::LimitRange limits;
  limits.metadata = named("defaults");
  limits.container_requests["memory"] = api::Quantity::from_units(7);
  objects.limit_ranges.emplace_back(limits, Place{});
  replica_set(2).pod_template.spec.runtime_class_name = "kata";
  const api::Pod made = run().pods.at(1).object;
  EXPECT_EQ(made.spec.overhead, kata.overhead);
  EXPECT_EQ(made.spec.node_selector, kata.node_selector);
  EXPECT_EQ(made.spec.tolerations.size(), 3U);
  EXPECT_EQ(made.spec.containers[0].resources.requests, limits.container_requests);

  for (const char* name : {"manifest", "admitted", "runs", "disagrees"}) {
    api::Pod& pod = this->pod(name);
    pod.spec = objects.replica_sets[0].object.pod_template.spec;
    pod.metadata.owner_references = {{"x/v1", "Other", "o", "", true}};
  }
  objects.pods[1].object.metadata.uid = "u";
  objects.pods[2].object.spec.node_name = "n1";
  objects.pods[3].object.spec.node_selector["kata"] = "false";
  const std::vector<Error> remarks = admit_pods(objects);
  EXPECT_EQ(objects.pods[0].object.spec.overhead, kata.overhead);
  EXPECT_TRUE(objects.pods[1].object.spec.overhead.empty());
  EXPECT_TRUE(objects.pods[2].object.spec.overhead.empty());
  ASSERT_EQ(remarks.size(), 1U);
  EXPECT_NE(remarks[0].message.find("kata=true"), std::string::npos) << remarks[0].message;
  const api::Pod before = objects.pods[0].object;
  EXPECT_EQ(admit_pods(objects).size(), 1U);
  EXPECT_TRUE(before == objects.pods[0].object) << "twice is once";
}

TEST_F(Reconcile, OfLimitRangesTheFirstByNameGivesAResource) {
  const auto range = [&](const std::string& name, const std::string& resource, std::int64_t amount) {
    api::LimitRange limits;
    limits.metadata = named(name);
    limits.container_requests[resource] = api::Quantity::from_units(amount);
    objects.limit_ranges.emplace_back(limits, Place{});
  };
  range("c", "memory", 3);
  range("b", "cpu", 2);
  range("a", "cpu", 1);
  replica_set(1);
  const api::ResourceList requests = run().pods.at(0).object.spec.containers[0].resources.requests;
  EXPECT_EQ(requests.at("cpu"), api::Quantity::from_units(1));
  EXPECT_EQ(requests.at("memory"), api::Quantity::from_units(3));
}

// There was one for each object, of whatever number.
TEST_F(Reconcile, MistakesOfVeryManyObjectsDoNotFillTheMemory) {
  for (int i = 0; i < 10'050; ++i) {
    api::CronJob job;
    job.metadata = named("j" + std::to_string(i));
    job.schedule = "nonsense";
    objects.cron_jobs.emplace_back(job, Place{});
  }
  const Expansion expansion = run();
  ASSERT_EQ(expansion.errors.size(), 10'001U);
  EXPECT_NE(expansion.errors.back().message.find("There is more of that kind"), std::string::npos);
}

// Both started or waited without a word.
TEST_F(Reconcile, PodsThatTheApiServerRefusesForTheirLimitsOrOverheadAreRemarkedOn) {
  api::LimitRange limits;
  limits.metadata = named("defaults");
  limits.container_limits["cpu"] = api::Quantity::from_units(2);
  objects.limit_ranges.emplace_back(limits, Place{});
  for (const char* name : {"within", "above", "limited"}) {
    api::Container& container = pod(name).spec.containers.emplace_back();
    container.name = "main";
    container.resources.requests["cpu"] = api::Quantity::from_units(name == std::string_view("within") ? 2 : 3);
    if (name == std::string_view("limited")) container.resources.limits["cpu"] = api::Quantity::from_units(4);
  }
  std::vector<Error> remarks = admit_pods(objects);
  ASSERT_EQ(remarks.size(), 1U);
  EXPECT_NE(remarks[0].message.find("limits cpu of container main to less than"), std::string::npos)
      << remarks[0].message;

  objects = {};
  api::RuntimeClass plain;
  plain.metadata.name = "plain";
  objects.runtime_classes.emplace_back(plain, Place{});
  for (const char* name : {"", "plain", "unseen"}) {
    api::Pod& of = pod("of-" + std::string(name));
    of.spec.runtime_class_name = name;
    of.spec.overhead["cpu"] = api::Quantity::from_units(1);
  }
  remarks = admit_pods(objects);
  ASSERT_EQ(remarks.size(), 2U) << "what a class that is not known gives is not known either";
  EXPECT_NE(remarks[0].message.find("overhead that no RuntimeClass gives it"), std::string::npos) << remarks[0].message;
  objects.runtime_classes.clear();
  EXPECT_EQ(admit_pods(objects).size(), 1U);
}

// It got a name that Volcano never gives, or with a suspended Job of its name beside it did not come back.
TEST_F(Reconcile, AnEvictedPodOfAVolcanoJobComesBackUnderItsName) {
  api::Job job;
  job.metadata = named("vj");
  job.spec.suspend = true;
  objects.jobs.emplace_back(job, Place{});
  api::Pod& evicted = pod("vj-w-0");
  evicted.metadata.owner_references = {{"batch.volcano.sh/v1alpha1", "Job", "vj", "vu", true}};
  evicted.status.phase = api::PodPhase::kFailed;
  const std::vector<const api::Pod*> pods = {&evicted};
  const std::vector<Replacement> back = replacements(objects, pods, options);
  ASSERT_EQ(back.size(), 1U);
  EXPECT_EQ(back[0].pod.metadata.name, "vj-w-0");
}

struct Claims : Reconcile {
  api::PersistentVolumeClaim& claim(std::optional<std::string> storage_class) {
    api::PersistentVolumeClaim result;
    result.metadata = named("data");
    result.storage_class_name = std::move(storage_class);
    result.requests["storage"] = api::Quantity::from_units(10);
    return objects.persistent_volume_claims.emplace_back(result, Place{}).object;
  }
  api::StorageClass& storage_class(const std::string& name, const std::string& provisioner) {
    api::StorageClass result;
    result.metadata.name = name;
    result.provisioner = provisioner;
    return objects.storage_classes.emplace_back(result, Place{}).object;
  }
  const api::PersistentVolumeClaim& settled() {
    remarks = settle_claims(objects);
    return objects.persistent_volume_claims[0].object;
  }
  std::vector<Error> remarks;
};

TEST_F(Claims, OfEphemeralVolumesAreMadeForPodsThatWait) {
  storage_class("fast", "csi").volume_binding_mode = api::VolumeBindingMode::kWaitForFirstConsumer;
  api::PersistentVolumeClaim from;
  from.storage_class_name = "fast";
  from.metadata.labels["of"] = "scratch";
  for (const std::string name : {"waits", "runs", "goes"}) {
    api::Pod pod;
    pod.metadata = named(name);
    pod.spec.volumes.push_back({.name = "scratch", .ephemeral = true, .claim_template = from});
    if (name == "runs") pod.spec.node_name = "n1";
    if (name == "goes") pod.metadata.deletion_timestamp = 5;
    objects.pods.emplace_back(pod, Place{});
  }
  const api::PersistentVolumeClaim made = settled();
  EXPECT_EQ(made.metadata.name, "waits-scratch");
  EXPECT_EQ(made.metadata.labels.at("of"), "scratch");
  EXPECT_EQ(made.metadata.owner_references.at(0).name, "waits");
  EXPECT_EQ(made.phase, "Pending");
  EXPECT_EQ(settled(), made);
  EXPECT_EQ(objects.persistent_volume_claims.size(), 1U);
}

TEST_F(Claims, AreProvisionedAtOnceWhereTheirClassDoes) {
  storage_class("fast", "csi").allowed_topologies = {{{{"zone", api::SelectorOperator::kIn, {"a"}}}, {}}};
  claim("fast");
  EXPECT_EQ(settled().phase, "Bound");
  ASSERT_EQ(objects.persistent_volumes.size(), 1U);
  EXPECT_TRUE(objects.persistent_volumes[0].object.node_affinity);
  EXPECT_TRUE(remarks.empty());
}

TEST_F(Claims, WaitForTheirConsumerWhereTheClassSaysSo) {
  auto& from = storage_class("fast", "csi");
  from.volume_binding_mode = api::VolumeBindingMode::kWaitForFirstConsumer;
  from.is_default = true;
  claim(std::nullopt);
  EXPECT_EQ(settled().phase, "Pending");
  EXPECT_EQ(settled().storage_class_name, "fast");
}

TEST_F(Claims, TakeTheSmallestVolumeThatSuits) {
  storage_class("local", "kubernetes.io/no-provisioner");
  claim("local");
  for (const auto& [name, size] : {std::pair("large", 50), std::pair("small", 20), std::pair("tiny", 5)}) {
    api::PersistentVolume volume;
    volume.metadata.name = name;
    volume.storage_class_name = "local";
    volume.capacity["storage"] = api::Quantity::from_units(size);
    objects.persistent_volumes.emplace_back(volume, Place{});
  }
  EXPECT_EQ(settled().volume_name, "small");
  EXPECT_EQ(objects.persistent_volumes[1].object.phase, "Bound");
}

// "PersistentVolumeClaim data is not bound yet", for ever.
TEST_F(Claims, TakeTheVolumeThatTheyName) {
  claim("").volume_name = "nfs";
  for (const auto& [name, size] : {std::pair("tight", 10), std::pair("nfs", 50)}) {
    api::PersistentVolume volume;
    volume.metadata.name = name;
    volume.capacity["storage"] = api::Quantity::from_units(size);
    objects.persistent_volumes.emplace_back(volume, Place{});
  }
  EXPECT_EQ(settled().phase, "Bound");
  EXPECT_EQ(objects.persistent_volumes[1].object.claim_name, "data");
  EXPECT_EQ(objects.persistent_volumes[0].object.claim_name, "");
}

TEST_F(Claims, DoNotTakeANamedVolumeThatIsTooSmallOrAnothersOrUnseen) {
  claim("").volume_name = "nfs";
  EXPECT_EQ(settled().phase, "");
  api::PersistentVolume volume;
  volume.metadata.name = "nfs";
  volume.capacity["storage"] = api::Quantity::from_units(5);
  objects.persistent_volumes.emplace_back(volume, Place{});
  EXPECT_EQ(settled().phase, "Pending");
  api::PersistentVolume& there = objects.persistent_volumes[0].object;
  there.capacity["storage"] = api::Quantity::from_units(50);
  there.claim_name = "another";
  objects.persistent_volume_claims[0].object.phase.clear();
  EXPECT_EQ(settled().phase, "Pending");
}

TEST_F(Claims, TakeTheSmallestOfTheReservedVolumesUnlessAnotherHasFewerAccessModes) {
  storage_class("local", "kubernetes.io/no-provisioner");
  claim("local").access_modes = {api::AccessMode::kReadWriteOnce};
  const auto add = [this](const char* name, int size, std::vector<api::AccessMode> modes, bool kept) {
    api::PersistentVolume volume;
    volume.metadata.name = name;
    volume.storage_class_name = "local";
    volume.capacity["storage"] = api::Quantity::from_units(size);
    volume.access_modes = std::move(modes);
    if (kept) {
      volume.claim_namespace = objects.persistent_volume_claims[0].object.metadata.namespace_;
      volume.claim_name = "data";
    }
    objects.persistent_volumes.emplace_back(volume, Place{});
  };
  const std::vector<api::AccessMode> two = {api::AccessMode::kReadWriteOnce, api::AccessMode::kReadOnlyMany};
  add("free", 10, two, false);
  add("kept-large", 50, two, true);
  add("kept", 20, two, true);
  add("kept-tiny", 5, two, true);
  add("kept-read-only", 15, {api::AccessMode::kReadOnlyMany}, true);
  EXPECT_EQ(settled().volume_name, "kept");
  objects.persistent_volume_claims[0].object.volume_name.clear();
  objects.persistent_volume_claims[0].object.phase.clear();
  objects.persistent_volumes[2].object.claim_name = "another";
  add("exact", 90, {api::AccessMode::kReadWriteOnce, api::AccessMode::kReadWriteOnce}, false);
  EXPECT_EQ(settled().volume_name, "exact");
}

// The first default of the input was taken, so that the order of documents decided.
TEST_F(Claims, OfNoClassGetTheNewestDefault) {
  auto& old = storage_class("old", "kubernetes.io/no-provisioner");
  old.is_default = true;
  old.metadata.creation_timestamp = 100;
  auto& fresh = storage_class("new", "csi");
  fresh.is_default = true;
  fresh.metadata.creation_timestamp = 200;
  claim(std::nullopt);
  EXPECT_EQ(settled().storage_class_name, "new");
}

TEST_F(Claims, OfAnUnknownClassAreHeldOnlyIfOtherClassesAreKnown) {
  claim("fast");
  EXPECT_EQ(settled().phase, "Bound");
  EXPECT_EQ(remarks.size(), 1U);
  objects.persistent_volume_claims.clear();
  objects.persistent_volumes.clear();
  storage_class("slow", "csi");
  claim("fast");
  EXPECT_EQ(settled().phase, "Pending");
}

TEST_F(Claims, OfTheClusterAreLeftAlone) {
  claim("fast").phase = "Pending";
  EXPECT_EQ(settled().phase, "Pending");
  EXPECT_TRUE(settled().volume_name.empty());
}

}  // namespace
}  // namespace berth::controllers
