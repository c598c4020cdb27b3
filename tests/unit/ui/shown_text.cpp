// SPDX-License-Identifier: Apache-2.0
#include "unit/ui/shown_text.h"

#include <imgui.h>
#include <imgui_internal.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace tilestep::ui {
namespace {

/// Pixels; corners are ordered.
struct Rect {
  float left = 0, top = 0, right = 0, bottom = 0;
  [[nodiscard]] float area() const {
    return std::max(right - left, 0.0F) * std::max(bottom - top, 0.0F);
  }
};

Rect common(const Rect& a, const Rect& b) {
  return {std::max(a.left, b.left), std::max(a.top, b.top), std::min(a.right, b.right),
          std::min(a.bottom, b.bottom)};
}

/// One drawn letter, or a filled area that may hide letters drawn before it.
struct Quad {
  Rect rect, clip;
  bool glyph = false;
  char letter = '?';
};

using Letters = std::map<std::pair<float, float>, char>;

/// By their place in the texture, for messages alone.
Letters lettersOf() {
  Letters letters;
#if IMGUI_VERSION_NUM < 19200
  for (const ImFont* font : ImGui::GetIO().Fonts->Fonts)
    for (const ImFontGlyph& glyph : font->Glyphs)
      letters[{glyph.U0, glyph.V0}] =
          glyph.Codepoint < 127 ? static_cast<char>(glyph.Codepoint) : '~';
#endif
  return letters;
}

/// Letters are the only quads with an area in the texture.
bool isGlyph(const ImDrawVert* v) {
  return v[2].uv.x > v[0].uv.x && v[2].uv.y > v[0].uv.y && v[1].uv.y == v[0].uv.y;
}

std::vector<Quad> quadsOf(const ImDrawList& list, const Letters& letters) {
  std::vector<Quad> quads;
  for (const ImDrawCmd& command : list.CmdBuffer) {
    if (command.UserCallback != nullptr) continue;
    const ImVec4& c = command.ClipRect;
    unsigned fan = ~0U;
    for (unsigned i = 0; i + 5 < command.ElemCount;) {
      const ImDrawIdx* index = list.IdxBuffer.Data + command.IdxOffset + i;
      const ImDrawVert* v = list.VtxBuffer.Data + command.VtxOffset + index[0];
      const bool quad = index[1] == index[0] + 1 && index[2] == index[0] + 2 &&
                        index[3] == index[0] && index[4] == index[2] && index[5] == index[0] + 3;
      if (!quad || !isGlyph(v)) {
        // A filled area, a fan of triangles about one corner, hides what was drawn before.
        const bool opaque = (v[0].col >> IM_COL32_A_SHIFT) == 255;
        const bool more = !quads.empty() && !quads.back().glyph && fan == index[0];
        if (opaque && !more) quads.push_back({{1e9F, 1e9F, -1e9F, -1e9F}, {}, false, ' '});
        for (int corner = 0; opaque && corner < 3; ++corner) {
          const ImVec2 at = list.VtxBuffer[static_cast<int>(command.VtxOffset + index[corner])].pos;
          Rect& area = quads.back().rect;
          area = {std::min(area.left, at.x), std::min(area.top, at.y), std::max(area.right, at.x),
                  std::max(area.bottom, at.y)};
        }
        fan = index[0];
        i += 3;
        continue;
      }
      fan = ~0U;
      const auto found = letters.find({v[0].uv.x, v[0].uv.y});
      quads.push_back({{v[0].pos.x, v[0].pos.y, v[2].pos.x, v[2].pos.y},
                       {c.x, c.y, c.z, c.w},
                       true,
                       found == letters.end() ? '?' : found->second});
      i += 6;
    }
  }
  return quads;
}

/// The letters around one, on its line.
std::string textAround(const std::vector<Quad>& quads, size_t at) {
  std::string text;
  const size_t first = at < 24 ? 0 : at - 24, last = std::min(at + 24, quads.size());
  for (size_t i = first; i < last; ++i)
    if (quads[i].glyph && std::fabs(quads[i].rect.bottom - quads[at].rect.bottom) < 8)
      text += i == at ? std::string("[") + quads[i].letter + "]" : std::string(1, quads[i].letter);
  return text;
}

/// `scrollsX`, `scrollsY`: what is cut there can be scrolled to.
bool isCut(const Quad& quad, bool scrollsX, bool scrollsY) {
  const Rect seen = common(quad.rect, quad.clip);
  const float width = quad.rect.right - quad.rect.left, height = quad.rect.bottom - quad.rect.top;
  const bool x = width - (seen.right - seen.left) > std::max(1.0F, 0.15F * width);
  const bool y = height - (seen.bottom - seen.top) > std::max(1.0F, 0.15F * height);
  return (x && !scrollsX) || (y && !scrollsY);
}

void findCut(const ImDrawList& list, const std::vector<Quad>& quads,
             std::vector<std::string>& found) {
  const ImGuiWindow* window = ImGui::FindWindowByName(list._OwnerName);
  const bool scrollsX = window != nullptr && window->ScrollbarX;
  const bool scrollsY = window != nullptr && window->ScrollbarY;
  for (size_t i = 0; i < quads.size(); ++i)
    if (quads[i].glyph && isCut(quads[i], scrollsX, scrollsY))
      found.push_back(std::string(list._OwnerName) + ": cut: " + textAround(quads, i));
}

bool isHidden(const std::vector<Quad>& quads, size_t first, size_t second, const Rect& both) {
  for (size_t i = first + 1; i < second; ++i)
    if (!quads[i].glyph && common(quads[i].rect, both).area() > 0.9F * both.area()) return true;
  return false;
}

void findOverlaps(const ImDrawList& list, const std::vector<Quad>& quads,
                  std::vector<std::string>& found) {
  constexpr float kField = 32;
  std::map<std::pair<int, int>, std::vector<size_t>> fields;
  for (size_t i = 0; i < quads.size(); ++i) {
    if (!quads[i].glyph) continue;
    const Rect seen = common(quads[i].rect, quads[i].clip);
    if (seen.area() <= 0) continue;
    const std::pair<int, int> field{static_cast<int>((seen.left + seen.right) / 2 / kField),
                                    static_cast<int>((seen.top + seen.bottom) / 2 / kField)};
    for (int dx = -1; dx <= 1; ++dx)
      for (int dy = -1; dy <= 1; ++dy)
        for (const size_t other : fields[{field.first + dx, field.second + dy}]) {
          const Rect there = common(quads[other].rect, quads[other].clip);
          const Rect both = common(seen, there);
          if (both.right <= both.left || both.bottom <= both.top) continue;
          if (i - other <= 2 || both.area() < 0.25F * std::min(seen.area(), there.area())) continue;
          if (isHidden(quads, other, i, both)) continue;
          found.push_back(std::string(list._OwnerName) + ": on each other: " +
                          textAround(quads, other) + " and " + textAround(quads, i));
        }
    fields[field].push_back(i);
  }
}

}  // namespace

std::vector<std::string> unreadableText() {
  std::vector<std::string> found;
  const Letters letters = lettersOf();
  const ImDrawData& data = *ImGui::GetDrawData();
  for (int i = 0; i < data.CmdListsCount; ++i) {
    const ImDrawList& list = *data.CmdLists[i];
    const std::vector<Quad> quads = quadsOf(list, letters);
    if (list._OwnerName == nullptr) continue;
    findCut(list, quads, found);
    findOverlaps(list, quads, found);
  }
  return found;
}

}  // namespace tilestep::ui
