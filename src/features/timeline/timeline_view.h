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
#include "features/names.h"
#include "lab/experiment.h"
#include "metrics/block_lanes.h"
#include "metrics/step_series.h"
#include "metrics/timeline.h"
#include "model/notice.h"
#include "model/view.h"
#include "trace/replay.h"
#include "trace/timeline.h"

namespace tilestep::features {

/// A figure of a timeline, formatted for display.
struct TimelineFact {
  std::string name;   ///< "waves"
  std::string value;  ///< "3.88"
  std::string hover;  ///< The formula with this launch's values.
};

/// Blocks on multiprocessors (SMs) over time, with all results that may take longer than a frame to
/// compute. Immutable. Times are in ns since the first block's start.
struct TimelineView {
  trace::Timeline timeline;
  Dim3 grid;
  std::string kernel;  ///< "matmul_tiled"
  compile::Bindings sizes, tunables;
  std::string title;     ///< "tiled, TILE_WIDTH 16, 1024 × 1024 × 1024: 4,096 blocks of 16 × 16"
  std::string origin;    ///< "measured on NVIDIA H200, by its own clocks"
  std::string overhead;  ///< A sentence about the overhead of reading the clocks.
  std::vector<TimelineFact> facts;

  metrics::BlockLanes lanes;
  std::vector<metrics::StepSeries> blocksOfSm;  ///< Number of resident blocks, by SM.
  /// The sum of the resident blocks' waves, by SM.
  std::vector<metrics::StepSeries> wavesOfSm;
  metrics::StepSeries warps;  ///< Resident warps on the whole GPU.
  /// Average cycles of a warp in each epoch of a phase; empty if no epochs were kept.
  std::vector<metrics::EpochCycles> phaseCycles;
  uint64_t spanNs = 0;
  /// When the first SM ran out of blocks. The tail lasts from tailNs to spanNs.
  uint64_t tailNs = 0;
  uint32_t waveCount = 0;

  [[nodiscard]] Dim3 blockAt(uint32_t index) const;
  /// The block's index; absent if the grid has no such block.
  [[nodiscard]] std::optional<uint32_t> indexOf(const Dim3& block) const;
  /// The row of a block's epochs; absent if the epochs were not kept.
  [[nodiscard]] std::optional<size_t> rowOf(uint32_t index) const;
  /// Names an epoch by its position in the phase.
  using EpochName = std::function<std::string(uint32_t)>;
  /// How the warps of blocks with kept epochs spent their time, and the cycles of a phase of one
  /// such warp. Empty if no epochs were kept.
  [[nodiscard]] std::string phaseText(const EpochName& epochName) const;
  /// The formulas of the shares with this launch's values, one per line.
  [[nodiscard]] std::string phaseFormulas(const EpochName& epochName) const;
  /// "load 47.3 %, compute 42.3 %, at barriers 10.4 %"
  [[nodiscard]] static std::string sharesText(const metrics::PhaseTime& time,
                                              const EpochName& epochName);
  /// The nearest block whose epochs were kept; absent if there is none.
  [[nodiscard]] std::optional<uint32_t> nearestWithEpochs(uint32_t index) const;
};

/// `result` must contain a timeline. The cost is proportional to n log n for n blocks; 65,536
/// blocks take longer than a frame.
[[nodiscard]] std::shared_ptr<const TimelineView> timelineViewOf(const lab::RunResult& result);

struct TimelineStage : View {
  static constexpr std::string_view kFeature = "timeline";
  std::shared_ptr<const TimelineView> view;  ///< The last one; null before the first.
  bool stale = false;                        ///< The view belongs to an earlier choice.
  bool coming = false;                       ///< A newer view was requested.
  std::string note;  ///< The reason why there is no view; empty if there is one or it is pending.
  /// A recorded point with a timeline, if the present point has none.
  std::optional<RecordedPlace> nearest;
  /// If the interpreter is in use: a recording with timelines, and its GPU's name. Otherwise empty.
  std::string recording, recordedName;
  /// The scene's launch has the same blocks, so choosing a block moves the stepper to it.
  bool sameGrid = false;
  /// The kinds of a phase's epochs by position, from the scene's steps; empty if unknown.
  std::vector<trace::StepKind> kinds;
  std::vector<trace::StepKind> kindsBefore;  ///< The kinds of the epochs before the first phase.
};

}  // namespace tilestep::features
