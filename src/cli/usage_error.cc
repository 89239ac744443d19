#include "cli/usage_error.h"

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "base/near_names.h"

namespace berth::cli {
namespace {

// The option that the message starts with, as in "--output: 1 required TEXT missing".
const CLI::Option* option_of(const CLI::App& app, std::string_view message) {
  for (const CLI::Option* option : app.get_options())
    if (message.starts_with(option->get_name() + ":")) return option;
  return nullptr;
}

// What stands between the two in the type of an option: "TEXT:{json,wide}", "N:UINT in [1 - 1024]", "FILE". Empty: they
// are not there.
std::string between(const std::string& type, std::string_view open, char close) {
  const std::size_t from = type.find(open);
  if (from == std::string::npos) return "";
  const std::size_t begin = from + open.size();
  return type.substr(begin, type.find(close, begin) - begin);
}

// "one of json, wide", "a number from 1 to 1024"; empty where the option does not say.
std::string choices(const CLI::Option& option) {
  const std::string type = option.get_type_name();
  const auto replaced = [](std::string text, std::string_view from, std::string_view to) {
    for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
      text.replace(at, from.size(), to);
    return text;
  };
  if (const std::string values = between(type, "{", '}'); !values.empty())
    return "one of " + replaced(values, ",", ", ");
  if (const std::string range = between(type, " in [", ']'); !range.empty())
    return "a whole number from " + replaced(range, " - ", " to ");
  return "";
}

// The value that the message tells of, before it tells which there are.
std::string value_in(const CLI::Option& option, std::string_view message) {
  std::string found;
  std::size_t first = std::string_view::npos;
  for (const std::string& value : option.results()) {
    const std::size_t at = message.find(value);
    if (at > first || at == std::string_view::npos || (at == first && value.size() < found.size())) continue;
    first = at;
    found = value;
  }
  return found;
}

std::string wrong_number_of_values(const CLI::Option& option) {
  const std::size_t given = option.results().size();
  if (given > 1) return fmt::format("{} is given {} times; give it once", option.get_name(), given);
  const std::string takes = choices(option);
  return fmt::format("{} needs a value behind it, {}", option.get_name(), takes.empty() ? value_name(option) : takes);
}

std::string wrong_value(const CLI::Option& option, std::string_view message) {
  if (option.get_expected_max() == 0) return fmt::format("{} takes no value; write it alone", option.get_name());
  const std::string takes = choices(option);
  return fmt::format("{} cannot be '{}'; write {}", option.get_name(), value_in(option, message),
                     takes.empty() ? "a whole number" : takes);
}

std::optional<std::string> unknown_option(const CLI::App& app) {
  for (const std::string& word : app.remaining()) {
    if (!word.starts_with('-')) continue;
    std::vector<std::string> names;
    for (const CLI::Option* option : app.get_options())
      for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
    const std::string name = word.substr(0, word.find('='));
    const std::vector<std::string> near = near_names(name, names, 1);
    return "there is no option '" + name + "'" + (near.empty() ? "" : "; near is " + near.front());
  }
  return std::nullopt;
}

// The names on both sides of the word.
std::pair<std::string, std::string> around(const std::string& message, std::string_view word) {
  const std::size_t at = std::min(message.find(word), message.size());
  return {message.substr(0, at), message.substr(std::min(at + word.size(), message.size()))};
}

}  // namespace

std::string value_name(const CLI::Option& option) {
  const std::string type = option.get_type_name();
  std::string values = between(type, "{", '}');
  if (values.empty()) return type.substr(0, type.find(':'));
  std::ranges::replace(values, ',', '|');
  return values;
}

std::string usage_error(const CLI::App& app, const CLI::ParseError& error) {
  std::string message = error.what();
  if (dynamic_cast<const CLI::RequiredError*>(&error) != nullptr) {
    // What is unknown explains what is missing: a misspelt option leaves nothing for FILE.
    return unknown_option(app).value_or(around(message, " is required").first + " is missing");
  }
  if (dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr) {
    const std::vector<std::string> rest = app.remaining();
    return unknown_option(app).value_or(
        fmt::format("'{}' is a word too many; leave it out", rest.empty() ? "" : rest.front()));
  }
  if (dynamic_cast<const CLI::ExcludesError*>(&error) != nullptr) {
    const auto [one, other] = around(message, " excludes ");
    return one + " and " + other + " exclude each other; leave one of them out";
  }
  if (dynamic_cast<const CLI::RequiresError*>(&error) != nullptr) {
    const auto [one, other] = around(message, " requires ");
    return one + " goes with " + other + " only; add that, or leave " + one + " out";
  }
  if (dynamic_cast<const CLI::ConversionError*>(&error) != nullptr) {
    // "Could not convert: --moves = many"
    static constexpr std::string_view kStart = "Could not convert: ";
    const std::string name = around(message.substr(std::min(kStart.size(), message.size())), " = ").first;
    for (const CLI::Option* option : app.get_options())
      if (option->get_name() == name) return wrong_value(*option, message);
  }
  const CLI::Option* option = option_of(app, message);
  if (option == nullptr) return message;
  if (dynamic_cast<const CLI::ArgumentMismatch*>(&error) != nullptr) return wrong_number_of_values(*option);
  // Checks of our own are sentences already.
  return choices(*option).empty() ? message : wrong_value(*option, message);
}

std::optional<std::string> empty_value(const CLI::App& app) {
  for (const CLI::Option* option : app.get_options()) {
    if (std::ranges::find(option->results(), std::string()) == option->results().end()) continue;
    if (!option->get_positional())
      return option->get_name() + " is given an empty value; name one, or leave " + option->get_name() + " out";
    if (option->get_expected_max() > 1) return option->get_name() + " is given an empty name; name a file";
  }
  return std::nullopt;
}

}  // namespace berth::cli
