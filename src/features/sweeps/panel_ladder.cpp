// SPDX-License-Identifier: Apache-2.0
// The ladder: one row per rung with its bar and figures; the chosen row unfolds its explanation.
#include <algorithm>
#include <cmath>
#include <functional>

#include "base/figure.h"
#include "base/library_product.h"
#include "features/sweeps/ladder_view.h"
#include "features/sweeps/panel.h"
#include "ui/kit/widgets.h"

namespace tilestep::features {
namespace {

using State = SweepCell::State;

/// A column of texts next to the bars.
struct LadderColumn {
  std::string title, hover;
  std::function<std::string(const LadderRow&)> text;
  bool left = false;  ///< Left-aligned (words); otherwise right-aligned (numbers).
  float width = 0;
};

/// The layout in pixels, the same for all rows.
struct LadderGrid {
  std::vector<LadderColumn> columns;  ///< The columns that fit.
  size_t leftOut = 0;
  float number = 0, name = 0, value = 0;  ///< Widths.
  float barLeft = 0, barRight = 0;        ///< On the screen.
  float height = 0, gap = 0;              ///< A row's height; the gap between columns.
};

float ladderTextWidth(const std::string& text) {
  return ImGui::CalcTextSize(text.c_str()).x;
}

std::string share(const std::optional<double>& value) {
  return value ? toText(*value, Unit::ratio) : "";
}

/// Without the unit, which is in the heading.
std::string teraflops(double flopPerSecond) {
  const double value = flopPerSecond / 1e12;
  char text[24];
  std::snprintf(text, sizeof text, value >= 9.995 ? "%.1f" : "%.2f", value);
  return text;
}

std::string valueOf(const LadderRow& row) {
  return row.speed ? teraflops(row.speed->value) : "–";
}

/// "banks · PAD 1": the file's name, and for several rows of a file what distinguishes them.
std::string nameOf(const LadderRow& row) {
  if (row.library) return row.name;
  std::string name = model::shortNameOf(row.kernel);
  if (const size_t blank = name.find(' '); name.starts_with("rung") && blank != std::string::npos)
    name = name.substr(blank + 1);
  const size_t dot = row.name.rfind(" · ");
  return dot == std::string::npos ? name : name + row.name.substr(dot);
}

/// The most informative first.
std::vector<LadderColumn> allColumns() {
  return {
      {"gain", "Measured speed divided by the measured speed of the rung below",
       [](const LadderRow& row) {
         return row.measuredGain && row.verdict == metrics::TimeVerdict::notTold ? "as fast"
                                                                                 : row.measuredText;
       }},
      {"tunables", "The origin of the row's tunables; unfold the row to see their values",
       [](const LadderRow& row) { return row.tunables.empty() ? "" : row.from.name; }, true},
      {"predicted gain", "Predicted gain over the rung below, from the limits of both",
       [](const LadderRow& row) { return row.predictedText; }},
      {"predicted", "Predicted speed in TFLOP/s, which the predicted limit allows",
       [](const LadderRow& row) { return row.predicted ? teraflops(*row.predicted) : ""; }},
      {"of cuBLAS",
       std::string("Share of the speed of the library's product of the same precision: ") +
           std::string(libraryTitle(kCublasFp32)) + ", or " +
           std::string(libraryTitle(kCublasTf32)),
       [](const LadderRow& row) { return share(row.ofLibrary); }},
      {"predicted limit",
       "The predicted limit of this rung, and its use per multiply-add of a warp",
       [](const LadderRow& row) { return row.limitText; }, true},
      {"reached",
       "Measured speed divided by predicted speed; above 100 %, the prediction was too low",
       [](const LadderRow& row) { return share(row.reached); }},
      {"of FP32", "Share of the measured ceiling of multiply-adds",
       [](const LadderRow& row) { return share(row.ofPeak); }},
      {"changed most", "The largest change relative to the rung below, per multiply-add of a warp",
       [](const LadderRow& row) { return row.changeText; }, true},
  };
}

LadderGrid gridOf(const LadderView& view) {
  LadderGrid grid;
  grid.gap = 0.9F * ImGui::GetFontSize();
  // All rows are visible at once if they fit at all.
  const float line = ImGui::GetTextLineHeight();
  const float below = ImGui::GetContentRegionAvail().y - 1.6F * line;
  grid.height = std::floor(
      std::clamp(below / static_cast<float>(view.rows.size()), 1.02F * line, 1.45F * line));
  grid.value = ladderTextWidth("TFLOP/s");
  for (const LadderRow& row : view.rows) {
    grid.number = std::max(grid.number, ladderTextWidth(row.number));
    grid.name = std::max(grid.name, ladderTextWidth(nameOf(row)));
    grid.value = std::max(grid.value, ladderTextWidth(valueOf(row)));
  }
  constexpr float kBars = 0.3F;  ///< Least share of the width.
  const float whole = ImGui::GetContentRegionAvail().x;
  const float least = std::max(8 * ImGui::GetFontSize(), kBars * whole);
  float room = whole - grid.number - grid.name - grid.value - 3 * grid.gap - least;
  for (LadderColumn& column : allColumns()) {
    column.width = ladderTextWidth(column.title);
    bool any = false;
    for (const LadderRow& row : view.rows) {
      const std::string text = column.text(row);
      any |= !text.empty();
      column.width = std::max(column.width, ladderTextWidth(text));
    }
    if (!any) continue;
    if (column.width + grid.gap > room) {
      ++grid.leftOut;
      continue;
    }
    room -= column.width + grid.gap;
    grid.columns.push_back(std::move(column));
  }
  const float left = ImGui::GetCursorScreenPos().x;
  grid.barLeft = left + grid.number + grid.name + grid.value + 3 * grid.gap;
  grid.barRight = left + whole;
  for (const LadderColumn& column : grid.columns) grid.barRight -= column.width + grid.gap;
  return grid;
}

/// The position of a speed on the bars' axis.
float placeOf(const LadderGrid& grid, const LadderView& view, double flopPerSecond) {
  const double high = 1.04 * view.high;
  double at = high > 0 ? flopPerSecond / high : 0;
  if (view.logarithmic && high > 0) {
    constexpr double kDecades = 2.5;
    at = flopPerSecond > 0 ? 1 + std::log10(flopPerSecond / high) / kDecades : 0;
  }
  return grid.barLeft +
         static_cast<float>(std::clamp(at, 0.0, 1.0)) * (grid.barRight - grid.barLeft);
}

/// A vertical line through all rows.
struct Limit {
  std::vector<std::string> texts;  ///< The longest first.
  double value = 0;
};

std::vector<Limit> marksOf(const LadderView& view) {
  std::vector<Limit> marks;
  if (view.library)
    marks.push_back({{std::string(libraryTitle(kCublasFp32)), "cuBLAS"}, *view.library});
  if (view.peak) marks.push_back({{"FP32"}, *view.peak});
  return marks;
}

void drawHead(const Context& context, const LadderView& view, const LadderGrid& grid) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const ImU32 ink = colour(context.palette.mutedText);
  const auto write = [&](float x, const std::string& text) {
    list.AddText({x, at.y}, ink, text.c_str());
  };
  write(grid.barLeft - grid.gap - ladderTextWidth("TFLOP/s"), "TFLOP/s");
  float x = grid.barRight;
  for (const LadderColumn& column : grid.columns) {
    x += grid.gap;
    write(column.left ? x : x + column.width - ladderTextWidth(column.title), column.title);
    const ImVec2 min{x, at.y}, max{x + column.width, at.y + ImGui::GetTextLineHeight()};
    if (ImGui::IsWindowHovered() && ImGui::IsMouseHoveringRect(min, max))
      showTooltip(context, column.hover);
    x += column.width;
  }
  float taken = grid.barRight + grid.gap;  // From the right, so that marks do not overlap.
  const std::vector<Limit> marks = marksOf(view);
  for (size_t i = marks.size(); i-- > 0;) {
    const float place = placeOf(grid, view, marks[i].value);
    for (const std::string& text : marks[i].texts) {
      const float width = ladderTextWidth(text);
      const float start =
          std::min({place - width / 2, grid.barRight - width, taken - width - 0.4F * grid.gap});
      if (start < grid.barLeft) continue;
      write(start, text);
      taken = start;
      break;
    }
  }
  ImGui::Dummy({1, 1.2F * ImGui::GetTextLineHeight()});
}

void drawBar(const Context& context, const LadderView& view, const LadderGrid& grid,
             const LadderRow& row, ImVec2 at) {
  const gfx::Palette& p = context.palette;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float top = at.y + 0.2F * grid.height, bottom = at.y + 0.8F * grid.height;
  for (const Limit& mark : marksOf(view)) {
    const float x = placeOf(grid, view, mark.value);
    list.AddLine({x, at.y}, {x, at.y + grid.height}, colour(p.text, 0.45F), 1);
  }
  const gfx::Color tint = row.library || row.otherPrecision ? p.mutedText : p.category(0);
  if (row.speed) {
    const float right = placeOf(grid, view, row.speed->value);
    list.AddRectFilled({grid.barLeft, top}, {right, bottom}, colour(tint, 0.85F));
    if (row.speed->value > 1.04 * view.high) {  // The value exceeds the axis, so the bar is broken.
      const float cut = right - 0.6F * grid.height, lean = 0.25F * grid.height;
      for (const float shift : {0.0F, 0.25F * grid.height})
        list.AddLine({cut + shift - lean / 2, at.y + grid.height}, {cut + shift + lean / 2, at.y},
                     colour(p.surface), 0.12F * grid.height);
    }
  } else if (row.state == State::illegal) {
    hatch(list, {grid.barLeft, top}, {grid.barRight, bottom}, colour(p.mutedText, 0.5F),
          0.4F * context.em);
  }
  if (!row.predicted) return;
  const float x = placeOf(grid, view, *row.predicted), y = (top + bottom) / 2;
  const float merged = placeOf(grid, view, row.merged.value_or(*row.predicted));
  if (merged > x + 2) list.AddLine({x, y}, {merged, y}, colour(p.text, 0.8F), 1.5F);
  drawMark(list, {x, y}, Mark::diamond, 0.24F * grid.height, colour(p.text), true, 1.5F);
}

void drawTexts(const Context& context, const LadderGrid& grid, const LadderRow& row, ImVec2 at) {
  const gfx::Palette& p = context.palette;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float y = at.y + (grid.height - ImGui::GetTextLineHeight()) / 2;
  const auto write = [&](float x, const std::string& text, gfx::Color ink) {
    list.AddText({x, y}, colour(ink), text.c_str());
  };
  const gfx::Color ink = row.speed ? p.text : p.mutedText;
  write(at.x + grid.number - ladderTextWidth(row.number), row.number, p.mutedText);
  write(at.x + grid.number + grid.gap, nameOf(row), ink);
  const std::string value = valueOf(row);
  write(grid.barLeft - grid.gap - ladderTextWidth(value), value, ink);
  float x = grid.barRight;
  for (const LadderColumn& column : grid.columns) {
    x += grid.gap;
    const std::string text = column.text(row);
    write(column.left ? x : x + column.width - ladderTextWidth(text), text, ink);
    x += column.width;
  }
}

/// The full explanation of the row.
void unfold(const Context& context, const LadderRow& row) {
  ImGui::Indent(1.2F * context.em);
  for (const std::string& paragraph : row.paragraphs) {
    compat::pushFont(context.fonts.small, context.fonts.smallPixels);
    wrapped(paragraph);
    ImGui::PopFont();
  }
  if (!row.library) hint(context, "Enter or a second click shows this kernel in the scene.");
  ImGui::Unindent(1.2F * context.em);
  ImGui::Dummy({1, 0.3F * context.em});
}

void drawRow(const Context& context, const SweepView& sweep, const LadderView& view,
             const LadderGrid& grid, size_t index) {
  const LadderRow& row = view.rows[index];
  UiState& ui = context.ui;
  const bool chosen = ui.sweepAt == row.cell;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImGui::PushID(static_cast<int>(index));
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, 0));
  const bool pressed = ImGui::Selectable("##rung", chosen, 0, {0, grid.height});
  ImGui::PopStyleVar();
  const ImVec2 end{at.x + ImGui::GetItemRectSize().x, at.y + grid.height - 1};
  const bool over = ImGui::IsWindowHovered() && ImGui::IsMouseHoveringRect(at, end);
  if (!chosen && over) showTooltip(context, row.sentence + "\n" + tunablesSentence(row));
  ImGui::PopID();
  if (sweep.cells[row.cell].now)
    ImGui::GetWindowDrawList()->AddRectFilled({at.x - 0.45F * context.em, at.y},
                                              {at.x - 0.25F * context.em, at.y + grid.height},
                                              colour(context.palette.accent));
  drawBar(context, view, grid, row, at);
  drawTexts(context, grid, row, at);
  if (chosen) {
    if (ui.sweepMoved) ImGui::SetScrollHereY(0.3F);
    ui.sweepMoved = false;
    unfold(context, row);
  }
  if (!pressed) return;
  if (!chosen)
    ui.sweepAt = row.cell;
  else if (context.session.apply(model::command("sweeps.go", row.cell)))
    ui.sweepAt.reset();
}

}  // namespace

