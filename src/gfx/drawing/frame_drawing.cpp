// SPDX-License-Identifier: Apache-2.0
#include "gfx/drawing/frame_drawing.h"

#include <imgui_internal.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "gfx/clear.h"
#include "gfx/drawing/scene_drawing.h"

namespace tilestep::gfx {
namespace {

/// A drawn glyph, as large as if no clip rectangle had cut it.
struct Sign {
  ImWchar code = 0;
  Typeface face = Typeface::text;
  float left = 0, top = 0;  ///< Where its line's text begins: the pen's place.
  float advance = 0;        ///< To the next glyph.
  float space = 0;          ///< The width of a space in this font.
  float height = 0;         ///< Of a line, which is what Dear ImGui calls the font's size.
  float em = 0;             ///< What everybody else calls so.
  float ascent = 0;         ///< From the top to the baseline.
  float angle = 0;          ///< Of the whole line. All places here are those before the turn.
};

#if IMGUI_VERSION_NUM < 19200
std::string nameOf(const ImFont& font) {
  return font.ConfigData == nullptr ? "" : font.ConfigData->Name;
}

Typeface faceOf(const std::string& name) {
  if (name.find("Mono") != std::string::npos) return Typeface::mono;
  return name.find("Bold") != std::string::npos ? Typeface::strong : Typeface::text;
}

/// How many ems a line is high, by the fonts' own ascenders and descenders.
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

/// Finds a glyph by the part of the fonts' texture that a quad shows.
class Glyphs {
 public:
  explicit Glyphs(const ImFontAtlas& atlas) {
    for (const ImFont* font : atlas.Fonts)
      for (const ImFontGlyph& glyph : font->Glyphs)
        if (glyph.Visible != 0) byCorner_.try_emplace({glyph.V0, glyph.U0}, Known{font, &glyph});
  }

  /// By the corners of a quad: top left, top right and bottom right.
  [[nodiscard]] std::optional<Sign> find(const ImDrawVert& first, const ImDrawVert& second,
                                         const ImDrawVert& last) const {
    const ImVec2 from = first.uv, to = last.uv;
    if (to.x <= from.x || to.y <= from.y) return std::nullopt;
    const auto found = byCorner_.find({from.y, from.x});
    const Known* known = found != byCorner_.end()
                             ? &found->second
                             : around({(from.x + to.x) / 2, (from.y + to.y) / 2});
    if (known == nullptr) return std::nullopt;
    // A clip rectangle cuts the quad and its part of the texture alike.
    const ImFontGlyph& glyph = *known->glyph;
    const float angle = angleOf(first.pos, second.pos);
    const Point start = turned({first.pos.x, first.pos.y}, -angle);
    const Point end = turned({last.pos.x, last.pos.y}, -angle);
    const float perU = (end.x - start.x) / (to.x - from.x);
    const float perV = (end.y - start.y) / (to.y - from.y);
    const float scale = perV * (glyph.V1 - glyph.V0) / (glyph.Y1 - glyph.Y0);
    const ImFont& font = *known->font;
    const std::string name = nameOf(font);
    return Sign{static_cast<ImWchar>(glyph.Codepoint),
                faceOf(name),
                start.x - perU * (from.x - glyph.U0) - glyph.X0 * scale,
                start.y - perV * (from.y - glyph.V0) - glyph.Y0 * scale,
                glyph.AdvanceX * scale,
                font.FindGlyph(' ')->AdvanceX * scale,
                font.FontSize * scale,
                font.FontSize * scale / lineHeight(name),
                font.Ascent * scale,
                angle};
  }

 private:
  /// Zero for a line that runs straight to the right, which almost all do.
  static float angleOf(ImVec2 left, ImVec2 right) {
    return left.y == right.y ? 0 : std::atan2(right.y - left.y, right.x - left.x);
  }

