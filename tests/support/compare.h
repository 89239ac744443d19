// The engine and its slow twin, asked the same questions, answer in the same words.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>

#include "api/objects.h"
#include "dialects/kubernetes/translator.h"
#include "engine/engine.h"
#include "reference/reasons.h"
#include "reference/schedule.h"

namespace berth::support {

[[nodiscard]] api::ObjectSet to_object_set(const reference::Objects& world);
// The other way round; what the twin does not know is left out.
[[nodiscard]] reference::Objects to_reference(const api::ObjectSet& objects);

// What was decided, a line each: "place default/p1 on n2 score 350 cards 0 1", "evict default/p0 from n2 for
// default/p1", then "pending default/p3 Busy" in order of the queue. Pods that are held are left out.
using Lines = std::vector<std::string>;

[[nodiscard]] Lines twin_decides(const reference::Objects& world, const reference::Settings& settings);
// The twin's answer when it is asked with its own end state.
[[nodiscard]] Lines tell(const reference::Objects& world, const reference::Outcome& outcome,
                         const reference::Settings& settings);

// The engine behind the Kubernetes dialect, fed with whole worlds; the dialect finds the changes.
class EngineRun {
 public:
  EngineRun(const reference::Objects& world, const reference::Settings& settings);

  // Tells the engine how the world is now, without asking for decisions.
  void tell(const reference::Objects& world);
  // Decides. The engine's world then holds what it decided; the caller's does not.
  [[nodiscard]] Lines decide();

  // One line per node: "n1: Taint" for the first cause.
  [[nodiscard]] Lines causes(const api::Pod& pod);
  // One line per filter of the profile: the nodes that it alone lets pass.
  [[nodiscard]] Lines filters(const api::Pod& pod);
  // One line per score and node that passes: raw and normalised; then the totals.
  [[nodiscard]] Lines scores(const api::Pod& pod);
  [[nodiscard]] engine::Reason explain(const api::Pod& pod);
  [[nodiscard]] bool knows(const api::Pod& pod) const;

 private:
  [[nodiscard]] engine::PodId id_of(const api::Pod& pod) const;
  [[nodiscard]] std::string node_name(engine::NodeId node) const;
  void remember_names();

  reference::Settings settings_;
  std::unique_ptr<engine::Names> names_;
  api::ObjectSet objects_;
  std::unique_ptr<dialects::kubernetes::Translator> translator_;
  std::unique_ptr<engine::Engine> engine_;
  boost::unordered_flat_map<std::uint32_t, std::string> pod_names_;
  boost::unordered_flat_map<std::uint32_t, std::string> node_names_;
};

[[nodiscard]] Lines twin_causes(const reference::Question& question);
[[nodiscard]] Lines twin_filters(const reference::Question& question);
[[nodiscard]] Lines twin_scores(const reference::Question& question);

[[nodiscard]] std::string name_of(reference::ReasonClass reason);
[[nodiscard]] std::string name_of(engine::ReasonClass reason);
[[nodiscard]] std::string full_name(const api::Pod& pod);

// The world after the decisions: placed pods are bound and run, evicted ones are gone.
[[nodiscard]] reference::Objects carried_out(reference::Objects world, const reference::Outcome& outcome);

}  // namespace berth::support
