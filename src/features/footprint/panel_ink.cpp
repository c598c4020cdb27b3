// SPDX-License-Identifier: Apache-2.0
#include "features/footprint/panel_ink.h"

#include <algorithm>

#include "ui/kit/widgets.h"

namespace tilestep::features {

float Ink::widthOf(const std::string& what) const {
  return context_.fonts.small->CalcTextSizeA(small_, 1e9F, 0, what.c_str()).x;
}

void Ink::text(ImVec2 at, const std::string& what, gfx::Color color) const {
  list_.AddText(context_.fonts.small, small_, at, colour(color), what.c_str());
}

void Ink::textRight(float right, float y, const std::string& what, gfx::Color color) const {
  text({right - widthOf(what), y}, what, color);
}

void Ink::strong(ImVec2 at, const std::string& what) const {
  list_.AddText(context_.fonts.strong, small_, at, colour(context_.palette.text), what.c_str());
}

void Ink::title(ImVec2 at, const std::string& what, const std::string& aside, float width) const {
  strong(at, what);
  const float gap = 0.6F * context_.em;
  const float used = context_.fonts.strong->CalcTextSizeA(small_, 1e9F, 0, what.c_str()).x + gap;
  if (used + widthOf(aside) <= width) text({at.x + used, at.y}, aside, context_.palette.mutedText);
}

void Ink::hatch(ImVec2 min, ImVec2 max, float alpha) const {
  const ImU32 ink = colour(context_.palette.warning, alpha);
  const float width = max.x - min.x, height = max.y - min.y;
  const float pitch = std::max(0.28F * context_.em, 3.0F);
  list_.PushClipRect(min, max, true);
  for (float at = pitch / 2; at < width + height; at += pitch)
    list_.AddLine({min.x + at, min.y}, {min.x + at - height, max.y}, ink, 1.0F);
  list_.PopClipRect();
}

uint64_t rowsApart(float rowHeight, float small) {
  uint64_t apart = 1;
  while (rowHeight * static_cast<float>(apart) < 1.1F * small && apart < 1024) apart *= 2;
  return apart;
}

}  // namespace tilestep::features