  struct Known {
    const ImFont* font = nullptr;
    const ImFontGlyph* glyph = nullptr;
  };
  /// Of a quad that a widget has cut.
  [[nodiscard]] const Known* around(ImVec2 at) const {
    for (const auto& [corner, known] : byCorner_) {
      const ImFontGlyph& g = *known.glyph;
      if (at.x > g.U0 && at.x < g.U1 && at.y > g.V0 && at.y < g.V1) return &known;
    }
    return nullptr;
  }

  std::map<std::pair<float, float>, Known> byCorner_;
};
#else
class Glyphs {
 public:
  explicit Glyphs(const ImFontAtlas&) {}
  [[nodiscard]] std::optional<Sign> find(const ImDrawVert&, const ImDrawVert&,
                                         const ImDrawVert&) const {
    return std::nullopt;
  }
};
#endif

constexpr float kSameAngle = 0.01F;  // Radians, between the glyphs of one text.

/// Less than half of a quad, or of the box around a turned one, is inside the clip rectangle.
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

/// Turns one draw list into shapes: glyphs into lines of text, triangles that share a corner into
/// polygons.
class ListReader {
 public:
  ListReader(const Glyphs& glyphs, const ImDrawList& list, Drawing& drawing)
      : glyphs_(glyphs), list_(list), drawing_(drawing) {
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
      const std::optional<Sign> sign = quad ? glyphs_.find(v[0], v[1], v[2]) : std::nullopt;
      if (!sign)
        addTriangle(index);
      else if (!isCut(v, command.ClipRect))
        addSign(*sign, colorOf(v[0].col));
      i += sign ? 6 : 3;
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

  void addSign(const Sign& sign, Color color) {
    fan_.clear();
    const std::optional<int> spaces = spacesBefore(sign, color);
    if (!spaces) {
      endText();
      text_ = TextShape{"",
                        {sign.left, sign.top, 0, sign.height},
                        sign.top + sign.ascent,
                        sign.em,
                        sign.space,
                        sign.face,
                        color,
                        sign.angle};
    }
    text_->text += std::string(static_cast<size_t>(spaces.value_or(0)), ' ');
    char bytes[5] = {};
    text_->text += ImTextCharToUtf8(bytes, sign.code);
    text_->box.width = sign.left + sign.advance - text_->box.x;
  }

  /// Between the last glyph and this one, where both stand in one text.
  [[nodiscard]] std::optional<int> spacesBefore(const Sign& sign, Color color) const {
    if (!text_ || !(text_->color == color) || text_->face != sign.face ||
        std::fabs(text_->angle - sign.angle) > kSameAngle)
      return std::nullopt;
    const Box& box = text_->box;
    if (std::fabs(box.height - sign.height) > 0.5F || std::fabs(box.y - sign.top) > 0.5F)
      return std::nullopt;
    const float room = sign.left - (box.x + box.width), spaces = std::round(room / sign.space);
    // Pieces of a text begin at whole pixels.
    if (spaces < 0 || spaces > 2 || std::fabs(room - spaces * sign.space) > 0.1F * sign.height)
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

  const Glyphs& glyphs_;
  const ImDrawList& list_;
  Drawing& drawing_;
  std::string panel_;
  Box clip_;
  const ImDrawVert* vertices_ = nullptr;
  std::vector<ImDrawIdx> fan_;  ///< The corners of the last polygon.
  std::optional<TextShape> text_;
};

}  // namespace

bool canDescribeFrames() {
  return IMGUI_VERSION_NUM < 19200;
}

Drawing drawingOf(const ImDrawData& frame, const std::vector<SceneCall>& scenes) {
  Drawing drawing;
  const Glyphs glyphs(*ImGui::GetIO().Fonts);
  for (int i = 0; i < frame.CmdListsCount; ++i) {
    ListReader(glyphs, *frame.CmdLists[i], drawing).read();
    if (i > 0) continue;  // The first list lies under all windows; scenes are drawn into it.
    for (const SceneCall& scene : scenes) describeScene(scene, drawing);
  }
  return drawing;
}

}  // namespace tilestep::gfx
