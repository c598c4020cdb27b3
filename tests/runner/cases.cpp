// SPDX-License-Identifier: Apache-2.0
// Tests that end in every possible manner. pool_test.cpp runs them through the runner.
#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>

#include "support/own_process.h"
#include "support/skips.h"

namespace {

TEST(Cases, Passes) {
  std::puts("printed by a test that passes");
}
TEST(Cases, Fails) {
  EXPECT_EQ(1, 2) << "printed by a test that fails";
}
TEST(Cases, Crashes) {
  std::puts("printed before the crash");
  std::raise(SIGSEGV);
}
TEST(Cases, PassesAfterTheCrash) {}
TEST(Cases, Exits) {
  ::_exit(0);
}
TEST(Cases, Hangs) {
  ::pause();
}
TEST(Cases, PassesAfterTheHang) {}
TEST(Cases, LeavesASleeper) {
  const char* const mark = std::getenv("TILESTEP_TEST_PROCESS");
  std::printf("mark=%s\n", mark);
  if (::fork() == 0) {
    ::setsid();
    // Not another program, because a program's environment cannot be read while it starts.
    ::sleep(1000);
    ::_exit(0);
  }
  std::raise(SIGSEGV);
}
TEST(Cases, SkipsWithAReason) {
  GTEST_SKIP() << tilestep::support::because(tilestep::support::kNoGpu, "no driver");
}
TEST(Cases, SkipsWithoutAReason) {
  GTEST_SKIP() << "just so";
}

int count = 0;
TEST(SharedProcess, IsTheFirst) {
  EXPECT_EQ(++count, 1);
}
TEST(SharedProcess, IsTheSecond) {
  EXPECT_EQ(++count, 2);
}

const tilestep::support::OwnProcess ownProcess{"OwnProcess"};
TEST(OwnProcess, IsTheFirst) {
  EXPECT_EQ(++count, 1);
}
TEST(OwnProcess, IsTheFirstToo) {
  EXPECT_EQ(++count, 1);
}

/// A suite that cannot be set up; its process ends before its first test starts.
class NoSetUp : public testing::Test {
 protected:
  static void SetUpTestSuite() { std::abort(); }
};
TEST_F(NoSetUp, First) {}
TEST_F(NoSetUp, Second) {}

}  // namespace
