// SPDX-License-Identifier: Apache-2.0
// A launch reports its failure only when asked: a refused one by cudaGetLastError, one that fails
// while it runs by any later call.
#include <algorithm>

#include "program/findings/findings.h"
#include "program/findings/words.h"

namespace tilestep::program {
namespace {

/// Whether the program looked at that error: it requested the last one and got it, or asked for its
/// meaning.
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
  // A program may test for a feature of the device and do without it.
  if (isAsked && succeeded) finding.severity = Severity::remark;
  return finding;
}

}  // namespace

Findings notJudged(const ProgramRun& run) {
  Findings findings;
  for (const LaunchRecord& launch : run.launches) {
    if (launch.trouble.empty()) continue;
    findings.push_back({"not-judged", Severity::remark, launch.place,
                        "The launch of " + launch.kernel +
                            " could not be run here, so it and what follows it are not judged: " +
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
      findings.push_back({"unchecked-error", Severity::fault, launch.place,
                          "The program never asks whether the launch of " + launch.kernel +
                              " was accepted, and goes on as if it had run; call "
                              "cudaGetLastError() after it, and stop if it is not cudaSuccess"});
      continue;
    }
    const CallRecord* const blamed = firstBlamed(run, launch);
    const std::string toWhom = blamed == nullptr
                                   ? std::string()
                                   : "; " + callText(*blamed) + " was the first to return it";
    if (!isAsked && succeeded) {
      findings.push_back({"unchecked-error", Severity::fault, launch.place,
                          "The launch of " + launch.kernel + " failed (" +
                              errorText(launch.result) +
                              ") and the program goes on as if it had "
                              "not" +
                              toWhom + ". Look at what cudaDeviceSynchronize() returns"});
    } else if (blamed != nullptr && !blamed->waits) {
      findings.push_back(
          {"unchecked-error", Severity::remark, blamed->place,
           callText(*blamed) + " returns an error of earlier work (" + errorText(launch.result) +
               "): the launch of " + launch.kernel + lineText(launch.place) +
               " failed. Call cudaDeviceSynchronize() after a launch to see which one it is"});
    }
  }
  return findings;
}

}  // namespace tilestep::program
