// For yaml_reader.cc: reads one chunk of a YAML stream, which usually is one document, into Values.
//
// A hard fault ends the chunk. A soft one (a key twice, an unknown anchor, ...) costs the entry that it is in: the
// first of an entry is kept and delivered in its place.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>

#include "text/entry.h"
#include "text/value.h"
#include "text/yaml_documents.h"
#include "text/yaml_events.h"

namespace berth::text {

// Reads the documents of one chunk; usually one.
class YamlChunkReader {
 public:
  YamlChunkReader(YamlChunk chunk, const ReadOptions& options, std::int32_t& document, EntryVisitor& visitor)
      : options_(options),
        skip_(options.skip == nullptr ? nullptr : options.skip->root()),
        document_(document),
        visitor_(visitor),
        events_(chunk),
        builder_(arena_) {}
  YamlChunkReader(const YamlChunkReader&) = delete;
  YamlChunkReader& operator=(const YamlChunkReader&) = delete;

  // The number of errors reported.
  std::int32_t read();

 private:
  struct Anchor {
    Value value;
    std::int64_t nodes = 0;
    bool faulty = false;  // a soft fault was met before the value's end
  };
  struct Merge {
    Value value;
    Origin origin;
  };

  // All of these are false after a hard fault, which has then been reported.
  bool next() { return events_.next() || broken(); }
  bool document();
  bool root_mapping();
  bool take_list_header();
  bool list();
  bool node(ValueBuilder& builder, const SkipPaths::Node* skip, std::int32_t depth);
  bool enter(std::int32_t depth);
  bool has_few_keys(const ValueBuilder& builder, std::size_t mark, Origin here);
  bool mapping(ValueBuilder& builder, const SkipPaths::Node* skip, std::int32_t depth, Value& out);
  bool sequence(ValueBuilder& builder, const SkipPaths::Node* skip, std::int32_t depth, Value& out);
  bool member(ValueBuilder& builder, const SkipPaths::Node* skip, std::int32_t depth, std::vector<Merge>& merges);
  bool complex_key(ValueBuilder& builder, std::int32_t depth);
  Value scalar(ValueBuilder& builder);
  Value key(ValueBuilder& builder);
  Value key_from(const Value& value, ValueBuilder& builder, Origin origin);
  Value alias();
  Value finish_mapping(ValueBuilder& builder, std::size_t mark, Origin origin, const std::vector<Merge>& merges);
  class MergedKeys;
  void merge_into(ValueBuilder& builder, MergedKeys& keys, const Value& source, Origin origin);

  bool broken();
  void soft(std::string message, Origin origin, ErrorCode code = ErrorCode::kSyntax) {
    if (!soft_) soft_ = Error{code, std::move(message), place(origin)};
  }
  // Delivers the value, or its soft fault.
  void deliver(const Value& value, std::int32_t item, Origin origin);
  void report(const Error& error);
  [[nodiscard]] Place place(Origin origin) const {
    return {"", document_, static_cast<std::int32_t>(origin.line), static_cast<std::int32_t>(origin.column), "", ""};
  }
  [[nodiscard]] const YamlEvent& event() const { return events_.event(); }
  [[nodiscard]] Origin origin() const { return event().origin; }
  [[nodiscard]] bool is_merge_key() const {
    return event().type == YamlEvent::Type::kScalar && event().text == "<<" && event().implicit;
  }

  const ReadOptions& options_;
  const SkipPaths::Node* skip_;
  std::int32_t& document_;
  EntryVisitor& visitor_;
  YamlEvents events_;
  Arena arena_;
  Arena item_arena_;
  ValueBuilder builder_;
  boost::unordered_flat_map<std::string, Anchor> anchors_;
  std::int64_t nodes_ = 0;        // of this document so far, aliases counted for what they stand for
  std::int64_t alias_nodes_ = 0;  // those from aliases
  bool in_document_ = false;
  std::int32_t errors_ = 0;
  std::optional<Error> soft_;
  std::string list_api_version_;
  std::string list_kind_;
};

}  // namespace berth::text
