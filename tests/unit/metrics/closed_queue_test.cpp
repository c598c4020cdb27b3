// SPDX-License-Identifier: Apache-2.0
#include "metrics/closed_queue.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

namespace tilestep::metrics::closed_queue_test {

TEST(ClosedQueue, OneCustomerWaitsForEverythingInTurn) {
  EXPECT_DOUBLE_EQ(timeBetweenEnds(1, 5, std::array{2.0, 3.0}), 10);
}

TEST(ClosedQueue, WithoutStationsCustomersAreIndependent) {
  EXPECT_DOUBLE_EQ(timeBetweenEnds(4, 8, {}), 2);
}

TEST(ClosedQueue, TheTimeIsInfiniteWithoutCustomers) {
  EXPECT_TRUE(std::isinf(timeBetweenEnds(0, 5, std::array{2.0})));
}

/// With only two equally busy stations, n customers end a cycle every (n + 1) / n.
TEST(ClosedQueue, BalancedStationsFollowTheClosedForm) {
  for (uint32_t customers = 1; customers < 20; ++customers)
    EXPECT_NEAR(timeBetweenEnds(customers, 0, std::array{1.0, 1.0}), (customers + 1.0) / customers,
                1e-12);
}

/// The asymptotic bounds of any closed network.
TEST(ClosedQueue, ExceedsBothBoundsAndApproachesTheBusiestStation) {
  const std::array demands{3.0, 1.0, 2.0};
  for (uint32_t customers = 1; customers < 60; ++customers) {
    const double between = timeBetweenEnds(customers, 20, demands);
    EXPECT_GE(between, 3.0);
    EXPECT_GE(between, (20 + 6.0) / customers);
  }
  EXPECT_NEAR(timeBetweenEnds(200, 20, demands), 3, 1e-6);
}

}  // namespace tilestep::metrics::closed_queue_test
