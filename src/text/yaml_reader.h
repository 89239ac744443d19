// Reads YAML into the Values that JSON gives, entry by entry, as kubectl understands it (see yaml_scalar.h).
//
// Strict where kubectl is lax: a key that comes twice, an unknown anchor, a key that JSON cannot have, .nan and .inf
// are errors. Merge keys `<<` are merged; a key of the mapping itself wins. Aliases share the nodes they stand for, and
// what they stand for may add up to a million nodes in one document, so that no short text explodes.
//
// Documents are cut apart at lines that start with `---` before they are parsed, so a broken one never hides the next.
// Items of a list are delivered one by one; a soft fault (a key twice, ...) costs only the item it is in.
// Rate: that of libyaml, about 45 MB/s of events, less a fifth. Documents may be of any size that memory holds.
#pragma once

#include <string_view>

#include "base/result.h"
#include "text/entry.h"
#include "text/value.h"

namespace berth::text {

// Reads a whole stream of documents. The text stays in place during the call.
void read_yaml(std::string_view text, const ReadOptions& options, EntryVisitor& visitor);

// The text must hold exactly one document, list or not. Errors: kSyntax or kLimit with line and column.
[[nodiscard]] Result<Document> parse_yaml(std::string_view text, const ReadOptions& options = {});

}  // namespace berth::text
