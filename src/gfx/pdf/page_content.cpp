// SPDX-License-Identifier: Apache-2.0
#include "gfx/pdf/page_content.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "gfx/drawing/number.h"
#include "gfx/pdf/pdf_file.h"
#include "gfx/pdf/utf8.h"

namespace tilestep::gfx {
namespace {

std::string numbers(std::initializer_list<float> values) {
  std::string text;
  for (const float value : values) text += number(value) + " ";
  return text;
}

bool meet(const Box& one, const Box& other) {
  return one.x < other.x + other.width && other.x < one.x + one.width &&
         one.y < other.y + other.height && other.y < one.y + one.height;
}

bool isInside(const Box& inner, const Box& outer) {
  return inner.x >= outer.x && inner.y >= outer.y &&
         inner.x + inner.width <= outer.x + outer.width &&
         inner.y + inner.height <= outer.y + outer.height;
}

/// Twice the area; its sign says which way the corners turn.
double twiceArea(const std::vector<Point>& corners) {
  double sum = 0;
  for (size_t i = 0; i < corners.size(); ++i) {
    const Point &a = corners[i], &b = corners[(i + 1) % corners.size()];
    sum += double(a.x) * b.y - double(b.x) * a.y;
  }
  return sum;
}

class PageWriter {
 public:
  PageWriter(const Box& part, PdfResources& resources) : part_(part), resources_(resources) {
    // From pixels that are counted downwards to points that are counted upwards.
    content_ =
        numbers({kPoints, 0, 0, -kPoints, -kPoints * part.x, kPoints * (part.y + part.height)}) +
        "cm\n";
  }

  void add(const Shape& shape) {
    const Box bounds = boundsOf(shape);
    if (!meet(bounds, part_) || !meet(bounds, shape.clip)) return;
    setClip(isInside(bounds, shape.clip) ? std::nullopt : std::optional(shape.clip));
    if (!std::holds_alternative<PolygonShape>(shape.what)) endPath();
    std::visit([&](const auto& what) { write(what); }, shape.what);
  }
  std::string take() {
    setClip(std::nullopt);
    endPath();
    return std::move(content_);
  }

 private:
  /// The colours and the opacity that are set; nothing: not known.
  struct Paint {
    std::optional<Color> fill, stroke;
    std::optional<uint8_t> alpha;
    float width = 1;
  };

  void setClip(const std::optional<Box>& clip) {
    if (clip == clip_) return;
    endPath();
    if (clip_) {
      content_ += "Q\n";
      paint_ = outer_;
    }
    clip_ = clip;
    if (!clip_) return;
    outer_ = paint_;
    content_ += "q " + numbers({clip->x, clip->y, clip->width, clip->height}) + "re W n\n";
  }

  void setAlpha(uint8_t alpha) {
    if (paint_.alpha == alpha) return;
    content_ += resources_.opacity(alpha) + " gs\n";
    paint_.alpha = alpha;
  }
  static std::string channels(Color color) {
    return precise({float(color.r) / 255, float(color.g) / 255, float(color.b) / 255});
  }
  void setFill(Color color) {
    setAlpha(color.a);
    color.a = 255;
    if (paint_.fill == color) return;
    content_ += channels(color) + "rg\n";
    paint_.fill = color;
  }
  void setStroke(Color color, float width) {
    setAlpha(color.a);
    color.a = 255;
    if (!(paint_.stroke == color)) content_ += channels(color) + "RG\n";
    paint_.stroke = color;
    if (paint_.width != width) content_ += number(width) + " w\n";
    paint_.width = width;
  }

  // --- Polygons: neighbours of one colour are one path, unless one would shine through another ---

  void write(const PolygonShape& polygon) {
    const double turn = twiceArea(polygon.corners);
    if (turn == 0 || polygon.fill.a == 0) return;
    const Box bounds = boundsOf(Shape{polygon, {}, {}});
    const auto covers = [&](const Box& box) { return meet(bounds, box); };
    const bool shines = polygon.fill.a < 255 && std::ranges::any_of(pathBoxes_, covers);
    if (!(pathFill_ == polygon.fill) || shines) endPath();
    pathFill_ = polygon.fill;
    pathBoxes_.push_back(bounds);
    const std::vector<Point>& corners = polygon.corners;
    for (size_t i = 0; i < corners.size(); ++i) {
      // All turn the same way, so that no overlap becomes a hole.
      const Point& at = turn > 0 ? corners[i] : corners[corners.size() - 1 - i];
      path_ += numbers({at.x, at.y}) + (i == 0 ? "m " : "l ");
    }
    path_ += "h\n";
  }
  void endPath() {
    if (path_.empty()) return;
    setFill(*pathFill_);
    content_ += path_ + "f\n";
    path_.clear();
    pathBoxes_.clear();
    pathFill_.reset();
  }

  // --- Boxes -------------------------------------------------------------------------------------

  void write(const BoxShape& box) {
    if (box.fill.a > 0) {
      setFill(box.fill);
      content_ += outline(box.box, box.radius) + "f\n";
    }
    if (box.hatch != BoxShape::Hatch::none) writeStripes(box);
    if (box.borderWidth <= 0 || box.border.a == 0) return;
    const float half = box.borderWidth / 2;
    const Box middle{box.box.x + half, box.box.y + half, box.box.width - box.borderWidth,
                     box.box.height - box.borderWidth};
    setStroke(box.border, box.borderWidth);
    if (box.dashed) content_ += "[4.5] 0 d ";
    content_ += outline(middle, std::max(0.0F, box.radius - half)) + "S\n";
    if (box.dashed) content_ += "[] 0 d\n";
  }

