// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "gfx/labels/label_text.h"
#include "gfx/layer_parts.h"

namespace tilestep::gfx {
namespace {

// Of the text's height.
constexpr float kBadgeCell = 1.9F;  // The least cell that holds a badge.
constexpr float kName = 1.1F;       // The name in a header.
constexpr float kNote = 0.9F;       // What follows it.

struct MemoryWords {
  const char *full, *brief;
};
MemoryWords wordsOf(Memory memory) {
  switch (memory) {
    case Memory::global:
      return {"global memory", "global"};
    case Memory::shared:
      return {"shared memory", "shared"};
    case Memory::registers:
      break;
  }
  return {"registers", "registers"};
}

struct Range {
  uint32_t first = 0, end = 0;
};

/// Collects the labels of one scene at one zoom.
class Labeller {
 public:
  Labeller(const Layers& layers, const Camera& camera, float width, float height)
      : layers_(layers),
        model_(*layers.model),
        palette_(layers.palette),
        camera_(camera),
        width_(width),
        height_(height),
        text_(layers.layout.textHeight),
        least_(layers.layout.leastText) {}

  std::vector<Label> all() {
    for (size_t i = 0; i < model_.panels.size(); ++i) panel(i);
    for (size_t i = 0; i < model_.arrays.size(); ++i) array(i);
    for (size_t i = 0; i < model_.threads.size(); ++i) threads(i);
    for (const MemoryName& name : layers_.layout.memories) memory(name);
    for (const Ribbon& ribbon : model_.ribbons) this->ribbon(ribbon);
    sample();
    titles();
    addPlates();
    return std::move(labels_);
  }

 private:
  Label make(std::string text, Point at, float height, Color color, Label::Kind kind,
             Label::Align align = Label::Align::center) {
    Label label;
    label.text = std::move(text);
    label.at = at;
    label.heightPx = std::max(height, least_);
    label.leastPx = least_;
    label.color = color;
    label.kind = kind;
    label.align = align;
    return label;
  }

  [[nodiscard]] Color plateColor() const { return withAlpha(palette_.background, 0.85F); }

  /// A line must not strike a text through.
  void addPlates() {
    for (size_t i = 0; i < labels_.size(); ++i) {
      Label& label = labels_[i];
      const bool beside = label.kind == Label::Kind::header || label.kind == Label::Kind::note ||
                          label.kind == Label::Kind::index;
      if (!beside || label.plate.a > 0) continue;
      const Box text = guessedBox(i);
      const auto crosses = [&](const LineInstance& line) {
        return meets(text, camera_.toScreen(line.from), camera_.toScreen(line.to), line.widthPx);
      };
      if (std::ranges::any_of(layers_.lines.items, crosses)) label.plate = plateColor();
    }
  }

  [[nodiscard]] Box guessedBox(size_t i) const {
    const Label& label = labels_[i];
    const float width = guessedWidth(label.text, label.heightPx);
    float x = label.at.x;
    if (label.align == Label::Align::center) x -= width / 2;
    if (label.align == Label::Align::right) x -= width;
    if (label.follows && i > 0) {
      const Box before = guessedBox(i - 1);
      x = before.x + before.width + label.heightPx / 2;
    }
    return {x, label.at.y - label.heightPx / 2, width, label.heightPx};
  }

  [[nodiscard]] std::string counted(int64_t count) const {
    return model_.countsCovered ? "?" : std::to_string(count);
  }

  /// "4,096 loads" becomes "? loads", and "wrong result: 12 of 16 elements" "wrong result".
  [[nodiscard]] std::string counted(const std::string& text) const {
    if (!model_.countsCovered) return text;
    const bool begins = !text.empty() && text.front() >= '0' && text.front() <= '9';
    return begins ? "?" + text.substr(std::min(text.find(' '), text.size()))
                  : text.substr(0, text.find(':'));
  }

