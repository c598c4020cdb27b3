// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "base/result.h"
#include "gfx/damage.h"
#include "gfx/palette.h"

namespace tilestep::gfx {

/// The window's picture, kept between frames so that only changed parts are redrawn. Needs a
/// current OpenGL context, also for its destruction. Main thread only.
class Canvas {
 public:
  Canvas() = default;
  ~Canvas();
  Canvas(const Canvas&) = delete;
  Canvas& operator=(const Canvas&) = delete;

  /// Allocates a picture of this size in pixels; draw() also does this when needed. Returns an
  /// error if the driver does not have enough memory.
  [[nodiscard]] Status resize(int width, int height);
  /// Draws the parts that differ from the last frame; true if there were any.
  bool draw(ImDrawData& data, Color background);
  /// Copies the picture to the window's framebuffer: all of it, or only the parts that the last
  /// draw() changed. The latter requires a driver that preserves the framebuffer across a swap.
  void present(bool whole) const;
  /// The picture as 8-bit RGBA rows, top row first.
  [[nodiscard]] std::vector<uint8_t> pixels() const;
  /// Redraws the whole next frame. Call it when a texture's content has changed but not its name.
  void forget() { damage_.forget(); }
  [[nodiscard]] int width() const { return width_; }
  [[nodiscard]] int height() const { return height_; }

 private:
  void release();

  Damage damage_;
  std::vector<PixelBox> changed_;  ///< By the last draw().
  Color background_;
  unsigned framebuffer_ = 0, texture_ = 0;
  int width_ = 0, height_ = 0;
};

}  // namespace tilestep::gfx
