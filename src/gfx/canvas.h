// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "gfx/damage.h"
#include "gfx/palette.h"

namespace tilestep::gfx {

/// The window's picture, kept between frames so that only what changed is drawn again. Needs a
/// current OpenGL context, also when it is destroyed. Main thread.
class Canvas {
 public:
  Canvas() = default;
  ~Canvas();
  Canvas(const Canvas&) = delete;
  Canvas& operator=(const Canvas&) = delete;

  /// Draws what differs from the last frame; true when anything did.
  bool draw(ImDrawData& data, Color background);
  /// Copies the picture to the window's own framebuffer: all of it, or what the last draw()
  /// changed. The latter is for drivers that keep that framebuffer over a swap.
  void present(bool whole) const;
  /// The picture as 8-bit RGBA rows, top row first.
  [[nodiscard]] std::vector<uint8_t> pixels() const;
  /// The next frame is drawn whole: a texture changed behind the same name.
  void forget() { damage_.forget(); }
  [[nodiscard]] int width() const { return width_; }
  [[nodiscard]] int height() const { return height_; }

 private:
  void resize(int width, int height);

  Damage damage_;
  std::vector<PixelBox> changed_;  ///< By the last draw().
  Color background_;
  unsigned framebuffer_ = 0, texture_ = 0;
  int width_ = 0, height_ = 0;
};

}  // namespace tilestep::gfx