  void titles() {
    const Point at = layers_.layout.title;
    const float size = text_ * 1.15F;
    const bool fits = camera_ == Camera();
    const Color plate = fits ? Color{0, 0, 0, 0} : plateColor();
    if (!model_.title.empty()) {
      Label title =
          make(model_.title, at, size, palette_.text, Label::Kind::title, Label::Align::left);
      title.plate = plate;
      title.maxWidthPx = std::max(1.0F, width_ - 2 * at.x);
      labels_.push_back(std::move(title));
    }
    if (!model_.warning.empty()) {
      Label warning = make("! " + counted(model_.warning), at, text_ * 0.9F,
                           textOn(palette_.warning), Label::Kind::badge, Label::Align::left);
      warning.plate = palette_.warning;
      warning.follows = !model_.title.empty();
      warning.maxWidthPx = std::max(1.0F, width_ - 2 * at.x);
      labels_.push_back(std::move(warning));
    }
    if (model_.caption.empty()) return;
    Label note = make(model_.caption, {width_ - at.x, at.y}, text_, palette_.mutedText,
                      Label::Kind::note, Label::Align::right);
    note.plate = plate;
    note.maxWidthPx = std::max(1.0F, width_ - 2 * at.x);
    labels_.push_back(std::move(note));
  }

  /// What follows a name in a header.
  struct Note {
    std::string text, shorter;
    float most = 0;  ///< The greatest width of the whole header.
  };

  [[nodiscard]] Note noteOf(const Grid& grid, const std::string& size,
                            const std::string& more) const {
    // When zoomed out, grids are closer together than the room planned for their headers.
    const float most =
        std::max(camera_.toScreen(grid.box).width, text_ * 7 * std::min(1.0F, camera_.zoom()));
    if (more.empty()) return {size, "", most};
    return {size + " \u00b7 " + more, size, most};
  }

  /// The note of an array or a thread grid. It names the memory if that has no line of its own, and
  /// keeps that name rather than the size.
  [[nodiscard]] Note noteOf(const Grid& grid, const std::string& name, const std::string& size,
                            const std::string& more, Memory memory) const {
    if (layers_.layout.memoryLines) return noteOf(grid, size, more);
    const std::string word = wordsOf(memory).brief;
    const float room = toNeighbour(grid, camera_.toScreen(grid.box).x) - text_ * 0.4F;
    const float needed =
        guessedWidth(name, text_ * kName) + guessedWidth(word, text_ * kNote) + text_ * kNote / 2;
    return {size + " \u00b7 " + word, needed <= room ? word : size, width_};
  }

  /// Name and note above a grid. When zoomed in, they stay at the viewport's edge, so that it is
  /// always clear what is shown.
  void header(const Grid& grid, const std::string& name, const Note& note, bool indices) {
    const Box box = camera_.toScreen(grid.box);
    if (box.x > width_ || box.y > height_ + text_ || box.x + box.width < 0 ||
        box.y + box.height < 0)
      return;
    const Point place = headerPlace(grid, box, indices);
    const bool compact = layers_.layout.compact;
    const Point at{std::max(place.x, text_ * (compact ? 0.3F : 0.6F)),
                   std::max(place.y, text_ * (compact ? 0.7F : 3.0F))};
    const bool floating = at.y > place.y + 0.5F || at.x > place.x + 0.5F;
    const bool beside = grid.headerHeight <= 0;  // Where a ribbon may pass.
    const Color plate = floating || beside ? plateColor() : Color{0, 0, 0, 0};
    const float room = toNeighbour(grid, at.x) - text_ * 0.4F;
    Label strong =
        make(name, at, text_ * kName, palette_.text, Label::Kind::header, Label::Align::left);
    strong.plate = plate;
    strong.maxWidthPx = std::max(1.0F, room);
    labels_.push_back(std::move(strong));
    if (beside) return;
    Label small = make(note.text, at, text_ * kNote, palette_.mutedText, Label::Kind::note,
                       Label::Align::left);
    small.shorter = note.shorter;
    small.plate = plate;
    small.follows = true;
    small.maxWidthPx = std::max(1.0F, std::min(note.most, room));
    labels_.push_back(std::move(small));
  }

  void memory(const MemoryName& name) {
    const MemoryWords words = wordsOf(name.memory);
    labels_.push_back(make(words.full, camera_.toScreen(name.at), text_ * 0.85F, palette_.mutedText,
                           Label::Kind::note, Label::Align::left));
    labels_.back().shorter = words.brief;
    labels_.back().maxWidthPx = std::max(1.0F, name.width * camera_.zoom());
  }

