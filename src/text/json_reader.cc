#include "text/json_reader.h"

#include <cstring>
#include <utility>

#include <boost/unordered/unordered_flat_set.hpp>

#include "text/json_parser.h"
#include "text/list_shape.h"
#include "text/utf8.h"
#include "text/window.h"

namespace berth::text {
namespace {

// Offsets inside one tree are kept in 29 bits.
constexpr std::size_t kLargestTree = std::size_t{512} << 20U;

Error too_large() {
  return {
      ErrorCode::kLimit,
      "One JSON value is larger than 512 MiB; split it, or write it as a list with `items`, which may have any size.",
      {}};
}

// Of the last member of this name among those on the stack.
std::string_view text_of(ValueBuilder& builder, std::string_view name) {
  std::string_view text;
  for (std::size_t i = 0; i + 1 < builder.mark(); i += 2)
    if (builder.pending(i).text() == name) text = builder.pending(i + 1).text();
  return text;
}

}  // namespace

Result<Document> parse_json(std::string_view text, const ReadOptions& options) {
  if (text.size() >= kLargestTree) return std::unexpected(too_large());
  Arena arena;
  auto* copy = static_cast<char*>(arena.allocate(text.size() + JsonParser::kPadding));
  if (!text.empty()) std::memcpy(copy, text.data(), text.size());
  std::memset(copy + text.size(), 0, JsonParser::kPadding);
  JsonParser parser(copy, copy + text.size(), options.max_depth);
  if (text.starts_with(kByteOrderMark)) parser = JsonParser(copy + 3, copy + text.size(), options.max_depth);
  ValueBuilder builder(arena);
  JsonFault fault;
  parser.skip_space();
  if (parser.at_end()) {
    return fail(ErrorCode::kSyntax, "The text is empty; a JSON value is expected.", Place{"", 0, 1, 1, "", ""});
  }
  if (!parser.value(builder, options.skip == nullptr ? nullptr : options.skip->root(), 0)) {
    fault = parser.hard();
  } else if (parser.soft()) {
    fault = parser.soft();
  } else {
    parser.skip_space();
    if (!parser.at_end()) fault = {JsonFault::Cause::kComma, parser.at(), {}};
  }
  if (!fault) {
    const Value root = builder.pending(0);
    return Document(std::move(arena), root);
  }
  Entry whole;
  whole.start = {options.first_line, 1};
  whole.json = {copy, text.size()};
  const auto offset = static_cast<std::uint32_t>(fault.at - copy);
  const Location location = whole.locate(Value::null({0, offset}));
  std::string message = parser.hard() || parser.soft()
                            ? fault.message()
                            : "More text follows behind the end of the JSON value; remove it, or give one value only.";
  return fail(ErrorCode::kSyntax, std::move(message), Place{"", 0, location.line, location.column, "", ""});
}

class JsonReader::Impl {
 public:
  Impl(ByteSource& source, const ReadOptions& options, EntryVisitor& visitor)
      : window_(source, options.first_line),
        options_(options),
        skip_(options.skip == nullptr ? nullptr : options.skip->root()),
        visitor_(visitor),
        document_(options.first_document - 1) {}

  End read(bool flow_may_be_yaml);
  Result<std::string> rest();
  [[nodiscard]] std::int32_t rest_document() const { return document_; }
  [[nodiscard]] std::int32_t rest_line() { return window_.locate(start_).line; }

 private:
  // What came of reading a document or an item from the window.
  enum class Outcome : std::uint8_t {
    kDone,
    kCut,     // the window ends inside it and the source goes on
    kBroken,  // hard fault, not yet reported
    kGivenUp  // the source failed, or too many errors; reported
  };

