// SPDX-License-Identifier: Apache-2.0
// Memory that is never freed, and unordered accesses to the same bytes.
#include <algorithm>

#include "program/answers.h"
#include "program/findings/findings.h"
#include "program/findings/words.h"
#include "program/history/accesses.h"

namespace tilestep::program {

std::vector<Finding> neverFreed(const ProgramRun& run) {
  std::vector<Finding> findings;
  // Calls that free memory fail after the device has failed.
  const auto failed = [](const LaunchRecord& launch) { return launch.ran && launch.result != 0; };
  if (std::ranges::any_of(run.launches, failed)) return findings;
  for (const MemoryRecord& each : run.memory) {
    if (each.isFreed || each.isVariable) continue;
    findings.push_back({"never-freed", Severity::remark, each.place,
                        each.name + " (" + bytesText(each.bytes) + ") is never freed"});
  }
  return findings;
}

std::vector<Finding> unordered(const ProgramRun& run) {
  std::vector<Finding> findings;
  for (const Unordered& each : unorderedIn(run.works)) {
    const Work &first = run.works[each.first], &second = run.works[each.second];
    const MemoryRecord* const memory = memoryAt(run, each.address);
    const bool isHost = second.kind == WorkKind::host;
    findings.push_back(
        {"unordered", Severity::fault, second.place,
         capitalised(second.what) + (each.secondWrites ? " writes to " : " reads ") +
             (memory != nullptr ? memory->name : "memory") + ", which " + first.what +
             lineText(first.place) + (each.firstWrites ? " writes" : " reads") +
             (isHost ? ". Nothing waits for that work, so it may still be running. Wait first, "
                       "with cudaDeviceSynchronize()"
                     : " in another stream, and nothing orders the accesses; wait for that stream "
                       "first, with cudaStreamSynchronize or an event")});
  }
  return findings;
}

}  // namespace tilestep::program
