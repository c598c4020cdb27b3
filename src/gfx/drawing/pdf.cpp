// SPDX-License-Identifier: Apache-2.0
#include "gfx/drawing/pdf.h"

#include <cairo-pdf.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <memory>
#include <numbers>
#include <optional>
#include <utility>

#include "base/printable.h"
#include "gfx/drawing/pdf_fonts.h"

namespace tilestep::gfx {
namespace {

constexpr double kPointsPerPixel = 0.75;

class PageWriter {
 public:
  PageWriter(cairo_t* canvas, const PdfFonts& fonts, const Box& part)
      : canvas_(canvas), fonts_(fonts), part_(part) {
    cairo_save(canvas_);
    cairo_scale(canvas_, kPointsPerPixel, kPointsPerPixel);
    cairo_translate(canvas_, -part.x, -part.y);
  }
  ~PageWriter() {
    setClip(std::nullopt);
    endPath();
    cairo_restore(canvas_);
  }
  PageWriter(const PageWriter&) = delete;
  PageWriter& operator=(const PageWriter&) = delete;

  void add(const Shape& shape) {
    const Box bounds = boundsOf(shape);
    if (!touch(bounds, part_) || !touch(bounds, shape.clip)) return;
    setClip(isInside(bounds, shape.clip) ? std::nullopt : std::optional(shape.clip));
    if (!std::holds_alternative<PolygonShape>(shape.what)) endPath();
    std::visit([&](const auto& what) { write(what); }, shape.what);
  }

 private:
  void setClip(const std::optional<Box>& clip) {
    if (clip == clip_) return;
    endPath();
    if (clip_) cairo_restore(canvas_);
    clip_ = clip;
    if (!clip_) return;
    cairo_save(canvas_);
    cairo_rectangle(canvas_, clip->x, clip->y, clip->width, clip->height);
    cairo_clip(canvas_);
  }
  void setColor(Color color) {
    cairo_set_source_rgba(canvas_, color.r / 255.0, color.g / 255.0, color.b / 255.0,
                          color.a / 255.0);
  }

  /// Adjacent polygons of one colour become one path, so that no seam is visible between them. A
  /// translucent polygon that overlaps the path begins a new one, so that both remain visible.
  void write(const PolygonShape& polygon) {
    const double turn = twiceArea(polygon.corners);
    if (turn == 0 || polygon.fill.a == 0) return;
    const Box bounds = boundsOf(Shape{polygon, {}, {}});
    const auto covers = [&](const Box& box) { return overlap(bounds, box); };
    const bool shines = polygon.fill.a < 255 && std::ranges::any_of(pathBoxes_, covers);
    if (!(pathFill_ == polygon.fill) || shines) endPath();
    pathFill_ = polygon.fill;
    pathBoxes_.push_back(bounds);
    const std::vector<Point>& corners = polygon.corners;
    for (size_t i = 0; i < corners.size(); ++i) {
      // All polygons run in the same direction, so that overlaps do not become holes.
      const Point& at = turn > 0 ? corners[i] : corners[corners.size() - 1 - i];
      cairo_line_to(canvas_, at.x, at.y);
    }
    cairo_close_path(canvas_);
    cairo_new_sub_path(canvas_);
  }
  void endPath() {
    if (pathBoxes_.empty()) return;
    setColor(*pathFill_);
    cairo_fill(canvas_);
    pathBoxes_.clear();
    pathFill_.reset();
  }

  void write(const BoxShape& box) {
    if (box.fill.a > 0) {
      outline(box.box, box.radius);
      setColor(box.fill);
      cairo_fill(canvas_);
    }
    if (box.hatch != BoxShape::Hatch::none) {
      outline(box.box, box.radius);
      fillWithStripes(box.hatch == BoxShape::Hatch::rising, box.hatchColor);
    }
    if (box.borderWidth <= 0 || box.border.a == 0) return;
    const float half = box.borderWidth / 2;
    outline({box.box.x + half, box.box.y + half, box.box.width - box.borderWidth,
             box.box.height - box.borderWidth},
            std::max(0.0F, box.radius - half));
    constexpr double kDash = 4.5;
    if (box.dashed) cairo_set_dash(canvas_, &kDash, 1, 0);
    stroke(box.border, box.borderWidth);
    cairo_set_dash(canvas_, nullptr, 0, 0);
  }
  void outline(const Box& box, float radius) {
    if (radius <= 0) return cairo_rectangle(canvas_, box.x, box.y, box.width, box.height);
    constexpr double kQuarter = std::numbers::pi / 2;
    const double r = std::min(radius, std::min(box.width, box.height) / 2);
    const double left = box.x + r, right = box.x + box.width - r;
    const double top = box.y + r, bottom = box.y + box.height - r;
    cairo_new_sub_path(canvas_);
    cairo_arc(canvas_, right, top, r, -kQuarter, 0);
    cairo_arc(canvas_, right, bottom, r, 0, kQuarter);
    cairo_arc(canvas_, left, bottom, r, kQuarter, 2 * kQuarter);
    cairo_arc(canvas_, left, top, r, 2 * kQuarter, 3 * kQuarter);
    cairo_close_path(canvas_);
  }
  /// Fills the current path with the same stripes as in SVG.
  void fillWithStripes(bool rising, Color color) {
    const double period = rising ? 5 : 8.5, width = rising ? 1 : 2;
    cairo_save(canvas_);
    cairo_clip(canvas_);
    cairo_rotate(canvas_, (rising ? 1 : -1) * std::numbers::pi / 4);
    double left = 0, top = 0, right = 0, bottom = 0;
    cairo_clip_extents(canvas_, &left, &top, &right, &bottom);
    for (double x = std::floor(left / period) * period; x < right; x += period)
      cairo_rectangle(canvas_, x, top, width, bottom - top);
    setColor(color);
    cairo_fill(canvas_);
    cairo_restore(canvas_);
  }
  void stroke(Color color, float width) {
    setColor(color);
    cairo_set_line_width(canvas_, width);
    cairo_stroke(canvas_);
  }

