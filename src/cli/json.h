// Parts that the JSON outputs of all commands share; see docs/output.md.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "base/result.h"
#include "text/writer.h"

namespace berth::cli {

// Opens the object and writes apiVersion and kind.
void begin_document(text::Writer& writer, std::string_view kind);
void write_strings(text::Writer& writer, std::string_view key, std::span<const std::string> texts);
// Each with message, file, document, line, object and field as far as they are known.
void write_errors(text::Writer& writer, std::string_view key, std::span<const Error> errors);

}  // namespace berth::cli
