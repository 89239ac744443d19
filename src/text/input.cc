#include "text/input.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <utility>

#include "text/json_reader.h"
#include "text/yaml_reader.h"

namespace berth::text {
namespace {

constexpr std::string_view kStandardInput = "-";

// A file descriptor read with read(2); closes what it opened.
class FileSource final : public ByteSource {
 public:
  FileSource(int descriptor, std::string name) : descriptor_(descriptor), name_(std::move(name)) {}
  ~FileSource() override {
    if (descriptor_ != STDIN_FILENO) ::close(descriptor_);
  }

  Result<std::size_t> read(std::span<char> buffer) override {
    for (;;) {
      const ssize_t count = ::read(descriptor_, buffer.data(), buffer.size());
      if (count >= 0) return static_cast<std::size_t>(count);
      if (errno == EINTR) continue;
      return fail(ErrorCode::kIo,
                  "Reading failed (" + std::generic_category().message(errno) + "); check the file and its disk.",
                  Place{name_, 0, 0, 0, "", ""});
    }
  }

 private:
  int descriptor_;
  std::string name_;
};

bool is_object_file(std::string_view name) {
  if (name.ends_with(".gz")) name.remove_suffix(3);
  return name.ends_with(".yaml") || name.ends_with(".yml") || name.ends_with(".json");
}

Error cannot_open(const std::string& path, int number) {
  Place place{path, 0, 0, 0, "", ""};
  if (number == ENOENT || number == ENOTDIR)
    return {ErrorCode::kNotFound, "There is no such file or directory; check the path.", std::move(place)};
  return {ErrorCode::kIo,
          "It cannot be opened (" + std::generic_category().message(number) + "); check its permissions.",
          std::move(place)};
}

// /dev/zero never ends. A terminal does, and /dev/null at once.
bool is_endless_device(int descriptor, const struct stat& status) {
  if (S_ISBLK(status.st_mode)) return true;
  if (!S_ISCHR(status.st_mode) || ::isatty(descriptor) == 1) return false;
  struct stat null{};
  return ::stat("/dev/null", &null) != 0 || null.st_rdev != status.st_rdev;
}

// Tells the error of a source when it comes, and then is at its end.
class ToldSource final : public ByteSource {
 public:
  ToldSource(ByteSource& source, EntryVisitor& visitor) : source_(source), visitor_(visitor) {}

  Result<std::size_t> read(std::span<char> buffer) override {
    if (failed_) return std::size_t{0};
    auto count = source_.read(buffer);
    if (count) {
      some_ = some_ || *count != 0;
      return count;
    }
    failed_ = true;
    Error error = std::move(count).error();
    if (some_) error.message += " What comes before was read.";
    visitor_.error(error);
    return std::size_t{0};
  }

 private:
  ByteSource& source_;
  EntryVisitor& visitor_;
  bool some_ = false;
  bool failed_ = false;
};

}  // namespace

Result<ExpandedInput> expand_input(const std::string& path) {
  if (path == kStandardInput) return ExpandedInput{.files = {path}};
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  if (status.type() == std::filesystem::file_type::not_found) return std::unexpected(cannot_open(path, ENOENT));
  if (error) return std::unexpected(cannot_open(path, error.value()));
  ExpandedInput result;
  std::vector<std::string>& files = result.files;
  if (status.type() != std::filesystem::file_type::directory) {
    files.push_back(path);
    return result;
  }
  for (auto entry = std::filesystem::directory_iterator(path, error); !error && entry != std::filesystem::end(entry);
       entry.increment(error)) {
    // A pipe or a device would be waited for; what cannot be looked at says why when it is opened.
    std::error_code unknown;
    const auto type = entry->status(unknown).type();
    const bool file = type == std::filesystem::file_type::regular || type == std::filesystem::file_type::not_found;
    if (is_object_file(entry->path().filename().native()) && (file || unknown))
      files.push_back(entry->path().native());
    else
      ++result.passed_over;
  }
  if (error) return std::unexpected(cannot_open(path, error.value()));
  if (files.empty()) {
    return fail(
        ErrorCode::kNotFound,
        "The directory holds no *.yaml, *.yml or *.json file (nor one with .gz behind); directories below are not "
        "read, so name the one you mean.",
        Place{path, 0, 0, 0, "", ""});
  }
  std::sort(files.begin(), files.end());
  return result;
}

Result<std::unique_ptr<ByteSource>> open_input(const std::string& file, const InputLimits& limits) {
  int descriptor = STDIN_FILENO;
  if (file != kStandardInput) {
    descriptor = ::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY);
    if (descriptor < 0) return std::unexpected(cannot_open(file, errno));
  }
  auto opened = std::make_unique<FileSource>(descriptor, file);
  struct stat status{};
  if (::fstat(descriptor, &status) == 0) {
    if (S_ISDIR(status.st_mode))
      return fail(ErrorCode::kIo, "This is a directory; name a file in it.", Place{.file = file});
    if (is_endless_device(descriptor, status))
      return fail(ErrorCode::kIo, "This is a device, which never ends; name a file, or - for standard input.",
                  Place{.file = file});
  }
  auto source = inflate_if_gzip(std::move(opened), limits);
  if (!source && source.error().place.file.empty()) source.error().place.file = file;
  return source;
}

Result<std::string> read_all(ByteSource& source) {
  constexpr std::size_t kStep = std::size_t{256} << 10U;
  constexpr std::size_t kMost = std::size_t{2} << 30U;
  std::string text;
  std::size_t used = 0;
  for (;;) {
    if (text.size() - used < kStep) text.resize(std::max(text.size() * 2, kStep * 2));
    BERTH_TRY(const std::size_t count, source.read({text.data() + used, text.size() - used}));
    if (count == 0) break;
    used += count;
    if (used > kMost) return fail(ErrorCode::kLimit, "The file is larger than 2 GiB; split it.");
  }
  text.resize(used);
  return text;
}

Result<std::string> read_file(const std::string& file, const InputLimits& limits) {
  BERTH_TRY(const auto source, open_input(file, limits));
  auto text = read_all(*source);
  if (!text && text.error().place.file.empty()) text.error().place.file = file;
  return text;
}

void read_entries(ByteSource& source, std::string_view file, const ReadOptions& options, EntryVisitor& visitor) {
  if (file.ends_with(".gz")) file.remove_suffix(3);
  const bool flow_may_be_yaml = !file.ends_with(".json");
  ToldSource told(source, visitor);
  JsonReader json(told, options, visitor);
  if (json.read(flow_may_be_yaml) != JsonReader::End::kNotJson) return;
  ReadOptions rest_options = options;
  rest_options.first_document = json.rest_document();
  rest_options.first_line = json.rest_line();
  const auto rest = json.rest();
  if (!rest) {
    visitor.error(rest.error());
    return;
  }
  read_yaml(*rest, rest_options, visitor);
}

}  // namespace berth::text
