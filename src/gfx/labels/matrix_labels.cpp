// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <optional>
#include <string>

#include "gfx/labels/label_sheet.h"

namespace tilestep::gfx {
namespace {

// The smallest cell with enough space for a badge, as a multiple of the text's height.
constexpr float kBadgeCell = 1.9F;

class MatrixLabels {
 public:
  explicit MatrixLabels(LabelSheet& sheet) : sheet_(sheet) {}

  void panel(size_t i) {
    const MatrixPanel& panel = sheet_.model.panels[i];
    const Grid& grid = sheet_.layers.layout.panels[i];
    const bool ofL = panel.role == PanelRole::product && grid.headerHeight < sheet_.textPx * 2;
    const bool left = panel.role != PanelRole::top && !ofL;
    const bool top = panel.role != PanelRole::left && !ofL;
    sheet_.indices(grid, panel.rows, panel.columns, left, top);
    if (sheet_.cellPx(grid) >= 24 && !sheet_.model.overview)
      cells(panel, sheet_.layers.matrices[i], grid);
    warnings(panel, grid);
    absentPart(panel, grid);
    HeaderNote note = sheet_.noteOf(grid, dimensions(panel.rows, panel.columns), panel.note);
    if (const std::optional<uint32_t> loads = commonLoads(panel); !loads) {
      badges(panel, grid);
    } else if (const std::string text = timesText(*loads);
               sheet_.hasRoomInHeader(grid, panel.name, note, text)) {
      note.badge = text;
    } else {
      badge(lastLoaded(panel), grid, sheet_.textPx * 0.8F);
    }
    sheet_.header(grid, panel.name, note, top);
  }

 private:
  static bool inFocus(const MatrixQuad& quad, uint32_t row, uint32_t column) {
    return std::any_of(quad.focus.begin(), quad.focus.end(), [&](const CellRect& f) {
      return row >= f.row && row - f.row < f.rows && column >= f.column &&
             column - f.column < f.columns;
    });
  }

  static bool hasBadge(const MatrixPanel& panel, uint32_t row, uint32_t column) {
    return std::any_of(panel.cells.begin(), panel.cells.end(), [&](const CellMark& m) {
      return m.row == row && m.column == column && m.loads > 0 && m.mark == Mark::now;
    });
  }

  void cells(const MatrixPanel& panel, const MatrixQuad& quad, const Grid& grid) {
    const bool large = sheet_.cellPx(grid) >= sheet_.textPx * 3.1F;
    const bool small = panel.rows <= 4 && panel.columns <= 4;
    const bool hasBadges = !commonLoads(panel);
    sheet_.eachVisible(
        grid, panel.rows, panel.columns, [&](uint32_t r, uint32_t c, const Box& cell) {
          const bool focused = inFocus(quad, r, c);
          if (!focused && !small && !large) return;
          const std::optional<float> value = valueAt(panel, r, c);
          const bool written = value && !std::isnan(*value);
          Color fill =
              written ? valueColor(shadeOf(*value, panel.low, panel.high)) : sheet_.palette.surface;
          if (written && !focused) fill = mix(sheet_.palette.surface, fill, quad.dim);
          const Color ink = textOn(fill);
          if (!large) {
            const float middle = hasBadges && hasBadge(panel, r, c) ? 0.66F : 0.5F;
            if (written) sheet_.number(*value, cell, middle, 0.4F, ink);
            return;
          }
          sheet_.line(elementName(panel.name, r, c), cell, written ? 0.34F : 0.5F, 0.3F, ink);
          if (written) sheet_.number(*value, cell, 0.68F, 0.26F, mix(ink, fill, 0.25F));
        });
  }

  /// The reason for the hatching, in the middle of the matrix's visible part.
  void absentPart(const MatrixPanel& panel, const Grid& grid) {
    const std::string word = panel.absent.substr(0, panel.absent.find(':'));
    if (word.empty() || panel.picture) return;
    const Box box = sheet_.camera.toScreen(grid.box);
    const float left = std::max(box.x, 0.0F), right = std::min(box.x + box.width, sheet_.viewWidth);
    const float top = std::max(box.y, 0.0F),
                bottom = std::min(box.y + box.height, sheet_.viewHeight);
    const float size = sheet_.textPx * 0.85F;
    if (right - left < guessedWidth(word, size) + sheet_.textPx || bottom - top < 3 * sheet_.textPx)
      return;
    const CellRect& area = panel.detail.area;
    const Box known{box.x + float(area.column) * sheet_.cellPx(grid) - guessedWidth(word, size) / 2,
                    box.y + float(area.row) * sheet_.cellPx(grid) - sheet_.textPx,
                    float(area.columns) * sheet_.cellPx(grid) + guessedWidth(word, size),
                    float(area.rows) * sheet_.cellPx(grid) + 2 * sheet_.textPx};
    const Point middle{(left + right) / 2, (top + bottom) / 2};
    // Above or below the known part, if it is in the middle.
    for (const float share : {0.5F, 0.88F, 0.12F}) {
      const Point at{middle.x, top + (bottom - top) * share};
      if (panel.detail.picture && known.contains(at)) continue;
      Label label = sheet_.make(word, at, size, sheet_.palette.mutedText, Label::Kind::note);
      label.plate = sheet_.plateColor();
      sheet_.add(std::move(label));
      return;
    }
  }

