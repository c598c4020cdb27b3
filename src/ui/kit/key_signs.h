// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "gfx/window.h"

namespace tilestep::ui {

struct Arrow {
  int x = 0, y = 0;
};

/// The direction of an arrow key; absent for other keys.
[[nodiscard]] inline std::optional<Arrow> arrowOf(gfx::Key key) {
  switch (key) {
    case gfx::Key::left:
      return Arrow{-1, 0};
    case gfx::Key::right:
      return Arrow{1, 0};
    case gfx::Key::up:
      return Arrow{0, -1};
    case gfx::Key::down:
      return Arrow{0, 1};
    default:
      return std::nullopt;
  }
}

/// 1 for plus, which zooms in, -1 for minus, 0 for other keys; includes the number pad.
[[nodiscard]] inline int zoomOf(gfx::Key key) {
  constexpr int kPadMinus = 333, kPadPlus = 334;  // GLFW's codes.
  const int sign = static_cast<int>(key);
  if (sign == '=' || sign == '+' || sign == kPadPlus) return 1;
  return sign == '-' || sign == kPadMinus ? -1 : 0;
}

}  // namespace tilestep::ui
