// YAML: whatever the bytes, no crash and bounded work; every tree that is read prints as YAML and as JSON that read
// back as the same tree.
#include <cstdint>
#include <string>
#include <string_view>

#include "support/require.h"
#include "text/json_writer.h"
#include "text/yaml_reader.h"
#include "text/yaml_writer.h"

namespace {

struct RoundTrip final : berth::text::EntryVisitor {
  void entry(const berth::text::Entry& entry) override {
    const auto place = entry.locate(entry.value);
    require(place.line > 0 && place.column > 0 && entry.document > 0);
    const std::string json = berth::text::to_json(entry.value);
    constexpr std::size_t kLargest = 1 << 20;
    if (json.size() > kLargest || entry.value.is_null()) return;
    const auto again = berth::text::parse_yaml(berth::text::to_yaml(entry.value));
    require(again && berth::text::to_json(again->root()) == json);
  }
  void error(const berth::Error& error) override { require(!error.message.empty() && error.place.document > 0); }
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  RoundTrip visitor;
  berth::text::read_yaml({reinterpret_cast<const char*>(data), size}, {}, visitor);
  return 0;
}
