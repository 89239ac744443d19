#include "base/mutant.h"

#ifdef BERTH_MUTANTS

#include <cstdlib>
#include <string>

namespace berth {

bool mutant(std::string_view name) {
  static const std::string chosen = [] {
    const char* value = std::getenv("BERTH_MUTANT");
    return std::string(value == nullptr ? "" : value);
  }();
  return name == chosen;
}

}  // namespace berth

#endif
