// SPDX-License-Identifier: Apache-2.0
#include "program/order.h"

#include <gtest/gtest.h>

namespace tilestep::program {
namespace order_test {

constexpr uint64_t kDefault = 0, kA = 20, kB = 21, kFree = 22, kEvent = 30;

/// Two streams that block with the default stream, and one that does not.
Order streams() {
  Order order;
  order.addStream(kA, true);
  order.addStream(kB, true);
  order.addStream(kFree, false);
  return order;
}

TEST(ProgramOrder, WorkOfOneStreamIsInOrderAndThatOfTwoIsNot) {
  Order order = streams();
  const Ticket first = order.issue(kA), second = order.issue(kA), other = order.issue(kB);
  EXPECT_TRUE(isBefore(first, second));
  EXPECT_FALSE(isBefore(second, first));
  EXPECT_FALSE(isBefore(first, other));
  EXPECT_FALSE(isBefore(other, second));
}

TEST(ProgramOrder, TheDefaultStreamWaitsForBlockingStreamsAndTheyForIt) {
  Order order = streams();
  const Ticket a = order.issue(kA), free = order.issue(kFree);
  const Ticket middle = order.issue(kDefault);
  const Ticket b = order.issue(kB), later = order.issue(kFree);
  EXPECT_TRUE(isBefore(a, middle));
  EXPECT_FALSE(isBefore(free, middle)) << "the default stream does not wait for it";
  EXPECT_TRUE(isBefore(middle, b));
  EXPECT_TRUE(isBefore(a, b)) << "by way of the default stream";
  EXPECT_FALSE(isBefore(middle, later));
}

TEST(ProgramOrder, AWaitOfTheHostPutsAllLaterWorkBehind) {
  Order order = streams();
  const Ticket a = order.issue(kA), free = order.issue(kFree);
  order.waitForStream(kA);
  EXPECT_TRUE(order.isOver(a));
  EXPECT_FALSE(order.isOver(free));
  EXPECT_TRUE(isBefore(a, order.issue(kB)));
  order.waitForDevice();
  EXPECT_TRUE(isBefore(free, order.issue(kA)));
}

TEST(ProgramOrder, AnEventPutsTwoStreamsInOrder) {
  Order order = streams();
  const Ticket before = order.issue(kA);
  order.record(kEvent, kA);
  const Ticket after = order.issue(kA);
  order.streamWaits(kFree, kEvent);
  const Ticket waited = order.issue(kFree);
  EXPECT_TRUE(isBefore(before, waited));
  EXPECT_FALSE(isBefore(after, waited));
  order.waitForEvent(kEvent);
  EXPECT_TRUE(order.isOver(before));
  EXPECT_FALSE(order.isOver(after));
}

}  // namespace order_test
}  // namespace tilestep::program