  /// Where a grid's name begins: above it, or to the right of a grid without a header of its own.
  [[nodiscard]] Point headerPlace(const Grid& grid, const Box& box, bool indices) const {
    if (grid.headerHeight <= 0) return {box.x + box.width + 0.35F * text_, box.y + 0.55F * text_};
    if (layers_.layout.compact) return {box.x, box.y - 0.7F * text_};
    return {box.x, box.y - text_ * (indices && cellPx(grid) > 0 ? 1.95F : 0.85F)};
  }

  /// The distance from a position in a grid's header to the next grid to the right that overlaps it
  /// vertically.
  [[nodiscard]] float toNeighbour(const Grid& grid, float from) const {
    const float top = grid.box.y - grid.headerHeight, bottom = grid.box.y;
    float least = width_ - from;
    const Layout& layout = layers_.layout;
    for (const auto* grids : {&layout.panels, &layout.arrays, &layout.threads})
      for (const Grid& other : *grids) {
        const bool asHigh =
            other.box.y - other.headerHeight < bottom && other.box.y + other.box.height > top;
        if (asHigh && other.box.x > grid.box.x)
          least = std::min(least, camera_.toScreen(other.box).x - from);
      }
    return least;
  }

  [[nodiscard]] float cellPx(const Grid& grid) const { return grid.cell * camera_.zoom(); }

  [[nodiscard]] Range visible(float start, float cell, uint32_t count, float extent) const {
    const float first = std::floor(-start / cell), end = std::ceil((extent - start) / cell);
    return {uint32_t(std::clamp(first, 0.0F, float(count))),
            uint32_t(std::clamp(end, 0.0F, float(count)))};
  }

  /// 1, 2, 5, 10, 20 …, so that ticks are at least `room` apart; if `binary`, powers of two: 16,
  /// 32, 64 …
  static uint32_t tickStep(float cell, float room, bool binary) {
    uint64_t step = 1;
    for (int i = 0; float(step) * cell < room && step < (1U << 30); ++i)
      step = binary ? step * 2 : (i % 3 == 1 ? step * 5 / 2 : step * 2);
    return uint32_t(step);
  }

  void indices(const Grid& grid, uint32_t rows, uint32_t columns, bool left, bool top) {
    constexpr float kRoomByZoom = 1.5F;  // Grids that are this far apart leave room in any layout.
    if (layers_.layout.compact && camera_.zoom() < kRoomByZoom) return;
    const Box box = camera_.toScreen(grid.box);
    const float cell = cellPx(grid);
    const float size = std::max(least_, std::clamp(cell * 0.55F, text_ * 0.68F, text_ * 0.85F));
    const bool binary = std::max(rows, columns) > 32 && std::max(rows, columns) % 32 == 0;
    if (left) {
      const Range r = visible(box.y, cell, rows, height_);
      const uint32_t step = tickStep(cell, size * 1.15F, binary);
      for (uint32_t i = (r.first + step - 1) / step * step; i < r.end; i += step)
        labels_.push_back(make(std::to_string(i),
                               {box.x - text_ * 0.65F, box.y + (float(i) + 0.5F) * cell}, size,
                               palette_.mutedText, Label::Kind::index, Label::Align::right));
    }
    if (top) {
      const Range r = visible(box.x, cell, columns, width_);
      const uint32_t step =
          tickStep(cell, guessedWidth(std::to_string(columns), size) + size * 0.5F, binary);
      for (uint32_t i = (r.first + step - 1) / step * step; i < r.end; i += step)
        labels_.push_back(make(std::to_string(i),
                               {box.x + (float(i) + 0.5F) * cell, box.y - text_ * 0.85F}, size,
                               palette_.mutedText, Label::Kind::index));
    }
  }

  template <class Draw>
  void eachVisible(const Grid& grid, uint32_t rows, uint32_t columns, Draw draw) {
    const Box box = camera_.toScreen(grid.box);
    const float cell = cellPx(grid);
    const Range rowRange = visible(box.y, cell, rows, height_);
    const Range columnRange = visible(box.x, cell, columns, width_);
    for (uint32_t r = rowRange.first; r < rowRange.end; ++r)
      for (uint32_t c = columnRange.first; c < columnRange.end; ++c)
        draw(r, c, Box{box.x + float(c) * cell, box.y + float(r) * cell, cell, cell});
  }

