// SPDX-License-Identifier: Apache-2.0
// Copies that are slower than they need to be, and results that accumulate over launches.
#include <algorithm>
#include <set>

#include "program/findings/findings.h"
#include "program/findings/touches.h"
#include "program/findings/words.h"

namespace tilestep::program {
namespace {

bool isSameLaunch(const LaunchRecord& a, const LaunchRecord& b) {
  return a.kernel == b.kernel && a.launch.grid == b.launch.grid &&
         a.launch.block == b.launch.block &&
         std::ranges::equal(a.arguments, b.arguments, {}, &Argument::bits, &Argument::bits);
}

/// Whether the work adds to the existing contents, and only by atomic operations.
bool adds(const Touch& touch) {
  const Uses& uses = touch.work->uses;
  return touch.work->kind == WorkKind::launch && !touch.writes.empty() &&
         common(touch.writes, uses.plainWrites).empty() &&
         !common(touch.writes, uses.orderedReads).empty();
}

}  // namespace

Findings pageableCopies(const ProgramRun& run) {
  Findings findings;
  std::set<uint32_t> told;
  if (run.pinsMemory) return findings;  // It is unknown which memory is pinned.
  for (const Work& work : run.works) {
    const bool isPageable = work.fromHost || work.toHost;
    const bool isAsync = work.what == "cudaMemcpyAsync" && work.ticket.stream != 0;
    if (!isPageable || !isAsync || !told.insert(work.place.line).second) continue;
    findings.push_back(
        {"pageable-copy", Severity::remark, work.place,
         "cudaMemcpyAsync of pageable host memory is not asynchronous: the host waits "
         "for it. Allocate that memory with "
         "cudaMallocHost"});
  }
  return findings;
}

Findings accumulated(const ProgramRun& run) {
  Findings findings;
  const Touches touches = touchesIn(run);
  std::set<uint32_t> told;
  for (const MemoryRecord& memory : run.memory) {
    const Touch* before = nullptr;  // The latest launch that added since the memory was set.
    const Touch* twice = nullptr;
    for (const Touch& touch : touches.ofMemory(memory)) {
      if (twice != nullptr && touch.work->toHost) {
        const LaunchRecord& launch = run.launches[twice->work->launch];
        if (told.insert(launch.place.line).second)
          findings.push_back(
              {"accumulated", Severity::remark, launch.place,
               "This launch of " + launch.kernel + " adds to the result that an equal " +
                   "launch left in " + memory.name +
                   ", which now holds the sum of both. Set it to 0 before each launch, with "
                   "cudaMemset"});
        break;
      }
      if (touch.writes.empty()) continue;
      if (!adds(touch)) {
        before = twice = nullptr;
      } else if (before != nullptr && isSameLaunch(run.launches[before->work->launch],
                                                   run.launches[touch.work->launch])) {
        twice = &touch;
      } else {
        before = &touch;
      }
    }
  }
  return findings;
}

}  // namespace tilestep::program
