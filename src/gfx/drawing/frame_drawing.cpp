// SPDX-License-Identifier: Apache-2.0
#include "gfx/drawing/frame_drawing.h"

#include <imgui_internal.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "gfx/clear.h"
#include "gfx/drawing/readable_glyphs.h"
#include "gfx/drawing/scene_drawing.h"
#include "gfx/imgui_compat.h"

namespace tilestep::gfx {
namespace {

Typeface faceOf(const std::string& name) {
  if (name.find("Mono") != std::string::npos) return Typeface::mono;
  return name.find("Bold") != std::string::npos ? Typeface::strong : Typeface::text;
}

/// The height of a line in ems, from the fonts' ascenders and descenders.
float lineHeight(const std::string& name) {
  struct Family {
    const char* name;
    float height;
  };
  constexpr Family kFamilies[] = {
      {"Inter", 1.21F}, {"JetBrainsMono", 1.32F}, {"NotoSans", 1.362F}, {"DejaVu", 1.164F}};
  for (const Family& family : kFamilies)
    if (name.starts_with(family.name)) return family.height;
  return 1.2F;
}

/// A font of the frame. Lengths are fractions of a line's height.
struct FrameFont {
  Typeface face = Typeface::text;
  float em = 0;
  compat::LineMetrics line;
};

std::vector<FrameFont> fontsOf(const ImFontAtlas& atlas) {
  std::vector<FrameFont> fonts;
  for (ImFont* font : atlas.Fonts) {
    const std::string name = compat::nameOf(*font);
    fonts.push_back({faceOf(name), 1 / lineHeight(name), compat::lineMetricsOf(*font)});
  }
  return fonts;
}

constexpr float kSameAngle = 0.01F;  // Radians, between the glyphs of one text.

/// Whether the clip rectangle contains less than half of a quad (or, if it is rotated, of its
/// bounding box).
bool isCut(const ImDrawVert* quad, const ImVec4& clip) {
  ImVec2 from = quad[0].pos, to = from;
  for (int i = 1; i < 4; ++i) {
    const ImVec2 at = quad[i].pos;
    from = {std::min(from.x, at.x), std::min(from.y, at.y)};
    to = {std::max(to.x, at.x), std::max(to.y, at.y)};
  }
  const float width = std::min(to.x, clip.z) - std::max(from.x, clip.x);
  const float height = std::min(to.y, clip.w) - std::max(from.y, clip.y);
  return width < 0.5F * (to.x - from.x) || height < 0.5F * (to.y - from.y);
}

Color colorOf(ImU32 packed) {
  return {static_cast<uint8_t>(packed >> IM_COL32_R_SHIFT),
          static_cast<uint8_t>(packed >> IM_COL32_G_SHIFT),
          static_cast<uint8_t>(packed >> IM_COL32_B_SHIFT),
          static_cast<uint8_t>(packed >> IM_COL32_A_SHIFT)};
}

/// Converts one draw list to shapes: glyphs to lines of text, triangles with a common corner to
/// polygons.
class ListReader {
 public:
  ListReader(const std::vector<FrameFont>& fonts, const ImDrawList& list, Drawing& drawing)
      : fonts_(fonts), list_(list), drawing_(drawing) {
    if (list._OwnerName != nullptr) panel_ = list._OwnerName;
  }

  void read() {
    for (const ImDrawCmd& command : list_.CmdBuffer) {
      const ImVec4& clip = command.ClipRect;
      if (clip.z <= clip.x || clip.w <= clip.y) continue;
      const Box box{clip.x, clip.y, clip.z - clip.x, clip.w - clip.y};
      if (!(box == clip_)) endText();
      clip_ = box;
      if (command.UserCallback == nullptr) {
        readTriangles(command);
      } else if (const std::optional<Color> color = clearOf(command)) {
        endText();
        add(BoxShape{clip_, 0, *color});
      }
    }
    endText();
  }

 private:
  void readTriangles(const ImDrawCmd& command) {
    vertices_ = list_.VtxBuffer.Data + command.VtxOffset;
    for (unsigned i = 0; i + 2 < command.ElemCount;) {
      const ImDrawIdx* index = list_.IdxBuffer.Data + command.IdxOffset + i;
      const ImDrawVert* v = vertices_ + index[0];
      const bool quad = i + 5 < command.ElemCount && index[1] == index[0] + 1 &&
                        index[2] == index[0] + 2 && index[3] == index[0] && index[4] == index[2] &&
                        index[5] == index[0] + 3;
      const std::optional<ReadGlyph> glyph = quad ? readGlyph(v[0], v[1], v[2]) : std::nullopt;
      if (!glyph)
        addTriangle(index);
      else
        addGlyph(*glyph, colorOf(v[0].col), isCut(v, command.ClipRect));
      i += glyph ? 6 : 3;
    }
    fan_.clear();
  }

