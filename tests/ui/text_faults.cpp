// SPDX-License-Identifier: Apache-2.0
#include "ui/text_faults.h"

#include <imgui_internal.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <optional>
#include <variant>

#include "gfx/drawing/frame_drawing.h"

namespace tilestep::tests {
namespace {

using gfx::Box;

/// The part of a line that its letters cover, as fractions of its height.
constexpr float kInkTop = 0.2F, kInkBottom = 0.8F;

/// Pixels by which a text may be cut or overlap another, because edges are rounded.
constexpr float kTolerance = 1.5F;

Box inkOf(const Box& line) {
  return {line.x, line.y + kInkTop * line.height, line.width, (kInkBottom - kInkTop) * line.height};
}

Box common(const Box& a, const Box& b) {
  const float left = std::max(a.x, b.x), top = std::max(a.y, b.y);
  return {left, top, std::min(a.x + a.width, b.x + b.width) - left,
          std::min(a.y + a.height, b.y + b.height) - top};
}

/// Whether a shape hides what was drawn in `box` earlier.
bool hides(const gfx::Shape& shape, const Box& box) {
  constexpr uint8_t kAlmostOpaque = 200;
  const auto* area = std::get_if<gfx::PolygonShape>(&shape.what);
  const auto* clear = std::get_if<gfx::BoxShape>(&shape.what);
  if (area == nullptr && clear == nullptr) return false;
  if ((area != nullptr ? area->fill.a : clear->fill.a) < kAlmostOpaque) return false;
  const Box covered = common(common(gfx::boundsOf(shape), shape.clip), box);
  return covered.width > 0.9F * box.width && covered.height > 0.9F * box.height;
}

struct Line {
  size_t at = 0;  ///< Among the frame's shapes.
  const gfx::TextShape* text = nullptr;
  Box ink, seen;
};

std::string pixels(float value) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.1f px", static_cast<double>(value));
  return text.data();
}

/// The number of pixels by which the clip rectangle cuts a text that is not scrolled out of view.
float cutOf(const Line& line, const gfx::Shape& shape) {
  const ImGuiWindow* window = ImGui::FindWindowByName(shape.panel.c_str());
  const bool scrollsX = window != nullptr && window->ScrollbarX;
  const bool scrollsY = window != nullptr && window->ScrollbarY;
  const float hidden = line.text->goesOn ? line.text->em / 2 : 0;  // At least about one letter.
  const float across = std::max(hidden, line.ink.width - line.seen.width);
  return std::max(scrollsX ? 0 : across, scrollsY ? 0 : line.ink.height - line.seen.height);
}

/// `over` drawn over an opaque colour.
gfx::Color drawnOver(gfx::Color below, gfx::Color over) {
  const float alpha = static_cast<float>(over.a) / 255;
  over.a = 255;
  return gfx::mix(below, over, alpha);
}

bool isInside(const std::vector<gfx::Point>& corners, gfx::Point at) {
  bool inside = false;
  for (size_t i = 0, j = corners.size() - 1; i < corners.size(); j = i++) {
    const gfx::Point &a = corners[i], &b = corners[j];
    if ((a.y > at.y) != (b.y > at.y) && at.x < (b.x - a.x) * (at.y - a.y) / (b.y - a.y) + a.x)
      inside = !inside;
  }
  return inside;
}

/// The colour of a shape that covers most of a text; nothing for other shapes. Hatches and outlines
/// cover little of a text.
std::optional<gfx::Color> fillUnder(const gfx::Shape& shape, const Box& ink) {
  const auto* area = std::get_if<gfx::PolygonShape>(&shape.what);
  const auto* box = std::get_if<gfx::BoxShape>(&shape.what);
  if (area == nullptr && box == nullptr) return std::nullopt;
  const Box covered = common(common(gfx::boundsOf(shape), shape.clip), ink);
  if (covered.width < 0.7F * ink.width || covered.height < 0.7F * ink.height) return std::nullopt;
  if (box != nullptr) return box->fill;
  for (const float share : {0.2F, 0.5F, 0.8F})  // A line may cross the text at one of them.
    if (!isInside(area->corners, {ink.x + share * ink.width, ink.center().y})) return std::nullopt;
  return area->fill;
}

bool isOnPicture(const std::vector<gfx::Shape>& shapes, size_t text, const Box& ink) {
  return std::any_of(shapes.begin(), shapes.begin() + static_cast<std::ptrdiff_t>(text),
                     [&](const auto& shape) {
                       if (!std::holds_alternative<gfx::ImageShape>(shape.what)) return false;
                       const Box both = common(gfx::boundsOf(shape), ink);
                       return both.width > 0 && both.height > 0;
                     });
}

}  // namespace

