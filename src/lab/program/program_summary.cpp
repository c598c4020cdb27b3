// SPDX-License-Identifier: Apache-2.0
#include "lab/program/program_summary.h"

#include <algorithm>
#include <filesystem>

namespace tilestep::lab {

uint64_t ProgramSummary::faults() const {
  return static_cast<uint64_t>(std::ranges::count_if(
      findings, [](const ProgramFinding& each) { return each.isFault && !each.kind.empty(); }));
}

std::string textOf(const ProgramFinding& finding) {
  std::string text;
  if (!finding.kernel.empty())
    text = "in " + finding.kernel + ": ";
  else if (finding.line != 0)
    text = std::filesystem::path(finding.file).filename().string() + ":" +
           std::to_string(finding.line) + ": ";
  if (!finding.kind.empty()) text += finding.kind + ": ";
  return text + finding.message;
}

}  // namespace tilestep::lab
