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
  std::string hover;  ///< The formula, with this launch's numbers.
};

/// Blocks on multiprocessors (SMs) over time, ready to be drawn: everything that may take longer
/// than a frame is computed here. Immutable. Times are ns from the first block's start.
struct TimelineView {
  trace::Timeline timeline;
  Dim3 grid;           ///< The launch's grid.
  std::string kernel;  ///< "matmul_tiled"
  compile::Bindings sizes, tunables;
  std::string title;     ///< "tiled, TILE_WIDTH 16, 1024 × 1024 × 1024: 4,096 blocks of 16 × 16"
  std::string origin;    ///< "measured on NVIDIA H200, by its own clocks"
  std::string overhead;  ///< The overhead of reading the clocks, in a sentence.
  std::vector<TimelineFact> facts;

  metrics::BlockLanes lanes;
  std::vector<metrics::StepSeries> blocksOfSm;  ///< By SM: the number of resident blocks.
  /// By SM: the sum of the waves of its resident blocks.
  std::vector<metrics::StepSeries> wavesOfSm;
  metrics::StepSeries warps;  ///< Resident warps on the whole GPU.
  /// Average cycles of a warp in each epoch of a phase; empty if none were kept.
  std::vector<metrics::EpochCycles> phaseCycles;
  uint64_t spanNs = 0;
  /// When the first SM ran out of blocks; the tail lasts from then to spanNs.
  uint64_t tailNs = 0;
  uint32_t waveCount = 0;

  [[nodiscard]] Dim3 blockAt(uint32_t index) const;
  /// Absent if the grid has no such block.
  [[nodiscard]] std::optional<uint32_t> indexOf(const Dim3& block) const;
  /// The row of a block's epochs; absent if they were not kept.
  [[nodiscard]] std::optional<size_t> rowOf(uint32_t index) const;
  /// Names an epoch by its position in the phase.
  using EpochName = std::function<std::string(uint32_t)>;
  /// How warps spent their time, and how long a phase takes a warp, both over the blocks whose
  /// epochs were kept; empty if none were kept.
  [[nodiscard]] std::string phaseText(const EpochName& epochName) const;
  /// The formulas of the shares in phaseText(), one per line, with this launch's numbers.
  [[nodiscard]] std::string phaseFormulas(const EpochName& epochName) const;
  /// "load 47.3 %, compute 42.3 %, at barriers 10.4 %"
  [[nodiscard]] static std::string sharesText(const metrics::PhaseTime& time,
                                              const EpochName& epochName);
  /// Of the blocks whose epochs were kept, the one nearest to `index`; absent if there is none.
  [[nodiscard]] std::optional<uint32_t> nearestWithEpochs(uint32_t index) const;
};

/// `result` must contain a timeline. The time grows as n log n with the number of blocks: 65,536 of
/// them take longer than a frame.
[[nodiscard]] std::shared_ptr<const TimelineView> timelineViewOf(const lab::RunResult& result);

struct TimelineStage : View {
  static constexpr std::string_view kFeature = "timeline";
  std::shared_ptr<const TimelineView> view;  ///< The last good view; null before the first.
  bool stale = false;                        ///< `view` shows an earlier choice.
  bool coming = false;                       ///< A newer timeline was requested.
  std::string note;  ///< Why there is no timeline; empty if there is one or one is pending.
  /// A recorded point that has a timeline, if the chosen point has none.
  std::optional<RecordedPlace> nearest;
  /// On the interpreter: a recording with timelines, and the GPU's name; otherwise empty.
  std::string recording, recordedName;
  /// The scene's launch has the same blocks, so choosing one moves the stepper there.
  bool sameGrid = false;
  /// The kinds of a phase's epochs, by position in the phase, taken from the scene's steps; empty
  /// if the scene does not show the launch.
  std::vector<trace::StepKind> kinds;
  std::vector<trace::StepKind> kindsBefore;  ///< The same for the epochs before the first phase.
};

}  // namespace tilestep::features
