// SPDX-License-Identifier: Apache-2.0
#include "gfx/canvas.h"

#include <epoxy/gl.h>
#include <imgui.h>

#if __has_include(<backends/imgui_impl_opengl3.h>)
#include <backends/imgui_impl_opengl3.h>
#else  // some packages keep the backends beside imgui.h
#include <imgui_impl_opengl3.h>
#endif

#include <algorithm>
#include <array>
#include <cstring>
#include <string>
#include <utility>

namespace tilestep::gfx {

namespace {

Error tooLarge(int width, int height, const std::string& why) {
  return workError("A picture of " + std::to_string(width) + " x " + std::to_string(height) +
                   " pixels cannot be drawn, because " + why +
                   ": choose one with fewer pixels, or SVG or PDF");
}

/// Allocates the bound texture with that size.
Status allocate(int width, int height) {
  GLint most = 0;
  std::array<GLint, 2> port{};
  glGetIntegerv(GL_MAX_TEXTURE_SIZE, &most);
  glGetIntegerv(GL_MAX_VIEWPORT_DIMS, port.data());
  const int widest = std::min(most, port[0]), highest = std::min(most, port[1]);
  if (width > widest || height > highest)
    return tooLarge(width, height,
                    "the graphics driver allows at most " + std::to_string(widest) + " x " +
                        std::to_string(highest));
  constexpr int kMostErrors = 8;  // A lost context reports errors forever.
  // Discards earlier errors of other code.
  for (int i = 0; i < kMostErrors && glGetError() != GL_NO_ERROR;) ++i;
  glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, width, height, 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
  if (glGetError() == GL_NO_ERROR) return {};
  return tooLarge(width, height, "the graphics driver has no memory for it");
}

}  // namespace

Canvas::~Canvas() {
  release();
}

void Canvas::release() {
  glDeleteFramebuffers(1, &framebuffer_);
  glDeleteTextures(1, &texture_);
  framebuffer_ = texture_ = 0;
  width_ = height_ = 0;
}

Status Canvas::resize(int width, int height) {
  if (width == width_ && height == height_ && framebuffer_ != 0) return {};
  damage_.forget();
  if (framebuffer_ == 0) {
    glGenFramebuffers(1, &framebuffer_);
    glGenTextures(1, &texture_);
  }
  glBindTexture(GL_TEXTURE_2D, texture_);
  Status made = allocate(width, height);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 0);
  glBindTexture(GL_TEXTURE_2D, 0);
  if (made) {
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture_, 0);
    if (glCheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE)
      made = tooLarge(width, height, "the graphics driver cannot draw into it");
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
  }
  if (!made) {
    release();
    return made;
  }
  width_ = width;
  height_ = height;
  return {};
}

bool Canvas::draw(ImDrawData& data, Color background) {
  const int width = int(data.DisplaySize.x * data.FramebufferScale.x);
  const int height = int(data.DisplaySize.y * data.FramebufferScale.y);
  if (width <= 0 || height <= 0) return false;  // The window is minimised.
  if (!resize(width, height)) {
    changed_.clear();
    return false;
  }
  if (std::exchange(background_, background) != background) damage_.forget();
  changed_ = damage_.next(data);
  const std::vector<PixelBox>& boxes = changed_;
  if (boxes.empty()) return false;
  glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_);
  glClearColor(float(background.r) / 255, float(background.g) / 255, float(background.b) / 255, 1);
  glEnable(GL_SCISSOR_TEST);
  for (const PixelBox& box : boxes) {
    glScissor(box.left, height - box.bottom, box.right - box.left, box.bottom - box.top);
    glClear(GL_COLOR_BUFFER_BIT);
  }
  glDisable(GL_SCISSOR_TEST);
  const CutToBoxes cut(data, boxes);
  ImGui_ImplOpenGL3_RenderDrawData(&data);
  glBindFramebuffer(GL_FRAMEBUFFER, 0);
  return true;
}

void Canvas::present(bool whole) const {
  if (framebuffer_ == 0) return;
  glDisable(GL_SCISSOR_TEST);
  glBindFramebuffer(GL_READ_FRAMEBUFFER, framebuffer_);
  glBindFramebuffer(GL_DRAW_FRAMEBUFFER, 0);
  const std::vector<PixelBox> all{{0, 0, width_, height_}};
  for (const PixelBox& box : whole ? all : changed_) {
    const int bottom = height_ - box.bottom, top = height_ - box.top;
    glBlitFramebuffer(box.left, bottom, box.right, top, box.left, bottom, box.right, top,
                      GL_COLOR_BUFFER_BIT, GL_NEAREST);
  }
  glBindFramebuffer(GL_FRAMEBUFFER, 0);
}

std::vector<uint8_t> Canvas::pixels() const {
  std::vector<uint8_t> bottomUp(size_t(width_) * size_t(height_) * 4);
  glBindFramebuffer(GL_READ_FRAMEBUFFER, framebuffer_);
  glPixelStorei(GL_PACK_ALIGNMENT, 1);
  glReadPixels(0, 0, width_, height_, GL_RGBA, GL_UNSIGNED_BYTE, bottomUp.data());
  glBindFramebuffer(GL_READ_FRAMEBUFFER, 0);
  std::vector<uint8_t> rows(bottomUp.size());
  const size_t stride = size_t(width_) * 4;
  for (size_t y = 0; y < size_t(height_); ++y)
    std::memcpy(&rows[y * stride], &bottomUp[(size_t(height_) - 1 - y) * stride], stride);
  for (size_t i = 3; i < rows.size(); i += 4) rows[i] = 255;  // The window itself is opaque.
  return rows;
}

}  // namespace tilestep::gfx
