// SPDX-License-Identifier: Apache-2.0
#include "app/program_report.h"

#include <fmt/format.h>

#include <vector>

namespace tilestep::app {
namespace {

using lab::ProgramFinding;

std::string findingLine(const ProgramFinding& finding) {
  std::string line = textOf(finding);
  if (finding.order != 0) line += fmt::format(" (--order {})", finding.order);
  if (finding.times > 1) line += fmt::format(" ({} times)", finding.times);
  return line;
}

std::string titledList(const std::string& heading, const std::vector<std::string>& lines) {
  std::string text;
  if (!lines.empty()) text += heading + ":\n";
  for (const std::string& line : lines) text += "  " + line + ".\n";
  return text;
}

}  // namespace

std::string programReport(const lab::ProgramSummary& summary, const std::string& command,
                          bool couldCheck) {
  std::string text = summary.ending;
  if (summary.timedOut)
    text += " --timeout SECONDS sets another limit; smaller sizes take less time.";
  if (!text.empty()) text += "\n";
  text += command + ": " + summary.ran + ".\n";
  std::vector<std::string> faults, remarks;
  for (const ProgramFinding& each : summary.findings)
    (each.isFault ? faults : remarks).push_back(findingLine(each));
  text += titledList("Faults", faults);
  text += titledList("Remarks", remarks);
  text += titledList("Results", summary.results);
  if (!summary.verdict.empty()) text += summary.verdict + "\n";
  for (const std::string& note : summary.notes) text += note + "\n";
  if (couldCheck) text += "Races and uninitialised values were not checked; --check checks them.\n";
  return text;
}

}  // namespace tilestep::app
