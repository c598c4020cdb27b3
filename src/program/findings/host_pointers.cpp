// SPDX-License-Identifier: Apache-2.0
// The origin of a host address that a kernel dereferenced.
#include <algorithm>

#include "program/findings/findings.h"
#include "program/findings/touches.h"
#include "program/findings/words.h"

namespace tilestep::program {
namespace {

/// The latest copy from the host to that word before the launch.
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
    findings.push_back({kKind, Severity::fault, copy->place,
                        copy->what + " copies host addresses to " + memory->name + ", and " +
                            launch.kernel + lineText(launch.place) +
                            " dereferences them: the data they point to is not copied. Allocate "
                            "that with cudaMalloc too, and copy its device addresses"});
  }
  return findings;
}

/// Less dynamic shared memory than a kernel uses.
Findings sharedSizes(const ProgramRun& run) {
  Findings findings;
  for (const LaunchRecord& launch : run.launches) {
    const uint32_t given = launch.launch.dynamicSharedBytes;
    // A fault names the array and its size; the size of a dynamic array is the one given by the
    // launch.
    const std::string size = "which has " + std::to_string(given) + " byte";
    const auto past = std::ranges::find_if(launch.faults, [&](const simt::Fault& fault) {
      return fault.kind == "out-of-bounds" && fault.address < (uint64_t{1} << 41) &&
             fault.message.find(size) != std::string::npos;
    });
    if (past == launch.faults.end()) continue;
    findings.push_back({"wrong-size", Severity::fault, launch.place,
                        "The launch of " + launch.kernel + " gives " + std::to_string(given) +
                            " bytes of dynamic shared memory, and the kernel goes past them in "
                            "line " +
                            std::to_string(past->line) +
                            "; the third argument of <<<>>> is a number of bytes, not of "
                            "elements"});
  }
  return findings;
}

}  // namespace tilestep::program
