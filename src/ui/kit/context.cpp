// SPDX-License-Identifier: Apache-2.0
#include "ui/kit/context.h"

namespace tilestep::ui {

gfx::Palette paletteOf(Theme theme) {
  switch (theme) {
    case Theme::dark:
      return gfx::darkPalette();
    case Theme::light:
      return gfx::lightPalette();
    case Theme::highContrast:
      return gfx::highContrastPalette();
  }
  return gfx::darkPalette();
}

namespace {

void applyColours(const gfx::Palette& p) {
  ImVec4* colors = ImGui::GetStyle().Colors;
  const ImVec4 raised = vector(gfx::mix(p.surface, p.text, 0.07F));
  const ImVec4 hovered = vector(gfx::mix(p.surface, p.text, 0.14F));
  const ImVec4 pressed = vector(gfx::mix(p.surface, p.text, 0.22F));
  colors[ImGuiCol_Text] = vector(p.text);
  colors[ImGuiCol_TextDisabled] = vector(p.mutedText);
  colors[ImGuiCol_WindowBg] = vector(p.surface);
  colors[ImGuiCol_ChildBg] = ImVec4(0, 0, 0, 0);
  colors[ImGuiCol_PopupBg] = vector(gfx::mix(p.surface, p.text, 0.04F));
  colors[ImGuiCol_Border] = vector(p.line);
  colors[ImGuiCol_FrameBg] = raised;
  colors[ImGuiCol_FrameBgHovered] = hovered;
  colors[ImGuiCol_FrameBgActive] = pressed;
  colors[ImGuiCol_Button] = raised;
  colors[ImGuiCol_ButtonHovered] = hovered;
  colors[ImGuiCol_ButtonActive] = pressed;
  colors[ImGuiCol_Header] = raised;
  colors[ImGuiCol_HeaderHovered] = hovered;
  colors[ImGuiCol_HeaderActive] = pressed;
  colors[ImGuiCol_SliderGrab] = vector(gfx::mix(p.surface, p.text, 0.55F));
  colors[ImGuiCol_SliderGrabActive] = vector(p.text);
  colors[ImGuiCol_CheckMark] = vector(p.text);
  colors[ImGuiCol_Separator] = vector(p.line);
  colors[ImGuiCol_ScrollbarBg] = ImVec4(0, 0, 0, 0);
  colors[ImGuiCol_ScrollbarGrab] = hovered;
  colors[ImGuiCol_ScrollbarGrabHovered] = pressed;
  colors[ImGuiCol_ScrollbarGrabActive] = pressed;
  colors[ImGuiCol_NavHighlight] = vector(p.text);
  colors[ImGuiCol_TextSelectedBg] = vector(gfx::withAlpha(p.chosen, 0.4F));
  colors[ImGuiCol_TableHeaderBg] = ImVec4(0, 0, 0, 0);
  colors[ImGuiCol_ModalWindowDimBg] = ImVec4(0, 0, 0, 0.5F);
}

}  // namespace

void applyStyle(const gfx::Palette& palette, float em) {
  ImGuiStyle& style = ImGui::GetStyle();
  style = ImGuiStyle();
  style.WindowPadding = {0.75F * em, 0.65F * em};
  style.FramePadding = {0.5F * em, 0.28F * em};
  style.ItemSpacing = {0.5F * em, 0.4F * em};
  style.ItemInnerSpacing = {0.4F * em, 0.3F * em};
  style.CellPadding = {0.35F * em, 0.14F * em};
  style.ScrollbarSize = 0.7F * em;
  style.GrabMinSize = 0.75F * em;
  style.DisabledAlpha = 0.7F;
  style.WindowBorderSize = palette.highContrast ? 2.0F : 0.0F;
  style.FrameBorderSize = palette.highContrast ? 1.0F : 0.0F;
  style.PopupBorderSize = 1;
  style.WindowRounding = 0.4F * em;
  style.ChildRounding = style.FrameRounding = style.PopupRounding = 0.3F * em;
  style.GrabRounding = 0.4F * em;
  style.ScrollbarRounding = 0.35F * em;
  applyColours(palette);
}

}  // namespace tilestep::ui
