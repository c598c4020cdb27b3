// SPDX-License-Identifier: Apache-2.0
#include "program/order.h"

#include <gtest/gtest.h>

#include <utility>

#include "program/history/accesses.h"

namespace tilestep::program::order_test {

constexpr uint64_t kDefault = 0, kA = 20, kB = 21, kFree = 22, kEvent = 30;

/// Two streams that block with the default stream, and one that does not.
Order streams() {
  Order order;
  order.addStream(kA, true);
  order.addStream(kB, true);
  order.addStream(kFree, false);
  return order;
}

TEST(ProgramOrder, DefaultAndBlockingStreamsWaitForEachOther) {
  Order order = streams();
  const Ticket a = order.issue(kA), free = order.issue(kFree);
  const Ticket middle = order.issue(kDefault);
  const Ticket b = order.issue(kB), later = order.issue(kFree);
  EXPECT_TRUE(isBefore(a, middle));
  EXPECT_FALSE(isBefore(free, middle)) << "the default stream does not wait for it";
  EXPECT_TRUE(isBefore(middle, b));
  EXPECT_TRUE(isBefore(a, b)) << "through the default stream";
  EXPECT_FALSE(isBefore(middle, later));
}

TEST(ProgramOrder, HostWaitsAndHostWorkPrecedeLaterWork) {
  Order order = streams();
  const Ticket a = order.issue(kA), free = order.issue(kFree);
  order.waitForStream(kA);
  EXPECT_TRUE(order.isOver(a));
  EXPECT_FALSE(order.isOver(free));
  EXPECT_TRUE(isBefore(a, order.issue(kB)));
  order.waitForDevice();
  EXPECT_TRUE(isBefore(free, order.issue(kA)));
  Order other = streams();
  const Ticket before = other.issue(kFree), host = other.host(), after = other.issue(kFree);
  EXPECT_FALSE(isBefore(before, host));
  EXPECT_TRUE(isBefore(host, after));
  other.waitForStream(kFree);
  EXPECT_TRUE(isBefore(before, other.host()));
}

TEST(ProgramOrder, EventsOrderTwoStreams) {
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
  order.record(kEvent, kDefault);
  order.waitForEvent(kEvent);
  EXPECT_TRUE(order.isOver(after)) << "an event in the default stream waits for blocking streams";
}

Work workOf(WorkKind kind, const Ticket& ticket, uint64_t where, Uses uses) {
  Work work;
  work.kind = kind;
  work.ticket = ticket;
  work.where = where;
  work.uses = std::move(uses);
  return work;
}

TEST(ProgramOrder, UnorderedWritesAreFoundUnlessBothAreAtomic) {
  Order order = streams();
  const Ticket a = order.issue(kA), b = order.issue(kB);
  const Uses plain{{}, {{100, 200}}, {}, {}}, atomic{{}, {}, {}, {{150, 160}}};
  const Uses reads{{{190, 300}}, {}, {}, {}};
  const auto found = [&](const Uses& first, const Uses& second) {
    return unorderedIn(
        {workOf(WorkKind::launch, a, 1, first), workOf(WorkKind::launch, b, 2, second)});
  };
  EXPECT_EQ(found(plain, reads).at(0).address, 190U);
  EXPECT_EQ(found(plain, atomic).at(0).address, 150U);
  EXPECT_TRUE(found(atomic, atomic).empty());
  EXPECT_TRUE(found(reads, reads).empty());
}

TEST(ProgramOrder, FlagsBetweenHostAndKernelAreNotReported) {
  Order order = streams();
  const Ticket launch = order.issue(kA), host = order.host();
  const Uses result{{}, {{100, 200}}, {}, {}}, counted{{}, {{100, 200}}, {}, {{50, 54}}};
  const Uses read{{{100, 101}}, {}, {}, {}};
  Uses flagged = counted;
  flagged.speaks = true;
  const auto found = [&](const Uses& uses) {
    return unorderedIn(
        {workOf(WorkKind::launch, launch, 1, uses), workOf(WorkKind::host, host, 2, read)});
  };
  EXPECT_EQ(found(result).size(), 1U);
  EXPECT_EQ(found(counted).size(), 1U) << "an atomic operation of threads does not signal the host";
  EXPECT_TRUE(found(flagged).empty());
}

TEST(ProgramOrder, RangesUniteSubtractAndIntersect) {
  const Ranges a{{0, 10}, {20, 30}}, b{{5, 22}, {40, 50}};
  EXPECT_EQ(unite(a, b), (Ranges{{0, 30}, {40, 50}}));
  EXPECT_EQ(common(a, b), (Ranges{{5, 10}, {20, 22}}));
  EXPECT_EQ(without(a, b), (Ranges{{0, 5}, {22, 30}}));
  EXPECT_EQ(without(b, a), (Ranges{{10, 20}, {40, 50}}));
  EXPECT_EQ(bytesIn(a), 20U);
  EXPECT_TRUE(without(a, a).empty());
}

}  // namespace tilestep::program::order_test
