// How fast claims are decided, in the whole engine, on one core; and how a large inventory of devices is read.
//
//   build/release/dra_bench                                   all rows
//   build/release/dra_bench --benchmark_filter=Partitions     reading and MIG claims
//
// Templates: nodes of 8 GPUs (and 8 network cards), a pod per GPU with a claim from a template that has a selector and
// matchAttribute. Partitions: nodes of 8 H100 as NVIDIA's driver publishes them with dynamic MIG, 26 devices a card,
// read as compact JSON; then pods with claims for mixed profiles. Timed are the engine's steps alone; reading is a
// counter.
#include <sys/resource.h>

#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "api/load.h"
#include "api/scheduler_config.h"
#include "sim/cluster.h"
#include "text/byte_source.h"

namespace berth {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

std::string node_json(int number) {
  return fmt::format(
      R"({{"apiVersion":"v1","kind":"Node","metadata":{{"name":"n{0}","labels":{{"kubernetes.io/hostname":"n{0}"}}}},)"
      R"("status":{{"allocatable":{{"cpu":"128","memory":"1Ti","pods":"110"}}}}}})",
      number);
}

std::string class_json(const std::string& name, const std::string& expression) {
  return fmt::format(R"({{"apiVersion":"resource.k8s.io/v1","kind":"DeviceClass","metadata":{{"name":"{}"}},)"
                     R"("spec":{{"selectors":[{{"cel":{{"expression":"{}"}}}}]}}}})",
                     name, expression);
}

std::string template_json(const std::string& name, const std::string& devices) {
  return fmt::format(R"({{"apiVersion":"resource.k8s.io/v1","kind":"ResourceClaimTemplate","metadata":{{"name":"{}",)"
                     R"("namespace":"lab"}},"spec":{{"spec":{{"devices":{{{}}}}}}}}})",
                     name, devices);
}

std::string pod_json(int number, const std::string& from) {
  return fmt::format(R"({{"apiVersion":"v1","kind":"Pod","metadata":{{"name":"p{}","namespace":"lab"}},"spec":{{)"
                     R"("resourceClaims":[{{"name":"c","resourceClaimTemplateName":"{}"}}],"containers":[{{"name":"m",)"
                     R"("image":"i","resources":{{"requests":{{"cpu":"1"}},"claims":[{{"name":"c"}}]}}}}]}}}})",
                     number, from);
}

// A list that is made while it is read: it never lies in memory as a whole.
class ListSource final : public text::ByteSource {
 public:
  explicit ListSource(std::function<std::string(int)> item, int items) : item_(std::move(item)), items_(items) {}

  Result<std::size_t> read(std::span<char> buffer) override {
    while (at_ == text_.size() && next_ <= items_ + 1) {
      text_ = next_ == 0 ? R"({"apiVersion":"v1","kind":"List","items":[)" : next_ > items_ ? "]}" : item_(next_ - 1);
      if (next_ > 0 && next_ < items_) text_ += ',';
      at_ = 0;
      ++next_;
    }
    const std::size_t count = std::min(buffer.size(), text_.size() - at_);
    std::memcpy(buffer.data(), text_.data() + at_, count);
    at_ += count;
    bytes_ += count;
    return count;
  }
  [[nodiscard]] std::size_t bytes() const { return bytes_; }

