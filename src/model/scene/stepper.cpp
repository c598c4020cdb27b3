// SPDX-License-Identifier: Apache-2.0
#include "model/scene/stepper.h"

#include <algorithm>
#include <array>
#include <utility>

namespace tilestep::model {
namespace {

constexpr std::array<const char*, 4> kMoves{"first", "back", "forward", "last"};

/// The companion's step for a main step outside of phases, which is its write-back.
std::optional<size_t> writeBackOf(const trace::Replay& replay) {
  const size_t size = replay.size(trace::StepGranularity::phase);
  if (size == 0) return std::nullopt;
  return replay.step(trace::StepGranularity::phase, size - 1).phase
             ? std::nullopt
             : std::optional<size_t>(size - 1);
}

/// The coarsest granularity that has several steps.
trace::StepGranularity usualGrain(const trace::Replay& replay) {
  const bool phasesOnly = replay.size(trace::StepGranularity::epoch) == 1 &&
                          replay.size(trace::StepGranularity::phase) > 1;
  return phasesOnly ? trace::StepGranularity::phase : trace::StepGranularity::epoch;
}

}  // namespace

std::string toWord(Move move) {
  return kMoves[static_cast<size_t>(move)];
}

bool fromWord(const std::string& word, Move& to) {
  const auto at = std::ranges::find(kMoves, word);
  if (at == kMoves.end()) return false;
  to = static_cast<Move>(at - kMoves.begin());
  return true;
}

size_t Stepper::size() const {
  if (!main_) return 0;
  return ofThread() ? threadEvents_.size() : main_->replay->size(grain_);
}

std::optional<uint32_t> Stepper::phaseNow() const {
  if (index_ >= size()) return std::nullopt;
  return main_->replay->step(grain_, place()).phase;
}

void Stepper::setSides(std::shared_ptr<const TracedKernel> main,
                       std::shared_ptr<const TracedKernel> companion) {
  const size_t before = size();
  const std::optional<uint32_t> phase = phaseNow();
  const bool newMain = main != main_;
  if (newMain && ofThread()) {  // The thread's events are not known yet.
    resume_ = {index_, threadEvents_.size()};
    index_ = place();
    threadEvents_.clear();
  }
  main_ = std::move(main);
  companion_ = std::move(companion);
  const trace::StepGranularity was = grain_;
  if (main_ && !grainChosen_) grain_ = usualGrain(*main_->replay);
  if (size() == before && grain_ == was) return;
  const std::optional<size_t> same =
      main_ && phase ? main_->replay->firstOfPhase(grain_, *phase) : std::nullopt;
  index_ = same.value_or(0);
  if (size() == 0) playing_ = false;
}

bool Stepper::goTo(size_t index) {
  if (index >= size() || index == index_) return false;
  index_ = index;
  return true;
}

bool Stepper::move(Move move) {
  const size_t count = size();
  if (count == 0) return false;
  switch (move) {
    case Move::first:
      return goTo(0);
    case Move::back:
      return index_ > 0 && goTo(index_ - 1);
    case Move::forward:
      return goTo(index_ + 1);
    case Move::last:
      return goTo(count - 1);
  }
  return false;
}

/// `size` steps from `begin` on, all of which end in the same epoch.
struct Stepper::Stretch {
  size_t begin = 0, size = 0;
};

std::optional<size_t> Stepper::lastOf(size_t epoch) const {
  const trace::Replay& replay = *main_->replay;
  if (!ofThread()) return replay.sameMoment(trace::StepGranularity::epoch, epoch, grain_);
  const size_t end =
      replay.sameMoment(trace::StepGranularity::epoch, epoch, trace::StepGranularity::event);
  const auto after = std::ranges::upper_bound(threadEvents_, end);
  if (after == threadEvents_.begin()) return std::nullopt;
  return static_cast<size_t>(after - threadEvents_.begin()) - 1;
}

Stepper::Stretch Stepper::stretchOf(size_t epoch) const {
  const size_t last = lastOf(epoch).value_or(0);
  const std::optional<size_t> before = epoch == 0 ? std::nullopt : lastOf(epoch - 1);
  if (!before) return {0, last + 1};
  return *before < last ? Stretch{*before + 1, last - *before} : Stretch{last, 1};
}

size_t Stepper::threadStepAt(size_t event) const {
  const auto after = std::ranges::upper_bound(threadEvents_, event);
  return after == threadEvents_.begin() ? 0
                                        : static_cast<size_t>(after - threadEvents_.begin()) - 1;
}

bool Stepper::goToShare(double share) {
  if (size() == 0) return false;
  const size_t epochs = main_->replay->size(trace::StepGranularity::epoch);
  const double at = std::clamp(share, 0.0, 1.0) * static_cast<double>(epochs);
  const size_t epoch = std::min(static_cast<size_t>(at), epochs - 1);
  const Stretch steps = stretchOf(epoch);
  const double within = (at - static_cast<double>(epoch)) * static_cast<double>(steps.size);
  return goTo(steps.begin + std::min(static_cast<size_t>(within), steps.size - 1));
}

double Stepper::shareOf(size_t index) const {
  if (index >= size()) return 0;
  const size_t epochs = main_->replay->size(trace::StepGranularity::epoch);
  const size_t place = ofThread() ? threadEvents_[index] : index;
  const size_t epoch = main_->replay->sameMoment(grain_, place, trace::StepGranularity::epoch);
  const Stretch steps = stretchOf(epoch);
  const double within = index < steps.begin ? 0 : static_cast<double>(index - steps.begin) + 0.5;
  return (static_cast<double>(epoch) + within / static_cast<double>(steps.size)) /
         static_cast<double>(epochs);
}

bool Stepper::goToPhase(uint32_t phase) {
  if (!main_) return false;
  const std::optional<size_t> first = main_->replay->firstOfPhase(grain_, phase);
  if (!first) return false;
  if (!ofThread()) return goTo(*first);
  const auto at = std::ranges::lower_bound(threadEvents_, *first);
  return at != threadEvents_.end() && goTo(static_cast<size_t>(at - threadEvents_.begin()));
}

bool Stepper::goToNext(bool forward, const std::function<bool(size_t place)>& holds) {
  const size_t count = size();
  for (size_t by = 1; by < count; ++by) {
    const size_t index = (index_ + (forward ? by : count - by)) % count;
    if (holds(ofThread() ? threadEvents_[index] : index)) return goTo(index);
  }
  return false;
}

void Stepper::setGrain(trace::StepGranularity grain) {
  threadWanted_ = false;
  grainChosen_ = true;
  followThread({});
  if (grain == grain_) return;
  if (index_ < size()) index_ = main_->replay->sameMoment(grain_, index_, grain);
  grain_ = grain;
}

void Stepper::followThread(std::vector<uint32_t> events) {
  const bool any = index_ < size();
  const size_t event =
      any ? main_->replay->sameMoment(grain_, place(), trace::StepGranularity::event) : size_t{0};
  if (events.empty()) {
    if (ofThread()) index_ = event;
    threadEvents_.clear();
    resume_.reset();
    return;
  }
  grainChosen_ = true;
  grain_ = trace::StepGranularity::event;
  threadEvents_ = std::move(events);
  index_ = threadStepAt(event);
  if (resume_ && resume_->second == threadEvents_.size()) index_ = resume_->first;
  resume_.reset();
}

void Stepper::play(bool playing, double now) {
  playing_ = playing && size() > 0;
  lastMoved_ = now;
  if (playing_ && index_ + 1 >= size()) index_ = 0;  // At the end, restart from the first step.
}

void Stepper::setSpeed(double stepsPerSecond) {
  speed_ = std::clamp(stepsPerSecond, 0.1, 60.0);
}

bool Stepper::tick(double now) {
  if (!playing_ || now < lastMoved_ + 1 / speed_) return false;
  lastMoved_ = now;
  const bool moved = move(Move::forward);
  if (!moved || index_ + 1 >= size()) playing_ = false;
  return true;
}

std::optional<double> Stepper::nextTick() const {
  return playing_ ? std::optional<double>(lastMoved_ + 1 / speed_) : std::nullopt;
}

std::shared_ptr<const TracedStep> Stepper::mainStep() const {
  return index_ < size() ? makeStep(main_, grain_, place()) : nullptr;
}

Together Stepper::together() const {
  if (!main_ || !companion_ || size() == 0) return Together::none;
  const trace::Replay& mine = *main_->replay;
  const trace::Replay& other = *companion_->replay;
  const trace::Cut &a = mine.cut(), &b = other.cut();
  const bool sameLoop =
      a.epochsPerPhase == b.epochsPerPhase && a.firstEpoch == b.firstEpoch && a.phases == b.phases;
  const bool byEpochs = a.phaseLength == 0 && b.phaseLength == 0;
  if (byEpochs && sameLoop &&
      mine.size(trace::StepGranularity::epoch) == other.size(trace::StepGranularity::epoch) &&
      mine.size(trace::StepGranularity::phase) == other.size(trace::StepGranularity::phase))
    return Together::epochs;
  const bool bothInPhases = main_->phases() > 0 && companion_->phases() > 0;
  const bool known = phaseLengthOf(*main_) > 0 && phaseLengthOf(*companion_) > 0;
  if (bothInPhases && (known || main_->phases() == companion_->phases())) return Together::k;
  return Together::share;
}

std::shared_ptr<const TracedStep> Stepper::companionAtK() const {
  const trace::Replay& main = *main_->replay;
  const trace::Replay& replay = *companion_->replay;
  const size_t count = replay.size(trace::StepGranularity::phase);
  if (count == 0) return nullptr;
  std::optional<uint32_t> phase = phaseNow();
  if (!phase)  // If a step spans several phases, the phase in which it ends is used.
    phase = main.step(trace::StepGranularity::phase,
                      main.sameMoment(grain_, place(), trace::StepGranularity::phase))
                .phase;
  if (!phase) {
    const size_t writeBack = writeBackOf(replay).value_or(count - 1);
    return makeStep(companion_, trace::StepGranularity::phase, writeBack);
  }
  uint64_t mine = phaseLengthOf(*main_), other = phaseLengthOf(*companion_);
  if (mine == 0 || other == 0) mine = other = 1;
  const auto at = [&](uint64_t k) {
    return replay.firstOfPhase(trace::StepGranularity::phase, static_cast<uint32_t>(k / other));
  };
  // If the companion has fewer phases, its last phase is used.
  const size_t last = at((uint64_t{*phase} + 1) * mine - 1).value_or(count - 1);
  const size_t first = std::min(at(uint64_t{*phase} * mine).value_or(last), last);
  return makeSteps(companion_, trace::StepGranularity::phase, first, last);
}

size_t Stepper::companionEpochByShare() const {
  const size_t mine = main_->replay->size(trace::StepGranularity::epoch);
  const size_t other = companion_->replay->size(trace::StepGranularity::epoch);
  const size_t epoch = main_->replay->sameMoment(grain_, place(), trace::StepGranularity::epoch);
  const Stretch steps = stretchOf(epoch);
  const size_t within = index_ < steps.begin ? 0 : std::min(index_ - steps.begin + 1, steps.size);
  // The completed share at the end of this step is over / all.
  const size_t over = epoch * steps.size + within, all = mine * steps.size;
  const size_t reached = (over * other + all - 1) / all;
  return std::min(std::max<size_t>(reached, 1), other) - 1;
}

std::shared_ptr<const TracedStep> Stepper::companionStep() const {
  if (index_ >= size()) return nullptr;
  const Together how = together();
  if (how == Together::none) return nullptr;
  if (how == Together::k) return companionAtK();
  const trace::Replay& replay = *companion_->replay;
  if (how == Together::epochs && grain_ == trace::StepGranularity::phase)
    return makeStep(companion_, trace::StepGranularity::phase, place());
  const size_t epochs = replay.size(trace::StepGranularity::epoch);
  if (epochs == 0) return nullptr;
  const size_t epoch = how == Together::share ? companionEpochByShare()
                                              : main_->replay->sameMoment(
                                                    grain_, place(), trace::StepGranularity::epoch);
  return makeStep(companion_, trace::StepGranularity::epoch, std::min(epoch, epochs - 1));
}

}  // namespace tilestep::model
