// SPDX-License-Identifier: Apache-2.0
#include "support/thread_states.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

namespace tilestep::tests::thread_states_test {

TEST(ThreadStates, AThreadThatWorksDoesNotSleep) {
  std::atomic<bool> works = true, ends = false;
  std::thread thread([&] {
    while (works) {
    }
    ends.wait(false);
  });
  EXPECT_FALSE(support::otherThreadsSleep());
  works = false;
  while (!support::otherThreadsSleep()) std::this_thread::yield();
  ends = true;
  ends.notify_all();
  thread.join();
}

}  // namespace tilestep::tests::thread_states_test
