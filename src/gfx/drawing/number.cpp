// SPDX-License-Identifier: Apache-2.0
#include "gfx/drawing/number.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace tilestep::gfx {

std::string number(float value, int decimals) {
  constexpr float kFar = 1e6F;  // Far outside of every picture.
  char text[32];
  std::snprintf(text, sizeof text, "%.*f", decimals,
                std::isfinite(value) ? double(std::clamp(value, -kFar, kFar)) : 0.0);
  std::string digits = text;
  digits.erase(digits.find_last_not_of('0') + 1);
  if (digits.ends_with('.')) digits.pop_back();
  return digits == "-0" ? "0" : digits;
}

}  // namespace tilestep::gfx
