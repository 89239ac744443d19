// What studies share to run their parts on several threads.
#pragma once

#include <cstddef>
#include <functional>
#include <mutex>

namespace berth::sim {

// work(i) for every i below `count`, each once, on `threads` threads of which the caller is one; returns when all are
// done. Which thread takes which part is left open: each has to write into its own place.
void run_parallel(std::size_t count, unsigned threads, const std::function<void(std::size_t)>& work);

// Counts what is done for somebody who watches. Safe to call from every thread; the calls to `report` come one by one.
class DoneCounter {
 public:
  // Borrowed; may be empty.
  explicit DoneCounter(const std::function<void(std::size_t)>& report) : report_(report) {}
  void add_one();

 private:
  const std::function<void(std::size_t)>& report_;
  std::mutex mutex_;  // guards done_ and the calls of report_
  std::size_t done_ = 0;
};

}  // namespace berth::sim
