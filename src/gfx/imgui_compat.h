// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <imgui.h>
#if IMGUI_VERSION_NUM >= 18700
#include <imgui_internal.h>
#endif

#include <cstdint>
#include <string>

#include "gfx/drawing/readable_glyphs.h"

/// Hides the differences between Dear ImGui 1.86, 1.90 and 1.92. Only this file checks the version.
namespace tilestep::compat {

#if IMGUI_VERSION_NUM >= 19200
/// The backend makes glyphs on demand, at any size and density.
inline constexpr bool kGlyphsOnDemand = true;
#else
inline constexpr bool kGlyphsOnDemand = false;
#endif

// --- Input ---------------------------------------------------------------------------------------

/// Whether later frames will process keys or text that were already typed, because newer releases
/// distribute input over several frames.
inline bool hasPendingInput() {
#if IMGUI_VERSION_NUM >= 18700
  return !ImGui::GetCurrentContext()->InputEventsQueue.empty();
#else
  return false;
#endif
}

inline bool isEscapePressed() {
#if IMGUI_VERSION_NUM >= 18700
  return ImGui::IsKeyPressed(ImGuiKey_Escape);
#else
  return ImGui::IsKeyPressed(ImGui::GetKeyIndex(ImGuiKey_Escape));
#endif
}

inline void setEnter(bool isDown) {
#if IMGUI_VERSION_NUM >= 18700
  ImGui::GetIO().AddKeyEvent(ImGuiKey_Enter, isDown);
#else
  ImGui::GetIO().KeyMap[ImGuiKey_Enter] = ImGuiKey_Enter;
  ImGui::GetIO().KeysDown[ImGuiKey_Enter] = isDown;
#endif
}

// --- Windows -------------------------------------------------------------------------------------

/// Begins a child window with its own frame padding.
inline bool beginChild(const char* id, ImVec2 size, bool bordered, ImGuiWindowFlags flags = 0) {
#if IMGUI_VERSION_NUM >= 19000
  constexpr ImGuiChildFlags kBorder = 1;  // Its name changed, but not its value.
  return ImGui::BeginChild(id, size, bordered ? kBorder : ImGuiChildFlags_None, flags);
#else
  return ImGui::BeginChild(id, size, bordered, flags);
#endif
}

/// Begins a child window without a frame that is as wide as its panel. It has the panel's padding
/// at its left and right, so that the panel's edges clip its content.
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

// --- Drawing -------------------------------------------------------------------------------------

// ImDrawList's functions exchanged the last two parameters in 1.92.8.
inline void strokeRect(ImDrawList& list, ImVec2 min, ImVec2 max, ImU32 colour, float rounding,
                       float thickness) {
#if IMGUI_VERSION_NUM >= 19280
  list.AddRect(min, max, colour, rounding, thickness);
#else
  list.AddRect(min, max, colour, rounding, 0, thickness);
#endif
}

inline void strokeLines(ImDrawList& list, const ImVec2* points, int count, ImU32 colour,
                        ImDrawFlags flags, float thickness) {
#if IMGUI_VERSION_NUM >= 19280
  list.AddPolyline(points, count, colour, thickness, flags);
#else
  list.AddPolyline(points, count, colour, flags, thickness);
#endif
}

// --- Fonts ---------------------------------------------------------------------------------------

inline void pushFont(ImFont* font, float pixels) {
#if IMGUI_VERSION_NUM >= 19200
  ImGui::PushFont(font, pixels);
#else
  (void)pixels;  // Each font was built at its size.
  ImGui::PushFont(font);
#endif
}

/// The size at which a font was added, in pixels.
inline float sizeOf(const ImFont* font) {
#if IMGUI_VERSION_NUM >= 19200
  return font->LegacySize;
#else
  return font->FontSize;
#endif
}

/// The file name of the font's first file; empty if unknown.
inline std::string nameOf(const ImFont& font) {
#if IMGUI_VERSION_NUM >= 19200
  return font.GetDebugName();
#else
  return font.ConfigData == nullptr ? "" : font.ConfigData->Name;
#endif
}

/// The distance from the top of a line to its baseline, and the width of a space, as fractions of
/// the font's size.
struct LineMetrics {
  float ascent = 0, space = 0;
};
inline LineMetrics lineMetricsOf(ImFont& font) {
#if IMGUI_VERSION_NUM >= 19200
  ImFontBaked* baked = font.GetFontBaked(font.LegacySize);
  return {baked->Ascent / baked->Size, baked->GetCharAdvance(' ') / baked->Size};
#else
  return {font.Ascent / font.FontSize, font.GetCharAdvance(' ') / font.FontSize};
#endif
}

/// Shows `like` instead of `sign` if the font does not contain `sign`. Call after buildFonts().
inline void remap(ImFont& font, ImWchar sign, ImWchar like) {
#if IMGUI_VERSION_NUM >= 19200
  if (!font.IsGlyphInFont(sign)) font.AddRemapChar(sign, like);
#else
  // Without `true`, AddRemapChar ignores missing glyphs between existing ones.
  if (font.FindGlyphNoFallback(sign) == nullptr) font.AddRemapChar(sign, like, true);
#endif
}

/// Makes the glyphs of all fonts and their texture, unless glyphs are made on demand.
inline void buildFonts(ImFontAtlas& atlas) {
#if IMGUI_VERSION_NUM >= 19200
  (void)atlas;
#else
  unsigned char* pixels = nullptr;
  int width = 0, height = 0;
  atlas.GetTexDataAsRGBA32(&pixels, &width, &height);
#endif
}

/// Prepares the current context for frames that are read or discarded instead of drawn by a
/// backend.
inline void drawWithoutBackend() {
  // All readers of the draw lists add a command's VtxOffset to its indices, so a list may have more
  // vertices than 16-bit indices can address.
  ImGui::GetIO().BackendFlags |= ImGuiBackendFlags_RendererHasVtxOffset;
#if IMGUI_VERSION_NUM >= 19200
  ImGui::GetIO().BackendFlags |= ImGuiBackendFlags_RendererHasTextures;
#endif
}

/// Makes a built font's metrics smaller by the factor `by`; its glyphs keep their pixels.
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

/// The texture that a command draws with, as a number that is unique to each texture.
inline uint64_t textureOf(const ImDrawCmd& command) {
#if IMGUI_VERSION_NUM >= 19200
  return uint64_t(command.TexRef._TexID) ^ reinterpret_cast<uintptr_t>(command.TexRef._TexData);
#else
  return reinterpret_cast<uintptr_t>(reinterpret_cast<const void*>(command.TextureId));
#endif
}

// --- Readable glyphs -----------------------------------------------------------------------------

/// The advance of a character as a fraction of the font's size; 0 if the font does not contain the
/// character. `font` is its index in the atlas.
using AdvanceOf = float (*)(int font, ImWchar character);

#if IMGUI_VERSION_NUM >= 19200
/// An ImFontLoader's FontBakedLoadGlyph. `More` exists because 1.92.2 and later also request the
/// advance alone.
template <AdvanceOf advance, class... More>
bool loadReadable(ImFontAtlas* atlas, ImFontConfig* source, ImFontBaked* baked, void* data,
                  ImWchar character, ImFontGlyph* glyph, More... more) {
  const int font = atlas->Fonts.find_index(source->DstFont);
  if constexpr (advance == nullptr) {
    if (!ImFontAtlasGetFontLoaderForStbTruetype()->FontBakedLoadGlyph(atlas, source, baked, data,
                                                                      character, glyph, more...))
      return false;
    if ((... || (more != nullptr))) return true;
    if (glyph->PackId != ImFontAtlasRectId_Invalid)
      ImFontAtlasPackDiscardRect(atlas, glyph->PackId);
  } else {
    const float width = advance(font, character) * baked->Size;
    if (width <= 0) return false;
    ((more == nullptr ? void() : void(*more = width)), ...);
    if ((... || (more != nullptr))) return true;
    glyph->AdvanceX = width;
    glyph->Visible = character != ' ';
  }
  glyph->Codepoint = character;
  glyph->PackId = ImFontAtlasRectId_Invalid;
  gfx::makeReadable(*glyph, font, baked->Size);
  return true;
}
#endif

/// Makes all glyphs of an atlas readable (gfx/drawing/readable_glyphs.h); its texture no longer
/// shows them. If `advance` is given, it defines the fonts' characters and advances instead of
/// their files. Call after buildFonts().
template <AdvanceOf advance = nullptr>
void makeReadable(ImFontAtlas& atlas) {
#if IMGUI_VERSION_NUM >= 19200
  static const ImFontLoader loader = [] {
    ImFontLoader readable = *ImFontAtlasGetFontLoaderForStbTruetype();
    readable.Name = "readable";
    readable.FontBakedLoadGlyph = &loadReadable<advance>;
    if constexpr (advance != nullptr)
      readable.FontSrcContainsGlyph = [](ImFontAtlas*, ImFontConfig*, ImWchar character) {
        return advance(0, character) > 0;
      };
    return readable;
  }();
  ImFontAtlasBuildSetupFontLoader(&atlas, &loader);
  if constexpr (advance != nullptr)  // The fonts in the files may not contain all characters.
    for (ImFont* font : atlas.Fonts) font->RemapPairs.Clear();
#else
  for (int index = 0; index < atlas.Fonts.Size; ++index) {
    ImFont& font = *atlas.Fonts[index];
    if constexpr (advance != nullptr) {
      font.Glyphs.clear();
      font.IndexAdvanceX.clear();
      font.IndexLookup.clear();
      for (unsigned character = ' '; character < IM_UNICODE_CODEPOINT_MAX; ++character)
        if (const float share = advance(index, static_cast<ImWchar>(character)); share > 0)
          font.AddGlyph(nullptr, static_cast<ImWchar>(character), 0, 0, 1, 1, 0, 0, 0, 0,
                        share * font.FontSize);
      font.BuildLookupTable();
    }
    for (ImFontGlyph& glyph : font.Glyphs) gfx::makeReadable(glyph, index, font.FontSize);
  }
#endif
}

}  // namespace tilestep::compat
