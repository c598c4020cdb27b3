// SPDX-License-Identifier: Apache-2.0
// The session's part in source and PTX: counts, the way from a line to the steps that ran it.
#include <algorithm>
#include <utility>

#include "model/session.h"

namespace tilestep::model {
namespace {

/// Whether some event of the step at `place` is one that `matches`.
template <class Matches>
bool anyEvent(const trace::Replay& replay, trace::StepGranularity grain, size_t place,
              Matches matches) {
  for (const trace::Replay::Piece& piece : replay.piecesOf(grain, place))
    if (matches(replay.recording().event(piece.event))) return true;
  return false;
}

}  // namespace

bool Session::goToLine(uint32_t line, bool forward) {
  if (!mainSide_ || line == 0) return false;
  stepper_.play(false, now_);
  const bool moved = stepper_.goToNext(forward, [&](size_t place) {
    return anyEvent(
        *mainSide_->replay, stepper_.grain(), place,
        [&](const trace::TraceEvent& event) { return mainSide_->lineOf(event) == line; });
  });
  dirty_ |= moved;
  return moved;
}

bool Session::goToInstruction(uint32_t instruction, bool forward) {
  if (!mainSide_) return false;
  stepper_.play(false, now_);
  const bool moved = stepper_.goToNext(forward, [&](size_t place) {
    return anyEvent(
        *mainSide_->replay, stepper_.grain(), place,
        [&](const trace::TraceEvent& event) { return event.instruction == instruction; });
  });
  dirty_ |= moved;
  return moved;
}

void Session::wantPtx(bool wanted) {
  if (std::exchange(ptx_.wanted, wanted) == wanted) return;
  dirty_ = true;
  if (!ptx_.failure.empty()) ptx_.asked.clear();  // Looking again asks again.
}

/// Asks for the PTX of the scene that is shown, once.
void Session::lookAtPtx() {
  const bool current = mainSide_ && mainSideKey_ == wanted_.sceneMain;
  if (!ptx_.wanted || !current || ptx_.key == mainSideKey_ || ptx_.asked == mainSideKey_) return;
  ptx_.asked = mainSideKey_;
  ptx_.failure.clear();
  requests_.askPtx(mainSideKey_, mainExperiment_);
}

void Session::acceptPtx(const std::string& key, const std::string& text) {
  if (key != "ptx " + ptx_.asked || !mainSide_) return;
  clearNotice("ptx");
  ptx_.key = ptx_.asked;
  ptx_.view = ptxViewOf(text, mainSide_->spec);
  if (!ptx_.view) ptx_.failure = "no entry of this kernel is in it";
}

void Session::publishSources(Snapshot& to) {
  to.broken = broken_;
  if (ptx_.countsOf != mainSide_) {
    ptx_.countsOf = mainSide_;
    ptx_.counts = mainSide_ ? std::make_shared<const RunCounts>(runCountsOf(*mainSide_)) : nullptr;
  }
  to.counts = ptx_.counts;
  if (!ptx_.wanted || ptx_.key != mainSideKey_) return;
  to.ptx = ptx_.view;
  to.ptxFailure = ptx_.failure;
  if (ptx_.instructionsOf != mainStep_) {
    ptx_.instructionsOf = mainStep_;
    ptx_.instructions =
        mainStep_ ? std::make_shared<const std::vector<uint32_t>>(instructionsOf(*mainStep_))
                  : nullptr;
  }
  to.instructions = ptx_.instructions;
}

}  // namespace tilestep::model
