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

/// Draws finished frames of a Dear ImGui context as pictures, without a window. The context that is
/// current at construction, with its fonts, and the window's OpenGL context must be current at
/// every use. Main thread only.
class Offscreen {
 public:
  Offscreen();
  ~Offscreen();
  Offscreen(const Offscreen&) = delete;
  Offscreen& operator=(const Offscreen&) = delete;

  /// Draws the frame from ImGui::Render() at its framebuffer's scale. Returns an error if the
  /// graphics driver cannot allocate that many pixels.
  [[nodiscard]] Result<Pixels> draw(ImDrawData& frame, Color background);

 private:
  Canvas canvas_;
};

}  // namespace tilestep::gfx
