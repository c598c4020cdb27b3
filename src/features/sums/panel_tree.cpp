// SPDX-License-Identifier: Apache-2.0
// The array: a row for each round, with a line from each addend to its sum.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "base/dim3.h"
#include "features/sums/panel.h"
#include "features/sums/panel_layout.h"
#include "ui/kit/widgets.h"

namespace tilestep::features {
namespace {

constexpr size_t kCountColumns = 3;  ///< Columns on the right.

class TreePicture {
 public:
  TreePicture(const Context& context, const SumsView& view, const gfx::Box& box)
      : context_(context),
        view_(view),
        tree_(*view.tree),
        picture_(*view.picture),
        box_(box),
        list_(*ImGui::GetWindowDrawList()),
        small_(context.fonts.smallPixels) {
    layOut();
  }

  SumTreeDrawn draw() {
    drawHead();
    const auto [first, end] = visibleRows();
    for (size_t i = first; i < end; ++i) drawRow(i);
    drawNow();
    takeMouse();
    return {at_.bottom(tree_.rows.size() - 1) + 0.4F * context_.em - box_.y, hasKept(),
            hasUnneeded()};
  }

 private:
  [[nodiscard]] float widthOf(const std::string& what) const {
    return context_.fonts.small->CalcTextSizeA(small_, 1e9F, 0, what.c_str()).x;
  }
  void text(ImVec2 at, ImU32 color, const std::string& what) {
    list_.AddText(context_.fonts.small, small_, at, color, what.c_str());
  }
  void rightText(float right, float y, ImU32 color, const std::string& what) {
    text({right - widthOf(what), y}, color, what);
  }

  void layOut() {
    const float em = context_.em;
    float labels = widthOf("element");
    for (const std::string& name : picture_.names) labels = std::max(labels, widthOf(name));
    at_.column = widthOf(countName()) + 0.8F * em;
    for (const char* name : {"threads", "warps"})
      at_.column = std::max(at_.column, widthOf(name) + 0.8F * em);
    at_.left = box_.x + labels + 0.8F * em;
    const float room =
        std::max(box_.x + box_.width - kCountColumns * at_.column - 0.6F * em - at_.left, 8 * em);
    at_.shown = elementsWithRoom(std::min(tree_.count, kMostElements), room, 1.2F);
    at_.cell = std::min(room / static_cast<float>(at_.shown), 1.6F * em);
    at_.thread = tree_.threads <= tree_.count
                     ? at_.cell
                     : at_.cell * static_cast<float>(at_.shown) / static_cast<float>(tree_.threads);
    at_.top = box_.y + 1.5F * small_;
    at_.band = std::clamp(at_.cell, 0.35F * em, 0.7F * em);
    at_.ticks = 0.3F * em;
    const float height = box_.y + box_.height - at_.top - 0.4F * em;
    const auto ways = static_cast<float>(std::max<size_t>(tree_.rows.size(), 2) - 1);
    const float least = std::max(1.2F * small_, at_.band + at_.ticks + 0.3F * em);
    at_.row = std::clamp((height - at_.band - at_.ticks) / ways, least, 4.5F * em);
  }

  /// The visible rows, as [first, end).
  [[nodiscard]] std::pair<size_t, size_t> visibleRows() const {
    return at_.rowsWithin(list_.GetClipRectMin().y, list_.GetClipRectMax().y, tree_.rows.size());
  }

  [[nodiscard]] float alphaOf(const Sum& sum, RowTime when) const {
    if (when == RowTime::later || sum.event > view_.lastEvent) return 0.28F;
    return sum.needed ? 1.0F : kUnneeded;
  }

