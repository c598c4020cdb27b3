// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "features/lessons/lesson_figures.h"
#include "model/best_known.h"
#include "model/choice.h"
#include "model/feature.h"
#include "model/requests.h"
#include "model/session_options.h"
#include "model/session_state.h"
#include "model/snapshot.h"
#include "model/stepper.h"
#include "model/traced_kernel_maker.h"
#include "model/undo.h"
#include "worker/client.h"

namespace tilestep::model {

struct LadderInputs;  // features/ladder/ladder_view.h

/// What the window knows and wants. Commands change the choice or the position and return at once;
/// `poll` sends requests, takes answers, and publishes a new snapshot when anything changed. The
/// last good results stay until better ones come. One thread.
class Session {
 public:
  explicit Session(SessionOptions options);
  ~Session();

  /// Requests wait until there is a client.
  void connect(std::unique_ptr<worker::Client> client);
  /// There will be no client: says so, and the window goes on without results.
  void connectFailed(const Error& error);

  /// `now`: seconds since any moment, never falling. True when a new snapshot was published.
  bool poll(double now);
  [[nodiscard]] std::shared_ptr<const Snapshot> snapshot() const { return snapshot_; }
  /// In how many seconds `poll` has something to do at the latest; nothing: only after a command.
  [[nodiscard]] std::optional<double> untilNext() const;

  // What to look at. Each can be undone; calls between endGesture()s on one field count as one.
  void chooseKernel(const std::string& nameOrPath);
  void setTunable(const std::string& name, int64_t value);
  /// Sets all tunables to the best that are known for the device and the measured sizes; says so
  /// where none are.
  void takeBestKnown();
  /// Pads the main kernel's tiles by one column, or not any more; says so where it cannot be.
  void togglePadding();
  void setSceneSize(const std::string& name, int64_t value);
  void letSceneFollowTile();
  void setMeasureSize(const std::string& name, int64_t value);
  void linkSizes(bool scene, bool linked);
  void chooseDevice(const std::string& id);
  /// What if it ran on this known device: its roofs and limits. Empty: on the GPU in use, where
  /// there is one.
  void chooseRoofDevice(const std::string& id);
  /// To the next of them, or the one before, round and round.
  void stepRoofDevice(int by);
  /// Registers a thread, instead of what machine code says; 0: none assumed.
  void assumeRegisters(uint32_t count);
  void chooseBlock(const Dim3& block);
  /// A block of the timeline's launch; a scene of another one takes that launch's sizes first.
  void chooseTimelineBlock(const Dim3& block);
  /// What stands beside the kernel: a kernel's name or path, Comparison::kUsual or
  /// Comparison::kNone.
  void chooseBeside(const std::string& nameOrPath);
  /// To the next of what can stand there: the usual, nothing, each kernel that fits.
  void nextBeside(bool forward);
  void setBesideTunable(const std::string& name, int64_t value);
  /// Its tunables and block follow the main kernel again.
  void letBesideFollow();
  /// Its own traced block, where its blocks make other elements.
  void chooseBesideBlock(const Dim3& block);
  /// The main kernel and the one beside it change places, each with its tunables and block.
  void swapSides();
  /// Follows a thread of the block; nothing: none any more.
  void chooseThread(const std::optional<Dim3>& thread);
  /// To its neighbour, staying in the block; the first one where none was chosen.
  void moveThread(int dx, int dy);
  /// The scene without this __syncthreads() of the kernel (from 1; 0: with all), in the interpreter
  /// and beside the kernel as it is.
  void takeBarrierAway(uint32_t number);
  /// Each in turn, then none.
  void takeNextBarrierAway();
  /// The textbook's example: 4 x 4 matrices, tiles of 2 x 2, and the table of execution phases.
  void showClassic();
  void setLooks(const AppearanceSet& looks);
  [[nodiscard]] const AppearanceSet& looks() const { return choice_.looks; }
  /// Grows when undo() or redo() changed the looks: the window then takes them over.
  [[nodiscard]] unsigned looksTakenBack() const { return looksTakenBack_; }
  void endGesture() { undo_.endGesture(); }
  void undo();
  void redo();

  /// What the next run needs to begin where this one is; the window's own part is left out.
  [[nodiscard]] Saved saved() const;

