// What upstream's own packages found for generated clusters: the data files that oracle/ writes.
//
// A file is gzipped text: a line with the module version and the seed, then one line per world with its configuration,
// objects, pending pods and, per pending pod, the answer. Arrays over nodes follow the order of the nodes in the world;
// scores follow the order of the feasible ones among them.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "base/result.h"
#include "text/value.h"

namespace berth::oracle {

struct ScoreAnswer {
  std::int64_t weight = 1;
  std::vector<std::int64_t> raw;
  std::vector<std::int64_t> normalized;
};

// One node that upstream could free by evicting the victims, most important first.
struct Candidate {
  std::string node;
  std::vector<std::string> victims;
  std::int64_t violations = 0;
};

struct Answer {
  std::string pod;    // "namespace/name"
  std::string error;  // the attempt itself fails upstream; nothing else is set then
  bool unmanaged = false;
  bool gated = false;
  bool refused_early = false;                  // before any node was looked at
  std::vector<std::string> first;              // per node the plugin that refuses first, or ""
  std::string codes;                           // per node '.' feasible, 'U' preemption may help, 'N' it cannot
  std::map<std::string, std::string> filters;  // the same letters for each plugin alone; absent: passes everywhere
  std::map<std::string, ScoreAnswer> scores;   // plugins that have a say
  std::vector<std::int64_t> totals;
  std::vector<Candidate> candidates;  // of preemption, where no node is feasible
  std::vector<std::string> best;      // the candidates that tie on all of upstream's criteria
};

struct World {
  std::string name;
  std::string config;   // KubeSchedulerConfiguration as JSON; empty: upstream's defaults
  std::string objects;  // a List as JSON
  std::string pods;     // the pending ones, a List as JSON
  std::vector<Answer> answers;
};

struct DataFile {
  std::string module;  // "k8s.io/kubernetes v1.37.2"
  std::uint64_t seed = 0;
  std::vector<World> worlds;
};

[[nodiscard]] Result<DataFile> read_data_file(const std::string& path);

// The data files of the repository, and the one that the environment variable BERTH_ORACLE_FRESH names.
[[nodiscard]] std::vector<std::string> data_files();

}  // namespace berth::oracle
