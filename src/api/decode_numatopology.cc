// Volcano's Numatopology (nodeinfo.volcano.sh/v1alpha1).
#include <algorithm>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

#include "api/decode_volcano.h"
#include "base/sort_unique.h"
#include "base/whole_number.h"

namespace berth::api::volcano {
namespace {

constexpr std::int32_t kMostCpus = 8192;  // the largest machines have fewer

// "0-3,8,10-11", as the kernel writes sets of CPUs; ascending, each once. None: something else.
std::optional<std::vector<std::int32_t>> parse_cpu_set(std::string_view text) {
  std::vector<std::int32_t> cpus;
  while (!text.empty()) {
    const std::string_view part = text.substr(0, text.find(','));
    text.remove_prefix(std::min(part.size() + 1, text.size()));
    const std::size_t dash = part.find('-');
    const auto first = whole_number<std::int32_t>(part.substr(0, dash), 0, kMostCpus - 1);
    const auto last =
        dash == std::string_view::npos ? first : whole_number<std::int32_t>(part.substr(dash + 1), 0, kMostCpus - 1);
    if (!first || !last || *last < *first) return std::nullopt;
    for (std::int32_t cpu = *first; cpu <= *last; ++cpu) cpus.push_back(cpu);
  }
  sort_unique(cpus);
  return cpus;
}

void read_cpu_set(DecodeContext& context, const Value& value, Numatopology::Resource& out) {
  std::string text;
  api::read(context, value, text);
  if (auto cpus = parse_cpu_set(text)) {
    out.allocatable = *std::move(cpus);
  } else {
    context.error(value, "\"" + text.substr(0, 60) + "\" is no set of CPUs; write one such as 0-3,8.");
  }
}

void read(DecodeContext& context, const Value& value, Numatopology::Resource& out) {
  static const FieldTable<Numatopology::Resource> kFields(
      {{"allocatable", read_cpu_set}, {"capacity", member<&Numatopology::Resource::capacity>}}, {});
  kFields.read(context, value, out);
  check_least(context, value, out.capacity, 0, "capacity");
}

void read(DecodeContext& context, const Value& value, Numatopology::Cpu& out) {
  static const FieldTable<Numatopology::Cpu> kFields({{"numa", member<&Numatopology::Cpu::numa>},
                                                      {"socket", member<&Numatopology::Cpu::socket>},
                                                      {"core", member<&Numatopology::Cpu::core>}},
                                                     {});
  kFields.read(context, value, out);
  check_least(context, value, out.numa, 0, "numa");
  if (out.numa >= kMostNumaNodes)
    context.error(value, "numa is " + std::to_string(out.numa) + "; a node has at most " +
                             std::to_string(kMostNumaNodes) + " NUMA nodes.");
}

void read_resources(DecodeContext& context, const Value& value, Numatopology& out) {
  if (!value.is_object()) return context.wrong_kind(value, "an object");
  for (const text::Member& member : value.members()) {
    if (member.value.is_null()) continue;
    const DecodeContext::Scope scope(context, member.name(), DecodeContext::Scope::kMapKey);
    read(context, member.value, out.resources[std::string(member.name())]);
  }
}

void read_cpus(DecodeContext& context, const Value& value, Numatopology& out) {
  if (!value.is_object()) return context.wrong_kind(value, "an object");
  for (const text::Member& member : value.members()) {
    if (member.value.is_null()) continue;
    const DecodeContext::Scope scope(context, member.name(), DecodeContext::Scope::kMapKey);
    const auto number = whole_number<std::int32_t>(member.name(), 0, kMostCpus - 1);
    if (!number) {
      context.error(member.value, "The key is no number of a CPU; write 0 to " + std::to_string(kMostCpus - 1) + ".");
      continue;
    }
    read(context, member.value, out.cpus[*number]);
  }
}

const FieldTable<Numatopology>& spec_fields() {
  static const FieldTable<Numatopology> kFields({{"policies", member<&Numatopology::policies>},
                                                 {"resReserved", member<&Numatopology::reserved>},
                                                 {"numares", read_resources},
                                                 {"cpuDetail", read_cpus}},
                                                {"MemoryDetail"});
  return kFields;
}

}  // namespace

void read(DecodeContext& context, const Value& value, Numatopology& out) {
  static const FieldTable<Numatopology> kFields(
      {{"metadata", member<&Numatopology::metadata>}, {"spec", inner<Numatopology, spec_fields>}},
      {"apiVersion", "kind"});
  kFields.read(context, value, out);
  const auto cpus = out.resources.find("cpu");
  if (cpus == out.resources.end()) return;
  for (const std::int32_t cpu : cpus->second.allocatable) {
    if (out.cpus.contains(cpu)) continue;
    context.error(value, "spec.numares[cpu].allocatable has CPU " + std::to_string(cpu) +
                             ", which spec.cpuDetail does not describe; add it there.");
    return;
  }
}

}  // namespace berth::api::volcano
