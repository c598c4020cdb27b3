// SPDX-License-Identifier: Apache-2.0
// Clocks of the host around work of the device.
#include <algorithm>
#include <set>

#include "program/findings/findings.h"
#include "program/findings/touches.h"
#include "program/findings/words.h"

namespace tilestep::program {
namespace {

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
    const auto isWithin = [&](const auto& each) {
      return each.moment > span.begin && each.moment < span.end;
    };
    const auto launch = std::ranges::find_if(run.launches, isWithin);
    if (launch == run.launches.end()) continue;
    const auto call = std::ranges::find_if(run.calls, [&](const CallRecord& each) {
      return each.name.starts_with("cudaMalloc") && isWithin(each);
    });
    const bool isFirst = launch == run.launches.begin();
    if ((call == run.calls.end() && !isFirst) || !told.insert(span.place.line).second) continue;
    const std::string what =
        call != run.calls.end()
            ? callText(*call) + " beside the kernels. Allocate before it begins"
            : "the program's first launch" + lineText(launch->place) +
                  ", which also loads the kernel. Launch it once before it begins";
    findings.push_back({"timer", Severity::remark, span.place,
                        "The time that is measured from here on holds " + what});
  }
  return findings;
}

}  // namespace tilestep::program