  /// Adds one line of text to a cell at a share of its height; false if it would be unreadable.
  /// Texts shorter than `atLeast` characters get the size of one with that many, so that all are
  /// equally high.
  bool line(const std::string& text, const Box& cell, float atShare, float share, Color color,
            size_t atLeast = 0) {
    const std::string longest = characters(text) < atLeast ? std::string(atLeast, '0') : text;
    const float size =
        std::min({heightFor(longest, cell.width * 0.92F), cell.height * share, text_ * 1.05F});
    if (size < least_ || text.empty()) return false;
    labels_.push_back(make(text, {cell.x + cell.width / 2, cell.y + cell.height * atShare}, size,
                           color, Label::Kind::cell));
    labels_.back().maxWidthPx = cell.width;
    return true;
  }

  /// Adds a value, with fewer digits where the cell is narrow.
  void number(float value, const Box& cell, float atShare, float share, Color color) {
    if (!line(shortText(value), cell, atShare, share, color, 5))
      line(shorterText(value), cell, atShare, share, color, 4);
  }

  // --- matrices -----------------------------------------------------------------------------

  static bool inFocus(const MatrixQuad& quad, uint32_t row, uint32_t column) {
    return std::any_of(quad.focus.begin(), quad.focus.end(), [&](const CellRect& f) {
      return row >= f.row && row - f.row < f.rows && column >= f.column &&
             column - f.column < f.columns;
    });
  }

  void panel(size_t i) {
    const MatrixPanel& panel = model_.panels[i];
    const Grid& grid = layers_.layout.panels[i];
    const bool ofL = panel.role == PanelRole::product && grid.headerHeight < text_ * 2;
    const bool left = panel.role != PanelRole::top && !ofL;
    const bool top = panel.role != PanelRole::left && !ofL;
    indices(grid, panel.rows, panel.columns, left, top);
    if (cellPx(grid) >= 24 && !model_.overview) cells(panel, layers_.matrices[i], grid);
    badges(panel, grid);
    warnings(panel, grid);
    absentPart(panel, grid);
    header(grid, panel.name, noteOf(grid, dimensions(panel.rows, panel.columns), panel.note), top);
  }

  static bool hasBadge(const MatrixPanel& panel, uint32_t row, uint32_t column) {
    return std::any_of(panel.cells.begin(), panel.cells.end(), [&](const CellMark& m) {
      return m.row == row && m.column == column && m.readers > 0 && m.mark == Mark::now;
    });
  }

  void cells(const MatrixPanel& panel, const MatrixQuad& quad, const Grid& grid) {
    const bool large = cellPx(grid) >= text_ * 3.1F;
    eachVisible(grid, panel.rows, panel.columns, [&](uint32_t r, uint32_t c, const Box& cell) {
      const bool focused = inFocus(quad, r, c);
      if (!focused && !large) return;
      const std::optional<float> value = valueAt(panel, r, c);
      const bool written = value && !std::isnan(*value);
      Color fill = written ? valueColor(shadeOf(*value, panel.low, panel.high)) : palette_.surface;
      if (written && !focused) fill = mix(palette_.surface, fill, quad.dim);
      const Color ink = textOn(fill);
      if (!large) {
        const float middle = hasBadge(panel, r, c) ? 0.66F : 0.5F;
        if (written) number(*value, cell, middle, 0.4F, ink);
        return;
      }
      line(elementName(panel.name, r, c), cell, written ? 0.34F : 0.5F, 0.3F, ink);
      if (written) number(*value, cell, 0.68F, 0.26F, mix(ink, fill, 0.25F));
    });
  }

  /// The reason for the hatching, in the middle of the matrix's visible part.
  void absentPart(const MatrixPanel& panel, const Grid& grid) {
    const std::string word = panel.absent.substr(0, panel.absent.find(':'));
    if (word.empty() || panel.picture) return;
    const Box box = camera_.toScreen(grid.box);
    const float left = std::max(box.x, 0.0F), right = std::min(box.x + box.width, width_);
    const float top = std::max(box.y, 0.0F), bottom = std::min(box.y + box.height, height_);
    const float size = text_ * 0.85F;
    if (right - left < guessedWidth(word, size) + text_ || bottom - top < 3 * text_) return;
    const CellRect& area = panel.detail.area;
    const Box known{box.x + float(area.column) * cellPx(grid) - guessedWidth(word, size) / 2,
                    box.y + float(area.row) * cellPx(grid) - text_,
                    float(area.columns) * cellPx(grid) + guessedWidth(word, size),
                    float(area.rows) * cellPx(grid) + 2 * text_};
    const Point middle{(left + right) / 2, (top + bottom) / 2};
    // Above or below the known part, if that is in the middle.
    for (const float share : {0.5F, 0.88F, 0.12F}) {
      const Point at{middle.x, top + (bottom - top) * share};
      if (panel.detail.picture && known.contains(at)) continue;
      Label label = make(word, at, size, palette_.mutedText, Label::Kind::note);
      label.plate = plateColor();
      labels_.push_back(std::move(label));
      return;
    }
  }