const char* nameOf(TextFault::Kind kind) {
  constexpr std::array<const char*, 4> kNames{"small", "cut", "overlap", "faint"};
  return kNames[static_cast<size_t>(kind)];
}

std::vector<TextFault> textFaults(float leastPixels) {
  using Kind = TextFault::Kind;
  const gfx::Drawing drawing = gfx::drawingOf(*ImGui::GetDrawData(), {});
  const std::vector<gfx::Shape>& shapes = drawing.shapes;
  std::vector<TextFault> faults;
  std::vector<Line> lines;
  for (size_t i = 0; i < shapes.size(); ++i) {
    const auto* text = std::get_if<gfx::TextShape>(&shapes[i].what);
    if (text == nullptr) continue;
    const Box ink = inkOf(text->box), seen = common(ink, shapes[i].clip);
    if (seen.width <= 0 || seen.height <= 0) continue;
    lines.push_back({i, text, ink, seen});
    const std::string& panel = shapes[i].panel;
    if (text->box.height < leastPixels - 0.01F)
      faults.push_back({Kind::small, panel, text->text + " (" + pixels(text->box.height) + ")"});
    if (const float cut = cutOf(lines.back(), shapes[i]); cut > kTolerance)
      faults.push_back({Kind::cut, panel, text->text + " (" + pixels(cut) + ")"});
  }
  for (size_t b = 0; b < lines.size(); ++b)
    for (size_t a = 0; a < b; ++a) {
      const Box both = common(lines[a].seen, lines[b].seen);
      if (both.width <= kTolerance || both.height <= kTolerance) continue;
      const auto between = shapes.begin() + static_cast<std::ptrdiff_t>(lines[a].at);
      const auto end = shapes.begin() + static_cast<std::ptrdiff_t>(lines[b].at);
      if (std::any_of(between, end, [&](const gfx::Shape& shape) { return hides(shape, both); }))
        continue;
      faults.push_back({Kind::overlap, shapes[lines[b].at].panel,
                        lines[b].text->text + " on " + lines[a].text->text});
    }
  return faults;
}

std::vector<std::string> unreadableTexts() {
  std::vector<std::string> lines;
  for (const TextFault& fault : textFaults(0))
    lines.push_back(fault.panel + ": " + nameOf(fault.kind) + ": " + fault.what);
  return lines;
}

std::vector<TextFault> faintTexts(gfx::Color background,
                                  const std::vector<gfx::SceneCall>& scenes) {
  const gfx::Drawing drawing = gfx::drawingOf(*ImGui::GetDrawData(), scenes);
  const std::vector<gfx::Shape>& shapes = drawing.shapes;
  std::vector<TextFault> faults;
  for (size_t i = 0; i < shapes.size(); ++i) {
    const auto* text = std::get_if<gfx::TextShape>(&shapes[i].what);
    if (text == nullptr) continue;
    const Box ink = inkOf(text->box);
    if (isOnPicture(shapes, i, ink)) continue;
    gfx::Color below = background;
    for (size_t j = 0; j < i; ++j)
      if (const auto fill = fillUnder(shapes[j], ink)) below = drawnOver(below, *fill);
    const float found = gfx::contrast(below, drawnOver(below, text->color));
    if (found >= gfx::kLeastContrast) continue;
    std::array<char, 32> ratio{};
    std::snprintf(ratio.data(), ratio.size(), " (%.1f : 1)", static_cast<double>(found));
    faults.push_back({TextFault::Kind::faint, shapes[i].panel, text->text + ratio.data()});
  }
  return faults;
}

}  // namespace tilestep::tests
