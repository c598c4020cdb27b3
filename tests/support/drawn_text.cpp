// SPDX-License-Identifier: Apache-2.0
#include "support/drawn_text.h"

#include <imgui.h>

#include <cmath>
#include <regex>
#include <variant>

#include "gfx/drawing/frame_drawing.h"

namespace tilestep::support {
namespace {

/// "##step/##scroll_1A2B3C4D" becomes "step/scroll", without ImGui's additions.
std::string nameOf(const std::string& window) {
  static const std::regex added("#+|_[0-9A-F]{8}(?=/|$)");
  return std::regex_replace(window, added, "");
}

/// Appends a string of another colour or face if it continues the line. Returns whether it does.
bool continues(DrawnText& line, const gfx::TextShape& text, const std::string& panel) {
  const gfx::Box& box = text.box;
  if (line.panel != panel || std::fabs(line.height - box.height) > 0.5F ||
      std::fabs(line.top - box.y) > 0.5F)
    return false;
  const float room = box.x - line.right, spaces = std::round(room / text.space);
  // Pieces of a string begin at whole pixels.
  if (spaces < 0 || spaces > 2 || std::fabs(room - spaces * text.space) > 0.1F * box.height)
    return false;
  line.text += std::string(static_cast<size_t>(spaces), ' ') + text.text;
  line.right = box.x + box.width;
  return true;
}

/// Whether the edge of its panel cuts the line; this may depend on one pixel of the fonts.
bool isCut(const gfx::Box& line, const gfx::Box& clip) {
  constexpr float kMargin = 1;
  return line.y < clip.y - kMargin || line.y + line.height > clip.y + clip.height + kMargin;
}

}  // namespace

std::vector<DrawnText> drawnTexts() {
  std::vector<DrawnText> all;
  for (const gfx::Shape& shape : gfx::drawingOf(*ImGui::GetDrawData(), {}).shapes) {
    const auto* text = std::get_if<gfx::TextShape>(&shape.what);
    if (text == nullptr || isCut(text->box, shape.clip)) continue;
    const std::string panel = nameOf(shape.panel);
    if (!all.empty() && continues(all.back(), *text, panel)) continue;
    const gfx::Box& box = text->box;
    all.push_back({panel, text->text, box.x, box.y, box.x + box.width, box.height});
  }
  return all;
}

}  // namespace tilestep::support
