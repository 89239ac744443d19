// Workshop: what the controllers share during one reconcile(): the pods that are there, names for new ones, the result.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>
#include <boost/unordered/unordered_flat_set.hpp>

#include "api/label_index.h"
#include "api/objects.h"
#include "api/pod_state.h"
#include "controllers/admission.h"
#include "controllers/fresh_names.h"
#include "controllers/reconcile.h"

namespace berth::controllers {

// Names the owner of a pod to be: kind, apiVersion and the owner's metadata.
struct Owner {
  std::string_view api_version;
  std::string_view kind;
  const api::ObjectMeta* metadata = nullptr;
};

// True if the owner controls the object. Names decide where one side has no uid.
[[nodiscard]] bool controls(const Owner& owner, const api::ObjectMeta& metadata);
// Volcano has kinds that are named like Kubernetes' own.
[[nodiscard]] bool is_volcanos(std::string_view api_version);
// The controller of an object as the key of a map: "Kind/namespace/name", with a word in front for Volcano's.
[[nodiscard]] std::string owner_key(std::string_view api_version, std::string_view kind, std::string_view namespace_,
                                    std::string_view name);
// The value of an annotation; empty where there is none.
[[nodiscard]] std::string_view annotation(const api::ObjectMeta& metadata, std::string_view key);

class Workshop {
 public:
  Workshop(const api::ObjectSet& objects, const Options& options);

  [[nodiscard]] const api::ObjectSet& objects() const { return objects_; }
  [[nodiscard]] const Options& options() const { return options_; }
  [[nodiscard]] Expansion& result() { return result_; }

  // Pods that the owner controls.
  [[nodiscard]] std::vector<const api::Pod*> owned(const Owner& owner) const;
  // Pods that the owner controls and selects, and pods without a controller that it selects and so adopts: by the
  // selector, and by a condition of its own where it has one. A pod is adopted once.
  [[nodiscard]] std::vector<const api::Pod*> claimed(const Owner& owner, const api::LabelSelector& selector,
                                                     const std::function<bool(const api::Pod&)>& also = {});
  // Pods whose controllers are of this kind and have a name that starts so. O(log of controllers) beside the pods.
  [[nodiscard]] std::vector<const api::Pod*> owned_by_prefix(std::string_view kind, std::string_view namespace_,
                                                             std::string_view prefix);
  [[nodiscard]] bool has_claim(std::string_view namespace_, std::string_view name) const;
  // What the owner controls, in the order of the objects.
  [[nodiscard]] std::vector<const api::Read<api::PodGroup>*> groups_of(const Owner& owner);
  [[nodiscard]] std::vector<const api::Read<api::Job>*> jobs_of(const Owner& owner);
  [[nodiscard]] const api::Read<api::Job>* job(std::string_view namespace_, std::string_view name);

  // A name that no pod has: "BASE-SUFFIX".
  [[nodiscard]] std::string fresh_name(std::string_view namespace_, std::string_view base);
  // For pods whose names are given: false, with a remark, where another pod has the name. The API server refuses the
  // new one then.
  [[nodiscard]] bool take_name(const api::Pod& pod, const Place& place);

  // Starts a pod from a template: metadata, owner, defaults. Without a name. Pods that follow are of this owner.
  [[nodiscard]] api::Pod pod_from(const api::PodTemplate& from, const Owner& owner);
  void make(api::Pod pod, const Place& place);
  // See Options::one_by_one.
  void order_by_age();
  void make_claim(api::PersistentVolumeClaim claim, const Place& place);

  // True if so many more pods, of so many bytes each (template_size.h), are within the limits; otherwise the object at
  // the place gets an error.
  [[nodiscard]] bool admit(std::int64_t count, std::int64_t bytes, const Owner& owner, const Place& place);
  // Of very many the first are kept.
  void error(Error error);
  void remark(std::string message, const Place& place);
  // Something is due then, if that is later than now.
  void look_again(api::Time at);

 private:
  // Made when they are first asked for: most inputs need none of them.
  template <class T>
  using ByKey = boost::unordered_flat_map<std::string, T>;
  struct Jobs {
    ByKey<std::vector<const api::Read<api::Job>*>> by_owner;
    ByKey<const api::Read<api::Job>*> by_name;  // "namespace/name"
  };
  const Jobs& jobs();
  void remark_once(std::string message, const Place& place);
  [[nodiscard]] bool refuse(const std::string& asked, const std::string& why, const Owner& owner, const Place& place);
  const api::LabelIndex<api::Pod>& orphans_in(const std::string& namespace_);

  const api::ObjectSet& objects_;
  const Options& options_;
  Expansion result_;
  std::int64_t bytes_ = 0;  // of the pods admitted so far
  struct Batch {
    std::size_t first = 0;    // of the result's pods
    api::Time owner_age = 0;  // when the owner was created
  };
  std::vector<Batch> batches_;                           // by owner, in the order in which they are made
  ByKey<std::vector<const api::Pod*>> by_owner_;         // "Kind/namespace/name"
  std::optional<std::vector<std::string_view>> owners_;  // the keys of by_owner_, sorted
  ByKey<std::vector<const api::Pod*>> orphans_;          // active ones by namespace
  api::LabelIndex<api::Pod> orphans_by_label_;
  boost::unordered_flat_set<std::string> indexed_;  // namespaces whose orphans are in orphans_by_label_
  boost::unordered_flat_set<const api::Pod*> adopted_;
  boost::unordered_flat_set<std::string> claims_;
  std::optional<boost::unordered_flat_set<std::string>> taken_;  // "namespace/name" of pods, see take_name()
  std::optional<ByKey<std::vector<const api::Read<api::PodGroup>*>>> groups_;  // by owner
  std::optional<Jobs> jobs_;
  FreshNames names_;  // of pods
  Admission admission_;
  boost::unordered_flat_set<std::string> told_;  // what is remarked on once
};

// One function per kind, each in its own file. All of them add to the workshop's result.
// All Deployments: the ReplicaSets that are there get their counts, those that are missing are added.
void reconcile_deployments(Workshop& workshop, std::vector<api::Read<api::ReplicaSet>>& replica_sets);
void reconcile_replica_set(Workshop& workshop, const api::Read<api::ReplicaSet>& read);
void reconcile_replication_controller(Workshop& workshop, const api::Read<api::ReplicationController>& read);
void reconcile_stateful_set(Workshop& workshop, const api::Read<api::StatefulSet>& read);
void reconcile_daemon_set(Workshop& workshop, const api::Read<api::DaemonSet>& read);
void reconcile_job(Workshop& workshop, const api::Read<api::Job>& read);
// The PodGroup of the Job's pods, made where it is not there; empty: they are in none.
[[nodiscard]] std::string group_of_job(Workshop& workshop, const Owner& owner, const api::Read<api::Job>& read);
void reconcile_cron_job(Workshop& workshop, const api::Read<api::CronJob>& read);

// When a CronJob makes its next job, told once per object: of a manifest the next time there is, of one in the cluster
// what is due now, of several missed times the last. None: nothing is made; why is among the errors and remarks.
struct CronInput {
  const Owner& owner;
  const std::string& schedule;
  const std::string& time_zone;
  bool suspend = false;
  std::optional<api::Time> last_schedule_time;
  std::optional<std::int64_t> starting_deadline_seconds;  // what is due for longer is not made any more
};
[[nodiscard]] std::optional<api::Time> due_time(Workshop& workshop, const CronInput& cron, const Place& place);

}  // namespace berth::controllers
