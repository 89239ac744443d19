// The scheduling loop of the slow twin: every pending pod, in order, looks at every node.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "api/scheduler_config.h"
#include "reference/snapshot.h"

namespace berth::reference {

struct Settings {
  std::vector<api::SchedulerProfile> profiles;
  std::uint64_t seed = 0;
  bool exclude_not_ready = true;
};

struct Decision {
  enum class Kind : std::uint8_t { kPlace, kEvict };
  Kind kind = Kind::kPlace;
  const api::Pod* pod = nullptr;
  std::size_t node = 0;
  const api::Pod* beneficiary = nullptr;  // kEvict: for whom
  std::int64_t score = 0;                 // kPlace: the total
  std::vector<std::size_t> cards;         // kPlace
};

struct Outcome {
  std::vector<Decision> decisions;
  std::vector<const api::Pod*> pending;  // that fit nowhere, in queue order
  std::vector<const api::Pod*> held;     // that were not asked about, in queue order
  Snapshot end;
};

// The pods that want a node: neither bound nor finished nor terminating. By priority, then age, then tie order of
// "namespace/name".
[[nodiscard]] std::vector<const api::Pod*> queue(const Objects& objects, std::uint64_t seed);

// The profile that the pod names, or none.
[[nodiscard]] const api::SchedulerProfile* profile_of(const Settings& settings, const api::Pod& pod);

// The world before anything is decided, with the promises of those pods that are asked about.
[[nodiscard]] Snapshot take_snapshot(const Objects& objects, const Settings& settings);

// Goes through the queue until a whole pass places nobody.
[[nodiscard]] Outcome schedule(const Objects& objects, const Settings& settings);

}  // namespace berth::reference
