// SPDX-License-Identifier: Apache-2.0
#include "gfx/labels/label_sheet.h"

namespace tilestep::gfx {
namespace {

// Text sizes, as fractions of the usual text height.
constexpr float kName = 1.1F;      // The name in a header.
constexpr float kNote = 0.9F;      // The note after it.
constexpr float kCompact = 0.88F;  // Factor for name and note in a compact layout.

/// "32×32" for "32 × 32", if there is little space.
std::string tight(std::string size) {
  std::erase(size, ' ');
  return size;
}

/// The step between ticks so that they are at least `room` apart: 1, 2, 5, 10, 20 …; if `binary`, a
/// power of two: 16, 32, 64 …
uint32_t tickStep(float cell, float room, bool binary) {
  uint64_t step = 1;
  for (int i = 0; float(step) * cell < room && step < (1U << 30); ++i)
    step = binary ? step * 2 : (i % 3 == 1 ? step * 5 / 2 : step * 2);
  return uint32_t(step);
}

}  // namespace

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

LabelSheet::LabelSheet(const Layers& of, const Camera& by, float width, float height)
    : layers(of),
      model(*of.model),
      palette(of.palette),
      camera(by),
      viewWidth(width),
      viewHeight(height),
      textPx(of.layout.textHeight),
      leastPx(of.layout.leastText) {}

std::vector<Label> LabelSheet::take() && {
  addPlates();
  return std::move(labels_);
}

Label LabelSheet::make(std::string text, Point at, float height, Color color, Label::Kind kind,
                       Label::Align align) const {
  Label label;
  label.text = std::move(text);
  label.at = at;
  label.heightPx = std::max(height, leastPx);
  label.leastPx = leastPx;
  label.color = color;
  label.kind = kind;
  label.align = align;
  return label;
}

void LabelSheet::addPlates() {
  for (size_t i = 0; i < labels_.size(); ++i) {
    Label& label = labels_[i];
    const bool beside = label.kind == Label::Kind::header || label.kind == Label::Kind::note ||
                        label.kind == Label::Kind::index;
    if (!beside || label.plate.a > 0) continue;
    const Box text = guessedBox(i);
    const auto crosses = [&](const LineInstance& line) {
      return meets(text, camera.toScreen(line.from), camera.toScreen(line.to), line.widthPx);
    };
    if (std::ranges::any_of(layers.lines.items, crosses)) label.plate = plateColor();
  }
}

Box LabelSheet::guessedBox(size_t i) const {
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

std::string LabelSheet::counted(int64_t count) const {
  return model.countsCovered ? "?" : std::to_string(count);
}

std::string LabelSheet::counted(const std::string& text) const {
  if (!model.countsCovered) return text;
  const bool begins = !text.empty() && text.front() >= '0' && text.front() <= '9';
  return begins ? "?" + text.substr(std::min(text.find(' '), text.size()))
                : text.substr(0, text.find(':'));
}

HeaderNote LabelSheet::noteOf(const Grid& grid, const std::string& size,
                              const std::string& more) const {
  // When zoomed out, grids are closer together than their headers require.
  const float most =
      std::max(camera.toScreen(grid.box).width, textPx * 7 * std::min(1.0F, camera.zoom()));
  if (more.empty()) return {size, tight(size), most};
  return {size + " \u00b7 " + more, size, most};
}

HeaderNote LabelSheet::noteOf(const Grid& grid, const std::string& name, const std::string& size,
                              const std::string& more, Memory memory) const {
  if (layers.layout.memoryLines) return noteOf(grid, size, more);
  const std::string word = wordsOf(memory).brief;
  const float room = toNeighbour(grid, camera.toScreen(grid.box).x) - textPx * 0.4F;
  const float needed =
      guessedWidth(name, textPx * kName) + guessedWidth(word, textPx * kNote) + textPx * kNote / 2;
  return {size + " \u00b7 " + word, needed <= room ? word : size, viewWidth};
}

void LabelSheet::header(const Grid& grid, const std::string& name, const HeaderNote& note,
                        bool indices) {
  const Box box = camera.toScreen(grid.box);
  if (box.x > viewWidth || box.y > viewHeight + textPx || box.x + box.width < 0 ||
      box.y + box.height < 0)
    return;
  const Point place = headerPlace(grid, box, indices);
  const bool compact = layers.layout.compact;
  const Point at{std::max(place.x, textPx * (compact ? 0.3F : 0.6F)),
                 std::max(place.y, textPx * (compact ? 0.7F : 3.0F))};
  const bool floating = at.y > place.y + 0.5F || at.x > place.x + 0.5F;
  const Color plate = floating ? plateColor() : Color{0, 0, 0, 0};
  const float room = toNeighbour(grid, at.x) - textPx * 0.4F;
  const float size = textPx * (compact ? kCompact : 1);
  Label strong =
      make(name, at, size * kName, palette.text, Label::Kind::header, Label::Align::left);
  strong.plate = plate;
  strong.maxWidthPx = std::max(1.0F, room);
  labels_.push_back(std::move(strong));
  Label small =
      make(note.text, at, size * kNote, palette.mutedText, Label::Kind::note, Label::Align::left);
  small.shorter = note.shorter;
  small.plate = plate;
  small.follows = true;
  small.maxWidthPx = std::max(1.0F, std::min(note.most, room));
  labels_.push_back(std::move(small));
  if (note.badge.empty()) return;
  Label badge = make(note.badge, at, textPx * 0.8F, palette.accentText, Label::Kind::note,
                     Label::Align::left);
  badge.plate = palette.accent;
  badge.follows = true;
  labels_.push_back(std::move(badge));
}

bool LabelSheet::hasRoomInHeader(const Grid& grid, const std::string& name, const HeaderNote& note,
                                 const std::string& badge) const {
  const float needed = guessedWidth(name, textPx * kName) +
                       guessedWidth(note.text, textPx * kNote) +
                       guessedWidth(badge, textPx * 0.8F) + 1.5F * textPx;
  return needed <= toNeighbour(grid, camera.toScreen(grid.box).x);
}

/// The position of a grid's name above the grid.
Point LabelSheet::headerPlace(const Grid& grid, const Box& box, bool indices) const {
  if (layers.layout.compact) return {box.x, box.y - 0.7F * textPx};
  return {box.x, box.y - textPx * (indices && cellPx(grid) > 0 ? 1.95F : 0.85F)};
}

/// The distance from a position in a grid's header to the next grid to the right that overlaps it
/// vertically.
float LabelSheet::toNeighbour(const Grid& grid, float from) const {
  const float top = grid.box.y - grid.headerHeight, bottom = grid.box.y;
  float least = viewWidth - from;
  const Layout& layout = layers.layout;
  for (const auto* grids : {&layout.panels, &layout.arrays, &layout.threads})
    for (const Grid& other : *grids) {
      const bool asHigh =
          other.box.y - other.headerHeight < bottom && other.box.y + other.box.height > top;
      if (asHigh && other.box.x > grid.box.x)
        least = std::min(least, camera.toScreen(other.box).x - from);
    }
  return least;
}

Range LabelSheet::visible(float start, float cell, uint32_t count, float extent) const {
  const float first = std::floor(-start / cell), end = std::ceil((extent - start) / cell);
  return {uint32_t(std::clamp(first, 0.0F, float(count))),
          uint32_t(std::clamp(end, 0.0F, float(count)))};
}

void LabelSheet::indices(const Grid& grid, uint32_t rows, uint32_t columns, bool left, bool top) {
  constexpr float kRoomByZoom = 1.5F;  // Grids at this distance have enough space in any layout.
  if (layers.layout.compact && camera.zoom() < kRoomByZoom) return;
  const Box box = camera.toScreen(grid.box);
  const float cell = cellPx(grid);
  const float size = std::max(leastPx, std::clamp(cell * 0.55F, textPx * 0.68F, textPx * 0.85F));
  const bool binary = std::max(rows, columns) > 32 && std::max(rows, columns) % 32 == 0;
  if (left) {
    const Range r = visible(box.y, cell, rows, viewHeight);
    const uint32_t step = tickStep(cell, size * 1.15F, binary);
    for (uint32_t i = (r.first + step - 1) / step * step; i < r.end; i += step)
      labels_.push_back(make(std::to_string(i),
                             {box.x - textPx * 0.65F, box.y + (float(i) + 0.5F) * cell}, size,
                             palette.mutedText, Label::Kind::index, Label::Align::right));
  }
  if (top) {
    const Range r = visible(box.x, cell, columns, viewWidth);
    const uint32_t step =
        tickStep(cell, guessedWidth(std::to_string(columns), size) + size * 0.5F, binary);
    for (uint32_t i = (r.first + step - 1) / step * step; i < r.end; i += step)
      labels_.push_back(make(std::to_string(i),
                             {box.x + (float(i) + 0.5F) * cell, box.y - textPx * 0.85F}, size,
                             palette.mutedText, Label::Kind::index));
  }
}

bool LabelSheet::line(const std::string& text, const Box& cell, float atShare, float share,
                      Color color, size_t atLeast) {
  const std::string longest = characters(text) < atLeast ? std::string(atLeast, '0') : text;
  const float size =
      std::min({heightFor(longest, cell.width * 0.92F), cell.height * share, textPx * 1.05F});
  if (size < leastPx || text.empty()) return false;
  labels_.push_back(make(text, {cell.x + cell.width / 2, cell.y + cell.height * atShare}, size,
                         color, Label::Kind::cell));
  labels_.back().maxWidthPx = cell.width;
  return true;
}

void LabelSheet::number(float value, const Box& cell, float atShare, float share, Color color) {
  if (!line(shortText(value), cell, atShare, share, color, 5))
    line(shorterText(value), cell, atShare, share, color, 4);
}

void LabelSheet::warning(const Box& cell) {
  const float size = std::min(textPx * 0.75F, cell.height * 0.42F);
  if (size < leastPx) return;
  Label label = make("!", {cell.x + cell.width - size * 0.35F, cell.y + size * 0.62F}, size,
                     textOn(palette.warning), Label::Kind::badge, Label::Align::right);
  label.plate = palette.warning;
  labels_.push_back(std::move(label));
}

}  // namespace tilestep::gfx
