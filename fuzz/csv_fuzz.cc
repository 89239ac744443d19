// CSV and the traces written in it: no crash; a refusal is a sentence with a line; rows are as long as the header, and
// a table written with every cell quoted reads back the same; what the readers of openb and Philly lists accept keeps
// the rules that the simulations rely on.
#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sim/openb/trace.h"
#include "sim/philly/trace.h"
#include "support/require.h"
#include "text/csv.h"

namespace {

std::string quoted(const std::vector<std::string>& cells) {
  std::string line;
  for (const std::string& cell : cells) {
    line += line.empty() ? "\"" : ",\"";
    for (const char letter : cell) line += letter == '"' ? "\"\"" : std::string(1, letter);
    line += '"';
  }
  return line + "\r\n";
}

void check_table(std::string_view text) {
  const auto table = berth::text::parse_csv(text, "fuzz.csv");
  if (!table) {
    require(!table.error().message.empty());
    return;
  }
  require(!table->header.empty() && table->rows.size() == table->lines.size());
  require(std::ranges::is_sorted(table->lines));
  std::string again = quoted(table->header);
  for (const auto& row : table->rows) {
    require(row.size() == table->header.size());
    again += quoted(row);
  }
  const auto same = berth::text::parse_csv(again, "again.csv");
  require(same && same->header == table->header && same->rows == table->rows);
}

template <class T, class Rule>
void check_list(const berth::Result<std::vector<T>>& list, Rule holds) {
  if (list) {
    require(std::ranges::all_of(*list, holds));
  } else {
    require(!list.error().message.empty() && list.error().place.file == "fuzz.csv");
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  namespace openb = berth::sim::openb;
  namespace philly = berth::sim::philly;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  check_table(text);
  check_list(openb::parse_nodes(text, "fuzz.csv"), [](const openb::TraceNode& node) {
    return !node.name.empty() && node.cpu_milli >= 0 && node.memory_mib >= 0 && node.gpus >= 0;
  });
  check_list(openb::parse_pods(text, "fuzz.csv"), [](const openb::TracePod& pod) {
    const std::int32_t least = pod.gpus == 0 ? 0 : pod.gpus == 1 ? 1 : 1000;
    const std::int32_t most = pod.gpus == 0 ? 0 : 1000;
    return pod.gpu_milli >= least && pod.gpu_milli <= most && pod.cpu_milli >= 0 && pod.memory_mib >= 0 &&
           std::ranges::is_sorted(pod.models) && std::ranges::adjacent_find(pod.models) == pod.models.end();
  });
  check_list(philly::parse_jobs(text, "fuzz.csv"),
             [](const philly::TraceJob& job) { return job.runs_for >= 1 && job.gpus >= 1 && !job.cluster.empty(); });
  check_list(philly::parse_clusters(text, "fuzz.csv"),
             [](const philly::TraceCluster& cluster) { return cluster.nodes >= 0; });
  return 0;
}