  void measureAgain();
  /// Counts at the measured size on the interpreter, which may take a while.
  void countAtMeasureSize();
  void cancelCount();
  /// The measured launch on the interpreter instead of the GPU, where it is checked line by line.
  void runInInterpreter();
  /// Takes the sizes and tunables of a recorded point.
  void goTo(const RecordedPlace& place);
  /// Reads the GPU's own counters for what was measured, once nothing more urgent is asked; they
  /// take some more runs.
  void readHardware();
  // Pinned runs. Each change can be undone.
  /// Keeps what the figures are of now; says why where there is nothing to keep.
  void pinRun();
  void unpin(uint64_t id);
  /// Calls until endGesture() count as one; an empty name changes nothing.
  void renamePin(uint64_t id, const std::string& name);
  /// To the next of the colours.
  void recolourPin(uint64_t id);
  /// What the others are compared with.
  void chooseBase(uint64_t id);
  /// The pinned experiment again, on its device where that is here.
  void goToPin(uint64_t id);
  /// Another pointer after each change: to be kept at once. Null: none was ever pinned.
  [[nodiscard]] const PinsPointer& pins() const { return choice_.pins; }

  /// Live mode is looked at, or not any more: it runs as long as it is, unless paused.
  void watchLive(bool watched);
  /// What ended by an error begins again, too.
  void pauseLive(bool paused);
  void clearLive();
  /// The sweep's picture that is looked at; nothing: none is, which does not end what runs.
  void lookAtSweep(const std::optional<SweepChoice>& choice);
  /// Runs its points that were not run yet; all of them anew where none is left, or with `again`.
  void runSweep(bool again);
  /// What has come stays.
  void cancelSweep();
  /// Takes the kernel, tunables and sizes of one of its cells (SweepView::cells), and goes back to
  /// the scene. False where it cannot run.
  bool goToSweepPoint(size_t cell);
  /// Opens a file of `tilestep sweep` or of the window's own: its points stand in the pictures of
  /// its kernel until closeSweepFile().
  void openSweepFile(const std::string& path);
  void closeSweepFile();
  void dismiss(const std::string& about);
  void say(Notice notice);

  void move(Move move);
  void goTo(size_t index);
  /// See Stepper::goToShare.
  void goToShare(double share);
  void goToPhase(uint32_t phase);
  void setGrain(trace::StepGranularity grain);
  /// Steps are the chosen thread's events from now on, the first thread's where none is chosen.
  void stepThread();
  /// To the next step (or the one before) at this grain that ran a line of the main kernel's
  /// source, or an instruction of its PTX, round and round. False where none did.
  bool goToLine(uint32_t line, bool forward);
  bool goToInstruction(uint32_t instruction, bool forward);
  /// The main kernel's PTX is looked at, or not any more.
  void wantPtx(bool wanted);
  /// The table of execution phases is looked at, or not any more.
  void wantTable(bool wanted);
  void play(bool playing);
  void setSpeed(double stepsPerSecond);
  /// Which of the step's accesses the warp view looks at.
  void chooseAccess(const WarpChoice& choice);

  /// Opens a lesson's file at its first step; what is wrong with it becomes a notice, and what is
  /// open stays.
  void openLesson(const std::string& file);
  void closeLesson();
  /// To a step of the open lesson, from 0, and its scene.
  void goToLessonStep(size_t index);
  /// A number, of choices the chosen one's from 1.
  void answerLesson(double value);
  void revealLesson();

 private:
  void change(const std::string& field, const std::function<void(Choice&)>& apply);
  void goBackTo(std::optional<Choice> choice);
  void start(const SessionOptions& options);
  void restore(const Saved& saved, const std::string& device);
  void reloadCatalogue();
  void watchCatalogue();
  /// Of the kernels given by their paths, which no folder listing shows.
  [[nodiscard]] std::string signatureOfExtra() const;
  [[nodiscard]] std::string fileOf(const std::string& kernel) const;

  // Lessons (lessons.cpp).
  void findLessons();
  void show(const SceneRequest& wish);
  void wishMeasured(const SceneRequest& wish, Choice& choice) const;
  [[nodiscard]] std::string measuringDevice(const std::string& now) const;
  /// Once the scene that was wished for is there: to the step that was wished for.
  void takePlace();
  void openLessonFigures();
  void askLesson();
  void acceptLesson(const Arrival& arrival);
  void learnLesson();
  [[nodiscard]] RightAnswer rightAnswer() const;
  void publishLesson(Snapshot& to);

  // Pinned runs and marks (pinning.cpp).
  void changePins(const std::string& field, const std::function<void(Pins&)>& apply);
  void addBestKnown(const Snapshot& to, std::vector<ReferenceMark>& marks) const;

  // Legal values, the best ones known (tuning.cpp).
  void readTuned(const compile::CatalogueEntry& entry);
  void refreshTuning(const compile::CatalogueEntry& entry);
  void publishTuning(Snapshot& to) const;

