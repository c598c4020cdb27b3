// SPDX-License-Identifier: Apache-2.0
// Harmless races: several threads store the same value, as in textbooks' breadth-first search.
#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "program/findings/findings.h"

namespace tilestep::program {
namespace {

/// The races in the launches of one kernel.
struct Seen {
  std::set<uint32_t> equal, different;  ///< Lines that write.
  bool isTried = false, isChanged = false;
};

constexpr const char* kTwoWrites = "write-after-write";

uint32_t writingLine(const simt::Hazard& hazard) {
  return hazard.kind == "read-after-write" ? hazard.first.line : hazard.second.line;
}

bool isHarmless(const simt::Hazard& hazard, const Seen& seen) {
  const uint32_t line = writingLine(hazard);
  return hazard.kind != kTwoWrites && hazard.space == "global" && seen.equal.contains(line) &&
         !seen.different.contains(line) && seen.isTried && !seen.isChanged;
}

}  // namespace

void moveHarmlessRaces(ProgramRun& run) {
  std::map<std::string, Seen> kernels;
  for (const LaunchRecord& launch : run.launches) {
    Seen& seen = kernels[launch.kernel];
    seen.equal.insert(launch.equalWriteLines.begin(), launch.equalWriteLines.end());
    for (const simt::Hazard& hazard : launch.hazards)
      if (hazard.kind == kTwoWrites) seen.different.insert({hazard.first.line, hazard.second.line});
    if (!launch.orders) continue;
    seen.isTried = seen.isTried || launch.orders->tried > 0;
    seen.isChanged = seen.isChanged || launch.orders->found.has_value();
  }
  std::set<std::pair<std::string, uint32_t>> told;
  for (LaunchRecord& launch : run.launches) {
    const Seen& seen = kernels[launch.kernel];
    std::erase_if(launch.hazards, [&](const simt::Hazard& hazard) {
      if (!isHarmless(hazard, seen)) return false;
      if (told.insert({launch.kernel, writingLine(hazard)}).second)
        run.findings.push_back(
            {hazard.kind,
             Severity::remark,
             {launch.place.file, hazard.second.line},
             "in " + launch.kernel + ": line " + std::to_string(writingLine(hazard)) + " writes " +
                 hazard.place +
                 " while other threads read it. All of these writes store the same value, so the "
                 "result does not change; it is still a data race in CUDA C++, and an atomic "
                 "operation or a second array avoids it"});
      return true;
    });
    if (launch.hazards.empty()) launch.orders.reset();
  }
}

}  // namespace tilestep::program
