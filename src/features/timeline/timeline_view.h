// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/dim3.h"
#include "compile/kernel.h"
#include "lab/experiment.h"
#include "metrics/block_lanes.h"
#include "metrics/step_series.h"
#include "metrics/timeline.h"
#include "model/notice.h"
#include "model/view.h"
#include "trace/replay.h"
#include "trace/timeline.h"

namespace tilestep::model {

/// A figure of a timeline, for people.
struct TimelineFact {
  std::string name;   ///< "waves"
  std::string value;  ///< "3.88"
  std::string hover;  ///< The formula, with this launch's numbers.
};

/// Blocks on multiprocessors (SMs) over time, ready to be drawn: everything that takes longer than
/// a frame may is worked out here. Immutable. Times are ns from the first block's start.
struct TimelineView {
  trace::Timeline timeline;
  Dim3 grid;           ///< Of the launch.
  std::string kernel;  ///< "matmul_tiled"
  compile::Bindings sizes, tunables;
  std::string title;   ///< "tiled, TILE_WIDTH 16, 1024 × 1024 × 1024: 4,096 blocks of 16 × 16"
  std::string origin;  ///< "measured on NVIDIA H200, by its own clocks"
  std::string price;   ///< What reading the clocks cost, in a sentence.
  std::vector<TimelineFact> facts;

  metrics::BlockLanes lanes;
  std::vector<metrics::StepSeries> blocksOfSm;  ///< By SM: resident blocks.
  std::vector<metrics::StepSeries> wavesOfSm;   ///< By SM: their waves, added up.
  metrics::StepSeries warps;                    ///< Resident warps of the whole GPU.
  /// A warp's mean cycles in a phase's epochs; empty where none were kept.
  std::vector<metrics::EpochCycles> phaseCycles;
  uint64_t spanNs = 0;
  uint64_t tailNs = 0;  ///< When the first SM ran dry: the tail is from there to spanNs.
  uint32_t waveCount = 0;

  [[nodiscard]] Dim3 blockAt(uint32_t index) const;
  /// Nothing where the grid has no such block.
  [[nodiscard]] std::optional<uint32_t> indexOf(const Dim3& block) const;
  /// The row of a block's epochs; nothing where they were not kept.
  [[nodiscard]] std::optional<size_t> rowOf(uint32_t index) const;
  /// Whose epochs were kept: "all 64 blocks", "every 8th block, 512 of 4,096 blocks".
  [[nodiscard]] std::string epochBlocks() const;
  /// What a phase costs one warp, in a sentence; empty where no epochs were kept. `epochName`: of
  /// an epoch by its position in the phase.
  [[nodiscard]] std::string phaseText(const std::function<std::string(uint32_t)>& epochName) const;
  /// The block next to this one whose epochs were kept; nothing where none were.
  [[nodiscard]] std::optional<uint32_t> nearestWithEpochs(uint32_t index) const;
};

/// `result` holds a timeline. Takes some ns a block and doubling of blocks: 65,536 of them take
/// longer than a frame.
[[nodiscard]] std::shared_ptr<const TimelineView> timelineViewOf(const lab::RunResult& result);

/// What the stage of the timeline shows.
struct TimelineStage : View {
  static constexpr std::string_view kFeature = "timeline";
  std::shared_ptr<const TimelineView> view;  ///< The last good one; null before.
  bool stale = false;                        ///< It is of an earlier choice.
  bool coming = false;                       ///< A newer one was asked for.
  std::string note;  ///< Why there is none; empty where there is one or it comes.
  /// A recorded point with a timeline, where this one has none.
  std::optional<RecordedPlace> nearest;
  /// Of the interpreter: a recording that has timelines, and the GPU's name; else empty.
  std::string recording, recordedName;
  /// The scene's launch has the same blocks: choosing one moves the stepper there.
  bool sameGrid = false;
  /// What a phase's epochs do, by position in the phase, as the scene's steps tell; else empty.
  std::vector<trace::StepKind> kinds;
  std::vector<trace::StepKind> kindsBefore;  ///< Of the epochs before the first phase; as `kinds`.
};

}  // namespace tilestep::model
