// SPDX-License-Identifier: Apache-2.0
#include "base/process/threads.h"

#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>

namespace tilestep::threads_test {

TEST(OnThreads, AllWorkIsDone) {
  for (const unsigned count : {0U, 1U, 4U}) {
    std::atomic<int> next{0}, done{0};
    onThreads(count, [&](unsigned) {
      while (next++ < 100) ++done;
    });
    EXPECT_EQ(done, 100) << count;
  }
}

TEST(OnThreads, AnExceptionIsRethrownOnceAllHaveEnded) {
  for (const unsigned thrower : {0U, 2U}) {
    std::atomic<int> ended{0};
    const auto work = [&](unsigned index) {
      ++ended;
      if (index == thrower) throw std::runtime_error("none");
    };
    EXPECT_THROW(onThreads(3, work), std::runtime_error);
    EXPECT_EQ(ended, 3);
  }
}

}  // namespace tilestep::threads_test
