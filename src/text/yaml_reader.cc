#include "text/yaml_reader.h"

#include <yaml.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>

#include "text/numbers.h"
#include "text/utf8.h"
#include "text/yaml_documents.h"
#include "text/yaml_scalar.h"

namespace berth::text {
namespace {

constexpr std::int64_t kAliasNodes = 1'000'000;
constexpr std::string_view kTagPrefix = "tag:yaml.org,2002:";

// An event of libyaml that frees itself.
class Event {
 public:
  Event() = default;
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;
  ~Event() { yaml_event_delete(&event_); }

  [[nodiscard]] bool read(yaml_parser_t& parser) {
    yaml_event_delete(&event_);
    return yaml_parser_parse(&parser, &event_) != 0;
  }
  [[nodiscard]] yaml_event_type_t type() const { return event_.type; }
  [[nodiscard]] const yaml_mark_t& mark() const { return event_.start_mark; }
  [[nodiscard]] std::string_view text() const {
    return {reinterpret_cast<const char*>(event_.data.scalar.value), event_.data.scalar.length};
  }
  [[nodiscard]] bool implicit() const { return event_.data.scalar.plain_implicit != 0; }
  [[nodiscard]] std::string_view tag() const { return view(event_.data.scalar.tag); }
  [[nodiscard]] std::string_view alias() const { return view(event_.data.alias.anchor); }
  [[nodiscard]] std::string_view anchor() const {
    switch (event_.type) {
      case YAML_SCALAR_EVENT:
        return view(event_.data.scalar.anchor);
      case YAML_SEQUENCE_START_EVENT:
        return view(event_.data.sequence_start.anchor);
      case YAML_MAPPING_START_EVENT:
        return view(event_.data.mapping_start.anchor);
      default:
        return {};
    }
  }

