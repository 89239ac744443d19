#include "sim/parallel.h"

#include <atomic>
#include <thread>
#include <vector>

namespace berth::sim {

void run_parallel(std::size_t count, unsigned threads, const std::function<void(std::size_t)>& work) {
  std::atomic<std::size_t> next = 0;
  const auto take = [&] {
    for (std::size_t i = next++; i < count; i = next++) work(i);
  };
  std::vector<std::jthread> pool;
  for (unsigned i = 1; i < threads; ++i) pool.emplace_back(take);
  take();
}

void DoneCounter::add_one() {
  if (!report_) return;
  const std::lock_guard lock(mutex_);
  report_(++done_);
}

}  // namespace berth::sim
