#include "text/yaml_reader.h"

#include <optional>
#include <string>
#include <utility>

#include "text/yaml_chunk_reader.h"
#include "text/yaml_documents.h"

namespace berth::text {
namespace {

// Keeps a copy of the one entry of parse_yaml.
class Single final : public EntryVisitor {
 public:
  void entry(const Entry& entry) override {
    ++entries_;
    builder_.push(copy(entry.value));
  }
  void error(const Error& error) override {
    if (!error_) error_ = error;
  }

  std::optional<Error> error_;
  std::int32_t entries_ = 0;
  Arena arena_;
  ValueBuilder builder_{arena_};

 private:
  Value copy(const Value& value);
};

Value Single::copy(const Value& value) {
  const Origin origin = value.origin();
  switch (value.kind()) {
    case Kind::kNull:
    case Kind::kBool:
      return value;
    case Kind::kNumber:
      return Value::number(arena_.copy(value.text()), origin);
    case Kind::kString:
      return Value::string(arena_.copy(value.text()), origin);
    case Kind::kArray: {
      const std::size_t mark = builder_.mark();
      for (const Value& item : value.items()) builder_.push(copy(item));
      return builder_.take_array(mark, origin);
    }
    case Kind::kObject: {
      const std::size_t mark = builder_.mark();
      for (const Member& member : value.members()) {
        builder_.push(copy(member.key));
        builder_.push(copy(member.value));
      }
      return builder_.take_object(mark, origin);
    }
  }
  return {};
}

}  // namespace

void read_yaml(std::string_view text, const ReadOptions& options, EntryVisitor& visitor) {
  std::int32_t document = options.first_document - 1;
  if (text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF")) {
    visitor.error({ErrorCode::kSyntax, "The text is UTF-16; save the file as UTF-8.", Place{"", 1, 1, 1, "", ""}});
    return;
  }
  std::int32_t errors = 0;
  YamlDocuments documents(text, options.first_line);
  while (const auto chunk = documents.next()) {
    errors += YamlChunkReader(*chunk, options, document, visitor).read();
    if (errors < options.max_errors) continue;
    visitor.error({ErrorCode::kLimit,
                   "There are " + std::to_string(errors) +
                       " errors already, so the rest of this input is not read; correct these first.",
                   Place{"", document, chunk->line, 0, "", ""}});
    return;
  }
}

Result<Document> parse_yaml(std::string_view text, const ReadOptions& options) {
  Single single;
  ReadOptions whole = options;
  whole.split_lists = false;
  read_yaml(text, whole, single);
  if (single.error_) return std::unexpected(*std::move(single.error_));
  if (single.entries_ == 0) return fail(ErrorCode::kSyntax, "The text is empty; a YAML document is expected.");
  if (single.entries_ > 1) return fail(ErrorCode::kSyntax, "The text holds several YAML documents; give one only.");
  const Value root = single.builder_.pending(0);
  return Document(std::move(single.arena_), root);
}

}  // namespace berth::text
