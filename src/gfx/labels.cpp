// SPDX-License-Identifier: Apache-2.0
#include "gfx/labels.h"

#include <imgui.h>

#include <cmath>

namespace tilestep::gfx {
namespace {

// 1.92 made ImFont's size a matter of the moment; until then a font has one.
float sizeOf(const ImFont* font) {
#if IMGUI_VERSION_NUM >= 19200
  return font->LegacySize;
#else
  return font->FontSize;
#endif
}

ImFont* pick(const std::vector<ImFont*>& fonts, float height) {
  for (ImFont* font : fonts)
    if (sizeOf(font) >= height - 0.5F) return font;
  return fonts.empty() ? ImGui::GetFont() : fonts.back();
}

// A bitmap font is sharpest at its own size: near it, take exactly that.
float snapped(float height, float own) {
  return std::abs(height - own) < 0.08F * own ? own : height;
}

}  // namespace

void drawLabels(const std::vector<Label>& labels, Point origin, ImDrawList* list,
                const LabelFonts& fonts) {
  float lastEnd = 0;
  for (const Label& label : labels) {
    const bool strong = label.kind == Label::Kind::title || label.kind == Label::Kind::header;
    ImFont* font =
        pick(strong && !fonts.strong.empty() ? fonts.strong : fonts.text, label.heightPx);
    const float height = snapped(label.heightPx, sizeOf(font));
    const char* begin = label.text.data();
    const char* end = begin + label.text.size();
    const ImVec2 size = font->CalcTextSizeA(height, 1e9F, 0, begin, end);
    if (label.maxWidthPx > 0 && size.x > label.maxWidthPx) continue;
    float x = origin.x + label.at.x;
    if (label.align == Label::Align::center) x -= size.x / 2;
    if (label.align == Label::Align::right) x -= size.x;
    if (label.follows) x = lastEnd + height * 0.5F;
    lastEnd = x + size.x;
    const float y = origin.y + label.at.y - size.y / 2;
    if (label.plate.a > 0) {
      const float pad = std::round(height * 0.25F);
      list->AddRectFilled(ImVec2(std::round(x) - pad, std::round(y)),
                          ImVec2(std::round(x + size.x) + pad, std::round(y + size.y)),
                          packed(label.plate), std::round(height * 0.3F));
    }
    list->AddText(font, height, ImVec2(std::round(x), std::round(y)), packed(label.color), begin,
                  end);
  }
}

}  // namespace tilestep::gfx
