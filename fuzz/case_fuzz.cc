// Case files: whatever the comment block and the documents say, no crash; a refusal is a sentence; what is accepted
// keeps its limits, and each document reads as objects or is refused in a sentence.
#include <algorithm>
#include <cstdint>
#include <string_view>

#include "sim/case/case_file.h"
#include "sim/case/documents.h"
#include "support/require.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  namespace sim = berth::sim;
  const auto read = sim::parse_case_file({reinterpret_cast<const char*>(data), size}, "fuzz.yaml");
  if (!read) {
    require(!read.error().message.empty() && read.error().place.file == "fuzz.yaml");
    return 0;
  }
  require(!read->speaks.empty() && !read->expect.empty() && read->until >= 0);
  require(read->documents.size() <= sim::kMostCaseDocuments);
  for (const sim::CaseStep& step : read->steps) require(step.at >= 0 && step.at <= read->until);
  // The last of those that `repeat` made says no more than the first.
  constexpr std::size_t kEnough = 100;
  for (std::size_t i = 0; i < std::min(read->documents.size(), kEnough); ++i) {
    require(read->documents[i].number >= 1);
    const auto objects = sim::read_case_document(read->documents[i], read->file, read->gates);
    require(objects || !objects.error().message.empty());
  }
  return 0;
}