  // Moves to the start of the next document. False at the end of the source or where not JSON follows.
  bool find_document(JsonParser& parser, End& end);
  bool skip_separator_line(JsonParser& parser);
  Outcome document(JsonParser& parser);
  Outcome object_document(JsonParser& parser, ValueBuilder& builder);
  struct Header {
    std::string_view api_version;
    std::string_view kind;
  };
  // The parser stands behind the '['.
  Outcome list(JsonParser& parser, const Header& header, bool in_object);
  Outcome list_item(JsonParser& parser, ValueBuilder& builder, std::int32_t number, bool in_object);
  // After the items: the rest of the list's object, which may say the kind of the list.
  Outcome rest_of_list(JsonParser& parser);
  // False if there are too many errors.
  bool note_list_key(const std::string& name, const char* at);
  // Keeps an item that has no kind while its list has none yet, for the list may have it behind the items. False if the
  // item does not wait.
  bool keep_for_kind(const Value& value, std::int32_t number, const char* start, const char* end);
  void deliver_kept();
  // One step inside a list that may need more text: f() says whether it succeeded.
  template <class Step>
  Outcome step(JsonParser& parser, Step f);

  bool resume_behind_fault(JsonParser& parser);
  Outcome outcome_of_fault(const JsonParser& parser) const;
  void deliver(const Value& value, std::int32_t item, Location start, std::string_view json);
  void deliver(const Value& value, std::int32_t item, const char* start, const char* end);
  bool report(const JsonFault& fault, std::int32_t item);
  bool read_on(JsonParser& parser, const char* keep);
  JsonParser parser_at(const char* at) { return {at, window_.end(), options_.max_depth}; }

