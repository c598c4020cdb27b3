// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace tilestep {

/// "3.2 times", "1,024 times". Factors below 2 have two decimals, factors from 2 to 100 one
/// decimal, and larger factors none. Trailing zeros are dropped.
[[nodiscard]] std::string timesText(double factor);

/// The words for a comparison: `less` and `more` follow a factor; `same` and `nearly` are for
/// amounts that are equal or nearly equal.
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

/// Whether two amounts above 0 differ by half a percent or less, so that timesText gives "1 times".
[[nodiscard]] bool isNearly(double amount, double base);

/// How `amount` compares with `base`: "16 times fewer", "3.2 times slower". If either is 0, there
/// is only the word: "fewer". The window and the commands word every comparison with this function.
[[nodiscard]] std::string factorText(double amount, double base, const FactorWords& words);

}  // namespace tilestep
