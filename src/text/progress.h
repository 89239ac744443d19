// Progress: one line on a terminal that tells how far long work is. Silent where the stream is no terminal and for work
// that takes less than a second; wiped when the work ends.
#pragma once

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <string>

namespace berth::text {

class Progress {
 public:
  using Clock = std::chrono::steady_clock;

  // `what` as in "reading pods.json"; total 0 where it is not known. The stream is stderr in all programs.
  Progress(std::FILE* stream, std::string what, std::uint64_t total);
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  ~Progress();

  // Cheap enough to be called for each piece of work: draws ten times a second at most.
  void update(std::uint64_t done) { update(done, Clock::now()); }
  void update(std::uint64_t done, Clock::time_point now);

  // The line at a moment, without escape sequences: "reading pods.json  42 %  120 MB". For tests too.
  [[nodiscard]] static std::string line(const std::string& what, std::uint64_t done, std::uint64_t total);

 private:
  std::FILE* stream_;
  std::string what_;
  std::uint64_t total_;
  Clock::time_point start_;
  Clock::time_point next_;
  bool on_terminal_;
  bool drawn_ = false;
};

}  // namespace berth::text
