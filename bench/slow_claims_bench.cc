// Claims over which a search without bounds goes through all combinations: how long one answer takes, from the objects
// to the reason, in both modes. Each has to end in under 10 ms: a slower one is an error, and the program fails.
//
//   build/release/slow_claims_bench
//   build/release/slow_claims_bench --benchmark_filter=Once    each once, for bench/baselines
#include <benchmark/benchmark.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <ctime>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "api/load.h"
#include "sim/allocate/allocate.h"

namespace berth {
namespace {

// --- Objects --------------------------------------------------------------------------------------------------------

std::string slice(std::string_view name, int slices, std::string_view content) {
  return fmt::format(
      "---\n{{apiVersion: resource.k8s.io/v1, kind: ResourceSlice, metadata: {{name: {}}}, spec: {{driver: "
      "gpu.example.com, nodeName: n1, pool: {{name: n1, generation: 1, resourceSliceCount: {}}}, {}}}}}\n",
      name, slices, content);
}

std::string device_class() {
  return "---\n{apiVersion: resource.k8s.io/v1, kind: DeviceClass, metadata: {name: gpu}, spec: {selectors: [{cel: "
         "{expression: \"device.driver == 'gpu.example.com'\"}}]}}\n";
}

// So many devices that can be shared, of 10Gi; shares of 1Gi of the first `used` of them are in use. The last device is
// of another kind than the others.
std::string shared_devices(int count, int used) {
  std::string list;
  std::string claims;
  for (int i = 0; i < count; ++i) {
    list += fmt::format(
        "{}{{name: d-{}, allowMultipleAllocations: true, capacity: {{memory: {{value: 10Gi}}}}, attributes: {{root: "
        "{{string: {}}}}}}}",
        i == 0 ? "" : ", ", i, i + 1 == count ? "other" : "same");
    if (i >= used) continue;
    claims += fmt::format(
        "---\n{{apiVersion: resource.k8s.io/v1, kind: ResourceClaim, metadata: {{name: h{0}, namespace: x}}, spec: "
        "{{devices: {{requests: [{{name: r, exactly: {{deviceClassName: gpu}}}}]}}}}, status: {{allocation: {{devices: "
        "{{results: [{{request: r, driver: gpu.example.com, pool: n1, device: d-{0}, shareID: "
        "00000000-0000-4000-8000-0000000000{0:02}, consumedCapacity: {{memory: 1Gi}}}}]}}}}}}}}\n",
        i);
  }
  return device_class() + slice("devices", 1, "devices: [" + list + "]") + claims;
}

// So many equal devices, of which the first `taken` are in use, with `values` values of the attribute root in turn.
std::string devices(int count, int values, int taken = 0) {
  std::string list;
  std::string claims;
  for (int i = 0; i < count; ++i)
    list += fmt::format("{}{{name: d-{}, attributes: {{root: {{string: r-{}}}}}}}", i == 0 ? "" : ", ", i, i % values);
  for (int i = 0; i < taken; ++i)
    claims += fmt::format(
        "---\n{{apiVersion: resource.k8s.io/v1, kind: ResourceClaim, metadata: {{name: h{0}, namespace: x}}, spec: "
        "{{devices: {{requests: [{{name: r, exactly: {{deviceClassName: gpu}}}}]}}}}, status: {{allocation: {{devices: "
        "{{results: [{{request: r, driver: gpu.example.com, pool: n1, device: d-{0}}}]}}}}}}}}\n",
        i);
  return device_class() + slice("devices", 1, "devices: [" + list + "]") + claims;
}

struct Profile {
  std::string_view name;
  std::vector<int> starts;
  int size;
};

// Eight cards of eight memory slices, all partitions published.
std::string cards() {
  static const std::vector<Profile> kProfiles = {{"1g", {0, 1, 2, 3, 4, 5, 6}, 1},
                                                 {"1g2", {0, 2, 4, 6}, 2},
                                                 {"2g", {0, 2, 4}, 2},
                                                 {"3g", {0, 4}, 4},
                                                 {"4g", {0}, 4},
                                                 {"7g", {0}, 8}};
  std::string sets;
  std::string text = device_class();
  for (int card = 0; card < 8; ++card) {
    std::string counters;
    std::string list;
    for (int i = 0; i < 8; ++i) counters += fmt::format("{}slice-{}: {{value: 1}}", i == 0 ? "" : ", ", i);
    sets += fmt::format("{}{{name: card-{}, counters: {{{}}}}}", card == 0 ? "" : ", ", card, counters);
    for (const Profile& profile : kProfiles) {
      for (const int start : profile.starts) {
        std::string used;
        for (int i = start; i < start + profile.size; ++i)
          used += fmt::format("{}slice-{}: {{value: 1}}", i == start ? "" : ", ", i);
        list += fmt::format(
            "{}{{name: card-{}-{}-{}, attributes: {{profile: {{string: {}}}}}, consumesCounters: [{{counterSet: "
            "card-{}, "
            "counters: {{{}}}}}]}}",
            list.empty() ? "" : ", ", card, profile.name, start, profile.name, card, used);
      }
    }
    text += slice(fmt::format("card-{}", card), 9, "devices: [" + list + "]");
  }
  return text + slice("counters", 9, "sharedCounters: [" + sets + "]");
}

std::string exactly(int count, std::string_view profile = "") {
  const std::string selector =
      profile.empty() ? ""
                      : fmt::format(
                            ", selectors: [{{cel: {{expression: \"device.attributes['gpu.example.com'].profile == "
                            "'{}'\"}}}}]",
                            profile);
  return fmt::format("deviceClassName: gpu, count: {}{}", count, selector);
}

std::string request(int number, const std::string& what) {
  return fmt::format("{{name: r{}, exactly: {{{}}}}}", number, what);
}

std::string first_available(int number, const std::vector<std::string>& alternatives) {
  std::string list;
  for (std::size_t i = 0; i < alternatives.size(); ++i)
    list += fmt::format("{}{{name: a{}, {}}}", i == 0 ? "" : ", ", i, alternatives[i]);
  return fmt::format("{{name: r{}, firstAvailable: [{}]}}", number, list);
}

std::string claim(int number, const std::vector<std::string>& requests, std::string_view constraint = "") {
  std::string list;
  for (const std::string& one : requests) list += (list.empty() ? "" : ", ") + one;
  return fmt::format(
      "---\n{{apiVersion: resource.k8s.io/v1, kind: ResourceClaim, metadata: {{name: c{}, namespace: x}}, "
      "spec: {{devices: {{requests: [{}]{}}}}}}}\n",
      number, list, constraint.empty() ? "" : fmt::format(", constraints: [{{{}: gpu.example.com/root}}]", constraint));
}

// A share of 6Gi.
std::string share(std::string_view root = "") {
  const std::string selector =
      root.empty()
          ? ""
          : fmt::format(", selectors: [{{cel: {{expression: \"device.attributes['gpu.example.com'].root == '{}'\"}}}}]",
                        root);
  return "deviceClassName: gpu, capacity: {requests: {memory: 6Gi}}" + selector;
}

std::vector<std::string> requests(int count, const std::string& what) {
  std::vector<std::string> all;
  for (int i = 0; i < count; ++i) all.push_back(request(i, what));
  return all;
}

struct Case {
  std::string name;
  std::string text;
};

std::vector<Case> cases() {
  std::vector<Case> all;
  all.push_back({"count of 16 and 16 of 32 equal devices, one more in the next claim",
                 devices(32, 8) + claim(0, {request(0, exactly(16)), request(1, exactly(16))}) +
                     claim(1, {request(0, exactly(1))})});
  all.push_back({"16 requests over 15 devices", devices(15, 15) + claim(0, requests(16, exactly(1)))});
  all.push_back({"16 requests over 15 values, distinctAttribute",
                 devices(120, 15) + claim(0, requests(16, exactly(1)), "distinctAttribute")});
  all.push_back({"two counts of 8 over 15 values, distinctAttribute",
                 devices(120, 15) + claim(0, requests(2, exactly(8)), "distinctAttribute")});
  all.push_back({"5 alike where 32 groups have 4, matchAttribute",
                 devices(128, 32) + claim(0, {request(0, exactly(5))}, "matchAttribute")});
  all.push_back({"two requests of 3 alike where 32 groups have 4, matchAttribute",
                 devices(128, 32) + claim(0, requests(2, exactly(3)), "matchAttribute")});
  const std::vector<std::string> many = {exactly(32), exactly(16)};
  all.push_back({"two first available of 32 or 16 over 31 devices",
                 devices(31, 4) + claim(0, {first_available(0, many)}) + claim(1, {first_available(0, many)})});
  all.push_back({"57 partitions of any size where 56 are possible",
                 cards() + claim(0, {request(0, exactly(29))}) + claim(1, {request(0, exactly(28))})});
  std::string text = cards();
  for (int i = 0; i < 17; ++i) text += claim(i, {first_available(0, {exactly(1, "7g"), exactly(1, "3g")})});
  all.push_back({"17 first available of 7g or 3g where 16 are possible", std::move(text)});
  text = cards();
  for (int i = 0; i < 9; ++i)
    text += claim(i, {request(0, exactly(1, "3g")), request(1, exactly(1, "2g")), request(2, exactly(1, "1g2"))});
  all.push_back({"nine claims of 3g, 2g and 1g2 where eight are possible", std::move(text)});
  text = cards();
  for (int i = 0; i < 8; ++i)
    text += claim(i, {request(0, exactly(1, "3g")), request(1, exactly(1, "2g")), request(2, exactly(1, "1g2"))});
  all.push_back({"eight of them", std::move(text)});
  all.push_back(
      {"9 shares of more than half over 8 devices in use", shared_devices(8, 8) + claim(0, requests(9, share()))});
  std::vector<std::string> shares = {request(0, share())};
  for (int i = 1; i < 9; ++i) shares.push_back(request(i, share("same")));
  all.push_back(
      {"one share of any device and 8 of the 8 that are alike, all in use", shared_devices(9, 8) + claim(0, shares)});
  all.push_back(
      {"17 requests over 32 devices, 16 of them in use", devices(32, 32, 16) + claim(0, requests(17, exactly(1)))});
  all.push_back({"two requests of 3 alike where each of 32 groups has 2 of 4 free, matchAttribute",
                 devices(128, 32, 64) + claim(0, requests(2, exactly(3)), "matchAttribute")});
  return all;
}

// --- Timing ---------------------------------------------------------------------------------------------------------

constexpr std::clock_t kMost = CLOCKS_PER_SEC / 100;  // of CPU, as machines that measure are not always idle
bool too_slow = false;

const std::vector<Case>& all_cases() {
  static const std::vector<Case> kCases = cases();
  return kCases;
}

void answer(benchmark::State& state, const Case& one, engine::devices::Mode mode, bool limited) {
  const api::Loaded loaded = api::load_text(one.text, "case");
  if (!loaded.errors.empty()) {
    state.SkipWithError(loaded.errors.front().to_string().c_str());
    return;
  }
  std::uint64_t steps = 0;
  std::string_view reason;
  std::clock_t fastest = std::numeric_limits<std::clock_t>::max();
  for (auto _ : state) {
    const std::clock_t start = std::clock();
    const sim::AllocationAnswer answer = sim::allocate_claims(loaded.objects, {.mode = mode, .node = "n1"});
    fastest = std::min(fastest, std::clock() - start);
    steps = answer.steps;
    reason = answer.outcome == sim::AllocationOutcome::kAllocated ? "Allocated" : name_of(answer.reason.reason);
  }
  state.counters["steps"] = static_cast<double>(steps);
  state.SetLabel(
      fmt::format("{}, {}: {}", mode == engine::devices::Mode::kStrict ? "strict" : "best", one.name, reason));
  if (!limited || fastest < kMost) return;
  too_slow = true;
  state.SkipWithError("it took more than 10 ms");
}

void Answer(benchmark::State& state) {
  answer(state, all_cases().at(static_cast<std::size_t>(state.range(0))),
         state.range(1) == 0 ? engine::devices::Mode::kStrict : engine::devices::Mode::kBest, true);
}

// Under callgrind, which knows no time.
void Once(benchmark::State& state) {
  answer(state, all_cases().at(static_cast<std::size_t>(state.range(0))),
         state.range(1) == 0 ? engine::devices::Mode::kStrict : engine::devices::Mode::kBest, false);
}

BENCHMARK(Answer)
    ->ArgNames({"case", "best"})
    ->ArgsProduct({benchmark::CreateDenseRange(0, 14, 1), {0, 1}})
    ->Unit(benchmark::kMillisecond);
BENCHMARK(Once)
    ->ArgNames({"case", "best"})
    ->ArgsProduct({benchmark::CreateDenseRange(0, 14, 1), {0, 1}})
    ->Unit(benchmark::kMillisecond)
    ->Iterations(1);

}  // namespace
}  // namespace berth

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return EXIT_FAILURE;
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return berth::too_slow ? EXIT_FAILURE : EXIT_SUCCESS;
}
