// SPDX-License-Identifier: Apache-2.0
#include "gfx/drawing/svg.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <numbers>
#include <optional>
#include <span>
#include <string_view>
#include <tuple>

#include "base/base64.h"
#include "base/printable.h"
#include "gfx/png.h"

namespace tilestep::gfx {
namespace {

/// A number with at most two decimals, that is, to a hundredth of a pixel. NaN and infinity become
/// 0, and lengths far outside any picture are clamped.
std::string number(float value) {
  constexpr float kFar = 1e6F;
  char text[32];
  std::snprintf(text, sizeof text, "%.2f",
                std::isfinite(value) ? double(std::clamp(value, -kFar, kFar)) : 0.0);
  std::string digits = text;
  digits.erase(digits.find_last_not_of('0') + 1);
  if (digits.ends_with('.')) digits.pop_back();
  return digits == "-0" ? "0" : digits;
}

std::string attribute(const char* name, float value) {
  return std::string(" ") + name + "=\"" + number(value) + "\"";
}

std::string hexOf(Color c) {
  char text[8];
  std::snprintf(text, sizeof text, "#%02x%02x%02x", c.r, c.g, c.b);
  return text;
}

/// ` fill="#112233" fill-opacity="0.5"`
std::string paint(const char* what, Color c) {
  std::string text = std::string(" ") + what + "=\"" + hexOf(c) + "\"";
  if (c.a < 255) text += std::string(" ") + what + "-opacity=\"" + number(float(c.a) / 255) + "\"";
  return text;
}

std::string moveTo(Point at) {
  return "M" + number(at.x) + " " + number(at.y);
}

std::string lineTo(Point from, Point to) {
  const std::string x = number(to.x), y = number(to.y);
  if (y == number(from.y)) return "H" + x;
  return x == number(from.x) ? "V" + y : "L" + x + " " + y;
}

/// Omits SVG's default of one pixel.
std::string strokeWidth(float width) {
  return width == 1 ? "" : attribute("stroke-width", width);
}

/// Escapes XML's special characters and replaces characters that XML forbids by a description.
std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : printableLine(text)) {
    if (c == '<')
      out += "&lt;";
    else if (c == '>')
      out += "&gt;";
    else if (c == '&')
      out += "&amp;";
    else if (c == '"')
      out += "&quot;";
    else
      out += c;
  }
  return out;
}

const char* classOf(Typeface face) {
  return face == Typeface::mono ? "m" : face == Typeface::strong ? "s" : "t";
}

/// Clipping a plain rectangle gives another rectangle, which needs no clip path.
std::optional<BoxShape> cutByItself(const Shape& shape) {
  const auto* box = std::get_if<BoxShape>(&shape.what);
  const bool plain = box != nullptr && box->hatch == BoxShape::Hatch::none &&
                     (box->borderWidth <= 0 || box->border.a == 0) && box->radius == 0;
  if (!plain) return std::nullopt;
  BoxShape part = *box;
  const float left = std::max(box->box.x, shape.clip.x), top = std::max(box->box.y, shape.clip.y);
  part.box = {left, top,
              std::min(box->box.x + box->box.width, shape.clip.x + shape.clip.width) - left,
              std::min(box->box.y + box->box.height, shape.clip.y + shape.clip.height) - top};
  return part;
}

class SvgWriter {
 public:
  /// `ids` is the prefix of the names of definitions.
  explicit SvgWriter(const Box& part, std::string ids = {}) : part_(part), ids_(std::move(ids)) {}

  void add(const Shape& shape) {
    const Box bounds = boundsOf(shape);
    if (!touch(bounds, part_) || !touch(bounds, shape.clip)) return;
    if (const std::optional<BoxShape> plain = cutByItself(shape)) {
      setClip(std::nullopt);
      endPath();
      return write(*plain);
    }
    const bool cut = !isInside(bounds, shape.clip);
    setClip(cut ? std::optional(shape.clip) : std::nullopt);
    if (paintOf(shape) != pathPaint_) endPath();
    std::visit([&](const auto& what) { write(what); }, shape.what);
  }

  /// The definitions, then the added elements.
  [[nodiscard]] std::string take() {
    setClip(std::nullopt);
    endPath();
    return "<defs>\n" + definitions_ + "</defs>\n" + body_;
  }

