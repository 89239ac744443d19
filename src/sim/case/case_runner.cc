#include "sim/case/case_runner.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "api/scheduler_config.h"
#include "sim/case/expectations.h"
#include "sim/case/never.h"
#include "sim/case/simulation.h"
#include "sim/case/spoken.h"

namespace berth::sim {
namespace {

Result<api::SchedulerConfiguration> configuration_of(const CaseFile& file) {
  if (!file.configuration.empty()) return api::parse_scheduler_configuration(file.configuration, file.file);
  if (file.profile == "kube-default") return api::SchedulerConfiguration{{api::kube_default_profile()}};
  if (file.profile.empty() || file.profile == "berth")
    return api::SchedulerConfiguration{{api::berth_default_profile()}};
  Place place;
  place.file = file.file;
  place.field = "config.profile";
  return fail(ErrorCode::kInvalid,
              fmt::format("there is no profile {}; profiles are berth and kube-default.", file.profile),
              std::move(place));
}

struct Watch {
  std::string sentence;
  NeverCheck check;
  bool came_true = false;
};

}  // namespace

Result<CaseResult> run_case(std::string_view text, std::string_view file_name, std::uint64_t seed) {
  BERTH_TRY(const CaseFile file, parse_case_file(text, file_name));
  CaseResult result;
  result.file = file.file;
  result.name = file.name;
  result.title = file.title;
  result.not_spoken = not_spoken(file);
  if (!result.not_spoken.empty()) {
    result.outcome = CaseResult::Outcome::kNotSpoken;
    return result;
  }

  BERTH_TRY(api::SchedulerConfiguration configuration, configuration_of(file));
  std::vector<Watch> watches;
  for (const std::string& sentence : file.never) {
    if (auto check = understand_never(sentence))
      watches.push_back({sentence, *std::move(check)});
    else
      result.unchecked.push_back(sentence);
  }

  Simulation simulation(file, std::move(configuration), seed);
  BERTH_TRY_VOID(simulation.run([&](std::int64_t now, const Moment& moment) {
    for (Watch& watch : watches) {
      if (watch.came_true) continue;
      if (const auto found = watch.check(moment)) {
        watch.came_true = true;
        result.failures.push_back(fmt::format("at {}: never '{}', but {}", now, watch.sentence, *found));
      }
    }
  }));
  for (std::string& line : simulation.unchecked()) result.unchecked.push_back(std::move(line));
  for (const std::string& violation : simulation.violations()) result.failures.push_back(violation);
  for (const Expectation& expectation : file.expect) {
    CheckResult check = check_expectation(expectation, simulation);
    std::ranges::move(check.failures, std::back_inserter(result.failures));
    std::ranges::move(check.explanations, std::back_inserter(result.explanations));
  }
  if (!result.failures.empty()) result.outcome = CaseResult::Outcome::kFailed;
  return result;
}

}  // namespace berth::sim
