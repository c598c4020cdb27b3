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
#include "model/launch_ratios.h"
#include "model/notice.h"
#include "model/scene/thread_work.h"
#include "model/scene/traced_kernel.h"
#include "model/text/step_text.h"
#include "model/timeline_figures.h"
#include "model/view.h"

namespace tilestep::model {

struct HistoryPoint {
  uint64_t number = 0;  ///< Counts from 1, and continues after old points are dropped.
  std::string label;    ///< "tiled · TILE_WIDTH 16"
  std::optional<double> medianMs, p10Ms, p90Ms, gflops;  ///< Measured times and speed.
  /// Counted bytes that lanes request, and bytes of the sectors that they touch. To make sizes
  /// comparable, both are divided by the number of floating-point operations or, for a kernel
  /// without any, by the number of stored elements.
  std::optional<double> askedBytes, sectorBytes;
  bool perFlop = false;
  std::string device;
  std::string method;  ///< The method of the measurement, in one line.
};

/// One epoch of the scrubber's timeline.
struct TimelineEpoch {
  trace::StepKind kind = trace::StepKind::whole;
  std::optional<uint32_t> phase;
};

struct Position {
  trace::StepGranularity grain = trace::StepGranularity::epoch;
  bool ofThread = false;  ///< Steps are the chosen thread's events only; `grain` is then event.
  size_t index = 0, size = 0;  ///< Steps at this granularity; if size is 0, there are no steps.
  /// The step's position as a fraction of a timeline whose epochs all have the same length.
  double share = 0;
  bool playing = false;
  double speed = 1;  ///< Steps per second.
  std::string text;  ///< "phase 2, third of 4 · epoch 5 · line 17"
  /// The recorder of the steps: "interpreter, same PTX"; empty if nothing is recorded yet.
  std::string recorder;
  std::shared_ptr<const std::vector<TimelineEpoch>> timeline;
  size_t epochStep = 0;  ///< The current epoch's index in the timeline.
};

/// The origin of the figures, always shown at the top of the window.
struct Badge {
  enum class Kind : uint8_t { starting, measured, recorded, interpreter, failed };
  Kind kind = Kind::starting;
  std::string text;  ///< "measured on NVIDIA H200"
  std::string hover;
};

struct Busy {
  bool scene = false, measure = false, count = false, questions = false;
  std::string stage;  ///< The worker's current activity; may be empty.
  [[nodiscard]] bool any() const { return scene || measure || count || questions; }
};

/// A source that cannot be used. The scene, if there is one, shows an earlier version.
struct BrokenSource {
  std::string file;  ///< The kernel's file, or its front matter's.
  std::string text;
  uint32_t line = 0;  ///< The faulty line; 0 if unknown.
  std::string message;
  std::string problem;  ///< A few words: "does not compile".
};

/// Everything that the panels draw. Immutable once published; old snapshots may be kept.
struct Snapshot {
  uint64_t version = 0;
  Choice choice;
  ResolvedPointer resolved;  ///< The resolved choice; null before the first.
  std::string lastTunable;   ///< The tunable whose slider moved last; empty if none has moved.
  std::shared_ptr<const Catalogue> catalogue = std::make_shared<Catalogue>();
  std::optional<size_t> kernel;  ///< The chosen kernel's index in the catalogue.
  /// As requested, with a value for every name; legal only if `plan` is set.
  compile::Bindings tunables, sceneSizes, measureSizes;
  bool sceneFollowsTile = true;
  std::optional<compile::Plan> plan;  ///< The scene's launch.

  std::shared_ptr<const TracedKernel> mainKernel, companionKernel;  ///< The last good traces.
  /// The last good steps; null before the first.
  std::shared_ptr<const TracedStep> main, companion;
  bool sceneStale = false;  ///< `main` and `companion` show an earlier choice.
  std::string sentence;
  /// The work of each thread in the step, in words.
  std::shared_ptr<const ThreadLines> mainLines, companionLines;
  std::shared_ptr<const BlockWork> mainWork, companionWork;  ///< The work of all threads.
  /// How the two kernels are stepped together, and their positions; empty without a companion.
  std::string together;
  bool comparable = false;  ///< Whether the counts of both steps can be compared.
  std::optional<BrokenSource> broken;
  Views views;                    ///< The views that the features publish.
  Shown shown;                    ///< The parts of `views` on which the rest of the window depends.
  std::vector<TableKind> tables;  ///< The tables that can be copied and saved.
  /// The features' notes on lines of the main kernel's source, sorted by line; null if none.
  std::shared_ptr<const std::vector<LineNote>> notes;
  std::string stepText;  ///< The features' text about this step; may be empty.
  Position position;

  std::vector<device::DeviceInfo> devices;
  std::string compiler;
  /// The device in use: "cuda:0", "simt"; empty until the worker has answered.
  std::string device;
  bool measures = false;
  /// The day of the recording if the device in use is a recording; otherwise empty.
  std::string recordedOn;
  std::vector<std::string> roofDevices;  ///< Known devices whose roofs can be drawn.
  Badge badge;

  /// The whole-grid results in the figures: measured, counted on demand, or those of the scene.
  std::shared_ptr<const lab::RunResult> figuresMain, figuresCompanion;
  /// The ratios between the main kernel's launch and the companion's. Empty if there is no
  /// companion, or if one of the two results belongs to an earlier choice.
  LaunchRatios ratios;
  bool figuresStale = false;
  /// The figures are only of the traced block, because the grid is too large to be run for the
  /// scene.
  bool figuresOfBlock = false;
  bool countable = false;  ///< A count at the measured size can be requested.
  /// The GPU's hardware counters for the measured launch can be requested.
  bool hardwareReadable = false;
  /// Figures of the measured launch from the GPU's own clocks; absent until known.
  std::optional<TimelineFigures> timelineFigures;
  std::vector<HistoryPoint> history;

  std::vector<Notice> notices;
  Busy busy;
  bool canUndo = false, canRedo = false;

  /// A feature's view, by its type; a default-constructed one if the feature has published none.
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
