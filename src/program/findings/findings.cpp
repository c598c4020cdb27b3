// SPDX-License-Identifier: Apache-2.0
#include "program/findings/findings.h"

#include <iterator>

namespace tilestep::program {

namespace {

using Look = Findings (*)(const ProgramRun&);

/// What holds of every run, however it ended.
constexpr Look kAlways[] = {hostPointers, sharedSizes,     wrongSizes,    uncheckedErrors,
                            unsetOutputs, unordered,       filledNumbers, atomicsOnFloats,
                            accumulated,  pageableCopies,  timers,        slowRequests,
                            smallBlocks,  sharedWithoutUse};
/// What a run that was cut short might still have done.
constexpr Look kAtTheEnd[] = {notJudged,  shortResults, unchangedOutputs, unreadInputs,
                              zerosAlone, neverAwaited, neverFreed};

}  // namespace

void addFindings(ProgramRun& run) {
  const auto add = [&](const auto& looks) {
    for (const Look look : looks) {
      Findings found = look(run);
      run.findings.insert(run.findings.end(), std::make_move_iterator(found.begin()),
                          std::make_move_iterator(found.end()));
    }
  };
  add(kAlways);
  if (!run.timedOut && run.signal == 0) add(kAtTheEnd);
}

}  // namespace tilestep::program
