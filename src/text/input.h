// Input: what the user names on the command line, opened and read entry by entry.
//
// FILE, DIR or "-". A directory stands for its *.yaml, *.yml and *.json files, and those with .gz behind, in the order
// of their names; not for what lies in directories below, as with kubectl. Gzip is recognised by its first bytes,
// wherever it comes from. JSON and YAML are told apart by what the text starts with, not by the file's name.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "text/byte_source.h"
#include "text/entry.h"

namespace berth::text {

struct InputLimits {
  std::uint64_t inflated_bytes = std::uint64_t{4} << 30U;  // of one gzip file: a small file must not fill the memory
};

struct ExpandedInput {
  std::vector<std::string> files;  // in order
  std::int64_t passed_over = 0;    // what else a directory holds
};

// The files behind the path. Errors: kNotFound, kIo; and kNotFound for a directory without any such file.
[[nodiscard]] Result<ExpandedInput> expand_input(const std::string& path);

// Opens a file, or standard input for "-", and inflates it where it is gzip.
[[nodiscard]] Result<std::unique_ptr<ByteSource>> open_input(const std::string& file, const InputLimits& limits = {});

// Inflates the source where it is gzip, several members behind each other included; else passes it through. Errors:
// gzip inside of gzip. Where the data is cut short or damaged the source gives out what comes before, then the error.
[[nodiscard]] Result<std::unique_ptr<ByteSource>> inflate_if_gzip(std::unique_ptr<ByteSource> source,
                                                                  const InputLimits& limits = {});

// Everything up to the end.
[[nodiscard]] Result<std::string> read_all(ByteSource& source);
// A whole file, inflated where it is gzip.
[[nodiscard]] Result<std::string> read_file(const std::string& file, const InputLimits& limits = {});

// Reads JSON and YAML, told apart by the text; a JSON stream may go over to YAML at a `---` line. Except in a file
// named *.json a first document in braces with keys or words without quotes is YAML's flow style. An error of the
// source is told, and what came before is read like a file that ends there.
void read_entries(ByteSource& source, std::string_view file, const ReadOptions& options, EntryVisitor& visitor);

}  // namespace berth::text