  /// How many threads touch an element in this step: in each cell where there is room; otherwise,
  /// if all numbers are equal, once next to the last cell.
  void badges(const MatrixPanel& panel, const Grid& grid) {
    const CellMark* last = nullptr;
    bool same = true;
    for (const CellMark& m : panel.cells) {
      if (m.readers == 0 || m.mark != Mark::now) continue;
      same = same && (last == nullptr || last->readers == m.readers);
      last = &m;
      if (cellPx(grid) >= kBadgeCell * text_) badge(m, grid, text_ * 0.72F);
    }
    if (last != nullptr && same && cellPx(grid) < kBadgeCell * text_)
      badge(*last, grid, text_ * 0.8F);
  }

  /// A sign on a wrong value, so that it does not depend on colour alone; smaller in smaller cells.
  void warning(const Box& cell) {
    const float size = std::min(text_ * 0.75F, cell.height * 0.42F);
    if (size < least_) return;
    Label label = make("!", {cell.x + cell.width - size * 0.35F, cell.y + size * 0.62F}, size,
                       textOn(palette_.warning), Label::Kind::badge, Label::Align::right);
    label.plate = palette_.warning;
    labels_.push_back(std::move(label));
  }

  /// In each cell where there is room; otherwise once, with their number, next to the last cell.
  void warnings(const MatrixPanel& panel, const Grid& grid) {
    const auto isWrong = [](const CellMark& m) { return m.mark == Mark::wrong; };
    const auto wrong = std::count_if(panel.cells.begin(), panel.cells.end(), isWrong);
    if (wrong > 0 && cellPx(grid) * 0.42F < least_) {
      const auto last = std::find_if(panel.cells.rbegin(), panel.cells.rend(), isWrong);
      const Box cell = camera_.toScreen(grid.cellBox(last->row, last->column));
      Label label =
          make("! " + counted(wrong) + " wrong",
               {cell.x + cell.width + text_ * 0.7F, cell.y + cell.height / 2}, text_ * 0.8F,
               textOn(palette_.warning), Label::Kind::badge, Label::Align::left);
      label.plate = palette_.warning;
      labels_.push_back(std::move(label));
      return;
    }
    for (const CellMark& m : panel.cells) {
      if (m.mark != Mark::wrong) continue;
      const Box cell = camera_.toScreen(grid.cellBox(m.row, m.column));
      if (cell.x < width_ && cell.y < height_ && cell.x + cell.width > 0 &&
          cell.y + cell.height > 0)
        warning(cell);
    }
  }

  void badge(const CellMark& mark, const Grid& grid, float size) {
    const Box cell = camera_.toScreen(grid.cellBox(mark.row, mark.column));
    if (cell.x > width_ || cell.y > height_ || cell.x + cell.width < 0 || cell.y + cell.height < 0)
      return;
    const bool inside = cell.width >= kBadgeCell * text_;
    const Point at = inside ? Point{cell.x + cell.width - size * 0.35F, cell.y + size * 0.62F}
                            : Point{cell.x + cell.width + size * 0.7F, cell.y + cell.height / 2};
    Label label = make(counted(mark.readers) + "\u00d7", at, size, palette_.accentText,
                       Label::Kind::badge, inside ? Label::Align::right : Label::Align::left);
    label.plate = palette_.accent;
    const float half = label.heightPx / 2;
    label.at.y = std::clamp(label.at.y, half, std::max(half, height_ - half));
    labels_.push_back(std::move(label));
  }

  // --- ribbons and the sample -----------------------------------------------------------------

