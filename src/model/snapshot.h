// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "compile/kernel.h"
#include "device/device.h"
#include "features/lessons/lesson_player.h"
#include "features/live/live.h"
#include "features/load_history/load_history.h"
#include "features/phases/phase_table.h"
#include "features/roofline/roofline_view.h"
#include "features/source/ptx_view.h"
#include "features/sweeps/sweep_view.h"
#include "features/threads/thread_view.h"
#include "features/timeline/timeline_view.h"
#include "features/tuning/legality.h"
#include "features/warps/warp_view.h"
#include "lab/experiment.h"
#include "model/choice.h"
#include "model/export/table.h"
#include "model/notice.h"
#include "model/resolved.h"
#include "model/text/step_text.h"
#include "model/text/traffic.h"
#include "model/timeline_figures.h"
#include "model/traced_kernel.h"
#include "model/view.h"

namespace tilestep::model {

struct LadderView;  // features/ladder/ladder_view.h

/// A lesson that comes with the program.
struct LessonEntry {
  std::string file, title;
  bool operator==(const LessonEntry&) const = default;
};

/// What came of one change, for the plots over time.
struct HistoryPoint {
  uint64_t number = 0;  ///< Counts from 1 and goes on when old points are dropped.
  std::string label;    ///< "tiled · TILE_WIDTH 16"
  std::optional<double> medianMs, p10Ms, p90Ms, gflops;  ///< Measured.
  /// Counted, so that sizes compare: bytes that lanes ask to load and bytes of the sectors they
  /// touch, each a floating-point operation, or an element stored where a kernel has none.
  std::optional<double> askedBytes, sectorBytes;
  bool perFlop = false;
  std::string device;
  std::string method;  ///< Of the measurement, in one line.
};

/// The timeline at the epoch grain, for the scrubber.
struct TimelineEpoch {
  trace::StepKind kind = trace::StepKind::whole;
  std::optional<uint32_t> phase;
};

struct Position {
  trace::StepGranularity grain = trace::StepGranularity::epoch;
  bool ofThread = false;  ///< Steps are the chosen thread's events alone; `grain` is then event.
  size_t index = 0, size = 0;  ///< Steps at this grain; size 0: nothing to step through.
  double share = 0;  ///< Of the timeline, whose epochs are all of one length: where the step lies.
  bool playing = false;
  double speed = 1;      ///< Steps a second.
  std::string text;      ///< "phase ph 2, third of 4 · epoch 5 · line 17"
  std::string recorder;  ///< Who recorded the steps: "interpreter, same PTX"; empty for none yet.
  std::shared_ptr<const std::vector<TimelineEpoch>> timeline;
  size_t epochStep = 0;  ///< Where this moment is in the timeline.
  /// Where the chosen thread's events lie, as `share`; null where there are none or too many.
  std::shared_ptr<const std::vector<double>> marks;
};

/// Where figures come from, said at the top of the window at all times.
struct Badge {
  enum class Kind : uint8_t { starting, measured, recorded, interpreter, failed };
  Kind kind = Kind::starting;
  std::string text;  ///< "measured on NVIDIA H200"
  std::string hover;
};

struct Busy {
  bool scene = false, measure = false, count = false, questions = false;
  std::string stage;  ///< What the worker does now; may be empty.
  [[nodiscard]] bool any() const { return scene || measure || count || questions; }
};

/// What stands beside the kernel, and what could.
struct ComparisonView {
  std::vector<std::string> kernels;  ///< Names of those that fit, as in the catalogue.
  std::optional<size_t> entry;       ///< In the catalogue; nothing: none stands there.
  compile::Bindings tunables;        ///< Its own in the scene, every name filled in.
  bool follows = true;               ///< None of them was chosen.
  bool ownBlock = false;             ///< Its blocks make other elements: it has one of its own.
  std::string trouble;               ///< Why what was chosen does not stand there; else empty.
  std::string together;              ///< How both are stepped, and where they stand.
  std::string instead;  ///< What stands there while a barrier is taken away; else empty.
};

/// The best tunables that are known for the chosen kernel, device and measured sizes.
struct TunedView {
  bool known = false;
  bool taken = false;  ///< They are chosen.
  compile::Bindings tunables;
  std::string text;  ///< Where they come from, or how to find them.
};

/// A source that cannot be used; the scene, where there is one, is of an earlier one.
struct BrokenSource {
  std::string file;  ///< The kernel's, or that of its front matter.
  std::string text;
  uint32_t line = 0;  ///< At fault; 0: none is known.
  std::string message;
  std::string problem;  ///< In few words: "does not compile".
};

/// All that the panels draw. Immutable once published; any number may be kept.
struct Snapshot {
  uint64_t version = 0;
  Choice choice;
  ResolvedPointer resolved;  ///< What that means with what is there; null before the first.
  std::string lastTunable;   ///< Whose slider moved last; empty: none did.
  std::shared_ptr<const Catalogue> catalogue = std::make_shared<Catalogue>();
  std::optional<size_t> kernel;  ///< The chosen one in the catalogue.
  /// As wanted, every name filled in; legal only where `plan` is there.
  compile::Bindings tunables, sceneSizes, measureSizes;
  bool sceneFollowsTile = true;
  /// By tunable; null where the kernel cannot be read.
  std::shared_ptr<const std::vector<TunableLegality>> legality;
  std::string resources;  ///< What a block takes of the device's limits; empty: it is not legal.
  TunedView tuned;
  std::optional<compile::Plan> plan;  ///< Of the scene.

