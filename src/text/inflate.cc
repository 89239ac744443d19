#include <zlib.h>

#include <array>
#include <cstring>
#include <utility>

#include "text/input.h"

namespace berth::text {
namespace {

constexpr std::size_t kMagicSize = 2;
constexpr std::array<unsigned char, kMagicSize> kMagic = {0x1F, 0x8B};

// Gives back what was read ahead, then the rest.
class PeekedSource final : public ByteSource {
 public:
  PeekedSource(std::string head, std::unique_ptr<ByteSource> rest) : head_(std::move(head)), rest_(std::move(rest)) {}

  Result<std::size_t> read(std::span<char> buffer) override {
    if (used_ == head_.size()) return rest_->read(buffer);
    const std::size_t count = std::min(buffer.size(), head_.size() - used_);
    std::memcpy(buffer.data(), head_.data() + used_, count);
    used_ += count;
    return count;
  }

 private:
  std::string head_;
  std::size_t used_ = 0;
  std::unique_ptr<ByteSource> rest_;
};

class GzipSource final : public ByteSource {
 public:
  GzipSource(std::unique_ptr<ByteSource> packed, std::uint64_t limit) : packed_(std::move(packed)), left_(limit) {}
  ~GzipSource() override {
    if (ready_) inflateEnd(&stream_);
  }

  [[nodiscard]] bool init() {
    constexpr int kGzipOnly = 16;
    ready_ = inflateInit2(&stream_, MAX_WBITS + kGzipOnly) == Z_OK;
    return ready_;
  }

  Result<std::size_t> read(std::span<char> buffer) override;

 private:
  [[nodiscard]] Result<bool> refill();  // false at the end of the packed bytes
  [[nodiscard]] Result<bool> next_member();

  static std::unexpected<Error> damaged() {
    return fail(ErrorCode::kSyntax, "The gzip data is damaged; make or fetch the file again.");
  }

  std::unique_ptr<ByteSource> packed_;
  std::uint64_t left_;
  z_stream stream_{};
  bool ready_ = false;
  bool ended_ = false;
  std::array<char, std::size_t{64} << 10U> input_{};
};

Result<bool> GzipSource::refill() {
  if (stream_.avail_in != 0) return true;
  BERTH_TRY(const std::size_t count, packed_->read(input_));
  stream_.next_in = reinterpret_cast<Bytef*>(input_.data());
  stream_.avail_in = static_cast<uInt>(count);
  return count != 0;
}

// Behind the end of a member: another one, or padding of zeros up to the end.
Result<bool> GzipSource::next_member() {
  for (;;) {
    BERTH_TRY(const bool more, refill());
    if (!more) return false;
    if (*stream_.next_in != 0) break;
    ++stream_.next_in;
    --stream_.avail_in;
  }
  if (*stream_.next_in != kMagic[0] || inflateReset(&stream_) != Z_OK) return damaged();
  return true;
}

Result<std::size_t> GzipSource::read(std::span<char> buffer) {
  if (ended_ || buffer.empty()) return std::size_t{0};
  const std::size_t wanted = std::min(buffer.size(), std::size_t{1} << 30U);
  stream_.next_out = reinterpret_cast<Bytef*>(buffer.data());
  stream_.avail_out = static_cast<uInt>(wanted);
  while (stream_.avail_out == wanted) {
    BERTH_TRY(const bool more, refill());
    if (!more)
      return fail(ErrorCode::kSyntax, "The gzip data ends too early; the file is cut short, so fetch it again.");
    const int status = inflate(&stream_, Z_NO_FLUSH);
    if (status == Z_STREAM_END) {
      BERTH_TRY(const bool another, next_member());
      ended_ = !another;
      if (ended_) break;
    } else if (status != Z_OK) {
      return damaged();
    }
  }
  const std::size_t count = wanted - stream_.avail_out;
  if (count > left_) {
    return fail(
        ErrorCode::kLimit,
        "The gzip data inflates to more than the limit of 4 GiB; inflate and split it yourself if it is genuine.");
  }
  left_ -= count;
  return count;
}

}  // namespace

Result<std::unique_ptr<ByteSource>> inflate_if_gzip(std::unique_ptr<ByteSource> source, const InputLimits& limits) {
  std::string head(kMagicSize, '\0');
  std::size_t filled = 0;
  while (filled < kMagicSize) {
    BERTH_TRY(const std::size_t count, source->read({head.data() + filled, kMagicSize - filled}));
    if (count == 0) break;
    filled += count;
  }
  head.resize(filled);
  const bool gzip = filled == kMagicSize && std::memcmp(head.data(), kMagic.data(), kMagicSize) == 0;
  std::unique_ptr<ByteSource> whole = std::make_unique<PeekedSource>(std::move(head), std::move(source));
  if (!gzip) return whole;
  auto inflated = std::make_unique<GzipSource>(std::move(whole), limits.inflated_bytes);
  if (!inflated->init()) return fail(ErrorCode::kLimit, "There is not enough memory to inflate gzip data.");
  return std::unique_ptr<ByteSource>(std::move(inflated));
}

}  // namespace berth::text
