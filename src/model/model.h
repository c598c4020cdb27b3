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
#include "model/roofline_marks.h"
#include "model/scene/stepper.h"
#include "model/scene/thread_work.h"
#include "model/session_options.h"
#include "model/snapshot.h"
#include "model/timeline_figures.h"

namespace tilestep::model {

// The jobs of the model itself.
inline constexpr Job kSceneJob{"trace", Urgency::scene};
inline constexpr Job kCompanionJob{"companion", Urgency::sceneCompanion};
inline constexpr Job kMeasureJob{"measure", Urgency::figures};
inline constexpr Job kMeasureCompanionJob{"measure companion", Urgency::figuresCompanion};
inline constexpr Job kReferenceJob{"reference", Urgency::reference};
inline constexpr Job kCountJob{"count", Urgency::count};

/// What the choice asks for at present; empty keys: nothing.
struct WantedKeys {
  std::string sceneMain, sceneCompanion, measureMain, measureCompanion, reference, hardware;
};

/// The traced kernels and where they stand. A key says of which experiment a trace is.
struct Scene {
  std::shared_ptr<const TracedKernel> main, companion;  ///< The last good ones; null before.
  std::string mainKey, companionKey;
  std::shared_ptr<const BlockWork> mainWork, companionWork;   ///< What their threads do.
  std::shared_ptr<const TracedStep> mainStep, companionStep;  ///< As they were published last.
  lab::Experiment experiment;                                 ///< The one that `main` is wanted of.
  std::optional<BrokenSource> broken;
};

/// Whole-grid results of the main kernel and the one beside it.
struct ShownFigures {
  std::shared_ptr<const lab::RunResult> main, companion;
  std::string mainKey, companionKey;
};

/// What is known of the launches that are measured or counted.
struct Figures {
  ShownFigures measured, counted;
  std::shared_ptr<const lab::RunResult> reference;  ///< What tiling is compared with.
  std::string referenceKey;
  /// The measured launch by the GPU's own clocks, once that came.
  std::optional<TimelineFigures> timed;
  std::optional<LiveSplit> split;  ///< How its warps' cycles are split.
  std::string timedOf;             ///< Of which measured experiment; empty: of none.
  std::optional<device::Ceilings> ceilings;
  std::string ceilingsOf;  ///< A device's id.
  BestKnown best;
  std::vector<HistoryPoint> history;  ///< What came of the last changes.
  std::vector<FormerRun> former;      ///< The same, for the roofline's trail.
  uint64_t historyCount = 0;          ///< Points so far.
  bool countWanted = false;           ///< The whole launch, on the interpreter.
  std::string hardwareFor;  ///< The measured experiment whose hardware counters are asked for.
};

/// What all features share. A feature may read all of it, and changes what the functions change.
/// One thread.
struct Model {
  explicit Model(SessionOptions with);

  /// Changes the choice. Changes of one field within one gesture are one step of undo. What the
  /// new choice means and asks for is worked out when the command has ended.
  void change(const std::string& field, const std::function<void(Choice&)>& apply);
  void endGesture() { undo.endGesture(); }
  /// The choice that the request says, and its place once the scene is there.
  void show(const SceneRequest& request);
  /// A kernel's name; the file of a path joins the kernels.
  std::string takeKernel(const std::string& nameOrPath);
  void readKernels();
  void resolveChoice();
  /// Replaces what was said about the same.
  void say(Notice notice);
  void clearNotice(const std::string& about);
  /// Asks for a command of another feature; it is carried out once this one has ended.
  void ask(Command next) { commands.push_back(std::move(next)); }

  [[nodiscard]] const compile::CatalogueEntry* entry() const { return resolved->entry; }
  /// The scene that is shown is the one that was chosen.
  [[nodiscard]] bool sceneIsCurrent() const {
    return scene.main && scene.mainKey == wanted.sceneMain;
  }
  /// The measured figures are of the present choice.
  [[nodiscard]] bool measuredIsCurrent() const {
    return !wanted.measureMain.empty() && figures.measured.mainKey == wanted.measureMain;
  }
  /// The launch that is measured; nothing where it cannot be launched, or no device is known.
  [[nodiscard]] std::optional<lab::Experiment> measuredExperiment() const;

  SessionOptions options;
  Jobs jobs;
  KernelFiles kernels;
  DevicesPointer devices = std::make_shared<Devices>();
  std::string compiler;
  bool workerFailed = false;
  KnownDevicesPointer known = std::make_shared<KnownDevices>();
  Choice choice;
  Undo undo;
  bool choiceChanged = false;    ///< Since requests were made of it last.
  bool measuringWanted = false;  ///< A lesson's step wants a device that measures.
  unsigned looksTakenBack = 0;   ///< Grows when a command or undo changed the looks.
  std::string lastTunable;       ///< Whose slider moved last.
  ResolvedPointer resolved;      ///< What the choice means; never null.
  WantedKeys wanted;
  Scene scene;
  Stepper stepper;
  std::optional<SceneRequest> place;  ///< To be taken when its scene has come.
  Figures figures;
  std::vector<Notice> notices;
  std::vector<Command> commands;  ///< That were asked for and not carried out yet.
  std::shared_ptr<const Snapshot> shown = std::make_shared<Snapshot>();  ///< The last one.
  double now = 0;       ///< Seconds, as Session::poll has them.
  bool changed = true;  ///< Something that is shown: a snapshot has to be published.
};

}  // namespace tilestep::model
