// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "features/names.h"
#include "features/timeline/timeline_view.h"

/// The layout of a timeline's blocks. Pure. Its cost depends on what is visible, not on the launch.
namespace tilestep::features {

/// The visible part of a launch: time along x, multiprocessors (SMs) along y.
struct TimelineRange {
  double fromNs = 0, toNs = 1;
  double fromSm = 0, toSm = 1;
  [[nodiscard]] double ns() const { return toNs - fromNs; }
  [[nodiscard]] double sms() const { return toSm - fromSm; }
  bool operator==(const TimelineRange&) const = default;
};

enum class ZoomAxes : uint8_t { both, time, multiprocessors };

[[nodiscard]] TimelineRange wholeRange(const TimelineView& view);
/// A zoomed range; a `factor` above 1 zooms in. The point at (shareX, shareY) of the picture stays
/// fixed. The range stays within the launch, with at least two clock ticks and one lane.
[[nodiscard]] TimelineRange zoomed(const TimelineView& view, const TimelineRange& range,
                                   double shareX, double shareY, double factor, ZoomAxes axes);
/// The range moved by fractions of itself, within the launch.
[[nodiscard]] TimelineRange panned(const TimelineView& view, const TimelineRange& range,
                                   double shareX, double shareY);
/// The range of one block with a margin.
[[nodiscard]] TimelineRange rangeOfBlock(const TimelineView& view, uint32_t block);

/// A rectangle in pixels from the picture's upper left corner.
struct TimelineBar {
  static constexpr uint32_t kMany = UINT32_MAX;
  float x0 = 0, x1 = 0, y0 = 0, y1 = 0;
  uint32_t block = kMany;  ///< kMany for a whole SM, averaged over the bar's time.
  float wave = 0;          ///< Counted from 0; an average for kMany.
  float share = 1;         ///< The occupied fraction of the SM's block slots; 1 for a single block.
};

/// An epoch of a visible block: work from x0 to xWait, then a wait at its barrier until x1.
struct EpochBar {
  float x0 = 0, xWait = 0, x1 = 0, y0 = 0, y1 = 0;
  uint32_t block = 0, epoch = 0;
};

enum class TimelineDetail : uint8_t {
  multiprocessors,  ///< One lane per SM, which shows how many block slots are occupied.
  blocks            ///< One lane per block slot, which shows every block.
};

struct TimelineBars {
  static constexpr size_t kMost = 10'000;  ///< The maximum number of bars, for speed.
  TimelineDetail detail = TimelineDetail::multiprocessors;
  float laneHeight = 0;  ///< Height of a block slot in pixels.
  std::vector<TimelineBar> bars;
  /// Contains only epochs of wide blocks whose epochs were kept.
  std::vector<EpochBar> epochs;
};

/// Lays out the range in `width` × `height` pixels. `em` is the height of the type.
[[nodiscard]] TimelineBars layOutTimeline(const TimelineView& view, const TimelineRange& range,
                                          float width, float height, float em);

/// The block at this time and position. `sm` counts SMs from the top, with a fraction. If the lane
/// is idle at that time, another block that runs on the same SM.
[[nodiscard]] std::optional<uint32_t> blockUnder(const TimelineView& view, double ns, double sm);

/// The visible part of the timeline, or a request for it while `of` is a different view.
struct TimelineLook {
  std::shared_ptr<const TimelineView> of;
  std::optional<TimelineRange> range;  ///< Absent for the whole launch.
  std::optional<uint32_t> chosen;      ///< The block chosen in the timeline.
};

}  // namespace tilestep::features
