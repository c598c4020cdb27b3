// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "compile/kernel.h"
#include "device/device.h"
#include "lab/experiment.h"
#include "model/choice/choice.h"
#include "model/choice/resolved.h"
#include "model/export/table.h"
#include "model/notice.h"
#include "model/scene/thread_work.h"
#include "model/scene/traced_kernel.h"
#include "model/text/step_text.h"
#include "model/timeline_figures.h"
#include "model/view.h"

namespace tilestep::model {

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
  std::optional<compile::Plan> plan;  ///< Of the scene.

  std::shared_ptr<const TracedKernel> mainKernel, companionKernel;  ///< The last good traces.
  std::shared_ptr<const TracedStep> main, companion;  ///< The last good pictures; null before.
  bool sceneStale = false;                            ///< They are of an earlier choice.
  std::string sentence;
  /// What each thread does in the step, in words.
  std::shared_ptr<const std::vector<ThreadLine>> mainLines, companionLines;
  std::shared_ptr<const BlockWork> mainWork, companionWork;  ///< What all threads do.
  std::string together;     ///< How both are stepped, and where they stand; empty for one.
  bool comparable = false;  ///< The counts of both steps.
  std::optional<BrokenSource> broken;
  Views views;                    ///< What each feature shows.
  std::vector<TableKind> tables;  ///< What of it can be copied and saved.
  /// The features' remarks on lines of the main kernel's source, by line; null for none.
  std::shared_ptr<const std::vector<LineNote>> notes;
  std::string stepText;  ///< What the features say of this step; may be empty.
  Position position;

  std::vector<device::DeviceInfo> devices;
  std::string compiler;
  std::string device;  ///< The one in use: "cuda:0", "simt"; empty until the worker has answered.
  bool measures = false;
  std::string recordedOn;  ///< The day, where the device in use is a recording; else empty.
  std::vector<std::string> roofDevices;  ///< Known devices whose roofs can be drawn.
  Badge badge;

  /// Whole-grid results that the figures are of: measured, counted on demand, or the scene's own.
  std::shared_ptr<const lab::RunResult> figuresMain, figuresCompanion;
  bool figuresStale = false;
  /// They are of the traced block alone: the grid is too large to be run for the scene.
  bool figuresOfBlock = false;
  bool countable = false;  ///< A count at the measured size can be asked for.
  /// The GPU's own counters of what was measured can be asked for.
  bool hardwareReadable = false;
  /// Of the measured launch, as the GPU's own clocks had it; absent until known.
  std::optional<TimelineFigures> timelineFigures;
  std::vector<HistoryPoint> history;

  std::vector<Notice> notices;
  Busy busy;
  bool canUndo = false, canRedo = false;

  /// What a feature shows, by the type of its view; an empty one where it has nothing to show.
  template <class V>
  [[nodiscard]] const V& view() const {
    static const V kNone;
    const V* found = views.get<V>();
    return found != nullptr ? *found : kNone;
  }
  [[nodiscard]] const compile::CatalogueEntry* entry() const {
    return kernel ? &(*catalogue)[*kernel] : nullptr;
  }
};

}  // namespace tilestep::model