  // From the choice to requests (plan_requests.cpp).
  void refresh();
  void resolveChoice();
  void sayAssumed(const compile::CatalogueEntry& entry);
  void refreshScene(const compile::CatalogueEntry& entry);
  void refreshCompanion(const compile::CatalogueEntry& entry);
  void wantScene(Slot slot, const std::string& key, const lab::Experiment& experiment);
  void refreshFigures(const compile::CatalogueEntry& entry);
  /// `all`: what is measured, the main kernel first.
  void refreshHardware(const std::vector<lab::Experiment>& all);
  /// The figures that belong to them; a null one has not come yet.
  [[nodiscard]] std::vector<std::shared_ptr<const lab::RunResult>*> measuredFigures();
  void refreshReference(const std::optional<lab::Experiment>& reference);
  [[nodiscard]] bool hardwareReadable() const;
  void refreshCeilings();
  // Live mode (streaming.cpp).
  /// `main`: the measured experiment; null where the choice cannot be launched.
  void refreshLive(const lab::Experiment* main);
  void takeLive();
  void liveEnded(const Error& error);
  void addRecordedLive(const lab::RunResult& result);
  void publishLive(Snapshot& to);
  [[nodiscard]] LiveRun liveRunOf(const lab::Experiment& experiment) const;
  [[nodiscard]] std::string whyNotLive() const;
  /// Once the measured point is there, so that no point waits for a timeline.
  void wantTimeline();
  void illegal(const compile::CatalogueEntry& entry, const Error& error);
  void unusable(const compile::CatalogueEntry& entry);
  // What stands beside the kernel (comparison.cpp).
  /// Tells both apart where they are one kernel, and lets the stepper have them.
  void placeSides();
  [[nodiscard]] std::shared_ptr<const TracedKernel> named(
      const std::shared_ptr<const TracedKernel>& side, const std::string& key,
      const std::string& difference);
  void publishBeside(Snapshot& to) const;
  [[nodiscard]] std::shared_ptr<const TracedKernel> cached(const std::string& key) const;
  void keep(const std::string& key, std::shared_ptr<const TracedKernel> side);

  // From answers to the state (handle_results.cpp).
  void accept(Arrival arrival);
  void acceptScene(Slot slot, const std::string& key, lab::RunResult result);
  bool openedRecording(const Arrival& arrival);
  void sayNearest(const lab::RunResult& result);
  // Sweeps (sweeping.cpp).
  void refreshSweep();
  void showSweep(const SweepInputs& inputs,
                 const std::shared_ptr<const lab::DeviceRecording>& recording);
  /// Of the device in use, read here; null while it is read, and where it cannot be.
  std::shared_ptr<const lab::DeviceRecording> recordingHere();
  void askSweep();
  void acceptSweep(const Arrival& arrival);
  void publishSweep(Snapshot& to);
  [[nodiscard]] std::optional<double> guessSweepSeconds() const;
  // The ladder, which is a sweep over its rungs (ladder_controller.cpp).
  [[nodiscard]] bool ladderShown() const;
  [[nodiscard]] compile::Bindings ladderSizes() const;
  const std::map<std::string, KnownTunables>& bestOfRungs(const device::DeviceInfo& device,
                                                          const compile::Bindings& sizes);
  SweepInputs ladderInputs(const device::DeviceInfo& device, const compile::CatalogueEntry* main);
  [[nodiscard]] std::optional<lab::Experiment> wantedLadderCount();
  void acceptLadderCount(const Arrival& arrival);
  void publishLadder(Snapshot& to);
  void addOwnRates(const device::DeviceInfo& device, LadderInputs& in);
  /// The rungs' measured speeds for the roofline, where the chosen kernel is one of them.
  const std::vector<RoofTrace>& rungTraces();
  void acceptSide(Slot slot, const std::string& key,
                  const std::shared_ptr<const TracedKernel>& side);
  void acceptFigures(Slot slot, const std::string& key, lab::RunResult result);
  void acceptCount(const std::string& key, lab::RunResult result);
  void acceptHardware(const std::string& key, const lab::RunResult& result);
  void acceptDevices(const worker::DevicesReply& reply);
  void acceptError(const Arrival& arrival, const Error& error);
  void reportProblems(const std::string& about, const lab::RunResult& result);
  void sayThatNoneFits(bool main, const std::string& key);
  void sayIfCut(const std::string& about, const TracedKernel& side);
  void appendHistory(const lab::RunResult& result);
  /// A name; the file of a path joins the catalogue.
  std::string takeKernel(const std::string& nameOrPath);
  void clearNotice(const std::string& about);

