// SPDX-License-Identifier: Apache-2.0
#include "base/figure.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace tilestep::figure_test {

TEST(FigureText, HasThreeDigitsAPrefixAndAUnit) {
  const struct {
    double value;
    Unit unit;
    const char* text;
  } cases[] = {
      {8.123e12, Unit::flopPerSecond, "8.12 TFLOP/s"},
      {134217728.0, Unit::count, "134 M"},
      {0.05, Unit::ratio, "5.00 %"},
      {1.0, Unit::ratio, "100 %"},
      {4.5e12, Unit::bytesPerSecond, "4.50 TB/s"},
      {0.00123, Unit::seconds, "1.23 ms"},
      {42e-6, Unit::seconds, "42.0 µs"},
      {1.98e9, Unit::hertz, "1.98 GHz"},
      // Rounding never produces "1000".
      {999.4, Unit::bytes, "999 B"},
      {999600.0, Unit::bytes, "1.00 MB"},
      {999.6e9, Unit::flopPerSecond, "1.00 TFLOP/s"},
      {9.996, Unit::seconds, "10.0 s"},
      {99.96, Unit::seconds, "100 s"},
      // Values beyond the prefixes.
      {0.0, Unit::seconds, "0 s"},
      {0.0, Unit::bytes, "0 B"},
      {1e-9, Unit::seconds, "1.00 ns"},
      {2e-12, Unit::seconds, "0.00 ns"},
      {3e18, Unit::flop, "3000 PFLOP"},
      {0.5, Unit::bytes, "0.50 B"},
      // Counts below ten thousand are exact.
      {0.0, Unit::count, "0"},
      {32.0, Unit::count, "32"},
      {9999.0, Unit::count, "9999"},
      {10000.0, Unit::count, "10.0 k"},
      // Arithmetic intensities have no prefix.
      {2730.4, Unit::flopPerByte, "2730 FLOP/B"},
      {0.25, Unit::flopPerByte, "0.25 FLOP/B"},
      {0.0625, Unit::flopPerByte, "0.0625 FLOP/B"},
      {0.0, Unit::none, "0"},
      {16.25, Unit::none, "16.2"},
      {-2.5e9, Unit::bytesPerSecond, "-2.50 GB/s"},
      {std::numeric_limits<double>::quiet_NaN(), Unit::seconds, "–"},
      {std::numeric_limits<double>::infinity(), Unit::bytes, "–"},
  };
  for (const auto& [value, unit, text] : cases) EXPECT_EQ(toText(value, unit), text);
}

TEST(FigureText, GroupsDigitsByThousands) {
  EXPECT_EQ(grouped(0), "0");
  EXPECT_EQ(grouped(999), "999");
  EXPECT_EQ(grouped(1000), "1,000");
  EXPECT_EQ(grouped(~uint64_t{0}), "18,446,744,073,709,551,615");
}

}  // namespace tilestep::figure_test
