#include <set>
#include <string>

#include "api/encode.h"
#include "cli/defragmentation_view.h"
#include "cli/json.h"
#include "cli/plan_amounts.h"
#include "cli/plan_view.h"
#include "dialects/kubernetes/cards.h"
#include "report/amounts.h"
#include "report/reasons_json.h"
#include "sim/surroundings.h"
#include "text/json_writer.h"

namespace berth::cli {
namespace {

using sim::Plan;
using text::JsonWriter;

void write_card_rows(JsonWriter& writer, std::string_view key, const sim::Cluster& cluster,
                     const std::vector<sim::CardRow>& rows) {
  write_objects(writer, key, rows, [&](const sim::CardRow& row) {
    writer.member("resource", row.resource);
    writer.member("product", row.product);
    writer.member("nodes", row.nodes);
    write_cards(writer, "total", cluster, row.total);
    write_cards(writer, "allocated", cluster, row.allocated);
    write_cards(writer, "free", cluster, row.free);
    write_cards(writer, "closed", cluster, row.closed);
  });
}

void write_seen(JsonWriter& writer, const Plan& plan, const Input& input, const sim::Cluster& cluster) {
  writer.key("seen");
  writer.begin_object();
  writer.key("nodes");
  writer.begin_object();
  writer.member("total", plan.nodes.total);
  writer.member("cordoned", plan.nodes.cordoned);
  writer.member("notReady", plan.nodes.not_ready);
  writer.member("tainted", plan.nodes.tainted);
  writer.end_object();
  writer.key("pods");
  writer.begin_object();
  writer.member("total", plan.pods.total);
  writer.member("running", plan.pods.running);
  writer.member("pending", plan.pods.pending);
  writer.member("leaving", plan.pods.leaving);
  writer.member("succeeded", plan.pods.succeeded);
  writer.member("failed", plan.pods.failed);
  writer.member("leftOut", plan.pods.left_out);
  writer.end_object();
  writer.key("deviceObjects");
  writer.begin_object();
  writer.member("resourceSlices", plan.device_objects.slices);
  writer.member("devices", plan.device_objects.devices);
  writer.member("deviceClasses", plan.device_objects.classes);
  writer.member("resourceClaims", plan.device_objects.claims);
  writer.member("allocatedResourceClaims", plan.device_objects.allocated_claims);
  writer.end_object();
  write_card_rows(writer, "cards", cluster, plan.cards_before);
  write_objects(writer, "made", input.made, [&writer](const MadePods& made) {
    writer.member("controller", made.controller);
    writer.member("pods", made.count);
  });
  write_strings(writer, "skipped", input.skipped);
  write_errors(writer, "errors", input.errors);
  writer.end_object();
}

void write_stranded(JsonWriter& writer, const Plan& plan, const sim::Cluster& cluster) {
  writer.key("stranded");
  writer.begin_object();
  write_cards(writer, "total", cluster, plan.stranded.total);
  writer.key("causes");
  writer.begin_object();
  for (std::size_t i = 0; i < sim::kStrandedCauseCount; ++i)
    if (plan.stranded.by_cause[i] > 0)
      write_cards(writer, name_of(static_cast<sim::StrandedCause>(i)), cluster, plan.stranded.by_cause[i]);
  writer.end_object();
  writer.end_object();
}

void write_placements(JsonWriter& writer, const Plan& plan, const sim::Cluster& cluster) {
  write_objects(writer, "placements", plan.placements, [&](const sim::Placement& placement) {
    writer.member("namespace", placement.namespace_);
    writer.member("pod", placement.name);
    writer.member("owner", placement.owner);
    writer.member("node", placement.node);
    writer.member("asks", placement.asks);
    writer.member("score", placement.score);
    write_card_assignments(writer, placement.cards, cluster);
    write_sharing(writer, placement.sharing);
    if (placement.claims.empty()) return;
    write_objects(writer, "claims", placement.claims, [&](const sim::ClaimDevices& claim) {
      writer.member("claim", claim.claim);
      write_strings(writer, "devices", claim.devices);
      if (!claim.waits_for.empty()) write_strings(writer, "waitsFor", claim.waits_for);
    });
  });
}

void write_waiting(JsonWriter& writer, std::string_view key, const std::vector<sim::Waiting>& groups,
                   const std::set<engine::PodId>& planned, const sim::Cluster& cluster) {
  write_objects(writer, key, groups, [&](const sim::Waiting& group) {
    writer.member("namespace", group.namespace_);
    write_strings(writer, "pods", group.names);
    writer.member("owner", group.owner);
    writer.key("reason");
    const sim::EngineSurroundings around(cluster, group.example, &planned);
    report::write_reason(writer, group.reason, around);
    if (!group.hints.empty()) write_strings(writer, "hints", group.hints);
  });
}

// Amounts by resource: "8", "0.5", "64Gi".
void write_amounts(JsonWriter& writer, std::string_view key, const std::vector<engine::ResourceAmount>& amounts,
                   const sim::Cluster& cluster) {
  writer.key(key);
  writer.begin_object();
  for (const engine::ResourceAmount& each : amounts) {
    if (each.resource == engine::kPods) continue;
    const std::string_view resource = cluster.names().resources.text(each.resource);
    const bool is_card = dialects::kubernetes::is_card_resource(resource);
    writer.member(resource,
                  report::number_text(cluster.names(), each.resource, is_card, each.amount, report::Rounding::kDown));
  }
  writer.end_object();
}

void write_workloads(JsonWriter& writer, const Plan& plan, const sim::Cluster& cluster) {
  const auto text = [&](engine::NameId name) {
    return name.is_none() ? std::string_view() : cluster.names().names.text(name);
  };
  write_objects(writer, "workloads", plan.standings.workloads, [&](const dialects::workloads::Standing& standing) {
    writer.member("name", text(standing.workload));
    if (!standing.queue.is_none()) writer.member("queue", text(standing.queue));
    writer.flag("admitted", standing.whole);
    writer.member("minimum", standing.minimum);
    writer.member("placed", standing.placed);
    writer.member("succeeded", standing.succeeded);
    writer.member("waiting", standing.waiting);
    if (standing.reason.empty()) return;
    writer.member("reason", standing.reason);
    writer.member("message", standing.message);
  });
  write_objects(writer, "queues", plan.standings.queues, [&](const dialects::workloads::QueueStanding& standing) {
    writer.member("name", text(standing.queue));
    write_amounts(writer, "used", standing.used, cluster);
    if (!standing.kept.empty()) write_amounts(writer, "kept", standing.kept, cluster);
  });
  write_objects(writer, "foreign", plan.foreign, [&](const sim::ForeignAccount& account) {
    writer.member("schedulerName", account.scheduler);
    writer.member("pods", account.pods);
    write_amounts(writer, "holds", account.holds, cluster);
  });
  write_objects(writer, "conditions", plan.conditions, [&](const dialects::workloads::ObjectCondition& each) {
    writer.member("object", each.reference);
    writer.member("namespace", each.namespace_);
    writer.member("type", each.condition.type);
    writer.member("status", each.condition.status);
    writer.member("reason", each.condition.reason);
    writer.member("message", each.condition.message);
  });
}

// Volcano's objects with the statuses that the plan leaves, in the API's own form.
void write_volcano(JsonWriter& writer, const sim::Cluster& cluster) {
  const api::ObjectSet& objects = cluster.objects();
  const auto write_all = [&](std::string_view key, const auto& list) {
    writer.key(key);
    writer.begin_array();
    for (const auto& read : list) write(writer, read.object);
    writer.end_array();
  };
  if (objects.volcano_pod_groups.empty() && objects.volcano_queues.empty()) return;
  writer.key("volcano");
  writer.begin_object();
  write_all("podGroups", objects.volcano_pod_groups);
  write_all("queues", objects.volcano_queues);
  writer.end_object();
}

}  // namespace

std::string plan_json(const Plan& plan, const Input& input, const sim::Cluster& cluster) {
  std::string out;
  JsonWriter writer(out, text::JsonStyle::kPretty);
  begin_document(writer, "Plan");
  write_seen(writer, plan, input, cluster);
  write_card_rows(writer, "cardsAfter", cluster, plan.cards_after);
  write_stranded(writer, plan, cluster);
  write_placements(writer, plan, cluster);
  write_evictions(writer, plan.evictions);
  const std::set<engine::PodId> planned = sim::planned_pods(cluster, plan.placements);
  write_waiting(writer, "waiting", plan.waiting, planned, cluster);
  write_waiting(writer, "notReady", plan.not_ready, planned, cluster);
  write_workloads(writer, plan, cluster);
  write_volcano(writer, cluster);
  if (plan.defragmentation) write_defragmentation(writer, *plan.defragmentation, cluster);
  write_strings(writer, "warnings", plan.warnings);
  write_strings(writer, "weaker", plan.weaker);
  writer.key("summary");
  writer.begin_object();
  writer.member("placed", static_cast<std::int64_t>(plan.placements.size()));
  writer.member("evicted", static_cast<std::int64_t>(plan.evictions.size()));
  writer.member("waiting", plan.waiting_pods());
  writer.member("notReady", plan.not_ready_pods());
  writer.end_object();
  writer.end_object();
  return out + '\n';
}

}  // namespace berth::cli
