// SPDX-License-Identifier: Apache-2.0
#include "program/summary.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <utility>

#include "base/figure.h"

namespace tilestep::program {
namespace {

using lab::ProgramSummary;

/// The number of occurrences of each text, in order of first occurrence.
class Tally {
 public:
  void add(const std::string& text) {
    const auto known = std::ranges::find(counts_, text, &std::pair<std::string, size_t>::first);
    if (known != counts_.end())
      ++known->second;
    else
      counts_.emplace_back(text, 1);
  }
  [[nodiscard]] const std::vector<std::pair<std::string, size_t>>& counts() const {
    return counts_;
  }

 private:
  std::vector<std::pair<std::string, size_t>> counts_;
};

/// "3 launches (2 of add, 1 of scale)".
std::string launchesText(const ProgramRun& run) {
  Tally kernels;
  for (const LaunchRecord& launch : run.launches) kernels.add(launch.kernel);
  const size_t different = kernels.counts().size();
  if (different == 0) return "no launch";
  std::string names;
  for (const auto& [name, count] : kernels.counts())
    names +=
        (names.empty() ? "" : ", ") + (different > 1 ? fmt::format("{} of {}", count, name) : name);
  const size_t all = run.launches.size();
  return fmt::format("{} launch{} {}{}{}", all, all == 1 ? "" : "es", different > 1 ? "(" : "of ",
                     names, different > 1 ? ")" : "");
}

std::string engineText(const ProgramRun& run) {
  return run.gpu >= 0 ? fmt::format("cuda:{}, {}", run.gpu, run.device)
                      : "the SIMT interpreter, as an " + run.device;
}

/// "product: C is A · B in all 672 elements, in float64."
std::vector<std::string> resultsOf(const ProgramRun& run) {
  Tally lines;
  for (const LaunchRecord& launch : run.launches) {
    if (!launch.operation) continue;
    const lab::Operation& is = *launch.operation;
    const std::string share =
        is.wrong == 0 && is.compared == 1 ? std::string("its one")
        : is.wrong == 0
            ? fmt::format("all {}", grouped(is.compared))
            : fmt::format("{} of {}", grouped(is.compared - is.wrong), grouped(is.compared));
    const std::string whole = is.compared < is.elements
                                  ? fmt::format(" that were compared, of {},", grouped(is.elements))
                                  : std::string(",");
    lines.add(fmt::format("{}: {} is {} in {} element{}{} in float64", launch.kernel, is.result,
                          is.formula, share, is.elements == 1 ? "" : "s", whole));
  }
  std::vector<std::string> texts;
  for (const auto& [text, count] : lines.counts())
    texts.push_back(text + (count > 1 ? fmt::format(" ({} times)", count) : std::string()));
  return texts;
}

bool isLookedAt(const LaunchRecord& launch) {
  return launch.notLooked.empty();
}

std::string verdictOf(const ProgramRun& run, bool checked) {
  if (run.timedOut) return "Its later work was not examined.";
  const char* looked = "host calls";
  if (std::ranges::all_of(run.launches, isLookedAt))
    looked = checked ? "bounds, races, barriers, uninitialised values, host calls"
                     : "bounds, barriers, host calls";
  return fmt::format(
      "No fault was found in {} launch{} on these inputs (checked: {}). The host's accesses to its "
      "own arrays are not checked.",
      run.launches.size(), run.launches.size() == 1 ? "" : "es", looked);
}

/// The last work of a program that was ended at its time limit, and its minimum duration.
std::string limitText(const ProgramRun& run) {
  std::string text = fmt::format("The program was ended at its time limit ({}).",
                                 toText(run.limitSeconds, Unit::seconds));
  if (!run.unfinished) return text;
  const LaunchProgress& launch = *run.unfinished;
  std::string line;
  if (launch.place.line != 0)
    line = fmt::format(" ({}:{})", std::filesystem::path(launch.place.file).filename().string(),
                       launch.place.line);
  text += fmt::format(" The launch of {}{} had run for {}", launch.kernel, line,
                      roughly(launch.seconds));
  if (const std::optional<double> all = launch.estimate())
    return text + fmt::format(
                      " of about {} ({:.1f} % of its blocks had ended), so the program "
                      "takes at least {} here.",
                      roughly(*all), 100 * launch.ended,
                      roughly(run.limitSeconds + *all - launch.seconds));
  return text + ", and none of its blocks had ended.";
}

std::string endingOf(const ProgramRun& run) {
  if (run.timedOut) return limitText(run);
  if (run.signal != 0)
    return fmt::format("The program was ended by signal {} ({}).", run.signal,
                       strsignal(run.signal));
  if (run.exitStatus != 0)
    return fmt::format("The program reports failure (status {}).", run.exitStatus);
  return {};
}

/// Notes the launches that were not examined, with the reasons.
void addNotLookedAt(const ProgramRun& run, std::vector<std::string>& notes) {
  Tally reasons;
  for (const LaunchRecord& launch : run.launches)
    if (!isLookedAt(launch)) reasons.add(launch.notLooked);
  for (const auto& [reason, count] : reasons.counts())
    notes.push_back(
        fmt::format("The work of {} was not examined: {}.",
                    count < run.launches.size()
                        ? fmt::format("{} of the {} launches", count, run.launches.size())
                    : count == 1 ? "the launch"
                                 : "the launches",
                    reason));
}

std::vector<std::string> notesOf(const ProgramRun& run) {
  std::vector<std::string> notes;
  Tally kernels;  // Kernels whose intended operation is unknown.
  for (const LaunchRecord& launch : run.launches)
    if (launch.ran && !launch.isMeant && !launch.operation) kernels.add(launch.kernel);
  std::string names;
  for (const auto& [name, count] : kernels.counts()) names += (names.empty() ? "" : ", ") + name;
  if (!names.empty())
    notes.push_back("The results of " + names +
                    " were not judged, because the intended ones are unknown.");
  for (const std::string& library : run.libraries)
    notes.push_back(
        library +
        " is replaced by a different library here, so its numbers are not exactly NVIDIA's.");
  addNotLookedAt(run, notes);
  return notes;
}

}  // namespace

ProgramSummary summaryOf(const ProgramRun& run, bool checked) {
  constexpr size_t kMostSteps = 2000;
  ProgramSummary summary;
  summary.ending = endingOf(run);
  summary.ran = launchesText(run) + " on " + engineText(run);
  summary.findings = findingsOf(run);
  if (summary.faults() == 0) summary.verdict = verdictOf(run, checked);
  summary.results = resultsOf(run);
  summary.notes = notesOf(run);
  summary.steps = stepsOf(run, kMostSteps, summary.stepsLeftOut);
  summary.launches = run.launches.size();
  summary.timedOut = run.timedOut;
  return summary;
}

}  // namespace tilestep::program