  Window window_;
  ReadOptions options_;
  const SkipPaths::Node* skip_;
  EntryVisitor& visitor_;
  std::int32_t document_;        // number of the document that is being read
  const char* start_ = nullptr;  // where it starts, while it is whole in the window
  std::int32_t errors_ = 0;
  bool streaming_ = false;  // items of this document were delivered: it can no longer be started over
  std::string list_api_version_;
  std::string list_kind_;
  boost::unordered_flat_set<std::string> list_keys_;  // of the list's object, so far
  struct Kept {
    std::string json;
    std::int32_t item = 0;
    Location start;
  };
  std::vector<Kept> kept_;  // items that wait for the kind of their list
  std::size_t kept_bytes_ = 0;
  Arena arena_;
  Arena item_arena_;
};

bool JsonReader::Impl::read_on(JsonParser& parser, const char* keep) {
  if (keep != nullptr && static_cast<std::size_t>(window_.end() - keep) >= kLargestTree) {
    Error error = too_large();
    error.place.document = document_;
    visitor_.error(error);
    return false;
  }
  if (auto more = window_.read_on(keep); !more) {
    Error error = std::move(more).error();
    error.place.document = document_;
    visitor_.error(error);
    return false;
  }
  parser = parser_at(window_.begin());
  return true;
}

bool JsonReader::Impl::report(const JsonFault& fault, std::int32_t item) {
  const Location location = window_.locate(fault.at);
  std::string message = fault.message();
  if (item != 0) message += " This is item " + std::to_string(item) + " of the list.";
  visitor_.error(
      {ErrorCode::kSyntax, std::move(message), Place{"", document_, location.line, location.column, "", ""}});
  if (++errors_ < options_.max_errors) return true;
  visitor_.error({ErrorCode::kLimit,
                  "There are " + std::to_string(errors_) +
                      " errors already, so the rest of this input is not read; correct these first.",
                  Place{"", document_, location.line, location.column, "", ""}});
  return false;
}

void JsonReader::Impl::deliver(const Value& value, std::int32_t item, Location start, std::string_view json) {
  Entry entry;
  entry.value = value;
  entry.document = document_;
  entry.item = item;
  entry.list_api_version = list_api_version_;
  entry.list_kind = list_kind_;
  entry.start = start;
  entry.json = json;
  visitor_.entry(entry);
}

void JsonReader::Impl::deliver(const Value& value, std::int32_t item, const char* start, const char* end) {
  deliver(value, item, window_.locate(start), {start, static_cast<std::size_t>(end - start)});
}

bool JsonReader::Impl::keep_for_kind(const Value& value, std::int32_t number, const char* start, const char* end) {
  static constexpr std::size_t kMostKept = std::size_t{1} << 30U;
  const auto bytes = static_cast<std::size_t>(end - start);
  if (!list_kind_.empty() || !value.is_object() || value.find("kind") != nullptr || kept_bytes_ + bytes > kMostKept)
    return false;
  kept_.push_back({std::string(start, end), number, window_.locate(start)});
  kept_bytes_ += bytes;
  return true;
}

void JsonReader::Impl::deliver_kept() {
  for (Kept& kept : std::exchange(kept_, {})) {
    const std::size_t size = kept.json.size();
    kept.json.append(JsonParser::kPadding, '\0');
    item_arena_.reset();
    ValueBuilder builder(item_arena_);
    JsonParser parser(kept.json.data(), kept.json.data() + size, options_.max_depth);
    // It was read once already.
    if (parser.value(builder, skip_, 1))
      deliver(builder.pending(0), kept.item, kept.start, std::string_view(kept.json).substr(0, size));
  }
  kept_bytes_ = 0;
}

JsonReader::Impl::Outcome JsonReader::Impl::outcome_of_fault(const JsonParser& parser) const {
  return parser.hard().cause == JsonFault::Cause::kEnd && !window_.exhausted() ? Outcome::kCut : Outcome::kBroken;
}

// `---` with nothing but a comment behind it, as between YAML documents. The parser stands on the first '-'.
bool JsonReader::Impl::skip_separator_line(JsonParser& parser) {
  const char* at = parser.at();
  if (parser.end() - at < 3 || std::string_view(at, 3) != "---") return false;
  at += 3;
  while (at < parser.end() && (*at == ' ' || *at == '\t' || *at == '\r')) ++at;
  if (at < parser.end() && *at == '#')
    while (at < parser.end() && *at != '\n') ++at;
  if (at < parser.end() && *at != '\n') return false;
  parser = parser_at(at);
  return true;
}

bool JsonReader::Impl::find_document(JsonParser& parser, End& end) {
  constexpr std::ptrdiff_t kLookAhead = 4096;  // a separator line is shorter
  bool separated = document_ < options_.first_document;
  for (;;) {
    parser.skip_space();
    // YAML needs the indentation of its first line.
    start_ = parser.at();
    while (start_ > window_.begin() && (start_[-1] == ' ' || start_[-1] == '\t')) --start_;
    if (parser.end() - parser.at() < kLookAhead && !window_.exhausted()) {
      if (!read_on(parser, start_)) {
        end = End::kGivenUp;
        return false;
      }
      continue;
    }
    if (parser.at_end()) {
      end = End::kSource;
      return false;
    }
    // In front of any document, as it comes from files that were joined.
    if (std::string_view(parser.at(), parser.end()).starts_with(kByteOrderMark)) {
      parser = parser_at(parser.at() + kByteOrderMark.size());
      continue;
    }
    if (!skip_separator_line(parser)) break;
    separated = true;
  }
  const bool like_json = *parser.at() == '{' || *parser.at() == '[';
  if (separated && !like_json) {
    ++document_;
    end = End::kNotJson;
    return false;
  }
  start_ = parser.at();
  return true;
}

// Moves behind a hard fault, to the next line that starts with '{'. False if the source has none.
bool JsonReader::Impl::resume_behind_fault(JsonParser& parser) {
  const char* at = parser.hard().at;
  for (;;) {
    const std::string_view rest(at, static_cast<std::size_t>(window_.end() - at));
    if (const std::size_t found = rest.find("\n{"); found != std::string_view::npos) {
      parser = parser_at(at + found + 1);
      return true;
    }
    if (window_.exhausted()) return false;
    const std::size_t overlap = rest.empty() ? 0 : 1;
    if (!read_on(parser, window_.end() - overlap)) return false;
    at = window_.begin();
  }
}

JsonReader::End JsonReader::Impl::read(bool flow_may_be_yaml) {
  JsonParser parser(nullptr, nullptr, 0);
  if (!read_on(parser, nullptr)) return End::kGivenUp;
  End end = End::kSource;
  while (find_document(parser, end)) {
    ++document_;
    streaming_ = false;
    list_api_version_.clear();
    list_kind_.clear();
    Outcome outcome = document(parser);
    while (outcome == Outcome::kCut) {  // only before the first item: start over with more text
      if (!read_on(parser, start_)) return End::kGivenUp;
      start_ = window_.begin();
      outcome = document(parser);
    }
    if (outcome == Outcome::kGivenUp) return End::kGivenUp;
    if (outcome == Outcome::kDone) continue;
    const JsonFault::Cause cause = parser.hard().cause;
    const bool like_flow = cause == JsonFault::Cause::kKey || cause == JsonFault::Cause::kValue;
    if (flow_may_be_yaml && like_flow && !streaming_ && document_ == options_.first_document) return End::kNotJson;
    if (!report(parser.hard(), 0)) return End::kGivenUp;
    if (!resume_behind_fault(parser)) return End::kSource;
  }
  return end;
}

Result<std::string> JsonReader::Impl::rest() {
  static constexpr std::size_t kMostText = std::size_t{2} << 30U;
  std::string text;
  const char* keep = start_;
  for (;;) {
    text.append(keep, static_cast<std::size_t>(window_.end() - keep));
    if (window_.exhausted()) return text;
    if (text.size() > kMostText)
      return fail(ErrorCode::kLimit,
                  "The YAML is larger than 2 GiB; split it, or write JSON, which has no such limit.");
    BERTH_TRY_VOID(window_.read_on(window_.end()));
    keep = window_.begin();
  }
}

JsonReader::Impl::Outcome JsonReader::Impl::document(JsonParser& parser) {
  arena_.reset();
  ValueBuilder builder(arena_);
  parser.clear_soft();
  parser.set_origin(start_);
  if (options_.split_lists) {
    if (*parser.at() == '{') return object_document(parser, builder);
    if (parser.take('[')) return list(parser, {}, false);
  }
  if (!parser.value(builder, skip_, 0)) return outcome_of_fault(parser);
  // A number may go on behind the end of the window.
  if (parser.at_end() && !window_.exhausted()) return Outcome::kCut;
  if (parser.soft()) return report(parser.soft(), 0) ? Outcome::kDone : Outcome::kGivenUp;
  deliver(builder.pending(0), 0, start_, parser.at());
  return Outcome::kDone;
}

JsonReader::Impl::Outcome JsonReader::Impl::object_document(JsonParser& parser, ValueBuilder& builder) {
  const char* const start = parser.at();
  static_cast<void>(parser.take('{'));
  parser.skip_space();
  bool more = !parser.take('}');
  while (more) {
    Value name;
    if (!parser.key(builder, name)) return outcome_of_fault(parser);
    if (name.text() == "items" && *parser.at() == '[' && may_be_list(text_of(builder, "kind"))) {
      static_cast<void>(parser.take('['));
      const Header header{text_of(builder, "apiVersion"), text_of(builder, "kind")};
      builder.push(name);
      builder.push(Value::null());
      list_keys_.clear();
      for (const Member& member : parser.finish_object(builder, 0, start).members())
        list_keys_.insert(std::string(member.name()));
      if (parser.soft() && !report(parser.soft(), 0)) return Outcome::kGivenUp;
      return list(parser, header, true);
    }
    const SkipPaths::Node* child = skip_ == nullptr ? nullptr : skip_->find(name.text());
    if (child != nullptr && child->dropped) {
      if (!parser.skip_value(1)) return outcome_of_fault(parser);
    } else {
      builder.push(name);
      if (!parser.value(builder, child, 1)) return outcome_of_fault(parser);
    }
    if (!parser.separator('}', more)) return outcome_of_fault(parser);
  }
  const Value root = parser.finish_object(builder, 0, start);
  if (parser.soft()) return report(parser.soft(), 0) ? Outcome::kDone : Outcome::kGivenUp;
  deliver(root, 0, start, parser.at());
  return Outcome::kDone;
}

template <class Step>
JsonReader::Impl::Outcome JsonReader::Impl::step(JsonParser& parser, Step f) {
  for (;;) {
    const char* const start = parser.at();
    parser.clear_soft();
    parser.set_origin(start);
    if (f()) return Outcome::kDone;
    const Outcome outcome = outcome_of_fault(parser);
    if (outcome != Outcome::kCut) return outcome;
    if (!read_on(parser, start)) return Outcome::kGivenUp;
  }
}

JsonReader::Impl::Outcome JsonReader::Impl::list_item(JsonParser& parser, ValueBuilder& builder, std::int32_t number,
                                                      bool in_object) {
  const char* start = nullptr;
  const char* end = nullptr;
  const Outcome outcome = step(parser, [&] {
    item_arena_.reset();
    builder.drop_to(0);
    parser.skip_space();  // the window may have ended within it
    start = parser.at();
    if (!parser.value(builder, skip_, 1)) return false;
    end = parser.at();
    return parser.expect_text();  // a number is complete only when something follows
  });
  if (outcome != Outcome::kDone) return outcome;
  if (parser.soft()) return report(parser.soft(), number) ? Outcome::kDone : Outcome::kGivenUp;
  streaming_ = true;
  const Value item = builder.pending(0);
  if (!in_object || !keep_for_kind(item, number, start, end)) deliver(item, number, start, end);
  return Outcome::kDone;
}

JsonReader::Impl::Outcome JsonReader::Impl::list(JsonParser& parser, const Header& header, bool in_object) {
  list_api_version_ = header.api_version;
  list_kind_ = header.kind;
  ValueBuilder builder(item_arena_);
  bool more = true;
  Outcome outcome = step(parser, [&] {
    parser.skip_space();
    more = !parser.take(']');
    return parser.at() < parser.end() || !more || parser.expect_text();
  });
  for (std::int32_t number = 1; outcome == Outcome::kDone && more; ++number) {
    outcome = list_item(parser, builder, number, in_object);
    if (outcome == Outcome::kDone) outcome = step(parser, [&] { return parser.separator(']', more); });
  }
  if (outcome == Outcome::kDone && in_object) outcome = rest_of_list(parser);
  deliver_kept();
  return outcome;
}

bool JsonReader::Impl::note_list_key(const std::string& name, const char* at) {
  // No list has so many; they must not fill the memory.
  static constexpr std::size_t kMost = std::size_t{1} << 20U;
  if (name == "kind" && !may_be_list(list_kind_) && !list_keys_.contains(name)) {
    const Location location = window_.locate(at);
    visitor_.error({ErrorCode::kSyntax, no_list_message(list_kind_),
                    Place{"", document_, location.line, location.column, "", ""}});
  }
  if (list_keys_.size() >= kMost || list_keys_.insert(name).second) return true;
  return report({JsonFault::Cause::kDuplicate, at, name}, 0);
}

JsonReader::Impl::Outcome JsonReader::Impl::rest_of_list(JsonParser& parser) {
  bool more = true;
  Outcome outcome = step(parser, [&] { return parser.separator('}', more); });
  while (outcome == Outcome::kDone && more) {
    const char* at = nullptr;
    std::string key;
    outcome = step(parser, [&] {
      arena_.reset();
      ValueBuilder builder(arena_);
      Value name;
      parser.skip_space();
      at = parser.at();
      if (!parser.key(builder, name)) return false;
      key = name.text();
      std::string* const said = name.text() == "kind"         ? &list_kind_
                                : name.text() == "apiVersion" ? &list_api_version_
                                                              : nullptr;
      if (said == nullptr || !said->empty() || *parser.at() != '"')
        return parser.skip_value(1) && parser.separator('}', more);
      if (!parser.value(builder, nullptr, 1)) return false;
      std::string text(builder.pending(0).text());
      if (!parser.separator('}', more)) return false;
      *said = std::move(text);
      return true;
    });
    if (outcome == Outcome::kDone && !note_list_key(key, at)) return Outcome::kGivenUp;
  }
  return outcome;
}

JsonReader::JsonReader(ByteSource& source, const ReadOptions& options, EntryVisitor& visitor)
    : impl_(std::make_unique<Impl>(source, options, visitor)) {}
JsonReader::~JsonReader() = default;

JsonReader::End JsonReader::read(bool flow_may_be_yaml) { return impl_->read(flow_may_be_yaml); }
Result<std::string> JsonReader::rest() { return impl_->rest(); }
std::int32_t JsonReader::rest_document() const { return impl_->rest_document(); }
std::int32_t JsonReader::rest_line() const { return impl_->rest_line(); }

}  // namespace berth::text
