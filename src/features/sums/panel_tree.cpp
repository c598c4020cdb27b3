// SPDX-License-Identifier: Apache-2.0
// The array: a row for each round, with a line from each addend to its sum.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "features/sums/panel.h"
#include "features/sums/panel_layout.h"
#include "ui/kit/widgets.h"

namespace tilestep::ui {
namespace {

using model::Sum;
using model::SumRow;
using model::SumStep;
using model::SumsView;
using model::SumTerm;
using model::SumTree;

constexpr uint32_t kLanes = 32;
constexpr size_t kColumns = 3;  ///< Of counts, at the right.

/// When a row runs, as seen from the present step.
enum class When { before, now, later };

class TreePicture {
 public:
  TreePicture(const Context& context, const SumsView& view, const gfx::Box& box)
      : context_(context),
        view_(view),
        tree_(*view.tree),
        box_(box),
        list_(*ImGui::GetWindowDrawList()),
        small_(context.fonts.smallPixels) {
    layOut();
    findLastReads();
  }

  /// Returns the height that it took.
  float draw() {
    drawHead();
    for (size_t i = 0; i < tree_.rows.size(); ++i) drawRow(i);
    drawNow();
    takeMouse();
    return at_.bottom(tree_.rows.size() - 1) + 0.4F * context_.em - box_.y;
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
    for (const SumRow& row : tree_.rows) labels = std::max(labels, widthOf(rowName(row)));
    at_.column = widthOf(countName()) + 0.8F * em;
    for (const char* name : {"threads", "warps"})
      at_.column = std::max(at_.column, widthOf(name) + 0.8F * em);
    at_.left = box_.x + labels + 0.8F * em;
    const float room =
        std::max(box_.x + box_.width - kColumns * at_.column - 0.6F * em - at_.left, 8 * em);
    at_.shown = elementsWithRoom(tree_.count, room, 1.2F);
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

  /// By element: the last row that reads it; kNoSum: none does.
  void findLastReads() {
    lastRead_.assign(tree_.count, model::kNoSum);
    for (size_t i = 0; i < tree_.rows.size(); ++i)
      for (const size_t sum : tree_.rows[i].sums)
        for (const SumTerm& term : tree_.sums[sum].terms)
          if (term.inArray && tree_.sums[sum].needed) lastRead_[tree_.column(term.place)] = i;
  }

  [[nodiscard]] When whenOf(const SumRow& row) const {
    if (row.events.empty() || row.events.front() > view_.lastEvent) return When::later;
    const auto first = std::ranges::lower_bound(row.events, view_.firstEvent);
    return first != row.events.end() && *first <= view_.lastEvent ? When::now : When::before;
  }
  [[nodiscard]] float alphaOf(const Sum& sum, When when) const {
    if (when == When::later || sum.event > view_.lastEvent) return 0.28F;
    return sum.needed ? 1.0F : 0.45F;
  }

  [[nodiscard]] const char* countName() const { return tree_.shared ? "conflicts" : "sectors"; }
  [[nodiscard]] std::array<std::string, kColumns> countsOf(const SumRow& row) const {
    return {std::to_string(row.threads()), std::to_string(row.warps()),
            std::to_string(tree_.shared ? row.conflicts : row.sectors)};
  }

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
    const std::array<const char*, kColumns> names{"threads", "warps", countName()};
    for (size_t i = 0; i < kColumns; ++i)
      rightText(at_.right() + at_.column * static_cast<float>(i + 1), box_.y, quiet, names[i]);
  }

  void drawRow(size_t i) {
    const SumRow& row = tree_.rows[i];
    const When when = whenOf(row);
    const gfx::Palette& p = context_.palette;
    const ImU32 ink = colour(when == When::later ? p.mutedText : p.text);
    const float y = at_.y(i) + (at_.band - small_) / 2;
    text({box_.x, y}, ink, rowName(row));
    const std::array<std::string, kColumns> counts = countsOf(row);
    for (size_t c = 0; c < kColumns; ++c)
      rightText(at_.right() + at_.column * static_cast<float>(c + 1), y, ink, counts[c]);
    drawKept(i);
    const float width = sumWidth(row);
    for (const size_t index : row.sums) {
      const Sum& sum = tree_.sums[index];
      if (i > 0) drawLines(i, sum, when);
      drawSum(i, sum, when, width);
    }
    drawThreads(i, when);
    drawValues(i, when);
  }

