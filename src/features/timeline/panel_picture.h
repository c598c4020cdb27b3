// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "features/names.h"
#include "features/timeline/panel_layout.h"
#include "features/timeline/timeline_view.h"
#include "ui/kit/context.h"

/// The picture of a timeline: lanes of blocks, resident warps below, and one time axis.
namespace tilestep::features {

/// The visible range and the chosen block; a look that belongs to another launch is ignored.
struct TimelineNow {
  const TimelineView& view;
  TimelineRange range;
  std::optional<uint32_t> chosen;
};
/// `snapshot` must have a timeline.
[[nodiscard]] TimelineNow timelineNow(const model::Snapshot& snapshot, const TimelineLook& look);

/// The shade of a wave. Consecutive waves alternate between two shades; fractions are mixed.
[[nodiscard]] gfx::Color waveShade(const gfx::Palette& palette, float wave);

/// "load", "compute"; "epoch 5" if the kind is unknown.
[[nodiscard]] std::string epochName(const TimelineStage& stage, uint32_t epoch);

/// Names epochs by their position in the phase. Valid while `stage` exists.
[[nodiscard]] TimelineView::EpochName phaseNames(const TimelineStage& stage);

/// "block (3, 1) on SM 17: wave 2 of 4, from 12.3 to 45.1 µs, 32.8 µs"
[[nodiscard]] std::string blockText(const TimelineView& view, uint32_t block);

/// Handles the keys that zoom, pan and choose a block while the timeline is on the stage.
bool handleTimeline(const gfx::KeyEvent& event, model::Session& session, UiState& ui);

/// Draws into `height` pixels. The wheel zooms, dragging pans, a click chooses a block.
void drawTimelinePicture(const Context& context, const TimelineNow& now, float height);

}  // namespace tilestep::features
