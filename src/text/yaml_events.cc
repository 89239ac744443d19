#include "text/yaml_events.h"

#include <yaml.h>

#include <algorithm>
#include <string>
#include <utility>

namespace berth::text {
namespace {

std::string_view view(const yaml_char_t* text) {
  return text == nullptr ? std::string_view() : std::string_view(reinterpret_cast<const char*>(text));
}

YamlEvent::Type type_of(yaml_event_type_t type) {
  switch (type) {
    case YAML_NO_EVENT:
    case YAML_STREAM_START_EVENT:
    case YAML_DOCUMENT_END_EVENT:
      return YamlEvent::Type::kNone;
    case YAML_STREAM_END_EVENT:
      return YamlEvent::Type::kStreamEnd;
    case YAML_DOCUMENT_START_EVENT:
      return YamlEvent::Type::kDocumentStart;
    case YAML_ALIAS_EVENT:
      return YamlEvent::Type::kAlias;
    case YAML_SCALAR_EVENT:
      return YamlEvent::Type::kScalar;
    case YAML_SEQUENCE_START_EVENT:
      return YamlEvent::Type::kSequenceStart;
    case YAML_SEQUENCE_END_EVENT:
      return YamlEvent::Type::kSequenceEnd;
    case YAML_MAPPING_START_EVENT:
      return YamlEvent::Type::kMappingStart;
    case YAML_MAPPING_END_EVENT:
      return YamlEvent::Type::kMappingEnd;
  }
  return YamlEvent::Type::kNone;
}

Origin origin_of(const yaml_mark_t& mark, YamlChunk chunk) {
  return {static_cast<std::uint32_t>(chunk.line) + static_cast<std::uint32_t>(mark.line),
          static_cast<std::uint32_t>(mark.column) + 1};
}

std::string_view line_of(const yaml_mark_t& mark, std::string_view text) {
  for (std::size_t i = 0; i < mark.line && !text.empty(); ++i)
    text.remove_prefix(std::min(text.find('\n'), text.size() - 1) + 1);
  return text.substr(0, text.find('\n'));
}

Error error_at(Origin origin, std::string message) {
  Error error{ErrorCode::kSyntax, std::move(message), {}};
  error.place.line = static_cast<std::int32_t>(origin.line);
  error.place.column = static_cast<std::int32_t>(origin.column);
  return error;
}

}  // namespace

struct YamlEvents::Parser {
  yaml_parser_t parser{};
  yaml_event_t event{};
  bool ready = false;
};

YamlEvents::YamlEvents(YamlChunk chunk) : chunk_(chunk), parser_(std::make_unique<Parser>()) {
  parser_->ready = yaml_parser_initialize(&parser_->parser) != 0;
  if (!parser_->ready) return;
  yaml_parser_set_encoding(&parser_->parser, YAML_UTF8_ENCODING);
  yaml_parser_set_input_string(&parser_->parser, reinterpret_cast<const unsigned char*>(chunk.text.data()),
                               chunk.text.size());
}

YamlEvents::~YamlEvents() {
  yaml_event_delete(&parser_->event);
  if (parser_->ready) yaml_parser_delete(&parser_->parser);
}

bool YamlEvents::next() {
  yaml_event_t& event = parser_->event;
  yaml_event_delete(&event);
  if (!parser_->ready || yaml_parser_parse(&parser_->parser, &event) == 0) return false;
  event_ = {.type = type_of(event.type),
            .origin = origin_of(event.start_mark, chunk_),
            .anchor = {},
            .alias = {},
            .text = {},
            .tag = {}};
  switch (event_.type) {
    case YamlEvent::Type::kScalar:
      event_.anchor = view(event.data.scalar.anchor);
      event_.text = {reinterpret_cast<const char*>(event.data.scalar.value), event.data.scalar.length};
      event_.tag = view(event.data.scalar.tag);
      event_.implicit = event.data.scalar.plain_implicit != 0;
      break;
    case YamlEvent::Type::kAlias:
      event_.alias = view(event.data.alias.anchor);
      break;
    case YamlEvent::Type::kSequenceStart:
      event_.anchor = view(event.data.sequence_start.anchor);
      break;
    case YamlEvent::Type::kMappingStart:
      event_.anchor = view(event.data.mapping_start.anchor);
      break;
    case YamlEvent::Type::kNone:
    case YamlEvent::Type::kStreamEnd:
    case YamlEvent::Type::kDocumentStart:
    case YamlEvent::Type::kSequenceEnd:
    case YamlEvent::Type::kMappingEnd:
      break;
  }
  return true;
}

// Turns libyaml's error into ours.
Error YamlEvents::fault() const {
  if (!parser_->ready) return {ErrorCode::kLimit, "There is not enough memory to read YAML.", {}};
  const yaml_parser_t& parser = parser_->parser;
  const std::string problem = parser.problem == nullptr ? "unknown problem" : parser.problem;
  if (parser.error == YAML_MEMORY_ERROR)
    return {ErrorCode::kLimit, "There is not enough memory for this YAML document; split it.", {}};
  if (parser.error == YAML_READER_ERROR) {
    const std::string_view before = chunk_.text.substr(0, std::min(parser.problem_offset, chunk_.text.size()));
    const std::size_t last = before.rfind('\n');
    const auto breaks = static_cast<std::uint32_t>(std::count(before.begin(), before.end(), '\n'));
    const std::size_t column = last == std::string_view::npos ? before.size() + 1 : before.size() - last;
    return error_at({static_cast<std::uint32_t>(chunk_.line) + breaks, static_cast<std::uint32_t>(column)},
                    "The text holds bytes that YAML does not allow (" + problem +
                        "); save the file as UTF-8 without control characters.");
  }
  const bool tab = line_of(parser.problem_mark, chunk_.text).find('\t') != std::string_view::npos;
  std::string message = "The YAML is broken: " + problem;
  if (parser.context != nullptr) message += std::string(" ") + parser.context;
  message += tab ? "; a tab cannot indent YAML, so replace it with spaces."
                 : "; check indentation, quotes and brackets here and in the line above.";
  return error_at(origin_of(parser.problem_mark, chunk_), std::move(message));
}

}  // namespace berth::text