  /// The number of accesses to each element in this step, if it is the same for all accessed
  /// elements.
  [[nodiscard]] std::optional<uint32_t> commonLoads(const MatrixPanel& panel) const {
    std::optional<uint32_t> loads;
    for (const CellMark& m : panel.cells) {
      if (m.loads == 0 || m.mark != Mark::now) continue;
      if (loads && *loads != m.loads) return std::nullopt;
      loads = m.loads;
    }
    return loads;
  }

  /// If the numbers differ, each cell shows its own number, if there is space.
  void badges(const MatrixPanel& panel, const Grid& grid) {
    if (sheet_.cellPx(grid) < kBadgeCell * sheet_.textPx) return;
    for (const CellMark& m : panel.cells)
      if (m.loads > 0 && m.mark == Mark::now) badge(m, grid, sheet_.textPx * 0.72F);
  }

  /// Marks each wrong cell if there is space. Otherwise one label next to the last wrong cell has
  /// the number of wrong cells.
  void warnings(const MatrixPanel& panel, const Grid& grid) {
    const auto isWrong = [](const CellMark& m) { return m.mark == Mark::wrong; };
    const auto wrong = std::count_if(panel.cells.begin(), panel.cells.end(), isWrong);
    if (wrong > 0 && sheet_.cellPx(grid) * 0.42F < sheet_.leastPx) {
      const auto last = std::find_if(panel.cells.rbegin(), panel.cells.rend(), isWrong);
      const Box cell = sheet_.camera.toScreen(grid.cellBox(last->row, last->column));
      Label label =
          sheet_.make("! " + sheet_.counted(wrong) + " wrong",
                      {cell.x + cell.width + sheet_.textPx * 0.7F, cell.y + cell.height / 2},
                      sheet_.textPx * 0.8F, textOn(sheet_.palette.warning), Label::Kind::badge,
                      Label::Align::left);
      label.plate = sheet_.palette.warning;
      sheet_.add(std::move(label));
      return;
    }
    for (const CellMark& m : panel.cells) {
      if (m.mark != Mark::wrong) continue;
      const Box cell = sheet_.camera.toScreen(grid.cellBox(m.row, m.column));
      if (cell.x < sheet_.viewWidth && cell.y < sheet_.viewHeight && cell.x + cell.width > 0 &&
          cell.y + cell.height > 0)
        sheet_.warning(cell);
    }
  }

  static const CellMark& lastLoaded(const MatrixPanel& panel) {
    return *std::find_if(panel.cells.rbegin(), panel.cells.rend(),
                         [](const CellMark& m) { return m.loads > 0 && m.mark == Mark::now; });
  }
  [[nodiscard]] std::string timesText(uint32_t loads) const {
    return sheet_.counted(loads) + "\u00d7";
  }

  void badge(const CellMark& mark, const Grid& grid, float size) {
    const Box cell = sheet_.camera.toScreen(grid.cellBox(mark.row, mark.column));
    if (cell.x > sheet_.viewWidth || cell.y > sheet_.viewHeight || cell.x + cell.width < 0 ||
        cell.y + cell.height < 0)
      return;
    const bool inside = cell.width >= kBadgeCell * sheet_.textPx;
    const Point at = inside ? Point{cell.x + cell.width - size * 0.35F, cell.y + size * 0.62F}
                            : Point{cell.x + cell.width + size * 0.7F, cell.y + cell.height / 2};
    Label label =
        sheet_.make(timesText(mark.loads), at, size, sheet_.palette.accentText, Label::Kind::badge,
                    inside ? Label::Align::right : Label::Align::left);
    label.plate = sheet_.palette.accent;
    const float half = label.heightPx / 2;
    label.at.y = std::clamp(label.at.y, half, std::max(half, sheet_.viewHeight - half));
    sheet_.add(std::move(label));
  }

  LabelSheet& sheet_;
};

}  // namespace

void labelMatrix(LabelSheet& sheet, size_t panel) {
  MatrixLabels(sheet).panel(panel);
}

}  // namespace tilestep::gfx
