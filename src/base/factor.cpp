// SPDX-License-Identifier: Apache-2.0
#include "base/factor.h"

#include <algorithm>
#include <array>
#include <cstdio>

namespace tilestep {
namespace {

constexpr double kSame = 1.005;

}  // namespace

std::string timesText(double factor) {
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

bool isSame(double amount, double base) {
  return std::max(amount, base) < kSame * std::min(amount, base);
}

std::string factorText(double amount, double base, const FactorWords& words) {
  if (isSame(amount, base)) return words.same;
  const bool more = amount > base;
  return timesText(more ? amount / base : base / amount) + " " + (more ? words.more : words.less);
}

}  // namespace tilestep
