// SPDX-License-Identifier: Apache-2.0
// A program learns of a launch's failure only if it asks. A refused launch is reported by
// cudaGetLastError; a launch that fails while it runs, by any later call.
#include <algorithm>

#include "program/findings/findings.h"
#include "program/findings/words.h"

namespace tilestep::program {
namespace {

/// Whether the program asked for the last error and got this one, or asked for its meaning.
bool isAskedAbout(const ProgramRun& run, const LaunchRecord& launch) {
  return std::ranges::any_of(run.calls, [&](const CallRecord& call) {
    return call.moment > launch.moment && call.result == launch.result && call.asksForErrors;
  });
}

/// The first call that returned the error of earlier work.
const CallRecord* firstBlamed(const ProgramRun& run, const LaunchRecord& launch) {
  const auto found = std::ranges::find_if(run.calls, [&](const CallRecord& call) {
    return call.moment > launch.moment && call.result == launch.result && !call.asksForErrors;
  });
  return found == run.calls.end() ? nullptr : &*found;
}

Finding refused(const LaunchRecord& launch, bool isAsked, bool succeeded) {
  Finding finding{"launch-failed", Severity::fault, launch.place,
                  "The launch of " + launch.kernel + " was refused: " + launch.refusal};
  // A program may test whether the device has a feature, and continue without the feature.
  if (isAsked && succeeded) finding.severity = Severity::remark;
  return finding;
}

}  // namespace

Findings notJudged(const ProgramRun& run) {
  Findings findings;
  for (const LaunchRecord& launch : run.launches) {
    if (launch.trouble.empty()) continue;
    findings.push_back(
        {"not-judged", Severity::remark, launch.place,
         "The launch of " + launch.kernel +
             " could not run here, so neither the launch nor later work is judged: " +
             launch.trouble});
  }
  return findings;
}

std::vector<Finding> uncheckedErrors(const ProgramRun& run) {
  std::vector<Finding> findings;
  const bool succeeded = run.exitStatus == 0 && run.signal == 0;
  for (const LaunchRecord& launch : run.launches) {
    if (launch.result == 0 || launch.followsFault || !launch.trouble.empty()) continue;
    const bool isAsked = isAskedAbout(run, launch);
    if (!launch.refusal.empty()) {
      findings.push_back(refused(launch, isAsked, succeeded));
      if (isAsked) continue;
      findings.push_back(
          {"unchecked-error", Severity::fault, launch.place,
           "The program never checks whether the launch of " + launch.kernel +
               " was accepted, but continues as if it had run; call "
               "cudaGetLastError() after the launch, and stop if the result is not cudaSuccess"});
      continue;
    }
    const CallRecord* const blamed = firstBlamed(run, launch);
    const std::string toWhom =
        blamed == nullptr ? std::string()
                          : "; " + callText(*blamed) + " was the first call to return the error";
    if (!isAsked && succeeded) {
      findings.push_back({"unchecked-error", Severity::fault, launch.place,
                          "The launch of " + launch.kernel + " failed (" +
                              errorText(launch.result) +
                              "), but the program continues as if it "
                              "had succeeded" +
                              toWhom + ". Check the result of cudaDeviceSynchronize()"});
    } else if (blamed != nullptr && !blamed->waits) {
      findings.push_back(
          {"unchecked-error", Severity::remark, blamed->place,
           callText(*blamed) + " returns an error of earlier work (" + errorText(launch.result) +
               "): the launch of " + launch.kernel + lineText(launch.place) +
               " failed. Call cudaDeviceSynchronize() after each launch to find a failing launch"});
    }
  }
  return findings;
}

}  // namespace tilestep::program
