#include "sim/mixed/objects.h"

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "api/load.h"

namespace berth::sim::mixed {
namespace {

constexpr std::string_view kDriver = "gpu.nvidia.com";

std::string counters(int multiprocessors, mig::Mask slices) {
  std::string out = fmt::format("multiprocessors: {{value: \"{}\"}}", multiprocessors);
  for (int slice = 0; slice < mig::kSlices; ++slice) {
    if ((slices >> slice & 1) != 0) out += fmt::format(", memory-slice-{}: {{value: \"1\"}}", slice);
  }
  return out;
}

std::string partition_name(std::size_t profile, Card product, int card, int start) {
  std::string name(profile_name(profile, product));
  std::erase(name, '.');
  return fmt::format("gpu-{}-mig-{}-{}", card, name, start);
}

std::string consumes(int card, int multiprocessors, mig::Mask slices) {
  return fmt::format("consumesCounters: [{{counterSet: gpu-{}, counters: {{{}}}}}]", card,
                     counters(multiprocessors, slices));
}

// All of the card that nobody asks less of.
std::string capacity(std::string_view name, std::string_view unit, int all) {
  return fmt::format(
      "{0}: {{value: \"{2}{1}\", requestPolicy: {{default: \"{2}{1}\", validRange: {{min: \"1{1}\", step: "
      "\"1{1}\"}}}}}}",
      name, unit, all);
}

std::string card_device(Card product, int card) {
  const int all = mig::multiprocessors(product);
  return fmt::format(
      "  - {{name: gpu-{}, allowMultipleAllocations: true, attributes: {{type: {{string: gpu}}, product: {{string: "
      "{}}}}}, "
      "capacity: {{{}, {}}}, {}}}\n",
      card, mig::name_of(product), capacity("memory", "Gi", memory_gib(product)), capacity("multiprocessors", "", all),
      consumes(card, all, mig::profiles().back().mask(0)));
}

// In the order of their names.
std::string partition_devices(Card product, int card) {
  std::vector<std::pair<std::string, std::string>> devices;
  for (std::size_t p = 0; p < mig::kProfiles; ++p) {
    const mig::Profile& profile = mig::profiles()[p];
    for (const int start : profile.starts) {
      std::string name = partition_name(p, product, card, start);
      std::string device = fmt::format(
          "  - {{name: {}, attributes: {{type: {{string: mig}}, product: {{string: {}}}, profile: {{string: {}}}}}, "
          "capacity: {{memory: {{value: {}Gi}}}}, {}}}\n",
          name, mig::name_of(product), profile_name(p, product), memory_gib(product) * profile.slices / mig::kSlices,
          consumes(card, profile.multiprocessors[static_cast<std::size_t>(product)], profile.mask(start)));
      devices.emplace_back(std::move(name), std::move(device));
    }
  }
  std::ranges::sort(devices);
  std::string out;
  for (const auto& [name, device] : devices) out += device;
  return out;
}

std::string slice(const std::string& node, int number, int slices, std::string_view content) {
  return fmt::format(
      "---\napiVersion: resource.k8s.io/v1\nkind: ResourceSlice\nmetadata: {{name: {0}-{1}}}\nspec:\n  driver: {2}\n"
      "  nodeName: {0}\n  pool: {{name: {0}, generation: 1, resourceSliceCount: {3}}}\n{4}",
      node, number, kDriver, slices, content);
}

std::string node_yaml(const Layout& layout, int number) {
  const Card product = layout.product_of(number);
  const std::string node = node_name(layout, number);
  std::string out = fmt::format(
      "---\napiVersion: v1\nkind: Node\nmetadata: {{name: {0}, labels: {{kubernetes.io/hostname: {0}}}}}\n"
      "status: {{allocatable: {{cpu: \"128\", memory: 1Ti, pods: \"250\"}}}}\n",
      node);
  const int slices = 2 * layout.per_node;
  for (int card = 0; card < layout.per_node; ++card) {
    out += slice(node, 2 * card, slices,
                 fmt::format("  sharedCounters:\n  - {{name: gpu-{}, counters: {{{}}}}}\n", card,
                             counters(mig::multiprocessors(product), mig::profiles().back().mask(0))));
    out += slice(node, 2 * card + 1, slices,
                 "  devices:\n" + card_device(product, card) + partition_devices(product, card));
  }
  return out;
}

std::string selector(const Ask& ask) {
  const std::string of = fmt::format("device.attributes['{}']", kDriver);
  if (ask.kind != Kind::kPartition)
    return fmt::format("{0}.type == 'gpu'{1}", of, ask.h100_only ? " && " + of + ".product == 'h100'" : "");
  std::string either;
  for (const Card product : kProducts) {
    if (!ask.served_by(product)) continue;
    either +=
        fmt::format("{}{}.product == '{}' && {}.profile == '{}'", either.empty() ? "" : " || ", of,
                    mig::name_of(product), of, profile_name(*ask.profile[static_cast<std::size_t>(product)], product));
  }
  return fmt::format("{}.type == 'mig' && ({})", of, either);
}

std::string ask_yaml(const Ask& ask) {
  const std::string amounts = ask.kind == Kind::kShare
                                  ? fmt::format(", capacity: {{requests: {{memory: {}Gi, multiprocessors: \"{}\"}}}}",
                                                ask.memory, ask.multiprocessors)
                                  : std::string();
  const bool whole = ask.kind == Kind::kCard || ask.kind == Kind::kCards;
  return fmt::format(
      "---\napiVersion: resource.k8s.io/v1\nkind: DeviceClass\nmetadata: {{name: {0}}}\n"
      "spec: {{selectors: [{{cel: {{expression: \"{1}\"}}}}]}}\n"
      "---\napiVersion: resource.k8s.io/v1\nkind: ResourceClaimTemplate\nmetadata: {{name: {0}, namespace: lab}}\n"
      "spec: {{spec: {{devices: {{requests: [{{name: gpu, exactly: {{deviceClassName: {0}, count: {2}{3}}}}}]}}}}}}\n"
      "---\napiVersion: v1\nkind: Pod\nmetadata: {{name: {0}, namespace: lab}}\n"
      "spec:\n  resourceClaims: [{{name: gpu, resourceClaimTemplateName: {0}}}]\n  containers:\n"
      "  - {{name: main, image: main, resources: {{requests: {{cpu: \"{4}\", memory: 4Gi}}, claims: [{{name: "
      "gpu}}]}}}}\n",
      ask.name, selector(ask), ask.cards, amounts, whole ? 8 * ask.cards : 1);
}

}  // namespace

std::string node_name(const Layout& layout, int node) {
  const Card product = layout.product_of(node);
  return fmt::format("{}-{}", mig::name_of(product), product == Card::kA100 ? node : node - layout.a100_nodes);
}

std::string device_name(const Layout& layout, const Ask& ask, const Piece& piece) {
  const int card = piece.card % layout.per_node;
  if (ask.kind != Kind::kPartition) return fmt::format("gpu-{}", card);
  const Card product = layout.product_of(piece.card / layout.per_node);
  return partition_name(*ask.profile[static_cast<std::size_t>(product)], product, card, piece.start);
}

api::ObjectSet objects_of(const Layout& layout) {
  std::string yaml;
  for (int node = 0; node < layout.nodes(); ++node) yaml += node_yaml(layout, node);
  for (const Ask& ask : asks()) yaml += ask_yaml(ask);
  api::Loaded loaded = api::load_text(yaml, "mixed");
  // What is written above is read; the test of this file holds that.
  return std::move(loaded.objects);
}

}  // namespace berth::sim::mixed