  /// The elements that the row leaves as they are and that are read later.
  void drawKept(size_t i) {
    std::set<uint32_t> made;
    for (const size_t index : tree_.rows[i].sums)
      if (tree_.sums[index].inArray) made.insert(tree_.column(tree_.sums[index].place));
    for (uint32_t c = 0; c < at_.shown; ++c)
      if (!made.contains(c) && lastRead_[c] != model::kNoSum && lastRead_[c] > i)
        fillElement(i, c, colour(context_.palette.mutedText, 0.45F), at_.cell);
  }

  void fillElement(size_t i, uint32_t column, ImU32 fill, float width) {
    const float gap = at_.cell > 4 ? 1.0F : at_.cell > 2.5F ? 0.5F : 0.0F;
    const float middle = at_.middle(column), half = width / 2 - gap;
    list_.AddRectFilled({middle - half, at_.y(i)}, {middle + half, at_.y(i) + at_.band}, fill);
  }

  /// Of a row's sums: narrow ones are drawn wider where they stand apart, so that they are seen.
  [[nodiscard]] float sumWidth(const SumRow& row) const {
    constexpr float kSeen = 4;  // Pixels.
    if (at_.cell >= kSeen) return at_.cell;
    std::set<uint32_t> columns;
    for (const size_t index : row.sums) columns.insert(columnOf(tree_.sums[index]));
    uint32_t apart = tree_.count;
    for (auto it = columns.begin(); it != columns.end() && std::next(it) != columns.end(); ++it)
      apart = std::min(apart, *std::next(it) - *it);
    return std::max(at_.cell, std::min(kSeen, 0.6F * static_cast<float>(apart) * at_.cell));
  }

  /// Where a sum is drawn: at its element, or for one outside of the array below its first addend.
  [[nodiscard]] uint32_t columnOf(const Sum& sum) const {
    if (sum.inArray) return tree_.column(sum.place);
    for (const SumTerm& term : sum.terms)
      if (term.inArray) return tree_.column(term.place);
    return 0;
  }

  void drawSum(size_t i, const Sum& sum, When when, float width) {
    const uint32_t column = columnOf(sum);
    if (column >= at_.shown) return;
    const gfx::Color fill = colourOfWarp(sum.thread / kLanes, context_.palette);
    fillElement(i, column, colour(fill, alphaOf(sum, when)), width);
  }

  void drawLines(size_t i, const Sum& sum, When when) {
    const float alpha = alphaOf(sum, when) * (when == When::now ? 1.0F : 0.6F);
    const ImU32 ink = colour(colourOfWarp(sum.thread / kLanes, context_.palette), alpha);
    const float width = when == When::now ? std::max(0.09F * context_.em, 1.5F) : 1.0F;
    const uint32_t to = columnOf(sum);
    for (const SumTerm& term : sum.terms) {
      if (!term.inArray) continue;
      const uint32_t from = tree_.column(term.place);
      if (from >= at_.shown && to >= at_.shown) continue;
      drawLine({at_.middle(from), at_.bottom(i - 1)}, {at_.middle(to), at_.y(i)}, ink, width);
    }
  }

  /// A curve that leaves and arrives upright, so that lines over the same distance stay apart. In
  /// what is read elsewhere it is straight, because a web page holds each piece of a curve.
  void drawLine(ImVec2 from, ImVec2 to, ImU32 ink, float width) {
    const float half = (from.y + to.y) / 2;
    if (context_.ui.readOnly || std::fabs(from.x - to.x) < 0.5F)
      list_.AddLine(from, to, ink, width);
    else
      list_.AddBezierCubic(from, {from.x, half}, {to.x, half}, to, ink, width, 16);
  }

  /// The threads below the elements: those that load or store, those that are off in a warp that
  /// works, and warps that do nothing.
  void drawThreads(size_t i, When when) {
    const SumRow& row = tree_.rows[i];
    const gfx::Palette& p = context_.palette;
    const float y = at_.y(i) + at_.band + 1, end = at_.bottom(i), middle = (y + end) / 2;
    const float faded = when == When::later ? 0.3F : 1.0F;
    for (uint32_t thread = 0; thread < tree_.threads; ++thread) {
      const float x = at_.left + at_.thread * static_cast<float>(thread);
      if (x + at_.thread > at_.right() + 0.5F) break;
      const bool on = (row.masks[thread / kLanes] >> (thread % kLanes) & 1U) != 0;
      if (on)
        list_.AddRectFilled({x, y + 1}, {x + std::max(at_.thread - 0.5F, 1.0F), end},
                            colour(colourOfWarp(thread / kLanes, p), faded));
    }
    for (uint32_t warp = 0; warp < row.masks.size(); ++warp) {
      const float x = at_.left + at_.thread * static_cast<float>(warp * kLanes);
      const float to = std::min(
          at_.left + at_.thread * static_cast<float>(std::min((warp + 1) * kLanes, tree_.threads)),
          at_.right());
      if (x >= at_.right()) break;
      if (row.masks[warp] != ~0U)
        list_.AddLine({x, middle}, {to - 1, middle}, colour(p.mutedText, 0.7F * faded), 1);
    }
  }

