#include "cli/cel_devices.h"

#include <cstdint>
#include <map>
#include <ostream>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "api/load.h"
#include "cli/cel_errors.h"
#include "cli/json.h"
#include "dialects/dra/device_translator.h"
#include "dialects/dra/published.h"
#include "dialects/dra/selector_table.h"
#include "report/layout.h"
#include "text/json_writer.h"
#include "text/table.h"

namespace berth::cli {
namespace {

namespace dra = dialects::dra;
using engine::devices::SelectorAnswer;

// Up to so many devices have a row each; more are grouped by their answers.
constexpr std::size_t kMostRows = 40;
constexpr std::size_t kMostNames = 4;

struct DeviceAnswer {
  std::string_view driver;
  std::string name;  // pool/device
  std::string_view pool;
  std::string_view device;
  SelectorAnswer::Kind kind = SelectorAnswer::Kind::kNo;
  std::string_view error;
};

struct Report {
  std::vector<DeviceAnswer> answers;
  std::vector<dra::SelectorRemark> remarks;
  std::string refusal;  // why the API server would not take the expression in a new object
  std::uint64_t estimate = 0;
  std::size_t yes = 0;
  std::size_t errors = 0;
};

std::string_view word(SelectorAnswer::Kind kind) {
  switch (kind) {
    case SelectorAnswer::Kind::kNo:
      return "false";
    case SelectorAnswer::Kind::kYes:
      return "true";
    case SelectorAnswer::Kind::kError:
      return "error";
  }
  return "";
}

void add_rows(const Report& report, text::Table& table) {
  if (report.answers.size() <= kMostRows) {
    for (const DeviceAnswer& answer : report.answers) {
      table.add_row(
          {std::string(word(answer.kind)), std::string(answer.driver), answer.name, std::string(answer.error)});
    }
    return;
  }
  struct Group {
    const DeviceAnswer* first = nullptr;
    std::vector<std::string> names;
  };
  std::vector<Group> groups;  // in the order of their first devices
  std::map<std::pair<std::string_view, std::string>, std::size_t> known;
  for (const DeviceAnswer& answer : report.answers) {
    const auto [found, fresh] =
        known.try_emplace({answer.driver, fmt::format("{} {}", word(answer.kind), answer.error)}, groups.size());
    if (fresh) groups.push_back({&answer, {}});
    groups[found->second].names.push_back(answer.name);
  }
  for (Group& group : groups) {
    const std::size_t count = group.names.size();
    table.add_row(
        {std::string(word(group.first->kind)), std::string(group.first->driver),
         fmt::format("{}: {}", report::counted(count, "device"), report::name_list(std::move(group.names), kMostNames)),
         std::string(group.first->error)});
  }
}

void print(const Report& report, const dra::DeviceSelector& selector, Console& console) {
  text::Table table({{"ANSWER"},
                     {"DRIVER"},
                     {"DEVICE", text::Align::kLeft, text::Overflow::kWrap},
                     {"WHY", text::Align::kLeft, text::Overflow::kWrap}});
  add_rows(report, table);
  console.out << table.render({.width = report::kColumns, .color = console.color});
  console.out << report::paragraph(
      "", fmt::format("{} of {}: true; {}. The estimated cost is {} of {}.", report::grouped(report.yes),
                      report::counted(report.answers.size(), "device"), report::counted(report.errors, "error"),
                      report::grouped(report.estimate), report::grouped(dra::kMaxSelectorCost)));
  for (const dra::SelectorRemark& remark : report.remarks) {
    console.out << '\n'
                << report::paragraph("", fmt::format("line {} column {}: {}", remark.position.line,
                                                     remark.position.column, remark.message))
                << excerpt(selector.source(), remark.position);
  }
  if (!report.refusal.empty()) {
    console.out << '\n'
                << report::paragraph("", "The API server refuses the expression in new objects: " + report.refusal);
  }
}

void print_json(const Report& report, std::span<const Error> errors, Console& console) {
  std::string json;
  text::JsonWriter writer(json, text::JsonStyle::kPretty);
  begin_document(writer, "CelDevices");
  write_objects(writer, "devices", report.answers, [&](const DeviceAnswer& answer) {
    writer.member("driver", answer.driver);
    writer.member("pool", answer.pool);
    writer.member("device", answer.device);
    if (answer.kind == SelectorAnswer::Kind::kError) {
      writer.member("error", answer.error);
    } else {
      writer.key("value");
      writer.boolean(answer.kind == SelectorAnswer::Kind::kYes);
    }
  });
  writer.member("matching", static_cast<std::int64_t>(report.yes));
  writer.member("estimatedCost", fmt::format("{}", report.estimate));
  write_objects(writer, "remarks", report.remarks, [&](const dra::SelectorRemark& remark) {
    writer.member("line", std::int64_t{remark.position.line});
    writer.member("column", std::int64_t{remark.position.column});
    writer.member("message", remark.message);
  });
  if (!report.refusal.empty()) writer.member("refusal", report.refusal);
  write_errors(writer, "errors", errors);
  writer.end_object();
  console.out << json << '\n';
}

// "no such key: x", and what to do about it.
std::string advised(std::string_view error) {
  if (!error.starts_with("no such key")) return std::string(error);
  return fmt::format("{}; guard it with has() or .?name.orValue()", error);
}

}  // namespace

int run_cel_on_devices(const std::string& expression, std::span<const std::string> paths, const Kubernetes& kubernetes,
                       bool as_json, Console& console) {
  // What is in a cluster was taken by the API server once, so it is compiled as the scheduler does.
  const dra::SelectorCompiler compiler(dra::SelectorRules::of(kubernetes.version, kubernetes.gates));
  const auto selector = compiler.try_compile(expression);
  if (!selector) {
    complain_about(selector.error().failure, console);
    return kBadInput;
  }
  api::LoadOptions options;
  options.kubernetes = kubernetes.version;
  options.gates = kubernetes.gates;
  const api::Loaded loaded = api::load(paths, options);
  for (const Error& error : loaded.errors) complain(console, error.to_string());
  if (loaded.objects.resource_slices.empty()) {
    complain(console, "there is no ResourceSlice in the input; get them with kubectl get resourceslices -o yaml.");
    return kBadInput;
  }

  engine::Names names;
  engine::devices::Catalogue catalogue;
  dra::DeviceTranslator translator(names, catalogue);
  const dra::SelectorTable table(translator.selectors, catalogue, names, compiler.rules());
  const engine::devices::SelectorId id = translator.selectors.intern(expression);
  dra::Published published;
  Report report;
  report.estimate = selector->estimated_cost();
  std::map<engine::devices::SelectorErrorId, std::string> messages;
  for (const auto& read : loaded.objects.resource_slices) {
    const api::ResourceSlice& slice = read.object;
    published.add(slice);
    const engine::devices::SliceInput input = translator.slice(slice);
    for (std::size_t i = 0; i < slice.devices.size(); ++i) {
      const SelectorAnswer answer = table.answer(id, input.devices[i].kind);
      DeviceAnswer& out = report.answers.emplace_back();
      out = {slice.driver,    slice.pool.name + "/" + slice.devices[i].name,
             slice.pool.name, slice.devices[i].name,
             answer.kind,     {}};
      report.yes += answer.kind == SelectorAnswer::Kind::kYes ? 1 : 0;
      if (answer.kind == SelectorAnswer::Kind::kError) {
        ++report.errors;
        out.error = messages.try_emplace(answer.error, advised(table.error(answer.error))).first->second;
      }
    }
  }
  report.remarks = remarks_about(*selector, published);
  const dra::SelectorRules as_new = dra::SelectorRules::of(kubernetes.version, kubernetes.gates, false);
  if (const auto admitted = dra::SelectorCompiler(as_new).admit(expression); !admitted) {
    report.refusal = admitted.error().message.substr(0, admitted.error().message.find('\n'));
  }
  if (as_json) {
    print_json(report, loaded.errors, console);
  } else {
    print(report, *selector, console);
  }
  if (!loaded.errors.empty()) return kBadInput;
  return report.errors == 0 ? kDone : kNotEverything;
}

}  // namespace berth::cli
