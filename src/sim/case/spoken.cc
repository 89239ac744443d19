#include "sim/case/spoken.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "api/load.h"

namespace berth::sim {
namespace {

bool is_of_kai(std::string_view api_version) {
  return api_version.starts_with("scheduling.run.ai/") || api_version.starts_with("kai.scheduler/");
}

}  // namespace

std::vector<std::string> not_spoken(const CaseFile& file) {
  static constexpr std::array<std::string_view, 5> kSpoken = {"core", "dra", "upstream", "volcano", "kai"};
  std::vector<std::string> result;
  const auto add = [&](std::string what) {
    if (std::ranges::find(result, what) == result.end()) result.push_back(std::move(what));
  };
  for (const std::string& family : file.speaks)
    if (std::ranges::find(kSpoken, family) == kSpoken.end()) add(family);
  if (std::ranges::find(file.speaks, "kai") == file.speaks.end()) return result;
  for (const CaseFile::Document& document : file.documents) {
    for (const api::SkippedKind& skipped : api::load_text(document.text, file.file).skipped)
      if (is_of_kai(skipped.api_version) && skipped.kind != "Queue") add(skipped.api_version + " " + skipped.kind);
  }
  // Its consolidation, reclaim and preemption move and evict by rules of their own.
  if (std::ranges::any_of(file.expect, [](const Expectation& one) { return one.evicted.value_or(0) > 0; }))
    add("kai's evictions");
  return result;
}

}  // namespace berth::sim
