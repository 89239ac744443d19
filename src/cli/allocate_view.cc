#include "cli/allocate_view.h"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "api/encode.h"
#include "api/full_name.h"
#include "cli/json.h"
#include "cli/remarks.h"
#include "report/layout.h"
#include "text/json_writer.h"
#include "text/table.h"
#include "text/yaml_writer.h"

namespace berth::cli {
namespace {

using report::counted;
using report::paragraph;
using sim::AllocationAnswer;
using sim::AllocationOutcome;
using text::Align;
using text::Color;
using text::Overflow;

// The claim as the API would show it with its allocation.
api::ResourceClaim allocated(const AllocationAnswer& answer, std::size_t number) {
  api::ResourceClaim claim = answer.claims[number]->object;
  claim.status.allocation = answer.results[number];
  return claim;
}

std::string saw(const AllocationAnswer& answer, const Input& input) {
  std::uint64_t devices = 0;
  for (const auto& read : input.objects.resource_slices) devices += read.object.devices.size();
  return fmt::format("{}, {} with {}, {}: {} in use, {} to allocate",
                     counted(input.objects.device_classes.size(), "DeviceClass", "DeviceClasses"),
                     counted(input.objects.resource_slices.size(), "ResourceSlice"), counted(devices, "device"),
                     counted(answer.in_use + answer.claims.size(), "claim"), answer.in_use, answer.claims.size());
}

std::string notes(const api::DeviceAllocationResult& result) {
  std::vector<std::string> notes;
  if (result.admin_access) notes.emplace_back("adminAccess");
  if (!result.share_id.empty()) {
    std::string text = "a share";
    for (const auto& [name, amount] : result.consumed_capacity)
      text += fmt::format(", {} {}", name, amount.to_string());
    notes.push_back(std::move(text));
  }
  if (!result.binding_conditions.empty())
    notes.push_back("waits for " + report::enumerate(result.binding_conditions, 4));
  return fmt::format("{}", fmt::join(notes, "; "));
}

std::string devices_table(const AllocationAnswer& answer, text::ColorMode color) {
  text::Table table({{"CLAIM", Align::kLeft, Overflow::kWrap},
                     {"REQUEST", Align::kLeft, Overflow::kWrap},
                     {"DRIVER"},
                     {"DEVICE", Align::kLeft, Overflow::kWrap},
                     {"NOTES", Align::kLeft, Overflow::kWrap}});
  for (std::size_t i = 0; i < answer.results.size(); ++i) {
    std::string claim = api::full_name(answer.claims[i]->object.metadata);
    for (const api::DeviceAllocationResult& result : answer.results[i].results)
      table.add_row(
          {std::exchange(claim, {}), result.request, result.driver, result.pool + '/' + result.device, notes(result)});
  }
  return table.render({.width = report::kColumns, .color = color});
}

std::string counts_table(const AllocationAnswer& answer, text::ColorMode color) {
  text::Table table({{"CLAIM", Align::kLeft, Overflow::kWrap},
                     {"REQUEST", Align::kLeft, Overflow::kWrap},
                     {"NEEDS", Align::kRight},
                     {"MATCH", Align::kRight},
                     {"IN USE", Align::kRight},
                     {"CUT", Align::kRight},
                     {"TAINTED", Align::kRight},
                     {"SMALL", Align::kRight},
                     {"FREE", Align::kRight}});
  for (const sim::RequestCount& count : answer.reason.requests) {
    const auto text = [](std::int64_t number) { return report::grouped(static_cast<std::uint64_t>(number)); };
    table.add_row({count.claim, count.request, count.all ? "all" : text(count.needed), text(count.matching),
                   text(count.in_use), text(count.cut), text(count.tainted), text(count.too_small),
                   text(count.available)});
  }
  return table.render({.width = report::kColumns, .color = color});
}

// "12 nodes: 8 NoDevice, 4 DeviceBusy".
std::string nodes_text(const AllocationAnswer& answer) {
  std::vector<std::pair<std::string_view, std::uint64_t>> counts;
  for (const sim::NodeAnswer& node : answer.nodes) {
    const std::string_view name =
        node.outcome == AllocationOutcome::kAllocated ? std::string_view("fit") : name_of(node.reason);
    auto found = std::ranges::find(counts, name, &std::pair<std::string_view, std::uint64_t>::first);
    if (found == counts.end()) found = counts.insert(counts.end(), {name, 0});
    ++found->second;
  }
  std::vector<std::string> parts;
  for (const auto& [name, count] : counts) parts.push_back(fmt::format("{} {}", report::grouped(count), name));
  return fmt::format("{} asked: {}", counted(answer.nodes.size(), "node"), fmt::join(parts, ", "));
}

std::string on_node(const AllocationAnswer& answer) {
  if (answer.node.empty()) return {};
  return " on node " + answer.node +
         (answer.assumed ? ", which has no Node object here and is taken as one without labels" : "");
}

void write_counts(text::JsonWriter& writer, const std::vector<sim::RequestCount>& counts) {
  write_objects(writer, "requests", counts, [&](const sim::RequestCount& count) {
    writer.member("claim", count.claim);
    writer.member("request", count.request);
    writer.member("deviceClass", count.device_class);
    writer.flag("all", count.all);
    writer.member("needed", count.needed);
    writer.member("devices", count.devices);
    writer.member("matching", count.matching);
    writer.member("inUse", count.in_use);
    writer.member("cut", count.cut);
    writer.member("tainted", count.tainted);
    writer.member("tooSmall", count.too_small);
    writer.member("available", count.available);
    writer.member("selectorFailed", count.failed);
    write_strings(writer, "holders", count.holders);
  });
}

void write_reason(text::JsonWriter& writer, const sim::AllocationReason& reason) {
  writer.key("reason");
  writer.begin_object();
  writer.member("class", name_of(reason.reason));
  writer.member("message", reason.message);
  if (!reason.claim.empty()) writer.member("claim", reason.claim);
  if (!reason.request.empty()) writer.member("request", reason.request);
  write_counts(writer, reason.requests);
  writer.end_object();
}

}  // namespace

std::string_view name_of(engine::devices::Mode mode) {
  return mode == engine::devices::Mode::kStrict ? "strict" : "best";
}

std::string allocate_text(const AllocationAnswer& answer, const Input& input, engine::devices::Mode mode,
                          text::ColorMode color) {
  std::string out = labelled(color, "Saw", saw(answer, input));
  out += skipped_text(input, color, "-o json has all");
  for (const std::string& ignored : answer.ignored) out += labelled(color, "Ignored", ignored + ".");
  if (answer.nodes.size() > 1) out += labelled(color, "Nodes", nodes_text(answer));
  for (const std::string& fault : answer.faults) out += labelled(color, "Left out", fault + ".");
  if (answer.claims.empty()) return out + "\nNothing to allocate: every claim has its devices.\n";
  out += '\n';
  if (answer.outcome == AllocationOutcome::kAllocated) {
    out += paragraph(
        text::paint("Allocated:", Color::kGreen, color) + " ",
        fmt::format("{}{} ({} mode).", counted(answer.claims.size(), "claim"), on_node(answer), name_of(mode)));
    return out + devices_table(answer, color);
  }
  out += paragraph(text::paint(name_of(answer.outcome), Color::kRed, color) + ": ",
                   fmt::format("{}{} ({} mode): {}.", name_of(answer.reason.reason), on_node(answer), name_of(mode),
                               answer.reason.message));
  for (const std::string& hint : answer.hints) out += paragraph("Hint: ", hint);
  if (!answer.reason.requests.empty()) out += '\n' + counts_table(answer, color);
  return out;
}

std::string allocate_json(const AllocationAnswer& answer, const Input& input, engine::devices::Mode mode) {
  std::string json;
  text::JsonWriter writer(json, text::JsonStyle::kPretty);
  begin_document(writer, "Allocation");
  writer.member("mode", name_of(mode));
  writer.member("outcome", name_of(answer.outcome));
  if (!answer.node.empty()) {
    writer.member("node", answer.node);
    writer.flag("nodeAssumed", answer.assumed);
  }
  writer.member("inUse", static_cast<std::int64_t>(answer.in_use));
  std::vector<std::string> pending;
  for (const auto* claim : answer.claims) pending.push_back(api::full_name(claim->object.metadata));
  write_strings(writer, "pending", pending);
  writer.key("claims");
  writer.begin_array();
  for (std::size_t i = 0; i < answer.results.size(); ++i) api::write(writer, allocated(answer, i));
  writer.end_array();
  if (answer.outcome != AllocationOutcome::kAllocated) write_reason(writer, answer.reason);
  write_objects(writer, "nodes", answer.nodes, [&](const sim::NodeAnswer& node) {
    writer.member("node", node.node);
    writer.flag("assumed", node.assumed);
    writer.member("outcome", name_of(node.outcome));
    if (node.outcome != AllocationOutcome::kAllocated) writer.member("class", name_of(node.reason));
  });
  write_strings(writer, "hints", answer.hints);
  write_strings(writer, "faults", answer.faults);
  write_strings(writer, "ignored", answer.ignored);
  write_strings(writer, "skipped", input.skipped);
  write_errors(writer, "errors", input.errors);
  writer.end_object();
  return json + '\n';
}

std::string allocate_yaml(const AllocationAnswer& answer) {
  std::string out;
  for (std::size_t i = 0; i < answer.results.size(); ++i) {
    out += "---\n";
    text::YamlWriter writer(out);
    api::write(writer, allocated(answer, i));
  }
  return out;
}

}  // namespace berth::cli
