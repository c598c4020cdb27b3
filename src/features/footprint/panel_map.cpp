// SPDX-License-Identifier: Apache-2.0
// Draws the block's warps and the moved sectors on a matrix or an array.
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "base/figure.h"
#include "features/footprint/panel.h"
#include "features/footprint/panel_ink.h"
#include "ui/kit/widgets.h"

namespace tilestep::features {
namespace {

using metrics::kLineBytes;
using metrics::kSectorBytes;

class Map {
 public:
  Map(const Context& context, const FootprintView& view, const gfx::Box& box)
      : context_(context),
        view_(view),
        operand_(view.footprint->operands[view.operand]),
        map_((*view.maps)[view.operand]),
        shape_(map_.shape),
        box_(box),
        ink_(context) {
    layOut();
  }

  void draw() {
    drawHead();
    for (uint64_t row = rows_.first; row < rows_.end(); ++row) {
      drawRow(row);
      drawBoundaries(row);
    }
    for (const MapRectangle& one : view_.frames) frame(one);
    drawRowLabels();
    takeMouse();
  }

 private:
  [[nodiscard]] float x(uint64_t column) const {
    return left_ + cell_ * static_cast<float>(column - columns_.first);
  }
  [[nodiscard]] float y(uint64_t row) const {
    return top_ + height_ * static_cast<float>(row - rows_.first);
  }
  [[nodiscard]] uint64_t byteOf(uint64_t index) const { return index * operand_.elementBytes; }
  [[nodiscard]] uint64_t sectorOf(uint64_t index) const { return byteOf(index) / kSectorBytes; }

  /// The index of a matrix's row, or the first byte of an array's line.
  [[nodiscard]] std::string rowName(uint64_t row) const {
    return std::to_string(operand_.columns > 0 ? shape_.firstRow + row
                                               : byteOf(shape_.indexOf(row, 0)));
  }

  /// The element in the middle of the picture: the first element that the step's request accesses.
  [[nodiscard]] uint64_t middle() const {
    if (!view_.request) return operand_.asked.front().index;
    return view_.request->lanes.front().offset / operand_.elementBytes;
  }

  void layOut() {
    const float em = context_.em, small = ink_.small();
    const float labels =
        std::max(ink_.widthOf(rowName(shape_.rows - 1)), ink_.widthOf(rowsAre())) + 0.6F * em;
    const float warps = ink_.widthOf("warps 00 to 00") + 0.6F * em;
    const float room = std::max(box_.width - labels - warps, 8.0F);
    const float least = std::max(0.34F * em, 4.0F);
    top_ = box_.y + 3 * small;
    left_ = box_.x + labels;
    const float below = std::max(box_.y + box_.height - top_, least);
    const uint64_t at = middle();
    rows_ = visibleRange(shape_.rows, at / shape_.perRow - shape_.firstRow,
                         static_cast<uint64_t>(below / least));
    columns_ = visibleRange(shape_.columns, at % shape_.perRow - shape_.firstColumn,
                            static_cast<uint64_t>(room / least));
    const float most = 1.7F * small;
    cell_ = std::clamp(room / static_cast<float>(columns_.count), least, most);
    height_ =
        std::clamp(below / static_cast<float>(rows_.count), least, std::min(most, 1.5F * cell_));
  }
  [[nodiscard]] std::string rowsAre() const { return operand_.columns > 0 ? "row" : "byte"; }

  [[nodiscard]] std::string partText() const {
    const char* const things = operand_.columns > 0 ? "rows" : "lines";
    if (rows_.count == shape_.rows) return view_.block;
    return view_.block + ", " + std::to_string(rows_.count) + " of its " + grouped(shape_.rows) +
           " " + things;
  }