std::vector<LegendMark> ladderMarks(const Context& context, const LadderView& view) {
  const gfx::Palette& p = context.palette;
  std::vector<LegendMark> marks{{"FLOP/s of a kernel", filled(p.category(0))}};
  const auto any = [&](auto is) { return std::ranges::any_of(view.rows, is); };
  if (any([](const LadderRow& row) { return row.library || row.otherPrecision; }))
    marks.push_back({"of a library, or in another precision", filled(p.mutedText)});
  if (any([](const LadderRow& row) { return row.predicted.has_value(); }))
    marks.push_back({"predicted", plotMark(Mark::diamond, p.text, true)});
  return marks;
}

void drawLadder(const Context& context, const SweepView& sweep, const LadderView& view) {
  compat::pushFont(context.fonts.text, compat::sizeOf(context.fonts.text));
  const LadderGrid grid = gridOf(view);
  drawHead(context, view, grid);
  for (size_t i = 0; i < view.rows.size(); ++i) drawRow(context, sweep, view, grid, i);
  ImGui::PopFont();
  std::string foot = "Diamonds: the predicted speed";
  bool merges = false;
  for (const LadderRow& row : view.rows)
    merges |= row.merged && *row.merged > 1.02 * *row.predicted;
  if (merges) foot += ", with a line to the speed if the assembler merges shared loads";
  foot += ". " + view.predictedBy;
  if (!view.progress.empty()) foot += " " + view.progress + ".";
  if (grid.leftOut > 0)
    foot +=
        " " + std::to_string(grid.leftOut) +
        (grid.leftOut == 1 ? " more column does" : " more columns do") + " not fit here" +
        (context.ui.readOnly ? "." : ". A click unfolds a row, and Ctrl+S saves the whole table.");
  hint(context, foot);
}

}  // namespace tilestep::features
