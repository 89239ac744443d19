#include "cli/scheduling_options.h"

#include <CLI/CLI.hpp>

#include "base/whole_number.h"
#include "text/input.h"

namespace berth::cli {

void SchedulingOptions::add_to(CLI::App& app) {
  auto* file =
      app.add_option("--config", config, "a KubeSchedulerConfiguration or volcano-scheduler.conf to schedule with")
          ->type_name("FILE");
  app.add_option("--profile", profile, "berth (GPUs by what they are worth to those to come) or kube-default")
      ->check(CLI::IsMember({"berth", "kube-default"}))
      ->excludes(file);
  add_seed(app, seed);
}

void add_seed(CLI::App& app, std::uint64_t& seed) {
  const auto read = [&seed](const std::string& text) {
    const auto number = whole_number<std::uint64_t>(text);
    if (!number) throw CLI::ValidationError("--seed", "'" + text + "' is not a whole number from 0 to 2^64-1");
    seed = *number;
  };
  app.add_option_function<std::string>("--seed", read, "draws the order of nodes with equal scores; 0 if not given")
      ->type_name("N");
}

Result<api::SchedulerConfiguration> SchedulingOptions::configuration() const {
  if (config.empty())
    return api::SchedulerConfiguration{
        {profile == "kube-default" ? api::kube_default_profile() : api::berth_default_profile()}};
  BERTH_TRY(const std::string yaml, text::read_file(config));
  return api::parse_scheduler_configuration(yaml, config);
}

std::vector<std::string> SchedulingOptions::words() const {
  std::vector<std::string> out;
  if (!config.empty()) out.insert(out.end(), {"--config", config});
  if (!profile.empty()) out.insert(out.end(), {"--profile", profile});
  if (seed != 0) out.insert(out.end(), {"--seed", std::to_string(seed)});
  return out;
}

}  // namespace berth::cli
