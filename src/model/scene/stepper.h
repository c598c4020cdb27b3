// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "model/scene/traced_kernel.h"

namespace tilestep::model {

enum class Move : uint8_t { first, back, forward, last };
// One word of a command (model/command.h).
[[nodiscard]] std::string toWord(Move move);
bool fromWord(const std::string& word, Move& to);

/// How the companion follows the main side.
enum class Together : uint8_t {
  none,    ///< There is nothing to follow, or nothing that follows.
  epochs,  ///< Both pass the same barriers: epoch for epoch.
  k,       ///< To all of its phases that go over the same elements along k, taken as one.
  share,   ///< They have nothing in common: as large a share of its epochs is over.
};

/// Where both scenes stand. The main side is stepped at the chosen grain; the companion follows, as
/// Together says. Values only; one thread.
class Stepper {
 public:
  /// Either may be null. The position is kept where the steps allow it: the same step where their
  /// number is unchanged, else the start of the same phase, else the first step.
  void setSides(std::shared_ptr<const TracedKernel> main,
                std::shared_ptr<const TracedKernel> companion);

  /// False when there is nothing to move to.
  bool move(Move move);
  bool goTo(size_t index);
  /// To the step at this share (0 to 1) of a timeline whose epochs are all of one length.
  bool goToShare(double share);
  /// To where phase `phase` begins at this grain.
  bool goToPhase(uint32_t phase);
  /// To the next step, or the one before, of which `holds` is true: it gets the step's place at
  /// `grain()`. Goes on at the other end; false where there is none but the present one.
  bool goToNext(bool forward, const std::function<bool(size_t place)>& holds);
  /// Changes the grain and stays at the same moment. Until somebody does, it is the epoch, or the
  /// phase for a kernel with no barrier.
  void setGrain(trace::StepGranularity grain);
  /// The finest grain: the events of one thread alone, ascending, of the main side; empty leaves
  /// it for the grain of single events. Stays at the same moment: the thread's event there, or its
  /// latest before.
  void followThread(std::vector<uint32_t> events);
  /// Whether a thread is to be followed as soon as its events are known; setGrain ends it.
  void wantThread(bool wanted) { threadWanted_ = wanted; }
  [[nodiscard]] bool threadWanted() const { return threadWanted_; }

  void play(bool playing, double now);
  void setSpeed(double stepsPerSecond);
  /// While playing: moves on when it is time; at the last step playing ends. True when it moved.
  bool tick(double now);

  [[nodiscard]] trace::StepGranularity grain() const { return grain_; }
  [[nodiscard]] size_t index() const { return index_; }
  [[nodiscard]] size_t size() const;
  [[nodiscard]] bool ofThread() const { return !threadEvents_.empty(); }
  /// The present step's index at `grain()`, which differs from `index` where a thread is followed.
  [[nodiscard]] size_t place() const { return ofThread() ? threadEvents_[index_] : index_; }
  /// Where step `index` lies in a timeline whose epochs are all of one length: its middle.
  [[nodiscard]] double shareOf(size_t index) const;
  [[nodiscard]] bool playing() const { return playing_; }
  [[nodiscard]] double speed() const { return speed_; }
  [[nodiscard]] std::optional<double> nextTick() const;

  [[nodiscard]] std::shared_ptr<const TracedStep> mainStep() const;
  [[nodiscard]] std::shared_ptr<const TracedStep> companionStep() const;
  [[nodiscard]] Together together() const;

 private:
  struct Stretch;
  [[nodiscard]] std::shared_ptr<const TracedStep> companionAtK() const;
  [[nodiscard]] size_t companionEpochByShare() const;
  [[nodiscard]] std::optional<uint32_t> phaseNow() const;
  [[nodiscard]] Stretch stretchOf(size_t epoch) const;
  /// The last step that ends in this epoch or before; nothing: none does.
  [[nodiscard]] std::optional<size_t> lastOf(size_t epoch) const;
  /// The thread's event at `event`, or its latest before; its first where there is none.
  [[nodiscard]] size_t threadStepAt(size_t event) const;

  std::shared_ptr<const TracedKernel> main_, companion_;
  trace::StepGranularity grain_ = trace::StepGranularity::epoch;
  bool grainChosen_ = false;
  size_t index_ = 0;
  bool threadWanted_ = false;
  std::vector<uint32_t> threadEvents_;  ///< Steps are these where there are any.
  /// Index and number of the thread's steps before the main side changed: taken up again where
  /// the new one has as many.
  std::optional<std::pair<size_t, size_t>> resume_;
  bool playing_ = false;
  double speed_ = 1, lastMoved_ = 0;
};

}  // namespace tilestep::model
