// What the studies of `berth sim` share: files to write, and how much runs at a time.
#pragma once

#include <string>

#include "base/result.h"

namespace berth::cli {

// Replaces the file.
[[nodiscard]] Result<void> write_file(const std::string& path, const std::string& content);

// The number of cores for 0.
[[nodiscard]] unsigned threads_for(unsigned asked);

}  // namespace berth::cli
