// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "base/result.h"
#include "gfx/canvas.h"
#include "gfx/palette.h"

struct ImDrawData;

namespace tilestep::gfx {

/// 8-bit RGBA rows, top row first.
struct Pixels {
  int width = 0, height = 0;
  std::vector<uint8_t> rgba;
};

/// Draws finished frames of a Dear ImGui context that has no window into pictures. The context that
/// is current when this is made, with its fonts, must be current whenever this is used, and so must
/// the window's OpenGL context. For the main thread.
class Offscreen {
 public:
  Offscreen();
  ~Offscreen();
  Offscreen(const Offscreen&) = delete;
  Offscreen& operator=(const Offscreen&) = delete;

  /// The frame as ImGui::Render() left it, at its framebuffer's scale. An error where the graphics
  /// driver has no room for so many pixels.
  [[nodiscard]] Result<Pixels> draw(ImDrawData& frame, Color background);

 private:
  Canvas canvas_;
};

}  // namespace tilestep::gfx
