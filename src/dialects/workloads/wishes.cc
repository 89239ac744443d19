#include "dialects/workloads/wishes.h"

#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "api/selector.h"
#include "base/trimmed.h"
#include "base/whole_number.h"
#include "dialects/kubernetes/pod.h"

namespace berth::dialects::workloads {
namespace {

class Wishes {
 public:
  Wishes(const api::ObjectMeta& metadata, const Place& place, engine::Names& names, Reading& out)
      : metadata_(metadata), place_(place), names_(names), out_(out) {}

  [[nodiscard]] const std::string* find(std::string_view annotation) const {
    const auto found = metadata_.annotations.find(annotation);
    return found == metadata_.annotations.end() ? nullptr : &found->second;
  }

  engine::LabelKeyId label(std::string_view annotation) {
    const std::string* text = find(annotation);
    if (text == nullptr) return {};
    return label(annotation, *text);
  }
  engine::LabelKeyId label(std::string_view annotation, std::string_view key) {
    if (auto fault = api::label_key_fault(key)) {
      remark(annotation, *std::move(fault));
      return {};
    }
    return names_.label_keys.intern(key);
  }

  std::optional<std::int64_t> count(std::string_view annotation, std::int64_t least) {
    const std::string* text = find(annotation);
    if (text == nullptr) return std::nullopt;
    if (const auto value = whole_number<std::int64_t>(*text, least, std::numeric_limits<std::int32_t>::max()))
      return value;
    remark(annotation, "\"" + text->substr(0, 40) + "\" is not a whole number of " + std::to_string(least) +
                           " or more; it is not used.");
    return std::nullopt;
  }

  // The levels, outermost first, as a topology of the name that they spell.
  engine::NameId levels() {
    const std::string* text = find(kTopologyLevelsAnnotation);
    if (text == nullptr) return {};
    engine::TopologyInput topology{.name = names_.names.intern("levels " + *text), .levels = {}};
    std::string_view rest = *text;
    while (!rest.empty()) {
      const std::size_t comma = std::min(rest.find(','), rest.size());
      const std::string_view key = trimmed(rest.substr(0, comma));
      const engine::LabelKeyId level = label(kTopologyLevelsAnnotation, key);
      if (level.is_none()) return {};
      topology.levels.push_back(level);
      rest.remove_prefix(std::min(comma + 1, rest.size()));
    }
    if (topology.levels.empty()) return {};
    out_.topologies.push_back(topology);
    return topology.name;
  }

  void remark(std::string_view annotation, std::string message) {
    out_.remark(ErrorCode::kInvalid, place_, "metadata.annotations[" + std::string(annotation) + "]",
                std::move(message));
  }

 private:
  const api::ObjectMeta& metadata_;
  const Place& place_;
  engine::Names& names_;
  Reading& out_;
};

}  // namespace

void add_wishes(const api::ObjectMeta& metadata, const Place& place, engine::WorkloadInput& workload,
                engine::GroupInput& group, engine::Names& names, Reading& out) {
  if (metadata.annotations.empty()) return;
  Wishes wishes(metadata, place, names, out);
  // What is about the whole tree is said at its root.
  if (workload.groups.empty() || &group == &workload.groups.front()) {
    if (const std::string* queue = wishes.find(kQueueAnnotation); queue != nullptr && !queue->empty())
      workload.queues = {names.names.intern(*queue)};
    if (const auto seconds = wishes.count(kubernetes::kRunsForAnnotation, 0)) workload.runs_for_seconds = seconds;
  } else {
    for (const std::string_view annotation : {kQueueAnnotation, kubernetes::kRunsForAnnotation})
      if (wishes.find(annotation) != nullptr)
        wishes.remark(annotation, "It is about the whole tree, so it counts on the root alone; write it there.");
  }
  if (const auto preferred = wishes.label(kPreferredTopologyAnnotation); !preferred.is_none())
    group.topology.preferred = preferred;
  const engine::LabelKeyId slices = wishes.label(kSliceTopologyAnnotation);
  const std::optional<std::int64_t> size = wishes.count(kSliceSizeAnnotation, 1);
  if (!slices.is_none() && size) {
    group.topology.slice_level = slices;
    group.topology.slice_size = static_cast<std::int32_t>(*size);
  } else if (!slices.is_none() || size) {
    wishes.remark(slices.is_none() ? kSliceSizeAnnotation : kSliceTopologyAnnotation,
                  "berth/slice-topology and berth/slice-size go together; write both.");
  }
  if (const std::string* balance = wishes.find(kSliceBalanceAnnotation)) {
    if (*balance != "true" && *balance != "false")
      wishes.remark(kSliceBalanceAnnotation,
                    "\"" + balance->substr(0, 40) + "\" is neither true nor false; it is not used.");
    if (group.topology.slice_size == 0)
      wishes.remark(kSliceBalanceAnnotation,
                    "There are no slices to balance; write berth/slice-topology and "
                    "berth/slice-size too.");
    group.topology.balanced = *balance == "true" && group.topology.slice_size > 0;
  }
  if (const engine::NameId levels = wishes.levels(); !levels.is_none()) group.topology.topology = levels;
}

void hand_down_slices(engine::WorkloadInput& workload) {
  std::vector<bool> is_leaf(workload.groups.size(), true);
  for (std::size_t i = 1; i < workload.groups.size(); ++i) {
    engine::GroupInput& group = workload.groups[i];
    is_leaf[group.parent] = false;
    const engine::TopologyRule& above = workload.groups[group.parent].topology;
    if (group.topology.slice_size != 0 || above.slice_size == 0) continue;
    group.topology.slice_level = above.slice_level;
    group.topology.slice_size = above.slice_size;
    group.topology.balanced = above.balanced;
    if (group.topology.topology.is_none()) group.topology.topology = above.topology;
  }
  for (std::size_t i = 0; i < workload.groups.size(); ++i) {
    if (is_leaf[i]) continue;
    engine::TopologyRule& rule = workload.groups[i].topology;
    rule.slice_level = {};
    rule.slice_size = 0;
    rule.balanced = false;
  }
}

}  // namespace berth::dialects::workloads
