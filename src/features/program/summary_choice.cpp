// SPDX-License-Identifier: Apache-2.0
#include "features/program/summary_choice.h"

#include <algorithm>

namespace tilestep::features {

size_t firstCause(const lab::ProgramSummary& summary) {
  const auto& all = summary.findings;
  const auto numberOf = [&](auto at) { return static_cast<size_t>(at - all.begin()); };
  if (!all.empty() && all.front().kind == "uninitialised-read") {
    const auto race = std::ranges::find_if(all, [&](const lab::ProgramFinding& finding) {
      return finding.isFault && finding.otherLine != 0 && finding.line == all.front().line;
    });
    if (race != all.end()) return numberOf(race);
  }
  const auto cause = std::ranges::find_if(all, [](const lab::ProgramFinding& finding) {
    return finding.isFault && finding.kind != "unchecked-error";
  });
  return cause == all.end() ? 0 : numberOf(cause);
}

uint64_t launchToShow(const lab::ProgramSummary& summary, uint64_t before) {
  const auto canShow = [&](uint64_t number) {
    const lab::ProgramStep* step = stepOf(summary, number);
    return step != nullptr && step->ran;
  };
  if (before != 0 && canShow(before)) return before;
  for (const lab::ProgramFinding& finding : summary.findings)
    if (finding.isFault && finding.launch != 0 && canShow(finding.launch)) return finding.launch;
  for (const lab::ProgramStep& step : summary.steps)
    if (step.launch != 0 && step.ran) return step.launch;
  return 0;
}

const lab::ProgramStep* stepOf(const lab::ProgramSummary& summary, uint64_t launch) {
  const auto found = std::ranges::find_if(summary.steps, [&](const lab::ProgramStep& step) {
    return step.launch != 0 && step.launch <= launch && launch < step.launch + step.times;
  });
  return found == summary.steps.end() ? nullptr : &*found;
}

}  // namespace tilestep::features
