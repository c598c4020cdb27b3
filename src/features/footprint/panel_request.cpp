// SPDX-License-Identifier: Apache-2.0
// Draws one request: its lines of memory, their sectors, and the lanes that request their bytes.
#include <algorithm>
#include <string>
#include <vector>

#include "base/figure.h"
#include "features/footprint/panel.h"
#include "features/footprint/panel_ink.h"
#include "ui/kit/widgets.h"

namespace tilestep::features {
namespace {

using metrics::kLineBytes;
using metrics::kSectorBytes;

constexpr const char* kBegins = "begins at";

class RequestDrawing {
 public:
  RequestDrawing(const Context& context, const FootprintView& view, const gfx::Box& box)
      : context_(context),
        view_(view),
        request_(*view.request),
        box_(box),
        ink_(context),
        lines_(view.request->lines) {
    layOut();
  }

  float draw() {
    drawHead();
    for (uint64_t i = range_.first; i < range_.end(); ++i)
      drawLine(i, lines_[i], top_ + row_ * static_cast<float>(i - range_.first));
    return top_ + row_ * static_cast<float>(range_.count) - box_.y;
  }

 private:
  void layOut() {
    const float em = context_.em, small = ink_.small();
    for (const MemoryLine& line : lines_) {
      labels_ = std::max(labels_, ink_.widthOf(line.name) + 0.6F * em);
      right_ = std::max(right_, ink_.widthOf(line.lanes) + 0.6F * em);
    }
    labels_ = std::max(labels_, ink_.widthOf(kBegins) + 0.6F * em);
    right_ = std::max(right_, ink_.widthOf("lanes") + 0.6F * em);
    left_ = box_.x + labels_;
    byte_ = std::clamp((box_.width - labels_ - right_) / kLineBytes, 0.5F, 0.45F * em);
    top_ = box_.y + 2.7F * small;
    const float height = std::max(box_.y + box_.height - top_, 1.0F);
    const float least = std::max(0.4F * em, 4.0F);
    range_ = visibleRange(lines_.size(), 0,
                          std::max<uint64_t>(static_cast<uint64_t>(height / least), 1));
    row_ = std::clamp(height / static_cast<float>(range_.count), least, 1.7F * small);
  }

  [[nodiscard]] float xOf(uint64_t line, uint64_t byte) const {
    const uint64_t first = line * kLineBytes;
    return left_ + byte_ * static_cast<float>(std::clamp(byte, first, first + kLineBytes) - first);
  }

  void drawHead() {
    const gfx::Palette& p = context_.palette;
    const std::string lines =
        range_.count < lines_.size()
            ? std::to_string(range_.count) + " of its " + plural(lines_.size(), "line")
            : plural(lines_.size(), "line") + " of 128 bytes";
    ink_.title({box_.x, box_.y}, "Warp " + std::to_string(request_.request.warp) + "'s request",
               lines + ", " + plural(request_.coalescing.sectors.size(), "sector"), box_.width);
    const float y = box_.y + 1.4F * ink_.small();
    ink_.text({box_.x, y}, kBegins, p.mutedText);
    float free = left_;
    for (uint64_t byte = 0; byte <= kLineBytes; byte += kSectorBytes) {
      const std::string number = (byte == 0 ? "byte " : "") + std::to_string(byte);
      const float middle = left_ + byte_ * static_cast<float>(byte);
      const float x = byte == 0 ? middle : middle - ink_.widthOf(number) / 2;
      if (x < free) continue;
      ink_.text({x, y}, number, p.mutedText);
      free = x + ink_.widthOf(number) + 0.3F * context_.em;
    }
    const float end = left_ + byte_ * kLineBytes;
    const float clear = end + ink_.widthOf("128") / 2 + 0.3F * context_.em;
    ink_.text({std::max(end + 0.6F * context_.em, clear), y}, "lanes", p.mutedText);
  }

