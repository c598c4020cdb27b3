// SPDX-License-Identifier: Apache-2.0
#include "base/factor.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>

#include "base/figure.h"

namespace tilestep {
std::string timesText(double factor) {
  if (factor >= 999.5) return grouped(static_cast<uint64_t>(std::llround(factor))) + " times";
  const char* form = factor < 1.995 ? "%.2f" : factor < 99.95 ? "%.1f" : "%.0f";
  std::array<char, 48> digits{};
  std::snprintf(digits.data(), digits.size(), form, factor);
  std::string text = digits.data();
  if (text.find('.') != std::string::npos) {
    text.erase(text.find_last_not_of('0') + 1);
    if (text.back() == '.') text.pop_back();
  }
  return text + " times";
}

bool isNearly(double amount, double base) {
  return timesText(std::max(amount, base) / std::min(amount, base)) == "1 times";
}

std::string factorText(double amount, double base, const FactorWords& words) {
  if (amount == base) return words.same;
  const bool more = amount > base;
  if (std::min(amount, base) <= 0) return more ? words.more : words.less;
  if (isNearly(amount, base)) return words.nearly;
  return timesText(more ? amount / base : base / amount) + " " + (more ? words.more : words.less);
}

}  // namespace tilestep
