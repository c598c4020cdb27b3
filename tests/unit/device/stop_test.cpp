// SPDX-License-Identifier: Apache-2.0
#include "device/stop.h"

#include <gtest/gtest.h>

#include "device/fill.h"

namespace tilestep::device::stop_test {

bool yes() {
  return true;
}

TEST(Stop, EndsWhenItIsCancelledOrLate) {
  const Stop cancelled(yes);
  EXPECT_TRUE(cancelled());
  EXPECT_FALSE(cancelled.isLate());
  EXPECT_EQ(cancelled.why("filling the operands").message, "filling the operands was cancelled");
  EXPECT_FALSE(cancelled.why("filling the operands").late);
  const Stop late({}, 3, 3);
  EXPECT_TRUE(late());
  EXPECT_FALSE(late.wasCancelled());
  EXPECT_EQ(late.why("filling the operands").kind, ErrorKind::work);
  EXPECT_TRUE(late.why("filling the operands").late);
  EXPECT_EQ(
      late.why("filling the operands").message,
      "filling the operands had not ended when the time limit of 3.00 s, which is for the whole "
      "run, had passed; make the sizes smaller, or allow more with --timeout");
}

TEST(Stop, TimeThatIsAllowedDoesNotCount) {
  Stop stop({}, 3600, 3600);
  EXPECT_TRUE(stop.isLate());
  stop.allow(1800);
  EXPECT_FALSE(stop.isLate());
  EXPECT_NEAR(stop.secondsLeft(), 1800, 600);
  EXPECT_NEAR(stop.spentSeconds(), 1800, 600);
}

/// Returns true at the `call`th call.
Cancelled atCall(int call, int& asked) {
  return [call, &asked] { return ++asked == call; };
}

TEST(Stop, FillingStopsBetweenPieces) {
  Operand operand;
  operand.type = ElementType::u8;
  operand.elements = 3 * kPieceBytes + 5;
  for (const Direction direction : {Direction::in, Direction::out}) {
    operand.direction = direction;
    int asked = 0;
    EXPECT_FALSE(fillOperand(operand, 0, 1, kPoison, atCall(4, asked)));
    EXPECT_EQ(asked, 4);
    const auto whole = fillOperand(operand, 0, 1, kPoison, atCall(5, asked = 0));
    ASSERT_TRUE(whole);
    EXPECT_TRUE(*whole == fillOperand(operand, 0, 1, kPoison));
    EXPECT_EQ(whole->size(), operand.elements);
  }
}

TEST(Stop, PiecesTogetherAreTheWholeFill) {
  Operand operand;
  operand.type = ElementType::f64;
  operand.elements = kPieceBytes / 8 * 2 + 7;
  std::vector<std::byte> together;
  ASSERT_TRUE(fillPieces(operand, 3, 9, {}, [&](uint64_t first, std::span<const std::byte> bytes) {
    EXPECT_EQ(first * 8, together.size());
    together.insert(together.end(), bytes.begin(), bytes.end());
  }));
  EXPECT_TRUE(together == fillOperand(operand, 3, 9, kPoison));
  EXPECT_FALSE(
      fillPieces(operand, 3, 9, yes, [](uint64_t, std::span<const std::byte>) { FAIL(); }));
}

}  // namespace tilestep::device::stop_test
