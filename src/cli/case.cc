#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <iterator>
#include <ostream>
#include <string>
#include <system_error>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "cli/commands.h"
#include "cli/json.h"
#include "cli/scheduling_options.h"
#include "report/layout.h"
#include "sim/case/case_runner.h"
#include "text/color.h"
#include "text/input.h"
#include "text/json_writer.h"
#include "text/progress.h"

namespace berth::cli {
namespace {

namespace fs = std::filesystem;
using text::Color;
using Outcome = sim::CaseResult::Outcome;

bool is_yaml(std::string_view name) {
  if (name.ends_with(".gz")) name.remove_suffix(3);
  return name.ends_with(".yaml") || name.ends_with(".yml");
}

// Directories stand for their YAML files, in order of name.
std::vector<std::string> case_files(const std::vector<std::string>& paths, std::vector<Error>& errors) {
  std::vector<std::string> out;
  for (const std::string& path : paths) {
    std::error_code ignored;
    if (!fs::is_directory(path, ignored)) {
      out.push_back(path);
      continue;
    }
    const auto inside = text::expand_input(path);
    if (inside)
      std::ranges::copy_if(inside->files, std::back_inserter(out), is_yaml);
    else
      errors.push_back(inside.error());
  }
  return out;
}

Result<sim::CaseResult> run_file(const std::string& path, std::uint64_t seed) {
  BERTH_TRY(const std::string text, text::read_file(path));
  return sim::run_case(text, path, seed);
}

struct Totals {
  int passed = 0;
  int failed = 0;
  int not_spoken = 0;
  bool broken = false;  // a file is no case at all
};

std::string indented(std::string_view text, std::size_t indent) {
  std::string out;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    out += report::paragraph(std::string(indent, ' '), text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out;
}

std::string label_of(Outcome outcome, text::ColorMode color) {
  switch (outcome) {
    case Outcome::kPassed:
      return text::paint("passed    ", Color::kGreen, color);
    case Outcome::kFailed:
      return text::paint("FAILED    ", Color::kRed, color);
    case Outcome::kNotSpoken:
      return text::paint("not spoken", Color::kDim, color);
  }
  return "";
}

void print(const sim::CaseResult& result, Console& console) {
  const text::ColorMode color = console.color;
  std::ostream& out = console.out;
  std::vector<text::Cell> name = {result.name};
  if (result.outcome == Outcome::kNotSpoken)
    name.emplace_back(fmt::format(" (needs {})", fmt::join(result.not_spoken, ", ")), Color::kDim);
  out << report::paragraph(label_of(result.outcome, color) + ' ', name, color);
  if (result.outcome == Outcome::kFailed) {
    out << indented(result.title, 4);
    for (const std::string& failure : result.failures) out << report::paragraph("    - ", failure);
    for (const std::string& explanation : result.explanations) out << indented(explanation, 6);
    out << report::paragraph("    in ", result.file);
  }
  for (const std::string& line : result.unchecked) out << report::paragraph("    unchecked: never ", line);
}

void print_broken(const std::string& path, const Error& error, Console& console) {
  console.out << report::paragraph(label_of(Outcome::kFailed, console.color) + ' ', fs::path(path).stem().string())
              << report::paragraph("    - ", error.to_string());
}

void count(const sim::CaseResult& result, Totals& totals) {
  switch (result.outcome) {
    case Outcome::kPassed:
      ++totals.passed;
      break;
    case Outcome::kFailed:
      ++totals.failed;
      break;
    case Outcome::kNotSpoken:
      ++totals.not_spoken;
      break;
  }
}

std::string_view name_of(Outcome outcome) {
  switch (outcome) {
    case Outcome::kPassed:
      return "Passed";
    case Outcome::kFailed:
      return "Failed";
    case Outcome::kNotSpoken:
      return "NotSpoken";
  }
  return "";
}

void write_result(text::JsonWriter& writer, const sim::CaseResult& result) {
  writer.begin_object();
  writer.member("case", result.name);
  writer.member("title", result.title);
  writer.member("file", result.file);
  writer.member("outcome", name_of(result.outcome));
  write_strings(writer, "notSpoken", result.not_spoken);
  write_strings(writer, "failures", result.failures);
  write_strings(writer, "explanations", result.explanations);
  write_strings(writer, "unchecked", result.unchecked);
  writer.end_object();
}

// Results go to the writer, or to people if there is none; files that are no cases to the errors.
void run_files(const std::vector<std::string>& files, std::uint64_t seed, text::JsonWriter* writer, Console& console,
               Totals& totals, std::vector<Error>& errors) {
  text::Progress progress(stderr, "running cases", files.size());
  for (std::size_t i = 0; i < files.size(); ++i) {
    progress.update(i);
    const auto result = run_file(files[i], seed);
    if (!result) {
      ++totals.failed;
      totals.broken = true;
      errors.push_back(result.error());
      if (writer == nullptr) print_broken(files[i], result.error(), console);
      continue;
    }
    count(*result, totals);
    if (writer != nullptr)
      write_result(*writer, *result);
    else
      print(*result, console);
  }
}

}  // namespace

int run_case(std::span<const std::string> arguments, Console& console) {
  std::vector<std::string> paths;
  std::string output;
  std::uint64_t seed = 0;
  CLI::App app("Runs case files: small clusters, each with the one right end.", "berth case");
  app.add_option("FILE", paths, "case files, or directories of them")->required();
  app.add_option("-o,--output", output, "the same for programs")->check(CLI::IsMember({"json"}));
  add_seed(app, seed);
  app.footer(
      "Exit codes: 0 every file passed, 2 some failed or speak what this version does\n"
      "not, 1 a file is no case. The format is docs/cases.md.\n\n"
      "Example:\n  berth case tests/cases");
  if (const int code = parse(app, arguments, console); code >= 0) return code;

  std::vector<Error> errors;
  const std::vector<std::string> files = case_files(paths, errors);
  Totals totals;
  totals.broken = !errors.empty();
  std::string json;
  text::JsonWriter writer(json, text::JsonStyle::kPretty);
  const bool as_json = output == "json";
  begin_document(writer, "CaseResults");
  writer.key("cases");
  writer.begin_array();
  if (!as_json) complain(console, errors);
  run_files(files, seed, as_json ? &writer : nullptr, console, totals, errors);
  writer.end_array();
  write_errors(writer, "errors", errors);
  writer.member("passed", std::int64_t{totals.passed});
  writer.member("failed", std::int64_t{totals.failed});
  writer.member("notSpoken", std::int64_t{totals.not_spoken});
  writer.end_object();
  if (as_json)
    console.out << json << '\n';
  else
    console.out << fmt::format("{} passed, {} failed, {} not spoken\n", totals.passed, totals.failed,
                               totals.not_spoken);
  if (totals.broken) return kBadInput;
  if (files.empty()) {
    complain(console, "there is no case file among what was named.");
    return kBadInput;
  }
  return totals.failed == 0 && totals.not_spoken == 0 ? kDone : kNotEverything;
}

}  // namespace berth::cli
