// EntryCollector: keeps what a reader delivered as compact JSON, with places, for tests to look at.
#pragma once

#include <string>
#include <vector>

#include "text/entry.h"
#include "text/json_writer.h"

namespace berth::support {

class EntryCollector final : public text::EntryVisitor {
 public:
  struct Seen {
    std::string json;
    std::int32_t document = 0;
    std::int32_t item = 0;
    text::Location start;
    std::string list_kind;
  };

  void entry(const text::Entry& entry) override {
    entries.push_back(
        {text::to_json(entry.value), entry.document, entry.item, entry.start, std::string(entry.list_kind)});
  }
  void error(const Error& error) override { errors.push_back(error); }

  // All entries, one a line, then all errors as "LINE:COLUMN message".
  [[nodiscard]] std::vector<std::string> texts() const {
    std::vector<std::string> result;
    for (const Seen& seen : entries) result.push_back(seen.json);
    return result;
  }

  std::vector<Seen> entries;
  std::vector<Error> errors;
};

}  // namespace berth::support
