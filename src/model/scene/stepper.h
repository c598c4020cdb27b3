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
// Conversions to and from a command's word (model/command.h).
[[nodiscard]] std::string toWord(Move move);
bool fromWord(const std::string& word, Move& to);

enum class Together : uint8_t {
  none,    ///< No companion, or a companion that cannot follow.
  epochs,  ///< Both kernels pass the same barriers, so the companion moves epoch by epoch.
  k,  ///< The companion shows all of its phases that cover the same elements along k as one step.
  share,  ///< Neither of these applies, so the companion shows the same fraction of its epochs.
};

/// The positions in both scenes. The main kernel is stepped at the chosen granularity, and the
/// companion follows as specified by Together. One thread only.
class Stepper {
 public:
  /// Either argument may be null. The position is kept as far as possible: the same step if the
  /// number of steps is unchanged, otherwise the start of the same phase, otherwise the first step.
  void setSides(std::shared_ptr<const TracedKernel> main,
                std::shared_ptr<const TracedKernel> companion);

  /// False if there is no step to move to.
  bool move(Move move);
  bool goTo(size_t index);
  /// Goes to the step at this fraction (0 to 1) of a timeline whose epochs all have the same
  /// length.
  bool goToShare(double share);
  /// Goes to the beginning of phase `phase` at the current granularity.
  bool goToPhase(uint32_t phase);
  /// Goes to the next or the previous step for which `holds` is true. `holds` receives the step's
  /// index at `grain()`. Wraps around at the ends. False if no step other than the current one
  /// qualifies.
  bool goToNext(bool forward, const std::function<bool(size_t place)>& holds);
  /// Changes the granularity and stays at the same moment. The default is the epoch, or the phase
  /// for a kernel without barriers.
  void setGrain(trace::StepGranularity grain);
  /// Steps through the events of one thread of the main kernel, the finest granularity. `events`
  /// are in ascending order; if empty, steps are single events of the block again. Stays at the
  /// same moment: at the thread's event there or, if there is none, at the thread's latest earlier
  /// event.
  void followThread(std::vector<uint32_t> events);
  /// Whether to follow a thread as soon as its events are known; setGrain resets it.
  void wantThread(bool wanted) { threadWanted_ = wanted; }
  [[nodiscard]] bool threadWanted() const { return threadWanted_; }

  void play(bool playing, double now);
  void setSpeed(double stepsPerSecond);
  /// While playing, advances when it is time to, and stops at the last step. True if it moved.
  bool tick(double now);

  [[nodiscard]] trace::StepGranularity grain() const { return grain_; }
  [[nodiscard]] size_t index() const { return index_; }
  [[nodiscard]] size_t size() const;
  [[nodiscard]] bool ofThread() const { return !threadEvents_.empty(); }
  /// The current step's index at `grain()`, which differs from `index` while a thread is followed.
  [[nodiscard]] size_t place() const { return ofThread() ? threadEvents_[index_] : index_; }
  /// The middle of step `index` in a timeline whose epochs all have the same length, as a fraction.
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
  /// The last step that ends in this epoch or an earlier one; absent if there is none.
  [[nodiscard]] std::optional<size_t> lastOf(size_t epoch) const;
  /// The thread's event at `event`, otherwise its latest earlier event, otherwise its first event.
  [[nodiscard]] size_t threadStepAt(size_t event) const;

  std::shared_ptr<const TracedKernel> main_, companion_;
  trace::StepGranularity grain_ = trace::StepGranularity::epoch;
  bool grainChosen_ = false;
  size_t index_ = 0;
  bool threadWanted_ = false;
  std::vector<uint32_t> threadEvents_;  ///< If not empty, the steps are these events.
  /// Index and number of the thread's steps before the main kernel changed. The index is restored
  /// if the thread has the same number of steps in the new trace.
  std::optional<std::pair<size_t, size_t>> resume_;
  bool playing_ = false;
  double speed_ = 1, lastMoved_ = 0;
};

}  // namespace tilestep::model
