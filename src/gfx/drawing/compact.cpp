// SPDX-License-Identifier: Apache-2.0
#include "gfx/drawing/compact.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <tuple>

namespace tilestep::gfx {
namespace {

constexpr float kSmall = 12;    ///< In pixels. Larger boxes may contain texts.
constexpr float kSquare = 2;    ///< In pixels. A smaller corner radius is invisible.
constexpr size_t kMany = 64;    ///< Fewer boxes than this take up less SVG text than an image.
constexpr float kPerPixel = 2;  ///< Image pixels per screen pixel in each direction.

/// The shape's box, clipped; without an area if nothing of it remains.
Box seenOf(const Shape& shape) {
  const Box box = boundsOf(shape), &clip = shape.clip;
  const float left = std::max(box.x, clip.x), top = std::max(box.y, clip.y);
  return {left, top, std::min(box.x + box.width, clip.x + clip.width) - left,
          std::min(box.y + box.height, clip.y + clip.height) - top};
}

bool isBox(const Shape& shape) {
  return std::holds_alternative<BoxShape>(shape.what);
}

bool isEmpty(const Shape& shape) {
  const Box seen = seenOf(shape);
  return seen.width <= 0 || seen.height <= 0;
}

bool isSmall(const Shape& shape) {
  const auto* box = std::get_if<BoxShape>(&shape.what);
  return box != nullptr && box->box.width < kSmall && box->box.height < kSmall &&
         box->radius < kSquare && !box->dashed && box->hatch == BoxShape::Hatch::none;
}

/// Draws boxes into a separate image.
class Painter {
 public:
  explicit Painter(const Box& area)
      : image_{area,
               static_cast<uint32_t>(kPerPixel * area.width),
               static_cast<uint32_t>(kPerPixel * area.height),
               {}} {
    image_.rgba.resize(size_t{4} * image_.columns * image_.rows);
  }

  void paint(const Shape& shape) {
    const auto& box = std::get<BoxShape>(shape.what);
    const Box& whole = box.box;
    const float edge = box.border.a > 0 ? box.borderWidth : 0;
    fill(whole, shape.clip, box.fill);
    if (edge <= 0) return;
    fill({whole.x, whole.y, whole.width, edge}, shape.clip, box.border);
    fill({whole.x, whole.y + whole.height - edge, whole.width, edge}, shape.clip, box.border);
    const float between = whole.height - 2 * edge;
    fill({whole.x, whole.y + edge, edge, between}, shape.clip, box.border);
    fill({whole.x + whole.width - edge, whole.y + edge, edge, between}, shape.clip, box.border);
  }

  ImageShape take() { return std::move(image_); }

 private:
  void fill(const Box& box, const Box& clip, Color color) {
    if (color.a == 0) return;
    const auto column = [&](float x) { return at(x - image_.box.x, image_.columns); };
    const auto row = [&](float y) { return at(y - image_.box.y, image_.rows); };
    const uint32_t right = column(std::min(box.x + box.width, clip.x + clip.width));
    const uint32_t bottom = row(std::min(box.y + box.height, clip.y + clip.height));
    for (uint32_t y = row(std::max(box.y, clip.y)); y < bottom; ++y)
      for (uint32_t x = column(std::max(box.x, clip.x)); x < right; ++x)
        blend(&image_.rgba[size_t{4} * (size_t{y} * image_.columns + x)], color);
  }

  static uint32_t at(float place, uint32_t most) {
    return static_cast<uint32_t>(
        std::clamp(std::round(kPerPixel * place), 0.0F, static_cast<float>(most)));
  }

  /// Draws over the existing content, with straight alpha.
  static void blend(uint8_t* pixel, Color color) {
    const float over = static_cast<float>(color.a) / 255;
    const float under = static_cast<float>(pixel[3]) / 255 * (1 - over);
    const float alpha = over + under;
    const uint8_t channels[] = {color.r, color.g, color.b};
    for (int i = 0; i < 3; ++i)
      pixel[i] = static_cast<uint8_t>(std::lround(
          (static_cast<float>(channels[i]) * over + static_cast<float>(pixel[i]) * under) / alpha));
    pixel[3] = static_cast<uint8_t>(std::lround(255 * alpha));
  }

  ImageShape image_;
};

Box around(std::span<const Shape> shapes) {
  Box all = seenOf(shapes.front());
  float right = all.x, bottom = all.y;
  for (const Shape& shape : shapes) {
    const Box seen = seenOf(shape);
    all.x = std::min(all.x, seen.x);
    all.y = std::min(all.y, seen.y);
    right = std::max(right, seen.x + seen.width);
    bottom = std::max(bottom, seen.y + seen.height);
  }
  const float left = std::floor(all.x), top = std::floor(all.y);
  return {left, top, std::ceil(right) - left, std::ceil(bottom) - top};
}

Shape imageOf(std::span<const Shape> boxes) {
  const Box area = around(boxes);
  Painter painter(area);
  for (const Shape& box : boxes) painter.paint(box);
  return {painter.take(), area, boxes.front().panel};
}

/// Rounds each channel to a multiple of 8, or to 255.
void coarsen(ImageShape& image) {
  for (uint8_t& channel : image.rgba)
    channel = static_cast<uint8_t>(std::min((channel + 4) / 8 * 8, 255));
}

/// Whether the shape is a line of a scene, or the tip of its arrow.
bool isLink(const Shape& shape) {
  return shape.panel.empty() && (std::holds_alternative<LineShape>(shape.what) ||
                                 std::holds_alternative<PolygonShape>(shape.what));
}

/// Sorts links of one colour next to each other: first the lines, then their tips.
bool isBefore(const Shape& one, const Shape& other) {
  const auto keyOf = [](const Shape& shape) {
    const auto* line = std::get_if<LineShape>(&shape.what);
    const Color color = line != nullptr ? line->color : std::get<PolygonShape>(shape.what).fill;
    return std::tuple(line == nullptr, packed(color), line != nullptr ? line->width : 0.0F);
  };
  return keyOf(one) < keyOf(other);
}

void sortLinks(std::vector<Shape>& shapes) {
  for (auto at = shapes.begin(); at != shapes.end();) {
    const auto end = std::find_if_not(at, shapes.end(), isLink);
    std::stable_sort(at, end, isBefore);
    at = end == shapes.end() ? end : end + 1;
  }
}

}  // namespace

Drawing compacted(const Drawing& drawing) {
  std::vector<Shape> seen;
  std::ranges::copy_if(drawing.shapes, std::back_inserter(seen),
                       [](const Shape& shape) { return !isBox(shape) || !isEmpty(shape); });
  Drawing fewer;
  for (auto at = seen.begin(); at != seen.end();) {
    const auto end = std::find_if_not(at, seen.end(), isSmall);
    if (end - at >= static_cast<std::ptrdiff_t>(kMany))
      fewer.shapes.push_back(imageOf({at, end}));
    else
      fewer.shapes.insert(fewer.shapes.end(), at, end);
    at = end;
    if (at != seen.end()) fewer.shapes.push_back(*at++);
  }
  sortLinks(fewer.shapes);
  for (Shape& shape : fewer.shapes)
    if (auto* image = std::get_if<ImageShape>(&shape.what)) coarsen(*image);
  return fewer;
}

}  // namespace tilestep::gfx
