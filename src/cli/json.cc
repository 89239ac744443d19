#include "cli/json.h"

namespace berth::cli {

void begin_document(text::Writer& writer, std::string_view kind) {
  writer.begin_object();
  writer.member("apiVersion", "berth/v1");
  writer.member("kind", kind);
}

void write_strings(text::Writer& writer, std::string_view key, std::span<const std::string> texts) {
  writer.key(key);
  writer.begin_array();
  for (const std::string& text : texts) writer.string(text);
  writer.end_array();
}

void write_errors(text::Writer& writer, std::string_view key, std::span<const Error> errors) {
  writer.key(key);
  writer.begin_array();
  for (const Error& error : errors) {
    writer.begin_object();
    writer.member("message", error.message);
    if (!error.place.file.empty()) writer.member("file", error.place.file);
    if (error.place.document > 0) writer.member("document", std::int64_t{error.place.document});
    if (error.place.line > 0) writer.member("line", std::int64_t{error.place.line});
    if (!error.place.object.empty()) writer.member("object", error.place.object);
    if (!error.place.field.empty()) writer.member("field", error.place.field);
    writer.end_object();
  }
  writer.end_array();
}

}  // namespace berth::cli
