#include "oracle/data_file.h"
#include "support/source_directory.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>

namespace berth::oracle {

std::string string_of(const text::Value& value, std::string_view name) {
  const text::Value* member = value.find(name);
  return member == nullptr ? std::string() : std::string(member->text());
}

std::vector<std::string> data_files(std::string_view prefix, const char* variable) {
  std::vector<std::string> files;
  const std::filesystem::path folder = std::filesystem::path(support::source_directory()) / "tests" / "oracle" / "data";
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().filename().string().starts_with(prefix)) files.push_back(entry.path().string());
  }
  std::ranges::sort(files);
  if (const char* fresh = std::getenv(variable)) files.emplace_back(fresh);
  return files;
}

}  // namespace berth::oracle