  void drawHead() {
    const gfx::Palette& p = context_.palette;
    ink_.title({box_.x, box_.y}, "Warps on " + operand_.name, partText(), box_.width);
    const float at = box_.y + 1.4F * ink_.small();
    ink_.text({box_.x, at}, rowsAre(), p.mutedText);
    float free = left_;
    const uint64_t aSector = kSectorBytes / operand_.elementBytes;
    for (uint64_t column = columns_.first; column < columns_.end(); ++column) {
      const uint64_t number = shape_.firstColumn + column;
      if (number % aSector != 0) continue;
      const std::string text =
          operand_.columns > 0 ? std::to_string(number) : "+" + std::to_string(byteOf(number));
      if (x(column) < free) continue;
      ink_.text({x(column), at}, text, p.mutedText);
      free = x(column) + ink_.widthOf(text) + 0.5F * context_.em;
    }
    ink_.text({x(columns_.end()) + 0.6F * context_.em, at}, "warps", p.mutedText);
  }

  void drawRow(uint64_t row) {
    const uint64_t first = shape_.indexOf(row, columns_.first);
    auto asked = std::ranges::lower_bound(operand_.asked, first, {}, &AskedElement::index);
    auto moved = std::ranges::lower_bound(operand_.moved, sectorOf(first), {}, &MovedSector::index);
    for (uint64_t column = columns_.first; column < columns_.end(); ++column) {
      const uint64_t index = shape_.indexOf(row, column);
      while (asked != operand_.asked.end() && asked->index < index) ++asked;
      while (moved != operand_.moved.end() && moved->index < sectorOf(index)) ++moved;
      const bool isAsked = asked != operand_.asked.end() && asked->index == index;
      const bool isMoved = moved != operand_.moved.end() && moved->index == sectorOf(index);
      drawElement(row, column, isAsked ? &*asked : nullptr, isMoved ? &*moved : nullptr);
    }
  }

  void drawElement(uint64_t row, uint64_t column, const AskedElement* asked,
                   const MovedSector* moved) {
    const float gap = cell_ > 6 ? 1.0F : 0.5F;
    const ImVec2 min{x(column) + gap, y(row) + gap};
    const ImVec2 max{x(column + 1) - gap, y(row + 1) - gap};
    ImDrawList& list = ink_.list();
    if (asked != nullptr) {
      const bool later = asked->request >= view_.done;
      list.AddRectFilled(min, max,
                         colour(context_.palette.warp(asked->warp), later ? kLater : 1.0F));
      return;
    }
    if (moved != nullptr && moved->request < view_.done) return ink_.hatch(min, max, 0.9F);
    const float middle = (min.y + max.y) / 2, half = std::max(0.06F * cell_, 0.5F);
    list.AddRectFilled({(min.x + max.x) / 2 - half, middle - half},
                       {(min.x + max.x) / 2 + half, middle + half},
                       colour(context_.palette.strongLine));
  }

  /// Thin lines between sectors, and thick ones between lines of 128 bytes.
  void drawBoundaries(uint64_t row) {
    const gfx::Palette& p = context_.palette;
    for (uint64_t column = columns_.first; column <= columns_.end(); ++column) {
      const uint64_t byte = byteOf(shape_.indexOf(row, column));
      if (byte % kSectorBytes != 0) continue;
      const bool line = byte % kLineBytes == 0;
      ink_.list().AddLine({x(column), y(row)}, {x(column), y(row + 1)},
                          colour(line ? p.text : p.strongLine), line ? 2.0F : 1.0F);
    }
  }

  /// Draws a frame around adjacent sectors of the step's request.
  void frame(const MapRectangle& one) {
    const uint64_t left = std::max(one.column, columns_.first),
                   right = std::min(one.column + one.columns, columns_.end()),
                   top = std::max(one.row, rows_.first),
                   bottom = std::min(one.row + one.rows, rows_.end());
    if (left >= right || top >= bottom) return;
    const ImVec2 min{x(left) - 1, y(top) - 1}, max{x(right) + 1, y(bottom) + 1};
    const float thickness = std::max(0.13F * context_.em, 2.0F);
    // The outer rectangle separates the frame from warp colours similar to it.
    compat::strokeRect(ink_.list(), min, max, colour(context_.palette.background), 1,
                       2.5F * thickness);
    compat::strokeRect(ink_.list(), min, max, colour(context_.palette.accent), 1, thickness);
  }

