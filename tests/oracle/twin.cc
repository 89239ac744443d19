#include <algorithm>
#include <utility>

#include "api/full_name.h"
#include "dialects/kubernetes/context.h"
#include "oracle/loaded_world.h"
#include "reference/preemption.h"
#include "reference/schedule.h"
#include "reference/scores.h"
#include "support/compare.h"

namespace berth::oracle {
namespace {

// The twin takes priorities as they stand in the pod, as a scheduler behind the API server does.
void resolve_priority(api::Pod& pod, const dialects::kubernetes::Context& context) {
  const auto priority = context.priority(pod.spec);
  pod.spec.priority = priority.value;
  if (!priority.preempts) pod.spec.preemption_policy = api::PreemptionPolicy::kNever;
}

reference::Objects twin_objects(const LoadedWorld& loaded, const dialects::kubernetes::Context& context) {
  reference::Objects objects = support::to_reference(loaded.objects);
  for (api::Pod& pod : objects.pods) resolve_priority(pod, context);
  return objects;
}

std::string letters_of(const reference::Question& question, api::Plugin plugin) {
  std::string letters;
  for (std::size_t node = 0; node < question.snapshot.nodes.size(); ++node) {
    const reference::Verdict verdict = reference::filter(question, node, plugin);
    letters += verdict.passes() ? '.' : verdict.unresolvable ? 'N' : 'U';
  }
  return letters;
}

void add_scores(const reference::Question& question, Findings& findings) {
  const reference::ScoreTable table = reference::score_table(question);
  findings.feasible = table.nodes;
  findings.totals = table.total;
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    const auto& [plugin, weight] = question.profile.scores[i];
    const reference::ScoreColumn& column = table.columns[i];
    findings.scores[std::string(api::name_of(plugin))] = {weight, column.skipped, column.raw, column.normalized};
  }
}

void add_plan(const reference::Question& question, Findings& findings) {
  findings.asked_for_plan = true;
  const auto eviction = reference::plan_eviction(question, 0);
  if (!eviction) return;
  Findings::Plan plan;
  plan.node = question.snapshot.nodes[eviction->node].node->metadata.name;
  plan.violations = eviction->violations;
  for (const api::Pod* victim : eviction->victims) {
    plan.victims.push_back(api::full_name(victim->metadata));
  }
  findings.plan = std::move(plan);
}

}  // namespace

void compare_twin(const World& world, const LoadedWorld& loaded, Comparison& comparison) {
  const dialects::kubernetes::Context context(loaded.objects);
  const reference::Objects objects = twin_objects(loaded, context);
  const reference::Snapshot snapshot =
      reference::take_snapshot(objects, reference::Settings{.profiles = loaded.configuration.profiles});
  for (std::size_t i = 0; i < loaded.pending.size(); ++i) {
    api::Pod pod = loaded.pending[i];
    const Answer& answer = world.answers[i];
    const api::SchedulerProfile* profile = profile_of(loaded, pod);
    if (profile == nullptr || !answer.error.empty()) {
      comparison.leave_out(world, answer, profile == nullptr);
      continue;
    }
    resolve_priority(pod, context);
    const reference::Question question{snapshot, pod, *profile};
    Findings findings;
    findings.upstream_miscounts = upstream_miscounts(loaded, pod, *profile);
    const auto hold = reference::hold(objects, pod, *profile);
    findings.gated = hold && hold->cause == reference::HoldCause::kSchedulingGate;
    for (const api::Plugin plugin : profile->filters) {
      if (plugin == api::Plugin::kNodeVolumeLimits) continue;  // Berth does not count attachments
      findings.filters[std::string(api::name_of(plugin))] = letters_of(question, plugin);
    }
    add_scores(question, findings);
    if (findings.feasible.empty()) add_plan(question, findings);
    comparison.compare(world, answer, findings);
  }
}

}  // namespace berth::oracle
