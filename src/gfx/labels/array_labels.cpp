// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "gfx/labels/label_sheet.h"

namespace tilestep::gfx {
namespace {

class ArrayLabels {
 public:
  explicit ArrayLabels(LabelSheet& sheet) : sheet_(sheet) {}

  void array(size_t i) {
    const SlotArray& array = sheet_.model.arrays[i];
    const Grid& grid = sheet_.layers.layout.arrays[i];
    if (array.absent) return absent(array, grid);
    sheet_.indices(grid, array.rows, array.columns, true, true);
    const std::string size = dimensions(array.rows, array.columns);
    sheet_.header(grid, array.name, sheet_.noteOf(grid, array.name, size, "", Memory::shared),
                  true);
    races(array, grid);
    if (sheet_.cellPx(grid) < 20 || sheet_.model.overview) return;
    sheet_.eachVisible(grid, array.rows, array.columns,
                       [&](uint32_t r, uint32_t c, const Box& cell) {
                         const size_t at = size_t{r} * array.columns + c;
                         if (at >= array.slots.size()) return;
                         slot(array, array.slots[at], r, c, cell);
                         if (array.slots[at].hazard) sheet_.warning(cell);
                       });
  }

  void threads(size_t i) {
    const ThreadGrid& threads = sheet_.model.threads[i];
    const Grid& grid = sheet_.layers.layout.threads[i];
    sheet_.indices(grid, threads.rows, threads.columns, true, true);
    const std::string size = dimensions(threads.rows, threads.columns);
    sheet_.header(grid, threads.name,
                  sheet_.noteOf(grid, threads.name, size, threads.note, Memory::registers), true);
    if (sheet_.cellPx(grid) < 20 || sheet_.model.overview) return;
    sheet_.eachVisible(grid, threads.rows, threads.columns,
                       [&](uint32_t r, uint32_t c, const Box& cell) {
                         const size_t at = size_t{r} * threads.columns + c;
                         if (at < threads.threads.size())
                           thread(threads, threads.threads[at], cell);
                       });
  }

 private:
  /// The number of racing slots, shown below the array, because only large cells have space for a
  /// mark.
  void races(const SlotArray& array, const Grid& grid) {
    const auto count = std::count_if(array.slots.begin(), array.slots.end(),
                                     [](const Slot& slot) { return slot.hazard; });
    if (count == 0) return;
    const Box box = sheet_.camera.toScreen(grid.box);
    const float below = box.y + box.height + sheet_.textPx * 0.75F;
    const float lowest = sheet_.viewHeight - sheet_.textPx * 0.6F;
    const bool ends = box.y + box.height <= sheet_.viewHeight;  // Its lower edge is visible.
    Label label = sheet_.make(
        "! " + sheet_.counted(count) + (count == 1 ? " slot races" : " slots race"),
        {box.x + box.width / 2, ends ? std::min(below, lowest) : below}, sheet_.textPx * 0.8F,
        textOn(sheet_.palette.warning), Label::Kind::badge, Label::Align::center);
    label.plate = sheet_.palette.warning;
    sheet_.add(std::move(label));
  }

  /// The reason why an array is absent, in the middle of the frame. If it does not fit, it is in
  /// smaller type, or is just "none". If ribbons cross the middle, it is one line at the frame's
  /// lower edge, if it fits.
  void absent(const SlotArray& array, const Grid& grid) {
    const Box box = sheet_.camera.toScreen(grid.box);
    const float smaller = std::max(sheet_.textPx * 0.8F, sheet_.leastPx);
    if (sheet_.model.overview) return absentAtEdge(array.note, box, smaller);
    absentLines(array.note, box, sheet_.textPx) || absentLines(array.note, box, smaller) ||
        absentLines("none", box, smaller);
  }

  void absentAtEdge(const std::string& note, const Box& box, float size) {
    const float width = 1.15F * box.width;
    if (guessedWidth(note, size) > width) return;
    sheet_.add(sheet_.make(note, {box.x + box.width / 2, box.y + box.height - size}, size,
                           sheet_.palette.mutedText, Label::Kind::note));
    sheet_.last().maxWidthPx = width;
    sheet_.last().plate = sheet_.plateColor();
  }

