#include "sim/openb/trace.h"

#include <algorithm>
#include <set>

#include "base/whole_number.h"
#include "text/csv.h"
#include "text/input.h"

namespace berth::sim::openb {
namespace {

// One row with typed access by column name.
class Row {
 public:
  Row(const text::CsvTable& table, std::size_t row, const std::string& file) : table_(table), row_(row), file_(file) {}

  [[nodiscard]] Place place(std::string_view column) const {
    return {.file = file_, .line = table_.lines[row_], .field = std::string(column)};
  }
  [[nodiscard]] std::string_view text(std::string_view column) const {
    const int index = table_.column(column);
    return index < 0 ? std::string_view() : std::string_view(table_.rows[row_][static_cast<std::size_t>(index)]);
  }
  [[nodiscard]] Result<std::int64_t> integer(std::string_view column, std::int64_t maximum) const {
    const std::string_view cell = text(column);
    const auto value = whole_number<std::int64_t>(cell);
    if (!value) {
      return fail(ErrorCode::kInvalid, "\"" + std::string(cell) + "\" is not a whole number; write digits only.",
                  place(column));
    }
    if (*value < 0 || *value > maximum) {
      return fail(ErrorCode::kInvalid,
                  std::string(cell) + " is out of range; use 0 to " + std::to_string(maximum) + ".", place(column));
    }
    return *value;
  }
  // An empty or missing cell is no value.
  [[nodiscard]] Result<std::optional<std::int64_t>> optional_integer(std::string_view column,
                                                                     std::int64_t maximum) const {
    if (text(column).empty()) return std::optional<std::int64_t>();
    BERTH_TRY(const std::int64_t value, integer(column, maximum));
    return std::optional(value);
  }

 private:
  const text::CsvTable& table_;
  std::size_t row_;
  const std::string& file_;
};

constexpr std::int64_t kMaximumAmount = 1'000'000'000'000;
constexpr std::int64_t kMaximumGpus = 1024;

std::vector<std::string> split_models(std::string_view text) {
  std::vector<std::string> models;
  while (!text.empty()) {
    const std::size_t bar = std::min(text.find('|'), text.size());
    if (bar > 0) models.emplace_back(text.substr(0, bar));
    text.remove_prefix(std::min(bar + 1, text.size()));
  }
  std::ranges::sort(models);
  models.erase(std::unique(models.begin(), models.end()), models.end());
  return models;
}

}  // namespace

Result<std::vector<TraceNode>> parse_nodes(std::string_view text, const std::string& file) {
  BERTH_TRY(const text::CsvTable table,
            text::parse_csv(text, file, {"sn", "cpu_milli", "memory_mib", "gpu"}, "an openb list"));
  std::vector<TraceNode> nodes;
  std::set<std::string> names;
  nodes.reserve(table.rows.size());
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    const Row row(table, i, file);
    TraceNode node{.name = std::string(row.text("sn")), .model = std::string(row.text("model"))};
    BERTH_TRY(node.cpu_milli, row.integer("cpu_milli", kMaximumAmount));
    BERTH_TRY(node.memory_mib, row.integer("memory_mib", kMaximumAmount));
    BERTH_TRY(const std::int64_t gpus, row.integer("gpu", kMaximumGpus));
    node.gpus = static_cast<std::int32_t>(gpus);
    if (node.name.empty()) return fail(ErrorCode::kInvalid, "The node has no name; fill in sn.", row.place("sn"));
    if (!names.insert(node.name).second) {
      return fail(ErrorCode::kInvalid, "A node named \"" + node.name + "\" is there already; give each row its own sn.",
                  row.place("sn"));
    }
    nodes.push_back(std::move(node));
  }
  return nodes;
}

Result<std::vector<TracePod>> parse_pods(std::string_view text, const std::string& file) {
  BERTH_TRY(const text::CsvTable table,
            text::parse_csv(text, file, {"name", "cpu_milli", "memory_mib", "num_gpu", "gpu_milli"}, "an openb list"));
  std::vector<TracePod> pods;
  pods.reserve(table.rows.size());
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    const Row row(table, i, file);
    TracePod pod{.name = std::string(row.text("name")), .models = split_models(row.text("gpu_spec"))};
    BERTH_TRY(pod.cpu_milli, row.integer("cpu_milli", kMaximumAmount));
    BERTH_TRY(pod.memory_mib, row.integer("memory_mib", kMaximumAmount));
    BERTH_TRY(const std::int64_t gpus, row.integer("num_gpu", kMaximumGpus));
    BERTH_TRY(const std::int64_t milli, row.integer("gpu_milli", 1000));
    BERTH_TRY(pod.created, row.optional_integer("creation_time", kMaximumAmount));
    BERTH_TRY(pod.deleted, row.optional_integer("deletion_time", kMaximumAmount));
    if (pod.created && pod.deleted && *pod.deleted < *pod.created) {
      return fail(ErrorCode::kInvalid,
                  "The pod is deleted before it is created; give it a later deletion_time, or none.",
                  row.place("deletion_time"));
    }
    pod.gpus = static_cast<std::int32_t>(gpus);
    pod.gpu_milli = static_cast<std::int32_t>(milli);
    if (gpus == 0 && milli > 0) {
      return fail(ErrorCode::kInvalid, "A pod without GPUs has no share of one; write num_gpu 1, or gpu_milli 0.",
                  row.place("gpu_milli"));
    }
    if (gpus > 0 && milli == 0) {
      return fail(ErrorCode::kInvalid, "A pod with GPUs needs a share of them; write gpu_milli from 1 to 1000.",
                  row.place("gpu_milli"));
    }
    if (gpus > 1 && milli != 1000) {
      return fail(ErrorCode::kInvalid, "A pod with several GPUs takes them whole; write gpu_milli 1000.",
                  row.place("gpu_milli"));
    }
    pods.push_back(std::move(pod));
  }
  return pods;
}

namespace {

std::unexpected<Error> nothing_in(const std::string& path, std::string_view what) {
  return fail(ErrorCode::kInvalid, "There is no " + std::string(what) + " below the header; name another file.",
              Place{.file = path});
}

}  // namespace

Result<std::vector<TraceNode>> read_nodes(const std::string& path) {
  BERTH_TRY(const std::string content, text::read_file(path));
  BERTH_TRY(std::vector<TraceNode> nodes, parse_nodes(content, path));
  if (nodes.empty()) return nothing_in(path, "node");
  return nodes;
}

Result<std::vector<TracePod>> read_pods(const std::string& path) {
  BERTH_TRY(const std::string content, text::read_file(path));
  BERTH_TRY(std::vector<TracePod> pods, parse_pods(content, path));
  if (pods.empty()) return nothing_in(path, "pod");
  return pods;
}

}  // namespace berth::sim::openb
