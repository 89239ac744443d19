// Options of every command that schedules: --config, --profile and --seed.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "api/scheduler_config.h"
#include "base/result.h"

namespace CLI {
class App;
}

namespace berth::cli {

struct SchedulingOptions {
  std::string config;
  std::string profile;
  std::uint64_t seed = 0;

  void add_to(CLI::App& app);
  // The configuration of the file, or of the named profile.
  [[nodiscard]] Result<api::SchedulerConfiguration> configuration() const;
  // What was given, as it was typed.
  [[nodiscard]] std::vector<std::string> words() const;
};

// --seed alone: a whole number of 64 bits, without a sign.
void add_seed(CLI::App& app, std::uint64_t& seed);

}  // namespace berth::cli
