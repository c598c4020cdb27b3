// SPDX-License-Identifier: Apache-2.0
#include "grade/class_charts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "grade/page_parts.h"
#include "grade/reports.h"

namespace tilestep::grade {
namespace {

constexpr double kMostBars = 12;  ///< The bar of full marks is not counted.

/// The smallest of 1, 2, 5, 10, 20, … times `least` for which `range` has at most `mostSteps`
/// steps.
double niceStep(double range, double least, double mostSteps) {
  double step = least;
  for (size_t i = 0; range > step * mostSteps * (1 + 1e-9) && i < 60; ++i)
    step *= i % 3 == 1 ? 2.5 : 2;
  return step;
}

/// The layout of the histogram.
struct Frame {
  static constexpr double kLeft = 44, kTop = 22, kWidth = 600, kHeight = 150;
  double gap = 0;  ///< Space before the last bar.
  double barWidth = 0;
  double most = 1;  ///< The count at the top of the chart.

  [[nodiscard]] double left(size_t bar, size_t bars) const {
    return kLeft + static_cast<double>(bar) * barWidth + (bar + 1 == bars ? gap : 0);
  }
  [[nodiscard]] double y(double count) const { return kTop + kHeight * (1 - count / most); }
};

/// "1 to below 2"
std::string rangeText(const MarksHistogram& histogram, size_t bar) {
  const double from = static_cast<double>(bar) * histogram.step;
  if (histogram.isExact) return marksText(from);
  if (bar + 1 == histogram.bars.size()) return marksText(histogram.of) + " and more";
  return marksText(from) + " to below " + marksText(std::min(from + histogram.step, histogram.of));
}

std::string barsOf(const MarksHistogram& histogram, const Frame& frame) {
  std::string svg;
  const size_t bars = histogram.bars.size();
  for (size_t i = 0; i < bars; ++i) {
    const size_t count = histogram.bars[i];
    const double left = frame.left(i, bars), middle = left + frame.barWidth / 2;
    if (count > 0) {
      const double top = frame.y(static_cast<double>(count));
      svg += fmt::format(
          "<rect class=\"bar\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\">"
          "<title>{} marks: {}</title></rect>\n",
          left + 1, top, frame.barWidth - 2, Frame::kTop + Frame::kHeight - top,
          rangeText(histogram, i), handInsText(count));
      svg += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">{}</text>\n",
                         middle, top - 5, count);
    }
    const bool isLast = i + 1 == bars;
    const std::string from = marksText(static_cast<double>(i) * histogram.step);
    svg +=
        fmt::format("<text x=\"{:.1f}\" y=\"{:.0f}\" text-anchor=\"middle\">{}</text>\n",
                    isLast || histogram.isExact ? middle : left, Frame::kTop + Frame::kHeight + 18,
                    isLast && !histogram.isExact ? "all " + marksText(histogram.of) : from);
  }
  return svg;
}

/// The axis of counts, with three to six ticks.
std::string countAxis(const Frame& frame, double step) {
  std::string svg;
  for (double count = 0; count <= frame.most; count += step)
    svg += fmt::format(
        "<line class=\"grid\" x1=\"{0}\" x2=\"{1}\" y1=\"{2:.1f}\" y2=\"{2:.1f}\"/>\n"
        "<text x=\"{3}\" y=\"{4:.1f}\" text-anchor=\"end\">{5:.0f}</text>\n",
        Frame::kLeft, Frame::kLeft + Frame::kWidth, frame.y(count), Frame::kLeft - 8,
        frame.y(count) + 4, count);
  return svg;
}

}  // namespace

