// SPDX-License-Identifier: Apache-2.0
// The session's part in source and PTX: counts, the way from a line to the steps that ran it.
#include <algorithm>
#include <utility>

#include "session/session.h"

namespace tilestep::session {
namespace {

/// Whether some event of the step at `place` is one that `matches`.
template <class Matches>
bool anyEvent(const trace::Replay& replay, trace::Grain grain, size_t place, Matches matches) {
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
  if (std::exchange(ptxWanted_, wanted) == wanted) return;
  dirty_ = true;
  if (!ptxFailure_.empty()) ptxAsked_.clear();  // Looking again asks again.
}

/// Asks for the PTX of the scene that is shown, once.
void Session::lookAtPtx() {
  const bool current = mainSide_ && mainSideKey_ == wanted_.sceneMain;
  if (!ptxWanted_ || !current || ptxKey_ == mainSideKey_ || ptxAsked_ == mainSideKey_) return;
  ptxAsked_ = mainSideKey_;
  ptxFailure_.clear();
  requests_.askPtx(mainSideKey_, mainExperiment_);
}

void Session::acceptPtx(const std::string& key, const std::string& text) {
  if (key != "ptx " + ptxAsked_ || !mainSide_) return;
  clearNotice("ptx");
  ptxKey_ = ptxAsked_;
  ptx_ = ptxViewOf(text, mainSide_->spec);
  if (!ptx_) ptxFailure_ = "no entry of this kernel is in it";
}

void Session::publishSources(Snapshot& to) {
  to.broken = broken_;
  if (countsOf_ != mainSide_) {
    countsOf_ = mainSide_;
    counts_ = mainSide_ ? std::make_shared<const RunCounts>(runCountsOf(*mainSide_)) : nullptr;
  }
  to.counts = counts_;
  if (!ptxWanted_ || ptxKey_ != mainSideKey_) return;
  to.ptx = ptx_;
  to.ptxFailure = ptxFailure_;
  if (instructionsOfStep_ != mainStep_) {
    instructionsOfStep_ = mainStep_;
    instructions_ = mainStep_
                        ? std::make_shared<const std::vector<uint32_t>>(instructionsOf(*mainStep_))
                        : nullptr;
  }
  to.instructions = instructions_;
}

}  // namespace tilestep::session
