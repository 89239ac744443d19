// YamlEvents: the events of one chunk of YAML, one at a time, and what is wrong where there is no next one. The parser
// is libyaml's; no other file knows it. O(text) in all.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

#include "base/result.h"
#include "text/value.h"
#include "text/yaml_documents.h"

namespace berth::text {

// Views are valid until the next event is read.
struct YamlEvent {
  enum class Type : std::uint8_t {
    kNone,  // of no interest: starts of streams, ends of documents
    kStreamEnd,
    kDocumentStart,
    kAlias,
    kScalar,
    kSequenceStart,
    kSequenceEnd,
    kMappingStart,
    kMappingEnd,
  };
  Type type = Type::kNone;
  Origin origin;
  std::string_view anchor;  // that the node has
  std::string_view alias;   // the anchor that an alias names
  // Scalars only.
  std::string_view text;
  std::string_view tag;
  bool implicit = false;  // written plain, so that its text says its type
};

class YamlEvents {
 public:
  explicit YamlEvents(YamlChunk chunk);
  YamlEvents(const YamlEvents&) = delete;
  YamlEvents& operator=(const YamlEvents&) = delete;
  ~YamlEvents();

  // False: there is none, and fault() says why.
  [[nodiscard]] bool next();
  [[nodiscard]] const YamlEvent& event() const { return event_; }

  // Only line and column of the place are set, and these only if they are known.
  [[nodiscard]] Error fault() const;

 private:
  struct Parser;
  YamlChunk chunk_;
  std::unique_ptr<Parser> parser_;
  YamlEvent event_;
};

}  // namespace berth::text
