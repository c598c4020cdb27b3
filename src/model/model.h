// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "model/best_known.h"
#include "model/choice/choice.h"
#include "model/choice/resolved.h"
#include "model/choice/scene_request.h"
#include "model/choice/undo.h"
#include "model/command.h"
#include "model/jobs.h"
#include "model/kernel_files.h"
#include "model/points.h"
#include "model/roofline_marks.h"
#include "model/scene/stepper.h"
#include "model/scene/thread_work.h"
#include "model/session_options.h"
#include "model/snapshot.h"
#include "model/timeline_figures.h"

namespace tilestep::model {

// The model's own jobs.
inline constexpr Job kSceneJob{"trace", Urgency::scene};
inline constexpr Job kCompanionJob{"companion", Urgency::sceneCompanion};
inline constexpr Job kMeasureJob{"measure", Urgency::figures};
inline constexpr Job kMeasureCompanionJob{"measure companion", Urgency::figuresCompanion};
inline constexpr Job kReferenceJob{"reference", Urgency::reference};
inline constexpr Job kCountJob{"count", Urgency::count};

/// Keys of the experiments that the choice currently requests; empty if none.
struct WantedKeys {
  std::string sceneMain, sceneCompanion, measureMain, measureCompanion, reference, hardware;
};

/// The traced kernels and their current steps. A key identifies the experiment of a trace.
struct Scene {
  /// The last good traces; null before the first trace.
  std::shared_ptr<const TracedKernel> main, companion;
  std::string mainKey, companionKey;
  std::shared_ptr<const BlockWork> mainWork, companionWork;   ///< The work of their threads.
  std::shared_ptr<const TracedStep> mainStep, companionStep;  ///< As last published.
  /// The experiment whose trace `main` should be.
  std::shared_ptr<const lab::Experiment> experiment;  ///< Null before the first experiment.
  std::optional<BrokenSource> broken;
};

/// Whole-grid results of the main kernel and its companion.
struct ShownFigures {
  std::shared_ptr<const lab::RunResult> main, companion;
  std::string mainKey, companionKey;
};

struct Figures {
  ShownFigures measured, counted;
  std::shared_ptr<const lab::RunResult> reference;  ///< The result that tiling is compared with.
  std::string referenceKey;
  /// Figures of the measured launch from the GPU's own clocks; absent until they have arrived.
  std::optional<TimelineFigures> timed;
  std::optional<LiveSplit> split;  ///< The split of its warps' cycles.
  std::string
      timedOf;  ///< The key of the measured experiment of `timed` and `split`; empty if none.
  std::optional<device::Ceilings> ceilings;
  std::string ceilingsOf;  ///< The id of the device whose ceilings are known.
  BestKnown best;
  std::vector<HistoryPoint> history;  ///< One point for each of the last changes.
  std::vector<FormerRun> former;      ///< The same runs, for the roofline's trail.
  uint64_t historyCount = 0;          ///< Number of points so far.
  bool countWanted = false;           ///< Count the whole launch on the interpreter.
  std::string hardwareFor;  ///< The measured experiment whose hardware counters are requested.
};

/// The user's position, as changed by lessons and steps.
struct Bookmark {
  Choice choice;
  Undo undo;
  ScenePosition place;
  bool measuringWanted = false;
};

/// The state that all features share. A feature may read all of it, and changes it only through its
/// functions. One thread only.
struct Model {
  explicit Model(SessionOptions with);

  /// Changes the choice. Changes of one field within one gesture are one undo step. The new choice
  /// is resolved, and its requests are made, after the command has ended.
  void change(const std::string& field, const std::function<void(Choice&)>& apply);
  void endGesture() { undo.endGesture(); }
  /// Applies the request to the choice, and moves to its step as soon as the scene has arrived.
  void show(const SceneRequest& request);
  /// Replaces the whole choice, without adding an undo step.
  void take(Choice next);
  [[nodiscard]] ScenePosition placeNow() const;
  [[nodiscard]] Bookmark bookmark() const { return {choice, undo, placeNow(), measuringWanted}; }
  /// Restores the choice, its undo history, and the position as soon as the scene has arrived.
  /// Pinned runs do not change.
  void returnTo(const Bookmark& bookmark);
  /// Returns a kernel's name; a path is first added to the kernels.
  std::string takeKernel(const std::string& nameOrPath);
  void readKernels();
  void sayHidden();
  void resolveChoice();
  /// Replaces the notice about the same subject.
  void say(Notice notice);
  void clearNotice(const std::string& about);
  /// Queues a command for another feature, to run after the current command.
  void ask(Command next) { commands.push_back(std::move(next)); }

  [[nodiscard]] const compile::CatalogueEntry* entry() const { return resolved->entry; }
  [[nodiscard]] bool sceneIsCurrent() const {
    return scene.main && scene.mainKey == wanted.sceneMain;
  }
  [[nodiscard]] bool measuredIsCurrent() const {
    return !wanted.measureMain.empty() && figures.measured.mainKey == wanted.measureMain;
  }
  /// The launch that is measured; absent if it is not legal or if no device is known.
  [[nodiscard]] std::optional<lab::Experiment> measuredExperiment() const;

  SessionOptions options;
  Jobs jobs;
  KernelFiles kernels;
  std::unique_ptr<Points> points;  ///< Never null.
  DevicesPointer devices = std::make_shared<Devices>();
  std::string compiler;
  bool workerFailed = false;
  KnownDevicesPointer known = std::make_shared<KnownDevices>();
  Choice choice;
  Undo undo;
  bool choiceChanged = false;  ///< The choice has changed since requests were last derived from it.
  bool measuringWanted = false;  ///< A lesson's step needs a device that provides times.
  unsigned looksTakenBack = 0;   ///< Grows when a command or undo changes the appearance settings.
  std::string lastTunable;       ///< The tunable whose slider moved last.
  ResolvedPointer resolved;      ///< The resolved choice; never null.
  WantedKeys wanted;
  Scene scene;
  Stepper stepper;
  std::optional<ScenePosition> place;  ///< The position to apply as soon as its scene has arrived.
  Figures figures;
  std::vector<Notice> notices;
  std::vector<Command> commands;  ///< Commands that were requested but have not run yet.
  std::shared_ptr<const Snapshot> shown = std::make_shared<Snapshot>();
  double now = 0;       ///< The time in seconds, as given to Session::poll.
  bool changed = true;  ///< Something visible has changed, so a snapshot must be published.
};

}  // namespace tilestep::model
