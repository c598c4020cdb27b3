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

/// What a program measures: between two readings of a clock, or two events.
struct Span {
  Place place;  ///< Where it begins.
  uint64_t begin = 0, end = 0;
};

std::vector<Span> spansOf(const ProgramRun& run) {
  std::vector<Span> spans;
  for (size_t i = 1; i < run.clocks.size(); ++i)
    spans.push_back({run.clocks[i - 1].place, run.clocks[i - 1].moment, run.clocks[i].moment});
  for (const EventTiming& each : run.timings) spans.push_back({each.place, each.begin, each.end});
  return spans;
}

}  // namespace

std::vector<Finding> neverAwaited(const ProgramRun& run) {
  if (!run.openLaunch || !allLaunchesEnded(run)) return {};
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
  for (const Span& span : spansOf(run)) {
    const bool timesWork = std::ranges::any_of(run.launches, [&](const LaunchRecord& launch) {
      return isBetween(launch.moment, span.begin, span.end);
    });
    if (!timesWork) continue;
    const auto call = std::ranges::find_if(run.calls, [&](const CallRecord& each) {
      return each.name.starts_with("cudaMalloc") && isBetween(each.moment, span.begin, span.end);
    });
    if (call == run.calls.end() || !told.insert(span.place.line).second) continue;
    findings.push_back(
        {"timer", Severity::remark, span.place,
         "The time that is measured from here on holds " + callText(*call) +
             (call == run.calls.begin() ? ", the first call, which also makes the device ready,"
                                        : "") +
             " beside the kernels. Allocate before it begins"});
  }
  return findings;
}

}  // namespace tilestep::program
