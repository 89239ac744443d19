#include "text/progress.h"

#include <unistd.h>

#include <utility>

namespace berth::text {
namespace {

constexpr auto kPatience = std::chrono::seconds(1);
constexpr auto kInterval = std::chrono::milliseconds(100);

}  // namespace

Progress::Progress(std::FILE* stream, std::string what, std::uint64_t total)
    : stream_(stream),
      what_(std::move(what)),
      total_(total),
      start_(Clock::now()),
      next_(start_ + kPatience),
      on_terminal_(::isatty(::fileno(stream)) == 1) {}

Progress::~Progress() {
  if (!drawn_) return;
  std::fputs("\r\x1b[K", stream_);
  std::fflush(stream_);
}

void Progress::update(std::uint64_t done, Clock::time_point now) {
  if (!on_terminal_ || now < next_) return;
  next_ = now + kInterval;
  drawn_ = true;
  std::fputs(("\r\x1b[K" + line(what_, done, total_)).c_str(), stream_);
  std::fflush(stream_);
}

std::string Progress::line(const std::string& what, std::uint64_t done, std::uint64_t total) {
  if (total == 0) return what + "  " + std::to_string(done);
  const std::uint64_t percent = done >= total ? 100 : done * 100 / total;
  return what + "  " + std::to_string(percent) + " %  (" + std::to_string(done) + " of " + std::to_string(total) + ")";
}

}  // namespace berth::text
