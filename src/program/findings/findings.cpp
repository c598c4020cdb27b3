// SPDX-License-Identifier: Apache-2.0
#include "program/findings/findings.h"

#include <iterator>

namespace tilestep::program {

void addFindings(ProgramRun& run) {
  constexpr Findings (*kAll[])(const ProgramRun&) = {
      notJudged,    hostPointers,     sharedSizes,  wrongSizes,       uncheckedErrors, unsetOutputs,
      unordered,    unchangedOutputs, unreadInputs, filledNumbers,    atomicsOnFloats, zerosAlone,
      neverAwaited, timers,           slowRequests, sharedWithoutUse, smallBlocks,     neverFreed};
  for (const auto look : kAll) {
    Findings found = look(run);
    run.findings.insert(run.findings.end(), std::make_move_iterator(found.begin()),
                        std::make_move_iterator(found.end()));
  }
}

}  // namespace tilestep::program