 private:
  std::function<std::string(int)> item_;
  int items_;
  int next_ = 0;
  std::string text_;
  std::size_t at_ = 0;
  std::size_t bytes_ = 0;
};

void load_items(api::Loader& loader, const std::vector<std::string>& items) {
  ListSource source([&](int number) { return items[static_cast<std::size_t>(number)]; },
                    static_cast<int>(items.size()));
  loader.load_source(source, "objects");
}

// Decides about everything that is pending, and reports.
void decide(benchmark::State& state, api::Loaded loaded) {
  if (!loaded.errors.empty()) {
    state.SkipWithError(loaded.errors.front().to_string().c_str());
    return;
  }
  std::int64_t placed = 0;
  std::size_t pending = 0;
  double translated = 0;
  for (auto _ : state) {
    state.PauseTiming();
    const auto start = Clock::now();
    sim::Cluster cluster(std::move(loaded.objects), {{api::berth_default_profile()}});
    cluster.load(0);
    translated = seconds_since(start);
    state.ResumeTiming();
    const engine::StepResult result = cluster.engine().step({}, 0);
    placed += static_cast<std::int64_t>(result.decisions.size());
    pending = result.pending.size();
  }
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  state.SetItemsProcessed(placed);  // decisions per second
  state.counters["placed"] = static_cast<double>(placed);
  state.counters["pending"] = static_cast<double>(pending);
  state.counters["translate_s"] = translated;
  state.counters["peak_MB"] = static_cast<double>(usage.ru_maxrss) / 1024;
}

// --- Whole cards ----------------------------------------------------------------------------------------------------

std::string plain_slice(int node, const std::string& driver, const std::string& device, const std::string& attributes) {
  std::string devices;
  for (int i = 0; i < 8; ++i)
    devices += fmt::format(
        R"({}{{"name":"{}-{}","attributes":{{{},"uuid":{{"string":"{}-{}-{}"}},)"
        R"("resource.kubernetes.io/pcieRoot":{{"string":"pci{}"}}}},"capacity":{{"memory":{{"value":"80Gi"}}}}}})",
        i == 0 ? "" : ",", device, i, attributes, device, node, i, i);
  return fmt::format(
      R"({{"apiVersion":"resource.k8s.io/v1","kind":"ResourceSlice","metadata":{{"name":"n{0}-{1}"}},"spec":{{)"
      R"("driver":"{1}","nodeName":"n{0}","pool":{{"name":"n{0}","generation":1,"resourceSliceCount":1}},)"
      R"("devices":[{2}]}}}})",
      node, driver, devices);
}

// nodes, pods, network cards: a claim wants a GPU, and with them a network card at the same PCIe root.
void Templates(benchmark::State& state) {
  const auto nodes = static_cast<int>(state.range(0));
  const auto pods = static_cast<int>(state.range(1));
  const bool cards = state.range(2) != 0;
  std::vector<std::string> items = {class_json("gpu", "device.driver == 'gpu.example.com'"),
                                    class_json("nic", "device.driver == 'nic.example.com'")};
  const std::string gpu = R"({"name":"g","exactly":{"deviceClassName":"gpu","selectors":[{"cel":{"expression":)"
                          R"("device.attributes['gpu.example.com'].model == 'h100'"}}]}})";
  const std::string nic = R"(,{"name":"n","exactly":{"deviceClassName":"nic"}})";
  items.push_back(
      template_json("one", R"("requests":[)" + gpu + (cards ? nic : "") +
                               R"(],"constraints":[{"matchAttribute":"resource.kubernetes.io/pcieRoot"}])"));
  for (int i = 0; i < nodes; ++i) {
    items.push_back(node_json(i));
    items.push_back(plain_slice(i, "gpu.example.com", "gpu", R"("model":{"string":"h100"})"));
    if (cards) items.push_back(plain_slice(i, "nic.example.com", "nic", R"("speed":{"int":400})"));
  }
  for (int i = 0; i < pods; ++i) items.push_back(pod_json(i, "one"));
  api::Loader loader;
  load_items(loader, items);
  decide(state, std::move(loader).finish());
}

// --- Partitions -----------------------------------------------------------------------------------------------------

struct Profile {
  const char* name;
  const char* suffix;
  std::vector<int> starts;
  int size;
  int multiprocessors;
  int memory;
  int engines;
};

const std::vector<Profile>& profiles() {
  static const std::vector<Profile> kAll = {{"1g.10gb", "1g10gb-19", {0, 1, 2, 3, 4, 5, 6}, 1, 16, 10240, 0},
                                            {"1g.10gb+me", "1g10gb-me-20", {0, 1, 2, 3, 4, 5, 6}, 1, 16, 10240, 1},
                                            {"1g.20gb", "1g20gb-15", {0, 2, 4, 6}, 2, 26, 20480, 0},
                                            {"2g.20gb", "2g20gb-14", {0, 2, 4}, 2, 32, 20480, 0},
                                            {"3g.40gb", "3g40gb-9", {0, 4}, 4, 60, 40960, 0},
                                            {"4g.40gb", "4g40gb-5", {0}, 4, 64, 40960, 0},
                                            {"7g.80gb", "7g80gb-0", {0}, 8, 132, 81920, 1}};
  return kAll;
}

std::string counters(int multiprocessors, int memory, int engines, int start, int size) {
  std::string out =
      fmt::format(R"("multiprocessors":{{"value":"{}"}},"memory":{{"value":"{}Mi"}},"jpeg-engines":{{"value":"{}"}})",
                  multiprocessors, memory, engines);
  for (int i = start; i < start + size; ++i) out += fmt::format(R"(,"memory-slice-{}":{{"value":"1"}})", i);
  return out;
}

std::string partition(int node, int card, const std::string& name, const std::string& type, const std::string& use,
                      int memory) {
  return fmt::format(
      R"({{"name":"{0}","attributes":{{{1},"productName":{{"string":"NVIDIA H100 80GB HBM3"}},"architecture":{{"string":"Hopper"}},)"
      R"("brand":{{"string":"Nvidia"}},"cudaComputeCapability":{{"version":"9.0.0"}},"cudaDriverVersion":{{"version":"13.0.0"}},)"
      R"("driverVersion":{{"version":"580.126.20"}},"parentUUID":{{"string":"GPU-{2}-{3}"}},)"
      R"("resource.kubernetes.io/pciBusID":{{"string":"0000:{3}5:00.0"}},"resource.kubernetes.io/pcieRoot":{{"string":"pci0000:{3}4"}}}},)"
      R"("capacity":{{"memory":{{"value":"{4}Mi"}}}},"consumesCounters":[{{"counterSet":"gpu-{3}-counter-set","counters":{{{5}}}}}]}})",
      name, type, node, card, memory, use);
}

std::string card_slice(int node, int card) {
  std::string devices = partition(node, card, fmt::format("gpu-{}", card), R"("type":{"string":"gpu"})",
                                  counters(132, 81920, 1, 0, 8), 81920);
  for (const Profile& profile : profiles()) {
    for (const int start : profile.starts) {
      devices +=
          ',' + partition(node, card, fmt::format("gpu-{}-mig-{}-{}", card, profile.suffix, start),
                          fmt::format(R"("type":{{"string":"mig"}},"profile":{{"string":"{}"}})", profile.name),
                          counters(profile.multiprocessors, profile.memory, profile.engines, start, profile.size),
                          profile.memory);
    }
  }
  return devices;
}

// Item 0 of a node is itself, 1 its counter sets, 2 to 9 its cards.
std::string partition_item(int number) {
  const int node = number / 10;
  const int part = number % 10;
  if (part == 0) return node_json(node);
  std::string content;
  if (part == 1) {
    for (int card = 0; card < 8; ++card)
      content += fmt::format(R"({}{{"name":"gpu-{}-counter-set","counters":{{{}}}}})", card == 0 ? "" : ",", card,
                             counters(132, 81920, 1, 0, 8));
  } else {
    content = card_slice(node, part - 2);
  }
  return fmt::format(
      R"({{"apiVersion":"resource.k8s.io/v1","kind":"ResourceSlice","metadata":{{"name":"n{0}-{1}"}},"spec":{{)"
      R"("driver":"gpu.nvidia.com","nodeName":"n{0}","pool":{{"name":"n{0}","generation":1,"resourceSliceCount":9}},)"
      R"("{2}":[{3}]}}}})",
      node, part, part == 1 ? "sharedCounters" : "devices", content);
}

void Partitions(benchmark::State& state) {
  const auto nodes = static_cast<int>(state.range(0));
  const auto pods = static_cast<int>(state.range(1));
  std::vector<std::string> items = {
      class_json("mig", "device.driver == 'gpu.nvidia.com' && device.attributes['gpu.nvidia.com'].type == 'mig'")};
  for (std::size_t i = 0; i < profiles().size(); ++i) {
    items.push_back(template_json(
        fmt::format("t{}", i),
        fmt::format(
            R"("requests":[{{"name":"r","exactly":{{"deviceClassName":"mig","selectors":[{{"cel":{{"expression":)"
            R"("device.attributes['gpu.nvidia.com'].profile == '{}'"}}}}]}}}}])",
            profiles()[i].name)));
  }
  // Of ten claims four are 1g, two 1g with twice the memory, two 2g, one 3g, one 4g.
  static constexpr int kMix[] = {0, 3, 0, 2, 4, 0, 3, 5, 0, 2};
  for (int i = 0; i < pods; ++i) items.push_back(pod_json(i, fmt::format("t{}", kMix[i % 10])));
  api::Loader loader;
  ListSource source(partition_item, nodes * 10);
  const auto start = Clock::now();
  loader.load_source(source, "slices");
  const double read = seconds_since(start);
  load_items(loader, items);
  decide(state, std::move(loader).finish());
  state.counters["read_s"] = read;
  state.counters["read_MB"] = static_cast<double>(source.bytes()) / 1e6;
}

BENCHMARK(Templates)
    ->ArgNames({"nodes", "pods", "cards"})
    ->Args({500, 4000, 0})
    ->Args({500, 4000, 1})
    ->Args({5000, 4000, 0})
    ->Args({50, 400, 1})  // for bench/baselines
    ->Unit(benchmark::kMillisecond)
    ->Iterations(1);
BENCHMARK(Partitions)
    ->ArgNames({"nodes", "pods"})
    ->Args({500, 10000})
    ->Args({5000, 10000})
    ->Args({20, 400})  // for bench/baselines
    ->Unit(benchmark::kMillisecond)
    ->Iterations(1);

}  // namespace
}  // namespace berth

BENCHMARK_MAIN();
