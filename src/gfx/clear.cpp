// SPDX-License-Identifier: Apache-2.0
#include "gfx/clear.h"

#include <epoxy/gl.h>
#include <imgui.h>

#include "gfx/damage.h"

namespace tilestep::gfx {
namespace {

void onClear(const ImDrawList*, const ImDrawCmd* command) {
  const ImDrawData& data = *ImGui::GetDrawData();
  const PixelBox area = pixelsOf(*command, data);
  if (area.empty()) return;
  const Color color = clearOf(*command).value_or(Color{});
  const int height = int(data.DisplaySize.y * data.FramebufferScale.y);
  // ImGui's backend has enabled the scissor test and sets the scissor box for each command.
  glScissor(area.left, height - area.bottom, area.right - area.left, area.bottom - area.top);
  glClearColor(float(color.r) / 255, float(color.g) / 255, float(color.b) / 255, 1);
  glClear(GL_COLOR_BUFFER_BIT);
}

}  // namespace

void addClear(ImDrawList& list, const Box& box, Color color) {
  list.PushClipRect({box.x, box.y}, {box.x + box.width, box.y + box.height});
  list.AddCallback(onClear, reinterpret_cast<void*>(uintptr_t{packed(color)}));
  list.PopClipRect();
}

std::optional<Color> clearOf(const ImDrawCmd& command) {
  if (command.UserCallback != onClear) return std::nullopt;
  const auto color = reinterpret_cast<uintptr_t>(command.UserCallbackData);
  return Color{uint8_t(color), uint8_t(color >> 8), uint8_t(color >> 16), 255};
}

}  // namespace tilestep::gfx
