// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <epoxy/gl.h>

#include <algorithm>
#include <cmath>

#include "gfx/camera.h"
#include "gfx/damage.h"
#include "gfx/gl/gl_program.h"
#include "gfx/renderer.h"

namespace tilestep::gfx {

/// One scene's rectangle in the framebuffer, in pixels, and the part of it that must be drawn.
struct Target {
  Target(const Camera& sceneCamera, const View& view, const PixelBox& area)
      : camera(sceneCamera),
        scale(view.framebufferScale),
        x(std::round(view.viewport.x * scale)),
        width(std::max(1.0F, std::round(view.viewport.width * scale))),
        height(std::max(1.0F, std::round(view.viewport.height * scale))),
        bottom(float(view.framebufferHeight) - std::round(view.viewport.y * scale) - height),
        scissor{area.left, view.framebufferHeight - area.bottom, area.right - area.left,
                area.bottom - area.top} {
    const float top = std::round(view.viewport.y * scale);
    drawn = {float(area.left) - x, float(area.top) - top, float(scissor.width),
             float(scissor.height)};
  }
  /// Whether any part of a box (viewport coordinates) extended by `margin` must be drawn.
  [[nodiscard]] bool touches(const Box& box, float margin) const {
    const auto meet = [&](float at, float size, float from, float length) {
      return (at + size + margin) * scale >= from && (at - margin) * scale <= from + length;
    };
    return meet(box.x, box.width, drawn.x, drawn.width) &&
           meet(box.y, box.height, drawn.y, drawn.height);
  }
  struct Scissor {
    GLint x, y;
    GLsizei width, height;
  };
  Camera camera;
  float scale, x, width, height, bottom;
  Box drawn;        ///< In pixels from the scene's upper left corner.
  Scissor scissor;  ///< The same box as `drawn` in OpenGL's coordinates.
};

inline void begin(const Target& target) {
  glViewport(GLint(target.x), GLint(target.bottom), GLsizei(target.width), GLsizei(target.height));
  glScissor(target.scissor.x, target.scissor.y, target.scissor.width, target.scissor.height);
  glEnable(GL_SCISSOR_TEST);
  glDisable(GL_CULL_FACE);
  glDisable(GL_DEPTH_TEST);
  glEnable(GL_BLEND);
  glBlendEquation(GL_FUNC_ADD);
  glBlendFunc(GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
  glActiveTexture(GL_TEXTURE0);
}

inline void setCamera(const GlProgram& program, const Target& target) {
  program.use();
  const Point origin = target.camera.origin();
  glUniform2f(program.uniform("uOrigin"), origin.x, origin.y);
  glUniform1f(program.uniform("uZoom"), target.camera.zoom());
  glUniform1f(program.uniform("uScale"), target.scale);
  glUniform2f(program.uniform("uViewport"), target.width, target.height);
}

}  // namespace tilestep::gfx
