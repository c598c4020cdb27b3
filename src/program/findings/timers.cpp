// SPDX-License-Identifier: Apache-2.0
// Clocks that measure device work wrongly.
#include <algorithm>
#include <filesystem>
#include <set>

#include "program/findings/findings.h"
#include "program/findings/touches.h"
#include "program/findings/words.h"

namespace tilestep::program {
namespace {

/// A time that the program measures: between two reads of a clock, or between two events.
struct Span {
  Place place;  ///< Where the measurement begins.
  uint64_t begin = 0, end = 0;
};

std::vector<Span> spansOf(const ProgramRun& run) {
  std::vector<Span> spans;
  for (size_t i = 1; i < run.clocks.size(); ++i)
    spans.push_back({run.clocks[i - 1].place, run.clocks[i - 1].moment, run.clocks[i].moment});
  for (const EventTiming& each : run.timings) spans.push_back({each.place, each.begin, each.end});
  return spans;
}

/// Whether the clock is read in a helper function, whose line does not show what is timed. The
/// helper is in another file than the launch, or its line both begins and ends the measurement.
bool isInHelper(const ProgramRun& run, const Place& place, const LaunchRecord& launch) {
  const auto isThere = [&](const ClockReading& each) {
    return each.place.line == place.line && each.place.file == place.file;
  };
  return place.file != launch.place.file || std::ranges::count_if(run.clocks, isThere) > 1;
}

/// The line, and its file if it is not the launch's.
std::string placeText(const Place& place, const Place& launch) {
  if (place.line == 0 || place.file == launch.file) return lineText(place);
  return lineText(place) + " of " + std::filesystem::path(place.file).filename().string();
}

}  // namespace

std::vector<Finding> neverAwaited(const ProgramRun& run) {
  if (!run.openLaunch || !allLaunchesEnded(run)) return {};
  const LaunchRecord& launch = run.launches[*run.openLaunch];
  return {{"never-awaited", Severity::remark, launch.place,
           "The program ends without waiting for the launch of " + launch.kernel +
               ". On a GPU, the launch may be cut short and its output lost. Call "
               "cudaDeviceSynchronize() before the end"}};
}

std::vector<Finding> timers(const ProgramRun& run) {
  std::vector<Finding> findings;
  std::set<uint32_t> told;
  for (const ClockReading& end : run.clocks) {
    if (!end.open) continue;
    const LaunchRecord& launch = run.launches[*end.open];
    const auto started = std::ranges::any_of(
        run.clocks, [&](const ClockReading& each) { return each.moment < launch.moment; });
    const bool isHelper = isInHelper(run, end.place, launch);
    const Place& place = isHelper ? launch.place : end.place;
    if (!started || !told.insert(place.line).second) continue;
    findings.push_back({"timer", Severity::remark, place,
                        (isHelper ? "A clock is read" + placeText(end.place, launch.place) +
                                        " while this launch of " + launch.kernel
                                  : "The clock is read here while the launch of " + launch.kernel +
                                        lineText(launch.place)) +
                            " may still be running, because a launch returns at once. Call "
                            "cudaDeviceSynchronize() before "
                            "the clock is read"});
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
    const bool isHelper = isInHelper(run, span.place, *launch);
    const Place& place = isHelper ? launch->place : span.place;
    const bool isFirst = launch == run.launches.begin();
    if ((call == run.calls.end() && !isFirst) || !told.insert(place.line).second) continue;
    const std::string what =
        call != run.calls.end()
            ? callText(*call) + " as well as the kernels. Allocate before the measurement"
            : "the program's first launch" + lineText(launch->place) +
                  ", which also loads the kernel. Launch the kernel once before the measurement";
    findings.push_back({"timer", Severity::remark, place,
                        std::string("The time measured ") +
                            (isHelper ? "around this launch" : "from here on") + " includes " +
                            what});
  }
  return findings;
}

}  // namespace tilestep::program
