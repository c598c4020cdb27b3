// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gfx/imgui_compat.h"
#include "gfx/palette.h"
#include "ui/kit/ticks.h"

namespace tilestep::ui {

struct PlotAxis {
  bool logarithmic = false;
  double low = 0, high = 1;
  std::string title;             ///< With the unit: "FLOP/s".
  bool whole = false;            ///< A linear axis has ticks only at whole numbers.
  bool bare = false;             ///< No texts, because a plot directly below has them.
  std::vector<Tick> ticks = {};  ///< If not empty, these replace the automatic ticks.
};

/// The position of a value on an axis: 0 at `low`, 1 at `high`. On a logarithmic axis, zero and
/// negative values are far below 0.
[[nodiscard]] double positionOn(const PlotAxis& axis, double value);
/// The value at a position, which may be outside 0 to 1.
[[nodiscard]] double valueOn(const PlotAxis& axis, double position);

struct PlotPoint {
  double x = 0, y = 0;
};

/// A straight line, in pixels.
struct PlotSegment {
  ImVec2 from, to;
};

struct PlotStyle {
  ImU32 frame = 0, grid = 0, text = 0, faint = 0, background = 0;
  float line = 1.5F;
  /// The minimum width for the y axis' texts, so that the axes of stacked plots are aligned.
  float left = 0;
};

[[nodiscard]] PlotStyle plotStyleOf(const gfx::Palette& palette);

/// Marks differ in shape as well as in colour.
enum class Mark { circle, square, triangle, diamond, cross };

/// A line of a readout: a value, and the colour of its series' mark (0 for no mark).
struct PlotReading {
  std::string text;
  ImU32 colour = 0;
};

/// A plot drawn into a rectangle of an ImDrawList. Create it anew each frame: draw the axes, then
/// lines and points, then labels, which avoid each other. Data outside of the axes is clipped. For
/// many points see ui/kit/plot_series.h; for zoom, pan and cursors see ui/kit/plot_view.h.
class Plot {
 public:
  /// Reserves space for the axes' texts inside [min, max] and draws frame, grid, ticks and titles.
  Plot(ImDrawList& list, ImVec2 min, ImVec2 max, PlotAxis x, PlotAxis y, const PlotStyle& style);

  /// Limited to ±100,000 pixels. NaN and infinity are mapped far outside the frame.
  [[nodiscard]] ImVec2 pixel(double x, double y) const;
  [[nodiscard]] PlotPoint value(ImVec2 pixel) const;
  /// The line without the parts that are far outside the frame.
  [[nodiscard]] std::optional<PlotSegment> pixels(PlotPoint from, PlotPoint to) const;
  /// The part of a line inside the frame; absent if it misses the frame.
  [[nodiscard]] std::optional<PlotSegment> inside(PlotPoint from, PlotPoint to) const;
  /// The frame, inside the axes' texts.
  [[nodiscard]] ImVec2 min() const { return min_; }
  [[nodiscard]] ImVec2 max() const { return max_; }
  [[nodiscard]] const PlotAxis& x() const { return x_; }
  [[nodiscard]] const PlotAxis& y() const { return y_; }
  [[nodiscard]] ImDrawList& list() const { return list_; }

  /// Segments from each point to the next.
  void line(const std::vector<PlotPoint>& points, ImU32 colour, float thickness, bool dashed);
  /// In data coordinates of double precision; the ends may be outside the axes.
  void segment(double x0, double y0, double x1, double y1, ImU32 colour, float thickness,
               bool dashed);
  /// Returns true if the pointer is over the mark.
  bool point(double x, double y, Mark mark, float radius, ImU32 colour, bool hollow);
  /// Draws `text` at a free position near a point; false if there is no free position. `box` is a
  /// background colour for text that may cover lines; 0 for none.
  bool label(double x, double y, std::string_view text, ImU32 colour, ImU32 box = 0);
  /// The same, but only with the top left corner at `corner` (pixels).
  bool text(ImVec2 corner, std::string_view text, ImU32 colour, ImU32 box = 0);
  /// Writes text along `lines[own]`, rotated with the line, at the free position nearest to the
  /// line's middle. `lines[own]` runs from left to right, inside the frame. The text also avoids
  /// the other lines. False if there is no free position.
  bool textAlong(const std::vector<PlotSegment>& lines, size_t own, std::string_view text,
                 ImU32 colour);
  /// A filled convex area. Corners are clockwise in data coordinates and may be outside the axes.
  void area(const std::vector<PlotPoint>& corners, ImU32 colour);
  /// Marks a change at x: a thin line from top to bottom, with its text at the top unless an
  /// earlier text is there. False if the text did not fit. Call in ascending or descending x.
  bool change(double x, std::string_view text, ImU32 line, ImU32 colour);
  void cursor(double x, ImU32 colour);
  /// A small box of text lines next to x, within the frame, drawn over everything so far.
  void readout(double x, const std::vector<PlotReading>& lines);
  /// Keeps labels out of a rectangle (pixels).
  void keepClear(ImVec2 min, ImVec2 max) { taken_.push_back({min, max}); }

 private:
  struct Rect {
    ImVec2 min, max;
  };
  /// From fractions of the axes.
  [[nodiscard]] ImVec2 pixelOf(double shareX, double shareY) const;
  /// The part of a line between two fractions of both axes.
  [[nodiscard]] std::optional<PlotSegment> pixelsWithin(double low, double high, PlotPoint from,
                                                        PlotPoint to) const;
  void drawAxes();
  void drawTicksX(const std::vector<Tick>& ticks);
  void drawTicksY(const std::vector<Tick>& ticks);
  [[nodiscard]] bool isFree(const Rect& rect) const;
  /// Reserves a text's rectangle, with side margins so that adjacent texts are not read as one.
  void take(const Rect& rect);
  void dashedLine(ImVec2 from, ImVec2 to, ImU32 colour, float thickness);

  ImDrawList& list_;
  ImVec2 min_, max_, outerMin_, outerMax_;
  PlotAxis x_, y_;
  PlotStyle style_;
  float unit_ = 1;  ///< Pixels of a line of thickness 1; more for large type.
  std::vector<Rect> taken_;
};

/// Diagonal hatching over a rectangle; `gap` is the distance between its lines in pixels.
void hatch(ImDrawList& list, ImVec2 min, ImVec2 max, ImU32 colour, float gap);

void drawMark(ImDrawList& list, ImVec2 at, Mark mark, float radius, ImU32 colour, bool hollow,
              float thickness);

}  // namespace tilestep::ui
