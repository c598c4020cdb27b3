// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <imgui.h>
#if IMGUI_VERSION_NUM >= 18700
#include <imgui_internal.h>
#endif

/// Hides the differences between Dear ImGui 1.86 and 1.92.
namespace tilestep::ui::compat {

/// Whether keys or text were typed that the next frames will see: newer releases give a frame no
/// more than belongs together.
inline bool hasPendingInput() {
#if IMGUI_VERSION_NUM >= 18700
  return !ImGui::GetCurrentContext()->InputEventsQueue.empty();
#else
  return false;
#endif
}

/// Whether Escape went down since the last frame.
inline bool isEscapePressed() {
#if IMGUI_VERSION_NUM >= 18700
  return ImGui::IsKeyPressed(ImGuiKey_Escape);
#else
  return ImGui::IsKeyPressed(ImGui::GetKeyIndex(ImGuiKey_Escape));
#endif
}

/// Begins a child window with its own frame padding.
inline bool beginChild(const char* id, ImVec2 size, bool bordered, ImGuiWindowFlags flags = 0) {
#if IMGUI_VERSION_NUM >= 19000
  ImGuiChildFlags child = ImGuiChildFlags_None;
  if (bordered) child |= ImGuiChildFlags_Border;
  return ImGui::BeginChild(id, size, child, flags);
#else
  return ImGui::BeginChild(id, size, bordered, flags);
#endif
}

/// Begins a child window without a frame as wide as its panel, with the panel's padding at its left
/// and right, so that what is drawn in it is cut where the panel would cut it.
inline bool beginPart(const char* id, float height) {
  const float padding = ImGui::GetStyle().WindowPadding.x;
  const ImVec2 size{ImGui::GetContentRegionAvail().x + 2 * padding, height};
  ImGui::SetCursorPosX(ImGui::GetCursorPosX() - padding);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {padding, 0});
#if IMGUI_VERSION_NUM >= 19000
  const bool visible = ImGui::BeginChild(id, size, ImGuiChildFlags_AlwaysUseWindowPadding);
#else
  const bool visible = ImGui::BeginChild(id, size, false, ImGuiWindowFlags_AlwaysUseWindowPadding);
#endif
  ImGui::PopStyleVar();
  return visible;
}

inline void pushFont(ImFont* font, float pixels) {
#if IMGUI_VERSION_NUM >= 19200
  ImGui::PushFont(font, pixels);
#else
  (void)pixels;  // Each font was built at its size.
  ImGui::PushFont(font);
#endif
}

/// The size a font was made at, in pixels.
inline float sizeOf(const ImFont* font) {
#if IMGUI_VERSION_NUM >= 19200
  return font->LegacySize;
#else
  return font->FontSize;
#endif
}

/// Shows `like` in place of `sign` if the font lacks `sign`. Call after buildFonts().
inline void remap(ImFont& font, ImWchar sign, ImWchar like) {
#if IMGUI_VERSION_NUM >= 19200
  if (!font.IsGlyphInFont(sign)) font.AddRemapChar(sign, like);
#else
  // Without `true` it skips missing glyphs between others.
  if (font.FindGlyphNoFallback(sign) == nullptr) font.AddRemapChar(sign, like, true);
#endif
}

/// Older versions fill their lookup tables here; newer ones create glyphs on demand.
inline void buildFonts(ImFontAtlas& atlas) {
#if IMGUI_VERSION_NUM >= 19200
  (void)atlas;
#else
  atlas.Build();
#endif
}

/// Whether glyphs are made as fine as the framebuffer's scale without further ado.
inline constexpr bool kDenseByItself = IMGUI_VERSION_NUM >= 19200;

/// Makes a built font measure `by` times less, while its glyphs keep their pixels.
inline void shrink(ImFont& font, float by) {
#if IMGUI_VERSION_NUM >= 19200
  (void)font;
  (void)by;
#else
  for (float* length : {&font.FontSize, &font.Ascent, &font.Descent, &font.FallbackAdvanceX})
    *length /= by;
  for (float& advance : font.IndexAdvanceX) advance /= by;
  for (ImFontGlyph& glyph : font.Glyphs)
    for (float* length : {&glyph.AdvanceX, &glyph.X0, &glyph.Y0, &glyph.X1, &glyph.Y1})
      *length /= by;
#endif
}

}  // namespace tilestep::ui::compat
