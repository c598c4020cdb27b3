// SPDX-License-Identifier: Apache-2.0
#include "lab/run/line_check.h"

#include <algorithm>
#include <string>

namespace tilestep::lab {

uint32_t sourceLinesOf(std::string_view text) {
  return static_cast<uint32_t>(std::count(text.begin(), text.end(), '\n')) + 1;
}

Status checkLines(const RunResult& result, uint32_t lines) {
  uint32_t last = 0;
  const auto see = [&last](uint32_t line) { last = std::max(last, line); };
  if (result.trace)
    for (size_t i = 0; i < result.trace->size(); ++i) see(result.trace->event(i).line);
  for (const device::Fault& fault : result.faults) see(fault.at.line);
  if (result.hazards) {
    for (const device::Hazard& hazard : *result.hazards) {
      see(hazard.first.line);
      see(hazard.second.line);
    }
  }
  for (const device::Printed& printed : result.printed) see(printed.at.line);
  for (const UncertainCounts& counts : result.uncertain) see(counts.line);
  if (last <= lines) return {};
  return workError("a result names line " + std::to_string(last) + " of a source of " +
                   std::to_string(lines) + (lines == 1 ? " line" : " lines"));
}

}  // namespace tilestep::lab
