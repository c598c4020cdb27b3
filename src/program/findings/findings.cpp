// SPDX-License-Identifier: Apache-2.0
#include "program/findings/findings.h"

#include <algorithm>
#include <iterator>

namespace tilestep::program {

namespace {

using Look = Findings (*)(const ProgramRun&);

/// Findings in every run, however it ended.
constexpr Look kAlways[] = {hostPointers, sharedSizes,     wrongSizes,    uncheckedErrors,
                            unsetOutputs, unordered,       filledNumbers, atomicsOnFloats,
                            accumulated,  pageableCopies,  timers,        slowRequests,
                            smallBlocks,  sharedWithoutUse};
/// Findings of complete runs only. Others might still have done the missing work.
constexpr Look kAtTheEnd[] = {notJudged,  shortResults, unchangedOutputs, unreadInputs,
                              zerosAlone, neverAwaited, neverFreed};

/// If some launches were not examined, only findings about the host are reported.
constexpr Look kOfTheHost[] = {uncheckedErrors, timers, smallBlocks};
constexpr Look kOfTheHostAtTheEnd[] = {notJudged, neverAwaited, neverFreed};

}  // namespace

void addFindings(ProgramRun& run) {
  moveHarmlessRaces(run);
  const auto add = [&](const auto& looks) {
    for (const Look look : looks) {
      Findings found = look(run);
      run.findings.insert(run.findings.end(), std::make_move_iterator(found.begin()),
                          std::make_move_iterator(found.end()));
    }
  };
  const bool isWhole = !run.timedOut && run.signal == 0;
  const bool isSeen = std::ranges::all_of(
      run.launches, [](const LaunchRecord& launch) { return launch.notLooked.empty(); });
  if (isSeen) {
    add(kAlways);
    if (isWhole) add(kAtTheEnd);
  } else {
    add(kOfTheHost);
    if (isWhole) add(kOfTheHostAtTheEnd);
  }
}

}  // namespace tilestep::program
