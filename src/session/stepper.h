// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>

#include "session/side.h"

namespace tilestep::session {

enum class Move : uint8_t { first, back, forward, last };

/// Where both scenes stand. The main side is stepped at the chosen grain; the companion follows to
/// the same phase. Values only; one thread.
class Stepper {
 public:
  /// Either may be null. The position is kept where the steps allow it: the same step where their
  /// number is unchanged, else the start of the same phase, else the first step.
  void setSides(std::shared_ptr<const Side> main, std::shared_ptr<const Side> companion);

  /// False when there is nothing to move to.
  bool move(Move move);
  bool goTo(size_t index);
  /// To the step at this share (0 to 1) of a timeline whose epochs are all of one length.
  bool goToShare(double share);
  /// Its inverse: the middle of the present step.
  [[nodiscard]] double share() const;
  /// To where phase `phase` begins at this grain.
  bool goToPhase(uint32_t phase);
  /// Changes the grain and stays at the same moment. Until somebody does, it is the epoch, or the
  /// phase for a kernel with no barrier.
  void setGrain(trace::Grain grain);

  void play(bool playing, double now);
  void setSpeed(double stepsPerSecond);
  /// While playing: moves on when it is time; at the last step playing ends. True when it moved.
  bool tick(double now);

  [[nodiscard]] trace::Grain grain() const { return grain_; }
  [[nodiscard]] size_t index() const { return index_; }
  [[nodiscard]] size_t size() const { return main_ ? main_->replay->size(grain_) : 0; }
  [[nodiscard]] bool playing() const { return playing_; }
  [[nodiscard]] double speed() const { return speed_; }
  [[nodiscard]] std::optional<double> nextTick() const;

  [[nodiscard]] std::shared_ptr<const SideStep> mainStep() const;
  [[nodiscard]] std::shared_ptr<const SideStep> companionStep() const;

 private:
  struct Stretch;
  [[nodiscard]] std::optional<uint32_t> phaseNow() const;
  [[nodiscard]] Stretch stretchOf(size_t epoch) const;

  std::shared_ptr<const Side> main_, companion_;
  trace::Grain grain_ = trace::Grain::epoch;
  bool grainChosen_ = false;
  size_t index_ = 0;
  bool playing_ = false;
  double speed_ = 1, lastMoved_ = 0;
};

}  // namespace tilestep::session
