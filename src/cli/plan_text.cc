#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "cli/defragmentation_view.h"
#include "cli/plan_amounts.h"
#include "cli/plan_view.h"
#include "cli/remarks.h"
#include "cli/shell.h"
#include "dialects/kubernetes/cards.h"
#include "report/amounts.h"
#include "report/layout.h"
#include "report/reasons.h"
#include "text/table.h"

namespace berth::cli {
namespace {

using report::counted;
using report::enumerate;
using report::grouped;
using report::paragraph;
using sim::Plan;
using text::Align;
using text::Color;
using text::Overflow;
using text::Table;

constexpr std::size_t kMostGroups = 40;  // more are counted; -o wide shows all

std::string parenthesis(const std::vector<std::string>& parts) {
  return parts.empty() ? std::string() : fmt::format(" ({})", fmt::join(parts, ", "));
}

std::string count_text(std::int64_t count) { return grouped(static_cast<std::uint64_t>(count)); }
std::string counted_pods(std::int64_t count) { return counted(static_cast<std::uint64_t>(count), "pod"); }

std::string saw(const Plan& plan, const Input& input) {
  std::vector<std::string> nodes;
  if (plan.nodes.cordoned > 0) nodes.push_back(count_text(plan.nodes.cordoned) + " cordoned");
  if (plan.nodes.not_ready > 0) nodes.push_back(count_text(plan.nodes.not_ready) + " not Ready");
  if (plan.nodes.tainted > 0) nodes.push_back(count_text(plan.nodes.tainted) + " tainted");
  std::vector<std::string> pods;
  const auto phase = [&pods](std::int64_t count, std::string_view name) {
    if (count > 0) pods.push_back(count_text(count) + ' ' + std::string(name));
  };
  phase(plan.pods.running, "running");
  phase(plan.pods.pending, "pending");
  phase(plan.pods.leaving, "being deleted without a node");
  phase(plan.pods.succeeded, "succeeded");
  phase(plan.pods.failed, "failed");
  std::string text = counted(static_cast<std::uint64_t>(plan.nodes.total), "node") + parenthesis(nodes) + ", " +
                     counted_pods(plan.pods.total) + parenthesis(pods);
  const sim::DeviceObjectCounts& objects = plan.device_objects;
  if (objects.slices > 0)
    text += fmt::format(", {} with {}", counted(static_cast<std::uint64_t>(objects.slices), "ResourceSlice"),
                        counted(static_cast<std::uint64_t>(objects.devices), "device"));
  if (objects.classes > 0)
    text += ", " + counted(static_cast<std::uint64_t>(objects.classes), "DeviceClass", "DeviceClasses");
  if (objects.claims > 0) {
    text += ", " + counted(static_cast<std::uint64_t>(objects.claims), "ResourceClaim");
    if (objects.allocated_claims > 0) text += fmt::format(" ({} allocated)", count_text(objects.allocated_claims));
  }
  static constexpr std::size_t kMostNamed = 4;
  std::int64_t others = 0;
  for (std::size_t i = 0; i < input.made.size(); ++i) {
    const MadePods& made = input.made[i];
    if (i < kMostNamed || input.made.size() == kMostNamed + 1)
      text += fmt::format("; {} made for {}", counted_pods(made.count), made.controller);
    else
      others += made.count;
  }
  if (others > 0)
    text += fmt::format("; {} made for {} other controllers", counted_pods(others),
                        grouped(input.made.size() - kMostNamed));
  return text;
}

// "52 of 64 GPUs allocated, 12 free; with the plan 6 stay free, usable by no pending pod: 4 ..., 2 ...".
std::string gpu_line(const Plan& plan) {
  engine::Amount total = 0;
  engine::Amount allocated = 0;
  engine::Amount free = 0;
  for (const sim::CardRow& row : plan.cards_before) {
    if (!row.whole_gpus) continue;
    total += row.total;
    allocated += row.allocated;
    free += row.free;
  }
  if (total == 0) return "none among the nodes";
  std::string text =
      fmt::format("{} of {} allocated, {} free", cards_text(allocated), cards_text(total), cards_text(free));
  const sim::Stranded& stranded = plan.stranded;
  if (stranded.total == 0) return text + (plan.placements.empty() ? "" : "; after this plan none");
  text += fmt::format("; after this plan {} free", cards_text(stranded.total));
  const auto nobody = static_cast<std::size_t>(sim::StrandedCause::kNobodyAsks);
  if (stranded.by_cause[nobody] == stranded.total) return text + " and no pending pod asks for one";
  std::vector<std::string> causes;
  for (std::size_t i = 0; i < sim::kStrandedCauseCount; ++i)
    if (stranded.by_cause[i] > 0)
      causes.push_back(cards_text(stranded.by_cause[i]) + ' ' +
                       std::string(phrase_of(static_cast<sim::StrandedCause>(i))));
  return text + " that no pending pod can use: " + fmt::format("{}", fmt::join(causes, ", "));
}

// What nobody's quota counts: "default-scheduler: 12 pods, 8 GPUs, 4 CPUs".
std::string foreign_line(const Plan& plan, const engine::Names& names) {
  std::vector<std::string> parts;
  for (const sim::ForeignAccount& account : plan.foreign) {
    std::string part = fmt::format("{}: {}", account.scheduler, counted_pods(account.pods));
    for (const engine::ResourceAmount& each : account.holds) {
      const bool is_card = dialects::kubernetes::is_card_resource(names.resources.text(each.resource));
      part += ", " + report::amount_text(names, each.resource, is_card, each.amount, report::Rounding::kUp);
    }
    parts.push_back(std::move(part));
  }
  return fmt::format("{}", fmt::join(parts, "; "));
}

std::string card_table(const Plan& plan, text::ColorMode color) {
  Table table({{"PRODUCT", Align::kLeft, Overflow::kShorten},
               {"NODES", Align::kRight},
               {"CARDS", Align::kRight},
               {"ALLOCATED", Align::kRight},
               {"FREE", Align::kRight},
               {"CLOSED", Align::kRight}});
  for (const sim::CardRow& row : plan.cards_before) {
    std::string name = row.product;
    if (name.empty() || !row.whole_gpus) name = row.resource;
    table.add_row({name, count_text(row.nodes), cards_text(row.total), cards_text(row.allocated),
                   cards_text(row.free - row.closed), row.closed > 0 ? cards_text(row.closed) : "-"});
  }
  return table.rows() == 0 ? std::string() : table.render({.indent = kLabelWidth, .color = color});
}

// "gpu-1 x4, gpu-2 x4".
std::string nodes_text(const std::map<std::string, std::int64_t>& nodes) {
  std::vector<std::pair<std::string, std::int64_t>> order(nodes.begin(), nodes.end());
  std::ranges::sort(order, [](const auto& a, const auto& b) { return report::natural_less(a.first, b.first); });
  std::vector<std::string> parts;
  for (const auto& [node, count] : order) parts.push_back(count > 1 ? fmt::format("{} x{}", node, count) : node);
  return enumerate(parts, 8);
}

std::string namespaced(std::string_view namespace_, std::vector<std::string> names) {
  static constexpr std::size_t kShown = 3;
  static constexpr std::size_t kShort = 240;
  const auto listed = [&](std::vector<std::string>& from) {
    for (std::size_t i = 0; i < from.size() && i <= kShown; ++i) from[i] = fmt::format("{}/{}", namespace_, from[i]);
    return enumerate(from, kShown);
  };
  std::vector<std::string> collapsed = report::collapse(names, kShown + 1);
  if (collapsed.size() <= kShown) {
    std::string text = listed(collapsed);
    if (text.size() <= kShort) return text;
  }
  // What does not collapse to something short is named one by one, so that "and N more" counts pods.
  const auto sorted = static_cast<std::ptrdiff_t>(std::min(names.size(), kShown + 1));
  std::ranges::partial_sort(names, names.begin() + sorted, report::natural_less);
  return listed(names);
}

std::string and_more(std::int64_t pods) {
  return pods == 0 ? std::string() : fmt::format("  and {} more; -o wide shows all\n", counted_pods(pods));
}

std::string placements_text(const Plan& plan, text::ColorMode color) {
  struct Group {
    std::string namespace_;
    std::string asks;
    std::vector<std::string> names;
    std::map<std::string, std::int64_t> nodes;
  };
  std::vector<Group> groups;
  std::map<std::tuple<std::string, std::string, std::string>, std::size_t> positions;
  for (const sim::Placement& placement : plan.placements) {
    const std::string owner = placement.owner.starts_with("Pod/") ? std::string() : placement.owner;
    const auto [entry, fresh] = positions.try_emplace({placement.namespace_, owner, placement.asks}, groups.size());
    if (fresh) groups.push_back({placement.namespace_, placement.asks, {}, {}});
    groups[entry->second].names.push_back(placement.name);
    ++groups[entry->second].nodes[placement.node];
  }
  Table table({{"PODS", Align::kLeft, Overflow::kWrap},
               {"EACH ASKS", Align::kLeft, Overflow::kWrap},
               {"NODES", Align::kLeft, Overflow::kWrap}});
  std::int64_t left = 0;
  for (Group& group : groups) {
    if (table.rows() < kMostGroups)
      table.add_row({namespaced(group.namespace_, std::move(group.names)), group.asks, nodes_text(group.nodes)});
    else
      left += static_cast<std::int64_t>(group.names.size());
  }
  return table.render({.indent = 2, .color = color}) + and_more(left);
}

std::string cards_of(const sim::Placement& placement) {
  std::string out;
  for (const engine::CardAssignment& assignment : placement.cards) {
    if (!out.empty()) out += ' ';
    out += fmt::format("{}", fmt::join(assignment.cards, ","));
    if (assignment.millionths > 0)
      out += " (" + report::share_text(assignment.milli, assignment.millionths) + ')';
    else if (assignment.milli != engine::kMilliPerCard)
      out += fmt::format(" ({}/1000)", assignment.milli);
  }
  return out.empty() ? "-" : out;
}

std::string placements_wide(const Plan& plan, text::ColorMode color) {
  Table table(
      {{"POD"}, {"OWNER"}, {"NODE"}, {"CARDS"}, {"SHARING"}, {"ISOLATION"}, {"SCORE", Align::kRight}, {"ASKS"}});
  for (const sim::Placement& placement : plan.placements)
    table.add_row({placement.namespace_ + '/' + placement.name, placement.owner, placement.node, cards_of(placement),
                   std::string(phrase_of(placement.sharing)), std::string(isolation_of(placement.sharing)),
                   std::to_string(placement.score), placement.asks});
  return table.render({.width = 0, .indent = 2, .color = color});
}

// Each claim that the plan allocates once, although several pods may use it, with the node of the first of them.
struct PlannedClaim {
  const sim::ClaimDevices* claim = nullptr;
  const std::string* node = nullptr;
};

std::vector<PlannedClaim> planned_claims(const Plan& plan) {
  std::vector<PlannedClaim> claims;
  std::set<std::string_view> seen;
  for (const sim::Placement& placement : plan.placements) {
    for (const sim::ClaimDevices& claim : placement.claims) {
      if (!claim.given && seen.insert(claim.claim).second) claims.push_back({&claim, &placement.node});
    }
  }
  return claims;
}

// "n-1/gpu-0, n-1/gpu-1 once fabric-attached".
std::string devices_text(const sim::ClaimDevices& claim) {
  std::string text = fmt::format("{}", fmt::join(claim.devices, ", "));
  if (!claim.waits_for.empty()) text += fmt::format(" once {}", fmt::join(claim.waits_for, ", "));
  return text;
}

std::string claims_text(const std::vector<PlannedClaim>& claims, text::ColorMode color, bool wide) {
  static constexpr std::size_t kMost = 10;
  Table table({{"CLAIM", Align::kLeft, Overflow::kShorten},
               {"NODE", Align::kLeft, Overflow::kShorten},
               {"DEVICES", Align::kLeft, Overflow::kWrap}});
  for (const auto& [claim, node] : claims) {
    if (wide || table.rows() < kMost) table.add_row({claim->claim, *node, devices_text(*claim)});
  }
  std::string out = table.render({.indent = 2, .color = color});
  if (const std::size_t left = claims.size() - table.rows(); left > 0)
    out += fmt::format("  and {} more; -o wide shows all\n", grouped(left));
  return out;
}

std::string evictions_text(const Plan& plan, text::ColorMode color, bool wide) {
  Table table({{"POD", Align::kLeft, Overflow::kShorten},
               {"NODE", Align::kLeft, Overflow::kShorten},
               {"MAKES ROOM FOR", Align::kLeft, Overflow::kWrap}});
  for (const sim::Eviction& eviction : plan.evictions)
    if (wide || table.rows() < kMostGroups) table.add_row({eviction.pod, eviction.node, eviction.beneficiary});
  std::string out = table.render({.indent = 2, .color = color}) +
                    and_more(static_cast<std::int64_t>(plan.evictions.size() - table.rows()));
  // Once for each pod that somebody makes room for, as pods of one budget go together.
  std::set<std::pair<std::string, std::string>> told;
  for (const sim::Eviction& eviction : plan.evictions) {
    for (const sim::BrokenBudget& budget : eviction.broken_budgets) {
      if (!told.emplace(eviction.beneficiary, budget.name).second) continue;
      if (!wide && told.size() > kMostGroups) continue;
      const std::vector<text::Cell> line = {{text_of(budget), Color::kRed}};
      out += paragraph("  ", line, color);
    }
  }
  if (!wide && told.size() > kMostGroups)
    out += fmt::format("  and {} more; -o wide shows all\n", counted(told.size() - kMostGroups, "broken budget"));
  return out;
}

// Of pods that find no node in the input all that can be said is that, once for all of them.
std::string without_nodes_text(const std::vector<sim::Waiting>& groups, bool refused, text::ColorMode color) {
  static constexpr std::size_t kShown = 3;
  std::vector<std::string> names;
  for (const sim::Waiting& group : groups) {
    for (std::string& name : report::collapse(group.names)) names.push_back(group.namespace_ + '/' + std::move(name));
  }
  const std::vector<text::Cell> first = {{enumerate(names, kShown), Color::kBold}};
  return paragraph("  ", first, color) +
         paragraph("      ",
                   refused ? "no node of the input could be read, so nobody can say where they would run; correct "
                             "their errors"
                           : "there is no node in the input, so nobody can say where they would run; add the "
                             "output of kubectl get nodes -o yaml");
}

std::string waiting_text(const std::vector<sim::Waiting>& groups, const PlanViewOptions& options, bool with_class) {
  const text::ColorMode color = options.color;
  std::string out;
  std::size_t shown = 0;
  std::int64_t left = 0;
  for (const sim::Waiting& group : groups) {
    if (!options.wide && ++shown > kMostGroups) {
      left += static_cast<std::int64_t>(group.names.size());
      continue;
    }
    std::vector<text::Cell> first = {{namespaced(group.namespace_, group.names), Color::kBold}};
    if (group.names.size() > 1) first.emplace_back(", " + counted_pods(static_cast<std::int64_t>(group.names.size())));
    if (with_class) {
      first.emplace_back(": ");
      first.emplace_back(std::string(report::name_of(group.reason.reason_class)), Color::kYellow);
    }
    out += paragraph("  ", first, color) + paragraph("      ", group.sentence);
    for (const std::string& hint : group.hints) out += paragraph("      ", hint);
  }
  return out + and_more(left);
}

std::string title(text::ColorMode color, std::string_view name, std::int64_t count, Color tone) {
  return fmt::format("\n{} {}\n", text::paint(name, tone, color), counted_pods(count));
}

}  // namespace

std::string plan_text(const Plan& plan, const Input& input, const sim::Cluster& cluster,
                      const PlanViewOptions& options) {
  const text::ColorMode color = options.color;
  const bool without_nodes = plan.nodes.total == 0 && !options.wide;
  const bool refused = without_nodes && cluster.objects().refused_any("Node");
  std::string out = labelled(color, "Saw", saw(plan, input));
  out += skipped_text(input, color, options.wide ? "" : "-o wide shows all");
  out += labelled(color, "GPUs", gpu_line(plan));
  out += card_table(plan, color);
  if (!plan.foreign.empty()) out += labelled(color, "No queue", foreign_line(plan, cluster.names()));

  if (!plan.placements.empty()) {
    out += title(color, "Would start:", static_cast<std::int64_t>(plan.placements.size()), Color::kGreen);
    out += options.wide ? placements_wide(plan, color) : placements_text(plan, color);
  }
  if (const std::vector<PlannedClaim> claims = planned_claims(plan); !claims.empty()) {
    out += fmt::format("\n{} {}\n", text::paint("Would be allocated:", Color::kGreen, color),
                       counted(claims.size(), "claim"));
    out += claims_text(claims, color, options.wide);
  }
  if (!plan.evictions.empty()) {
    out += title(color, "Would be evicted:", static_cast<std::int64_t>(plan.evictions.size()), Color::kRed);
    out += evictions_text(plan, color, options.wide);
    const auto back = static_cast<std::uint64_t>(std::ranges::count_if(
        plan.evictions, [](const sim::Eviction& eviction) { return !eviction.replacement.empty(); }));
    if (back > 0)
      out += paragraph("  ", fmt::format("{} of them {} back as a new pending pod of {} controller.", grouped(back),
                                         back == 1 ? "comes" : "come", back == 1 ? "its" : "their"));
  }
  if (!plan.waiting.empty()) {
    out += title(color, "Would wait:", plan.waiting_pods(), Color::kYellow);
    out += without_nodes ? without_nodes_text(plan.waiting, refused, color) : waiting_text(plan.waiting, options, true);
  }
  if (!plan.not_ready.empty()) {
    out += title(color, "Not ready to be scheduled:", plan.not_ready_pods(), Color::kBold);
    out += waiting_text(plan.not_ready, options, false);
  }
  if (plan.placements.empty() && plan.waiting.empty() && plan.not_ready.empty()) out += "\nNo pod is pending.\n";
  if (plan.defragmentation) out += defragmentation_text(*plan.defragmentation, color);
  if (!plan.warnings.empty() || !plan.weaker.empty()) out += '\n';
  for (std::size_t i = 0; i < plan.warnings.size(); ++i)
    out += labelled(color, i == 0 ? "Warning" : "", plan.warnings[i]);
  out += weaker_text(plan.weaker, color);
  if (!plan.waiting.empty() && !without_nodes) {
    const sim::Waiting& first = plan.waiting.front();
    std::vector<std::string> words = {options.program, "explain", "-n", first.namespace_, "Pod/" + first.names.front()};
    // What came through standard input has to be piped again.
    for (const std::string& word : input.as_typed) words.push_back(word == "-" ? "FILE" : word);
    out += '\n' + shell_command("Next: ", words);
  }
  return out;
}

}  // namespace berth::cli
