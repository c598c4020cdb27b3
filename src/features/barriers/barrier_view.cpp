// SPDX-License-Identifier: Apache-2.0
// The session's part in barriers: taking one away, and what is shown of them.
#include <algorithm>

#include "model/session.h"

namespace tilestep::model {

void Session::takeBarrierAway(uint32_t number) {
  change("barrier", [&](Choice& choice) { choice.withoutBarrier = number; });
  endGesture();
}

void Session::takeNextBarrierAway() {
  const compile::CatalogueEntry* entry = findEntry(choice_.kernel);
  const size_t calls = entry == nullptr ? 0 : barrierCalls(entry->source.text).size();
  if (calls == 0)
    return say({Notice::Kind::info,
                "barrier",
                "This kernel has no __syncthreads() that could be taken away.",
                {},
                {}});
  takeBarrierAway(static_cast<uint32_t>((choice_.withoutBarrier + 1) % (calls + 1)));
}

void Session::changeKernel(const compile::CatalogueEntry& entry) {
  barriers_.changed = withoutBarrier(entry, choice_.withoutBarrier);
}

void Session::publishBarriers(Snapshot& to) {
  // The kernel with all its barriers: beside the changed one where one was taken away.
  const bool changed = mainSide_ && mainSide_->removedLine > 0;
  const bool beside = changed && companionSide_ && companionSide_->kernel == mainSide_->kernel;
  const std::shared_ptr<const TracedKernel> whole =
      changed ? (beside ? companionSide_ : nullptr) : mainSide_;
  if (barriers_.rolesOf != whole || !barriers_.roles) {
    barriers_.rolesOf = whole;
    barriers_.roles = std::make_shared<const std::vector<BarrierRole>>(
        whole ? barrierRoles(*whole) : std::vector<BarrierRole>());
    barriers_.notesOf = nullptr;
  }
  if (barriers_.notesOf != mainSide_) {
    barriers_.notesOf = mainSide_;
    barriers_.notes =
        mainSide_
            ? std::make_shared<const std::vector<LineNote>>(lineNotes(*mainSide_, *barriers_.roles))
            : nullptr;
  }
  if (barriers_.raceOf != mainSide_ || barriers_.raceGood != whole) {
    barriers_.raceOf = mainSide_;
    barriers_.raceGood = whole;
    barriers_.race = mainSide_ ? raceViewOf(*mainSide_, changed ? whole.get() : nullptr) : nullptr;
  }
  to.barriers = barriers_.roles;
  to.notes = barriers_.notes;
  to.race = barriers_.race;
  if (barriers_.race && !barriers_.race->verdict.empty()) to.sentence = barriers_.race->verdict;
  if (!mainStep_) return;
  if (changed)
    to.barrierText = "Line " + std::to_string(mainSide_->removedLine) +
                     " is taken away. The interpreter lets each warp run as far as it can before "
                     "the next one begins.";
  for (const BarrierRole& role : *barriers_.roles) {
    const std::string guards = guardText(role);
    const bool here = std::ranges::binary_search(mainStep_->step.lines, role.line);
    if (!here || guards.empty()) continue;
    to.barrierText += (to.barrierText.empty() ? "Barrier, line " : "\nBarrier, line ") +
                      std::to_string(role.line) + ": " + guards + ".";
  }
}

}  // namespace tilestep::model
