// Explainer: reasons of many pods, each found once.
//
// A reason is a matter of the shape alone (but for a hold and a promise), and of its search part and priority alone
// where no rule among pods reads labels. Each of these is explained once: thousands of jobs that differ in their labels
// have one reason. It lives no longer than the state that it explains.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <tuple>

#include "engine/reason/reason.h"
#include "engine/world/shape.h"
#include "engine/world/world.h"
#include "sim/cluster.h"
#include "sim/surroundings.h"

namespace berth::sim {

class Explainer {
 public:
  explicit Explainer(Cluster& cluster);

  // Pods with equal keys have equal answers.
  using Key = std::tuple<engine::ShapeId, engine::SearchId, std::int32_t, bool, engine::HoldCause, engine::NameId,
                         engine::NameId, engine::WorkloadId, std::uint32_t>;
  [[nodiscard]] Key key_of(engine::PodId pod) const;

  // Of its gang, where it is in one that waits.
  const engine::Reason& reason(engine::PodId of) { return known(of).reason; }
  const std::string& sentence(engine::PodId of);

 private:
  struct Answer {
    engine::PodId example;
    engine::Reason reason;
    std::string sentence;  // empty: nobody asked for it
  };
  Answer& known(engine::PodId of);

  Cluster* cluster_;
  EngineSurroundings around_;
  bool labels_matter_ = false;  // a pod on some node, or promised one, may avoid others by their labels
  std::map<Key, Answer> answers_;
};

}  // namespace berth::sim
