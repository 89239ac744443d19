// JSON: whatever the bytes, no crash; what is accepted prints and reads back as the same tree; the stream reader agrees
// with the whole-text reader; and simdjson, an independent parser, accepts and refuses the same texts but for the
// differences that are meant (a key twice, lone surrogates, numbers beyond 64 bits). Only fuzzing installs simdjson;
// the tests run the rest.
#ifdef BERTH_SIMDJSON
#include <simdjson.h>
#endif

#include <cstdint>
#include <string>
#include <string_view>

#include "support/require.h"
#include "text/byte_source.h"
#include "text/json_reader.h"
#include "text/json_writer.h"

namespace {

using berth::text::Document;

// Gives a few bytes at a time, so that values are cut by the end of what is there.
class DripSource final : public berth::text::ByteSource {
 public:
  explicit DripSource(std::string_view text) : rest_(text) {}
  berth::Result<std::size_t> read(std::span<char> buffer) override {
    const std::size_t count = std::min({buffer.size(), rest_.size(), std::size_t{7}});
    std::copy_n(rest_.data(), count, buffer.data());
    rest_.remove_prefix(count);
    return count;
  }

 private:
  std::string_view rest_;
};

struct Collector final : berth::text::EntryVisitor {
  void entry(const berth::text::Entry& entry) override {
    static_cast<void>(entry.locate(entry.value));
    text += berth::text::to_json(entry.value) + "\n";
    ++entries;
  }
  void error(const berth::Error& error) override { text += error.to_string() + "\n"; }
  std::string text;
  int entries = 0;
};

#ifdef BERTH_SIMDJSON
void compare_with_simdjson(const std::string& json, const berth::Result<Document>& ours) {
  static simdjson::dom::parser parser;
  const auto error = parser.parse(simdjson::padded_string(json)).error();
  if (!error && !ours) {
    const std::string& message = ours.error().message;
    require(message.find("twice") != std::string::npos || message.find("nested") != std::string::npos);
  }
  if (error && ours) {
    require(error == simdjson::STRING_ERROR || error == simdjson::NUMBER_ERROR || error == simdjson::EMPTY ||
            error == simdjson::TAPE_ERROR || json.starts_with("\xEF\xBB\xBF"));
  }
}
#endif

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string json(reinterpret_cast<const char*>(data), size);
  const auto document = berth::text::parse_json(json);
#ifdef BERTH_SIMDJSON
  compare_with_simdjson(json, document);
#endif
  if (document) {
    const std::string printed = berth::text::to_json(document->root());
    const auto again = berth::text::parse_json(printed);
    require(again && berth::text::equal(document->root(), again->root()));
    require(berth::text::to_json(again->root()) == printed);
  }
  Collector whole;
  berth::text::MemorySource memory(json);
  const auto end = berth::text::JsonReader(memory, {}, whole).read(false);
  Collector dripped;
  DripSource drip(json);
  require(berth::text::JsonReader(drip, {}, dripped).read(false) == end);
  require(whole.text == dripped.text);
  return 0;
}