  void write(const LineShape& line) {
    if (line.color.a == 0) return;
    cairo_move_to(canvas_, line.from.x, line.from.y);
    cairo_line_to(canvas_, line.to.x, line.to.y);
    stroke(line.color, line.width);
  }

  void write(const ImageShape& image) {
    const int columns = static_cast<int>(image.columns), rows = static_cast<int>(image.rows);
    if (columns == 0 || rows == 0) return;
    cairo_surface_t* picture = cairo_image_surface_create(CAIRO_FORMAT_ARGB32, columns, rows);
    if (unsigned char* bytes = cairo_image_surface_get_data(picture)) {
      // Cairo's pixels are words with alpha in the highest byte and premultiplied colours.
      for (size_t i = 0; i + 3 < image.rgba.size(); i += 4) {
        const uint32_t alpha = image.rgba[i + 3];
        const auto channel = [&](size_t at) { return (image.rgba[i + at] * alpha + 127) / 255; };
        const uint32_t pixel = alpha << 24 | channel(0) << 16 | channel(1) << 8 | channel(2);
        std::memcpy(bytes + i, &pixel, sizeof pixel);  // Rows of whole words need no padding.
      }
      cairo_surface_mark_dirty(picture);
    }
    cairo_save(canvas_);
    cairo_translate(canvas_, image.box.x, image.box.y);
    cairo_scale(canvas_, image.box.width / float(columns), image.box.height / float(rows));
    cairo_set_source_surface(canvas_, picture, 0, 0);
    cairo_pattern_set_filter(cairo_get_source(canvas_), CAIRO_FILTER_NEAREST);
    cairo_paint(canvas_);
    cairo_restore(canvas_);
    cairo_surface_destroy(picture);
  }

  void write(const TextShape& text) {
    if (text.color.a == 0) return;
    setColor(text.color);
    fonts_.draw(canvas_, text);
  }

  cairo_t* canvas_;
  const PdfFonts& fonts_;
  Box part_;
  std::optional<Box> clip_;
  std::optional<Color> pathFill_;  ///< The colour of the pending polygons, which are not drawn yet.
  std::vector<Box> pathBoxes_;
};

cairo_status_t appendTo(void* to, const unsigned char* data, unsigned size) {
  static_cast<std::string*>(to)->append(reinterpret_cast<const char*>(data), size);
  return CAIRO_STATUS_SUCCESS;
}

}  // namespace

Result<std::string> pdfOf(std::span<const PdfPage> pages, const PdfInfo& info,
                          const TypefaceFiles& files) {
  const Result<PdfFonts> fonts = PdfFonts::open(files);
  if (!fonts) return fonts.error();
  std::string bytes;
  cairo_surface_t* surface = cairo_pdf_surface_create_for_stream(appendTo, &bytes, 1, 1);
  const auto describe = [&](cairo_pdf_metadata_t what, const std::string& text) {
    cairo_pdf_surface_set_metadata(surface, what, printableLine(text).c_str());
  };
  describe(CAIRO_PDF_METADATA_TITLE, info.title);
  if (!info.subject.empty()) describe(CAIRO_PDF_METADATA_SUBJECT, info.subject);
  describe(CAIRO_PDF_METADATA_CREATOR, "Tilestep");
  cairo_t* canvas = cairo_create(surface);
  for (const PdfPage& page : pages) {
    cairo_pdf_surface_set_size(surface, kPointsPerPixel * double(page.part.width),
                               kPointsPerPixel * double(page.part.height));
    {
      PageWriter writer(canvas, *fonts, page.part);
      writer.add({BoxShape{page.part, 0, page.background}, page.part, {}});
      for (const Shape& shape : page.drawing.shapes) writer.add(shape);
    }
    cairo_show_page(canvas);
  }
  const cairo_status_t drawn = cairo_status(canvas);
  cairo_destroy(canvas);
  cairo_surface_finish(surface);
  const cairo_status_t written = cairo_surface_status(surface);
  cairo_surface_destroy(surface);
  for (const cairo_status_t status : {drawn, written})
    if (status != CAIRO_STATUS_SUCCESS)
      return workError(std::string("The PDF could not be made (") + cairo_status_to_string(status) +
                       "); save fewer steps, or SVG");
  return bytes;
}

}  // namespace tilestep::gfx
