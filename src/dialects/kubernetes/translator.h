// Translator: Kubernetes objects in, engine events out.
//
//   Names names;
//   Translator translator(configuration, names, {.now = now});
//   const auto events = translator.update(objects);
//   Engine engine(translator.config(), names);
//   engine.step(events, now);
//
// The translator remembers what it told the engine. Each update() takes the objects as they are now and gives the
// events that lead there: everything at first, the differences later. Whatever a change reaches is found, also where it
// is not obvious (a new PersistentVolumeClaim releases a pod, a new Service spreads one).
//
// The order of the objects does not matter: they are translated in order of name. Objects are borrowed until the next
// update. An update costs O(objects), and O(objects * log objects) for the order.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>

#include "api/feature_gates.h"
#include "api/objects.h"
#include "api/scheduler_config.h"
#include "base/result.h"
#include "dialects/dra/device_dialect.h"
#include "dialects/kubernetes/context.h"
#include "dialects/kubernetes/kai_groups.h"
#include "dialects/kubernetes/pod.h"
#include "dialects/workloads/bridge.h"
#include "engine/config.h"
#include "engine/input.h"
#include "engine/names.h"

namespace berth::dialects::kubernetes {

struct TranslatorOptions {
  api::Time now = 0;    // when pods without a creationTimestamp are made
  bool excerpt = true;  // the objects may be an excerpt of a cluster; see VolumeRules
  api::KubernetesVersion version = api::kNewestKubernetes;
  api::FeatureGates gates;
};

// A pod that the engine is not told of, and why.
struct LeftOut {
  enum class Cause : std::uint8_t {
    kFinished,     // Succeeded or Failed: holds nothing
    kTerminating,  // never placed and already being deleted
    kUnknownNode,  // runs on a node that is not among the objects
  };
  const api::Read<api::Pod>* pod = nullptr;
  Cause cause = Cause::kFinished;
};

class Translator {
 public:
  Translator(api::SchedulerConfiguration configuration, engine::Names& names, TranslatorOptions options = {});

  [[nodiscard]] std::vector<engine::Event> update(const api::ObjectSet& objects);
  void set_now(api::Time now) { options_.now = now; }

  // For the engine's constructor; call it after the first update, when all resource names are known.
  [[nodiscard]] engine::Config config() const;
  [[nodiscard]] const api::SchedulerConfiguration& configuration() const { return configuration_; }

  // The objects behind the engine's names, as of the last update; null if there is none.
  [[nodiscard]] const api::Read<api::Pod>* pod(engine::NameId name) const;
  [[nodiscard]] const api::Read<api::Node>* node(engine::NameId name) const;

  // The objects of the last update by name.
  [[nodiscard]] const Context& context() const { return context_; }

  [[nodiscard]] const std::vector<LeftOut>& left_out() const { return left_out_; }
  // What was read differently from what it says, with its place: unknown priority classes, too many cards.
  [[nodiscard]] const std::vector<Error>& remarks() const { return remarks_; }

  [[nodiscard]] const dra::DeviceDialect& devices() const { return devices_; }
  [[nodiscard]] const workloads::Bridge& workloads() const { return workloads_; }

  // The profile that takes care of the pods of this scheduler; null: none does.
  [[nodiscard]] const api::SchedulerProfile* profile(std::string_view scheduler_name) const;

  // One pod as it would be told now, against the objects of the last update.
  [[nodiscard]] engine::PodInput translate(const api::Pod& pod);

 private:
  template <class T>
  using ByName = boost::unordered_flat_map<engine::NameId, T, std::hash<engine::NameId>>;

  // A pod without its name and age, which are all that tell replicas apart: they share it.
  struct ToldPod {
    std::shared_ptr<const engine::PodInput> common;
    api::Time created = 0;
  };

  void adopt_schedulers();
  void add_membership(const api::Pod& pod, engine::PodInput& input) const;
  [[nodiscard]] bool is_member_alike(const api::Pod& pod, const engine::PodInput& other) const;
  void update_nodes(const api::ObjectSet& objects, std::vector<engine::Event>& events);
  void update_namespaces(const api::ObjectSet& objects, std::vector<engine::Event>& events);
  void update_budgets(const api::ObjectSet& objects, std::vector<engine::Event>& events);
  void update_pods(const api::ObjectSet& objects, std::vector<engine::Event>& events);
  void remark(ErrorCode code, std::string message, const Place& place);
  void remark_on(const api::Read<api::Node>& node);
  void remark_on(const api::Read<api::Pod>& pod);

  api::SchedulerConfiguration configuration_;
  engine::Names& names_;
  TranslatorOptions options_;
  Context context_;
  KaiGroups kai_groups_;
  dra::DeviceDialect devices_;
  workloads::Bridge workloads_;
  ByName<const api::Read<api::Pod>*> pods_;
  ByName<const api::Read<api::Node>*> nodes_;
  std::vector<LeftOut> left_out_;
  std::vector<Error> remarks_;

  // What the engine was told.
  ByName<engine::NodeInput> told_nodes_;
  ByName<ToldPod> told_pods_;
  ByName<engine::BudgetInput> told_budgets_;
  boost::unordered_flat_map<engine::NamespaceId, engine::Labels, std::hash<engine::NamespaceId>> told_namespaces_;
};

}  // namespace berth::dialects::kubernetes
