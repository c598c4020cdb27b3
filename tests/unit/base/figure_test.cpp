// SPDX-License-Identifier: Apache-2.0
#include "base/figure.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace tilestep {
namespace figure_test {

TEST(FigureText, ThreeDigitsAndAPrefix) {
  EXPECT_EQ(toText(8.123e12, Unit::flopPerSecond), "8.12 TFLOP/s");
  EXPECT_EQ(toText(134217728.0, Unit::count), "134 M");
  EXPECT_EQ(toText(0.05, Unit::ratio), "5.00 %");
  EXPECT_EQ(toText(1.0, Unit::ratio), "100 %");
  EXPECT_EQ(toText(4.5e12, Unit::bytesPerSecond), "4.50 TB/s");
  EXPECT_EQ(toText(0.00123, Unit::seconds), "1.23 ms");
  EXPECT_EQ(toText(42e-6, Unit::seconds), "42.0 µs");
  EXPECT_EQ(toText(1.98e9, Unit::hertz), "1.98 GHz");
  EXPECT_EQ(toText(0.25, Unit::flopPerByte), "0.25 FLOP/B");
}

TEST(FigureText, RoundingNeverShowsAThousand) {
  EXPECT_EQ(toText(999.4, Unit::bytes), "999 B");
  EXPECT_EQ(toText(999600.0, Unit::bytes), "1.00 MB");
  EXPECT_EQ(toText(999.6e9, Unit::flopPerSecond), "1.00 TFLOP/s");
  EXPECT_EQ(toText(9.996, Unit::seconds), "10.0 s");
  EXPECT_EQ(toText(99.96, Unit::seconds), "100 s");
}

TEST(FigureText, SmallAndLargeStayReadable) {
  EXPECT_EQ(toText(0.0, Unit::seconds), "0 s");
  EXPECT_EQ(toText(0.0, Unit::bytes), "0 B");
  EXPECT_EQ(toText(1e-9, Unit::seconds), "1.00 ns");
  EXPECT_EQ(toText(2e-12, Unit::seconds), "0.00 ns");
  EXPECT_EQ(toText(3e18, Unit::flop), "3000 PFLOP");
  EXPECT_EQ(toText(0.5, Unit::bytes), "0.50 B");
}

TEST(FigureText, CountsBelowTenThousandAreExact) {
  EXPECT_EQ(toText(0.0, Unit::count), "0");
  EXPECT_EQ(toText(32.0, Unit::count), "32");
  EXPECT_EQ(toText(1024.0, Unit::count), "1024");
  EXPECT_EQ(toText(9999.0, Unit::count), "9999");
  EXPECT_EQ(toText(10000.0, Unit::count), "10.0 k");
}

TEST(FigureText, IntensityHasNoPrefix) {
  EXPECT_EQ(toText(2730.4, Unit::flopPerByte), "2730 FLOP/B");
  EXPECT_EQ(toText(0.0625, Unit::flopPerByte), "0.0625 FLOP/B");
  EXPECT_EQ(toText(0.0, Unit::none), "0");
  EXPECT_EQ(toText(16.0, Unit::none), "16");
  EXPECT_EQ(toText(16.25, Unit::none), "16.2");
}

TEST(FigureText, NegativeAndAbsentValues) {
  EXPECT_EQ(toText(-2.5e9, Unit::bytesPerSecond), "-2.50 GB/s");
  EXPECT_EQ(toText(std::numeric_limits<double>::quiet_NaN(), Unit::seconds), "–");
  EXPECT_EQ(toText(std::numeric_limits<double>::infinity(), Unit::bytes), "–");
}

TEST(FigureText, FigureAndOrigin) {
  EXPECT_EQ(toText(Figure{2e9, Unit::flopPerSecond, Origin::measured, "H200"}), "2.00 GFLOP/s");
  EXPECT_EQ(toText(Origin::measured), "measured");
  EXPECT_EQ(toText(Origin::counted), "counted");
  EXPECT_EQ(toText(Origin::computed), "computed");
}

TEST(FigureText, Grouped) {
  EXPECT_EQ(grouped(0), "0");
  EXPECT_EQ(grouped(999), "999");
  EXPECT_EQ(grouped(1000), "1,000");
  EXPECT_EQ(grouped(134217728), "134,217,728");
  EXPECT_EQ(grouped(~uint64_t{0}), "18,446,744,073,709,551,615");
}

}  // namespace figure_test
}  // namespace tilestep
