// PodRecord: the life of one pod in a case, kept after the pod itself is gone. Times are virtual seconds of the case.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace berth::sim {

struct PodRecord {
  // kBinding: it has its place and waits for its devices to become ready there (device_binding.h).
  enum class State : std::uint8_t { kPending, kBinding, kRunning, kSucceeded, kEvicted, kDeleted };

  std::string namespace_;
  std::string name;
  // "Kind/name" of the pod itself, then of its controllers from the nearest to the outermost, then of what groups it.
  std::vector<std::string> lineage;
  std::size_t owners = 0;  // entries of the lineage before those that group it
  State state = State::kPending;
  std::string node;             // where it runs or ran last
  std::int64_t card_count = 0;  // cards it asks for, shares counting as one
  std::int64_t created = 0;
  std::optional<std::int64_t> started;
  std::optional<std::int64_t> ended;
  std::optional<std::int64_t> runs_for;
  std::string evicted_for;            // the pod that needed the room
  bool evicted_without_plan = false;  // and no placement of that pod came with the eviction

  [[nodiscard]] std::string full_name() const { return namespace_ + '/' + name; }
  [[nodiscard]] bool running() const { return state == State::kRunning; }
  [[nodiscard]] bool pending() const { return state == State::kPending || state == State::kBinding; }
  [[nodiscard]] bool holds_place() const { return state == State::kRunning || state == State::kBinding; }
};

// True if the ref, "Kind/name" with globs in the name, means this object.
[[nodiscard]] bool refers_to(std::string_view ref, std::string_view kind, const std::string& name);

// True if the pod is, or belongs to, what `ref` names: "Kind/name" or a bare name, globs (* ? [..]) allowed in the
// name.
[[nodiscard]] bool belongs_to(const PodRecord& pod, std::string_view ref);

}  // namespace berth::sim
