// Gzip: whatever the bytes, no crash, and how much is asked for at a time does not matter; never more comes out than
// the limit. And the bytes packed as two members come back whole, but as a beginning and a fault where the file is cut
// short.
#include <zlib.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "support/require.h"
#include "text/input.h"

namespace {

constexpr std::uint64_t kLimit = std::uint64_t{1} << 16U;

struct Unpacked {
  std::string text;
  std::string fault;  // empty if it ended well
  bool operator==(const Unpacked&) const = default;
};

Unpacked unpack(std::string_view packed, std::size_t step) {
  Unpacked result;
  auto source = berth::text::inflate_if_gzip(std::make_unique<berth::text::MemorySource>(packed), {kLimit});
  if (!source) return {{}, source.error().message};
  std::vector<char> buffer(step);
  for (;;) {
    const auto count = (*source)->read(buffer);
    if (!count) {
      // A fault stays.
      require(!count.error().message.empty() && !(*source)->read(buffer));
      result.fault = count.error().message;
      return result;
    }
    if (*count == 0) return result;
    require(*count <= buffer.size());
    result.text.append(buffer.data(), *count);
  }
}

std::string member_of(std::string_view text) {
  z_stream stream{};
  constexpr int kGzip = 16;
  require(deflateInit2(&stream, Z_BEST_SPEED, Z_DEFLATED, MAX_WBITS + kGzip, 8, Z_DEFAULT_STRATEGY) == Z_OK);
  std::string out(deflateBound(&stream, text.size()), '\0');
  std::string in(text);
  stream.next_in = reinterpret_cast<Bytef*>(in.data());
  stream.avail_in = static_cast<uInt>(in.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  require(deflate(&stream, Z_FINISH) == Z_STREAM_END);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

bool looks_packed(std::string_view text) { return text.starts_with("\x1F\x8B"); }

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  const Unpacked whole = unpack(text, std::size_t{1} << 16U);
  require(whole == unpack(text, 7));
  if (!looks_packed(text)) require(whole.text == text && whole.fault.empty());
  if (looks_packed(text)) require(whole.text.size() <= kLimit);

  const std::size_t half = size / 2;
  const std::string packed = member_of(text.substr(0, half)) + member_of(text.substr(half));
  const Unpacked again = unpack(packed, std::size_t{1} << 16U);
  if (looks_packed(text)) {
    require(!again.fault.empty());  // gzip inside of gzip
    return 0;
  }
  require(again.fault.empty() && again.text == text);
  require(unpack(packed + std::string(9, '\0'), 512) == again);  // padding
  for (const std::size_t cut : {packed.size() - 1, packed.size() / 2, std::size_t{3}}) {
    const Unpacked part = unpack(std::string_view(packed).substr(0, cut), 512);
    // Between two members a file may end.
    require(text.starts_with(part.text) && (!part.fault.empty() || part.text == text.substr(0, half)));
  }
  return 0;
}