  void writeStripes(const BoxShape& box) {
    constexpr float kSlant = 0.70711F;  // The sine and the cosine of 45 degrees.
    const bool rising = box.hatch == BoxShape::Hatch::rising;
    const float cosine = kPoints * kSlant, sine = rising ? cosine : -cosine;
    const std::string matrix = precise(
        {cosine, -sine, -sine, -cosine, -kPoints * part_.x, kPoints * (part_.y + part_.height)});
    setAlpha(box.hatchColor.a);
    content_ += "/Pattern cs " + resources_.stripes(rising, box.hatchColor, matrix) + " scn\n" +
                outline(box.box, box.radius) + "f\n";
    paint_.fill.reset();
  }
  static std::string precise(std::initializer_list<float> values) {
    std::string text;
    for (const float value : values) text += number(value, 5) + " ";
    return text;
  }

  static std::string outline(const Box& box, float radius) {
    if (radius <= 0) return numbers({box.x, box.y, box.width, box.height}) + "re ";
    constexpr float kRound = 0.44772F;  // Of the radius, to a curve's control point.
    const float r = std::min(radius, std::min(box.width, box.height) / 2), c = kRound * r;
    const float left = box.x, top = box.y, right = box.x + box.width, bottom = box.y + box.height;
    return numbers({left + r, top}) + "m " + numbers({right - r, top}) + "l " +
           numbers({right - c, top, right, top + c, right, top + r}) + "c " +
           numbers({right, bottom - r}) + "l " +
           numbers({right, bottom - c, right - c, bottom, right - r, bottom}) + "c " +
           numbers({left + r, bottom}) + "l " +
           numbers({left + c, bottom, left, bottom - c, left, bottom - r}) + "c " +
           numbers({left, top + r}) + "l " +
           numbers({left, top + c, left + c, top, left + r, top}) + "c h ";
  }

  void write(const LineShape& line) {
    if (line.color.a == 0) return;
    setStroke(line.color, line.width);
    content_ +=
        numbers({line.from.x, line.from.y}) + "m " + numbers({line.to.x, line.to.y}) + "l S\n";
  }

  void write(const ImageShape& image) {
    if (image.columns == 0 || image.rows == 0) return;
    setAlpha(255);
    const Box& box = image.box;
    content_ += "q " + numbers({box.width, 0, 0, -box.height, box.x, box.y + box.height}) + "cm " +
                resources_.image(image) + " Do Q\n";
  }

  // --- Texts -------------------------------------------------------------------------------------

  /// Neighbouring glyphs of one font.
  struct Run {
    size_t font = 0;
    std::string codes;
  };
  /// The em in which the window draws a font whose lines are as high as the text's box.
  [[nodiscard]] float emOf(size_t font, const TextShape& text) const {
    const OutlineFont& outlines = resources_.font(font).outlines();
    const float line = outlines.ascent() - outlines.descent();
    return line > 0 ? text.box.height / line : text.em;
  }

  void write(const TextShape& text) {
    std::vector<Run> runs;
    float width = 0;
    for (const char32_t character : charactersOf(text.text)) {
      const auto [font, code] = resources_.glyphOf(text.face, character);
      if (runs.empty() || runs.back().font != font) runs.push_back({font, {}});
      char digits[8];
      std::snprintf(digits, sizeof digits, "%04X", code);
      runs.back().codes += digits;
      width += resources_.font(font).advanceOf(code) * emOf(font, text);
    }
    if (runs.empty() || text.color.a == 0) return;
    setFill(text.color);
    const float stretch = width > 0 ? std::clamp(text.box.width / width, 0.5F, 2.0F) : 1;
    // Readers otherwise guess from distances where the blanks are, each in its own way.
    content_ += "/Span <</ActualText " + pdfText(text.text) + ">> BDC\n";
    content_ += "BT " + number(100 * stretch) + " Tz " +
                precise({std::cos(text.angle), std::sin(text.angle), std::sin(text.angle),
                         -std::cos(text.angle)}) +
                numbers({text.box.x, text.baseline}) + "Tm ";
    for (const Run& run : runs)
      content_ += "/F" + std::to_string(run.font) + " " + number(emOf(run.font, text)) + " Tf <" +
                  run.codes + "> Tj ";
    content_ += "ET\nEMC\n";
  }

  Box part_;
  PdfResources& resources_;
  std::string content_;
  std::optional<Box> clip_;
  Paint paint_, outer_;  ///< `outer_`: outside of the clip.
  std::string path_;     ///< The polygons that are not drawn yet.
  std::optional<Color> pathFill_;
  std::vector<Box> pathBoxes_;
};

}  // namespace

std::string pageContentOf(const Drawing& drawing, const Box& part, Color background,
                          PdfResources& resources) {
  PageWriter writer(part, resources);
  writer.add({BoxShape{part, 0, background}, part, {}});
  for (const Shape& shape : drawing.shapes) writer.add(shape);
  return writer.take();
}

}  // namespace tilestep::gfx
