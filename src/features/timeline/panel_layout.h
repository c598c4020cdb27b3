// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "features/timeline/timeline_view.h"

/// Where the blocks of a timeline are drawn. Pure; costs what is visible, not what there is.
namespace tilestep::ui {

/// The part of a launch that is looked at: time along x, multiprocessors (SMs) along y.
struct TimelineRange {
  double fromNs = 0, toNs = 1;
  double fromSm = 0, toSm = 1;
  [[nodiscard]] double ns() const { return toNs - fromNs; }
  [[nodiscard]] double sms() const { return toSm - fromSm; }
  bool operator==(const TimelineRange&) const = default;
};

/// Which way a zoom goes.
enum class ZoomAxes : uint8_t { both, time, multiprocessors };

[[nodiscard]] TimelineRange wholeRange(const model::TimelineView& view);
/// `factor` above 1 shows less. The place at (shareX, shareY) of the picture stays there. Never
/// beyond the launch, nor closer than two ticks of the clock or one lane.
[[nodiscard]] TimelineRange zoomed(const model::TimelineView& view, const TimelineRange& range,
                                   double shareX, double shareY, double factor, ZoomAxes axes);
/// By shares of what is visible, staying in the launch.
[[nodiscard]] TimelineRange panned(const model::TimelineView& view, const TimelineRange& range,
                                   double shareX, double shareY);
/// One block, with a little of what is beside it.
[[nodiscard]] TimelineRange rangeOfBlock(const model::TimelineView& view, uint32_t block);

/// A rectangle in pixels from the picture's upper left corner.
struct TimelineBar {
  static constexpr uint32_t kMany = UINT32_MAX;
  float x0 = 0, x1 = 0, y0 = 0, y1 = 0;
  uint32_t block = kMany;  ///< kMany: an SM, as a mean over the bar's time.
  float wave = 0;          ///< From 0; of kMany a mean.
  float share = 1;         ///< Of the SM's places that are taken; 1 for a block.
};

/// An epoch of a visible block: work from x0 to xWait, then at its barrier to x1.
struct EpochBar {
  float x0 = 0, xWait = 0, x1 = 0, y0 = 0, y1 = 0;
  uint32_t block = 0, epoch = 0;
};

enum class TimelineDetail : uint8_t {
  multiprocessors,  ///< A lane an SM: how many of its places are taken.
  blocks            ///< A lane a place: every block for itself.
};

struct TimelineBars {
  static constexpr size_t kMost = 10'000;  ///< Bars, so that a frame is in time.
  TimelineDetail detail = TimelineDetail::multiprocessors;
  float laneHeight = 0;  ///< Of a place, pixels.
  std::vector<TimelineBar> bars;
  std::vector<EpochBar> epochs;  ///< Of blocks that are wide enough and whose epochs were kept.
};

/// Into `width` × `height` pixels; `em`: height of the type.
[[nodiscard]] TimelineBars layOutTimeline(const model::TimelineView& view,
                                          const TimelineRange& range, float width, float height,
                                          float em);

/// The block at this time and place (SMs from the top, with a fraction); where its lane has none,
/// one of the same SM that runs then.
[[nodiscard]] std::optional<uint32_t> blockUnder(const model::TimelineView& view, double ns,
                                                 double sm);

/// What of the timeline the window shows; no more than a wish while `of` is another view.
struct TimelineLook {
  std::shared_ptr<const model::TimelineView> of;
  std::optional<TimelineRange> range;  ///< Nothing: the whole launch.
  std::optional<uint32_t> chosen;      ///< The block that was chosen here.
};

}  // namespace tilestep::ui
