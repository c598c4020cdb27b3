// SPDX-License-Identifier: Apache-2.0
#include "base/process/data_limit.h"

#include <gtest/gtest.h>
#include <sys/mman.h>

#include <algorithm>

#include "support/skips.h"

namespace tilestep::data_limit_test {

/// Whether this process can allocate so many bytes. Frees them immediately.
bool canHave(size_t bytes) {
  void* memory = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return false;
  ::munmap(memory, bytes);
  return true;
}

TEST(DataLimit, LimitsWhileItExists) {
  constexpr size_t kMega = size_t{1} << 20;
  if (!canHave(512 * kMega)) GTEST_SKIP() << support::because(support::kLittleMemory);
  {
    const DataLimit limit(256 * kMega);
    ASSERT_TRUE(limit.holds());
    EXPECT_TRUE(canHave(128 * kMega)) << "memory that the process already had does not count";
    EXPECT_FALSE(canHave(512 * kMega));
  }
  EXPECT_TRUE(canHave(512 * kMega));
}

TEST(DataLimit, NeverRaisesAnExistingLimit) {
  rlimit before{}, within{};
  ASSERT_EQ(::getrlimit(RLIMIT_DATA, &before), 0);
  const DataLimit limit(~uint64_t{0} / 2);
  ASSERT_EQ(::getrlimit(RLIMIT_DATA, &within), 0);
  EXPECT_LE(within.rlim_cur, before.rlim_cur);
  EXPECT_EQ(within.rlim_max, before.rlim_max);
}

}  // namespace tilestep::data_limit_test
