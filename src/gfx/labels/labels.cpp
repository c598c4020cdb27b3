// SPDX-License-Identifier: Apache-2.0
#include "gfx/labels/labels.h"

#include <imgui.h>

#include <cmath>

#include "gfx/imgui_compat.h"
#include "gfx/labels/label_places.h"

namespace tilestep::gfx {
namespace {

ImFont* pick(const std::vector<ImFont*>& fonts, float height) {
  for (ImFont* font : fonts)
    if (compat::sizeOf(font) >= height - 0.5F) return font;
  return fonts.empty() ? ImGui::GetFont() : fonts.back();
}

// A bitmap font is sharpest at its own size, so sizes near it are snapped to it.
float snapped(float height, float own) {
  return std::abs(height - own) < 0.08F * own ? own : height;
}

struct Face {
  ImFont* font = nullptr;
  float height = 0;
};

Face faceOf(const Label& label, float height, const LabelFonts& fonts) {
  const bool strong = label.kind == Label::Kind::title || label.kind == Label::Kind::header;
  ImFont* font = pick(strong && !fonts.strong.empty() ? fonts.strong : fonts.text, height);
  return {font, snapped(height, compat::sizeOf(font))};
}

void drawOne(const PlacedLabel& placed, const Box& viewport, ImDrawList* list, const Face& face) {
  const Label& label = *placed.label;
  const Box& box = placed.box;
  const float x = viewport.x + box.x, middle = viewport.y + box.y + box.height / 2;
  const float y = middle - face.height / 2;
  if (label.plate.a > 0) {
    const float pad = std::round(face.height * 0.25F);
    list->AddRectFilled(ImVec2(std::round(x) - pad, std::round(y)),
                        ImVec2(std::round(x + box.width) + pad, std::round(y + face.height)),
                        packed(label.plate), std::round(face.height * 0.3F));
  }
  list->AddText(face.font, face.height, ImVec2(std::round(x), std::round(y)), packed(label.color),
                placed.text->data(), placed.text->data() + placed.text->size());
}

}  // namespace

void drawLabels(const std::vector<Label>& labels, const Box& viewport, ImDrawList* list,
                const LabelFonts& fonts) {
  const auto measure = [&](const Label& label, const std::string& text, float height) {
    const Face face = faceOf(label, height, fonts);
    return face.font->CalcTextSizeA(face.height, 1e9F, 0, text.data(), text.data() + text.size()).x;
  };
  for (const PlacedLabel& placed : placeLabels(labels, viewport.width, measure))
    drawOne(placed, viewport, list, faceOf(*placed.label, placed.heightPx, fonts));
}

}  // namespace tilestep::gfx
