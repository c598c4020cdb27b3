// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace tilestep {

/// "3.2 times", "1,024 times": two decimals below 2, one below 100, none above; no zeros at the
/// end.
[[nodiscard]] std::string timesText(double factor);

/// The words after a factor, and those for two amounts that are equal or nearly so.
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

/// They differ by half a percent or less: timesText of their ratio would be "1 times". Both above
/// 0.
[[nodiscard]] bool isNearly(double amount, double base);

/// How `amount` compares with `base`: "16 times fewer", "3.2 times slower". Where one of them is 0
/// there is no factor, and the word stands alone: "fewer". Every comparison by a factor is worded
/// here, so that no sign has to be read two ways.
[[nodiscard]] std::string factorText(double amount, double base, const FactorWords& words);

}  // namespace tilestep
