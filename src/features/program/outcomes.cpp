// SPDX-License-Identifier: Apache-2.0
#include "features/program/outcomes.h"

#include <algorithm>

#include "base/figure.h"

namespace tilestep::features {

std::string whyFails(const Outcome& outcome) {
  if (outcome.refusal) return outcome.refusal->message;
  if (!outcome.summary) return {};
  if (outcome.summary->timedOut) return outcome.summary->ending;
  for (const lab::ProgramFinding& finding : outcome.summary->findings)
    if (finding.isFault && finding.kind == "launch-failed") return finding.message;
  return {};
}

bool helps(const Outcome& outcome, const lab::ProgramSummary& before) {
  return outcome.summary && !outcome.summary->timedOut &&
         outcome.summary->faults() < before.faults();
}

std::string fixOutcomeOf(const Outcome& outcome, const lab::ProgramSummary& before) {
  if (outcome.refusal)
    return "With this change, the program cannot be run: " + outcome.refusal->message;
  if (outcome.summary->timedOut)
    return "With this change, the program does not end within its time limit.";
  const uint64_t left = outcome.summary->faults();
  if (left == 0) return "With this change, no fault is found.";
  return "With this change, " + plural(left, "fault") + (left == 1 ? " is" : " are") +
         " found, instead of " + std::to_string(before.faults()) + ".";
}

void Outcomes::add(Outcome outcome) {
  constexpr size_t kMost = 96;
  std::erase_if(kept_, [&](const Outcome& each) {
    return each.text == outcome.text && each.arguments == outcome.arguments;
  });
  kept_.push_back(std::move(outcome));
  if (kept_.size() > kMost) kept_.pop_front();
}

const Outcome* Outcomes::find(const std::string& text, const std::string& arguments) const {
  const auto found = std::ranges::find_if(
      kept_, [&](const Outcome& each) { return each.text == text && each.arguments == arguments; });
  return found == kept_.end() ? nullptr : &*found;
}

}  // namespace tilestep::features