  /// On a wide ribbon; above or to the right of a narrow one, which it would hide.
  void ribbon(const Ribbon& ribbon) {
    const auto place = ribbonPlace(layers_.layout, ribbon);
    if (!place || ribbon.label.empty()) return;
    const Point a = camera_.toScreen(place->from), b = camera_.toScreen(place->to);
    const float share = place->start ? 0.65F : 0.5F;  // Names are near the bend.
    Label label =
        make(counted(ribbon.label), {a.x + (b.x - a.x) * share, a.y + (b.y - a.y) * share},
             text_ * 0.9F, palette_.text, Label::Kind::badge);
    label.plate = plateColor();
    const float aside = place->width / 2 + 0.6F * text_;
    const bool narrow = place->width < 1.6F * text_;
    if (narrow && std::fabs(b.x - a.x) > std::fabs(b.y - a.y)) label.at.y -= aside + 0.3F * text_;
    if (narrow && std::fabs(b.x - a.x) <= std::fabs(b.y - a.y)) {
      label.at.x += aside;
      label.align = Label::Align::left;
    }
    labels_.push_back(std::move(label));
  }

  void sample() {
    const auto places = samplePlaces(model_, layers_.layout);
    if (!places) return;
    Point at = camera_.toScreen(places->caption);
    const float size = std::max(text_ * 0.85F * std::min(1.0F, camera_.zoom()), least_);
    for (const std::string& text : {model_.sample->caption, model_.sample->unit}) {
      labels_.push_back(
          make(text, at, size, palette_.mutedText, Label::Kind::note, Label::Align::left));
      labels_.back().maxWidthPx = std::max(1.0F, layers_.layout.corner.width * camera_.zoom());
      at.y += size * 1.25F;
    }
  }

  // --- shared arrays and accumulators ---------------------------------------------------------

  void array(size_t i) {
    const SlotArray& array = model_.arrays[i];
    const Grid& grid = layers_.layout.arrays[i];
    if (array.absent) return absent(array, grid);
    indices(grid, array.rows, array.columns, true, true);
    const std::string size = dimensions(array.rows, array.columns);
    header(grid, array.name, noteOf(grid, array.name, size, "", Memory::shared), true);
    races(array, grid);
    if (cellPx(grid) < 20 || model_.overview) return;
    eachVisible(grid, array.rows, array.columns, [&](uint32_t r, uint32_t c, const Box& cell) {
      const size_t at = size_t{r} * array.columns + c;
      if (at >= array.slots.size()) return;
      slot(array, array.slots[at], r, c, cell);
      if (array.slots[at].hazard) warning(cell);
    });
  }

  /// The number of racing slots, below the array, because only large cells have room for a sign.
  void races(const SlotArray& array, const Grid& grid) {
    const auto count = std::count_if(array.slots.begin(), array.slots.end(),
                                     [](const Slot& slot) { return slot.hazard; });
    if (count == 0) return;
    const Box box = camera_.toScreen(grid.box);
    Label label = make("! " + counted(count) + (count == 1 ? " slot races" : " slots race"),
                       {box.x + box.width / 2, box.y + box.height + text_ * 0.75F}, text_ * 0.8F,
                       textOn(palette_.warning), Label::Kind::badge, Label::Align::center);
    label.plate = palette_.warning;
    labels_.push_back(std::move(label));
  }

  /// The reason in the middle of the frame, in smaller type if only that fits; otherwise "none".
  /// Where ribbons pass, in one line at the frame's lower edge, if that fits.
  void absent(const SlotArray& array, const Grid& grid) {
    const Box box = camera_.toScreen(grid.box);
    const float smaller = std::max(text_ * 0.8F, least_);
    if (model_.overview) return absentAtEdge(array.note, box, smaller);
    absentLines(array.note, box, text_) || absentLines(array.note, box, smaller) ||
        absentLines("none", box, smaller);
  }

  void absentAtEdge(const std::string& note, const Box& box, float size) {
    const float width = 1.15F * box.width;
    if (guessedWidth(note, size) > width) return;
    labels_.push_back(make(note, {box.x + box.width / 2, box.y + box.height - size}, size,
                           palette_.mutedText, Label::Kind::note));
    labels_.back().maxWidthPx = width;
    labels_.back().plate = plateColor();
  }