 private:
  static std::string_view view(const yaml_char_t* text) {
    return text == nullptr ? std::string_view() : std::string_view(reinterpret_cast<const char*>(text));
  }
  yaml_event_t event_{};
};

// Reads the documents of one chunk; usually one.
class ChunkReader {
 public:
  ChunkReader(YamlChunk chunk, const ReadOptions& options, std::int32_t& document, EntryVisitor& visitor)
      : chunk_(chunk),
        options_(options),
        skip_(options.skip == nullptr ? nullptr : options.skip->root()),
        document_(document),
        visitor_(visitor),
        builder_(arena_) {
    ready_ = yaml_parser_initialize(&parser_) != 0;
    if (!ready_) return;
    yaml_parser_set_encoding(&parser_, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(&parser_, reinterpret_cast<const unsigned char*>(chunk.text.data()),
                                 chunk.text.size());
  }
  ChunkReader(const ChunkReader&) = delete;
  ChunkReader& operator=(const ChunkReader&) = delete;
  ~ChunkReader() {
    if (ready_) yaml_parser_delete(&parser_);
  }

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

  // All of these are false after a hard fault, which is then in error_.
  bool next() { return event_.read(parser_) || broken(); }
  bool document();
  bool root_mapping();
  bool list();
  bool node(ValueBuilder& builder, const SkipPaths::Node* skip, std::int32_t depth);
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
  void merge_into(ValueBuilder& builder, std::size_t mark, const Value& source, Origin origin);

  bool broken();
  [[nodiscard]] std::string_view line_of(const yaml_mark_t& mark) const;
  void soft(std::string message, Origin origin, ErrorCode code = ErrorCode::kSyntax) {
    if (!soft_) soft_ = Error{code, std::move(message), place(origin)};
  }
  // Delivers the value, or its soft fault.
  void deliver(const Value& value, std::int32_t item, Origin origin);
  void report(const Error& error);
  [[nodiscard]] Place place(Origin origin) const {
    return {"", document_, static_cast<std::int32_t>(origin.line), static_cast<std::int32_t>(origin.column), "", ""};
  }
  [[nodiscard]] Origin origin() const { return origin(event_.mark()); }
  [[nodiscard]] Origin origin(const yaml_mark_t& mark) const {
    return {static_cast<std::uint32_t>(chunk_.line) + static_cast<std::uint32_t>(mark.line),
            static_cast<std::uint32_t>(mark.column) + 1};
  }
  [[nodiscard]] bool is_merge_key() const {
    return event_.type() == YAML_SCALAR_EVENT && event_.text() == "<<" && event_.implicit();
  }

  YamlChunk chunk_;
  const ReadOptions& options_;
  const SkipPaths::Node* skip_;
  std::int32_t& document_;
  EntryVisitor& visitor_;
  yaml_parser_t parser_{};
  bool ready_ = false;
  Event event_;
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

void ChunkReader::report(const Error& error) {
  ++errors_;
  visitor_.error(error);
}

void ChunkReader::deliver(const Value& value, std::int32_t item, Origin origin) {
  if (soft_) {
    if (item != 0) soft_->message += " This is item " + std::to_string(item) + " of the list.";
    report(*std::exchange(soft_, std::nullopt));
    return;
  }
  Entry entry;
  entry.value = value;
  entry.document = document_;
  entry.item = item;
  entry.list_api_version = list_api_version_;
  entry.list_kind = list_kind_;
  entry.start = {static_cast<std::int32_t>(origin.line), static_cast<std::int32_t>(origin.column)};
  visitor_.entry(entry);
}

std::string_view ChunkReader::line_of(const yaml_mark_t& mark) const {
  std::string_view text = chunk_.text;
  for (std::size_t i = 0; i < mark.line && !text.empty(); ++i)
    text.remove_prefix(std::min(text.find('\n'), text.size() - 1) + 1);
  return text.substr(0, text.find('\n'));
}

// Turns libyaml's error into ours.
bool ChunkReader::broken() {
  if (!in_document_) ++document_;
  const std::string problem = parser_.problem == nullptr ? "unknown problem" : parser_.problem;
  if (parser_.error == YAML_MEMORY_ERROR) {
    report({ErrorCode::kLimit, "There is not enough memory for this YAML document; split it.", place({})});
    return false;
  }
  if (parser_.error == YAML_READER_ERROR) {
    const std::string_view before = chunk_.text.substr(0, std::min(parser_.problem_offset, chunk_.text.size()));
    const std::size_t last = before.rfind('\n');
    const auto breaks = static_cast<std::uint32_t>(std::count(before.begin(), before.end(), '\n'));
    const std::size_t column = last == std::string_view::npos ? before.size() + 1 : before.size() - last;
    report({ErrorCode::kSyntax,
            "The text holds bytes that YAML does not allow (" + problem +
                "); save the file as UTF-8 without control characters.",
            place({static_cast<std::uint32_t>(chunk_.line) + breaks, static_cast<std::uint32_t>(column)})});
    return false;
  }
  const bool tab = line_of(parser_.problem_mark).find('\t') != std::string_view::npos;
  std::string message = "The YAML is broken: " + problem;
  if (parser_.context != nullptr) message += std::string(" ") + parser_.context;
  message += tab ? "; a tab cannot indent YAML, so replace it with spaces."
                 : "; check indentation, quotes and brackets here and in the line above.";
  report({ErrorCode::kSyntax, std::move(message), place(origin(parser_.problem_mark))});
  return false;
}

Value ChunkReader::scalar(ValueBuilder& builder) {
  ++nodes_;
  const Origin here = origin();
  std::string_view tag = event_.tag();
  const auto string = [&] { return Value::string(builder.arena().copy(event_.text()), here); };
  if (tag.empty() && !event_.implicit()) return string();
  YamlScalar resolved = resolve_yaml_scalar(event_.text());
  if (!tag.empty()) {
    if (!tag.starts_with(kTagPrefix)) return string();
    tag.remove_prefix(kTagPrefix.size());
    const bool whole = resolved.type == YamlType::kInteger || resolved.type == YamlType::kUnsigned;
    if (tag == "binary") {
      soft("The tag !!binary is not supported; write the base64 text in quotes instead.", here);
      return Value::null(here);
    }
    if (tag == "str" || tag == "timestamp") return string();
    const bool fits = (tag == "int" && whole) || (tag == "float" && (whole || resolved.type == YamlType::kFloat)) ||
                      (tag == "bool" && (resolved.type == YamlType::kTrue || resolved.type == YamlType::kFalse)) ||
                      (tag == "null" && resolved.type == YamlType::kNull) || resolved.type == YamlType::kNotFinite;
    const bool known = tag == "int" || tag == "float" || tag == "bool" || tag == "null";
    if (!known) return string();
    if (!fits) {
      soft("The value \"" + std::string(event_.text()) + "\" is not what its tag !!" + std::string(tag) +
               " says; remove the tag or correct the value.",
           here);
      return Value::null(here);
    }
  }
  switch (resolved.type) {
    case YamlType::kString:
      return string();
    case YamlType::kNull:
      return Value::null(here);
    case YamlType::kTrue:
    case YamlType::kFalse:
      return Value::boolean(resolved.type == YamlType::kTrue, here);
    case YamlType::kInteger:
    case YamlType::kUnsigned:
    case YamlType::kFloat:
      return Value::number(builder.arena().copy(resolved.number), here);
    case YamlType::kNotFinite:
      soft("The value " + std::string(event_.text()) +
               " is not a number that JSON has; put it in quotes or write a finite number.",
           here);
      return Value::null(here);
  }
  return Value::null(here);
}

Value ChunkReader::alias() {
  const Origin here = origin();
  const auto found = anchors_.find(std::string(event_.alias()));
  if (found == anchors_.end()) {
    soft("The alias *" + std::string(event_.alias()) + " names an anchor that does not come before it; add &" +
             std::string(event_.alias()) + " to the value it stands for.",
         here);
    return Value::null(here);
  }
  if (found->second.faulty) {
    soft("The alias *" + std::string(event_.alias()) + " stands for a value that is faulty itself; correct that one.",
         here);
    return Value::null(here);
  }
  nodes_ += found->second.nodes;
  alias_nodes_ += found->second.nodes;
  if (alias_nodes_ > kAliasNodes) {
    soft(
        "The aliases of this document stand for more than a million values; write the values out or split the "
        "document.",
        here, ErrorCode::kLimit);
    return Value::null(here);
  }
  return found->second.value;
}

// The string that a key becomes, as the YAML bridge of Kubernetes converts it.
Value ChunkReader::key(ValueBuilder& builder) {
  const Origin here = origin();
  if (event_.type() == YAML_ALIAS_EVENT) return key_from(alias(), builder, here);
  if (options_.keys_as_written) {
    ++nodes_;
    return Value::string(builder.arena().copy(event_.text()), here);
  }
  if (event_.tag().empty()) {
    ++nodes_;
    if (!event_.implicit()) return Value::string(builder.arena().copy(event_.text()), here);
    const YamlScalar resolved = resolve_yaml_scalar(event_.text());
    if (resolved.type == YamlType::kString) return Value::string(builder.arena().copy(event_.text()), here);
    if (resolved.type == YamlType::kFloat)
      return Value::string(builder.arena().copy(go_float32_key(resolved.real)), here);
  }
  return key_from(scalar(builder), builder, here);
}

Value ChunkReader::key_from(const Value& value, ValueBuilder& builder, Origin here) {
  switch (value.kind()) {
    case Kind::kString:
      return Value::string(value.text(), here);
    case Kind::kBool:
      return Value::string(value.is_true() ? "true" : "false", here);
    case Kind::kNumber:
      if (value.as_int64()) return Value::string(value.text(), here);
      if (const auto real = value.as_double(); real && !value.as_uint64())
        return Value::string(builder.arena().copy(go_float32_key(*real)), here);
      break;
    case Kind::kNull:
    case Kind::kArray:
    case Kind::kObject:
      break;
  }
  soft("A key cannot be " + std::string(value.as_uint64() ? "an integer of this size" : describe(value.kind())) +
           "; put the key in quotes.",
       here);
  return Value::string("", here);
}

bool ChunkReader::node(ValueBuilder& builder, const SkipPaths::Node* skip, std::int32_t depth) {
  const std::int64_t before = nodes_;
  const std::string anchor(event_.anchor());
  Value value;
  switch (event_.type()) {
    case YAML_ALIAS_EVENT:
      builder.push(alias());
      return true;
    case YAML_SCALAR_EVENT:
      value = scalar(builder);
      break;
    case YAML_SEQUENCE_START_EVENT:
      if (!sequence(builder, skip, depth + 1, value)) return false;
      break;
    case YAML_MAPPING_START_EVENT:
      if (!mapping(builder, skip, depth + 1, value)) return false;
      break;
    default:
      break;  // libyaml delivers no other event where a node must be
  }
  if (!anchor.empty()) anchors_[anchor] = {value, nodes_ - before, soft_.has_value()};
  builder.push(value);
  return true;
}

bool ChunkReader::sequence(ValueBuilder& builder, const SkipPaths::Node* skip, std::int32_t depth, Value& out) {
  const Origin here = origin();
  ++nodes_;
  if (depth > options_.max_depth) {
    report({ErrorCode::kLimit,
            "The YAML is nested too deeply; no Kubernetes object needs that, so look for a damaged file.",
            place(here)});
    return false;
  }
  const std::size_t mark = builder.mark();
  for (;;) {
    if (!next()) return false;
    if (event_.type() == YAML_SEQUENCE_END_EVENT) break;
    if (!node(builder, skip, depth)) return false;
  }
  out = builder.take_array(mark, here);
  return true;
}

bool ChunkReader::complex_key(ValueBuilder& builder, std::int32_t depth) {
  soft("A key cannot be a list or a mapping; write a plain key, and a space behind ':' in flow mappings.", origin());
  const std::size_t mark = builder.mark();
  if (!node(builder, nullptr, depth) || !next() || !node(builder, nullptr, depth)) return false;
  builder.drop_to(mark);
  return true;
}

bool ChunkReader::member(ValueBuilder& builder, const SkipPaths::Node* skip, std::int32_t depth,
                         std::vector<Merge>& merges) {
  if (event_.type() != YAML_SCALAR_EVENT && event_.type() != YAML_ALIAS_EVENT) return complex_key(builder, depth);
  const std::size_t mark = builder.mark();
  const bool merge = is_merge_key();
  const std::string anchor(event_.anchor());
  const Value name = key(builder);
  if (!anchor.empty()) anchors_[anchor] = {name, 1, soft_.has_value()};
  const SkipPaths::Node* child = skip == nullptr || merge ? skip : skip->find(name.text());
  builder.push(name);
  if (!next()) return false;
  const Origin value_origin = origin();
  if (!node(builder, merge ? skip : child, depth)) return false;
  if (merge) {
    merges.push_back({builder.pending(mark + 1), value_origin});
    builder.drop_to(mark);
  } else if (child != nullptr && child->dropped) {
    builder.drop_to(mark);
  }
  return true;
}

void ChunkReader::merge_into(ValueBuilder& builder, std::size_t mark, const Value& source, Origin here) {
  if (!source.is_object()) {
    soft("A merge key << takes a mapping or a list of mappings, not " + std::string(describe(source.kind())) +
             "; correct what stands behind it.",
         here);
    return;
  }
  for (const Member& merged : source.members()) {
    bool known = false;
    for (std::size_t i = mark; i < builder.mark() && !known; i += 2) known = builder.pending(i).text() == merged.name();
    if (known) continue;
    builder.push(merged.key);
    builder.push(merged.value);
  }
}

Value ChunkReader::finish_mapping(ValueBuilder& builder, std::size_t mark, Origin here,
                                  const std::vector<Merge>& merges) {
  if (const Value* duplicate = builder.duplicate_key(mark)) {
    const bool outermost = place(duplicate->origin()).column == 1;
    soft("The key \"" + std::string(duplicate->text()) + "\" comes twice in one mapping; remove one of the two" +
             (outermost ? ", or put a line --- between two files that were joined here." : "."),
         duplicate->origin());
  }
  for (const Merge& merge : merges) {
    if (merge.value.is_array()) {
      for (const Value& source : merge.value.items()) merge_into(builder, mark, source, merge.origin);
    } else {
      merge_into(builder, mark, merge.value, merge.origin);
    }
  }
  return builder.take_object(mark, here);
}

// A few bytes of gzip unpack to millions of keys.
bool ChunkReader::has_few_keys(const ValueBuilder& builder, std::size_t mark, Origin here) {
  constexpr std::size_t kMost = std::size_t{1} << 20U;
  if (builder.mark() - mark <= 2 * kMost) return true;
  report({ErrorCode::kLimit,
          "This mapping has more than " + std::to_string(kMost) +
              " keys; no Kubernetes object has so many, so look for a damaged file.",
          place(here)});
  return false;
}

bool ChunkReader::mapping(ValueBuilder& builder, const SkipPaths::Node* skip, std::int32_t depth, Value& out) {
  const Origin here = origin();
  ++nodes_;
  if (depth > options_.max_depth) {
    report({ErrorCode::kLimit,
            "The YAML is nested too deeply; no Kubernetes object needs that, so look for a damaged file.",
            place(here)});
    return false;
  }
  const std::size_t mark = builder.mark();
  std::vector<Merge> merges;
  for (;;) {
    if (!next()) return false;
    if (event_.type() == YAML_MAPPING_END_EVENT) break;
    if (!member(builder, skip, depth, merges) || !has_few_keys(builder, mark, here)) return false;
  }
  out = finish_mapping(builder, mark, here, merges);
  return true;
}

// The event is the start of the sequence of items.
bool ChunkReader::list() {
  ValueBuilder items(item_arena_);
  for (std::int32_t number = 1;; ++number) {
    if (!next()) return false;
    if (event_.type() == YAML_SEQUENCE_END_EVENT) return true;
    // Anchors may be used by later items, so with anchors nothing is given back before the end of the document.
    if (anchors_.empty()) item_arena_.reset();
    items.drop_to(0);
    const Origin here = origin();
    if (!node(items, skip_, 1)) return false;
    deliver(items.pending(0), number, here);
  }
}

bool ChunkReader::root_mapping() {
  const Origin here = origin();
  std::vector<Merge> merges;
  bool listed = false;
  for (;;) {
    if (!next()) return false;
    if (event_.type() == YAML_MAPPING_END_EVENT) break;
    if (listed || !options_.split_lists || event_.type() != YAML_SCALAR_EVENT || event_.text() != "items") {
      if (!member(builder_, listed ? nullptr : skip_, 1, merges) || !has_few_keys(builder_, 0, here)) return false;
      continue;
    }
    const std::size_t mark = builder_.mark();
    builder_.push(key(builder_));
    if (!next()) return false;
    if (event_.type() != YAML_SEQUENCE_START_EVENT) {
      if (!node(builder_, nullptr, 1)) return false;
      continue;
    }
    builder_.drop_to(mark);
    for (std::size_t i = 0; i + 1 < builder_.mark(); i += 2) {
      if (builder_.pending(i).text() == "apiVersion") list_api_version_ = builder_.pending(i + 1).text();
      if (builder_.pending(i).text() == "kind") list_kind_ = builder_.pending(i + 1).text();
    }
    if (soft_) report(*std::exchange(soft_, std::nullopt));
    if (!list()) return false;
    listed = true;
  }
  const Value root = finish_mapping(builder_, 0, here, merges);
  if (!listed || soft_) deliver(root, 0, here);
  return true;
}

bool ChunkReader::document() {
  arena_.reset();
  item_arena_.reset();
  anchors_.clear();
  builder_.drop_to(0);
  nodes_ = alias_nodes_ = 0;
  soft_.reset();
  list_api_version_.clear();
  list_kind_.clear();
  if (!next()) return false;
  const bool nothing = event_.type() == YAML_SCALAR_EVENT && event_.text().empty() && event_.implicit();
  if (nothing) return true;
  ++document_;
  in_document_ = true;
  const Origin here = origin();
  if (event_.type() == YAML_MAPPING_START_EVENT) {
    if (!root_mapping()) return false;
  } else if (event_.type() == YAML_SEQUENCE_START_EVENT && options_.split_lists) {
    if (!list()) return false;
  } else {
    if (!node(builder_, skip_, 0)) return false;
    deliver(builder_.pending(0), 0, here);
  }
  in_document_ = false;
  return true;
}

std::int32_t ChunkReader::read() {
  if (!ready_) {
    report({ErrorCode::kLimit, "There is not enough memory to read YAML.", place({})});
    return errors_;
  }
  for (;;) {
    if (!next() || event_.type() == YAML_STREAM_END_EVENT) return errors_;
    if (event_.type() == YAML_DOCUMENT_START_EVENT && !document()) return errors_;
  }
}

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
    errors += ChunkReader(*chunk, options, document, visitor).read();
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