  [[nodiscard]] bool hasKept() const {
    return std::ranges::any_of(picture_.rows, [&](const RowPicture& row) {
      return std::ranges::any_of(row.kept,
                                 [&](const ElementRun& run) { return run.first < at_.shown; });
    });
  }
  [[nodiscard]] bool hasUnneeded() const {
    for (size_t i = 0; i < tree_.rows.size(); ++i)
      for (size_t k = 0; k < tree_.rows[i].sums.size(); ++k) {
        const Sum& sum = tree_.sums[tree_.rows[i].sums[k]];
        const bool made = view_.times[i] != RowTime::later && sum.event <= view_.lastEvent;
        if (made && !sum.needed && picture_.rows[i].columns[k] < at_.shown) return true;
      }
    return false;
  }

  [[nodiscard]] const char* countName() const { return tree_.shared ? "conflicts" : "sectors"; }

  void drawHead() {
    const ImU32 quiet = colour(context_.palette.mutedText);
    text({box_.x, box_.y}, quiet, "element");
    const std::string end = std::to_string(tree_.first + at_.shown - 1);
    text({at_.left, box_.y}, quiet, std::to_string(tree_.first));
    const std::string part = at_.shown < tree_.count ? "the first " + std::to_string(at_.shown) +
                                                           " of " + std::to_string(tree_.count)
                                                     : "";
    const float middle = (at_.left + at_.right() - widthOf(part)) / 2;
    text({middle, box_.y}, quiet, part);
    rightText(at_.right(), box_.y, quiet, end);
    const std::array<const char*, kCountColumns> names{"threads", "warps", countName()};
    for (size_t i = 0; i < kCountColumns; ++i)
      rightText(at_.right() + at_.column * static_cast<float>(i + 1), box_.y, quiet, names[i]);
  }

  void drawRow(size_t i) {
    const SumRow& row = tree_.rows[i];
    const RowPicture& picture = picture_.rows[i];
    const RowTime when = view_.times[i];
    const gfx::Palette& p = context_.palette;
    const ImU32 ink = colour(when == RowTime::later ? p.mutedText : p.text);
    const float y = at_.y(i) + (at_.band - small_) / 2;
    text({box_.x, y}, ink, picture.name);
    for (size_t c = 0; c < kCountColumns; ++c)
      rightText(at_.right() + at_.column * static_cast<float>(c + 1), y, ink, picture.counts[c]);
    drawKept(i);
    const float width = sumWidth(picture);
    for (size_t k = 0; k < row.sums.size(); ++k) {
      const Sum& sum = tree_.sums[row.sums[k]];
      if (i > 0) drawLines(i, sum, picture.columns[k], when);
      drawSum(i, sum, picture.columns[k], when, width);
    }
    drawThreads(i, when);
    drawValues(i, when);
  }

  void drawKept(size_t i) {
    for (const ElementRun& run : picture_.rows[i].kept)
      for (uint32_t c = run.first; c < std::min(run.first + run.count, at_.shown); ++c)
        fillElement(i, c, colour(context_.palette.mutedText, kKept), at_.cell);
  }

  void fillElement(size_t i, uint32_t column, ImU32 fill, float width) {
    const float gap = at_.cell > 4 ? 1.0F : at_.cell > 2.5F ? 0.5F : 0.0F;
    const float middle = at_.middle(column), half = width / 2 - gap;
    list_.AddRectFilled({middle - half, at_.y(i)}, {middle + half, at_.y(i) + at_.band}, fill);
  }

  /// The width of a row's sums. Narrow sums that are far apart are widened.
  [[nodiscard]] float sumWidth(const RowPicture& row) const {
    constexpr float kSeen = 4;  // Pixels.
    if (at_.cell >= kSeen) return at_.cell;
    return std::max(at_.cell, std::min(kSeen, 0.6F * static_cast<float>(row.apart) * at_.cell));
  }

  void drawSum(size_t i, const Sum& sum, uint32_t column, RowTime when, float width) {
    if (column >= at_.shown) return;
    const gfx::Color fill = context_.palette.warp(sum.thread / kWarpLanes);
    fillElement(i, column, colour(fill, alphaOf(sum, when)), width);
  }