  ComparisonView beside;
  std::shared_ptr<const TracedKernel> mainKernel, companionKernel;  ///< The last good traces.
  std::shared_ptr<const TracedStep> main, companion;  ///< The last good pictures; null before.
  bool sceneStale = false;                            ///< They are of an earlier choice.
  std::string sentence;
  /// What each thread does in the step, in words.
  std::shared_ptr<const std::vector<ThreadLine>> mainLines, companionLines;
  /// One warp instruction of the step against sectors or banks; null where it has none.
  std::shared_ptr<const WarpView> mainWarp, companionWarp;
  /// The chosen thread, and the one beside it that makes the same element; null: none is chosen.
  std::shared_ptr<const ThreadView> mainThread, companionThread;
  /// The execution phases, threads against phases; null where nobody asked for them yet, and where
  /// there are none or too many.
  std::shared_ptr<const PhaseTable> mainTable, companionTable;
  bool tableWanted = false;
  /// For tables: the story of the chosen thread, and what all threads do.
  std::shared_ptr<const ThreadStory> mainStory, companionStory;
  std::shared_ptr<const BlockWork> mainWork, companionWork;
  std::shared_ptr<const RunCounts> counts;  ///< Of the main kernel's lines and instructions.
  std::shared_ptr<const PtxView> ptx;       ///< Of the main kernel, once asked for and there.
  std::string ptxFailure;                   ///< Why it is not there; empty while it may still come.
  /// Those of its instructions that the step runs, ascending.
  std::shared_ptr<const std::vector<uint32_t>> instructions;
  std::optional<BrokenSource> broken;
  Views views;                    ///< What each feature shows.
  std::vector<TableKind> tables;  ///< What of it can be copied and saved.
  /// The features' remarks on lines of the main kernel's source, by line; null for none.
  std::shared_ptr<const std::vector<LineNote>> notes;
  std::string stepText;  ///< What the features say of this step; may be empty.
  Position position;
  std::shared_ptr<const LoadHistory>
      story;              ///< Loads as the phases pass; null where there are none.
  size_t phasesOver = 0;  ///< Of the story's phases, at the end of this one.

  std::vector<device::DeviceInfo> devices;
  std::string compiler;
  std::string device;  ///< The one in use: "cuda:0", "simt"; empty until the worker has answered.
  bool measures = false;
  std::string recordedOn;  ///< The day, where the device in use is a recording; else empty.
  std::vector<std::string> roofDevices;  ///< Known devices whose roofs can be drawn.
  Badge badge;

  /// Whole-grid results that the figures are of: measured, counted on demand, or the scene's own.
  std::shared_ptr<const lab::RunResult> figuresMain, figuresCompanion;
  bool gainsKnown = false;  ///< `gains` compares something with the naive kernel.
  bool figuresStale = false;
  /// They are of the traced block alone: the grid is too large to be run for the scene.
  bool figuresOfBlock = false;
  bool countable = false;  ///< A count at the measured size can be asked for.
  /// The GPU's own counters of what was measured can be asked for.
  bool hardwareReadable = false;
  RooflineView roofline;
  TrafficTable phaseTraffic, gridTraffic;
  Gains gains;
  /// Of the measured launch, as the GPU's own clocks had it; absent until known.
  std::optional<TimelineFigures> timelineFigures;
  TimelineStage timeline;  ///< Of the measured launch.
  std::vector<HistoryPoint> history;
  std::shared_ptr<const LiveView> live = std::make_shared<LiveView>();

  /// The sweep's picture that is looked at; null where none is, or while a recording is opened.
  std::shared_ptr<const SweepView> sweep;
  /// The same explained, where it is the ladder; else null.
  std::shared_ptr<const LadderView> ladder;
  SweepProgress sweepProgress;  ///< Of the sweep that runs, looked at or not.

  std::optional<LessonView> lesson;
  std::vector<LessonEntry> lessons;  ///< Those that can be opened.

  std::vector<Notice> notices;
  Busy busy;
  bool canUndo = false, canRedo = false;

  [[nodiscard]] const compile::CatalogueEntry* entry() const {
    return kernel ? &(*catalogue)[*kernel] : nullptr;
  }
};

}  // namespace tilestep::model