  /// The values of a row's sums, where all of them have room.
  void drawValues(size_t i, When when) {
    if (when == When::later) return;
    const SumRow& row = tree_.rows[i];
    std::map<uint32_t, const Sum*> shown;
    for (const size_t index : row.sums)
      if (tree_.sums[index].event <= view_.lastEvent)
        shown[columnOf(tree_.sums[index])] = &tree_.sums[index];
    float room = at_.right() - at_.left;
    const bool isResult = row.step == SumStep::result;
    for (auto it = shown.begin(); it != shown.end() && !isResult; ++it) {
      const auto next = std::next(it);
      const float end = next == shown.end() ? at_.right() : at_.x(static_cast<float>(next->first));
      room = std::min(room, end - at_.x(static_cast<float>(it->first) + 1));
    }
    const float gap = 0.25F * context_.em, y = at_.y(i) + (at_.band - small_) / 2;
    const ImU32 ink = colour(context_.palette.text);
    for (const auto& [column, sum] : shown) {
      const std::string value = valueOf(*sum);
      if (column >= at_.shown || widthOf(value) + 2 * gap > room) return;
      text({at_.x(static_cast<float>(column) + 1) + gap, y}, ink, value);
    }
  }
  [[nodiscard]] std::string valueOf(const Sum& sum) const {
    const std::string value = model::sumText(sum.value);
    return sum.inArray ? value : placeName(*view_.of, sum.place, tree_.width) + " = " + value;
  }

  /// A frame around the rows of the present step.
  void drawNow() {
    for (size_t i = 0; i < tree_.rows.size(); ++i) {
      if (whenOf(tree_.rows[i]) != When::now) continue;
      size_t last = i;
      while (last + 1 < tree_.rows.size() && whenOf(tree_.rows[last + 1]) == When::now) ++last;
      const float top = i == 0 ? at_.y(0) - 3 : at_.bottom(i - 1) + 1;
      list_.AddRect({at_.left - 3, top}, {at_.right() + 3, at_.bottom(last) + 3},
                    colour(context_.palette.accent), 2, 0, std::max(0.13F * context_.em, 2.0F));
      i = last;
    }
  }

  /// Hovering an element tells what it is the sum of; a click goes to the row's end.
  void takeMouse() {
    if (context_.ui.readOnly || !ImGui::IsWindowHovered()) return;
    const float bottom = at_.bottom(tree_.rows.size() - 1);
    // Within the clip rectangle, which is nowhere while the stage is covered.
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
    const SumRow& row = tree_.rows[i];
    for (const size_t index : row.sums) {
      const Sum& sum = tree_.sums[index];
      if (columnOf(sum) != column) continue;
      return "Thread " + std::to_string(sum.thread) + " of warp " +
             std::to_string(sum.thread / kLanes) + ": " + termsText(*view_.of, tree_, sum) +
             (sum.needed ? "" : "\nThis sum is not needed.") +
             "\nA click goes to the end of this row.";
    }
    return tree_.array + "[" + std::to_string(tree_.first + column) +
           "] stays as it is in this row.\nA click goes to the end of this row.";
  }

  const Context& context_;
  const SumsView& view_;
  const SumTree& tree_;
  gfx::Box box_;
  ImDrawList& list_;
  float small_;
  SumLayout at_;
  std::vector<size_t> lastRead_;
};

}  // namespace

uint32_t elementsWithRoom(uint32_t count, float width, float least) {
  if (static_cast<float>(count) * least <= width) return count;
  uint32_t shown = 1;
  while (static_cast<float>(2 * shown) * least <= width) shown *= 2;
  return std::min(shown, count);
}

float drawSumTree(const Context& context, const SumsView& view, const gfx::Box& box) {
  return TreePicture(context, view, box).draw();
}

}  // namespace tilestep::ui
