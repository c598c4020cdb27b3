// SPDX-License-Identifier: Apache-2.0
// Clocks of the host around work of the device.
#include <algorithm>
#include <set>

#include "program/findings/findings.h"
#include "program/findings/touches.h"
#include "program/findings/words.h"

namespace tilestep::program {
namespace {

bool isBetween(uint64_t moment, uint64_t first, uint64_t last) {
  return moment > first && moment < last;
}

}  // namespace

std::vector<Finding> neverAwaited(const ProgramRun& run) {
  if (!run.openLaunch || run.timedOut || run.signal != 0 || !allLaunchesEnded(run)) return {};
  const LaunchRecord& launch = run.launches[*run.openLaunch];
  return {{"never-awaited", Severity::remark, launch.place,
           "The program ends without having waited for the launch of " + launch.kernel +
               ": on a GPU it may be cut short, and what it prints is lost. Call "
               "cudaDeviceSynchronize() before the end"}};
}

std::vector<Finding> timers(const ProgramRun& run) {
  std::vector<Finding> findings;
  std::set<uint32_t> told;
  for (size_t i = 0; i < run.clocks.size(); ++i) {
    const ClockReading& end = run.clocks[i];
    if (!end.open) continue;
    const LaunchRecord& launch = run.launches[*end.open];
    const auto started = std::ranges::any_of(
        run.clocks, [&](const ClockReading& each) { return each.moment < launch.moment; });
    if (!started || !told.insert(end.place.line).second) continue;
    findings.push_back({"timer", Severity::remark, end.place,
                        "The clock is read here while the launch of " + launch.kernel +
                            lineText(launch.place) +
                            " may still be running: a launch returns at once. Call "
                            "cudaDeviceSynchronize() before it"});
  }
  for (size_t i = 1; i < run.clocks.size(); ++i) {
    const ClockReading &start = run.clocks[i - 1], &end = run.clocks[i];
    const bool timesWork = std::ranges::any_of(run.launches, [&](const LaunchRecord& launch) {
      return isBetween(launch.moment, start.moment, end.moment);
    });
    if (!timesWork) continue;
    const auto call = std::ranges::find_if(run.calls, [&](const CallRecord& each) {
      return each.name.starts_with("cudaMalloc") &&
             isBetween(each.moment, start.moment, end.moment);
    });
    if (call == run.calls.end() || !told.insert(start.place.line).second) continue;
    findings.push_back(
        {"timer", Severity::remark, start.place,
         "The time from here to line " + std::to_string(end.place.line) + " holds " +
             callText(*call) +
             (call == run.calls.begin() ? ", the first call, which also makes the device ready"
                                        : "") +
             ", beside the kernel's. Allocate before the clock is read"});
  }
  return findings;
}

}  // namespace tilestep::program
