// SPDX-License-Identifier: Apache-2.0
#include "gfx/display_scale.h"

#include <algorithm>
#include <cmath>

namespace tilestep::gfx {

float displayScale(const Display& display) {
  constexpr float kStandardDots = 96, kFewestDots = 98, kMmPerInch = 25.4F, kStandardLines = 1080;
  constexpr int kManyColumns = 2880, kManyLines = 1620, kLeastMm = 200;
  if (display.contentScale != 1) return display.contentScale;
  if (display.width < kManyColumns || display.height < kManyLines) return 1;
  const auto stepped = [](float scale) {
    constexpr float kMost = 3, kSteps = 4;
    return std::clamp(std::round(scale * kSteps) / kSteps, 1.0F, kMost);
  };
  const float shape = float(display.width) / float(display.height);
  const float shapeMm = display.heightMm > 0 ? float(display.widthMm) / float(display.heightMm) : 0;
  const bool known = display.widthMm >= kLeastMm && std::abs(shapeMm - shape) < 0.15F * shape;
  const float dots = known ? float(display.width) * kMmPerInch / float(display.widthMm) : 0;
  return stepped(dots >= kFewestDots ? dots / kStandardDots
                                     : float(display.height) / kStandardLines);
}

}  // namespace tilestep::gfx