  void drawLine(uint64_t index, const MemoryLine& content, float y) {
    const gfx::Palette& p = context_.palette;
    const uint64_t line = content.number;
    const float gap = row_ > 8 ? 2.0F : 1.0F, bottom = y + row_ - gap;
    for (uint64_t at = line * kLineBytes; at < (line + 1) * kLineBytes; at += kSectorBytes)
      ink_.list().AddRect({xOf(line, at) + 1, y}, {xOf(line, at + kSectorBytes) - 1, bottom},
                          colour(p.line));
    for (const uint64_t at : content.sectors) drawSector(line, at, y, bottom);
    for (const LaneGroup& group : content.groups)
      drawLanes(line, group.offset, group.lanes, y, bottom);
    for (const uint64_t at : content.sectors)
      ink_.list().AddRect({xOf(line, at) + 1, y}, {xOf(line, at + kSectorBytes) - 1, bottom},
                          colour(p.strongLine));
    if (index % rowsApart(row_, ink_.small()) != 0) return;
    const float text = y + (row_ - gap - ink_.small()) / 2;
    ink_.text({box_.x, text}, content.name, p.mutedText);
    ink_.text({left_ + byte_ * kLineBytes + 0.6F * context_.em, text}, content.lanes, p.text);
  }

  /// Hatches the whole sector. Requested elements are drawn over it.
  void drawSector(uint64_t line, uint64_t at, float y, float bottom) {
    ink_.hatch({xOf(line, at) + 1, y}, {xOf(line, at + kSectorBytes) - 1, bottom}, 0.9F);
  }

  void drawLanes(uint64_t line, uint64_t offset, const std::vector<uint32_t>& lanes, float y,
                 float bottom) {
    const gfx::Color fill = context_.palette.warp(request_.request.warp);
    const float left = xOf(line, offset), right = xOf(line, offset + request_.request.width);
    const float gap = right - left > 5 ? 1.0F : 0.5F;
    ImDrawList& list = ink_.list();
    list.AddRectFilled({left, y}, {right, bottom}, colour(context_.palette.surface));
    list.AddRectFilled({left + gap, y + 1}, {right - gap, bottom - 1}, colour(fill));
    std::string label =
        lanes.size() == 1 ? std::to_string(lanes.front()) : "×" + std::to_string(lanes.size());
    const float width = ink_.widthOf(label), widest = std::max(width, ink_.widthOf("31"));
    if (widest + 2 * gap <= right - left && ink_.small() <= bottom - y)
      ink_.text({(left + right - width) / 2, (y + bottom - ink_.small()) / 2}, label,
                gfx::textOn(fill));
    hover({left, y}, {right, bottom}, offset, lanes);
  }

  void hover(ImVec2 min, ImVec2 max, uint64_t offset, const std::vector<uint32_t>& lanes) {
    if (!ImGui::IsWindowHovered() || !ImGui::IsMouseHoveringRect(min, max)) return;
    const std::string name = globalName(*view_.of, request_.request.buffer, offset);
    showTooltip(context_,
                name + ": " + (lanes.size() == 1 ? "lane " : "lanes ") + lanesText(lanes));
  }

  const Context& context_;
  const FootprintView& view_;
  const RequestPicture& request_;
  gfx::Box box_;
  Ink ink_;
  const std::vector<MemoryLine>& lines_;
  float labels_ = 0, right_ = 0;  ///< Widths of the labels on both sides.
  float left_ = 0, top_ = 0;      ///< Position of the first line.
  float byte_ = 1, row_ = 1;  ///< The width of a byte, and the height of a line including its gap.
  VisibleRange range_;
};

}  // namespace

float drawRequest(const Context& context, const FootprintView& view, const gfx::Box& box) {
  return view.request ? RequestDrawing(context, view, box).draw() : 0;
}

float heightOfRequest(const Context& context, uint64_t lines) {
  return context.fonts.smallPixels * (2.7F + 1.7F * static_cast<float>(lines));
}

}  // namespace tilestep::features
