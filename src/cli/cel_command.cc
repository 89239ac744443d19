#include <algorithm>
#include <cstdint>
#include <ostream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "cel/cost/estimate.h"
#include "cel/lib/libraries.h"
#include "cel/program.h"
#include "cli/cel_devices.h"
#include "cli/cel_errors.h"
#include "cli/cel_suite.h"
#include "cli/commands.h"
#include "cli/json.h"
#include "report/layout.h"
#include "text/input.h"
#include "text/json_writer.h"
#include "text/utf8.h"

namespace berth::cli {
namespace {

// What one evaluation may cost, as for a device selector.
constexpr std::uint64_t kCostLimit = 1'000'000;

// More of a value than this is for -o json.
constexpr std::size_t kMostShown = 4000;

std::string_view name_of(CelLineResult::Kind kind) {
  switch (kind) {
    case CelLineResult::Kind::kPassed:
      return "Passed";
    case CelLineResult::Kind::kFailed:
      return "Failed";
    case CelLineResult::Kind::kSkipped:
      return "Skipped";
  }
  return "";
}

// What the lines of the files gave. Lines that passed are counted only.
struct SuiteResult {
  CelSuiteCounts counts;
  std::vector<Error> errors;  // files and lines that could not be read
};

template <class Report>
SuiteResult run_files(const std::vector<std::string>& files, Report report) {
  SuiteResult result;
  for (const std::string& path : files) {
    const auto content = text::read_file(path);
    if (!content) {
      result.errors.push_back(content.error());
      continue;
    }
    const CelSuiteCounts counts = run_cel_lines(
        *content, path,
        [&](const CelLineResult& line) {
          if (line.kind != CelLineResult::Kind::kPassed) report(line);
        },
        [&](Error error) { result.errors.push_back(std::move(error)); });
    result.counts.passed += counts.passed;
    result.counts.failed += counts.failed;
    result.counts.skipped += counts.skipped;
  }
  return result;
}

int suite_code(const SuiteResult& result) {
  if (!result.errors.empty()) return kBadInput;
  return result.counts.failed == 0 ? kDone : kNotEverything;
}

int run_suites(const std::vector<std::string>& files, Console& console) {
  const SuiteResult result = run_files(files, [&](const CelLineResult& line) {
    const bool failed = line.kind == CelLineResult::Kind::kFailed;
    console.out << report::paragraph(failed ? "FAILED   " : "skipped  ", line.id + ": " + line.reason);
  });
  complain(console, result.errors);
  console.out << fmt::format("{} passed, {} failed, {} skipped\n", result.counts.passed, result.counts.failed,
                             result.counts.skipped);
  return suite_code(result);
}

int run_suites_as_json(const std::vector<std::string>& files, Console& console) {
  std::string json;
  text::JsonWriter writer(json, text::JsonStyle::kPretty);
  begin_document(writer, "CelSuiteResults");
  writer.key("lines");
  writer.begin_array();
  const SuiteResult result = run_files(files, [&](const CelLineResult& line) {
    writer.begin_object();
    writer.member("line", line.id);
    writer.member("outcome", name_of(line.kind));
    writer.member("reason", line.reason);
    writer.end_object();
  });
  writer.end_array();
  write_errors(writer, "errors", result.errors);
  writer.member("passed", std::int64_t{result.counts.passed});
  writer.member("failed", std::int64_t{result.counts.failed});
  writer.member("skipped", std::int64_t{result.counts.skipped});
  writer.end_object();
  console.out << json << '\n';
  return suite_code(result);
}

// At most kMostShown bytes of it, cut between characters.
std::string beginning_of(std::string shown) {
  if (shown.size() <= kMostShown) return shown;
  std::size_t end = kMostShown;
  while (end > 0 && (static_cast<unsigned char>(shown[end]) & 0xC0U) == 0x80U) --end;
  const std::size_t left = shown.size() - end;
  shown.resize(end);
  return shown + fmt::format("\u2026 and {} more; -o json has all of it", report::counted(left, "byte"));
}

// The type is left out where the expression has none.
std::string result_json(std::string_view type, std::string_view key, std::string_view shown, std::uint64_t cost) {
  std::string json;
  text::JsonWriter writer(json, text::JsonStyle::kPretty);
  begin_document(writer, "CelResult");
  if (!type.empty()) writer.member("type", type);
  writer.member(key, shown);
  writer.member("cost", static_cast<std::int64_t>(cost));
  writer.end_object();
  return json + '\n';
}

int run_expression(const std::string& expression, bool as_json, Console& console) {
  const auto environment = cel::full_environment();
  auto checked = cel::compile(expression, environment);
  if (!checked) {
    if (as_json)
      console.out << result_json("", "error", checked.error().to_string(), 0);
    else
      complain_about(checked.error(), console);
    return kBadInput;
  }
  const std::string type = cel::to_string(checked->result_type());
  const cel::Range estimate = cel::estimate_cost(*checked, cel::DeclaredSizes(*environment));
  const cel::Program program(*std::move(checked));
  static const cel::SystemTimeZones kZones;
  cel::Arena arena;
  cel::EvalContext context(arena);
  context.set_cost_limit(kCostLimit);
  context.set_time_zones(&kZones);
  const cel::Value value = program.evaluate({}, context);
  const std::string shown = value.is_error() ? std::string(value.as_error().message) : cel::to_string(value, arena);
  if (as_json) {
    console.out << result_json(type, value.is_error() ? "error" : "value", shown, context.cost());
  } else if (value.is_error()) {
    complain(console, beginning_of(shown));
  } else {
    console.out << report::paragraph("", beginning_of(shown))
                << report::paragraph(
                       "  ", fmt::format("type {}, cost {}, estimated at {} to {}", type, context.cost(), estimate.min,
                                         estimate.max == cel::kUnknownCost ? "any" : fmt::format("{}", estimate.max)));
  }
  return value.is_error() ? kNotEverything : kDone;
}

}  // namespace

int run_cel(std::span<const std::string> arguments, Console& console) {
  std::vector<std::string> files;
  std::string expression;
  std::string output;
  std::vector<std::string> objects;
  KubernetesOptions kubernetes_options;
  CLI::App app(
      "Evaluates an expression of the Common Expression Language: by itself, or as a\n"
      "device selector on every device of ResourceSlices. Or runs lines of the\n"
      "language's conformance suite.",
      "berth cel");
  app.add_option("EXPR", expression, "an expression without variables; with -f over the variable device");
  app.add_option("-f,--filename", objects, "files and directories with ResourceSlices, - for standard input")
      ->type_name("FILE");
  app.add_option("--suite", files, "files of JSON lines, each an expression and what it should give")
      ->type_name("FILE");
  app.add_option("-o,--output", output, "the same for programs")->check(CLI::IsMember({"json"}));
  add_options(app, kubernetes_options);
  app.footer(
      "Exit codes: 0 a value, or no line failed; 2 an error, or some lines failed;\n"
      "1 the expression does not compile, or a file cannot be read.\n\n"
      "Example:\n  berth cel '[1, 2, 3].filter(x, x > 1).map(x, x * x)'\n"
      "  kubectl get resourceslices -o yaml |\n"
      "    berth cel 'device.driver == \"gpu.nvidia.com\"' -f -");
  if (const int code = parse(app, arguments, console); code >= 0) return code;
  if (expression.empty() == files.empty()) {
    complain(console, "name either an expression or --suite and its files.");
    return kBadInput;
  }
  const bool as_json = output == "json";
  const auto kubernetes = kubernetes_of(kubernetes_options);
  if (!kubernetes) {
    complain(console, kubernetes.error().to_string());
    return kBadInput;
  }
  if (!objects.empty()) {
    if (!files.empty()) {
      complain(console, "-f evaluates one expression on devices; leave --suite out.");
      return kBadInput;
    }
    return run_cel_on_devices(expression, objects, *kubernetes, as_json, console);
  }
  if (files.empty()) return run_expression(expression, as_json, console);
  return as_json ? run_suites_as_json(files, console) : run_suites(files, console);
}

}  // namespace berth::cli
