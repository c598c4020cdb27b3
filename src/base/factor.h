// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace tilestep {

/// "3.2 times": two decimals below 2, one below 100, none above; no zeros at the end.
[[nodiscard]] std::string timesText(double factor);

/// The words after a factor, and the word for two equal amounts.
struct FactorWords {
  const char* less;
  const char* more;
  const char* same = "the same";
};
inline constexpr FactorWords kFewerOrMore{"fewer", "more"};
inline constexpr FactorWords kLessOrMore{"less", "more"};
inline constexpr FactorWords kTimeWords{"faster", "slower", "as fast"};
inline constexpr FactorWords kSpeedWords{"slower", "faster", "as fast"};

/// Half a percent and less is no difference.
[[nodiscard]] bool isSame(double amount, double base);

/// How `amount` compares with `base`, both above 0: "16 times fewer", "3.2 times slower". Every
/// comparison by a factor is worded here, so that no sign has to be read two ways.
[[nodiscard]] std::string factorText(double amount, double base, const FactorWords& words);

}  // namespace tilestep
