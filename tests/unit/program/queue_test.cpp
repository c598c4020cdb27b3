// SPDX-License-Identifier: Apache-2.0
#include "program/queue.h"

#include <gtest/gtest.h>

#include <future>
#include <vector>

namespace tilestep::program::queue_test {

TEST(ProgramQueue, WorkRunsInOrder) {
  std::vector<int> done;
  Queue queue;
  for (int i = 0; i < 100; ++i) queue.add([&done, i] { done.push_back(i); });
  queue.waitForAll();
  ASSERT_EQ(done.size(), 100U);
  for (int i = 0; i < 100; ++i) EXPECT_EQ(done[static_cast<size_t>(i)], i);
}

TEST(ProgramQueue, HostContinuesDuringWork) {
  std::promise<void> go;
  Queue queue;
  const uint64_t number = queue.add([future = go.get_future().share()] { future.wait(); });
  EXPECT_FALSE(queue.isDone(number));
  EXPECT_TRUE(queue.isDone(0));
  queue.wait(0);
  go.set_value();
  queue.wait(number);
  EXPECT_TRUE(queue.isDone(number));
}

}  // namespace tilestep::program::queue_test
