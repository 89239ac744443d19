// The repository's folder, for tests and benchmarks that read what is in it.
#pragma once

namespace berth::support {

// Absolute, without a slash at its end. One file defines it (the build writes that file), because a macro with the path
// would make every test another compile in every checkout.
const char* source_directory();

}  // namespace berth::support
