// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <future>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "features/ladder/ladder_counts.h"
#include "features/ladder/ladder_plan.h"
#include "features/sweeps/sweeps.h"
#include "model/snapshot.h"

/// What a Session keeps from one poll to the next, by what it is about. What is kept beside a
/// name ending in `Of` or `Key` was made of that, and is made anew once it is another.
namespace tilestep::model {

/// Of the main kernel and the one beside it; the keys say of which experiments.
struct ShownFigures {
  std::shared_ptr<const lab::RunResult> main, companion;
  std::string mainKey, companionKey;
};
struct ToldThread {  ///< Kept while step and story stay, so that nothing is drawn anew.
  std::shared_ptr<const TracedStep> step;
  std::shared_ptr<const ThreadStory> story;
  std::shared_ptr<const ThreadView> view;
};
struct TimelineState {  ///< What came of the last timeline that was asked for.
  std::string key;
  std::optional<TimelineFigures> figures;
  std::shared_ptr<const TimelineView> view;  ///< The last good one,
  std::string viewKey;                       ///< and whose it is; empty: an earlier one's.
  std::string note;                          ///< Why there is none.
  std::optional<RecordedPlace> nearest;
  std::optional<LiveSplit> split;
};
struct LibraryProduct {
  std::string key;
  std::optional<ReferenceMark> mark;
  std::string refusedBy;  ///< A device's id.
};
struct MakingTimeline {
  std::string key;
  std::future<std::shared_ptr<const TimelineView>> view;
};
struct CachedKernel {
  std::string key;
  std::shared_ptr<const TracedKernel> side;
};
struct WantedKeys {  ///< What the choice asks for at present; empty keys: nothing.
  std::string sceneMain, sceneCompanion, measureMain, measureCompanion, reference, timeline,
      hardware, library;
};

/// Live mode (streaming.cpp).
struct LiveState {
  LiveRecorder recorder;
  bool watched = false, paused = false;
  std::string ended;   ///< Why it ended by itself.
  double stopped = 0;  ///< Seconds.
};

/// The sweep's picture (sweeping.cpp).
struct SweepState {
  std::optional<SweepChoice> look;
  std::vector<compile::Bindings> now;  ///< See SweepViewInputs::now.
  std::string asked;                   ///< Key of the point that was asked for.
  std::shared_ptr<const SweepView> view;
  std::string viewKey;
};

/// The ladder (ladder_controller.cpp).
struct LadderState {
  std::vector<compile::CatalogueEntry> libraries;  ///< cuBLAS's products as kernels.
  LadderCounts counts;
  std::string asked;  ///< Key of the count that was asked for.
  std::shared_ptr<const LadderView> view;
  std::shared_ptr<const SweepView> of;
  std::string key;
  std::vector<RoofTrace> traces;
  std::string tracesKey;
  std::map<std::string, KnownTunables> best;  ///< By kernel.
  std::string bestKey;
};

/// Recordings that are read here and not by the worker (sweeping.cpp).
struct RecordingHere {
  std::shared_ptr<const lab::DeviceRecording> file;  ///< What an opened file holds.
  std::string of;  ///< The device whose recording is read, or was.
  std::future<Result<lab::DeviceRecording>> read;
  std::shared_ptr<const lab::DeviceRecording> now;
};

/// The PTX of the scene's kernel (sources.cpp).
struct PtxState {
  bool wanted = false;
  std::string asked, key;
  std::string failure;  ///< Why what was asked for last is not there.
  std::shared_ptr<const PtxView> view;
  std::shared_ptr<const TracedKernel> countsOf;
  std::shared_ptr<const RunCounts> counts;
  std::shared_ptr<const TracedStep> instructionsOf;
  std::shared_ptr<const std::vector<uint32_t>> instructions;
};

/// The chosen thread and the table of execution phases (threads.cpp).
struct ThreadState {
  std::shared_ptr<const ThreadStory> mainStory, companionStory;
  ToldThread mainTold, companionTold;
  bool grain = false;  ///< Wanted; the stepper has it once the story is told.
  std::shared_ptr<const std::vector<double>> marks;
  std::shared_ptr<const ThreadStory> marksOf;
  std::shared_ptr<const BlockWork> mainWork, companionWork;
  bool tableWanted = false;
  std::shared_ptr<const PhaseTable> mainTable, companionTable;
  std::shared_ptr<const TracedKernel> mainTableOf, companionTableOf;
};

}  // namespace tilestep::model
