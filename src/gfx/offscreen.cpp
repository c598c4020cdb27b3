// SPDX-License-Identifier: Apache-2.0
#include "gfx/offscreen.h"

#include <imgui.h>

#if __has_include(<backends/imgui_impl_opengl3.h>)
#include <backends/imgui_impl_opengl3.h>
#else  // some packages keep the backends beside imgui.h
#include <imgui_impl_opengl3.h>
#endif

namespace tilestep::gfx {

Offscreen::Offscreen() {
  ImGui_ImplOpenGL3_Init("#version 330 core");
  ImGui_ImplOpenGL3_NewFrame();  // Creates the fonts' texture.
}

Offscreen::~Offscreen() {
  ImGui_ImplOpenGL3_Shutdown();
}

Result<Pixels> Offscreen::draw(ImDrawData& frame, Color background) {
  const ImVec2 size = frame.DisplaySize, scale = frame.FramebufferScale;
  if (Status room = canvas_.resize(int(size.x * scale.x), int(size.y * scale.y)); !room)
    return room.error();
  canvas_.forget();
  canvas_.draw(frame, background);
  return Pixels{canvas_.width(), canvas_.height(), canvas_.pixels()};
}

}  // namespace tilestep::gfx
