// What a command of `berth` is. Each lives in a file of its own and is listed in commands.cc; nothing else knows them.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <map>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"
#include "text/color.h"

namespace CLI {
class App;
}

namespace berth::cli {

enum ExitCode : int {
  kDone = 0,           // done, and everything was placed or passed
  kBadInput = 1,       // the input or the command line is wrong; what could be done was done
  kNotEverything = 2,  // done, and something is pending or failed
};

// Where a command writes. Tests give it strings, main gives it the process's own.
struct Console {
  std::ostream& out;
  std::ostream& err;
  text::ColorMode color = text::ColorMode::kNever;        // of out
  text::ColorMode error_color = text::ColorMode::kNever;  // of err
  std::string program = "berth";                          // how it was called, for commands to type next
};

struct Command {
  std::string_view name;
  std::string_view summary;  // one line, no full stop
  int (*run)(std::span<const std::string> arguments, Console& console);
};

// All commands in the order in which help lists them.
[[nodiscard]] std::span<const Command> commands();

// `berth ARGUMENTS...` without the program's name: finds the command and runs it; help, version and near names.
[[nodiscard]] int run(std::span<const std::string> arguments, Console& console);

// Runs one. An exception that escapes it becomes a sentence on err and kBadInput.
[[nodiscard]] int run(const Command& command, std::span<const std::string> arguments, Console& console);

// Parses a command's arguments. Returns nothing to do further (help was printed, or the error said) as the exit code,
// or -1 to go on. The application's footer is its example.
[[nodiscard]] int parse(CLI::App& app, std::span<const std::string> arguments, Console& console);

// "berth: MESSAGE" on err, wrapped and coloured.
void complain(Console& console, std::string_view message);

// Says each error; at most 20, then how many more.
// `excerpts`: what stands below an error, by its number.
void complain(Console& console, std::span<const Error> errors, const std::map<std::size_t, std::string>& excerpts = {});

}  // namespace berth::cli
