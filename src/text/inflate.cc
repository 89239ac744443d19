#include <zlib.h>

#include <array>
#include <cstring>
#include <optional>
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

  // What was unpacked before a fault is given out first, then the fault for ever.
  Result<std::size_t> read(std::span<char> buffer) override;

 private:
  // Unpacks into the stream's output until there is some, or the end.
  [[nodiscard]] Result<void> unpack();
  [[nodiscard]] Result<bool> refill();  // false at the end of the packed bytes
  [[nodiscard]] Result<bool> next_member();

  static std::unexpected<Error> damaged() {
    return fail(ErrorCode::kSyntax, "The gzip data is damaged; make or fetch the file again.");
  }

  std::unique_ptr<ByteSource> packed_;
  std::uint64_t left_;
  std::optional<Error> fault_;
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
  if (*stream_.next_in != kMagic[0])
    return fail(ErrorCode::kSyntax,
                "What stands behind the gzip data is no gzip; the file is damaged, so make or fetch it again.");
  if (inflateReset(&stream_) != Z_OK) return damaged();
  return true;
}

Result<void> GzipSource::unpack() {
  const uInt wanted = stream_.avail_out;
  while (stream_.avail_out == wanted && !ended_) {
    BERTH_TRY(const bool more, refill());
    // Even without more input: of a long repetition a part may not have had room in the last buffer.
    const int status = inflate(&stream_, Z_NO_FLUSH);
    if (status == Z_BUF_ERROR && !more)
      return fail(ErrorCode::kSyntax, "The gzip data ends too early; the file is cut short, so fetch it again.");
    if (status == Z_STREAM_END) {
      BERTH_TRY(const bool another, next_member());
      ended_ = !another;
    } else if (status != Z_OK) {
      return damaged();
    }
  }
  return {};
}

Result<std::size_t> GzipSource::read(std::span<char> buffer) {
  if (fault_) return std::unexpected(*fault_);
  if (ended_ || buffer.empty()) return std::size_t{0};
  const std::size_t wanted = std::min(buffer.size(), std::size_t{1} << 30U);
  stream_.next_out = reinterpret_cast<Bytef*>(buffer.data());
  stream_.avail_out = static_cast<uInt>(wanted);
  if (auto unpacked = unpack(); !unpacked) fault_ = std::move(unpacked).error();
  std::size_t count = wanted - stream_.avail_out;
  if (count > left_) {
    fault_ =
        Error{ErrorCode::kLimit,
              "The gzip data inflates to more than the limit of 4 GiB; inflate and split it yourself if it is genuine.",
              {}};
    count = static_cast<std::size_t>(left_);
  }
  left_ -= count;
  if (count == 0 && fault_) return std::unexpected(*fault_);
  return count;
}

// The first bytes of a source, fewer at its end or at a fault, which the next read tells again.
Result<std::string> first_bytes(ByteSource& source) {
  std::string head(kMagicSize, '\0');
  std::size_t filled = 0;
  while (filled < kMagicSize) {
    auto count = source.read({head.data() + filled, kMagicSize - filled});
    if (!count && filled == 0) return std::unexpected(std::move(count).error());
    if (!count || *count == 0) break;
    filled += *count;
  }
  head.resize(filled);
  return head;
}

bool is_gzip(std::string_view head) {
  return head.size() == kMagicSize && std::memcmp(head.data(), kMagic.data(), kMagicSize) == 0;
}

}  // namespace

Result<std::unique_ptr<ByteSource>> inflate_if_gzip(std::unique_ptr<ByteSource> source, const InputLimits& limits) {
  BERTH_TRY(std::string head, first_bytes(*source));
  const bool gzip = is_gzip(head);
  std::unique_ptr<ByteSource> whole = std::make_unique<PeekedSource>(std::move(head), std::move(source));
  if (!gzip) return whole;
  auto inflated = std::make_unique<GzipSource>(std::move(whole), limits.inflated_bytes);
  if (!inflated->init()) return fail(ErrorCode::kLimit, "There is not enough memory to inflate gzip data.");
  BERTH_TRY(head, first_bytes(*inflated));
  if (is_gzip(head))
    return fail(ErrorCode::kSyntax, "This is gzip inside of gzip; unpack it once, such as with gunzip.");
  return std::make_unique<PeekedSource>(std::move(head), std::move(inflated));
}

}  // namespace berth::text