  void addTriangle(const ImDrawIdx* index) {
    const Color color = colorOf(vertices_[index[0]].col);
    if (color.a == 0) return;
    endText();
    const auto corner = [&](int i) {
      const ImVec2& at = vertices_[index[i]].pos;
      return Point{at.x, at.y};
    };
    const bool continues = fan_.size() >= 3 && fan_.front() == index[0] && fan_.back() == index[1];
    if (continues) {
      std::get<PolygonShape>(drawing_.shapes.back().what).corners.push_back(corner(2));
      fan_.push_back(index[2]);
      return;
    }
    fan_ = {index[0], index[1], index[2]};
    add(PolygonShape{{corner(0), corner(1), corner(2)}, color});
  }

  /// A clipped glyph is not part of a text.
  void addGlyph(const ReadGlyph& glyph, Color color, bool cut) {
    fan_.clear();
    const FrameFont& font = fonts_[static_cast<size_t>(glyph.font)];
    const std::optional<int> spaces = spacesBefore(glyph, font, color);
    if (cut) {
      if (spaces) text_->goesOn = true;
      return;
    }
    if (!spaces) {
      endText();
      text_ = TextShape{"",
                        {glyph.left, glyph.top, 0, glyph.height},
                        glyph.top + font.line.ascent * glyph.height,
                        font.em * glyph.height,
                        font.line.space * glyph.height,
                        font.face,
                        color,
                        glyph.angle};
    }
    text_->text += std::string(static_cast<size_t>(spaces.value_or(0)), ' ');
    char bytes[5] = {};
    ImTextCharToUtf8(bytes, glyph.character);
    text_->text += bytes;
    text_->box.width = glyph.left + glyph.advance - text_->box.x;
  }

  /// The number of spaces between the last glyph and this one; absent if the two belong to
  /// different texts.
  [[nodiscard]] std::optional<int> spacesBefore(const ReadGlyph& glyph, const FrameFont& font,
                                                Color color) const {
    if (!text_ || !(text_->color == color) || text_->face != font.face ||
        std::fabs(text_->angle - glyph.angle) > kSameAngle)
      return std::nullopt;
    const Box& box = text_->box;
    if (std::fabs(box.height - glyph.height) > 0.5F || std::fabs(box.y - glyph.top) > 0.5F)
      return std::nullopt;
    const float space = font.line.space * glyph.height;
    const float room = glyph.left - (box.x + box.width), spaces = std::round(room / space);
    // Pieces of a text begin at whole pixels.
    if (spaces < 0 || spaces > 2 || std::fabs(room - spaces * space) > 0.1F * glyph.height)
      return std::nullopt;
    return static_cast<int>(spaces);
  }

  void endText() {
    if (!text_) return;
    TextShape text = *std::exchange(text_, std::nullopt);
    const float ascent = text.baseline - text.box.y;
    const Point first = turned({text.box.x, text.baseline}, text.angle);
    text.box.x = first.x;
    text.box.y = first.y - ascent;
    text.baseline = first.y;
    add(std::move(text));
  }

  template <class What>
  void add(What what) {
    drawing_.shapes.push_back({std::move(what), clip_, panel_});
  }

  const std::vector<FrameFont>& fonts_;
  const ImDrawList& list_;
  Drawing& drawing_;
  std::string panel_;
  Box clip_;
  const ImDrawVert* vertices_ = nullptr;
  std::vector<ImDrawIdx> fan_;  ///< The corners of the last polygon.
  std::optional<TextShape> text_;
};

}  // namespace

Drawing drawingOf(const ImDrawData& frame, const std::vector<SceneCall>& scenes) {
  Drawing drawing;
  const std::vector<FrameFont> fonts = fontsOf(*ImGui::GetIO().Fonts);
  for (int i = 0; i < frame.CmdListsCount; ++i) {
    ListReader(fonts, *frame.CmdLists[i], drawing).read();
    if (i > 0) continue;  // The first list is below all windows; scenes are drawn into it.
    for (const SceneCall& scene : scenes) describeScene(scene, drawing);
  }
  return drawing;
}

}  // namespace tilestep::gfx