  // From the state to a snapshot (publish.cpp).
  void publish();
  void publishViews(Snapshot& to);
  void publishChoice(Snapshot& to) const;
  void publishScene(Snapshot& to);
  void lookAtWarp();
  // Source and PTX (sources.cpp).
  void lookAtPtx();
  void acceptPtx(const std::string& key, const std::string& text);
  void publishSources(Snapshot& to);
  // The chosen thread and the table (threads.cpp).
  void tellStory();
  void publishThread(Snapshot& to);
  static std::shared_ptr<const ThreadView> tell(ToldThread& told,
                                                const std::shared_ptr<const TracedStep>& step,
                                                const std::shared_ptr<const ThreadStory>& story);
  void publishFigures(Snapshot& to);
  [[nodiscard]] std::string sceneNote(const lab::RunResult& reference,
                                      const TracedKernel* beside) const;
  void publishGains(Snapshot& to) const;
  // The library's mark on the roofline (library_mark.cpp).
  void wantLibrary(const compile::CatalogueEntry& entry);
  void acceptLibrary(const std::string& key, const lab::RunResult& result);
  void libraryFailed();
  void addLibraryMark(std::vector<ReferenceMark>& marks) const;
  // Blocks over time (timelines.cpp).
  void acceptTimeline(const std::string& key, lab::RunResult result);
  void timelineFailed(const std::string& key, const Error& error);
  void takeTimelines();
  void offerRecording(TimelineStage& to) const;
  void publishTimeline(Snapshot& to) const;
  // Known devices (what_if_device.cpp).
  void findKnownDevices();
  [[nodiscard]] Badge badge() const;

  SessionOptions options_;
  Features features_;
  Requests requests_;
  TracedKernelMaker maker_;
  Choice choice_;
  Undo undo_;
  unsigned looksTakenBack_ = 0;
  std::string lastTunable_;
  CataloguePointer catalogue_ = std::make_shared<Catalogue>();
  std::vector<std::filesystem::path> extraKernels_;  ///< Given by their paths.
  std::string catalogueSignature_;
  double nextWatch_ = 0;

  std::string legalityKey_, tunedKey_;
  std::shared_ptr<const std::vector<TunableLegality>> legality_;
  TunedView tuned_;

  WantedKeys wanted_;
  std::vector<CachedKernel> cache_;  ///< Newest last.
  std::shared_ptr<const TracedKernel> mainSide_, companionSide_;
  std::string mainSideKey_, companionSideKey_;
  Stepper stepper_;

  /// A recording that is a file of its own: while it is opened, once it was tried, why it failed.
  std::string opening_, opened_, openingFailed_;
  bool devicesKnown_ = false, workerFailed_ = false;
  DevicesPointer devices_ = std::make_shared<Devices>();
  std::string compiler_;
  std::vector<std::string> roofDevices_;
  KnownDevicesPointer known_ = std::make_shared<KnownDevices>();
  ResolvedPointer resolved_ = resolve(choice_, catalogue_, devices_, known_);
  std::vector<TableKind> tables_;  ///< Of all features.
  std::optional<device::Ceilings> ceilings_;
  std::string ceilingsOf_;

  ShownFigures measured_, counted_;
  std::shared_ptr<const lab::RunResult> reference_;
  std::string referenceKey_;
  TimelineState timed_;
  LibraryProduct library_;
  std::vector<MakingTimeline> makingTimelines_;  ///< Those of many blocks, on other threads.
  lab::Experiment timelineExperiment_;           ///< Of wanted_.timeline.
  bool countWanted_ = false;
  std::string hardwareFor_;  ///< The measured experiment whose hardware counters are asked for.
  LiveState live_;
  std::vector<HistoryPoint> history_;
  uint64_t historyCount_ = 0;
  std::vector<FormerRun> former_;  ///< Of the history, for the roofline's trail.
  BestKnown best_;
  std::string assumedSaid_;  ///< The notice's text; it is not said again once it was sent away.
  std::vector<Notice> notices_;

  Sweeps sweeps_;
  SweepState sweep_;
  LadderState ladder_;
  RecordingHere recordingHere_;

  double now_ = 0;
  bool dirty_ = true;
  std::string stage_;
  bool wasBusy_ = false;
  std::shared_ptr<const Snapshot> snapshot_ = std::make_shared<Snapshot>();
  std::shared_ptr<const std::vector<TimelineEpoch>> timeline_;
  std::shared_ptr<const TracedKernel> timelineOf_;
  std::shared_ptr<const LoadHistory> story_;
  std::shared_ptr<const TracedStep> mainStep_, companionStep_;
  std::shared_ptr<const std::vector<ThreadLine>> mainLines_, companionLines_;
  std::string sentence_, together_;  ///< Of both steps.
  bool comparable_ = false;          ///< Their counts.
  LessonPlayer lesson_;
  std::string lessonFile_;  ///< Of the open one.
  LessonFigures lessonFigures_;
  std::string lessonAsked_;  ///< Key of the run that was asked for.
  std::vector<LessonEntry> lessons_;
  std::optional<SceneRequest> place_;  ///< To be taken when its scene has come.
  WarpChoice warpChoice_;
  std::shared_ptr<const WarpView> mainWarp_, companionWarp_;
  std::optional<BrokenSource> broken_;
  lab::Experiment mainExperiment_;  ///< Of wanted_.sceneMain.
  PtxState ptx_;
  ThreadState threads_;
};

}  // namespace tilestep::model
