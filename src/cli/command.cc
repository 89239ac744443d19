#include "cli/command.h"

#include <algorithm>
#include <exception>
#include <iterator>
#include <new>
#include <ostream>
#include <vector>

#include <CLI/CLI.hpp>

#include "base/near_names.h"
#include "cli/help.h"
#include "cli/usage_error.h"
#include "cli/version.h"
#include "report/layout.h"
#include "text/table.h"
#include "text/utf8.h"

namespace berth::cli {
namespace {

using text::Color;

void print_help(Console& console) {
  std::ostream& out = console.out;
  out << text::paint("berth", Color::kBold, console.color) << " schedules GPUs on Kubernetes and says why.\n\n"
      << "Usage: berth COMMAND [ARGUMENTS]\n\nCommands:\n";
  text::Table table({{}, {}});
  for (const Command& command : commands())
    table.add_row({{std::string(command.name), Color::kBold}, std::string(command.summary)});
  out << table.render({.indent = 2, .color = console.color})
      << "\n`berth COMMAND --help` or `berth help COMMAND` explains one and ends with an\n"
      << "example that runs; `berth --version`, -v or `berth version` says which this is.\n"
      << "Exit codes: 0 everything placed or passed, 2 something is pending or failed,\n"
      << "1 bad input or usage.\n\n"
      << "Example: kubectl get nodes,pods -A -o json | berth plan -\n";
}

int unknown(std::string_view name, Console& console) {
  std::vector<std::string> names;
  for (const Command& command : commands()) names.emplace_back(command.name);
  const std::vector<std::string> near = near_names(name, names);
  std::string message = "there is no command '" + std::string(name) + "'";
  if (near.empty())
    message += "; `berth --help` lists them.";
  else
    message += "; did you mean " + report::enumerate(near, near.size()) + "?";
  complain(console, message);
  return kBadInput;
}

// Its beginning and its end, which says what to do, where a name in it is longer than anybody reads.
std::string without_middle(std::string text) {
  static constexpr std::size_t kBeginning = 1200;
  static constexpr std::size_t kEnd = 400;
  if (text.size() <= kBeginning + kEnd) return text;
  const auto inside = [&text](std::size_t at) { return (static_cast<unsigned char>(text[at]) & 0xC0U) == 0x80U; };
  std::size_t from = kBeginning;
  while (inside(from)) --from;
  std::size_t to = text.size() - kEnd;
  while (to < text.size() && inside(to)) ++to;
  return text.replace(from, to - from, "\u2026");
}

const Command* find(std::string_view name) {
  const auto found = std::ranges::find(commands(), name, &Command::name);
  return found == commands().end() ? nullptr : &*found;
}

// The arguments in reverse, as CLI11 wants them. To CLI11 a `--` behind a list of values ends that list and no more, so
// there it gets a second one: nothing behind `--` is an option.
std::vector<std::string> reversed(const CLI::App& app, std::span<const std::string> arguments) {
  std::vector<std::string> out(arguments.begin(), arguments.end());
  const auto mark = std::ranges::find(out, "--");
  const auto is_option = [](const std::string& word) { return word.size() > 1 && word.starts_with('-'); };
  const auto last = std::find_if(std::reverse_iterator(mark), out.rend(), is_option);
  if (mark != out.end() && last != out.rend()) {
    const CLI::Option* option = app.get_option_no_throw(last->substr(0, last->find('=')));
    if (option != nullptr && option->get_allow_extra_args()) out.insert(mark, "--");
  }
  std::ranges::reverse(out);
  return out;
}

}  // namespace

void complain(Console& console, std::string_view message) {
  const std::string first = text::paint("berth:", Color::kRed, console.error_color) + " ";
  console.err << report::paragraph(first, without_middle(text::visible(message)));
}

void complain(Console& console, std::span<const Error> errors, const std::map<std::size_t, std::string>& excerpts) {
  static constexpr std::size_t kMost = 20;
  for (std::size_t i = 0; i < errors.size() && i < kMost; ++i) {
    complain(console, errors[i].to_string());
    if (const auto found = excerpts.find(i); found != excerpts.end()) console.err << found->second;
  }
  if (errors.size() > kMost)
    complain(console, report::grouped(errors.size() - kMost) + " more errors are in the output of -o json.");
}

int run(std::span<const std::string> arguments, Console& console) {
  if (arguments.empty()) {
    print_help(console);
    return kBadInput;
  }
  const std::string& name = arguments[0];
  if (name == "--help" || name == "-h" || (name == "help" && arguments.size() == 1)) {
    print_help(console);
    return kDone;
  }
  if (name == "--version" || name == "-v" || name == "version") {
    console.out << "berth " << kVersion << '\n';
    return kDone;
  }
  if (name == "help") {
    const Command* command = find(arguments[1]);
    if (command == nullptr) return unknown(arguments[1], console);
    const std::vector<std::string> help = {"--help"};
    return run(*command, help, console);
  }
  if (name.starts_with('-')) {
    static const std::vector<std::string> kOptions = {"--help", "--version"};
    const std::vector<std::string> near = near_names(name, kOptions, 1);
    complain(console, "there is no option '" + name + "' before the command; " +
                          (near.empty() ? "`berth --help` shows what there is." : "near is " + near.front() + "."));
    return kBadInput;
  }
  const Command* command = find(name);
  if (command == nullptr) return unknown(name, console);
  return run(*command, arguments.subspan(1), console);
}

int run(const Command& command, std::span<const std::string> arguments, Console& console) {
  try {
    return command.run(arguments, console);
  } catch (const std::bad_alloc&) {
    complain(console, "there is not enough memory for this input; give it in parts, or on a larger machine.");
  } catch (const std::exception& error) {
    complain(console, "something went wrong that is no fault of the input (" + std::string(error.what()) +
                          "); what was printed is not complete. Please report it, with the input if you can.");
  }
  return kBadInput;
}

int parse(CLI::App& app, std::span<const std::string> arguments, Console& console) {
  app.set_help_flag("-h,--help", "this help");
  const auto refuse = [&](const std::string& what) {
    complain(console, what + ". `" + app.get_name() + " --help` shows how it is used.");
    return kBadInput;
  };
  try {  // CLI11 reports through exceptions
    app.parse(reversed(app, arguments));
    const auto empty = empty_value(app);
    return empty ? refuse(*empty) : -1;
  } catch (const CLI::CallForHelp&) {
    console.out << help_text(app);
    return kDone;
  } catch (const CLI::ParseError& error) {
    return refuse(usage_error(app, error));
  }
}

}  // namespace berth::cli