 private:
  void setClip(const std::optional<Box>& clip) {
    if (clip == clip_) return;
    endPath();
    if (clip_) body_ += "</g>\n";
    clip_ = clip;
    if (clip_) body_ += "<g clip-path=\"url(#" + nameOfClip(*clip_) + ")\">\n";
  }

  std::string nameOfClip(const Box& box) {
    const auto [at, fresh] = clips_.try_emplace({box.x, box.y, box.width, box.height},
                                                ids_ + "c" + std::to_string(clips_.size()));
    if (fresh)
      definitions_ +=
          "<clipPath id=\"" + at->second + "\"><rect" + placeOf(box) + "/></clipPath>\n";
    return at->second;
  }

  static std::string placeOf(const Box& box) {
    return attribute("x", box.x) + attribute("y", box.y) + attribute("width", box.width) +
           attribute("height", box.height);
  }

  /// Adjacent polygons of one colour become one path, unless a translucent polygon overlaps
  /// another.
  void write(const PolygonShape& polygon) {
    const auto& p = polygon.corners;
    const double area = twiceArea(p);
    if (area == 0) return;
    const Box bounds = boundsOf(Shape{polygon, {}, {}});
    const auto overlaps = [&](const Box& box) { return overlap(bounds, box); };
    if (polygon.fill.a < 255 && std::ranges::any_of(pathBoxes_, overlaps)) endPath();
    pathBoxes_.push_back(bounds);
    Point before;
    // All polygons run in the same direction, so overlaps do not become holes.
    for (size_t i = 0; i < p.size(); ++i) {
      const Point& at = area > 0 ? p[i] : p[p.size() - 1 - i];
      path_ += i == 0 ? moveTo(at) : lineTo(before, at);
      before = at;
    }
    path_ += "Z";
    pathPaint_ = paint("fill", polygon.fill);
  }
  /// The attributes of a shape that can be part of a path; empty for other shapes.
  static std::string paintOf(const Shape& shape) {
    if (const auto* polygon = std::get_if<PolygonShape>(&shape.what))
      return paint("fill", polygon->fill);
    const auto* line = std::get_if<LineShape>(&shape.what);
    return line == nullptr ? "" : linePaint(*line);
  }
  void endPath() {
    if (!path_.empty()) body_ += "<path d=\"" + path_ + "\"" + pathPaint_ + "/>\n";
    path_.clear();
    pathPaint_.clear();
    pathBoxes_.clear();
  }

  void write(const TextShape& text) {
    body_ += std::string("<text class=\"") + classOf(text.face) + "\"" +
             attribute("x", text.box.x) + attribute("y", text.baseline) +
             attribute("font-size", text.em) + attribute("textLength", text.box.width) +
             turn(text) + paint("fill", text.color) + ">" + escaped(text.text) + "</text>\n";
  }

  static std::string turn(const TextShape& text) {
    if (text.angle == 0) return {};
    return " transform=\"rotate(" + number(text.angle * 180 / std::numbers::pi_v<float>) + " " +
           number(text.box.x) + " " + number(text.baseline) + ")\"";
  }

  void write(const BoxShape& box) {
    if (box.fill.a > 0) writeRect(box.box, box.radius, paint("fill", box.fill));
    if (box.hatch != BoxShape::Hatch::none)
      writeRect(box.box, box.radius, " fill=\"url(#" + nameOfHatch(box) + ")\"");
    if (box.borderWidth <= 0 || box.border.a == 0) return;
    const float half = box.borderWidth / 2;
    const Box middle{box.box.x + half, box.box.y + half, box.box.width - box.borderWidth,
                     box.box.height - box.borderWidth};
    writeRect(middle, std::max(0.0F, box.radius - half),
              " fill=\"none\"" + paint("stroke", box.border) + strokeWidth(box.borderWidth) +
                  (box.dashed ? " stroke-dasharray=\"4.5\"" : ""));
  }
  void writeRect(const Box& box, float radius, const std::string& painted) {
    body_ +=
        "<rect" + placeOf(box) + (radius > 0 ? attribute("rx", radius) : "") + painted + "/>\n";
  }

