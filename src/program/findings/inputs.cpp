// SPDX-License-Identifier: Apache-2.0
// Memory that is set but never read, or that no launch changed.
#include <algorithm>

#include "program/answers.h"
#include "program/findings/findings.h"
#include "program/findings/touches.h"
#include "program/findings/words.h"

namespace tilestep::program {
namespace {

bool isGiven(const LaunchRecord& launch, const MemoryRecord& memory) {
  return std::ranges::any_of(launch.arguments, [&](const Argument& each) {
    return each.bytes >= 8 && each.bits - memory.address < memory.bytes;
  });
}

/// Whether `part` is a single range that starts at `begin`.
bool isStart(const Ranges& part, uint64_t begin) {
  return part.size() == 1 && part.front().begin == begin;
}

}  // namespace

std::vector<Finding> unreadInputs(const ProgramRun& run) {
  std::vector<Finding> findings;
  const Touches touches = touchesIn(run);
  if (!touches.isWhole || !allLaunchesEnded(run) || run.launches.empty()) return findings;
  for (const MemoryRecord& memory : run.memory) {
    if (memory.isShared || memory.isVariable) continue;
    const Touch* copy = nullptr;
    size_t copies = 0;
    Ranges read;
    bool isKnown = true;
    for (const Touch& touch : touches.ofMemory(memory)) {
      read = unite(read, touch.reads);
      if (!touch.work->fromHost) continue;
      copy = &touch;
      ++copies;
    }
    if (copies != 1 || !isKnown || !isStart(copy->writes, memory.address)) continue;
    const Ranges unread = without(copy->writes, read);
    // Unread bytes elsewhere may not be needed: a table, a tree, the corners of a stencil.
    if (unread.empty() || !isStart(common(copy->writes, read), memory.address)) continue;
    const uint64_t bytes = bytesIn(unread);
    // No thread reads the last element of an exclusive scan.
    constexpr uint64_t kFewBytes = 32, kSmallShare = 100;
    if (bytes < kFewBytes || bytes * kSmallShare < bytesIn(copy->writes)) continue;
    findings.push_back({"unread-input", Severity::remark, copy->work->place,
                        "No thread reads the last " + bytesText(bytes) + " of the " +
                            bytesText(bytesIn(copy->writes)) + " that are copied to " +
                            memory.name + " here"});
  }
  return findings;
}

std::vector<Finding> unchangedOutputs(const ProgramRun& run) {
  std::vector<Finding> findings;
  const Touches touches = touchesIn(run);
  if (!touches.isWhole || !allLaunchesEnded(run)) return findings;
  for (const MemoryRecord& memory : run.memory) {
    if (memory.isVariable || memory.isShared) continue;
    uint64_t set = 0;  // The moment when the host last set the memory.
    Ranges written;
    const Touch* result = nullptr;
    for (const Touch& touch : touches.ofMemory(memory)) {
      const bool byLaunch = touch.work->kind == WorkKind::launch;
      if (byLaunch) written = unite(written, touch.writes);
      // Remembers a result until something reads it.
      if (byLaunch && !touch.writes.empty()) result = &touch;
      if (!touch.reads.empty() && result != &touch) result = nullptr;
      if (touch.work->fromHost || touch.work->kind == WorkKind::fill) set = touch.work->moment;
      const auto between = [&](const LaunchRecord& launch) {
        return launch.moment > set && launch.moment < touch.work->moment && isGiven(launch, memory);
      };
      if (touch.work->toHost && written.empty() && set != 0) {
        const auto launch = std::ranges::find_if(run.launches, between);
        if (launch == run.launches.end()) continue;
        findings.push_back({"unchanged-output", Severity::remark, touch.work->place,
                            memory.name +
                                " is copied back, but no launch has changed it: the "
                                "launch of " +
                                launch->kernel + lineText(launch->place) +
                                " received its address, but wrote nothing there"});
        break;
      }
      const bool isLast = &touch == &touches.ofMemory(memory).back();
      if (isLast && touch.work->fromHost && result != nullptr &&
          without(result->writes, touch.writes).empty()) {
        findings.push_back(
            {"overwritten-result", Severity::remark, touch.work->place,
             "This copy overwrites the result that " + result->work->what +
                 lineText(result->work->place) + " wrote to " + memory.name +
                 ", before anything has read it; the source and the target may be swapped"});
      }
    }
  }
  return findings;
}

}  // namespace tilestep::program
