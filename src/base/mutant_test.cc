#include "base/mutant.h"

#include <gtest/gtest.h>

#include <cstdlib>

namespace berth {
namespace {

// The switches must be off in every run but those of `make mutants`, which name one.
TEST(Mutant, NothingIsSwitchedOffUnlessAskedFor) {
  if (std::getenv("BERTH_MUTANT") != nullptr) GTEST_SKIP() << "a mutant is being run";
  EXPECT_FALSE(mutant("NodePorts"));
  EXPECT_FALSE(mutant("NodeResourcesFit"));
}

}  // namespace
}  // namespace berth
