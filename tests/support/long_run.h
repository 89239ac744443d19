// Property tests look at a few worlds in every run, and at a hundred thousand or so in the long one.
#pragma once

namespace berth::support {

// `brief`, or `full` with BERTH_LONG=1 in the environment (`make test-long`).
[[nodiscard]] int count_of_worlds(int brief, int full);

}  // namespace berth::support