  void drawLines(size_t i, const Sum& sum, uint32_t to, RowTime when) {
    const float alpha = alphaOf(sum, when) * (when == RowTime::now ? 1.0F : 0.6F);
    const ImU32 ink = colour(context_.palette.warp(sum.thread / kWarpLanes), alpha);
    const float width = when == RowTime::now ? std::max(0.09F * context_.em, 1.5F) : 1.0F;
    for (const SumTerm& term : sum.terms) {
      if (!term.inArray) continue;
      const uint32_t from = tree_.column(term.place);
      if (from >= at_.shown && to >= at_.shown) continue;
      drawLine({at_.middle(from), at_.bottom(i - 1)}, {at_.middle(to), at_.y(i)}, ink, width);
    }
  }

  /// Draws a curve that leaves and arrives vertically, so that lines over equal distances do not
  /// coincide. It is straight in saved pictures, because a web page stores every curve segment.
  void drawLine(ImVec2 from, ImVec2 to, ImU32 ink, float width) {
    const float half = (from.y + to.y) / 2;
    if (context_.ui.readOnly || std::fabs(from.x - to.x) < 0.5F)
      list_.AddLine(from, to, ink, width);
    else
      list_.AddBezierCubic(from, {from.x, half}, {to.x, half}, to, ink, width, 16);
  }

  /// Draws the threads below the elements: active, inactive in an active warp, or inactive warps.
  void drawThreads(size_t i, RowTime when) {
    const SumRow& row = tree_.rows[i];
    const gfx::Palette& p = context_.palette;
    const float y = at_.y(i) + at_.band + 1, end = at_.bottom(i), middle = (y + end) / 2;
    const float faded = when == RowTime::later ? 0.3F : 1.0F;
    for (uint32_t thread = 0; thread < tree_.threads; ++thread) {
      const float x = at_.left + at_.thread * static_cast<float>(thread);
      if (x + at_.thread > at_.right() + 0.5F) break;
      const bool on = (row.masks[thread / kWarpLanes] >> (thread % kWarpLanes) & 1U) != 0;
      if (on)
        list_.AddRectFilled({x, y + 1}, {x + std::max(at_.thread - 0.5F, 1.0F), end},
                            colour(p.warp(thread / kWarpLanes), faded));
    }
    for (uint32_t warp = 0; warp < row.masks.size(); ++warp) {
      const float x = at_.left + at_.thread * static_cast<float>(warp * kWarpLanes);
      const float to = std::min(
          at_.left +
              at_.thread * static_cast<float>(std::min((warp + 1) * kWarpLanes, tree_.threads)),
          at_.right());
      if (x >= at_.right()) break;
      if (row.masks[warp] != ~0U)
        list_.AddLine({x, middle}, {to - 1, middle}, colour(p.mutedText, 0.7F * faded), 1);
    }
  }

  /// Draws the values of a row's sums, if all of them fit.
  void drawValues(size_t i, RowTime when) {
    if (when == RowTime::later) return;
    const std::vector<std::pair<uint32_t, const Sum*>> shown = madeSoFar(i);
    float room = at_.right() - at_.left;
    const bool isResult = tree_.rows[i].step == SumStep::result;
    for (size_t k = 0; k < shown.size() && !isResult; ++k) {
      const float end =
          k + 1 == shown.size() ? at_.right() : at_.x(static_cast<float>(shown[k + 1].first));
      room = std::min(room, end - at_.x(static_cast<float>(shown[k].first) + 1));
    }
    const float gap = 0.25F * context_.em, y = at_.y(i) + (at_.band - small_) / 2;
    const ImU32 ink = colour(context_.palette.text);
    for (const auto& [column, sum] : shown) {
      const std::string value = valueOf(*sum);
      if (column >= at_.shown || widthOf(value) + 2 * gap > room) return;
      text({at_.x(static_cast<float>(column) + 1) + gap, y}, ink, value);
    }
  }
  /// The last completed sum of the row at each column, by ascending column.
  [[nodiscard]] std::vector<std::pair<uint32_t, const Sum*>> madeSoFar(size_t i) const {
    std::vector<std::pair<uint32_t, const Sum*>> made;
    const RowPicture& row = picture_.rows[i];
    for (const size_t k : row.byColumn) {
      const Sum& sum = tree_.sums[tree_.rows[i].sums[k]];
      if (sum.event > view_.lastEvent) continue;
      if (made.empty() || made.back().first != row.columns[k])
        made.emplace_back(row.columns[k], &sum);
      else
        made.back().second = &sum;
    }
    return made;
  }
  [[nodiscard]] std::string valueOf(const Sum& sum) const {
    const std::string value = sumText(sum.value);
    return sum.inArray ? value : placeName(*view_.of, sum.place, tree_.width) + " = " + value;
  }

