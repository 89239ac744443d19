#include "cli/help.h"

#include <string>

#include <CLI/CLI.hpp>

#include "cli/usage_error.h"
#include "text/table.h"

namespace berth::cli {
namespace {

bool takes_many(const CLI::Option& option) { return option.get_expected_max() > 1; }

// "FILE...", "[EXPR]".
std::string argument_name(const CLI::Option& option) {
  std::string name = option.get_name() + (takes_many(option) ? "..." : "");
  return option.get_required() ? name : "[" + name + "]";
}

// "-o, --output json|wide", "--nodes CSV (required)".
std::string option_name(const CLI::Option& option) {
  std::string name;
  for (const std::string& letter : option.get_snames()) name += "-" + letter + ", ";
  if (name.empty()) name = "    ";
  for (const std::string& word : option.get_lnames()) name += "--" + word;
  if (option.get_expected_max() > 0) name += " " + value_name(option);
  if (takes_many(option)) name += "...";
  return name;
}

std::string description(const CLI::Option& option) {
  return option.get_description() + (option.get_required() && !option.get_positional() ? " (required)" : "");
}

}  // namespace

std::string help_text(const CLI::App& app) {
  std::string usage = "Usage: " + app.get_name() + " [OPTIONS]";
  const auto table_of = [&app](bool positional, auto name_of) {
    text::Table table({{}, {"", text::Align::kLeft, text::Overflow::kWrap}});
    for (const CLI::Option* option : app.get_options())
      if (option->get_positional() == positional) table.add_row({name_of(*option), description(*option)});
    return table.render({.indent = 2});
  };
  for (const CLI::Option* option : app.get_options())
    if (option->get_positional()) usage += " " + argument_name(*option);
  std::string arguments = table_of(true, argument_name);
  if (!arguments.empty()) arguments += '\n';
  return app.get_description() + "\n\n" + usage + "\n\n" + arguments + "Options:\n" + table_of(false, option_name) +
         "\n" + app.get_footer() + "\n";
}

}  // namespace berth::cli
