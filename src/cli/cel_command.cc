#include <filesystem>
#include <fstream>
#include <iterator>
#include <ostream>
#include <string>
#include <system_error>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "cel/cost/estimate.h"
#include "cel/lib/libraries.h"
#include "cel/program.h"
#include "cli/cel_suite.h"
#include "cli/commands.h"
#include "cli/json.h"
#include "report/layout.h"
#include "text/json_writer.h"

namespace berth::cli {
namespace {

// What one evaluation may cost, as for a device selector.
constexpr std::uint64_t kCostLimit = 1'000'000;

Result<std::string> read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return fail(ErrorCode::kIo, "the file cannot be opened.", Place{.file = path});
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored))
    return fail(ErrorCode::kIo, "this is a directory; name a file of JSON lines.", Place{.file = path});
  return std::string{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

int run_suites(const std::vector<std::string>& files, Console& console) {
  CelSuiteCounts total;
  for (const std::string& path : files) {
    const auto content = read_file(path);
    if (!content) {
      complain(console, content.error().to_string());
      return kBadInput;
    }
    const auto counts = run_cel_lines(*content, path, [&](const CelLineResult& result) {
      if (result.kind == CelLineResult::Kind::kPassed) return;
      const bool failed = result.kind == CelLineResult::Kind::kFailed;
      console.out << report::paragraph(failed ? "FAILED   " : "skipped  ", result.id + ": " + result.reason);
    });
    if (!counts) {
      complain(console, counts.error().to_string());
      return kBadInput;
    }
    total.passed += counts->passed;
    total.failed += counts->failed;
    total.skipped += counts->skipped;
  }
  console.out << fmt::format("{} passed, {} failed, {} skipped\n", total.passed, total.failed, total.skipped);
  return total.failed == 0 ? kDone : kNotEverything;
}

int run_expression(const std::string& expression, bool as_json, Console& console) {
  const auto environment = cel::full_environment();
  auto checked = cel::compile(expression, environment);
  if (!checked) {
    console.err << checked.error().to_string() << '\n';
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
    std::string json;
    text::JsonWriter writer(json, text::JsonStyle::kPretty);
    begin_document(writer, "CelResult");
    writer.member("type", type);
    writer.member(value.is_error() ? "error" : "value", shown);
    writer.member("cost", static_cast<std::int64_t>(context.cost()));
    writer.end_object();
    console.out << json << '\n';
  } else if (value.is_error()) {
    complain(console, shown);
  } else {
    console.out << fmt::format("{}\n  type {}, cost {}, estimated at {} to {}\n", shown, type, context.cost(),
                               estimate.min,
                               estimate.max == cel::kUnknownCost ? "any" : fmt::format("{}", estimate.max));
  }
  return value.is_error() ? kNotEverything : kDone;
}

}  // namespace

int run_cel(std::span<const std::string> arguments, Console& console) {
  std::vector<std::string> files;
  std::string expression;
  std::string output;
  CLI::App app("Evaluates an expression of the Common Expression Language, or runs lines of\nits conformance suite.",
               "berth cel");
  app.add_option("EXPR", expression, "an expression without variables");
  app.add_option("--suite", files, "files of JSON lines, each an expression and what it should give");
  app.add_option("-o,--output", output, "json")->check(CLI::IsMember({"json"}));
  app.footer(
      "Exit codes: 0 a value, or no line failed; 2 an error, or some lines failed; 1 the\n"
      "expression does not compile, or a file cannot be read.\n\n"
      "Example:\n  berth cel '[1, 2, 3].filter(x, x > 1).map(x, x * x)'");
  if (const int code = parse(app, arguments, console); code >= 0) return code;
  if (expression.empty() == files.empty()) {
    complain(console, "name either an expression or --suite and its files.");
    return kBadInput;
  }
  return files.empty() ? run_expression(expression, output == "json", console) : run_suites(files, console);
}

}  // namespace berth::cli