  /// Draws a frame around the rows of the present step.
  void drawNow() {
    const std::vector<RowTime>& times = view_.times;
    const float above = list_.GetClipRectMin().y, below = list_.GetClipRectMax().y;
    for (size_t i = 0; i < times.size(); ++i) {
      if (times[i] != RowTime::now) continue;
      size_t last = i;
      while (last + 1 < times.size() && times[last + 1] == RowTime::now) ++last;
      const float top = i == 0 ? at_.y(0) - 3 : at_.bottom(i - 1) + 1;
      const float bottom = at_.bottom(last) + 3;
      i = last;
      if (bottom < above || top > below) continue;
      compat::strokeRect(list_, {at_.left - 3, top}, {at_.right() + 3, bottom},
                         colour(context_.palette.accent), 2, std::max(0.13F * context_.em, 2.0F));
    }
  }

  /// Hovering an element shows the terms of its sum. A click goes to the end of the row.
  void takeMouse() {
    if (context_.ui.readOnly || !ImGui::IsWindowHovered()) return;
    const float bottom = at_.bottom(tree_.rows.size() - 1);
    // IsMouseHoveringRect respects the clip rectangle, which is empty while the stage is covered.
    if (!ImGui::IsMouseHoveringRect({at_.left, at_.top}, {at_.right(), bottom})) return;
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    const size_t i = at_.rowAt(mouse.y, tree_.rows.size());
    const auto column = static_cast<uint32_t>((mouse.x - at_.left) / at_.cell);
    showTooltip(context_, hoverText(i, column));
    if (!ImGui::IsMouseClicked(ImGuiMouseButton_Left) || tree_.rows[i].events.empty()) return;
    context_.session.apply(model::command("steps.grain", trace::StepGranularity::event));
    context_.session.apply(model::command("steps.go", size_t{tree_.rows[i].events.back()}));
  }
  [[nodiscard]] std::string hoverText(size_t i, uint32_t column) const {
    const std::vector<uint32_t>& columns = picture_.rows[i].columns;
    const auto at = std::ranges::find(columns, column);
    if (at != columns.end()) {
      const auto index = static_cast<size_t>(at - columns.begin());
      const Sum& sum = tree_.sums[tree_.rows[i].sums[index]];
      return "Thread " + std::to_string(sum.thread) + " of warp " +
             std::to_string(sum.thread / kWarpLanes) + ": " + termsText(*view_.of, tree_, sum) +
             (sum.needed ? "" : "\nThis sum is not needed.") +
             "\nA click goes to the end of this row.";
    }
    return tree_.array + "[" + std::to_string(tree_.first + column) +
           "] does not change in this row.\nA click goes to the end of this row.";
  }

  const Context& context_;
  const SumsView& view_;
  const SumTree& tree_;
  const SumPicture& picture_;
  gfx::Box box_;
  ImDrawList& list_;
  float small_;
  SumLayout at_;
};

}  // namespace

uint32_t elementsWithRoom(uint32_t count, float width, float least) {
  if (static_cast<float>(count) * least <= width) return count;
  uint32_t shown = 1;
  while (static_cast<float>(2 * shown) * least <= width) shown *= 2;
  return std::min(shown, count);
}

SumTreeDrawn drawSumTree(const Context& context, const SumsView& view, const gfx::Box& box) {
  return TreePicture(context, view, box).draw();
}

}  // namespace tilestep::features
