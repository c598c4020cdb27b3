// SPDX-License-Identifier: Apache-2.0
// The origin of a host address that a kernel dereferenced.
#include <algorithm>

#include "program/findings/findings.h"
#include "program/findings/touches.h"
#include "program/findings/words.h"

namespace tilestep::program {
namespace {

/// The latest copy from the host to the word at `address` before moment `before`.
const Work* copyTo(const ProgramRun& run, uint64_t address, uint64_t before) {
  const Work* latest = nullptr;
  for (const Work& work : run.works) {
    if (!work.fromHost || work.moment > before) continue;
    if (!common(work.uses.plainWrites, {{address, address + 1}}).empty()) latest = &work;
  }
  return latest;
}

}  // namespace

Findings hostPointers(const ProgramRun& run) {
  Findings findings;
  constexpr const char* kKind = "device-touches-host-memory";
  for (const LaunchRecord& launch : run.launches) {
    if (!launch.hostPointer) continue;
    const HostPointer& pointer = *launch.hostPointer;
    if (pointer.holder == 0) {
      findings.push_back({kKind, Severity::fault, launch.place,
                          "The launch of " + launch.kernel +
                              " is given a host address, directly or in a structure; give it an "
                              "address from cudaMalloc, and copy the data there"});
      continue;
    }
    const MemoryRecord* const memory = memoryAt(run, pointer.holder);
    const Work* const copy = copyTo(run, pointer.holder, launch.moment);
    if (memory == nullptr || copy == nullptr) continue;
    findings.push_back(
        {kKind, Severity::fault, copy->place,
         copy->what + " copies host addresses to " + memory->name + ", and " + launch.kernel +
             lineText(launch.place) +
             " dereferences them, but the data that they point to is not copied. Allocate device "
             "memory for that data, too, and copy its device addresses"});
  }
  return findings;
}

Findings sharedSizes(const ProgramRun& run) {
  Findings findings;
  for (const LaunchRecord& launch : run.launches) {
    const uint32_t given = launch.launch.dynamicSharedBytes;
    // The fault's message has the array's size. The size of a dynamic array is the launch's.
    const std::string size = "which has " + std::to_string(given) + " byte";
    const auto past = std::ranges::find_if(launch.faults, [&](const simt::Fault& fault) {
      return fault.kind == "out-of-bounds" && fault.address < (uint64_t{1} << 41) &&
             fault.message.find(size) != std::string::npos;
    });
    if (past == launch.faults.end()) continue;
    findings.push_back({"wrong-size", Severity::fault, launch.place,
                        "The launch of " + launch.kernel + " gives " + std::to_string(given) +
                            " bytes of dynamic shared memory, but the kernel uses more in "
                            "line " +
                            std::to_string(past->line) +
                            "; the third argument of <<<>>> is in bytes, not in "
                            "elements"});
  }
  return findings;
}

}  // namespace tilestep::program