  /// False if the text does not fit.
  bool absentLines(const std::string& note, const Box& box, float size) {
    constexpr float kLine = 1.2F;
    const std::vector<std::string> lines = wrapped(note, size, box.width * 0.9F);
    if (lines.empty() || float(lines.size()) * size * kLine > box.height) return false;
    float y = box.y + box.height / 2 - size * kLine / 2 * float(lines.size() - 1);
    for (const std::string& text : lines) {
      sheet_.add(sheet_.make(text, {box.x + box.width / 2, y}, size, sheet_.palette.mutedText,
                             Label::Kind::note));
      sheet_.last().maxWidthPx = box.width;
      y += size * kLine;
    }
    return true;
  }

  void slot(const SlotArray& array, const Slot& slot, uint32_t r, uint32_t c, const Box& cell) {
    if (sheet_.model.isolated && !slot.followed) return;
    const bool large = cell.width >= sheet_.textPx * 4;
    if (!slot.written) {
      sheet_.line(slotName(array.name, r, c), cell, 0.5F, 0.3F, sheet_.palette.mutedText);
      return;
    }
    const Color fill = valueColor(shadeOf(slot.value, array.low, array.high));
    const Color ink = textOn(fill), soft = mix(ink, fill, 0.25F);
    if (!slot.known) {
      sheet_.line("?", cell, 0.5F, 0.4F, ink);
    } else if (slot.origin.empty()) {
      sheet_.number(slot.value, cell, 0.5F, 0.4F, ink);
    } else if (large) {
      sheet_.line(slotName(array.name, r, c), cell, 0.2F, 0.2F, soft);
      sheet_.line(slot.origin, cell, 0.5F, 0.3F, ink);
      sheet_.number(slot.value, cell, 0.79F, 0.2F, soft);
    } else if (heightFor(slot.origin, cell.width * 0.92F) >= sheet_.leastPx + 1) {
      const bool two = cell.height >= sheet_.leastPx * 2.8F;
      sheet_.line(slot.origin, cell, two ? 0.36F : 0.5F, 0.4F, ink);
      if (two) sheet_.number(slot.value, cell, 0.7F, 0.28F, soft);
    } else {
      twoLines(slot.origin, cell, ink);
    }
  }

  /// "M[2,5]" in a small cell: M above 2,5.
  void twoLines(const std::string& origin, const Box& cell, Color ink) {
    const size_t open = origin.find('[');
    if (open == std::string::npos || origin.back() != ']') {
      sheet_.line(origin, cell, 0.5F, 0.5F, ink);
      return;
    }
    const std::string place = origin.substr(open + 1, origin.size() - open - 2);
    if (sheet_.line(place, cell, 0.7F, 0.42F, ink))
      sheet_.line(origin.substr(0, open), cell, 0.3F, 0.42F, ink);
  }

  /// The value is in the filled or the empty part, whichever is larger, and never across both.
  void thread(const ThreadGrid& grid, const Accumulator& t, const Box& cell) {
    if (t.terms == 0 || t.ofTerms == 0 || (sheet_.model.isolated && !t.followed)) return;
    const float level = std::min(1.0F, float(t.terms) / float(t.ofTerms));
    const bool onFill = level > 0.5F;
    const Color fill = valueColor(shadeOf(t.value, grid.low, grid.high));
    const Color ink = onFill ? textOn(fill) : sheet_.palette.text;
    const float middle = onFill ? 1 - level / 2 : (1 - level) / 2;
    sheet_.number(t.value, cell, middle, 0.42F, ink);
    const float other = onFill ? (1 - level) / 2 : 1 - level / 2;
    if (cell.height * std::min(level, 1 - level) > sheet_.leastPx * 1.5F)
      sheet_.line(sheet_.counted(t.terms) + " of " + std::to_string(t.ofTerms), cell, other, 0.2F,
                  onFill ? sheet_.palette.text : textOn(fill));
  }

  LabelSheet& sheet_;
};

}  // namespace

void labelArray(LabelSheet& sheet, size_t array) {
  ArrayLabels(sheet).array(array);
}

void labelThreads(LabelSheet& sheet, size_t threads) {
  ArrayLabels(sheet).threads(threads);
}

}  // namespace tilestep::gfx