  std::string nameOfHatch(const BoxShape& box) {
    const bool rising = box.hatch == BoxShape::Hatch::rising;
    const auto [at, fresh] = hatches_.try_emplace({rising, packed(box.hatchColor)},
                                                  ids_ + "h" + std::to_string(hatches_.size()));
    if (fresh)
      definitions_ += "<pattern id=\"" + at->second +
                      "\" patternUnits=\"userSpaceOnUse\" width=\"" + (rising ? "5" : "8.5") +
                      "\" height=\"8\" patternTransform=\"rotate(" + (rising ? "45" : "-45") +
                      ")\"><rect width=\"" + (rising ? "1" : "2") + "\" height=\"8\"" +
                      paint("fill", box.hatchColor) + "/></pattern>\n";
    return at->second;
  }

  /// Adjacent lines of one colour and width become one path, so that crossings are not drawn twice.
  void write(const LineShape& line) {
    path_ += moveTo(line.from) + lineTo(line.from, line.to);
    pathPaint_ = linePaint(line);
  }
  static std::string linePaint(const LineShape& line) {
    return " fill=\"none\"" + paint("stroke", line.color) + strokeWidth(line.width);
  }

  void write(const ImageShape& image) {
    const Result<std::string> png = drawnPngOf(image.columns, image.rows, image.rgba);
    if (!png) return;
    body_ += "<image" + placeOf(image.box) +
             " preserveAspectRatio=\"none\" image-rendering=\"pixelated\" "
             "href=\"data:image/png;base64," +
             base64(std::as_bytes(std::span(*png))) + "\"/>\n";
  }

  Box part_;
  std::string ids_;
  std::optional<Box> clip_;
  std::string definitions_, body_;
  std::string path_, pathPaint_;  ///< The open path and its attributes.
  std::vector<Box> pathBoxes_;    ///< The bounding boxes of its polygons.
  std::map<std::tuple<float, float, float, float>, std::string> clips_;
  std::map<std::pair<bool, uint32_t>, std::string> hatches_;
};

Box allOf(const Drawing& drawing) {
  Box all;
  for (const Shape& shape : drawing.shapes) {
    all.width = std::max(all.width, shape.clip.x + shape.clip.width);
    all.height = std::max(all.height, shape.clip.y + shape.clip.height);
  }
  return all;
}

std::string contentOf(const Drawing& drawing, SvgWriter writer) {
  for (const Shape& shape : drawing.shapes) writer.add(shape);
  return writer.take();
}

std::string sizeOf(const Box& part) {
  return attribute("width", part.width) + attribute("height", part.height) + " viewBox=\"" +
         number(part.x) + " " + number(part.y) + " " + number(part.width) + " " +
         number(part.height) + "\"";
}

}  // namespace

std::string svgOf(const Drawing& drawing, Box part, Color background, const SvgText& text) {
  if (part.width <= 0 || part.height <= 0) part = allOf(drawing);
  std::string svg = "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\"" + sizeOf(part) +
                    ">\n<title>" + escaped(text.title) + "</title>\n";
  if (!text.description.empty()) svg += "<desc>" + escaped(text.description) + "</desc>\n";
  svg +=
      "<style>text{white-space:pre}"
      ".t,.s{font-family:Inter,'Noto Sans','DejaVu Sans',sans-serif}.s{font-weight:600}"
      ".m{font-family:'JetBrains Mono','DejaVu Sans Mono',monospace}</style>\n";
  svg += "<rect" + attribute("x", part.x) + attribute("y", part.y) +
         attribute("width", part.width) + attribute("height", part.height) +
         paint("fill", background) + "/>\n";
  return svg + contentOf(drawing, SvgWriter(part)) + "</svg>\n";
}

std::string svgElementOf(const Drawing& drawing, const Box& part, const SvgText& text,
                         const std::string& ids) {
  std::string svg = "<svg role=\"img\" aria-labelledby=\"" + ids + "t\"";
  if (!text.description.empty()) svg += " aria-describedby=\"" + ids + "d\"";
  svg += sizeOf(part) + ">\n<title id=\"" + ids + "t\">" + escaped(text.title) + "</title>\n";
  if (!text.description.empty())
    svg += "<desc id=\"" + ids + "d\">" + escaped(text.description) + "</desc>\n";
  return svg + contentOf(drawing, SvgWriter(part, ids)) + "</svg>\n";
}

}  // namespace tilestep::gfx
