#include "cli/study_files.h"

#include <algorithm>
#include <fstream>
#include <thread>

namespace berth::cli {

Result<void> write_file(const std::string& path, const std::string& content) {
  std::ofstream file(path, std::ios::binary);
  file << content;
  file.close();
  if (!file) return fail(ErrorCode::kIo, "The file cannot be written; check its folder.", Place{.file = path});
  return {};
}

unsigned threads_for(unsigned asked) { return asked > 0 ? asked : std::max(1U, std::thread::hardware_concurrency()); }

}  // namespace berth::cli
