#include "sim/plan/explainer.h"

#include <algorithm>

#include "engine/reason/explain_workload.h"
#include "report/reasons.h"

namespace berth::sim {

Explainer::Explainer(Cluster& cluster) : cluster_(&cluster), around_(cluster, engine::PodId::none()) {
  const engine::World& world = cluster.engine().world();
  labels_matter_ = !world.promises().empty();
  for (std::size_t i = 0; i < world.shapes().size(); ++i) {
    const engine::Shape& shape = world.shape(engine::ShapeId{i});
    if (shape.placed > 0 && !shape.input.required_anti_affinity.empty()) labels_matter_ = true;
  }
}

Explainer::Key Explainer::key_of(engine::PodId id) const {
  const engine::Pod& pod = cluster_->engine().world().pod(id);
  const engine::Shape& shape = cluster_->engine().world().shape(pod.shape);
  const engine::ShapeInput& input = shape.input;
  const bool own_rules = !input.required_affinity.empty() || !input.required_anti_affinity.empty() ||
                         !input.exclusive_claims.empty() ||
                         std::ranges::any_of(input.spread, &engine::SpreadConstraint::hard);
  const engine::ShapeId own = labels_matter_ || own_rules ? pod.shape : engine::ShapeId::none();
  return {
      own,          shape.search, input.priority, input.preempts, pod.hold.cause, pod.hold.subject, pod.nominated_node,
      pod.workload, pod.group};
}

Explainer::Answer& Explainer::known(engine::PodId of) {
  const engine::PodId id = engine::spokesman_of(cluster_->engine().world(), of);
  const auto [entry, fresh] = answers_.try_emplace(key_of(id));
  if (fresh) entry->second = {id, cluster_->engine().explain(id), {}};
  return entry->second;
}

const std::string& Explainer::sentence(engine::PodId of) {
  Answer& answer = known(of);
  if (answer.sentence.empty()) {
    around_.turn_to(answer.example);
    answer.sentence = report::sentence(answer.reason, around_);
  }
  return answer.sentence;
}

}  // namespace berth::sim
