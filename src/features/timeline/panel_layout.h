// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "features/names.h"
#include "features/timeline/timeline_view.h"

/// Lays out the blocks of a timeline. Pure; the cost depends on what is visible, not on the launch.
namespace tilestep::features {

/// The visible part of a launch: time along x, multiprocessors (SMs) along y.
struct TimelineRange {
  double fromNs = 0, toNs = 1;
  double fromSm = 0, toSm = 1;
  [[nodiscard]] double ns() const { return toNs - fromNs; }
  [[nodiscard]] double sms() const { return toSm - fromSm; }
  bool operator==(const TimelineRange&) const = default;
};

/// The axes that a zoom affects.
enum class ZoomAxes : uint8_t { both, time, multiprocessors };

[[nodiscard]] TimelineRange wholeRange(const TimelineView& view);
/// `factor` above 1 zooms in. The point at (shareX, shareY) of the picture stays fixed. Never
/// extends beyond the launch, and never shows less than two ticks of the clock or one lane.
[[nodiscard]] TimelineRange zoomed(const TimelineView& view, const TimelineRange& range,
                                   double shareX, double shareY, double factor, ZoomAxes axes);
/// Moves by fractions of the visible range, within the launch.
[[nodiscard]] TimelineRange panned(const TimelineView& view, const TimelineRange& range,
                                   double shareX, double shareY);
/// One block and a little of its surroundings.
[[nodiscard]] TimelineRange rangeOfBlock(const TimelineView& view, uint32_t block);

/// A rectangle in pixels from the picture's upper left corner.
struct TimelineBar {
  static constexpr uint32_t kMany = UINT32_MAX;
  float x0 = 0, x1 = 0, y0 = 0, y1 = 0;
  uint32_t block = kMany;  ///< kMany: a whole SM, averaged over the bar's time.
  float wave = 0;          ///< From 0; for kMany an average.
  float share = 1;         ///< The share of the SM's places that are occupied; 1 for a block.
};

/// An epoch of a visible block: work from x0 to xWait, then waiting at its barrier until x1.
struct EpochBar {
  float x0 = 0, xWait = 0, x1 = 0, y0 = 0, y1 = 0;
  uint32_t block = 0, epoch = 0;
};

enum class TimelineDetail : uint8_t {
  multiprocessors,  ///< One lane per SM: how many of its places are occupied.
  blocks            ///< One lane per place: every block separately.
};

struct TimelineBars {
  static constexpr size_t kMost = 10'000;  ///< The most bars, so that a frame is drawn in time.
  TimelineDetail detail = TimelineDetail::multiprocessors;
  float laneHeight = 0;  ///< Height of a place in pixels.
  std::vector<TimelineBar> bars;
  /// Only of blocks that are wide enough and whose epochs were kept.
  std::vector<EpochBar> epochs;
};

/// Lays out the range in `width` × `height` pixels; `em`: the height of the type.
[[nodiscard]] TimelineBars layOutTimeline(const TimelineView& view, const TimelineRange& range,
                                          float width, float height, float em);

/// The block at this time and position (SMs from the top, with a fraction); if its lane has none, a
/// block that runs on the same SM at that time.
[[nodiscard]] std::optional<uint32_t> blockUnder(const TimelineView& view, double ns, double sm);

/// The part of the timeline that the window shows; only a request while `of` is another view.
struct TimelineLook {
  std::shared_ptr<const TimelineView> of;
  std::optional<TimelineRange> range;  ///< Absent: the whole launch.
  std::optional<uint32_t> chosen;      ///< The block that was chosen in the timeline.
};

}  // namespace tilestep::features