const char* const kChartStyle = R"(
svg { display: block; width: 100%; height: auto; }
svg text { font-size: 12px; fill: currentColor; font-variant-numeric: tabular-nums;
           stroke: #fbfbf9; stroke-width: 3px; paint-order: stroke; }
svg .bar { fill: #0072b2; }
svg .grid { stroke: #d8d8d2; }
.right { --verdict: #009e73; } .wrong { --verdict: #d55e00; } .refused { --verdict: #aa4499; }
.unjudged { --verdict: #e69f00; } .failed { --verdict: #767670; }
svg .part, .swatch { fill: var(--verdict); background: var(--verdict); }
@media (prefers-color-scheme: dark) {
  svg text { stroke: #1b1b19; }
  svg .bar { fill: #56b4e9; } svg .grid { stroke: #3a3a36; }
  .refused { --verdict: #cc79a7; } .failed { --verdict: #9a9a92; }
}
@media print {
  svg text { fill: #000; stroke: #fff; }
  svg, .swatch { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
})";

VerdictCounts verdictCounts(const std::vector<Grade>& grades) {
  VerdictCounts counts{};
  for (const Grade& grade : grades) ++counts[static_cast<size_t>(grade.verdict)];
  return counts;
}

std::string verdictBar(const VerdictCounts& counts) {
  constexpr double kWidth = 1000, kHeight = 28, kBetween = 3;
  const size_t all = std::accumulate(counts.begin(), counts.end(), size_t{0});
  if (all == 0) return {};
  std::string parts, told;
  double left = 0;
  size_t before = 0;
  for (size_t i = 0; i < kVerdicts; ++i) {
    if (counts[i] == 0) continue;
    const char* name = nameOf(static_cast<Verdict>(i));
    before += counts[i];
    const double width = kWidth * static_cast<double>(counts[i]) / static_cast<double>(all);
    parts += fmt::format(
        "<rect class=\"part {}\" x=\"{:.1f}\" y=\"0\" width=\"{:.1f}\" height=\"{}\">"
        "<title>{} {}</title></rect>\n",
        name, left, std::max(2.0, before == all ? width : width - kBetween), kHeight, counts[i],
        name);
    told += fmt::format("{}{} {}", told.empty() ? "" : ", ", counts[i], name);
    left += width;
  }
  return fmt::format("<svg viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"{}\">\n{}</svg>\n",
                     kWidth, kHeight, told, parts);
}

MarksHistogram histogramOf(const std::vector<double>& marks, double of) {
  MarksHistogram histogram;
  histogram.of = of;
  histogram.step = niceStep(of, of >= 3 ? 1 : of >= 0.75 ? 0.25 : of / 4, kMostBars);
  // Sums of marks such as 0.1 are not exact in binary.
  const double rounding = histogram.step * 1e-6;
  const auto isWhole = [&](double value) { return std::abs(value - std::round(value)) < rounding; };
  histogram.isExact =
      histogram.step == 1 && isWhole(of) &&
      std::ranges::all_of(marks, [&](double one) { return isWhole(one) && one < of + rounding; });
  const auto below = static_cast<size_t>(std::ceil((of - rounding) / histogram.step));
  histogram.bars.assign(below + 1, 0);
  for (const double one : marks) {
    const auto at = static_cast<size_t>(std::max(0.0, one + rounding) / histogram.step);
    ++histogram.bars[one + rounding >= of ? below : std::min(at, below - 1)];
  }
  return histogram;
}

std::string toSvg(const MarksHistogram& histogram) {
  const size_t most = *std::ranges::max_element(histogram.bars);
  const double countStep = niceStep(static_cast<double>(std::max<size_t>(most, 2)), 1, 5);
  Frame frame;
  frame.gap = histogram.isExact ? 0 : 14;
  frame.barWidth = (Frame::kWidth - frame.gap) / static_cast<double>(histogram.bars.size());
  frame.most = countStep * std::max(2.0, std::ceil(static_cast<double>(most) / countStep));
  std::string told = "The number of hand-ins per range of marks.";
  for (size_t i = 0; i < histogram.bars.size(); ++i)
    if (histogram.bars[i] > 0)
      told += fmt::format(" {}: {}.", rangeText(histogram, i), handInsText(histogram.bars[i]));
  return fmt::format("<svg viewBox=\"0 0 {:.0f} {:.0f}\" role=\"img\" aria-label=\"{}\">\n",
                     Frame::kLeft + Frame::kWidth + 6, Frame::kTop + Frame::kHeight + 26, told) +
         countAxis(frame, countStep) + barsOf(histogram, frame) + "</svg>\n";
}

}  // namespace tilestep::grade
