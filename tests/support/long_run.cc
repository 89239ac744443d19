#include "support/long_run.h"

#include <cstdlib>
#include <string_view>

namespace berth::support {

int count_of_worlds(int brief, int full) {
  const char* wanted = std::getenv("BERTH_LONG");  // NOLINT(concurrency-mt-unsafe): tests have one thread here
  return wanted != nullptr && std::string_view(wanted) == "1" ? full : brief;
}

}  // namespace berth::support
