// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <epoxy/gl.h>

#include <algorithm>
#include <cmath>

#include "gfx/camera.h"
#include "gfx/damage.h"
#include "gfx/gl_program.h"
#include "gfx/renderer.h"

namespace tilestep::gfx {

/// One scene's rectangle of the framebuffer, in pixels.
struct Target {
  Target(const Camera& sceneCamera, const View& view)
      : camera(sceneCamera),
        scale(view.framebufferScale),
        x(std::round(view.viewport.x * scale)),
        width(std::max(1.0F, std::round(view.viewport.width * scale))),
        height(std::max(1.0F, std::round(view.viewport.height * scale))),
        bottom(float(view.framebufferHeight) - std::round(view.viewport.y * scale) - height) {}
  Camera camera;
  float scale, x, width, height, bottom;
};

/// Sets what all drawing into a target needs; only pixels of `area` are drawn.
inline void begin(const Target& target, const PixelBox& area, int framebufferHeight) {
  glViewport(GLint(target.x), GLint(target.bottom), GLsizei(target.width), GLsizei(target.height));
  glScissor(area.left, framebufferHeight - area.bottom, area.right - area.left,
            area.bottom - area.top);
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
