// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace tilestep {

/// "3.2 times", "1,024 times". Factors below 2 have two decimals, those below 100 one, and larger
/// ones none. Trailing zeros are dropped.
[[nodiscard]] std::string timesText(double factor);

/// The words that follow a factor, and those for amounts that are equal or nearly equal.
struct FactorWords {
  const char* less;
  const char* more;
  const char* same = "the same";
  const char* nearly = "about the same";
};
inline constexpr FactorWords kFewerOrMore{"fewer", "more"};
inline constexpr FactorWords kLessOrMore{"less", "more"};
inline constexpr FactorWords kTimeWords{"faster", "slower", "as fast", "as fast"};
inline constexpr FactorWords kSpeedWords{"slower", "faster", "as fast", "as fast"};

/// Whether two amounts above 0 differ by half a percent or less, so that timesText of their ratio
/// would be "1 times".
[[nodiscard]] bool isNearly(double amount, double base);

/// How `amount` compares with `base`: "16 times fewer", "3.2 times slower". If one of them is 0
/// there is no factor, and the word stands alone: "fewer". Every comparison by a factor is worded
/// here, so that the window and the commands say it alike.
[[nodiscard]] std::string factorText(double amount, double base, const FactorWords& words);

}  // namespace tilestep