  /// The warps that request elements of a row: "3", "0 to 7".
  [[nodiscard]] std::string warpsOf(uint64_t row) const {
    const RowWarps* warps = map_.warpsOf(row);
    if (warps == nullptr) return {};
    return std::to_string(warps->first) +
           (warps->first == warps->last ? "" : " to " + std::to_string(warps->last));
  }

  /// Row indices on the left and warps on the right.
  void drawRowLabels() {
    const gfx::Palette& p = context_.palette;
    const float right = x(columns_.end()) + 0.6F * context_.em;
    const uint64_t apart = rowsApart(height_, ink_.small());
    std::string before;
    for (uint64_t row = rows_.first; row < rows_.end(); ++row) {
      if ((shape_.firstRow + row) % apart != 0) continue;
      const float at = y(row) + (height_ - ink_.small()) / 2;
      ink_.textRight(left_ - 0.6F * context_.em, at, rowName(row), p.mutedText);
      std::string warps = warpsOf(row);
      if (warps != before) ink_.text({right, at}, warps, p.text);
      before = std::move(warps);
    }
  }

  [[nodiscard]] bool isMoved(uint64_t index) const {
    const auto at =
        std::ranges::lower_bound(operand_.moved, sectorOf(index), {}, &MovedSector::index);
    return at != operand_.moved.end() && at->index == sectorOf(index);
  }
  [[nodiscard]] std::string describe(const AskedElement* asked, uint64_t index) const {
    const std::string name = globalName(*view_.of, operand_.buffer, byteOf(index));
    if (asked == nullptr)
      return name + (isMoved(index) ? ": moved, because other bytes of its sector are requested"
                                    : ": not moved by the block");
    return name + ": first requested by warp " + std::to_string(asked->warp) +
           (context_.ui.readOnly ? "" : ". A click goes to this request.");
  }

  void takeMouse() {
    if (context_.ui.readOnly || !ImGui::IsWindowHovered()) return;
    // IsMouseHoveringRect respects the clip rectangle, which is empty while the stage is covered.
    if (!ImGui::IsMouseHoveringRect({left_, top_}, {x(columns_.end()), y(rows_.end())})) return;
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    const auto column = std::min(columns_.first + static_cast<uint64_t>((mouse.x - left_) / cell_),
                                 columns_.end() - 1);
    const auto row =
        std::min(rows_.first + static_cast<uint64_t>((mouse.y - top_) / height_), rows_.end() - 1);
    const uint64_t index = shape_.indexOf(row, column);
    if (operand_.elements > 0 && index >= operand_.elements) return;
    const auto at = std::ranges::lower_bound(operand_.asked, index, {}, &AskedElement::index);
    const bool isAsked = at != operand_.asked.end() && at->index == index;
    showTooltip(context_, describe(isAsked ? &*at : nullptr, index));
    if (!isAsked || !ImGui::IsMouseClicked(ImGuiMouseButton_Left)) return;
    context_.session.apply(model::command("steps.grain", trace::StepGranularity::event));
    context_.session.apply(model::command("steps.go", size_t{view_.requestAt(at->request).event}));
  }

  const Context& context_;
  const FootprintView& view_;
  const OperandFootprint& operand_;
  const OperandMap& map_;
  const MapShape& shape_;
  gfx::Box box_;
  Ink ink_;
  float left_ = 0, top_ = 0;     ///< Position of the first visible element.
  float cell_ = 1, height_ = 1;  ///< Size of an element including its gap.
  VisibleRange rows_, columns_;  ///< Visible rows and columns of the shape.
};

}  // namespace

void drawMap(const Context& context, const FootprintView& view, const gfx::Box& box) {
  if (view.operand >= view.footprint->operands.size()) return;
  if (!view.footprint->operands[view.operand].asked.empty()) Map(context, view, box).draw();
}

}  // namespace tilestep::features
