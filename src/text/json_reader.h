// Reads JSON into Values: one text into one tree, or a stream of documents and lists entry by entry.
//
// The stream reader holds a window of the source (256 KiB, or more where one item is larger), so memory does not follow
// the length of a list; but for items without a kind in a list that says its kind behind them (1 GiB at most). Several
// documents may follow each other with white space or `---` lines between. A byte order mark is accepted. What cannot
// be read is reported with line and column, and reading goes on: behind the item where the fault leaves its extent
// known (a key twice, wrong UTF-8), else at the next line that starts with '{'. Rate: 0.5 to 1 GB/s with optimisation;
// see json_parser.h for what is accepted.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"
#include "text/byte_source.h"
#include "text/entry.h"
#include "text/value.h"

namespace berth::text {

// The text must be exactly one JSON value. The Document keeps a copy of the text. Errors: kSyntax with line and column.
[[nodiscard]] Result<Document> parse_json(std::string_view text, const ReadOptions& options = {});

class JsonReader {
 public:
  JsonReader(ByteSource& source, const ReadOptions& options, EntryVisitor& visitor);
  JsonReader(const JsonReader&) = delete;
  JsonReader& operator=(const JsonReader&) = delete;
  ~JsonReader();

  // What ended the reading.
  enum class End : std::uint8_t {
    kSource,   // the source is read to its end
    kNotJson,  // what follows is not JSON at all and may be YAML: rest() has it
    kGivenUp   // the source failed or had too many errors; the last error said so
  };
  // Text that does not start like an object or an array, at the start of the source or behind a `---` line, ends the
  // reading with kNotJson. With `flow_may_be_yaml` so does a first document with a key or a word without quotes,
  // as {a: b} is in YAML.
  End read(bool flow_may_be_yaml);

  // After kNotJson: everything from the start of the document that is not JSON, and its place.
  [[nodiscard]] Result<std::string> rest();
  [[nodiscard]] std::int32_t rest_document() const;
  [[nodiscard]] std::int32_t rest_line() const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace berth::text