  /// False where the text does not fit.
  bool absentLines(const std::string& note, const Box& box, float size) {
    constexpr float kLine = 1.2F;
    const std::vector<std::string> lines = wrapped(note, size, box.width * 0.9F);
    if (lines.empty() || float(lines.size()) * size * kLine > box.height) return false;
    float y = box.y + box.height / 2 - size * kLine / 2 * float(lines.size() - 1);
    for (const std::string& text : lines) {
      labels_.push_back(
          make(text, {box.x + box.width / 2, y}, size, palette_.mutedText, Label::Kind::note));
      labels_.back().maxWidthPx = box.width;
      y += size * kLine;
    }
    return true;
  }

  void slot(const SlotArray& array, const Slot& slot, uint32_t r, uint32_t c, const Box& cell) {
    if (model_.isolated && !slot.followed) return;
    const bool large = cell.width >= text_ * 4;
    if (!slot.written) {
      line(slotName(array.name, r, c), cell, 0.5F, 0.3F, palette_.mutedText);
      return;
    }
    const Color fill = valueColor(shadeOf(slot.value, array.low, array.high));
    const Color ink = textOn(fill), soft = mix(ink, fill, 0.25F);
    if (slot.origin.empty()) {
      number(slot.value, cell, 0.5F, 0.4F, ink);
    } else if (large) {
      line(slotName(array.name, r, c), cell, 0.2F, 0.2F, soft);
      line(slot.origin, cell, 0.5F, 0.3F, ink);
      number(slot.value, cell, 0.79F, 0.2F, soft);
    } else if (heightFor(slot.origin, cell.width * 0.92F) >= least_ + 1) {
      const bool two = cell.height >= least_ * 2.8F;
      line(slot.origin, cell, two ? 0.36F : 0.5F, 0.4F, ink);
      if (two) number(slot.value, cell, 0.7F, 0.28F, soft);
    } else {
      twoLines(slot.origin, cell, ink);
    }
  }

  /// "M[2,5]" in a small cell: M above 2,5.
  void twoLines(const std::string& origin, const Box& cell, Color ink) {
    const size_t open = origin.find('[');
    if (open == std::string::npos || origin.back() != ']') {
      line(origin, cell, 0.5F, 0.5F, ink);
      return;
    }
    const std::string place = origin.substr(open + 1, origin.size() - open - 2);
    if (line(place, cell, 0.7F, 0.42F, ink)) line(origin.substr(0, open), cell, 0.3F, 0.42F, ink);
  }

  void threads(size_t i) {
    const ThreadGrid& threads = model_.threads[i];
    const Grid& grid = layers_.layout.threads[i];
    indices(grid, threads.rows, threads.columns, true, true);
    const std::string size = dimensions(threads.rows, threads.columns);
    header(grid, threads.name, noteOf(grid, threads.name, size, threads.note, Memory::registers),
           true);
    if (cellPx(grid) < 20 || model_.overview) return;
    eachVisible(grid, threads.rows, threads.columns, [&](uint32_t r, uint32_t c, const Box& cell) {
      const size_t at = size_t{r} * threads.columns + c;
      if (at < threads.threads.size()) thread(threads, threads.threads[at], cell);
    });
  }

  /// The value is in the filled or in the empty part, whichever is larger, never across both.
  void thread(const ThreadGrid& grid, const Accumulator& t, const Box& cell) {
    if (t.terms == 0 || t.ofTerms == 0 || (model_.isolated && !t.followed)) return;
    const float level = std::min(1.0F, float(t.terms) / float(t.ofTerms));
    const bool onFill = level > 0.5F;
    const Color fill = valueColor(shadeOf(t.value, grid.low, grid.high));
    const Color ink = onFill ? textOn(fill) : palette_.text;
    const float middle = onFill ? 1 - level / 2 : (1 - level) / 2;
    number(t.value, cell, middle, 0.42F, ink);
    const float other = onFill ? (1 - level) / 2 : 1 - level / 2;
    if (cell.height * std::min(level, 1 - level) > least_ * 1.5F)
      line(counted(t.terms) + " of " + std::to_string(t.ofTerms), cell, other, 0.2F,
           onFill ? palette_.text : textOn(fill));
  }

  const Layers& layers_;
  const SceneModel& model_;
  const Palette& palette_;
  const Camera& camera_;
  float width_, height_, text_, least_;
  std::vector<Label> labels_;
};

}  // namespace

std::vector<Label> labelsOf(const Layers& layers, const Camera& camera, float width, float height) {
  if (!layers.model || width <= 0 || height <= 0) return {};
  return Labeller(layers, camera, width, height).all();
}

}  // namespace tilestep::gfx
