// What is wrong with a command line, as a sentence that says what to write instead. CLI11 finds most of it and says it
// for programmers.
#pragma once

#include <optional>
#include <string>

namespace CLI {
class App;
class Option;
class ParseError;
}  // namespace CLI

namespace berth::cli {

// "json|wide" where the values are listed, else the name that the option gives its value.
[[nodiscard]] std::string value_name(const CLI::Option& option);

// A sentence without its full stop.
[[nodiscard]] std::string usage_error(const CLI::App& app, const CLI::ParseError& error);

// An option or a FILE that was given an empty text, as an unset variable of the shell gives it. An empty name of a file
// must not do the same as no name.
[[nodiscard]] std::optional<std::string> empty_value(const CLI::App& app);

}  // namespace berth::cli
