// TaintToleration: NoSchedule and NoExecute exclude a node; PreferNoSchedule makes it less liked.
#include <algorithm>

#include "reference/filters.h"
#include "reference/scores.h"
#include "reference/selectors.h"

namespace berth::reference {

Verdict filter_taint_toleration(const Question& question, std::size_t node) {
  if (untolerated_taint(question.pod.spec, *question.snapshot.nodes[node].node) == nullptr) return {};
  return {Cause::kTaint, true};
}

ScoreColumn score_taint_toleration(const Question& question, const std::vector<std::size_t>& feasible) {
  std::vector<api::Toleration> soft;
  for (const api::Toleration& toleration : question.pod.spec.tolerations) {
    if (!toleration.effect || *toleration.effect == api::TaintEffect::kPreferNoSchedule) soft.push_back(toleration);
  }
  ScoreColumn column;
  for (const std::size_t node : feasible) {
    column.raw.push_back(
        std::ranges::count_if(question.snapshot.nodes[node].node->taints, [&](const api::Taint& taint) {
          return taint.effect == api::TaintEffect::kPreferNoSchedule && !tolerates(soft, taint);
        }));
  }
  const std::int64_t most = largest(column.raw);
  for (const std::int64_t raw : column.raw) column.normalized.push_back(most == 0 ? 100 : 100 - 100 * raw / most);
  return column;
}

}  // namespace berth::reference
